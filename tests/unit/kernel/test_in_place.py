"""Commands that change lists, dictionaries and sets inside the state, as GTPyhop users write them."""

from __future__ import annotations

from enum import StrEnum

import pytest

from planvow import Domain, Goal, State, plan, replan, verify
from planvow.beliefs import BeliefManager, act_on_beliefs
from planvow.contract.certificate.reexecute import check_by_running
from planvow.kernel import run_lazy_lookahead, simulate
from planvow.kernel.errors import MutableValueError
from planvow.kernel.repair.replay import replay_plan
from planvow.kernel.world.in_place_changes import loosely
from planvow.kernel.world.journal import journal_of
from planvow.kernel.world.variable import undo_to


def diary() -> Domain:
    domain = Domain("diary")

    @domain.command
    def note(state, who, word):
        state.log.append(word)
        state.said[who]["words"].append(word)
        state.seen.add(word)
        state.said[who]["count"] += 1
        state.last[who] = word
        return state

    @domain.command
    def stumble(state, who):
        state.log.append("oops")

    @domain.command
    def only_once(state, word):
        return state if state.log.count(word) == 1 else None

    @domain.method(task="tell")
    def twice(state, who, word):
        return [("note", who, word), ("note", who, word), ("only_once", word)]

    @domain.method(task="tell")
    def stumbling(state, who, word):
        return [("note", who, word), ("stumble", who)]

    @domain.method(task="tell")
    def once(state, who, word):
        return [("note", who, word), ("only_once", word)]

    return domain


def start() -> State:
    said = {"ann": {"words": [], "count": 0}, "bob": {"words": ["hm"], "count": 1}}
    return State(log=[], said=said, seen=set(), last={"bob": "hm"})


TOLD = [("tell", "ann", "hello"), ("tell", "bob", "ah")]


def test_what_failed_branches_changed_in_place_is_undone():
    before = start()
    result = plan(diary(), before, TOLD)
    assert result.plan[::2] == (("note", "ann", "hello"), ("note", "bob", "ah"))
    end = result.final_state
    assert (end.log, end.seen) == (["hello", "ah"], {"hello", "ah"})
    assert end.said == {"ann": {"words": ["hello"], "count": 1}, "bob": {"words": ["hm", "ah"], "count": 2}}
    assert before == start()
    assert [state.log for state in simulate(result)] == [[], ["hello"], ["hello"], ["hello", "ah"], ["hello", "ah"]]


def test_the_state_it_leaves_is_frozen_and_hashable():
    end = plan(diary(), start(), TOLD).final_state
    assert hash(end) == hash(end.draft())
    with pytest.raises(MutableValueError):
        end.seen.add("x")


def test_only_what_changed_counts_as_read_and_written():
    result = plan(diary(), start(), TOLD)
    first = replay_plan(result)[1]
    written = {(t.predicate, t.subject) for t in first.writes}
    assert written == {("log", ""), ("said", "ann"), ("seen", ""), ("last", "ann")}
    assert {(t.predicate, t.subject) for t in first.reads} == written - {("last", "ann")}
    assert next(t.object for t in first.reads if t.predicate == "log") == []
    certificate = result.certificate()
    assert verify(certificate).fault is None
    assert check_by_running(certificate.document, diary()).fault is None


def test_a_repair_keeps_a_rest_that_changes_in_place():
    result = plan(diary(), start(), TOLD)
    failed = result.solution_graph.commands()[1]
    answer = replan(result, simulate(result)[1], failed.node_id, blacklist=False)
    assert answer.success
    assert answer.final_state == result.final_state


def test_acting_changes_in_place_and_keeps_nothing_of_a_failure():
    domain, tries = diary(), []

    @domain.runtime("note")
    def really(state, who, word):
        state.log.append(word)
        tries.append(word)
        return state if len(tries) > 2 else None

    done = run_lazy_lookahead(domain, start(), [("note", "ann", "a")], execute=None)
    assert (done.success, done.state.log) == (False, [])

    manager = BeliefManager(start())
    for subject in ("ann", "bob", ""):
        manager.sense("ann", subject)
    run = act_on_beliefs(manager, "ann", diary(), [("note", "ann", "a")])
    assert (run.success, manager.facts.log) == (True, ["a"])


def test_a_method_that_changes_in_place_is_refused():
    domain = diary()

    @domain.method(task="spoil")
    def spoil(state):
        state.log.append("x")
        return []

    with pytest.raises(MutableValueError, match="cannot be changed in place") as error:
        plan(domain, start(), [("spoil",)])
    assert "test_in_place.py" in error.value.place


def test_what_cannot_be_kept_is_still_refused():
    domain = Domain("d")

    @domain.command
    def put(state):
        state.log.append(object())
        return state

    with pytest.raises(MutableValueError, match="cannot hold"):
        plan(domain, start(), [("put",)])


