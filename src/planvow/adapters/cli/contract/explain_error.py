"""`planvow explain-error [CODE]`: what a code means, from the installed package."""

from __future__ import annotations

from typing import Annotated

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.completion import among
from planvow.adapters.cli.frame.lazy import examples
from planvow.adapters.cli.frame.output import print_result
from planvow.adapters.documents.error_index import load_all_errors
from planvow.errors import error_for_code

app = typer.Typer()


def _codes() -> list[str]:
    return [cls.code for cls in load_all_errors()]


@app.command(epilog=examples("planvow explain-error", "planvow explain-error BUDGET_EXCEEDED"))
def explain_error(
    code: Annotated[
        str | None,
        typer.Argument(metavar="CODE", help="An error code, such as BUDGET_EXCEEDED.", autocompletion=among(_codes)),
    ] = None,
) -> None:
    """Say what an error code means and what to do; without a code, list them all."""
    errors = load_all_errors()
    if code is None:
        for cls in errors:
            print_result(f"{cls.code:32} {cls.explanation().splitlines()[0]}")
        return
    cls = error_for_code(code)
    retry = "may succeed when tried again" if cls.retryable else "gives the same answer when tried again unchanged"
    print_result(f"{cls.code}\n\n{cls.explanation()}\n\nExit code {cls.exit_code}; {retry}.")
