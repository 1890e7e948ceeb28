"""Which entity does what: requirements matched to distinct entities with the capabilities they ask for.

Seed 001, section 5.1 (entity constraints). One entity never fills two requirements of one item, and the
assignments are tried in the order of entity ids, so every run finds the same one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from planvow.errors import InputError

MAX_ASSIGNMENTS = 64
"""How many assignments are compared; enough for any sensible item, and a bound for silly ones."""


@dataclass(frozen=True, kw_only=True)
class Entity:
    """Someone or something that items can require: an oven, a courier, a robot with a gripper."""

    entity_id: str
    type: str
    capabilities: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        object.__setattr__(self, "capabilities", frozenset(self.capabilities))


@dataclass(frozen=True, kw_only=True)
class Requirement:
    """What an item needs: an entity of this type with at least these capabilities."""

    type: str
    capabilities: frozenset[str] = frozenset()

    def fits(self, entity: Entity) -> bool:
        return entity.type == self.type and self.capabilities <= entity.capabilities

    def __str__(self) -> str:
        able = f" that can {', '.join(sorted(self.capabilities))}" if self.capabilities else ""
        return f"a {self.type}{able}"


def read_requirements(written: Iterable[Any]) -> tuple[Requirement, ...]:
    """Read requirements as `attach_metadata` holds them: `{"type": …, "capabilities": […]}`."""
    found = []
    for row in written:
        if isinstance(row, Requirement):
            found.append(row)
            continue
        if not isinstance(row, Mapping) or not isinstance(row.get("type"), str) or set(row) - {"type", "capabilities"}:
            raise InputError(
                f"an entity constraint is {{'type': …, 'capabilities': […]}}, got {row!r}", place="entity_constraints"
            )
        found.append(Requirement(type=row["type"], capabilities=frozenset(row.get("capabilities") or ())))
    return tuple(found)


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
