"""Commands that change values in place do what they would do to a copy of the whole state, and are undone."""

from __future__ import annotations

import copy
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planvow import State
from planvow.kernel.world import journal
from planvow.kernel.world.in_place_changes import call, loosely
from planvow.kernel.world.variable import entries, undo_to

KEYS, WORDS = st.sampled_from("abc"), st.sampled_from("uvwx")
CONTENT = {
    "log": st.lists(WORDS, max_size=3),
    "seen": st.sets(WORDS),
    "count": st.integers(0, 3),
    "queue": st.dictionaries(KEYS, st.lists(WORDS, max_size=3), max_size=3),
    "bag": st.dictionaries(KEYS, st.sets(WORDS), max_size=3),
    "stock": st.dictionaries(KEYS, st.dictionaries(WORDS, st.integers(0, 3), max_size=3), max_size=3),
    "at": st.dictionaries(KEYS, WORDS, max_size=3),
}


def append(state, key, word):
    state.log.append(word)


def push(state, key, word):
    state.queue.setdefault(key, []).append(word)


def push_if_there(state, key, word):
    if key in state.queue:
        state.queue[key] += [word]


def put_and_push(state, key, word):
    state.at[key] = [word]
    state.at[key].append(word)
    state.at[key] = state.at[key][0]


def pop(state, key, word):
    if state.queue.get(key):
        state.queue[key].pop(0)


def drop(state, key, word):
    state.queue.pop(key, None)
    state.log.insert(0, word)


def add(state, key, word):
    state.seen.add(word)
    state.bag.setdefault(key, set()).add(word)


def discard(state, key, word):
    state.seen.discard(word)
    for bag in state.bag.values():
        bag.discard(word)


def take(state, key, word):
    if word in state.stock.get(key, {}):
        state.stock[key][word] -= 1
        if state.stock[key][word] < 0:
            del state.stock[key][word]


def rename(state, key, word):
    state.stock[word] = state.stock.pop(key, {})
    state.log.sort()


def replace(state, key, word):
    state.log = [*reversed(state.log), word]
    state.bag = {key: {word}}
    state.seen.clear()


def forget(state, key, word):
    state.log.append(word)
    del state.log
    state.log = [len(state.queue)]


def count(state, key, word):
    state.count += len(vars(state)) + len(list(state.queue))
    state.seen |= {word}


def cut(state, key, word):
    state.log[1:2] = [word, word]
    state.log.reverse()
    state.log[-1] = word


def swap(state, key, word):
    state.seen ^= {word, "u"}
    state.seen &= {word, "v", "w"}
    for bag in state.bag.values():
        bag -= {word}


def restock(state, key, word):
    for shelf in state.stock.values():
        if shelf and word == "u":
            shelf.popitem()
        shelf.update({word: 7, key: [word]} if word == "v" else {word: 7})


def share(state, key, word):
    state.other = state.log
    state.log.append(word)
    state.queue[key] = state.log


def nest(state, key, word):
    row = [word]
    state.log.append(row)
    row.append(word)
    state.log.pop()
    state.log.insert(-1, word)


def pull(state, key, word):
    if state.log:
        del state.log[0]
    if word in state.log:
        state.log.remove(word)
    if state.seen and word == "x":
        state.seen.remove(min(state.seen))


FUNCTIONS = (
    append, push, push_if_there, put_and_push, pop, drop, add, discard, take, rename, replace, forget, count,
    cut, swap, restock, share, nest, pull,
)  # fmt: skip


def answering(function):
    def command(state: Any, *arguments: Any) -> Any:
        function(state, *arguments)
        return state

    return command


def content(state: Any) -> dict[str, Any]:
    return {name: (list(value.items()) if isinstance(value, dict) else value) for name, value in vars(state).items()}


