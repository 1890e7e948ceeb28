"""Which entity does what: requirements matched to distinct entities with the capabilities they ask for.

Seed 001, section 5.1 (entity constraints). One entity never fills two requirements of one item, and the
assignments are tried in the order of entity ids, so every run finds the same one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeGuard

from planvow.errors import InputError

MAX_ASSIGNMENTS = 64
"""How many assignments are compared; enough for any sensible item, and a bound for silly ones."""


def capability_set(written: object, place: str) -> frozenset[str]:
    """Return capabilities as a set; a single text would be taken for its letters and is refused."""
    if isinstance(written, str) or not isinstance(written, Iterable):
        hint = f"write [{written!r}] for a single one" if isinstance(written, str) else "write a list of names"
        raise InputError(f"capabilities are a list of names, got {written!r:.60}", place=place, hint=hint)
    return frozenset(written)


@dataclass(frozen=True, kw_only=True)
class Entity:
    """Someone or something that items can require: an oven, a courier, a robot with a gripper."""

    entity_id: str
    type: str
    capabilities: frozenset[str] = frozenset()
    capacity: int = 1
    """How much of it can be used at a time; of what is consumed, how much there is."""
    is_consumable: bool = False
    """What was used is gone, instead of being free again afterwards."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "capabilities", capability_set(self.capabilities, f"entity {self.entity_id}"))
        if not _is_amount(self.capacity):
            place = f"entity {self.entity_id}"
            raise InputError(f"a capacity is a whole number of at least 1, got {self.capacity!r:.60}", place=place)


@dataclass(frozen=True, kw_only=True)
class Requirement:
    """What an item needs: an entity of this type, or this very one, with at least these capabilities, so much of it."""

    type: str | None = None
    capabilities: frozenset[str] = frozenset()
    entity_id: str | None = None
    amount: int = 1

    def fits(self, entity: Entity) -> bool:
        return (
            self.type in (None, entity.type)
            and self.entity_id in (None, entity.entity_id)
            and self.capabilities <= entity.capabilities
            and self.amount <= entity.capacity
        )

    def __str__(self) -> str:
        able = f" with {', '.join(sorted(self.capabilities))}" if self.capabilities else ""
        much = f"{self.amount} of " if self.amount != 1 else ""
        if self.entity_id is not None:
            return f"{much}{self.entity_id}{able}"
        kind = self.type or ""
        return f"{much}{'an' if kind[:1].lower() in 'aeiou' else 'a'} {kind}{able}"


def read_entities(written: object) -> tuple[Entity, ...]:
    """Return the entities there are; raise InputError for anything else, and for two with one id."""
    hint = "write entities=(Entity(entity_id='oven1', type='oven'),)"
    if isinstance(written, Entity | str) or not isinstance(written, Iterable):
        raise InputError(f"entities are a list of Entity, got {written!r:.60}", place="entities", hint=hint)
    found: dict[str, Entity] = {}
    for entity in written:
        if not isinstance(entity, Entity):
            raise InputError(f"entities are a list of Entity, got {entity!r:.60} in it", place="entities", hint=hint)
        if entity.entity_id in found:
            raise InputError(f"two entities are called {entity.entity_id!r}", place="entities")
        found[entity.entity_id] = entity
    return tuple(found.values())


def read_requirements(written: Iterable[object]) -> tuple[Requirement, ...]:
    """Read requirements as `attach_metadata` holds them: `{"type": …, "capabilities": […], "amount": …}`.

    `{"entity_id": …}` asks for a particular entity.
    """
    found = []
    for row in written:
        if isinstance(row, Requirement):
            found.append(row)
            continue
        if not _is_requirement(row):
            raise InputError(
                f"an entity constraint is {{'type': …, 'capabilities': […]}}, got {row!r}",
                place="entity_constraints",
                hint="or {'entity_id': …} for a particular one; 'amount' says how much of it, 1 at least",
            )
        needed = capability_set(row.get("capabilities") or (), "entity_constraints")
        told = {key: row[key] for key in ("type", "entity_id", "amount") if key in row}
        found.append(Requirement(capabilities=needed, **told))
    return tuple(found)


def _is_requirement(row: object) -> TypeGuard[Mapping[str, Any]]:
    if not isinstance(row, Mapping) or set(row) - {"type", "capabilities", "entity_id", "amount"}:
        return False
    named = [row[key] for key in ("type", "entity_id") if key in row]
    return bool(named) and all(isinstance(name, str) for name in named) and _is_amount(row.get("amount", 1))


def _is_amount(written: object) -> bool:
    return isinstance(written, int) and not isinstance(written, bool) and written >= 1


def assignments(requirements: tuple[Requirement, ...], entities: Iterable[Entity]) -> Iterator[tuple[Entity, ...]]:
    """Yield ways to fill every requirement with a distinct entity, by entity id, at most `MAX_ASSIGNMENTS` of them."""
    ordered = sorted(entities, key=lambda entity: entity.entity_id)
    return islice(_fill(requirements, ordered, ()), MAX_ASSIGNMENTS)


def _fill(
    requirements: tuple[Requirement, ...], entities: list[Entity], taken: tuple[Entity, ...]
) -> Iterator[tuple[Entity, ...]]:
    if len(taken) == len(requirements):
        yield taken
        return
    for entity in entities:
        if entity not in taken and requirements[len(taken)].fits(entity):
            yield from _fill(requirements, entities, (*taken, entity))
