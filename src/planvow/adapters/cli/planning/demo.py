"""`planvow demo`: the tour, offline, through every part of planvow, in a scratch folder that is removed afterwards."""

from __future__ import annotations

import tempfile
from pathlib import Path

import typer

from planvow.adapters.cli.frame.output import note, print_result

app = typer.Typer()


@app.command()
def demo() -> None:
    """Tour of everything planvow does, offline."""
    from planvow.adapters.demo.stages import STAGES

    with tempfile.TemporaryDirectory(prefix="planvow-demo-") as scratch:
        for number, (title, stage, page) in enumerate(STAGES, start=1):
            place = Path(scratch) / f"stage{number}"
            place.mkdir()
            print_result(f"\n{number}. {title}\n   {(stage.__doc__ or '').strip()}\n\n")
            for line in "\n".join(stage(place)).splitlines():
                print_result(f"   {line}" if line else "")
            print_result(f"   → {page}")
    note("\nThat was planvow. Next: docs/tutorial/first-domain.md (ten minutes), docs/README.md, planvow --help")
