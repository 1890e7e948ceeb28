"""`planvow cortex`, also the console script `cortex`: sections, symbols and governed plans of a repository.

Payload goes to stdout, everything about it to stderr, as users of the seed's program know it.
"""

from __future__ import annotations

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.guard import HELP_OPTIONS, guarded
from planvow.adapters.cli.frame.lazy import PlainGroup
from planvow.adapters.cli.governed import plan, sections, symbols
from planvow.adapters.cli.ledger.plan_verify import plan_verify

app = typer.Typer(
    cls=PlainGroup,
    help="Sections, symbols and governed plans of a repository.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings=HELP_OPTIONS,
)
app.add_typer(sections.app, name="sections")
app.add_typer(symbols.app, name="symbols")
app.add_typer(plan.app, name="plan")
app.command("plan-verify")(plan_verify)


def run() -> None:
    """Entry point of the console script `cortex`."""
    guarded(app)
