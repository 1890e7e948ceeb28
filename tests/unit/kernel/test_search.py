"""Search: what it finds, in which order, and what it says when it finds nothing."""

from __future__ import annotations

import threading

import pytest

from planvow import Budgets, Domain, Goal, MultiGoal, State, Status, plan, plans, refuse
from planvow.errors import InputError
from planvow.kernel import attach_metadata
from planvow.kernel.errors import DomainFunctionError, MethodWroteError, UnknownItemError, WrongReturnError
from planvow.trace import TraceRecorder


def flags() -> Domain:
    """put/get: `get` needs the flag that `put` sets; several ways lead to dead ends first."""
    domain = Domain("flags")

    @domain.command
    def put(state, value):
        state.flag["f"] = value
        return state

    @domain.command
    def get(state, value):
        return state if state.flag["f"] == value else refuse(f"the flag is {state.flag['f']}")

    @domain.method(task="put_it")
    def wrong(state):
        return [("put", 1)]

    @domain.method(task="put_it")
    def wrong_too(state):
        return [("put", 2)]

    @domain.method(task="put_it")
    def right(state):
        return [("put", 3)]

    @domain.method(task="need")
    def need(state, value):
        return [("get", value)]

    return domain


START = State(flag={"f": 0})


@pytest.mark.parametrize("value", [1, 2, 3])
def test_backtracks_as_often_as_needed(value):
    result = plan(flags(), START, [("put_it",), ("need", value)])
    assert result.plan == (("put", value), ("get", value))
    assert result.final_state.flag["f"] == value
    assert result.status is Status.SOLVED


def test_no_plan_is_a_proven_value_and_not_an_empty_plan():
    result = plan(flags(), START, [("put_it",), ("need", 4)])
    assert (result.success, result.status, result.plan) == (False, Status.NO_PLAN, ())
    assert "every alternative" in result.reason


def test_nothing_to_do_is_a_success():
    result = plan(flags(), START, [])
    assert (result.success, result.status, result.plan) == (True, Status.SATISFIED, ())


def test_an_empty_decomposition_is_reconsidered():
    # IPyHOP reports this as unsolvable: it never returns to a node closed by an empty list.
    domain = flags()

    @domain.method(task="maybe")
    def skip(state):
        return []

    @domain.method(task="maybe")
    def act(state):
        return [("put", 7)]

    assert plan(domain, START, [("maybe",), ("get", 7)]).plan == (("put", 7), ("get", 7))


def test_a_failed_goal_method_leaves_nothing_behind_for_the_next_one():
    # GTPyhop 2.0.2 (recursive) keeps the failed method's subgoals here and finds no plan.
    domain = Domain("two ways")

    @domain.command
    def bad(state):
        return None

    @domain.command
    def good(state):
        state.x["a"] = 1
        return state

    @domain.method(goal="x")
    def first(state, subject, value):
        return [("bad",)]

    @domain.method(goal="x")
    def second(state, subject, value):
        return [("good",)]

    assert plan(domain, State(x={"a": 0}), [Goal("x", "a", 1)]).plan == (("good",),)


def test_a_removed_subject_is_back_after_backtracking():
    # IPyHOP merges dictionaries on restore: what a failed command removed stays removed, what it added stays.
    domain = Domain("remove")

    @domain.command
    def drop(state):
        del state.has_key["hero"]
        state.has_key["thief"] = True
        return state

    @domain.command
    def unlock(state):
        return state if "hero" in state.has_key and "thief" not in state.has_key else None

    domain.add_task_methods("t", lambda s: [("drop",)])

    @domain.method(task="t")
    def keep(state):
        return []

    assert plan(domain, State(has_key={"hero": True}), [("t",), ("unlock",)]).plan == (("unlock",),)


def test_what_a_failing_command_wrote_is_taken_back():
    domain = Domain("partial")

    @domain.command
    def half(state):
        state.x["a"] = 1
        return False

    @domain.command
    def look(state):
        return state if state.x["a"] == 0 else None

    domain.add_task_methods("t", lambda s: [("half",)])

    @domain.method(task="t")
    def other(state):
        return [("look",)]

    assert plan(domain, State(x={"a": 0}), [("t",)]).plan == (("look",),)


