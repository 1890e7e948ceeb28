"""Kinds of claims and where each kind goes.

A claim nobody could place is UNCLASSIFIED and goes to people; it is never taken for a fact. Only EMPIRICAL claims go to
fact-checking (seed 000, section 13).
"""

from __future__ import annotations

from enum import Enum, StrEnum

REVIEW_BELOW = 0.60  # spec/000: a type held with less confidence is looked at by a person


class ClaimType(Enum):
    """What kind of statement a claim is.

    >>> ClaimType.EMPIRICAL.value
    'empirical'
    """

    EMPIRICAL = "empirical"
    METHODOLOGICAL = "methodological"
    NORMATIVE = "normative"
    CONCEPTUAL = "conceptual"
    INTROSPECTIVE = "introspective"
    PREDICTIVE = "predictive"
    PHILOSOPHICAL = "philosophical"
    UNCLASSIFIED = "unclassified"


class Route(StrEnum):
    """Where a claim goes from here.

    >>> route_of(ClaimType.NORMATIVE)
    <Route.FILTERED: 'filtered'>
    """

    FACT_CHECK = "fact_check"
    LOGIC_CHECK = "logic_check"
    PREDICTION_TRACKER = "prediction_tracker"
    REVIEW_QUEUE = "review_queue"
    FILTERED = "filtered"


_ROUTES = {
    ClaimType.EMPIRICAL: Route.FACT_CHECK,
    ClaimType.METHODOLOGICAL: Route.LOGIC_CHECK,
    ClaimType.PREDICTIVE: Route.PREDICTION_TRACKER,
    ClaimType.UNCLASSIFIED: Route.REVIEW_QUEUE,
}


def route_of(claim_type: ClaimType) -> Route:
    """Return where claims of a type go.

    >>> route_of(ClaimType.EMPIRICAL)
    <Route.FACT_CHECK: 'fact_check'>
    """
    return _ROUTES.get(claim_type, Route.FILTERED)


def requires_review(claim_type: ClaimType, confidence: float) -> bool:
    """Say whether a person should look at the type of a claim.

    >>> requires_review(ClaimType.UNCLASSIFIED, 0.2)
    True
    """
    return claim_type is ClaimType.UNCLASSIFIED or confidence < REVIEW_BELOW


def claim_type_named(name: str) -> ClaimType:
    """Return the type with this name in any case; anything unknown is UNCLASSIFIED."""
    try:
        return ClaimType(name.strip().lower())
    except ValueError:
        return ClaimType.UNCLASSIFIED
