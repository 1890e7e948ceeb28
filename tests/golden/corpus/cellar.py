"""A cellar in which all things come in twos, so that what is told about them has an order: its certificate, forged."""

from __future__ import annotations

import json
from collections.abc import Callable

from golden.corpus.case import Case, as_json
from golden.corpus.proofs import Document, plain, said, sealed
from planvow import Domain, State, canonical_bytes, make_problem
from planvow.contract.certificate.asked import request_of
from planvow.contract.checking.check import check_certificate
from planvow.kernel import Problem, solve
from planvow.kernel.time.timing import Timing

cellar = Domain("cellar")


@cellar.command(duration="PT2S", ordered=True)
def fill(state, cask):
    state.wine[cask], state.beer[cask] = "full", "full"
    return state


@cellar.command(duration="PT1S", ordered=True)
def empty(state, cask):
    state.wine[cask], state.beer[cask] = state.wine[cask] + "?", state.beer[cask] + "?"
    return state


@cellar.command(duration="PT1S")
def drink(state, cask):
    state.drunk[cask] = state.wine[cask], state.beer[cask]
    state.wine[cask], state.beer[cask] = "gone", "gone"
    return state


@cellar.method(task="clear")
def look_round(state):
    casks = [cask for cask in (*state.beer, *state.wine) if cask not in state.drunk]
    free = [cask for cask in ("z", "y") if state.wine.get(cask) is None and state.beer.get(cask) is None]
    return [("fill", free[0]), ("drink", free[0]), ("empty", casks[0])]


def problem(*todo: tuple[str, ...]) -> Problem:
    state = State(wine={"b": "old", "a": "new"}, beer={"b": "old", "a": "new"}, drunk={})
    return make_problem(cellar, state, list(todo) or [("clear",)], propagators=[Timing()])


def at_once(document: Document) -> None:
    for step in document["steps"]:
        step["start"], step["end"] = 0, step["end"] - step["start"]


def without(wanted: Callable[[list[object]], bool]) -> Callable[[Document], None]:
    """Return a change: facts that are no longer initial ones, and only prove where the others stand."""

    def change(document: Document) -> None:
        proof = document["proof"]
        rows = list(zip(document["initial"], proof["places"], strict=True))
        moved = [row for row in rows if row[1] is not None and wanted(row[0])]
        kept = [row for row in rows if row not in moved]
        proof["beside"] += [[place, triple] for triple, place in moved]
        document["initial"], proof["places"] = [triple for triple, _ in kept], [place for _, place in kept]

    return change


FORGERIES: dict[str, Callable[[Document], None]] = {
    "at once": at_once,
    "no tables": without(lambda triple: triple[0] == "#table"),
    "not all": without(lambda triple: triple[1] == "a"),
}


def forged() -> str:
    true = json.loads(json.dumps(solve(problem()).certificate().document))
    rows = {"true": said(check_certificate(true))}
    for name, change in FORGERIES.items():
        rows[name] = said(check_certificate(sealed(true, change)))
    twice = json.loads(json.dumps(solve(problem(("fill", "z"), ("fill", "z"))).certificate().document))
    rows["written at once"] = said(check_certificate(sealed(twice, at_once)))
    return as_json(rows)


def certificate() -> bytes:
    return canonical_bytes(sealed(plain(solve(problem()).certificate().document), lambda document: None))


CASES = (
    Case("cellar/request", "certificate", lambda: canonical_bytes(plain(request_of(problem())))),
    Case("cellar/certificate", "certificate", certificate),
    Case("cellar/forged", "certificate", forged),
)
