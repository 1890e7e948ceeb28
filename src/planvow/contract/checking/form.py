"""The form of a plan certificate of version 2: which fields, which types. Shared by every checker.

A triple is `[predicate, subject, value]`; `[predicate, subject]` says that there is no value. A node is an item of the
agenda or of a decomposition; what was said about an item's time and helpers is `told` with it. Times are whole ticks.
There are two kinds of certificates: of a **derivation**, which shows how a plan came out of a domain, and of a
**contract** plan, which shows the steps any planner gave against the tools there are.
"""

from __future__ import annotations

from typing import Any

from planvow.contract.checking.shapes import Exactly, ListOf, MapOf, OrNull, Plain, Row, Shape, Word
from planvow.verdict import Fault

FORMAT = "certificate/2"
DERIVATION, CONTRACT = "derivation", "contract"
KINDS = ("command", "goal", "multigoal", "sequence", "task")
ORDERINGS = ("sequential", "causal", "concurrent")
MAX_ROWS = 1_000_000
"""How many nodes or steps are looked at; a checker ends in bounded time whatever it is given."""

ANYTHING, TEXT, WHOLE = Plain(), Plain((str,)), Plain((int,))
YES_OR_NO = Plain((bool,))
LIMIT = Plain((int, type(None)))
TRIPLE = Row((TEXT, ANYTHING, ANYTHING), 2, "[predicate, subject, value], or [predicate, subject] for an absent value")
TRIPLES = ListOf(TRIPLE)
WORDS = ListOf(TEXT)
BOUNDS = Row((WHOLE, LIMIT), 2, "[shortest, longest]; null: as long as you like")
RELATION = Row(
    (TEXT, ANYTHING, ANYTHING, LIMIT, LIMIT),
    5,
    "[kind, a, b, lo, hi]; a side is a place, a name, an item, or null",
)
TOLD = Exactly(
    {},
    "What was said about an item's time and helpers.",
    optional={
        "duration": BOUNDS,
        "start_time": WHOLE,
        "end_time": WHOLE,
        "not_before": WHOLE,
        "deadline": WHOLE,
        "relations": ListOf(RELATION),
        "entities": ListOf(Plain((dict,))),
    },
)
ITEM = Exactly({"item": ANYTHING, "told": TOLD}, "An item of the agenda.")
CALL = Exactly(
    {"method": TEXT, "ordinal": WHOLE, "relations": ListOf(RELATION), "reads": TRIPLES, "scans": WORDS},
    "The call of a method; what it returned are the node's children and these relations.",
)
NODE = Exactly(
    {
        "id": WHOLE,
        "kind": Word(KINDS),
        "item": ANYTHING,
        "told": TOLD,
        "call": OrNull(CALL),
        "children": ListOf(WHOLE, "The nodes it became, in order."),
        "span": OrNull(Row((WHOLE, WHOLE), 2, "[start, end]")),
    },
    "An item of the agenda or of a decomposition.",
)
DURATION = Exactly({"ticks": OrNull(BOUNDS), "reads": TRIPLES, "scans": WORDS}, "As the domain gives it for this call.")
STEP = Exactly(
    {
        "node": WHOLE,
        "command": ListOf(ANYTHING, "Its name and its arguments."),
        "reads": TRIPLES,
        "scans": WORDS,
        "writes": TRIPLES,
        "duration": OrNull(DURATION),
        "entities": WORDS,
        "start": LIMIT,
        "end": LIMIT,
    },
    "One command, with what it read and wrote, and when.",
)
ENTITY = Exactly(
    {"entity_id": TEXT, "type": TEXT, "capabilities": WORDS},
    "Someone or something that commands need.",
    optional={"capacity": WHOLE, "is_consumable": YES_OR_NO},
)
PAST = Exactly(
    {
        "now": WHOLE,
        "points": MapOf(WHOLE, "When what was done before began and ended."),
        "rows": ListOf(Row((TEXT, TEXT, LIMIT, LIMIT, TEXT), 5, "[from, to, lo, hi, name]"), "What was promised."),
    },
    "What a repaired plan continues.",
)
_MOMENT = MapOf(Word(("start", "end")))
MOMENTS = Exactly({"conditions": _MOMENT, "effects": _MOMENT}, "Predicate by predicate.")
TIME = Exactly(
    {
        "ordering": Word(ORDERINGS),
        "start_time": WHOLE,
        "horizon": LIMIT,
        "entities": ListOf(ENTITY),
        "past": OrNull(PAST),
    },
    "How the plan is timed.",
)
ASKED = Exactly(
    {
        "agenda": ListOf(ITEM),
        "state": Exactly({"root": TEXT, "size": WHOLE}, "The root hash over all initial facts, and how many they are."),
        "budgets": MapOf(LIMIT, "Limits; null is none."),
        "selection": TEXT,
        "scores": OrNull(TEXT),
        "blacklist": ListOf(ANYTHING),
        "capabilities": OrNull(WORDS),
        "optimal": OrNull(TEXT),
        "lower_bound": OrNull(TEXT),
        "loop_guard": TEXT,
        "propagators": WORDS,
        "ignored_predicates": MapOf(WORDS, "By command: predicates whose reads and writes order nothing."),
        "moments": MapOf(MOMENTS, "By command: what it reads or writes at its start or its end only."),
        "ordered": ListOf(TEXT, "Commands beside which nothing runs."),
        "time": OrNull(TIME),
    },
    "What was asked: everything that decided the plan beside the domain and the planner.",
)
PLANNER = Exactly({"id": TEXT, "version": TEXT}, "Who planned.")
DOMAIN = Exactly({"name": TEXT, "source": TEXT}, "Its name, and the hash of its source files or `unknown`.")
PROOF = Exactly(
    {
        "places": ListOf(LIMIT, "Where each initial fact stands in the tree; null for one that is absent."),
        "beside": ListOf(Row((WHOLE, TRIPLE), 2, "[place, triple]"), "Neighbours that show the gaps."),
        "hashes": ListOf(TEXT, "The rest of the tree."),
    },
    "That the initial facts belong to the state with the root hash.",
)
CERTIFICATE = Exactly(
    {
        "format": Word((FORMAT,)),
        "kind": Word((DERIVATION,)),
        "planner": PLANNER,
        "domain": DOMAIN,
        "asked": ASKED,
        "inputs_hash": TEXT,
        "status": Word(("solved", "satisfied")),
        "initial": TRIPLES,
        "proof": PROOF,
        "root": ListOf(WHOLE, "The nodes of the agenda."),
        "nodes": ListOf(NODE, "The decomposition."),
        "steps": ListOf(STEP, "The commands in order."),
        "hash": TEXT,
    },
    "A plan that can be checked without the planner: `planvow verify FILE`.",
)
CONTRACT_STEP = Exactly(
    {
        "step_id": TEXT,
        "skill": TEXT,
        "params": Plain((dict,)),
        "depends_on": WORDS,
        "on_error": Word(("abort", "continue", "retry")),
        "retry_count": WHOLE,
        "output_key": TEXT,
    },
    "One call of a tool.",
    optional={"requires": WORDS, "effects": WORDS, "produces": OrNull(Plain((dict,)))},
)
CONTRACT_CERTIFICATE = Exactly(
    {
        "format": Word((FORMAT,)),
        "kind": Word((CONTRACT,)),
        "planner": Exactly({"id": TEXT, "version": TEXT, "determinism": TEXT}, "Who planned.", {"model": TEXT}),
        "asked": Exactly(
            {
                "agent_id": TEXT,
                "goal": TEXT,
                "context_summary": OrNull(TEXT),
                "memory_snippets": ListOf(Plain((dict,))),
                "tool_manifest": OrNull(ListOf(Plain((dict,)))),
                "extra": Plain((dict,)),
            },
            "The request, as every planner is given it.",
        ),
        "inputs_hash": TEXT,
        "budgets": MapOf(LIMIT, "Limits; null is none."),
        "status": TEXT,
        "steps": ListOf(CONTRACT_STEP),
        "derivation": OrNull(Plain((dict,))),
        "hash": TEXT,
    },
    "A plan of any planner, with the tools it may use.",
)
_SHAPES: dict[str, Shape] = {DERIVATION: CERTIFICATE, CONTRACT: CONTRACT_CERTIFICATE}


def well_formed(document: Any) -> Fault | None:
    """Return what is wrong with the form of a certificate of version 2, or None."""
    if not isinstance(document, dict):
        return _fault("$", "a certificate is a JSON object")
    if document.get("format") != FORMAT:
        return _fault("$.format", f"expected {FORMAT!r}, found {document.get('format')!r:.60}")
    kind = document.get("kind")
    if not isinstance(kind, str) or kind not in _SHAPES:
        return _fault("$.kind", f"expected {DERIVATION!r} or {CONTRACT!r}, found {kind!r:.60}")
    for name in ("nodes", "steps", "initial"):
        rows = document.get(name)
        if isinstance(rows, list) and len(rows) > MAX_ROWS:
            return _fault(f"$.{name}", f"{len(rows)} rows; a checker looks at no more than {MAX_ROWS}")
    misfit = _SHAPES[kind].misfit(document)
    return None if misfit is None else _fault(f"${misfit[0]}", misfit[1])


def _fault(place: str, message: str) -> Fault:
    return Fault(condition="form", place=place, message=message)
