"""What the engines take, in unified-planning's words. A feature stands here when a test shows that it is handled."""

from __future__ import annotations

from typing import Any

from unified_planning.model import ProblemKind

VERSION = 2
"""The version of the features: 2 is the first without words for numbers that 1 had, and every later one reads it."""

FEATURES = (
    "HIERARCHICAL",
    "METHOD_PRECONDITIONS",
    "TASK_NETWORK_CONSTRAINTS",
    "INITIAL_TASK_NETWORK_VARIABLES",
    "TASK_ORDER_TOTAL",
    "TASK_ORDER_PARTIAL",
    "FLAT_TYPING",
    "HIERARCHICAL_TYPING",
    "OBJECT_FLUENTS",
    "NEGATIVE_CONDITIONS",
    "DISJUNCTIVE_CONDITIONS",
    "EQUALITIES",
    "EXISTENTIAL_CONDITIONS",
    "UNIVERSAL_CONDITIONS",
    "CONDITIONAL_EFFECTS",
    "FORALL_EFFECTS",
    "STATIC_FLUENTS_IN_BOOLEAN_ASSIGNMENTS",
    "STATIC_FLUENTS_IN_OBJECT_ASSIGNMENTS",
    "FLUENTS_IN_BOOLEAN_ASSIGNMENTS",
    "FLUENTS_IN_OBJECT_ASSIGNMENTS",
    "ACTIONS_COST",
    "INT_NUMBERS_IN_ACTIONS_COST",
    "PLAN_LENGTH",
)


def supported_kind() -> Any:
    """Return the kind of problem that every engine of planvow takes."""
    return ProblemKind(set(FEATURES), version=VERSION)
