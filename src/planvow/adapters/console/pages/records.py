"""Pages about the ledger: the list of runs, one run, and the components themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import Request

from planvow.adapters.console.frame.reading import read_run, read_runs
from planvow.adapters.console.pages.desk import Answer, Console, Shown
from planvow.adapters.console.views.run import run_view
from planvow.adapters.console.views.runs import SINCE, STATES, WORDS, RunsView, lines_of, runs_view
from planvow.adapters.console.views.samples import samples
from planvow.cassette.errors import NoLedgerError
from planvow.cassette.operate.look import mark_of
from planvow.contract.planners.registry import default_registry
from planvow.errors import InputError

_FILTERS = ("state", "find", "planner", "since", "before")
_ENOUGH, _MOST_LOOKS = 50, 20
"""Runs that a page has where there are so many, and how often it looks for more of them."""


async def runs(console: Console, request: Request) -> Answer:
    """List runs, with filters that stand in the address; the database looks for those that fit."""
    asked = {name: request.query_params.get(name, "")[:200] for name in _FILTERS}
    common = {"asked": asked, "words": WORDS, "states": STATES, "since": SINCE}
    try:
        view = await console.look(lambda ledger: listed(ledger, asked))
    except NoLedgerError:
        return Shown(template="runs.html", values={"view": None, **common})
    return Shown(template="runs.html", values={"view": view, **common})


def listed(ledger: Any, given: Mapping[str, str]) -> RunsView:
    """Return the list of runs for the filters of an address."""
    asked = {name: given.get(name, "") for name in _FILTERS}
    mark = mark_of(ledger)
    since = SINCE.get(asked["since"])
    filters: dict[str, Any] = {name: asked[name] for name in ("find", "planner")}
    filters["since"] = None if since is None else ledger.now_ms() - since
    newest = read_runs(ledger, None, **filters)
    state = asked["state"] if asked["state"] in STATES else ""
    is_newest = not (state or asked["before"])
    pages = [newest if is_newest else read_runs(ledger, asked["before"] or None, state=state, **filters)]
    found = len(lines_of(pages[0], state))
    while pages[-1].older and found < _ENOUGH and len(pages) < _MOST_LOOKS:
        pages.append(read_runs(ledger, pages[-1].older, state=state, **filters))
        found += len(lines_of(pages[-1], state))
    planners = {*default_registry().ids(), *(line.planner for line in lines_of(newest)), asked["planner"]} - {""}
    return runs_view(pages, newest, sorted(planners), {**asked, "state": state}, mark)


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
