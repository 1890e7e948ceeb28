"""Large lists, dictionaries and sets that commands change in place: what changes is noted, and nothing is copied.

While a command runs, a large container of the state is **open**: it is of a class that may be changed and notes each
change. When the command has returned it is frozen again, and the changes go to the undo log as one entry, between two
**versions** of the container. A version is a value: it equals whatever has the same content, and if somebody wants to
see that content it is made from the one before it. Coming back takes the changes back in the container itself.

That is sound as long as nobody but the state holds the container, since for others it would change unseen: items that a
method made, results, generators under way. Python counts who holds an object. Where anybody else does, a copy takes its
place in the state, as for small containers always (`touched`).
"""

from __future__ import annotations

from sys import getrefcount
from typing import Any

from planvow.kernel.world.open_containers import NOTES, OPEN, Change, Notes
from planvow.kernel.world.values import FrozenDict, FrozenList, FrozenSet, freeze, thaw
from planvow.kernel.world.variable import MISSING, Log

LARGE = 64
"""From how many elements on a container is kept open; smaller ones are copied sooner than noted."""
_FEW = 1_000
"""Over how many versions a comparison looks for what differs, before it looks at whole contents."""


class Version:
    """The content of a container at one moment: what it was before, and what was changed since."""

    __slots__ = ("before", "changes", "kind", "size")

    def __init__(self, before: Any, changes: list[Change], size: int, kind: type) -> None:
        self.before, self.changes, self.size, self.kind = before, changes, size, kind

    def frozen(self) -> Any:
        """Return the content. Costs its size and what was changed since the container was first opened."""
        chain, value = [], self
        while type(value) is Version:
            chain.append(value.changes)
            value = value.before
        content = self.kind(value)
        for changes in reversed(chain):
            for change in changes:
                _apply(content, *change)
        return content

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(other) is Version:
            size = other.size
        elif type(other) is self.kind:
            size = len(other)  # type: ignore[arg-type]
        else:
            return False
        if size != self.size:
            return False
        differing = _between(self, other) or _between(other, self)
        if differing is not None and not any(moves for _, _, _, moves in differing):
            return _come_to_nothing(differing)
        return bool(self.frozen() == (other.frozen() if type(other) is Version else other))

    def __hash__(self) -> int:
        return hash(self.frozen())

    def __repr__(self) -> str:
        return repr(self.frozen())


class Cell:
    """A container that is changed in place, and the version it is at: at first, the value it was copied from."""

    __slots__ = ("base", "journal", "live", "version")

    def __init__(self, journal: Journal, base: Any, live: Any) -> None:
        self.journal, self.base, self.live, self.version = journal, base, live, base

    def back(self, target: Any, key: object, old: Any, new: object) -> None:
        """Bring the container in a place back from one version to the one before it, which the place holds now."""
        if self.version is new and _holders(self) == _ALONE:
            for change in reversed(new.changes):
                _revert(self.live, *change)
        else:
            self.journal.cells.pop(id(self.live), None)
            self.live = old.frozen() if type(old) is Version else type(old)(old)
            self.journal.cells[id(self.live)] = self
        self.version = old
        if type(old) is Version:
            dict.__setitem__(target, key, self.live)


