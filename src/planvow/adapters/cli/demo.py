"""`planvow demo`: the tour, offline, through every layer there is."""

from __future__ import annotations

import typer

from planvow.adapters.cli.output import print_result
from planvow.canonical import canonical_json, content_hash

app = typer.Typer()


@app.command()
def demo() -> None:
    """Tour of everything planvow does, offline."""
    value = {"b": 1.0, "a": ["the same", "bytes"]}
    print_result(f"canonical bytes: {canonical_json(value)}\ncontent hash:    {content_hash(value)}")
