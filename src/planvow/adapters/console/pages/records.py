"""Pages about the ledger: the list of runs, one run, and the components themselves."""

from __future__ import annotations

from fastapi import Request

from planvow.adapters.console.frame.reading import read_run, read_runs
from planvow.adapters.console.pages.desk import Answer, Console, Shown
from planvow.adapters.console.views.run import run_view
from planvow.adapters.console.views.runs import SINCE, STATES, WORDS, runs_view
from planvow.adapters.console.views.samples import samples
from planvow.cassette.errors import NoLedgerError
from planvow.errors import InputError

_FILTERS = ("state", "find", "planner", "since", "before")


async def runs(console: Console, request: Request) -> Answer:
    """List runs, with filters that stand in the address."""
    asked = {name: request.query_params.get(name, "") for name in _FILTERS}
    common = {"asked": asked, "words": WORDS, "states": STATES, "since": SINCE}
    try:
        view = await console.look(lambda ledger: runs_view(read_runs(ledger, asked["before"] or None), **asked))
    except NoLedgerError:
        return Shown(template="runs.html", values={"view": None, **common})
    return Shown(template="runs.html", values={"view": view, **common})


async def run(console: Console, request: Request) -> Answer:
    """Show one run."""
    run_id = request.query_params.get("id", "")
    if not run_id:
        raise InputError("which run?", place="id", hint="the list of runs has them")
    view = await console.look(lambda ledger: run_view(read_run(ledger, run_id)))
    return Shown(template="run.html", values={"view": view, "words": WORDS})


async def design(console: Console, request: Request) -> Answer:
    """Show every component with what it is for."""
    return Shown(template="design.html", values={"samples": samples(), "words": WORDS})
