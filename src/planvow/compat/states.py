"""States and multigoals as the peers have them: open objects with a name, whatever is put into them.

A state is frozen when planning starts and opened again when it comes back. What functions are given in between is a
draft of the kernel's, which counts as an instance of `State` here too, for functions that ask.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from planvow.kernel.domain.terms import Goal, MultiGoal
from planvow.kernel.world import state as kernel
from planvow.kernel.world.values import FrozenDict, freeze, thaw

NAME = "__name__"


def say(text: str = "") -> None:
    """Print, as the peers do; there is one place for it."""
    sys.stdout.write(f"{text}\n")


class _Counted:
    """Numbers for the names of copies."""

    def __init__(self) -> None:
        self._next = 0

    def name_after(self, name: str) -> str:
        stem, _, number = name.rpartition("_copy_")
        self._next += 1
        return f"{stem if stem and number.isdigit() else name}_copy_{self._next - 1}"


class _IsAnyState(type):
    def __instancecheck__(cls, thing: Any) -> bool:
        return super().__instancecheck__(thing) or isinstance(thing, kernel.State)


_states, _multigoals = _Counted(), _Counted()


class State(metaclass=_IsAnyState):
    """A state under construction: `State('s'); s.loc = {'a': 'home'}`."""

    def __init__(self, state_name: str, **variables: Any) -> None:
        vars(self).update({NAME: state_name, **variables})

    def copy(self, new_name: str | None = None) -> State:
        """Return a deep copy, under the name given or with a number after the old one."""
        copied = copy.deepcopy(self)
        vars(copied)[NAME] = new_name or _states.name_after(vars(self)[NAME])
        return copied

    def display(self, heading: str | None = None) -> None:
        """Print the variables with their values."""
        show(self, heading)

    def state_vars(self) -> list[str]:
        """Return the names of the variables."""
        return list(variables(self))

    def __str__(self) -> str:
        return f"<State {vars(self)[NAME]}>"

    def update(self, other: Any) -> State:
        """Take over the variables of another state."""
        vars(self).update(variables(other))
        return self

    def __repr__(self) -> str:
        return f"State({vars(self)[NAME]!r}, {', '.join(f'{k}={v}' for k, v in variables(self).items())})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and variables(self) == variables(other)

    __hash__ = None  # type: ignore[assignment]


class PlannedState(kernel.State):
    """What functions are given while planning: a state of the kernel that can be shown as the peers do."""

    __slots__ = ()

    def display(self, heading: str | None = None) -> None:
        show(self, heading)

    def state_vars(self) -> list[str]:
        return list(vars(self))


PlannedState._copied_as = PlannedState


def planned(state: Any) -> kernel.State:
    """Return a state as the kernel plans from it."""
    if isinstance(state, kernel.State):
        return state
    return PlannedState(variables(state), name=vars(state)[NAME])


def opened(state: kernel.State) -> State:
    """Return a state of the kernel as an open one."""
    copied = State(state.__name__)
    for predicate, held in vars(state).items():
        is_table = isinstance(held, dict)
        vars(copied)[predicate] = {k: thaw(v) for k, v in held.items()} if is_table else thaw(held)
    return copied


class Multigoal(MultiGoal):
    """Values that variables shall have together: `g = Multigoal('g'); g.loc = {'a': 'park'}`. Open until it is used."""

    __slots__ = ("_is_sealed", "_name")
    _is_sealed: bool
    _name: str

    def __init__(self, multigoal_name: str, goal_tag: str | None = None, **variables: Any) -> None:
        for slot, value in (("_name", multigoal_name), ("_tag", goal_tag), ("_is_sealed", False)):
            object.__setattr__(self, slot, value)
        vars(self).update(variables)

    @property
    def __name__(self) -> str:
        return self._name

    def sealed(self) -> Multigoal:
        """Return this goal as one that does not change any more."""
        if self._is_sealed:
            return self
        goal = Multigoal(self._name, self._tag, **{p: freeze(held) for p, held in vars(self).items()})
        object.__setattr__(goal, "_key", hash((FrozenDict(vars(goal)), self._tag)))
        object.__setattr__(goal, "_is_sealed", True)
        return goal

    def goals(self) -> Iterator[Goal]:
        for predicate, subjects in vars(self).items():
            for subject, value in subjects.items():
                yield Goal(predicate, subject, value)

    def copy(self, new_name: str | None = None) -> Multigoal:
        """Return an open copy, under the name given or with a number after the old one."""
        content = {p: thaw(freeze(held)) for p, held in vars(self).items()}
        return Multigoal(new_name or _multigoals.name_after(self._name), self._tag, **content)

    def display(self, heading: str | None = None) -> None:
        """Print the variables with the values they shall have."""
        show(self, heading)

    def state_vars(self) -> list[str]:
        return list(vars(self))

    def __setattr__(self, name: str, value: Any) -> None:
        if name == NAME:
            object.__setattr__(self, "_name", value)
        elif self._is_sealed:
            super().__setattr__(name, value)  # says that it cannot be changed
        else:
            vars(self)[name] = value

    def __hash__(self) -> int:
        return self._key if self._is_sealed else self.sealed()._key

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other)

    def __deepcopy__(self, _: Any) -> Multigoal:
        return self if self._is_sealed else self.copy(self._name)

    def __reduce__(self) -> Any:
        return _multigoal, (self._name, self._tag, dict(vars(self)), self._is_sealed)

    def __str__(self) -> str:
        return f"<Multigoal {self._name}>"

    def __repr__(self) -> str:
        return f"Multigoal({self._name!r}, {', '.join(f'{k}={v}' for k, v in vars(self).items())})"


def _multigoal(name: str, tag: str | None, content: Mapping[str, Any], is_sealed: bool) -> Multigoal:
    goal = Multigoal(name, tag, **content)
    return goal.sealed() if is_sealed else goal


def sealed_item(item: Any) -> Any:
    """Return an agenda item in which no multigoal changes any more."""
    if isinstance(item, Multigoal):
        return item.sealed()
    if isinstance(item, list | tuple):
        return tuple(sealed_item(part) if isinstance(part, Multigoal) else part for part in item)
    return item


def split_multigoal(state: Any, multigoal: Any) -> list[Any]:
    """Reach what a multigoal asks for and is not the case, one after the other as written, then look at it again."""
    todo = [tuple(goal) for goal in multigoal.goals() if not _holds(state, goal)]
    return [*todo, multigoal] if todo else []


def _holds(state: Any, goal: Goal) -> bool:
    held = vars(state).get(goal.predicate, {})
    return goal.subject in held and held[goal.subject] == goal.value


def variables(thing: Any) -> dict[str, Any]:
    """Return the variables of a state or multigoal, whichever kind it is."""
    return {name: value for name, value in vars(thing).items() if name != NAME}


def show(thing: Any, heading: str | None = None) -> None:
    """Print a state or multigoal."""
    title = f"{type(thing).__name__ if heading is None else heading} {thing.__name__}:"
    say(f"{title}\n{'-' * len(title)}")
    for name, value in variables(thing).items():
        say(f"  - {name} = {value}")
    say()
