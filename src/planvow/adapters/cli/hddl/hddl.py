"""`planvow hddl`: commands about HDDL files as texts."""

from __future__ import annotations

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.guard import HELP_OPTIONS
from planvow.adapters.cli.frame.lazy import PlainGroup, examples
from planvow.adapters.cli.hddl.layout import format_files

app = typer.Typer(
    cls=PlainGroup,
    help="HDDL files as texts: format.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings=HELP_OPTIONS,
)
app.command("format", epilog=examples("planvow hddl format examples/hddl/tea-domain.hddl"))(format_files)


@app.callback()
def hddl() -> None:
    """HDDL files as texts: format."""
