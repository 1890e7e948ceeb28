"""`planvow schema [NAME]`: the JSON Schemas of planvow's documents, from the installed package."""

from __future__ import annotations

from typing import Annotated

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.completion import among
from planvow.adapters.cli.frame.lazy import examples
from planvow.adapters.cli.frame.output import print_document
from planvow.adapters.documents.json_schemas import schema_names, schema_text

app = typer.Typer()


@app.command(epilog=examples("planvow schema", "planvow schema certificate"))
def schema(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="A schema, such as plan.", autocompletion=among(schema_names))
    ] = None,
) -> None:
    """Print a JSON Schema; without a name, list them all."""
    print_document("\n".join(schema_names()) if name is None else schema_text(name))
