"""The `planvow` program: the table of commands."""

from __future__ import annotations

from typing import Annotated

import typer

from planvow._version import __version__
from planvow.adapters.cli.guard import HELP_OPTIONS, guarded
from planvow.adapters.cli.lazy import Entry, lazy_group
from planvow.adapters.cli.output import print_result

COMMANDS = {
    "ask": Entry("planvow.adapters.cli.ask:app", "Ask one planner for a plan through the contract."),
    "cassette": Entry("planvow.adapters.cli.cassette:app", "The ledger: status, workers, proofs."),
    "check": Entry("planvow.adapters.cli.check:app", "Find mistakes in a domain before it plans."),
    "cortex": Entry("planvow.adapters.cli.cortex:app", "Sections, symbols and governed plans of a repository."),
    "debate": Entry("planvow.adapters.cli.debate:app", "Take debates apart: claims, arguments, references."),
    "debate-facts": Entry("planvow.adapters.cli.debate_facts:app", "Make an offline store of checked facts."),
    "debate-train": Entry("planvow.adapters.cli.debate_train:app", "Fit the debate weights on your own labels."),
    "demo": Entry("planvow.adapters.cli.demo:app", "Tour of everything planvow does, offline."),
    "goal": Entry("planvow.adapters.cli.goal:app", "Turn a wish into the fewest tool calls."),
    "explain-error": Entry("planvow.adapters.cli.explain_error:app", "Say what an error code means and what to do."),
    "plan": Entry("planvow.adapters.cli.plan:app", "Find a plan for a Python or an HDDL problem."),
    "planners": Entry("planvow.adapters.cli.planners:app", "List the installed planners and what they promise."),
    "replay": Entry("planvow.adapters.cli.replay:app", "Do it again: exit 0 if it comes out the same, else 1."),
    "schema": Entry("planvow.adapters.cli.schema:app", "Print the JSON Schemas of planvow's documents."),
    "verify": Entry("planvow.adapters.cli.verify:app", "Check a plan with code that shares nothing with the planner."),
}

app = typer.Typer(
    cls=lazy_group(COMMANDS),
    help="Plans you can hold an agent to.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings=HELP_OPTIONS,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        print_result(f"planvow {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and exit.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks.")] = False,
) -> None:
    """Plans you can hold an agent to."""


def run() -> None:
    """Entry point of the console script `planvow`."""
    guarded(app)
