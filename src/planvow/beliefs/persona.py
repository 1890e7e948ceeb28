"""An agent as the planner sees it: what it can do, and what it holds to be true.

A persona is a value. Its kind is not stored but follows from its capabilities: any of the human ones makes it human,
any of the machine ones makes it an AI, both a hybrid, neither is basic; `movable` says nothing about that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from planvow.errors import InputError
from planvow.kernel.domain.entities import capability_set

MOVABLE = "movable"
HUMAN_CAPABILITIES = frozenset({MOVABLE, "inventory", "craft", "mine", "build", "interact"})
"""What a persona made by `Persona.human` can do."""
AI_CAPABILITIES = frozenset({MOVABLE, "compute", "optimize", "predict", "learn", "navigate"})
"""What a persona made by `Persona.ai` can do."""

Key = tuple[Any, str]  # subject, predicate


@dataclass(frozen=True, kw_only=True)
class Belief:
    """What a persona holds of one triple: the value, how sure it is (0 to 1), since which tick, and from whom.

    >>> Belief(value="home", confidence=0.8, source="bob").value
    'home'
    """

    value: Any
    confidence: float = 1.0
    timestamp: int = 0
    source: str = ""

    def __post_init__(self) -> None:
        if isinstance(self.confidence, bool) or not 0.0 <= self.confidence <= 1.0:
            raise InputError(f"confidence lies between 0 and 1, not {self.confidence!r}", place="confidence")


@dataclass(frozen=True, kw_only=True)
class Persona:
    """An agent with capabilities and beliefs of its own.

    >>> Persona(persona_id="ann", capabilities=HUMAN_CAPABILITIES).active
    True
    """

    persona_id: str
    name: str = ""
    active: bool = True
    capabilities: frozenset[str] = frozenset()
    beliefs: Mapping[Key, Belief] = field(default_factory=dict)
    sensed: frozenset[Any] = frozenset()
    """Subjects this persona has seen with its own senses: of these it also knows the public facts."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "capabilities", capability_set(self.capabilities, f"persona {self.persona_id}"))
        object.__setattr__(self, "beliefs", MappingProxyType(dict(self.beliefs)))

    @property
    def kind(self) -> str:
        """`human`, `ai`, `hybrid` or `basic`, by its capabilities."""
        human = bool(self.capabilities & (HUMAN_CAPABILITIES - {MOVABLE}))
        machine = bool(self.capabilities & (AI_CAPABILITIES - {MOVABLE}))
        return {(True, True): "hybrid", (True, False): "human", (False, True): "ai"}.get((human, machine), "basic")

    @classmethod
    def basic(cls, persona_id: str, **more: Any) -> Persona:
        """An agent that can only move."""
        return cls(**_more_able(more, frozenset({MOVABLE})), persona_id=persona_id)

    @classmethod
    def human(cls, persona_id: str, **more: Any) -> Persona:
        """An agent with the human capabilities of seed 001."""
        return cls(**_more_able(more, HUMAN_CAPABILITIES), persona_id=persona_id)

    @classmethod
    def ai(cls, persona_id: str, **more: Any) -> Persona:
        """An agent with the AI capabilities of seed 001."""
        return cls(**_more_able(more, AI_CAPABILITIES), persona_id=persona_id)

    @classmethod
    def hybrid(cls, persona_id: str, **more: Any) -> Persona:
        """An agent with both sets, such as a cyborg."""
        return cls(**_more_able(more, HUMAN_CAPABILITIES | AI_CAPABILITIES), persona_id=persona_id)

    def lacks(self, required: Iterable[str]) -> tuple[str, ...]:
        """Return which of the required capabilities are missing, in alphabetical order."""
        return tuple(sorted(set(required) - self.capabilities))

    def believes(self, subject: Any, predicate: str) -> Belief | None:
        """Return what this persona holds of a triple, or None."""
        return self.beliefs.get((subject, predicate))

    def believing(self, subject: Any, predicate: str, belief: Belief | None) -> Persona:
        """Return the persona with one belief set, or dropped when None is given."""
        beliefs = dict(self.beliefs)
        if belief is None:
            beliefs.pop((subject, predicate), None)
        else:
            beliefs[subject, predicate] = belief
        return replace(self, beliefs=beliefs)

    def sensing(self, *subjects: Any) -> Persona:
        """Return the persona having seen these subjects."""
        return replace(self, sensed=self.sensed | frozenset(subjects))


def _more_able(more: dict[str, Any], own: frozenset[str]) -> dict[str, Any]:
    """Return a persona's fields with the capabilities of its kind; those named besides are added to them."""
    return {**more, "capabilities": own | capability_set(more.get("capabilities", ()), "capabilities")}
