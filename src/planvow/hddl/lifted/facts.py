"""The state of the lifted search: facts numbered on first sight, an integer bit set, and indexes for joins.

A fact gets a number (its bit) when something first asks for it: an action that needs or changes it, a task that
must find it. The state is one integer over these bits, so preconditions are two `&` operations, a set of visited
states is exact, and facts nobody touches cost nothing. Beside it stands one table per predicate, and for every
pattern of bound positions that a join asks for an index from the bound objects to the free ones. Tables and indexes are
insertion-ordered dictionaries, so the order of bindings does not depend on hashing.

Invariant: for every numbered fluent fact, its bit is set exactly when it is in its table and in all its indexes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from planvow.hddl.lifted.normal import NormalProblem
from planvow.hddl.lifted.schema import bits

Key: TypeAlias = Any
"""How tables are keyed: `()` for no object, the object itself for one, a tuple for several."""

Atom: TypeAlias = tuple[int, tuple[int, ...]]


def key_of(objects: Iterable[int]) -> Key:
    """Return the key of some objects."""
    found = tuple(objects)
    return found[0] if len(found) == 1 else found


class Facts:
    """The current state of a problem, changed by `flip`."""

    def __init__(self, problem: NormalProblem) -> None:
        self.problem = problem
        self.state = 0
        self.initial = 0
        """The numbered facts that hold initially. `state ^ initial` names a state whatever is numbered later."""
        self.atoms: list[Atom] = []
        self.numbers: dict[Atom, int] = {}
        self.newest = [-1] * len(problem.predicates)
        """By predicate: the highest number of its facts."""
        self.tables: list[dict[Key, None]] = [dict.fromkeys(map(key_of, facts)) for facts in problem.init]
        self.columns: dict[tuple[int, ...], int] = {}
        """(predicate,) → its facts; (predicate, position, object) → its facts with the object there; as bit sets."""
        self._wide: list[dict[tuple[int, int], int]] = [{} for _ in problem.predicates]
        """By predicate: (position, objects) → its facts with one of these objects there, for sets asked about."""
        self._indexes: list[dict[tuple[int, ...], dict[Key, Any]]] = [{} for _ in problem.predicates]
        self._places: list[list[tuple[dict[Key, Any], Key, Key]]] = []

    def holds(self, predicate: int, objects: tuple[int, ...]) -> bool:
        """Whether an atom is true in the current state."""
        return key_of(objects) in self.tables[predicate]

    def number(self, predicate: int, objects: tuple[int, ...]) -> int:
        """Return the number of a fluent fact, giving it one if it has none."""
        atom = (predicate, objects)
        found = self.numbers.get(atom)
        if found is not None:
            return found
        number = self.numbers[atom] = self.newest[predicate] = len(self.atoms)
        self.atoms.append(atom)
        bit = 1 << number
        if self.holds(predicate, objects):  # never flipped before, so true or false from the beginning
            self.state |= bit
            self.initial |= bit
        columns = self.columns
        for column in ((predicate,), *((predicate, position, o) for position, o in enumerate(objects))):
            columns[column] = columns.get(column, 0) | bit
        wide = self._wide[predicate]
        for position, objects_there in wide:
            if objects_there >> objects[position] & 1:
                wide[position, objects_there] |= bit
        indexes = self._indexes[predicate]
        self._places.append([(index, *_split(objects, bound)) for bound, index in indexes.items()])
        return number

    def flip(self, number: int) -> None:
        """Change the truth of a numbered fact, in the state, its table and its indexes."""
        bit = 1 << number
        predicate, objects = self.atoms[number]
        key = objects[0] if len(objects) == 1 else objects
        if self.state & bit:
            del self.tables[predicate][key]
            for index, bound, free in self._places[number]:
                del index[bound][free]
        else:
            self.tables[predicate][key] = None
            for index, bound, free in self._places[number]:
                group = index.get(bound)
                if group is None:
                    index[bound] = {free: None}
                else:
                    group[free] = None
        self.state ^= bit

    def move_to(self, key: int) -> None:
        """Make the state with this `state ^ initial` the current one."""
        difference = self.state ^ self.initial ^ key
        while difference:
            low = difference & -difference
            self.flip(low.bit_length() - 1)
            difference ^= low

    def index(self, predicate: int, bound: tuple[int, ...]) -> dict[Key, Any]:
        """Return the index of a predicate by some positions: key of the bound objects → keys of the free ones.

        For a rigid predicate the groups are tuples; for a fluent one they are dictionaries kept up to date.
        """
        indexes = self._indexes[predicate]
        if bound in indexes:
            return indexes[bound]
        index: dict[Key, Any] = {}
        is_single = self.problem.arities[predicate] == 1
        for key in self.tables[predicate]:
            first, rest = _split((key,) if is_single else key, bound)
            index.setdefault(first, {})[rest] = None
        if self.problem.is_rigid[predicate]:
            index = {first: tuple(rest) for first, rest in index.items()}
        else:
            for number, (other, objects) in enumerate(self.atoms):
                if other == predicate:
                    self._places[number].append((index, *_split(objects, bound)))
        indexes[bound] = index
        return index

    def matching(self, predicate: int, elements: Iterable[Any]) -> int:
        """Return the numbered facts that a ground pattern covers, as a bit set."""
        columns = self.columns
        found = columns.get((predicate,), 0)
        domains = self.problem.predicate_domains[predicate]
        for position, element in enumerate(elements):
            if isinstance(element, int):
                found &= columns.get((predicate, position, element), 0)
            elif domains[position] & ~element[0]:
                found &= self._among(predicate, position, element[0])
        return found

    def _among(self, predicate: int, position: int, objects: int) -> int:
        """Return the numbered facts of a predicate with one of some objects at a position."""
        wide = self._wide[predicate]
        found = wide.get((position, objects))
        if found is None:
            found = 0
            for number in bits(objects):
                found |= self.columns.get((predicate, position, number), 0)
            wide[position, objects] = found
        return found


def _split(objects: tuple[int, ...], bound: tuple[int, ...]) -> tuple[Key, Key]:
    free = (o for position, o in enumerate(objects) if position not in bound)
    return key_of(objects[position] for position in bound), key_of(free)
