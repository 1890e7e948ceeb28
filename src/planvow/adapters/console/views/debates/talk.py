"""A transcript with its claims marked, in the order they were said, for the filters of an address."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from planvow.debate.desk.review import PERSON
from planvow.debate.export.brief import clock
from planvow.debate.export.marking import pieces, places_by_turn
from planvow.debate.terms.taxonomy import ClaimType, Route
from planvow.debate.terms.transcript import Transcript

FILTERS = ("speaker", "type", "route", "find")
_FIELDS = {"speaker": "speaker_key", "type": "claim_type", "route": "route"}
TYPES = tuple(kind.value for kind in ClaimType)
ROUTES = tuple(route.value for route in Route)


@dataclass(frozen=True, kw_only=True)
class Piece:
    """Words of a turn, and the claim they belong to."""

    text: str
    claim_id: str = ""
    kind: str = ""
    tip: str = ""
    begins: bool = False
    is_decided: bool = False


@dataclass(frozen=True, kw_only=True)
class Turn:
    """What somebody said before another one spoke."""

    number: int
    who: str
    time: str
    colour: int
    paragraphs: tuple[tuple[Piece, ...], ...]


@dataclass(frozen=True, kw_only=True)
class Talk:
    """A transcript as the page shows it."""

    turns: tuple[Turn, ...]
    left_out: int
    shown: tuple[Mapping[str, Any], ...]
    """Claims that the filters leave, in the order of the text."""
    counts: Mapping[str, tuple[tuple[str, str, int], ...]]
    """For each filter what can be chosen, as people call it, with the number of claims."""


def talk_view(public: Mapping[str, Any], transcript: Transcript, asked: Mapping[str, str]) -> Talk:
    """Return the turns and claims that fit the filters of an address."""
    claims = sorted(public["claims"], key=lambda claim: (claim["span"], claim["claim_id"]))  # as spoken
    fitting = [claim for claim in claims if _fits(claim, asked)]
    by_turn: dict[int, list[Mapping[str, Any]]] = {}
    for claim in fitting:
        by_turn.setdefault(claim["turn_index"], []).append(claim)
    words = asked.get("find", "").casefold()
    has_choice = any(asked.get(name) for name in _FIELDS)
    wanted = [
        turn
        for turn in transcript.turns
        if (not has_choice or turn.turn_index in by_turn)
        and (not words or _has(words, [turn.text], by_turn.get(turn.turn_index, ())))
    ]
    numbers = {turn.turn_index for turn in wanted}
    shown = [claim for claim in fitting if claim["turn_index"] in numbers]
    places, by_id = places_by_turn(shown, transcript.turns), {claim["claim_id"]: claim for claim in shown}
    colours = {key: number % 6 for number, key in enumerate(dict.fromkeys(t.speaker_key for t in transcript.turns))}
    turns = tuple(
        Turn(
            number=turn.turn_index,
            who="Preamble" if turn.is_preamble else turn.speaker,
            time=clock(turn.start_ms),
            colour=colours[turn.speaker_key],
            paragraphs=_paragraphs(pieces(turn.text, places.get(turn.turn_index, [])), by_id),
        )
        for turn in wanted
    )
    counts = {name: _counts(claims, name, field) for name, field in _FIELDS.items()}
    return Talk(turns=turns, left_out=len(transcript.turns) - len(turns), shown=tuple(shown), counts=counts)


def kind_of(claim: Mapping[str, Any]) -> str:
    """Return the type of a claim as one of the known words."""
    return claim["claim_type"] if claim["claim_type"] in TYPES else ClaimType.UNCLASSIFIED.value


def _fits(claim: Mapping[str, Any], asked: Mapping[str, str]) -> bool:
    return all(not asked.get(name) or str(claim[field]) == asked[name] for name, field in _FIELDS.items())


def _has(words: str, texts: Sequence[str], claims: Iterable[Mapping[str, Any]]) -> bool:
    return any(words in text.casefold() for text in (*texts, *(claim["standalone_text"] for claim in claims)))


def _counts(claims: Sequence[Mapping[str, Any]], name: str, field: str) -> tuple[tuple[str, str, int], ...]:
    words = {str(claim[field]): str(claim[name if name == "speaker" else field]) for claim in reversed(claims)}
    counted = Counter(str(claim[field]) for claim in claims)
    most_first = sorted(counted.items(), key=lambda entry: (-entry[1], entry[0]))
    return tuple((value, words[value].replace("_", " "), count) for value, count in most_first)


def _paragraphs(
    found: Iterable[tuple[str, str | None, bool]], by_id: Mapping[str, Mapping[str, Any]]
) -> tuple[tuple[Piece, ...], ...]:
    lines: list[list[Piece]] = [[]]
    for text, owner, begins in found:
        for number, part in enumerate(text.split("\n")):
            if number:
                lines.append([])
            if part:
                lines[-1].append(_piece(part, None if owner is None else by_id[owner], begins and number == 0))
    return tuple(tuple(line) for line in lines if line)


def _piece(text: str, claim: Mapping[str, Any] | None, begins: bool) -> Piece:
    if claim is None:
        return Piece(text=text)
    kind = kind_of(claim)
    return Piece(
        text=text,
        claim_id=claim["claim_id"],
        kind=kind,
        tip=f"{kind}, {claim['route'].replace('_', ' ')}",
        begins=begins,
        is_decided=PERSON in claim["reasons"],
    )
