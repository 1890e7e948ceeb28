"""unified-planning (extra `[up]`): its hierarchical problems planned, validated, replanned, certified and explained."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planvow._lazy import lazily

if TYPE_CHECKING:  # what type checkers and editors see; at run time `_HOMES` says the same
    from planvow.adapters.unified_planning.engine import PlanvowEngine
    from planvow.adapters.unified_planning.problems.translation import Translation, to_hddl
    from planvow.adapters.unified_planning.proofs import certify, explain, prove_unsolvable
    from planvow.adapters.unified_planning.registering import register
    from planvow.adapters.unified_planning.replanner import PlanvowReplanner

_HOMES = {
    "PlanvowEngine": "engine",
    "certify": "proofs",
    "explain": "proofs",
    "prove_unsolvable": "proofs",
    "register": "registering",
    "PlanvowReplanner": "replanner",
    "Translation": "problems.translation",
    "to_hddl": "problems.translation",
}

__all__ = [
    "PlanvowEngine",
    "PlanvowReplanner",
    "Translation",
    "certify",
    "explain",
    "prove_unsolvable",
    "register",
    "to_hddl",
]


if not TYPE_CHECKING:  # or a checker would take any misspelt name
    __getattr__ = lazily(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
