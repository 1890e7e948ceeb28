"""The `planvow` program: the table of its commands, section by section.

A command is the Typer application `app` of a module in one of the rooms beside this file.
"""

from __future__ import annotations

from typing import Annotated, Any

from planvow._version import __version__
from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.guard import HELP_OPTIONS, guarded
from planvow.adapters.cli.frame.lazy import Entry, Program
from planvow.adapters.cli.frame.output import print_result

COMMANDS = {
    "See what it does": {
        "demo": Entry("planning.demo", "Tour of everything planvow does, offline."),
        "examples": Entry("start.examples", "Examples that come with the package: list, copy."),
        "init": Entry("start.init", "Make a project of your own that passes its tests at once."),
    },
    "Plan": {
        "plan": Entry("planning.plan", "Find a plan for a Python or an HDDL problem."),
        "replan": Entry("planning.replan", "Plan the rest when a step of a plan failed."),
        "check": Entry("planning.check", "Find mistakes in a domain before it plans."),
        "hddl": Entry("hddl.hddl", "HDDL files as texts: format."),
        "goal": Entry("goals.goal", "Turn a wish into the fewest tool calls."),
        "tools": Entry("tools.tools", "Tool lists from anywhere: import, check, export, plan."),
        "propose": Entry("tools.propose", "What a model suggests, checked, for you to decide."),
        "planners": Entry("contract.planners", "List the installed planners and what they promise."),
        "batch": Entry("doors.batch", "Answer many inputs on many processes or a Ray cluster."),
        "ask": Entry("contract.ask", "Ask one planner for a plan through the contract."),
    },
    "Prove and repeat": {
        "verify": Entry("planning.verify", "Check a plan with code that shares nothing with the planner."),
        "certify-planner": Entry("contract.certify_planner", "Try whether a planner keeps the contract."),
        "diff": Entry("planning.diff", "Say what differs between two plans, certificates or runs."),
        "replay": Entry("contract.replay", "Do it again: exit 0 if it comes out the same, else 1."),
    },
    "Govern and run": {
        "cortex": Entry("governed.cortex", "Sections, symbols and governed plans of a repository."),
        "agent": Entry("agents.agent", "Agents that run tools and survive: run, resume, why."),
        "runs": Entry("agents.runs", "List stored runs, or show one."),
        "cassette": Entry("ledger.cassette", "The ledger: status, workers, proofs."),
    },
    "Other ways in": {
        "serve": Entry("doors.serve", "Serve planning over HTTP."),
        "token": Entry("doors.token", "Tokens for callers of `serve`: create, list, revoke."),
        "mcp": Entry("doors.mcp", "Serve planning to agents over the Model Context Protocol."),
        "up": Entry("doors.up", "Be an engine of unified-planning; its problems as HDDL."),
        "lsp": Entry("doors.lsp", "Serve HDDL to editors over the Language Server Protocol."),
    },
    "Analyse": {
        "debate": Entry("debates.debate", "Take debates apart: claims, arguments, references."),
        "debate-facts": Entry("debates.debate_facts", "Make an offline store of checked facts."),
        "debate-matches": Entry("debates.debate_matches", "Find the same claim in several debates."),
        "debate-train": Entry("debates.debate_train", "Fit the debate weights on your own labels."),
    },
    "Look up": {
        "show": Entry("viewing.show", "Show any plan, certificate, run, bundle, recording or result."),
        "schema": Entry("contract.schema", "Print the JSON Schemas of planvow's documents."),
        "explain-error": Entry("contract.explain_error", "Say what an error code means and what to do."),
    },
}


def _show_version(wanted: bool) -> None:
    if wanted:
        print_result(f"planvow {__version__}")
        raise typer.Exit


def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and exit.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks.")] = False,
) -> None:
    """Plans you can hold an agent to."""


def _full() -> Any:
    from planvow.adapters.cli.frame.groups import lazy_group

    app = typer.Typer(
        cls=lazy_group(COMMANDS),
        help="Plans you can hold an agent to.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings=HELP_OPTIONS,
        epilog="Results go to stdout, everything else to stderr; --json prints exactly one JSON document. Exit codes: "
        "0 done; 1 no plan, verification failed or refused; 2 invalid input or usage; 3 internal.",
    )
    app.callback(invoke_without_command=True)(root)
    return app.full()


app = Program(COMMANDS, _full)


def run() -> None:
    """Entry point of the console script `planvow`."""
    guarded(app)
