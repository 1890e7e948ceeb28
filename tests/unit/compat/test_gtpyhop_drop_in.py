"""`from planvow.compat import gtpyhop`: the peer's example files run as they are, with plans no longer than its own."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import inspect
import io
import random
import sys
from pathlib import Path

import pytest

from planvow import verify
from planvow.compat import gtpyhop as ours

with contextlib.redirect_stdout(io.StringIO()):
    peer = pytest.importorskip("gtpyhop", reason="gtpyhop is in the dependency group bench")

EXAMPLES = Path(peer.__file__).parent / "examples"
CLASSIC = sorted(path.stem for path in EXAMPLES.glob("*.py") if path.stem not in ("__init__", "regression_tests"))
CLASSIC += sorted(path.parent.name for path in EXAMPLES.glob("*/examples.py"))
PACKAGES = sorted(
    str(path.parent.relative_to(EXAMPLES)) for path in EXAMPLES.rglob("domain.py") if "memory_tracking" not in str(path)
)
GOALS = {"Childsnack": "served", "Blocksworld-GTOHP": "on"}
SMALL = 3


@pytest.fixture(autouse=True)
def _as_it_was(monkeypatch):
    """Each test has its own settings and leaves no module of the examples behind."""
    before = set(sys.modules)
    for name, value in (("current_domain", None), ("verbose", 0), ("_strategy", False)):
        monkeypatch.setattr(ours, name, value)
    monkeypatch.setattr(ours, "_domains", [])
    yield
    for name in set(sys.modules) - before:
        if name.split(".")[0] in (*CLASSIC, "ours", "theirs"):
            del sys.modules[name]


def test_there_are_ten_classic_examples():
    assert len(CLASSIC) == 10


@pytest.mark.parametrize("name", CLASSIC)
@pytest.mark.parametrize("entry", ["main_legacy", "main_session"])
def test_every_classic_example_runs_unchanged(name, entry, monkeypatch):
    """They check their plans themselves."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    random.seed(0)  # their taxis come by chance
    told = io.StringIO()
    with ours.standing_in(), contextlib.redirect_stdout(told):
        module = importlib.import_module(name)
        main = getattr(module, entry, None) or getattr(module, "main", None)
        main(**{"do_pauses": False} if "do_pauses" in inspect.signature(main).parameters else {})
    assert sys.modules["gtpyhop"] is peer
    assert told.getvalue()


