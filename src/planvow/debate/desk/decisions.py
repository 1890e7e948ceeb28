"""The review file: one JSON document, written by the report's review mode and the console, read by every later run.

```json
{"format": "planvow-debate-review/1", "transcript_id": "transcript_…", "decisions": [
  {"action": "type", "span": [10, 40], "text": "…", "claim_type": "normative"}]}
```
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from planvow.debate.errors import ReviewError
from planvow.debate.terms.taxonomy import ClaimType
from planvow.debate.terms.transcript import Span

FORMAT = "planvow-debate-review/1"
ACTIONS = {"accept": 0, "reject": 0, "type": 0, "split": 2, "merge": 2, "link": 1, "unlink": 1}
"""What can be decided, and how many other places each names."""
RELATIONS = ("SUPPORT", "REBUTTAL")
_VERDICTS = ("accept", "reject", "type")
"""Of these the last one about a place counts."""


@dataclass(frozen=True, kw_only=True)
class Decision:
    """One thing a person decided about the claim at a place."""

    action: str
    span: Span
    text: str
    """The words at the place, so that a review of another version is noticed."""
    claim_type: str = ""
    """The type as accepted or corrected."""
    relation: str = ""
    spans: tuple[Span, ...] = ()
    """The two parts of a split, the claims that are merged, or the other end of a relation."""


@dataclass(frozen=True, kw_only=True)
class Review:
    """All decisions about one transcript, in the order they were taken."""

    transcript_id: str
    decisions: tuple[Decision, ...]


def is_review(document: Any) -> bool:
    """Say whether a JSON document is a review."""
    return isinstance(document, dict) and document.get("format") == FORMAT


def read_review(text: str) -> Review:
    """Read a review file; raise ReviewError with the number of the decision that is wrong."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ReviewError(f"not JSON: {error}") from None
    if not is_review(document):
        raise ReviewError(f"the format is not {FORMAT!r}")
    decisions, named = document.get("decisions"), document.get("transcript_id")
    if not isinstance(decisions, list) or not isinstance(named, str):
        raise ReviewError("a review has a transcript_id and a list of decisions")
    return Review(
        transcript_id=named,
        decisions=tuple(_decision(row, f"decision {number}") for number, row in enumerate(decisions, start=1)),
    )


def write_review(review: Review) -> str:
    """Return the review file; reading it gives the same review."""
    rows = []
    for decision in review.decisions:
        row: dict[str, Any] = {"action": decision.action, "span": list(decision.span), "text": decision.text}
        if decision.claim_type:
            row["claim_type"] = decision.claim_type
        if decision.relation:
            row["relation"] = decision.relation
        if decision.spans:
            row["spans"] = [list(span) for span in decision.spans]
        rows.append(row)
    document = {"format": FORMAT, "transcript_id": review.transcript_id, "decisions": rows}
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def decided(review: Review, decision: Decision) -> Review:
    """Return a review with one decision more; a new verdict on a place replaces the one before."""
    kept = review.decisions
    if decision.action in _VERDICTS:
        kept = tuple(d for d in kept if d.action not in _VERDICTS or d.span != decision.span)
    return replace(review, decisions=(*kept, decision))


def taken_back(review: Review, number: int) -> Review:
    """Return a review without the decision of a number, counted from one."""
    if not 1 <= number <= len(review.decisions):
        raise ReviewError(f"there is no decision {number}", hint=f"there are {len(review.decisions)}")
    return replace(review, decisions=review.decisions[: number - 1] + review.decisions[number:])


def _decision(row: Any, place: str) -> Decision:
    if not isinstance(row, dict) or row.get("action") not in ACTIONS:
        raise ReviewError(f"the action is none of {', '.join(ACTIONS)}", place=place)
    action, text = row["action"], row.get("text")
    if not isinstance(text, str) or not text.strip():
        raise ReviewError("a decision has the words it is about", place=place)
    spans = row.get("spans", [])
    if not isinstance(spans, list) or len(spans) < ACTIONS[action]:
        raise ReviewError(f"{action} names {ACTIONS[action]} other places", place=place)
    claim_type, relation = str(row.get("claim_type", "")), str(row.get("relation", ""))
    if claim_type not in ("", *(kind.value for kind in ClaimType)) or (action == "type" and not claim_type):
        raise ReviewError(f"unknown type {claim_type!r}", place=place)
    if action == "link" and relation not in RELATIONS:
        raise ReviewError(f"a link is one of {', '.join(RELATIONS)}", place=place)
    return Decision(
        action=action,
        span=_span(row.get("span"), place),
        text=text,
        claim_type=claim_type,
        relation=relation,
        spans=tuple(_span(span, place) for span in spans),
    )


def _span(value: Any, place: str) -> Span:
    if (
        not isinstance(value, list)
        or len(value) != 2
        or not all(isinstance(end, int) and not isinstance(end, bool) for end in value)
        or not 0 <= value[0] < value[1]
    ):
        raise ReviewError(f"not a place: {value!r}", place=place, hint="two numbers, start and end")
    return value[0], value[1]
