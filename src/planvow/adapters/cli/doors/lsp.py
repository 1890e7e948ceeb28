"""`planvow lsp`: HDDL in editors, over the Language Server Protocol."""

from __future__ import annotations

from typing import Annotated

from planvow.adapters.cli.frame import typer_later as typer
from planvow.errors import MissingExtraError

app = typer.Typer()


@app.command()
def lsp(
    stdio: Annotated[bool, typer.Option("--stdio", help="What happens anyway; many editors say so.")] = False,
) -> None:
    """Serve an editor over standard input and output: diagnostics, definitions, hover, completion, outline,
    formatting and quick fixes for HDDL files. Editors start it themselves: docs/howto/editors.md."""
    try:
        from planvow.adapters.lsp.server import HddlServer
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "planvow":
            raise
        raise MissingExtraError(error.name or "pygls", extra="lsp", purpose="planvow lsp") from None
    server = HddlServer()
    server.start_io()
    if server.left_early:
        raise typer.Exit(1)