def test_the_backtracking_example_gives_what_the_peer_gives(monkeypatch):
    """The peer skips it unless planning is recursive, and then its check fails: it leaves out what changes nothing."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    with contextlib.redirect_stdout(io.StringIO()):
        with ours.standing_in():
            mine = importlib.import_module("backtracking_htn")
        theirs = importlib.import_module("gtpyhop.examples.backtracking_htn")
        for todo in ([("put_it",), ("need0",)], [("put_it",), ("need10",)], [("put_it",), ("need1",)]):
            ours.set_current_domain(mine.the_domain)
            with peer.PlannerSession(domain=theirs.the_domain, verbose=0, recursive=True) as session:
                expected = session.find_plan(theirs.state0, todo).plan
            assert ours.find_plan(mine.state0, todo) == expected


def loaded(folder: Path, name: str):
    spec = importlib.util.spec_from_file_location(
        name, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.long
@pytest.mark.parametrize("package", PACKAGES)
def test_the_packaged_domains_give_plans_that_are_no_longer(package, monkeypatch):
    folder = EXAMPLES / package
    with contextlib.redirect_stdout(io.StringIO()):
        theirs = loaded(folder, "theirs")
        with ours.standing_in():
            mine = loaded(folder, "ours")
        problems = list(zip(theirs.get_problems().items(), mine.get_problems().values(), strict=True))
    for (name, (state, todo, *_)), (our_state, our_todo, *_) in problems[:SMALL]:
        if isinstance(todo, dict):
            variable = GOALS[folder.name]
            todo, our_todo = [peer.Multigoal(name, **{variable: todo})], [ours.Multigoal(name, **{variable: todo})]
        with contextlib.redirect_stdout(io.StringIO()):
            with peer.PlannerSession(
                domain=theirs.the_domain, verbose=0, strategy="iterative_dfs_backtracking"
            ) as session:
                expected = session.find_plan(state, todo)
            with ours.PlannerSession(domain=mine.the_domain) as session:
                found = session.find_plan(our_state, our_todo)
        assert found.success >= expected.success, (name, found.error)
        if expected.success:
            assert len(found.plan) <= len(expected.plan), name


def test_a_file_is_its_own_with_one_changed_line():
    """Nested values while building, a predicate called has, methods that share a name, lambdas, changes in place."""
    gtpyhop = ours
    gtpyhop.Domain("shop")
    state = gtpyhop.State("start")
    state.has = {"ann": [], "bob": []}
    state.has["ann"].append("coin")
    state.shelf = {"left": {"apple", "pear"}}
    state.shelf["left"].add("plum")
    state.seen = set()

    def buy(state, who, what):
        if what in state.shelf["left"] and "coin" in state.has[who]:
            state.shelf["left"].remove(what)
            state.has[who].remove("coin")
            state.has[who].append(what)
            state.seen.add(who)
            return state
        return None

    def earn(state, who):
        state.has[who].append("coin")
        return state

    def look(state):
        return state

    def way(fruit):
        def m_get(state, who):
            return [("look",), ("buy", who, fruit)]

        return m_get

    gtpyhop.declare_actions(buy, earn, look)
    gtpyhop.declare_task_methods("get", way("fig"), way("plum"), way("pear"), lambda state, who: [("earn", who)])
    assert gtpyhop.find_plan(state, [("get", "ann"), ("get", "bob"), ("get", "bob")]) == [
        ("buy", "ann", "plum"), ("earn", "bob"), ("buy", "bob", "pear"),
    ]  # fmt: skip
    assert state.has == {"ann": ["coin"], "bob": []}  # what was given stays as it was
    assert state.shelf == {"left": {"apple", "pear", "plum"}}
    plan = gtpyhop.find_plan(state, [("get", "ann")])
    assert plan == [("buy", "ann", "plum")]  # looking changes nothing and is left out


def test_goals_are_reached_in_the_order_in_which_they_are_written():
    ours.Domain("stack")

    def put(state, block, place):
        state.pos[block] = place
        return state

    ours.declare_actions(put)
    ours.declare_unigoal_methods("pos", lambda state, block, place: [("put", block, place)])
    ours.declare_multigoal_methods(ours.m_split_multigoal)
    goal = ours.Multigoal("goal")
    goal.pos = {"c": "shelf"}
    goal.pos["a"] = "shelf"
    state = ours.State("s", pos={"a": "floor", "b": "floor", "c": "floor"})
    assert ours.find_plan(state, [goal]) == [("put", "c", "shelf"), ("put", "a", "shelf")]
    assert ours.find_plan(state, [("pos", "b", "floor")]) == []
    assert ours.find_plan(state, [("put", "a", "floor")]) == []
    ours.current_domain._unigoal_method_dict.clear()
    ours.declare_unigoal_methods("pos", lambda state, block, place: None)
    assert ours.find_plan(state, [goal]) is False


def test_states_are_shown_copied_and_compared_as_the_peers_are(capsys):
    for front in (ours, peer):
        state = front.State("s", loc={"a": "home"})
        state.display("Initial state is")
        assert state.state_vars() == ["loc"]
        copied = state.copy()
        assert copied == state
        assert copied.__name__.startswith("s_copy_")
        copied.loc["a"] = "park"
        assert copied != state
        assert state.copy("t").__name__ == "t"
    shown = capsys.readouterr().out
    assert shown[: len(shown) // 2] == shown[len(shown) // 2 :]
    assert "  - loc = {'a': 'home'}" in shown


def test_functions_may_ask_what_they_are_given_and_show_it(capsys):
    ours.Domain("d")

    def act(state):
        if not isinstance(state, ours.State):
            return False
        state.display()
        state.at["me"] = len(state.state_vars())
        return state

    ours.declare_actions(act)
    assert ours.find_plan(ours.State("s", at={"me": 0}), [("act",)]) == [("act",)]
    assert "at = {'me': 0}" in capsys.readouterr().out


def test_acting_goes_on_until_nothing_is_left_to_do():
    ours.Domain("taxi")
    calls = []

    def ride(state, who):
        state.at[who] = "park"
        return state

    def c_ride(state, who):
        calls.append(who)
        return ride(state, who) if len(calls) > 2 else False

    ours.declare_actions(ride)
    ours.declare_commands(c_ride)
    ours.declare_task_methods("go", lambda state, who: [] if state.at[who] == "park" else [("ride", who)])
    state = ours.State("s", at={"ann": "home"})
    assert ours.run_lazy_lookahead(state, [("go", "ann")]).at == {"ann": "park"}
    assert calls == ["ann"] * 3
    assert state.at == {"ann": "home"}
    with ours.PlannerSession(domain=ours.current_domain) as session:
        done = session.run_lazy_lookahead(state, [("go", "ann")])
    assert (bool(done), done.executed_actions) == (True, [("ride", "ann")])
    ours.declare_task_methods("nowhere", lambda state: None)
    with pytest.raises(Exception, match="find_plan has failed"):
        ours.run_lazy_lookahead(state, [("nowhere",)])


def test_an_exception_of_a_function_comes_through_as_it_was_raised():
    ours.Domain("d")
    ours.declare_task_methods("t", lambda state: [("go", state.at["nobody"])])
    with pytest.raises(KeyError, match="nobody"):
        ours.find_plan(ours.State("s", at={}), [("t",)])


def test_a_session_has_planvows_own_result_with_a_certificate():
    domain = ours.Domain("d")

    def go(state, place):
        state.at["me"] = place
        return state

    ours.declare_actions(go)
    ours.declare_task_methods("t", lambda state: [("go", "park")])
    with ours.PlannerSession(domain=domain) as session:
        found = session.find_plan(ours.State("s", at={"me": "home"}), [("t",)])
        assert verify(found.result.certificate()).fault is None
        assert found.result.explanation.decisions[0].method == "<lambda>"
        bounded = session.find_plan(ours.State("s", at={"me": "home"}), [("t",)], max_expansions=1)
    assert (bounded.success, "max_iterations" in bounded.error) == (False, True)