@pytest.mark.parametrize("large", [0, 2, 64])
@settings(max_examples=80)
@given(
    start=st.fixed_dictionaries(CONTENT),
    calls=st.lists(st.tuples(st.sampled_from(FUNCTIONS), KEYS, WORDS, st.booleans()), max_size=8),
)
def test_a_command_changes_in_place_what_it_would_change_in_a_copy_and_is_undone(large, start, calls):
    with patch.object(journal, "LARGE", large):
        is_undone_as_copied(start, calls)


def is_undone_as_copied(start, calls):
    plain = SimpleNamespace(**copy.deepcopy(start))
    state = State(start).journaled()
    for function, key, word, is_undone in calls:
        before, mark = content(copy.deepcopy(plain)), len(state._log)
        after = SimpleNamespace(**{name: copy.deepcopy(value) for name, value in vars(plain).items()})
        after.queue = {name: list(value) for name, value in after.queue.items()}  # nothing is shared over calls
        function(after, key, word)
        assert call(answering(function), state, key, word) is state
        assert content(state) == content(after), function.__name__
        if is_undone:
            undo_to(state._log, mark)
            assert content(state) == before, function.__name__
        else:
            plain = after


@settings(max_examples=100)
@given(
    start=st.fixed_dictionaries(CONTENT),
    calls=st.lists(st.tuples(st.sampled_from(FUNCTIONS), KEYS, WORDS, st.integers(0, 8)), max_size=12),
    held=st.sets(st.integers(0, 12)),
)
def test_changes_are_undone_over_any_distance_and_what_others_hold_never_changes(start, calls, held):
    """A search goes on, back to any earlier moment, and on again; some values were taken along by others."""
    with patch.object(journal, "LARGE", 0):
        state = State(start).journaled()
        moments = [(len(state._log), content(copy.deepcopy(state)))]
        taken = []
        for number, (function, key, word, back) in enumerate(calls):
            if number in held:
                taken += [(value, repr(value)) for value in (state.log, state.seen, *state.stock.values())]
            loosely(answering(function))(state, key, word)
            moments.append((len(state._log), content(copy.deepcopy(state))))
            if back < len(moments):
                del moments[back + 1 :]
                undo_to(state._log, moments[back][0])
                assert content(state) == moments[back][1]
        assert all(repr(value) == as_it_was for value, as_it_was in taken)
        for mark, there in reversed(moments):
            undo_to(state._log, mark)
            assert content(state) == there


@settings(max_examples=100)
@given(words=st.lists(WORDS, max_size=6), more=st.lists(st.tuples(WORDS, st.booleans()), max_size=8))
def test_versions_are_equal_when_their_contents_are(words, more):
    """The loop guard compares what a container was at two moments."""

    def change(state, word, is_in):
        (state.seen.add if is_in else state.seen.discard)(word)
        (state.log.append if is_in else state.log.insert)(*([word] if is_in else [0, word]))
        state.shelf["a"][word] = len(state.log) % 2
        return state

    with patch.object(journal, "LARGE", 0):
        state = State(log=words, seen=set(words), shelf={"a": dict.fromkeys(words, 1)}).journaled()
        kept: dict[Any, list[Any]] = {}
        for word, is_in in more:
            loosely(change)(state, word, is_in)
            for target, key, old, new in entries(state._log, 0, len(state._log)):
                kept.setdefault((id(target), key), []).extend((old, new))
        for versions in kept.values():
            for a in versions:
                for b in versions:
                    plain = [v.frozen() if type(v) is journal.Version else v for v in (a, b)]
                    assert (a == b) == (plain[0] == plain[1])
                    assert a != b or hash(a) == hash(b)


@given(start=st.fixed_dictionaries(CONTENT), key=KEYS, word=WORDS, function=st.sampled_from(FUNCTIONS))
def test_a_command_that_fails_after_changing_in_place_has_changed_nothing(start, key, word, function):
    def failing(state, *arguments):
        function(state, *arguments)
        return False

    for large in (0, 64):
        with patch.object(journal, "LARGE", large):
            state = State(start).journaled()
            before, mark = content(state), len(state._log)
            assert call(failing, state, key, word) is False
            undo_to(state._log, mark)
            assert content(state) == before