def test_a_command_may_return_another_state():
    domain = Domain("copying")

    @domain.command
    def put(state, value):
        new = state.copy()
        new.x["a"] = value
        del new.x["b"]
        return new

    result = plan(domain, State(x={"a": 0, "b": 1}), [("put", 5)])
    assert result.final_state == State(x={"a": 5})


def test_generator_methods_yield_alternatives_in_order():
    domain = flags()

    @domain.method(task="any")
    def count(state):
        for value in range(100):
            yield [("put", value)]

    assert plan(domain, START, [("any",), ("get", 42)]).plan == (("put", 42), ("get", 42))
    assert [r.plan[0] for r in plans(domain, START, [("any",)], limit=3)] == [("put", 0), ("put", 1), ("put", 2)]


def test_plans_come_in_a_stable_order_and_end():
    found = [r.plan for r in plans(flags(), START, [("put_it",)])]
    assert found == [(("put", 1),), (("put", 2),), (("put", 3),)]
    assert list(plans(flags(), START, [("put_it",), ("get", 9)])) == []


def blocks() -> Domain:
    domain = Domain("blocks")

    @domain.command
    def move(state, block, to):
        if block in state.on.values() or (to != "table" and to in state.on.values()):
            return refuse("something is on top")
        state.on[block] = to
        return state

    @domain.method(goal="on")
    def clear_both_and_move(state, block, to):
        above = [b for b, under in state.on.items() if under in (block, to) and under != "table"]
        return [*(("on", b, "table") for b in above), ("move", block, to)]

    return domain


SUSSMAN = State(on={"c": "a", "a": "table", "b": "table"})


def test_a_multigoal_is_reached_as_a_whole_even_when_one_goal_undoes_another():
    goal = MultiGoal(on={"a": "b", "b": "c"})
    result = plan(blocks(), SUSSMAN, [goal])
    assert result.final_state.on == {"c": "table", "a": "b", "b": "c"}
    assert plan(blocks(), SUSSMAN, [{"on": {"a": "b", "b": "c"}}]).plan == result.plan
    reordered = MultiGoal(on={"b": "c", "a": "b"})
    assert plan(blocks(), SUSSMAN, [reordered]).plan[0] == ("move", "b", "c"), (
        "goals are reached in the order as written"
    )
    assert plan(blocks(), SUSSMAN, [reordered]).final_state.on == result.final_state.on


def test_a_goal_that_holds_already_needs_nothing():
    result = plan(blocks(), SUSSMAN, [Goal("on", "c", "a"), ("on", "a", "table")])
    assert (result.status, result.plan) == (Status.SATISFIED, ())


def test_a_method_that_does_not_reach_its_goal_is_a_dead_end():
    domain = Domain("lies")
    domain.add_goal_methods("x", lambda state, subject, value: [])
    assert plan(domain, State(x={"a": 0}), [("x", "a", 1)]).status is Status.NO_PLAN


def test_a_goal_without_methods_is_a_dead_end_and_not_an_error():
    assert plan(Domain("none"), State(x={"a": 0}), [Goal("x", "a", 1)]).status is Status.NO_PLAN


def test_a_sequence_of_tasks_stands_for_its_items():
    result = plan(flags(), START, [[("put", 3), ("get", 3)], ["put", 4]])
    assert result.plan == (("put", 3), ("get", 3), ("put", 4))


def test_left_recursion_stays_solvable():
    domain = Domain("left")

    @domain.command
    def a(state):
        state.n += 1
        return state

    @domain.command
    def needs(state, n):
        return state if state.n == n else None

    @domain.method(task="t")
    def again(state):
        return [("t",), ("a",)]

    @domain.method(task="t")
    def stop(state):
        return []

    assert plan(domain, State(n=0), [("t",), ("needs", 5)]).plan == (("a",),) * 5 + (("needs", 5),)


