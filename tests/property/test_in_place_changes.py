"""Commands that change values in place do what they would do to a copy of the whole state, and are undone."""

from __future__ import annotations

import copy
from types import SimpleNamespace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from planvow import State
from planvow.kernel.world.in_place_changes import call
from planvow.kernel.world.variable import undo_to

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


FUNCTIONS = (
    append, push, push_if_there, put_and_push, pop, drop, add, discard, take, rename, replace, forget, count,
)  # fmt: skip


def answering(function):
    def command(state: Any, *arguments: Any) -> Any:
        function(state, *arguments)
        return state

    return command


def content(state: Any) -> dict[str, Any]:
    return {name: (list(value.items()) if isinstance(value, dict) else value) for name, value in vars(state).items()}


@settings(max_examples=300)
@given(
    start=st.fixed_dictionaries(CONTENT),
    calls=st.lists(st.tuples(st.sampled_from(FUNCTIONS), KEYS, WORDS, st.booleans()), max_size=8),
)
def test_a_command_changes_in_place_what_it_would_change_in_a_copy_and_is_undone(start, calls):
    plain = SimpleNamespace(**copy.deepcopy(start))
    state = State(start).journaled()
    for function, key, word, is_undone in calls:
        before, mark = content(copy.deepcopy(plain)), len(state._log)
        after = copy.deepcopy(plain)
        function(after, key, word)
        assert call(answering(function), state, key, word) is state
        assert content(state) == content(after), function.__name__
        if is_undone:
            undo_to(state._log, mark)
            assert content(state) == before, function.__name__
        else:
            plain = after


@given(start=st.fixed_dictionaries(CONTENT), key=KEYS, word=WORDS, function=st.sampled_from(FUNCTIONS))
def test_a_command_that_fails_after_changing_in_place_has_changed_nothing(start, key, word, function):
    def failing(state, *arguments):
        function(state, *arguments)
        return False

    state = State(start).journaled()
    before, mark = content(state), len(state._log)
    assert call(failing, state, key, word) is False
    undo_to(state._log, mark)
    assert content(state) == before
