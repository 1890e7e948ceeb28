"""People, studies, concepts and claims that are talked about."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from planvow.debate.terms.transcript import Span
from planvow.kernel.perform.journal import Journaled


class EntityType(StrEnum):
    """What an entity is."""

    PERSON = "PERSON"
    STUDY = "STUDY"
    CONCEPT = "CONCEPT"
    CLAIM = "CLAIM"
    UNKNOWN = "UNKNOWN"


@dataclass(kw_only=True)
class Entity(Journaled):
    """Something that is talked about, under one canonical name.

    >>> Entity(canonical="the mayor", aliases={"she"}).canonical
    'the mayor'
    """

    canonical: str
    entity_type: EntityType = EntityType.UNKNOWN
    entity_id: str = ""
    """Set when the entity is registered: the hash of its canonical name."""
    aliases: set[str] = field(default_factory=set)
    first_mention_span: Span | None = None
    introducing_speaker: str | None = None
    mention_spans: list[Span] = field(default_factory=list)

    def matches(self, name: str) -> bool:
        """Say whether a name means this entity: equal to its canonical name or an alias, case aside."""
        folded = name.casefold()
        return folded == self.canonical.casefold() or any(folded == alias.casefold() for alias in self.aliases)


@dataclass(frozen=True, kw_only=True)
class EntityMention:
    """One place where an entity is named."""

    entity_id: str
    span: Span
    surface_form: str
    scope_id: str | None = None