def test_going_in_circles_is_cut_and_the_way_out_is_found():
    domain = Domain("circle")

    @domain.command
    def move(state, to):
        state.at["me"] = to
        return state

    @domain.method(task="go")
    def around(state):
        return [("move", (state.at["me"] + 1) % 3), ("go",)]

    assert plan(domain, State(at={"me": 0}), [("go",)]).status is Status.NO_PLAN

    @domain.method(task="go")
    def done(state):
        return []

    assert plan(domain, State(at={"me": 0}), [("go",)]).plan == (("move", 1), ("move", 2))


def test_a_task_repeated_in_the_same_state_is_not_a_loop():
    domain = Domain("again")
    domain.add_task_methods("nothing", lambda state: [])
    assert plan(domain, State(), [("nothing",)] * 3).status is Status.SATISFIED


@pytest.mark.parametrize(
    ("budgets", "name"),
    [
        (Budgets(max_iterations=3), "max_iterations"),
        (Budgets(max_depth=1), "max_depth"),
        (Budgets(max_stack_size=1), "max_stack_size"),
    ],
)
def test_a_limit_that_ends_a_search_is_named_with_its_value(budgets, name):
    domain = flags()
    domain.add_task_methods("both", lambda state: [("put_it",), ("need", 3)])
    result = plan(domain, START, [("both",)], budgets=budgets)
    assert result.status is Status.BUDGET_EXCEEDED
    assert (result.hit.budget, result.hit.limit) == (name, getattr(budgets, name))
    assert f"raise {name}" in result.reason


def test_a_search_may_take_all_the_iterations_it_is_given_and_not_one_more():
    domain = Domain("count")
    domain.add_actions(lambda_named("act", lambda state: state))
    domain.add_task_methods("t", lambda state: [("act",), ("act",)])
    needed = plan(domain, State(), [("t",)]).statistics.iterations
    assert plan(domain, State(), [("t",)], budgets=Budgets(max_iterations=needed)).success
    cut = plan(domain, State(), [("t",)], budgets=Budgets(max_iterations=needed - 1))
    assert cut.status is Status.BUDGET_EXCEEDED


def test_a_plan_within_the_depth_limit_is_found_beside_a_branch_that_is_not():
    domain = Domain("depth")
    domain.add_actions(lambda_named("act", lambda state: state))
    domain.add_task_methods("deep", lambda state: [("deep",), ("act",)])
    domain.add_task_methods("t", lambda state: [("deep",)])

    @domain.method(task="t")
    def shallow(state):
        return [("act",)]

    assert plan(domain, State(), [("t",)], budgets=Budgets(max_depth=5)).plan == (("act",),)


def lambda_named(name, function):
    function.__name__ = name
    return function


def test_a_blacklisted_command_is_avoided_only_with_the_same_arguments():
    assert plan(flags(), START, [("put_it",)], blacklist=[("put", 1)]).plan == (("put", 2),)
    assert plan(flags(), START, [("put_it",)], blacklist=[["put", 9]]).plan == (("put", 1),)


def test_what_the_persona_cannot_do_is_left_out():
    domain = Domain("mine")
    domain.command(lambda_named("dig", lambda state: state), requires=["mine"])
    domain.command(lambda_named("buy", lambda state: state))
    domain.method(task="get", name="by_digging", requires=["mine"])(lambda state: [("dig",)])
    domain.method(task="get", name="by_buying")(lambda state: [("buy",)])
    assert plan(domain, State(), [("get",)]).plan == (("dig",),)
    assert plan(domain, State(), [("get",)], capabilities={"mine"}).plan == (("dig",),)
    assert plan(domain, State(), [("get",)], capabilities=()).plan == (("buy",),)
    assert plan(domain, State(), [("dig",)], capabilities=()).status is Status.NO_PLAN


def test_an_unknown_item_is_an_error_with_the_path_and_the_nearest_name():
    domain = flags()
    domain.add_task_methods("outer", lambda state: [("putt", 3)])
    with pytest.raises(UnknownItemError) as caught:
        plan(domain, START, [("outer",)])
    assert caught.value.place == "outer()"
    assert "did you mean 'put'?" in str(caught.value)


def test_a_function_that_raises_is_reported_with_its_file_and_line():
    domain = Domain("broken")
    domain.add_task_methods("t", lambda state: [("t2", state.no_such["x"])])
    with pytest.raises(DomainFunctionError) as caught:
        plan(domain, START, [("t",)])
    assert "test_search.py:" in caught.value.place
    assert "no predicate 'no_such'" in str(caught.value)


