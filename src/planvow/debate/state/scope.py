"""Scopes: whose words these are, and what is in mind while they are said."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from planvow.debate.terms.transcript import Span
from planvow.kernel.perform.journal import Journaled

MAX_SALIENT = 50


class ScopeType(StrEnum):
    """What kind of stretch a scope is. Words in a QUOTE or HYPOTHETICAL are not asserted by the speaker."""

    TURN = "TURN"
    ARGUMENT = "ARGUMENT"
    SUPPORT = "SUPPORT"
    REBUTTAL = "REBUTTAL"
    QUOTE = "QUOTE"
    HYPOTHETICAL = "HYPOTHETICAL"


@dataclass(frozen=True, kw_only=True)
class Scope:
    """A stretch of talk with one owner."""

    scope_id: str
    scope_type: ScopeType
    span: Span
    speaker: str | None = None
    parent_id: str | None = None


@dataclass(kw_only=True)
class SalienceFrame(Journaled):
    """Entity ids, most recently mentioned first."""

    entity_ids: list[str] = field(default_factory=list)

    def boost(self, entity_id: str) -> None:
        """Bring an entity to the front."""
        if entity_id in self.entity_ids:
            if self.entity_ids[0] == entity_id:
                return
            self.entity_ids.remove(entity_id)
        self.entity_ids.insert(0, entity_id)
        if len(self.entity_ids) > MAX_SALIENT:
            self.entity_ids.pop()

    def absorb(self, inner: SalienceFrame) -> None:
        """Take over what was salient in a scope that closes: it stays in mind."""
        recent = list(inner.entity_ids)
        older = [known for known in self.entity_ids if known not in recent]
        self.entity_ids = [*recent, *older][:MAX_SALIENT]
