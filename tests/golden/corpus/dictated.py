"""An analysis whose readings are dictated, so that every choice between readings is made: ties, circles, overlaps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from golden.corpus.case import Case, as_json, shortened
from planvow.debate import DebateResult, Entity, PlannerBudgets, analyse, public_result, read_transcript
from planvow.debate.analysis.facts import FactStore
from planvow.debate.export.formats import export
from planvow.debate.terms.language import (
    ClaimKey,
    ClaimReading,
    RelationReading,
    ScopeReading,
    SentenceReading,
    TurnReading,
)
from planvow.debate.terms.transcript import Transcript

TEXT = b"""[00:01] ANN: Rents rose by 9 percent. We should build, because flats are short. He says "no".
[00:09] BOB: Rents fell. But (coughs) they rose before. Nobody builds here.
00:15 ANN: They build in the north. That is far away.
[applause]
BOB: Far is fine.
"""
# For each turn: the claims as (first words, last words, role).
CLAIMS = (
    (("Rents rose", "percent", "CLAIM"), ("We should", "short", "CLAIM"), ("flats", "short", "PREMISE")),
    (("Rents fell", "fell", "CLAIM"), ("they rose", "before", "CLAIM"), ("Nobody", "here", "PREMISE")),
    (("They build", "north", "CLAIM"), ("That is", "away", "PREMISE")),
    (("Far is", "fine", "CLAIM"),),
)
# Relations as (kind, source, target, confidence): two from one claim, a circle, an attack by a supporter.
RELATIONS = (
    ("SUPPORT", (0, 2), (0, 1), 0.81239), ("SUPPORT", (0, 2), (0, 0), 0.4), ("SUPPORT", (0, 1), (0, 0), 0.6),
    ("REBUTTAL", (1, 0), (0, 0), 0.7), ("REBUTTAL", (1, 0), (0, 1), 0.9), ("SUPPORT", (1, 2), (1, 1), 0.5),
    ("REBUTTAL", (1, 2), (0, 2), 0.45), ("REBUTTAL", (2, 0), (1, 2), 0.8), ("SUPPORT", (2, 1), (2, 0), 0.55),
    ("SUPPORT", (2, 0), (2, 1), 0.94), ("REBUTTAL", (3, 0), (2, 1), 0.66),
)  # fmt: skip


class Dictated:
    """A back-end that says what it was told."""

    name = "dictated"
    version = "1"

    def read(self, transcript: Transcript) -> Iterator[TurnReading]:
        for turn in transcript.turns:
            told = CLAIMS[turn.turn_index] if turn.turn_index < len(CLAIMS) else ()
            claims = []
            for number, (first, last, role) in enumerate(told):
                start = turn.text.index(first)
                end = turn.text.index(last, start) + len(last)
                claims.append(
                    ClaimReading(
                        span=(start, end), sentence_index=0, role=role, claim_type="empirical", confidence=0.71239,
                        reasons=("told",), check_worthiness=0.1 * number + 0.12345,
                        standalone_text=turn.text[start:end],
                    )
                )  # fmt: skip
            relations = tuple(
                RelationReading(kind=kind, source=ClaimKey(*source), target=ClaimKey(*target), confidence=sure)
                for kind, source, target, sure in RELATIONS
                if source[0] == turn.turn_index
            )
            quoted = turn.text.find('"no"')
            scopes = (ScopeReading(span=(quoted, quoted + 4), kind="QUOTE"),) if quoted >= 0 else ()
            yield TurnReading(
                turn_index=turn.turn_index,
                sentences=(SentenceReading(span=(0, len(turn.text))),),
                scopes=scopes,
                claims=tuple(claims),
                relations=relations,
            )


def analysed(**options: Any) -> DebateResult:
    return analyse(read_transcript(TEXT), Dictated(), **options)


def checked() -> str:
    """Facts looked up, one claim too many, and a limit that cuts the rest off: everything made, by name."""
    facts = FactStore.create(":memory:", [{"claim": "Rents rose by 9 percent", "status": "VERIFIED"}])
    results = (
        analysed(fact_checker=facts, max_fact_checks=1),
        analysed(budgets=PlannerBudgets(max_tasks=12)),
    )
    return "\n".join(
        as_json([[type(artifact).__name__, artifact.artifact_id] for artifact in result.artifacts])
        for result in results
    )


def told() -> str:
    """Claims, frames and relations, and the names of everything that was made on the way."""
    result = analysed()
    public = public_result(result)
    parts = [f"{name}\n{as_json(public[name])}" for name in ("turns", "claims", "frames", "relations", "diagnostics")]
    made = [[type(artifact).__name__, artifact.artifact_id] for artifact in result.artifacts]
    scopes = [[scope.scope_id, scope.scope_type.name] for scope in result.scopes]
    return "\n".join([*parts, as_json(made), as_json(scopes)])


def aliases() -> str:
    """An entity known by several names."""
    result = analysed()
    result.entities.append(Entity(canonical="the north", entity_id="x", aliases={"north", "up there", "beyond"}))
    return as_json(public_result(result)["entities"])


CASES = (
    Case("debate/dictated", "debate", told),
    Case("debate/dictated.checked", "debate", checked),
    Case("debate/dictated.html", "debate", lambda: shortened(export(analysed(), "html"))),
    Case("debate/dictated.aliases", "debate", aliases),
)