def test_a_command_that_returns_nonsense_is_an_error():
    domain = Domain("nonsense")
    domain.add_actions(lambda_named("c", lambda state: 17))
    with pytest.raises(WrongReturnError, match="17"):
        plan(domain, START, [("c",)])


async def waits(state):
    return state


def yields(state):
    yield state


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("declare", "function", "words"),
    [
        (lambda domain, function: domain.add_actions(function), waits, "waits is async"),
        (lambda domain, function: domain.add_task_methods("t", function), waits, "waits is async"),
        (lambda domain, function: domain.add_actions(function), yields, "yields returned a generator"),
    ],
)
def test_what_cannot_be_waited_for_is_told_by_its_kind_and_without_an_address(declare, function, words):
    domain = Domain("waiting")
    declare(domain, function)
    with pytest.raises(WrongReturnError, match=words) as caught:
        plan(domain, START, [(domain.names()[0],)])
    assert "0x" not in str(caught.value)


def test_a_method_that_writes_is_an_error():
    domain = Domain("writes")

    @domain.method(task="t")
    def writing(state):
        state.flag["f"] = 9
        return []

    with pytest.raises(MethodWroteError, match="writing"):
        plan(domain, START, [("t",)])


@pytest.mark.parametrize("agenda", [("put", 3), "put", {"flag": {"f": 3}}, MultiGoal(flag={"f": 3}), 7], ids=str)
def test_an_agenda_must_be_a_list_of_items(agenda):
    with pytest.raises(InputError, match="list of items"):
        plan(flags(), START, agenda)


def test_domain_and_state_must_be_what_they_are_called():
    with pytest.raises(InputError, match="planvow Domain"):
        plan(None, START, [])
    with pytest.raises(InputError, match="planvow State"):
        plan(flags(), {"flag": {}}, [])


def test_a_negative_cost_is_refused_where_it_would_spoil_the_proof():
    domain = Domain("gift")
    domain.command(lambda_named("gift", lambda state: state), cost=-1)
    with pytest.raises(InputError, match="must not be negative"):
        plan(domain, State(), [("gift",)], optimal="cost")
    assert plan(domain, State(), [("gift",)]).success


def test_another_thread_can_end_a_search():
    stop = threading.Event()
    domain = Domain("endless")
    domain.add_task_methods("t", lambda state, n: [("t", n + 1)])
    results = []
    searching = threading.Event()
    worker = threading.Thread(
        target=lambda: results.append(
            plan(domain, State(), [("t", 0)], interrupt=stop.is_set, progress=lambda progress: searching.set())
        )
    )
    worker.start()
    assert searching.wait(timeout=60)
    stop.set()
    worker.join(timeout=60)
    assert results[0].status is Status.INTERRUPTED


def test_the_given_state_is_never_changed():
    start = State(flag={"f": 0})
    plan(flags(), start, [("put_it",), ("need", 3)])
    assert start == State(flag={"f": 0})


def shop() -> Domain:
    domain = Domain("shop")
    domain.command(lambda_named("step", lambda state, n: state), cost=lambda state, n: n)
    domain.method(task="way", name="dear_short", cost=9)(lambda state: [("step", 9)])
    domain.method(task="way", name="cheap_long", cost=3)(lambda state: [("step", 1)] * 3)
    domain.method(task="way", name="middle", cost=5)(lambda state: [("step", 2)] * 2)
    return domain


def test_selection_by_cost_tries_the_cheapest_method_first():
    assert plan(shop(), State(), [("way",)], selection="cost").plan == (("step", 1),) * 3


def test_branch_and_bound_proves_the_cheapest_and_the_shortest_plan():
    cheapest = plan(shop(), State(), [("way",), ("way",)], optimal="cost")
    assert (cheapest.cost, len(cheapest.plan), cheapest.proven_optimal) == (6, 6, True)
    shortest = plan(shop(), State(), [("way",), ("way",)], optimal="steps")
    assert (shortest.values, shortest.plan, shortest.proven_optimal) == ({"steps": 2}, (("step", 9), ("step", 9)), True)
    assert shortest.cost == 18


