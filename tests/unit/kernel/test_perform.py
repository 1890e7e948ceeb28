"""Perform mode: selection, rollback, retry, parking, skipping, dedup, budgets, trace."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from planvow.clock import LogicalClock
from planvow.errors import InputError, NotCanonicalError
from planvow.kernel.perform.budgets import BudgetStatus, PlannerBudgets
from planvow.kernel.perform.journal import Blackboard
from planvow.kernel.perform.method import MethodKind, OperatorResult, OperatorStatus, PerformDomain
from planvow.kernel.perform.performer import HTNPlanner
from planvow.kernel.perform.task import Task
from planvow.status import Status

ROOT_SPAN = (0, 10)


@dataclass
class Board(Blackboard):
    kept_on_rollback = frozenset({"llm_calls", "llm_tokens_used"})

    notes: list[str] = field(default_factory=list)
    llm_calls: int = 0
    llm_tokens_used: int = 0


def done(**extra: Any) -> OperatorResult:
    return OperatorResult(status=OperatorStatus.SUCCESS, **extra)


def add_operator(domain, name, task, act, *, cost=1.0, applies=lambda s, t: True, llm=False):
    """Register a primitive that calls `act(state, task)`."""

    @domain.method(name, task, cost, llm, kind=MethodKind.PRIMITIVE)
    class Operator:
        def preconditions(self, state, item):
            return applies(state, item)

        def cost(self, state, item):
            return self._base_cost

        def execute(self, state, item):
            return act(state, item)


def add_compound(domain, name, task, split, *, cost=1.0):
    """Register a compound whose subtasks are `split(state, task)`."""

    @domain.method(name, task, cost, kind=MethodKind.COMPOUND)
    class Compound:
        def preconditions(self, state, item):
            return True

        def cost(self, state, item):
            return self._base_cost

        def decompose(self, state, item):
            return split(state, item)


def note(text):
    def act(state, task):
        state.notes.append(text)
        return done()

    return act


def item(task_type: str, **params: Any) -> Task:
    return Task.create(task_type, params, ROOT_SPAN)


def events(result, kind):
    return [event for event in result.trace if event.event_type == kind]


def run(domain, root="ROOT", *, budgets=None, board=None, **options):
    board = board or Board()
    result = HTNPlanner(budgets, domain=domain, **options).run(item(root), board)
    return result, board


def test_subtasks_run_depth_first_in_the_order_given():
    domain = PerformDomain("d")
    add_compound(domain, "split", "ROOT", lambda s, t: [item("PAIR", n=1), item("PAIR", n=2)])
    add_compound(domain, "pair", "PAIR", lambda s, t: [item("SAY", n=t.params["n"], half=h) for h in "ab"])
    add_operator(domain, "say", "SAY", lambda s, t: (s.notes.append(f"{t.params['n']}{t.params['half']}"), done())[1])
    result, board = run(domain)
    assert board.notes == ["1a", "1b", "2a", "2b"]
    assert result.success
    assert result.status is Status.SOLVED
    assert result.stats.tasks_executed == 7


def test_the_cheapest_applicable_method_is_taken_and_ties_go_to_the_first_registered():
    domain = PerformDomain("d")
    add_operator(domain, "dear", "ROOT", note("dear"), cost=9)
    add_operator(domain, "never", "ROOT", note("never"), cost=0, applies=lambda s, t: False)
    add_operator(domain, "first", "ROOT", note("first"), cost=2)
    add_operator(domain, "second", "ROOT", note("second"), cost=2)
    _, board = run(domain)
    assert board.notes == ["first"]


def test_a_failed_method_leaves_nothing_behind_and_the_next_cheapest_is_tried():
    domain = PerformDomain("d")

    def spoil(state, task):
        state.notes.append("spoilt")
        state.extra = ["also"]
        return OperatorResult(status=OperatorStatus.FAILED, error="no luck")

    add_operator(domain, "cheap", "ROOT", spoil, cost=1)
    add_operator(domain, "good", "ROOT", note("good"), cost=2)
    result, board = run(domain)
    assert board.notes == ["good"]
    assert not hasattr(board, "extra")
    assert result.success
    assert result.stats.backtracks == 1
    assert result.stats.undone_changes == 2
    assert [e.method_name for e in events(result, "OPERATOR_FAILED")] == ["cheap"]
    assert [e.method_name for e in events(result, "METHOD_SELECTED")] == ["cheap", "good"]


def test_when_every_method_fails_the_run_goes_on_and_says_so():
    domain = PerformDomain("d")
    add_compound(domain, "split", "ROOT", lambda s, t: [item("BAD"), item("GOOD")])
    add_operator(domain, "bad", "BAD", lambda s, t: OperatorResult(status=OperatorStatus.FAILED, error="broken"))
    add_operator(domain, "good", "GOOD", note("good"))
    result, board = run(domain)
    assert board.notes == ["good"]
    assert not result.success
    assert result.status is Status.PARTIAL
    assert [d.diagnostic_type for d in result.diagnostics] == ["OPERATOR_FAILED"]
    assert "bad: broken" in result.diagnostics[0].message


def test_an_exception_is_reported_with_its_file_and_line_and_rolled_back():
    domain = PerformDomain("d")

    def explode(state, task):
        state.notes.append("before")
        raise ValueError("boom")

    add_operator(domain, "explode", "ROOT", explode)
    result, board = run(domain)
    assert board.notes == []
    assert "ValueError: boom (test_perform.py:" in result.diagnostics[0].message
    assert len(events(result, "OPERATOR_EXCEPTION")) == 1


def test_an_exception_in_preconditions_is_a_diagnostic_and_other_methods_still_count():
    domain = PerformDomain("d")

    def broken(state, task):
        raise KeyError("missing")

    add_operator(domain, "broken", "ROOT", note("broken"), applies=broken)
    add_operator(domain, "sound", "ROOT", note("sound"), cost=5)
    result, board = run(domain)
    assert board.notes == ["sound"]
    assert [d.diagnostic_type for d in result.diagnostics] == ["METHOD_EXCEPTION"]


def test_a_blocked_task_is_undone_parked_and_reported():
    domain = PerformDomain("d")

    def wait(state, task):
        state.notes.append("half")
        return OperatorResult(status=OperatorStatus.BLOCKED, error="the archive is closed")

    add_compound(domain, "split", "ROOT", lambda s, t: [item("WAIT"), item("GO")])
    add_operator(domain, "wait", "WAIT", wait)
    add_operator(domain, "go", "GO", note("go"))
    result, board = run(domain)
    assert board.notes == ["go"]
    assert [(p.task_type, p.reason) for p in result.parked] == [("WAIT", "the archive is closed")]
    assert result.status is Status.BLOCKED


def test_an_operator_whose_preconditions_fell_in_the_meantime_is_skipped():
    domain = PerformDomain("d")
    answers = iter([True, False])
    add_operator(domain, "shy", "ROOT", note("ran"), applies=lambda s, t: next(answers))
    result, board = run(domain)
    assert board.notes == []
    assert events(result, "OPERATOR_EXECUTED")[0].data["status"] == "SKIPPED"
    assert result.success


def test_an_empty_compound_is_done_and_not_a_failure():
    domain = PerformDomain("d")
    add_compound(domain, "nothing", "ROOT", lambda s, t: [])
    result, _ = run(domain)
    assert result.success
    assert result.stats.backtracks == 0


def test_no_method_is_a_diagnostic_and_the_run_goes_on():
    domain = PerformDomain("d")
    add_compound(domain, "split", "ROOT", lambda s, t: [item("UNHEARD_OF"), item("GO")])
    add_operator(domain, "go", "GO", note("go"))
    result, board = run(domain)
    assert board.notes == ["go"]
    assert [d.diagnostic_type for d in result.diagnostics] == ["NO_METHOD"]
    assert not result.success


def test_equal_tasks_are_done_once_only_where_that_was_asked_for():
    domain = PerformDomain("d")
    add_compound(
        domain,
        "split",
        "ROOT",
        lambda s, t: [item("ONCE"), item("ONCE"), item("EACH"), item("EACH"), item("ONCE", n=1)],
    )
    domain.deduplicate("ONCE")
    add_operator(domain, "once", "ONCE", note("once"))
    add_operator(domain, "each", "EACH", note("each"))
    result, board = run(domain)
    assert board.notes == ["once", "each", "each", "once"]
    assert len(events(result, "DEDUP_SKIP")) == result.stats.dedup_skips == 1


def test_a_task_that_brings_its_own_key_is_deduplicated():
    domain = PerformDomain("d")
    twins = [Task.create("SAY", {"n": n}, ROOT_SPAN, dedup_key="same") for n in (1, 2)]
    add_compound(domain, "split", "ROOT", lambda s, t: twins)
    add_operator(domain, "say", "SAY", note("said"))
    _, board = run(domain)
    assert board.notes == ["said"]


def test_a_planner_can_be_used_again():
    domain = PerformDomain("d")
    domain.deduplicate("ROOT")
    add_operator(domain, "say", "ROOT", note("said"))
    planner = HTNPlanner(domain=domain)
    boards = [Board(), Board()]
    results = [planner.run(item("ROOT"), board) for board in boards]
    assert [board.notes for board in boards] == [["said"], ["said"]]
    assert [result.stats.tasks_executed for result in results] == [1, 1]


@pytest.mark.parametrize(
    ("budgets", "cut", "kept"),
    [
        (PlannerBudgets(max_children_per_task=2), BudgetStatus.CHILD_LIMIT, 2),
        (PlannerBudgets(max_depth=0), BudgetStatus.DEPTH_EXCEEDED, 0),
        (PlannerBudgets(max_tasks=3), BudgetStatus.TASK_LIMIT, 2),
    ],
)
def test_hard_limits_trim_loudly(budgets, cut, kept):
    domain = PerformDomain("d")
    add_compound(domain, "split", "ROOT", lambda s, t: [item("SAY", n=n) for n in range(5)])
    add_operator(domain, "say", "SAY", note("said"))
    result, board = run(domain, budgets=budgets)
    assert len(board.notes) == kept
    assert result.truncated
    assert not result.success
    assert result.budget_status is cut
    assert result.status is Status.BUDGET_EXCEEDED
    assert cut.name in [d.diagnostic_type for d in result.diagnostics]
    assert events(result, "BUDGET_TRIM_CHILDREN")
    assert not events(result, "HARD_BUDGET_EXCEEDED")  # what is trimmed is not begun


def test_the_task_limit_stops_a_domain_that_never_ends():
    domain = PerformDomain("d")
    add_compound(domain, "again", "ROOT", lambda s, t: [item("ROOT", n=t.depth), item("ROOT")])
    result, _ = run(domain, budgets=PlannerBudgets(max_tasks=200, max_depth=None))
    assert result.stats.tasks_executed == 200
    assert result.budget_status is BudgetStatus.TASK_LIMIT
    assert len(events(result, "HARD_BUDGET_EXCEEDED")) == 1


def test_the_time_limit_works_only_through_the_clock_that_was_passed_in():
    domain = PerformDomain("d")
    add_compound(domain, "split", "ROOT", lambda s, t: [item("SAY", n=n) for n in range(40)])
    add_operator(domain, "say", "SAY", note("said"))
    budgets = PlannerBudgets(global_time_budget_ms=50)
    timed, board = run(domain, budgets=budgets, clock=LogicalClock(tick_ms=1))
    assert timed.budget_status is BudgetStatus.TIME_EXCEEDED
    assert timed.status is Status.INTERRUPTED
    assert len(board.notes) < 40
    untimed, board = run(domain, budgets=budgets)
    assert untimed.success
    assert len(board.notes) == 40
    assert untimed.stats.elapsed_ms == 0


def test_a_caller_can_interrupt():
    domain = PerformDomain("d")
    add_compound(domain, "split", "ROOT", lambda s, t: [item("SAY", n=n) for n in range(5)])
    add_operator(domain, "say", "SAY", note("said"))
    countdown = iter([False, False, True])
    result, board = run(domain, interrupt=lambda: next(countdown))
    assert result.status is Status.INTERRUPTED
    assert board.notes == ["said"]


def test_an_operator_over_its_own_time_is_traced_and_changes_nothing():
    domain = PerformDomain("d")
    add_operator(domain, "slow", "ROOT", note("said"))
    result, board = run(domain, clock=LogicalClock(tick_ms=5000), budgets=PlannerBudgets(global_time_budget_ms=None))
    assert board.notes == ["said"]
    assert len(events(result, "SOFT_BUDGET_TASK_TIME")) == 1
    assert result.success


def test_the_backtrack_limit_is_soft_it_ends_the_retries_and_not_the_run():
    domain = PerformDomain("d")
    add_compound(domain, "split", "ROOT", lambda s, t: [item("TRY", n=n) for n in range(3)])
    fail = OperatorResult(status=OperatorStatus.FAILED, error="no")
    add_operator(domain, "first", "TRY", lambda s, t: fail, cost=1)
    add_operator(domain, "second", "TRY", note("second"), cost=2)
    result, board = run(domain, budgets=PlannerBudgets(max_backtracks_global=1))
    assert board.notes == ["second"]
    kinds = [d.diagnostic_type for d in result.diagnostics]
    assert kinds.count("BACKTRACK_LIMIT") == 1
    assert result.stats.tasks_executed == 4
    assert len(events(result, "SOFT_BUDGET_BACKTRACKS")) == 1


@pytest.mark.parametrize(
    ("budgets", "event"),
    [
        (PlannerBudgets(max_llm_calls_per_transcript=2), "SOFT_BUDGET_LLM_CALLS"),
        (PlannerBudgets(max_llm_tokens=150), "SOFT_BUDGET_LLM_TOKENS"),
    ],
)
def test_llm_budgets_are_checked_before_a_call_and_the_cheap_method_takes_over(budgets, event):
    domain = PerformDomain("d")

    def ask(state, task):
        state.llm_calls += 1
        state.llm_tokens_used += 100
        state.notes.append("asked")
        return done()

    add_compound(domain, "split", "ROOT", lambda s, t: [item("CLASSIFY", n=n) for n in range(4)])
    add_operator(domain, "llm", "CLASSIFY", ask, cost=1, llm=True)
    add_operator(domain, "rule", "CLASSIFY", note("rule"), cost=2)
    result, board = run(domain, budgets=budgets)
    assert board.notes == ["asked", "asked", "rule", "rule"]
    assert result.stats.llm_calls == 2
    assert len(events(result, event)) == 1
    assert result.success  # a soft limit is a warning


def test_what_was_spent_on_a_model_stays_spent_when_its_operator_fails():
    domain = PerformDomain("d")

    def ask(state, task):
        state.llm_calls += 1
        state.notes.append("asked")
        return OperatorResult(status=OperatorStatus.FAILED, error="nonsense")

    add_operator(domain, "llm", "ROOT", ask, cost=1, llm=True)
    add_operator(domain, "rule", "ROOT", note("rule"), cost=2)
    result, board = run(domain)
    assert board.notes == ["rule"]
    assert result.stats.llm_calls == 1


def test_lineage_names_the_methods_from_the_root_down():
    domain = PerformDomain("d")
    seen = []
    add_compound(domain, "Split", "ROOT", lambda s, t: [item("MIDDLE")])
    add_compound(domain, "Middle", "MIDDLE", lambda s, t: [item("LEAF")])
    add_operator(domain, "Leaf", "LEAF", lambda s, t: (seen.append(t.method_path), done())[1])
    run(domain)
    assert seen == [("Split", "Middle", "Leaf")]


def test_task_ids_derive_from_parent_content_and_place():
    domain = PerformDomain("d")
    seen = []
    add_compound(domain, "split", "ROOT", lambda s, t: [item("SAY"), item("SAY"), item("SAY", n=1)])
    add_operator(domain, "say", "SAY", lambda s, t: (seen.append(t.task_id), done())[1])
    run(domain)
    first = list(seen)
    seen.clear()
    run(domain)
    assert seen == first
    assert len(set(first)) == 3
    twice = PerformDomain("twice")
    ids = []
    add_compound(twice, "split", "ROOT", lambda s, t: [item("SIDE", n=1), item("SIDE", n=2)])
    add_compound(twice, "side", "SIDE", lambda s, t: [item("SAY")])
    add_operator(twice, "say", "SAY", lambda s, t: (ids.append(t.task_id), done())[1])
    run(twice)
    assert len(set(ids)) == 2  # the same work for two parents


def test_params_that_are_not_plain_json_are_refused():
    with pytest.raises(NotCanonicalError):
        Task.create("SAY", {"thing": object()}, ROOT_SPAN)


def test_a_board_without_a_journal_is_refused():
    with pytest.raises(InputError, match="undo journal"):
        HTNPlanner(domain=PerformDomain("d")).run(item("ROOT"), object())


def test_a_wrong_answer_of_an_operator_is_a_failure_with_a_reason():
    domain = PerformDomain("d")
    add_operator(domain, "wrong", "ROOT", lambda s, t: "fine")
    result, _ = run(domain)
    assert "must return an OperatorResult" in result.diagnostics[0].message


def test_depth_is_not_bounded_by_the_recursion_limit():
    domain = PerformDomain("d")
    add_compound(domain, "again", "ROOT", lambda s, t: [item("ROOT", n=t.depth)] if t.depth < 5_000 else [])
    result, _ = run(domain, budgets=PlannerBudgets(max_tasks=None, max_depth=None))
    assert result.stats.tasks_executed == 5_001


@pytest.mark.long
def test_two_processes_with_different_hash_seeds_leave_the_same_trace():
    tests = str(Path(__file__).parents[2])
    code = (
        f"import sys; sys.path.insert(0, {tests!r})\n"
        "from unit.kernel.test_perform import *\n"
        "d = PerformDomain('d'); add_compound(d, 'split', 'ROOT', lambda s, t: [item('SAY', n=n) for n in range(9)])\n"
        "add_operator(d, 'say', 'SAY', note('x')); planner = HTNPlanner(domain=d)\n"
        "planner.run(item('ROOT'), Board()); print(planner.trace.export_json())"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, check=True, env={"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("0", "1", "77")
    }
    assert len(outputs) == 1
    assert b"METHOD_SELECTED" in outputs.pop()
