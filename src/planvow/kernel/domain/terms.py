"""What an agenda is made of: tasks and commands, goals, multigoals, and items with metadata.

Tasks and commands are plain tuples `("travel", "alice", "park")`. A `Goal` is one triple that must hold, and is equal
to its tuple. A `MultiGoal` is a set of them that must hold together, written like a small state. Lists are taken for
tuples and dictionaries `{predicate: {subject: value}}` for multigoals, so an agenda can come from JSON. A list of
items (seed 001, section 2.3: "a sequence of tasks") stands for its items, in order.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from planvow.errors import InputError
from planvow.kernel.world.values import FrozenDict, freeze

Bare: TypeAlias = "tuple[Any, ...] | MultiGoal"
"""An item without metadata. Goals and checks are tuples too."""
Item: TypeAlias = "Bare | Annotated"
"""One agenda entry in its plain form. What users write may also be a list, a dictionary or a name: `normal_item` takes
anything and returns an item."""


class Goal(NamedTuple):
    """One triple that must hold: `Goal("pos", "a", "table")`.

    >>> goal = Goal("at", "ann", "park")
    >>> goal.predicate, goal.value
    ('at', 'park')
    """

    predicate: str
    subject: Hashable
    value: Any


_MULTIGOAL = "write MultiGoal(pos={'a': 'table'})"


class MultiGoal:
    """Triples that must hold together. `goal.pos["a"]` reads like a state; equality is by content.

    >>> both = MultiGoal(at={"ann": "park", "bob": "park"})
    >>> both.at["bob"]
    'park'
    """

    __slots__ = ("__dict__", "_key", "_tag")
    _key: int
    _tag: str | None

    def __init__(
        self, conditions: Mapping[str, object] | None = None, *, tag: str | None = None, **more: object
    ) -> None:
        if conditions is not None and not isinstance(conditions, Mapping):
            raise InputError(f"a multigoal is made from a dictionary, got {conditions!r:.60}", hint=_MULTIGOAL)
        for predicate, subjects in {**(conditions or {}), **more}.items():
            if not isinstance(subjects, Mapping):
                raise InputError(
                    f"a multigoal maps subjects to values below each predicate; {predicate!r} holds {subjects!r}",
                    hint=_MULTIGOAL,
                )
            self.__dict__[predicate] = freeze(subjects)
        object.__setattr__(self, "_tag", tag)
        object.__setattr__(self, "_key", hash((FrozenDict(self.__dict__), tag)))

    @property
    def goal_tag(self) -> str | None:
        """The tag that lets a multigoal method recognise its goals."""
        return self._tag

    def goals(self) -> Iterator[Goal]:
        """Yield the single goals, by predicate and subject in the order they were written."""
        for predicate, subjects in self.__dict__.items():
            for subject, value in subjects.items():
                yield Goal(predicate, subject, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise InputError("a MultiGoal cannot be changed; make a new one", place=name)

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, MultiGoal) and self.__dict__ == other.__dict__ and self._tag == other._tag
        )

    def __hash__(self) -> int:
        return self._key

    def __deepcopy__(self, _: object) -> MultiGoal:
        return self

    def __reduce__(self) -> tuple[Callable[..., MultiGoal], tuple[object, ...]]:
        return _multigoal, (dict(self.__dict__), self._tag)

    def __repr__(self) -> str:
        tag = f", tag={self._tag!r}" if self._tag else ""
        return f"MultiGoal({dict(self.__dict__)!r}{tag})"


def _multigoal(conditions: dict[str, object], tag: str | None) -> MultiGoal:
    return MultiGoal(conditions, tag=tag)


class Check(NamedTuple):
    """The item search adds after a goal's or multigoal's decomposition: look whether it holds now."""

    goal: Goal | MultiGoal

    @property
    def goals(self) -> list[Goal]:
        return list(self.goal.goals()) if isinstance(self.goal, MultiGoal) else [self.goal]


@dataclass(frozen=True)
class Annotated:
    """An item with metadata: times, relations and required entities that propagators read (seed 001, section 5.1).

    >>> attach_metadata(("walk", "ann", "park"), {"duration": "PT5M"}).item
    ('walk', 'ann', 'park')
    """

    item: Item
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.item, freeze(self.metadata)))


def goals_of(item: Bare) -> list[Goal]:
    """Return the single goals that a goal, a multigoal or the check of one stands for."""
    if isinstance(item, Check):
        return item.goals
    return list(item.goals()) if isinstance(item, MultiGoal) else [Goal(*item)]


def attach_metadata(
    item: object,
    temporal_constraints: Mapping[str, object] | None = None,
    entity_constraints: Mapping[str, object] | Sequence[object] | None = None,
) -> Annotated:
    """Wrap an item with temporal and entity constraints; wrapping again merges, the later word winning.

    >>> attach_metadata(("walk", "ann", "park"), {"deadline": "PT1H"}, {"type": "guide"}).metadata
    {'temporal': {'deadline': 'PT1H'}, 'entity': [{'type': 'guide'}]}
    """
    inner, before = (item.item, dict(item.metadata)) if isinstance(item, Annotated) else (item, {})
    for place, written, kinds in (
        ("temporal_constraints", temporal_constraints, (Mapping,)),
        ("entity_constraints", entity_constraints, (Mapping, list, tuple)),
    ):
        if written is not None and not isinstance(written, kinds):
            raise InputError(f"expected a dictionary, got {written!r:.60}", place=place)
    if temporal_constraints:
        before["temporal"] = {**before.get("temporal", {}), **temporal_constraints}
    if entity_constraints:
        listed = [entity_constraints] if isinstance(entity_constraints, Mapping) else list(entity_constraints)
        before["entity"] = [*before.get("entity", []), *listed]
    return Annotated(normal_item(inner), freeze(before))


def normal_item(item: object) -> Item:
    """Return an item in its plain form: lists as tuples, dictionaries as multigoals, sequences item by item."""
    if isinstance(item, MultiGoal | Annotated):
        return item
    if isinstance(item, Goal):
        return Goal(*map(freeze, item))
    if isinstance(item, Check):
        return Check(item.goal if isinstance(item.goal, MultiGoal) else Goal(*map(freeze, item.goal)))
    if isinstance(item, str):
        return (item,)
    if isinstance(item, Mapping):
        return MultiGoal(item)
    if not isinstance(item, list | tuple):
        raise InputError(
            f"{item!r} is not an agenda item", hint="an item is a tuple such as ('travel', 'alice', 'park')"
        )
    if is_sequence(item):
        return tuple(normal_item(part) for part in item)
    return tuple(freeze(part) for part in item)


def bare_item(item: object) -> Any:
    """Return an item in its plain form, without what was said about its time and helpers."""
    return normal_item(item.item if isinstance(item, Annotated) else item)


def is_sequence(item: object) -> bool:
    """Say whether an item is a list of items rather than one: its first part is not a name."""
    return bool(item) and isinstance(item, list | tuple) and not isinstance(item[0], str)


def item_json(item: object) -> Any:
    """Return an item as JSON data: what certificates, traces and `--json` show."""
    if isinstance(item, Check):
        return {"check": item_json(item.goal)}
    if isinstance(item, MultiGoal):
        conditions = [[g.predicate, _plain(g.subject), _plain(g.value)] for g in item.goals()]
        return {"multigoal": conditions, **({"tag": item.goal_tag} if item.goal_tag else {})}
    if isinstance(item, Goal):
        return {"goal": [_plain(part) for part in item]}
    if isinstance(item, Annotated):
        return {"item": item_json(item.item), "metadata": _plain(item.metadata)}
    return _plain(item)


def item_text(item: Item) -> str:
    """Return an item as people write it: `travel(alice, park)`, `pos[a] = table`."""
    if isinstance(item, Check):
        return f"check {item_text(item.goal)}"
    if isinstance(item, MultiGoal):
        return " and ".join(item_text(goal) for goal in item.goals()) or "nothing"
    if isinstance(item, Goal):
        return f"{item.predicate}[{_word(item.subject)}] = {_word(item.value)}"
    if isinstance(item, Annotated):
        return item_text(item.item)
    if is_sequence(item):
        return ", then ".join(item_text(part) for part in item)
    if not isinstance(item, list | tuple):  # no item at all, and whoever reports that has to name it
        return repr(item)
    return f"{item[0]}({', '.join(_word(arg) for arg in item[1:])})" if item else "nothing"


def _word(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, MultiGoal | Goal):
        return item_text(value)
    return written(value)


def written(value: object) -> str:
    """Return what `repr` does, with the members of sets sorted: texts are the same in every process."""
    if isinstance(value, set | frozenset):
        return f"{{{', '.join(sorted(map(written, value)))}}}" if value else "set()"
    if type(value) is tuple:
        return f"({', '.join(map(written, value))}{',' if len(value) == 1 else ''})"
    if type(value) is list:
        return f"[{', '.join(map(written, value))}]"
    if type(value) is dict:
        return f"{{{', '.join(f'{written(key)}: {written(part)}' for key, part in value.items())}}}"
    return repr(value)


def _plain(value: object) -> object:
    """Return a value as JSON data; what has no JSON form becomes its text, sets become sorted lists."""
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, MultiGoal):
        return item_json(value)
    if isinstance(value, Mapping):
        return {key if isinstance(key, str) else repr(key): _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if isinstance(value, set | frozenset):
        return sorted((_plain(part) for part in value), key=repr)  # sets have no order of their own
    return str(value)