def test_a_lower_bound_saves_work_and_keeps_the_optimum():
    todo = [("way",)] * 5
    plain = plan(shop(), State(), todo, optimal="cost")
    bounded = plan(shop(), State(), todo, optimal="cost", lower_bound=lambda s, rest: 3 * rest.count(("way",)))
    assert bounded.cost == plain.cost == 15
    assert bounded.statistics.iterations < plain.statistics.iterations


@pytest.mark.parametrize("asks", range(1, 9))
def test_when_a_search_for_the_best_plan_is_interrupted_does_not_decide_which_plan_comes_out(asks):
    domain = Domain("errands")
    domain.command(name="dear", cost=2)(lambda state, errand: state)
    domain.command(name="cheap", cost=1)(lambda state, errand: state)
    domain.method(task="do", name="grandly")(lambda state, errand: [("dear", errand)])
    domain.method(task="do", name="simply")(lambda state, errand: [("cheap", errand)])
    left = iter(range(asks))
    how = {"optimal": "cost", "loop_guard": "off"}
    errands = [("do", number) for number in range(8)]
    result = plan(domain, State(), errands, interrupt=lambda: next(left, None) is None, **how)
    best = plan(domain, State(), errands, **how)
    assert (result.status, result.plan) in [(Status.INTERRUPTED, ()), (Status.SOLVED, best.plan)]


def test_an_interrupted_search_says_so():
    domain = Domain("endless")
    domain.add_task_methods("t", lambda state, n: [("t", n + 1)])
    assert plan(domain, State(), [("t", 0)], interrupt=lambda: True).status is Status.INTERRUPTED


def test_progress_is_told_while_searching():
    seen = []
    domain = Domain("endless")
    domain.add_task_methods("t", lambda state, n: [("t", n + 1)])
    plan(domain, State(), [("t", 0)], progress=seen.append, budgets=Budgets(max_iterations=1000))
    assert [p.iterations for p in seen] == [256, 512, 768]


def test_the_trace_names_every_choice_refusal_command_and_step_back():
    trace = TraceRecorder()
    plan(flags(), START, [("put_it",), ("need", 2)], trace=trace)
    assert [e.event_type for e in trace] == [
        "method_selected", "command", "method_selected", "command_refused", "dead_end", "backtrack",
        "method_selected", "command", "method_selected", "command",
    ]  # fmt: skip
    refusal = trace.events[3]
    assert (refusal.method_name, refusal.data["reason"]) == ("get", "the flag is 1")


def test_learned_selection_remembers_what_worked_only_when_given_its_scores():
    todo = [("put_it",), ("need", 3)]
    first = plan(flags(), START, todo, selection="learned")
    again = plan(flags(), START, todo, selection="learned")
    assert first.statistics == again.statistics
    later = plan(flags(), START, todo, selection="learned", scores=first.scores)
    assert later.plan == first.plan
    assert later.statistics.backtracks < first.statistics.backtracks
    assert first.scores.content_hash == again.scores.content_hash != later.scores.content_hash


class Limit:
    """A propagator that allows at most three units of the metadata's weight on the path."""

    def __init__(self):
        self.weights = []

    def push(self, visit):
        self.weights.append(visit.metadata.get("entity", [0])[0])
        return "too heavy" if sum(self.weights) > 3 else None

    def mark(self):
        return len(self.weights)

    def undo(self, mark):
        del self.weights[mark:]

    def report(self):
        return {"weight": sum(self.weights)}


def test_a_propagator_prunes_and_reports_and_is_undone():
    domain = flags()

    @domain.method(task="carry")
    def heavy(state):
        return [attach_metadata(("put", 1), entity_constraints=[2])]

    @domain.method(task="carry")
    def light(state):
        return [attach_metadata(("put", 2), entity_constraints=[1])]

    result = plan(domain, START, [("carry",), ("carry",)], propagators=[Limit])
    assert result.plan == (("put", 1), ("put", 2))
    assert result.reports == {"weight": 3}
    assert plan(domain, START, [("carry",)] * 4, propagators=[Limit]).status is Status.NO_PLAN
