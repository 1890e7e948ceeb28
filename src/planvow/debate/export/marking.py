"""Words of a turn with the claims that own them: what every page with a marked transcript is made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from planvow.debate.terms.transcript import SpeakerTurn

Place = tuple[int, int, str]
"""Where a claim stands in the words of its turn, and its id."""


def places_by_turn(claims: Sequence[Mapping[str, Any]], turns: Sequence[SpeakerTurn]) -> dict[int, list[Place]]:
    """Return where claims stand, by the number of their turn."""
    found: dict[int, list[Place]] = {}
    for claim in claims:
        number = claim["turn_index"]
        if number is not None:
            local = turns[number].local_span(claim["runs"][0][0], claim["runs"][-1][1])
            found.setdefault(number, []).append((*local, claim["claim_id"]))
    return found


def pieces(text: str, claims: Sequence[Place]) -> Iterator[tuple[str, str | None, bool]]:
    """Yield words, the claim that owns them, and whether it begins there; of several the shortest owns them."""
    edges = sorted({0, len(text), *(e for start, end, _ in claims for e in (start, end))})  # reading order
    waiting = sorted(claims, reverse=True)  # the next one to begin is last
    open_claims: list[Place] = []
    for start, end in pairwise(edges):
        open_claims = [claim for claim in open_claims if claim[1] > start]
        while waiting and waiting[-1][0] <= start:
            open_claims.append(waiting.pop())
        words = text[start:end]
        if not open_claims or not words.strip():
            yield words, None, False
            continue
        began, _, owner = min(open_claims, key=lambda claim: (claim[1] - claim[0], claim[2]))
        yield words, owner, began == start
