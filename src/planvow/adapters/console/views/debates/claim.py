"""One claim with everything that is known of it, what can be decided about it, and what was."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from planvow.adapters.console.views.debates.talk import kind_of
from planvow.adapters.console.views.texts import cut
from planvow.debate.desk.decisions import Decision
from planvow.debate.desk.review import PERSON
from planvow.debate.export.brief import clock
from planvow.debate.terms.transcript import Transcript

MOST_OTHERS = 400
"""Claims that another one can be linked to: the nearest ones."""
_WORDS = {
    ("SUPPORT", True): "supports",
    ("SUPPORT", False): "is supported by",
    ("REBUTTAL", True): "attacks",
    ("REBUTTAL", False): "is attacked by",
}


@dataclass(frozen=True, kw_only=True)
class Other:
    """A claim that another one can be linked to or merged with."""

    claim_id: str
    span: str
    text: str
    speaker: str


@dataclass(frozen=True, kw_only=True)
class Relation:
    """How a claim stands to another, as told from this one."""

    words: str
    kind: str
    other: Other
    confidence: int
    reasons: tuple[str, ...]
    source: str
    """The place from which it goes, for decisions."""
    target: str


@dataclass(frozen=True, kw_only=True)
class ClaimView:
    """Everything about one claim."""

    claim: Mapping[str, Any]
    kind: str
    span: str
    time: str
    is_decided: bool
    worth: int
    sure: int
    references: tuple[Mapping[str, Any], ...]
    checks: tuple[Mapping[str, Any], ...]
    relations: tuple[Relation, ...]
    possible: tuple[Relation, ...]
    cuts: tuple[tuple[str, str], ...]
    """Where it can be split: the two places as written in forms, and the words on both sides."""
    merges: tuple[Other, ...]
    others: tuple[Other, ...]
    before: str
    after: str
    """The claims around it in the text."""


@dataclass(frozen=True, kw_only=True)
class Decided:
    """A decision as people read it."""

    number: int
    what: str
    text: str
    more: str
    claim_id: str
    """The claim that stands there now, empty for one that is gone."""


def claim_view(public: Mapping[str, Any], shown: Sequence[Mapping[str, Any]], claim_id: str) -> ClaimView | None:
    """Return one claim, None where there is none; before and after it stand claims that are shown."""
    claims = sorted(public["claims"], key=lambda claim: (claim["span"], claim["claim_id"]))  # as spoken
    by_id = {claim["claim_id"]: claim for claim in claims}
    claim = by_id.get(claim_id)
    if claim is None:
        return None
    start, end = claim["span"]
    place = claims.index(claim)
    order = [one["claim_id"] for one in shown]
    at = order.index(claim_id) if claim_id in order else None
    return ClaimView(
        claim=claim,
        kind=kind_of(claim),
        span=span_text(claim["span"]),
        time=clock(claim["start_ms"]),
        is_decided=PERSON in claim["reasons"],
        worth=_percent(claim["check_worthiness"]),
        sure=_percent(claim["confidence"]),
        references=tuple(r for r in public["resolutions"] if start <= r["span"][0] and r["span"][1] <= end),
        checks=tuple(check for check in public["fact_checks"] if check["claim_id"] == claim_id),
        relations=_relations(public["relations"], claim_id, by_id),
        possible=_relations(public["possible_relations"], claim_id, by_id),
        cuts=_cuts(claim),
        merges=tuple(
            _other(one)
            for one in claims[max(0, place - 1) : place + 2]
            if one is not claim and one["turn_index"] == claim["turn_index"]
        ),
        others=tuple(_other(one) for one in _nearest(claims, place) if one is not claim),
        before=order[at - 1] if at else "",
        after=order[at + 1] if at is not None and at + 1 < len(order) else "",
    )


def decisions_view(decisions: Iterable[Decision], claims: Iterable[Mapping[str, Any]], text: str) -> list[Decided]:
    """Return the decisions of a review in the order they were taken."""
    now = {tuple(claim["span"]): claim["claim_id"] for claim in claims}
    return [
        Decided(
            number=number,
            what=_what(decision),
            text=cut(decision.text),
            more=" · ".join(cut(text[slice(*span)], 80) for span in decision.spans),
            claim_id=now.get(decision.span, ""),
        )
        for number, decision in enumerate(decisions, start=1)
    ]


def decision_of(form: Mapping[str, str], transcript: Transcript) -> dict[str, Any]:
    """Return the decision that a form asks for, as a review file writes it; if it fits is not asked here."""
    span = _read_span(form.get("span", ""))
    action = form.get("action", "")
    row: dict[str, Any] = {"action": action, "span": span, "text": transcript.text[slice(*(span or [0, 0]))]}
    if action in ("accept", "type"):
        row["claim_type"] = form.get("claim_type", "")
    if action == "link":
        row["relation"] = form.get("relation", "")
    if action in ("split", "link", "unlink"):
        row["spans"] = [_read_span(part) for part in form.get("spans", "").split()]
    if action == "merge":
        row["spans"] = sorted([span or [], *(_read_span(part) or [] for part in form.get("spans", "").split())])
    return row


def span_text(span: Sequence[int]) -> str:
    """Return a place as forms carry it."""
    return f"{span[0]}-{span[1]}"


def _read_span(text: str) -> list[int] | None:
    found = re.fullmatch(r"([0-9]{1,9})-([0-9]{1,9})", text.strip())
    return None if found is None else [int(found[1]), int(found[2])]


def _percent(share: float) -> int:
    return round(100 * share)


def _other(claim: Mapping[str, Any]) -> Other:
    return Other(
        claim_id=claim["claim_id"],
        span=span_text(claim["span"]),
        text=cut(claim["clean_text"], 110),
        speaker=claim["speaker"] or "",
    )


def _nearest(claims: Sequence[Mapping[str, Any]], place: int) -> Sequence[Mapping[str, Any]]:
    first = max(0, min(place - MOST_OTHERS // 2, len(claims) - MOST_OTHERS - 1))
    return claims[first : first + MOST_OTHERS + 1]


def _relations(
    found: Iterable[Mapping[str, Any]], claim_id: str, by_id: Mapping[str, Mapping[str, Any]]
) -> tuple[Relation, ...]:
    told = []
    for relation in found:
        ends = (relation["source"], relation["target"])
        if claim_id not in ends or not all(end in by_id for end in ends):  # a reviewer may have taken one away
            continue
        goes_out = relation["source"] == claim_id
        other = by_id[ends[1] if goes_out else ends[0]]
        told.append(
            Relation(
                words=_WORDS.get((relation["type"], goes_out), str(relation["type"]).lower()),
                kind=relation["type"],
                other=_other(other),
                confidence=_percent(relation["confidence"]),
                reasons=tuple(relation["reasons"]),
                source=span_text(by_id[ends[0]]["span"]),
                target=span_text(by_id[ends[1]]["span"]),
            )
        )
    return tuple(sorted(told, key=lambda one: -one.confidence))  # then as in the analysis


def _cuts(claim: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    start, end = claim["span"]
    words = list(re.finditer(r"\S+", claim["text"]))
    return tuple(
        (
            f"{start}-{start + left.end()} {start + right.start()}-{end}",
            f"… {' '.join(w[0] for w in words[max(0, at - 2) : at + 1])} | "
            f"{' '.join(w[0] for w in words[at + 1 : at + 4])} …",
        )
        for at, (left, right) in enumerate(pairwise(words))
    )


def _what(decision: Decision) -> str:
    match decision.action:
        case "accept":
            return "accepted"
        case "reject":
            return "rejected"
        case "type":
            return f"type: {decision.claim_type}"
        case "link":
            return "supports" if decision.relation == "SUPPORT" else "attacks"
        case "unlink":
            return "not linked to"
    return "split" if decision.action == "split" else "merged"