def test_a_command_may_return_a_changed_copy_or_another_state():
    domain = Domain("d")

    @domain.command
    def copied(state):
        new = state.copy()
        new.log.append("copied")
        new.seen = new.seen | {"z"}
        del new.last
        return new

    @domain.command
    def named(state):
        state.__name__ = "other"
        state.log.append("named")
        state.set_predicate("x", "pos", [1])
        state.pos["x"].append(2)
        return state

    result = plan(domain, start(), [("copied",), ("named",), Goal("pos", "x", [1, 2])])
    end = result.final_state
    assert (end.log, end.seen, "last" in end, end.pos["x"]) == (["copied", "named"], {"z"}, False, [1, 2])
    assert check_by_running(result.certificate().document, domain).fault is None


def test_a_variable_without_subject_that_a_command_wrote_itself_is_no_read():
    domain = Domain("d")

    @domain.command
    def look(state):
        return state if state.day == 0 else None

    @domain.command
    def count(state):
        state.day = 3
        return state if state.day > 2 else None

    result = plan(domain, State(day=0), [("look",), ("count",)])
    assert [len(node.reads) for node in replay_plan(result)] == [1, 0]
    assert verify(result.certificate()).fault is None


def test_a_deletion_before_a_change_in_place_is_taken_back_in_order():
    domain = Domain("d")

    @domain.command
    def first_out(state):
        oldest = next(iter(state.queue))
        del state.queue[oldest]
        state.log.append(oldest)
        return state

    result = plan(domain, State(queue={"a": 1, "b": 2, "c": 3}, log=[]), [("first_out",), ("first_out",)])
    assert result.final_state.log == ["a", "b"]
    assert [node.kind for node in replay_plan(result)] == ["command", "command"]
    assert check_by_running(result.certificate().document, domain).fault is None


class Colour(StrEnum):
    RED = "red"


def changed_back_and_forth(value, change):
    """Change a large container twice and take the second change back: what it holds before, after and then."""

    def first(state):
        add_new(state.held["it"])
        return state

    def second(state):
        change(state.held["it"])
        return state

    learned = [loosely(first), loosely(second)]
    for function in learned:  # which predicates they change inside is learned from a first call
        function(State(held={"it": value}).journaled())
    state = State(held={"it": value}).journaled()
    learned[0](state)
    mark, before = len(state._log), shown(state.held["it"])
    learned[1](state)
    after = shown(state.held["it"])
    undo_to(state._log, mark)
    return before, after, shown(state.held["it"])


def add_new(held):
    if isinstance(held, dict):
        held["new"] = 0
    else:
        (held.add if isinstance(held, set) else held.append)("new")


def shown(value):
    return sorted(map(repr, value)) if isinstance(value, set) else repr(value)


MANY = range(100, 200)


@pytest.mark.parametrize(
    ("value", "change"),
    [
        ({True, *MANY}, lambda held: held.discard(1)),
        ({1.0, *MANY}, lambda held: held.remove(1)),
        ({1, *MANY}, lambda held: held.remove(True)),
        ({-0.0, *MANY}, lambda held: held.difference_update([0])),
        ({Colour.RED, *MANY}, lambda held: held.symmetric_difference_update(["red"])),
        ({(True, "a"), *MANY}, lambda held: held.discard((1, "a"))),
        ({frozenset({1}), *MANY}, lambda held: held.discard({1})),
        ({True, *MANY}, lambda held: held.intersection_update({1})),
        ([*MANY], lambda held: held.extend(len(held) for _ in range(3))),
        (dict.fromkeys(MANY), lambda held: held.update((name, len(held)) for name in "ab")),
    ],
)
def test_a_large_container_is_changed_as_a_plain_one_and_comes_back_with_the_very_same_members(value, change):
    """1, 1.0 and True are one member of a set, and which of them it holds is part of what a state is."""
    plain = type(value)(value)
    before, after, then = changed_back_and_forth(value, change)
    assert then == before
    add_new(plain)
    change(plain)
    assert after == shown(plain)


def test_a_large_dictionary_refuses_keys_that_could_change_unseen():
    class Thing:
        pass

    with pytest.raises(MutableValueError):
        changed_back_and_forth(dict.fromkeys(MANY), lambda held: held.update({Thing(): 1}))


def test_containers_that_items_took_along_are_not_kept_after_going_back():
    """Each attempt copies the set, since an item holds it; a search of many attempts must not keep all the copies."""
    domain, kept = Domain("attempts"), []

    @domain.command
    def add(state, member, held=None):
        state.seen.add(member)
        return state

    @domain.command
    def give_up(state):
        return None

    @domain.method(task="try")
    def attempts(state):
        for number in range(300):
            yield [("add", ("a", number)), ("take_along", number), ("give_up",)]
        kept.append(len(journal_of(state).cells))

    @domain.method(task="take_along")
    def take_along(state, number):
        return [("add", ("b", number), state.seen), ("add", ("c", number))]

    assert not plan(domain, State(seen=set(MANY)), [("try",)]).success
    assert max(kept) < 50
