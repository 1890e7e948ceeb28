"""Rolling back restores the board exactly, whatever was done to it."""

from __future__ import annotations

import copy
import pickle
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planvow.kernel.perform.journal import Blackboard, Journaled


@dataclass
class Person(Journaled):
    name: str
    spans: list[int] = field(default_factory=list)


@dataclass
class Board(Blackboard):
    items: list = field(default_factory=list)
    table: dict = field(default_factory=dict)
    tags: set = field(default_factory=set)
    number: int = 0


def image(board: Board):
    """A plain, comparable copy, order of keys included."""
    return copy.deepcopy(
        (
            list(board.items),
            [(k, list(v) if isinstance(v, list) else v) for k, v in board.table.items()],
            sorted(board.tags),
            {k: v for k, v in board.__dict__.items() if k not in ("_journal", "items", "table", "tags")},
        )
    )


small = st.integers(0, 5)

LIST_CHANGES = {
    "append": lambda x, n: x.append(n),
    "extend": lambda x, n: x.extend([n, n + 1]),
    "insert": lambda x, n: x.insert(n - 3, n),
    "pop": lambda x, n: x and x.pop(n % len(x)),
    "remove": lambda x, n: n in x and x.remove(n),
    "set": lambda x, n: x and x.__setitem__(n % len(x), 99),
    "set slice": lambda x, n: x.__setitem__(slice(0, n), [7]),
    "del": lambda x, n: x and x.__delitem__(n % len(x)),
    "del slice": lambda x, n: x.__delitem__(slice(n, None)),
    "iadd": lambda x, n: x.__iadd__([n]),
    "imul": lambda x, n: x.__imul__(n % 3),
    "clear": lambda x, n: x.clear(),
    "sort": lambda x, n: x.sort(),
    "reverse": lambda x, n: x.reverse(),
}
DICT_CHANGES = {
    "set": lambda x, n: x.__setitem__(n, n * 2),
    "set list": lambda x, n: x.__setitem__(n, [n]),
    "change list": lambda x, n: isinstance(x.get(n), list) and x[n].append(5),
    "del": lambda x, n: n in x and x.__delitem__(n),
    "pop": lambda x, n: x.pop(n, None),
    "popitem": lambda x, n: x and x.popitem(),
    "setdefault": lambda x, n: x.setdefault(n, 8),
    "update": lambda x, n: x.update({n: 1, n + 1: 2}),
    "ior": lambda x, n: x.__ior__({n: 3}),
    "clear": lambda x, n: x.clear(),
}
SET_CHANGES = {
    "add": lambda x, n: x.add(n),
    "discard": lambda x, n: x.discard(n),
    "remove": lambda x, n: n in x and x.remove(n),
    "pop": lambda x, n: x and x.pop(),
    "update": lambda x, n: x.update({n, n + 1}),
    "ior": lambda x, n: x.__ior__({n}),
    "isub": lambda x, n: x.__isub__({n}),
    "iand": lambda x, n: x.__iand__({n, n + 1}),
    "ixor": lambda x, n: x.__ixor__({n, n + 1}),
    "clear": lambda x, n: x.clear(),
}

changes = st.one_of(
    st.tuples(st.just("items"), st.sampled_from(sorted(LIST_CHANGES)), small),
    st.tuples(st.just("table"), st.sampled_from(sorted(DICT_CHANGES)), small),
    st.tuples(st.just("tags"), st.sampled_from(sorted(SET_CHANGES)), small),
    st.tuples(st.just("number"), st.just("="), small),
    st.tuples(st.sampled_from(["items", "table", "new_one"]), st.just("replace"), small),
)
KINDS = {"items": LIST_CHANGES, "table": DICT_CHANGES, "tags": SET_CHANGES}


def apply(board: Board, change) -> None:
    where, what, n = change
    if what in ("=", "replace"):
        setattr(board, where, {"items": [n], "table": {n: n}}.get(where, n))
    else:
        KINDS[where][what](getattr(board, where), n)


@given(st.lists(changes, max_size=8), st.lists(changes, max_size=12))
def test_rolling_back_restores_the_board(before, after):
    board = Board()
    journal = board.journal
    for change in before:
        apply(board, change)
    mark, expected = journal.mark(), image(board)
    for change in after:
        apply(board, change)
    journal.rollback(mark)
    assert image(board) == expected
    journal.rollback(0)
    assert image(board) == image(Board())


@given(st.lists(changes, max_size=20))
def test_a_journaled_board_behaves_like_plain_containers(steps):
    journaled, plain = Board(), Board()
    _ = journaled.journal
    for step in steps:
        if step[1] != "pop" or step[0] != "tags":  # which element a set pops is its own affair
            apply(journaled, step)
            apply(plain, step)
    assert image(journaled) == image(plain)


def test_records_inside_containers_are_journaled_too():
    board = Board()
    journal = board.journal
    board.table["a"] = Person(name="Ada")
    mark = journal.mark()
    board.table["a"].spans.append(3)
    board.table["a"].name = "Bea"
    journal.rollback(mark)
    assert (board.table["a"].name, board.table["a"].spans) == ("Ada", [])


def test_rollback_costs_what_was_changed_and_not_the_size_of_the_board():
    board = Board(items=list(range(50_000)), table={n: n for n in range(50_000)})
    journal = board.journal
    mark = journal.mark()
    board.items.append(1)
    board.table["new"] = 1
    board.table.pop("new")
    assert len(journal) == 3
    assert journal.rollback(mark) == 3
    assert len(board.items) == len(board.table) == 50_000


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda board: pickle.loads(pickle.dumps(board))])
def test_a_copy_is_equal_and_has_a_life_of_its_own(copied):
    board = Board(items=[1, [2]], table={"ann": Person("Ann", [3])}, tags={4})
    mark = board.journal.mark()
    board.table["ann"].spans.append(5)
    other = copied(board)
    assert other == board
    other.journal.mark()
    other.items[1].append(6)
    assert other.journal.rollback(0) == 1
    assert other == board
    board.journal.rollback(mark)
    assert (board.table["ann"].spans, other.table["ann"].spans) == ([3], [3, 5])
