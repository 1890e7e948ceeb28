"""The values of a dossier: what is stored with a plan, what of it is private, and where a person must agree."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field, fields
from typing import Any

from planvow.cassette.ledger.model import StoredPlan, check_name
from planvow.errors import InputError, expect


@dataclass(frozen=True, kw_only=True)
class Erased:
    """Stands where something private was that has been erased."""

    by: str
    reason: str
    at: int


@dataclass(frozen=True, kw_only=True)
class StateDocument:
    """A state as it is stored, made once and used for many plans (`state_document`).

    `facts` are canonical JSON texts in order, without those of private predicates, which are in `apart`.
    """

    facts: tuple[str, ...]
    text: str
    sha256: str
    apart: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Dossier:
    """What a plan was made from and why it is as it is. Every part is JSON data; None stands for nothing said.

    `state` is a list of facts, either `{"predicate": …, "subject": …, "object": …}` (as
    `State.get_triples_as_array()` gives them) or `[predicate, subject, value]`, or a `StateDocument`, or any other JSON
    data, which is then stored as it is. A part that was erased reads as `Erased`.
    """

    asked: Any = None
    state: Any = None
    domain: Any = None
    certificate: Any = None
    decisions: Any = None
    options: Any = None


PARTS = tuple(part.name for part in fields(Dossier))


@dataclass(frozen=True, kw_only=True)
class Privacy:
    """What is kept apart: facts by predicate, arguments by operation and name, outputs by operation."""

    predicates: Set[str] = frozenset()
    arguments: Mapping[str, Set[str]] = field(default_factory=dict)
    outputs: Set[str] = frozenset()

    def __post_init__(self) -> None:
        for names in (self.predicates, self.outputs, *self.arguments.values()):
            expect(names, Set, "what is private", "a set of names")
            for name in names:
                check_name("a private name", name)

    def __bool__(self) -> bool:
        return bool(self.predicates or self.outputs or any(self.arguments.values()))

    def as_json(self) -> dict[str, Any]:
        """Return the declaration as it is stored."""
        return {
            "predicates": sorted(self.predicates),
            "arguments": {op: sorted(names) for op, names in self.arguments.items() if names},
            "outputs": sorted(self.outputs),
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Privacy:
        """Return a declaration from what was stored."""
        return cls(
            predicates=frozenset(stored.get("predicates", ())),
            arguments={op: frozenset(names) for op, names in stored.get("arguments", {}).items()},
            outputs=frozenset(stored.get("outputs", ())),
        )


NOTHING_PRIVATE = Privacy()


@dataclass(frozen=True, kw_only=True)
class Needs:
    """Where a person must agree before something runs: reasons for the whole plan, by step id, and by operation.

    `policy` looks at the plan and returns further needs, or None: what it costs, which paths it touches, which amounts
    it moves. It runs when the plan is posted; what it said is stored.
    """

    plan: str | None = None
    steps: Mapping[str, str] = field(default_factory=dict)
    operations: Mapping[str, str] = field(default_factory=dict)
    policy: Callable[[StoredPlan], Needs | None] | None = None

    def of(self, plan: StoredPlan) -> dict[str | None, str]:
        """Return the reasons by step id, None standing for the plan as a whole."""
        known = {step.step_id for step in plan.steps}
        found: dict[str | None, str] = {}
        if self.plan is not None:
            found[None] = _reason(self.plan)
        for step in plan.steps:
            reasons = [self.operations.get(step.op), self.steps.get(step.step_id)]
            said = "; ".join(_reason(reason) for reason in reasons if reason is not None)
            if said:
                found[step.step_id] = said
        unknown = sorted(set(self.steps) - known)
        if unknown:
            raise InputError(f"step {unknown[0]!r} is to be approved, but the plan has no such step")
        more = None if self.policy is None else self.policy(plan)
        if more is not None:
            for place, reason in more.of(plan).items():
                found[place] = f"{found[place]}; {reason}" if place in found else reason
        return found if plan.steps else {}


NEEDS_NOBODY = Needs()


def _reason(text: str) -> str:
    expect(text, str, "the reason for an approval", "text")
    if not text.strip():
        raise InputError("the reason for an approval is a text that says something")
    return text