class Journal:
    """The containers of one state that are changed in place."""

    def __init__(self) -> None:
        self.cells: dict[int, Cell] = {}  # by the address of the container
        self._unchanged: dict[int, Cell] = {}  # by the address of the value that the container equals
        self._open: list[tuple[Cell, Any, Any]] = []
        self._enough = 16  # so many cells are no reason to look for those that nobody wants

    def opened(self, target: Any, key: Any) -> object:
        """Return the value in a place of the state for a function to change: itself, if it is large, or a copy."""
        address = id(dict.__getitem__(target, key))
        if address in NOTES:
            return dict.__getitem__(target, key)
        cell = self.cells.get(address)
        if cell is None or _holders(cell) != _ALONE + 1:
            cell = self._unchanged.get(address)
            if cell is None or cell.version is not cell.base or _holders(cell) != _ALONE:
                value = dict.__getitem__(target, key)
                kind = type(value)
                if kind not in OPEN or len(value) < LARGE or not _is_flat_inside(value):
                    return thaw(value)
                if len(self.cells) >= self._enough:
                    self._sweep()
                cell = self._unchanged[address] = Cell(self, value, kind(value))
                self.cells[id(cell.live)] = cell
            dict.__setitem__(target, key, cell.live)
        live = cell.live
        live.__class__ = OPEN[type(live)]
        NOTES[id(live)] = Notes()
        self._open.append((cell, target, key))
        return live

    def close(self, log: Log) -> None:
        """Freeze what is open and log what was changed."""
        while self._open:
            cell, target, key = self._open[-1]
            live, notes = cell.live, NOTES[id(cell.live)]
            is_noted = notes.saved is None and all(map(_is_flat, notes.changes))
            content = None if is_noted else freeze(live)  # refuses what may not be in a state before it is logged
            self._open.pop()
            self._frozen(cell)
            if is_noted:
                if notes.changes:
                    new = Version(cell.version, notes.changes, len(live), type(live))
                    log.extend((target, key, cell.version, new, cell))
                    cell.version = new
                elif cell.version is cell.base:
                    dict.__setitem__(target, key, cell.base)
                continue
            self._leave(cell)
            before = _plain_before(live, notes)
            _fill(live, content)
            log.extend((target, key, freeze(before), live, None))

    def abandon(self) -> None:
        """Freeze what is open and take back what was changed."""
        while self._open:
            cell, target, key = self._open.pop()
            notes = self._frozen(cell)
            if notes.saved is not None:
                _fill(cell.live, dict(notes.saved) if isinstance(cell.live, dict) else notes.saved)
            for change in reversed(notes.changes):
                _revert(cell.live, *change)
            if cell.version is cell.base:
                dict.__setitem__(target, key, cell.base)

    def _frozen(self, cell: Cell) -> Notes:
        cell.live.__class__ = _FROZEN[type(cell.live)]
        return NOTES.pop(id(cell.live))

    def _leave(self, cell: Cell) -> None:
        """Let a container be a value like others."""
        self.cells.pop(id(cell.live), None)
        if self._unchanged.get(id(cell.base)) is cell:
            del self._unchanged[id(cell.base)]
        cell.live = None

    def _sweep(self) -> None:
        """Leave the containers that no state can come back to: their value is nobody's, or has another one."""
        for address, cell in list(self.cells.items()):
            if cell.version is cell.base and address not in NOTES:
                has_another = self._unchanged.get(id(cell.base)) is not cell
                if has_another or getrefcount(cell.base) == _ALONE + 1:  # held as the base and as the version
                    self._leave(cell)
        self._enough = 16 + 2 * len(self.cells)


def journal_of(state: object) -> Journal:
    """Return the journal of a state, which is made when it is first asked for."""
    try:
        return object.__getattribute__(state, "_journal")  # type: ignore[no-any-return]
    except AttributeError:
        journal = Journal()
        object.__setattr__(state, "_journal", journal)
        return journal


_FROZEN: dict[type, type] = {open_kind: kind for kind, open_kind in OPEN.items()}
_BARE: dict[type, Any] = {FrozenSet: set, FrozenList: list, FrozenDict: dict}


def _holders(cell: Cell) -> int:
    return getrefcount(cell.live)


_ALONE = _holders(Cell(Journal(), None, FrozenSet()))
"""What `_holders` says when nothing but the cell holds its container."""


def _plain_before(live: Any, notes: Notes) -> Any:
    """Return what a container held before the changes of a call."""
    before = type(live)(live) if notes.saved is None else type(live)(notes.saved)
    for change in reversed(notes.changes):
        _revert(before, *change)
    return before


def _fill(container: Any, content: Any) -> None:
    """Give a frozen container another content."""
    bare = _BARE[type(container)]
    bare.clear(container)
    (list.extend if bare is list else bare.update)(container, content)


def _apply(container: Any, key: Any, old: object, new: object, moves: bool) -> None:
    if isinstance(container, set):
        set.discard(container, key) if new is MISSING else set.add(container, key)
    elif moves:
        list.pop(container, key) if new is MISSING else list.insert(container, key, new)
    elif new is MISSING:
        dict.__delitem__(container, key)
    else:
        _BARE[type(container)].__setitem__(container, key, new)


def _revert(container: object, key: object, old: object, new: object, moves: bool) -> None:
    _apply(container, key, new, old, moves)


def _is_flat_inside(value: Any) -> bool:
    """Say whether nothing in a container could be changed in place itself."""
    if type(value) is FrozenSet:
        return True
    return all(thaw(part) is part for part in (value.values() if isinstance(value, dict) else value))


def _is_flat(change: Change) -> bool:
    key, _, new, _ = change
    return new is MISSING or (freeze(key) is key and freeze(new) is new and thaw(new) is new)


def _between(older: object, newer: object) -> list[Change] | None:
    """Return what was changed from one version to a later one; None if they are not close to one another."""
    changes: list[Change] = []
    for _ in range(_FEW):
        if newer is older:
            return changes[::-1]
        if type(newer) is not Version:
            return None
        changes += reversed(newer.changes)
        newer = newer.before
    return None


def _come_to_nothing(changes: list[Change]) -> bool:
    ends: dict[object, tuple[object, object]] = {}
    for key, old, new, _ in changes:
        ends[key] = (ends[key][0] if key in ends else old, new)
    return all(old is new or (old is not MISSING and new is not MISSING and old == new) for old, new in ends.values())
