"""Solvers agree with brute force on small random problems: plans verify, and «no plan» is said when it is true."""

from __future__ import annotations

import pytest

from hddl_brute_force import has_plan
from hddl_random import random_texts
from planvow.budgets import Budgets
from planvow.contract.certificate.build import build_certificate
from planvow.contract.certificate.reexecute import check_by_running
from planvow.hddl.bind.binding import bind
from planvow.hddl.lifted import splitting
from planvow.hddl.lifted.lookahead import Lookahead
from planvow.hddl.lifted.normal import NormalProblem
from planvow.hddl.parsing.text import parse_domain, parse_problem
from planvow.hddl.solve import grounding_turns
from planvow.hddl.solve.entry import solve
from planvow.hddl.solve.grounding_turns import Grounding
from planvow.hddl.verify.verifier import verify_plan
from planvow.kernel import plan
from planvow.status import Status

pytestmark = pytest.mark.long


def _problem(seed: int, *, partial: bool, recursive: bool):
    domain_text, problem_text = random_texts(seed, partial=partial, recursive=recursive)
    return parse_problem(problem_text, parse_domain(domain_text))


@pytest.mark.parametrize("search", ["auto", "lifted", "grounded"])
@pytest.mark.parametrize(("partial", "recursive"), [(False, False), (False, True), (True, False), (True, True)])
def test_answers_agree_with_brute_force(search: str, partial: bool, recursive: bool) -> None:
    _compare_with_brute_force(search, partial, recursive)


@pytest.mark.parametrize(("partial", "recursive"), [(False, False), (False, True), (True, False), (True, True)])
def test_methods_cut_wherever_they_can_be_change_no_answer(monkeypatch, partial: bool, recursive: bool) -> None:
    """What is grounded in parts is searched, and nothing else where there are any."""
    ways = grounding_turns.groundings
    monkeypatch.setattr(grounding_turns, "groundings", lambda *told, **how: ways(*told, **how)[-1:])
    monkeypatch.setattr(splitting, "MIN_WAYS", 0)
    monkeypatch.setattr(splitting, "MIN_SAVED", 0)
    assert _compare_with_brute_force("grounded", partial, recursive) > 10


def _compare_with_brute_force(search: str, partial: bool, recursive: bool) -> int:
    """Return how many of the problems have methods with beginnings of their own."""
    answers = {True: 0, False: 0}
    cut = 0
    for seed in range(80):
        problem = _problem(seed, partial=partial, recursive=recursive)
        normal = NormalProblem(problem)
        cut += normal.with_beginnings() is not normal
        outcome = solve(problem.domain, problem, search=search, budgets=Budgets(max_iterations=3_000))
        if outcome.plan is not None:
            verdict = verify_plan(problem, outcome.plan)
            assert verdict, f"seed {seed}: {verdict.reason}"
        truth = has_plan(problem, 800)
        if truth is None:
            continue
        answers[truth] += 1
        if outcome.status.is_success:
            assert truth, f"seed {seed}: a plan where there is none"
        elif outcome.status is Status.NO_PLAN:
            assert not truth, f"seed {seed}: «no plan» where there is one"
        else:
            assert outcome.status is Status.BUDGET_EXCEEDED
            assert search != "auto", f"seed {seed}: undecided, though brute force answers {truth}"
    assert min(answers.values()) > 10
    return cut


@pytest.mark.parametrize(("partial", "recursive"), [(False, False), (False, True), (True, False), (True, True)])
def test_the_kernel_agrees_with_brute_force(partial: bool, recursive: bool) -> None:
    """A problem loaded into the kernel has a plan there if and only if it has one; its certificates hold."""
    for seed in range(80):
        problem = _problem(seed, partial=partial, recursive=recursive)
        bound = bind(problem)
        result = plan(bound.domain, bound.state, bound.todo, budgets=Budgets(max_iterations=250))
        status = result.status
        if status.is_success:
            assert check_by_running(build_certificate(result).document, bound.domain).accepted, f"seed {seed}"
        truth = has_plan(problem, 800)
        if truth is not None and status is not Status.BUDGET_EXCEEDED:
            assert status.is_success == truth, f"seed {seed}"


def test_a_plan_that_is_left_as_it_is_is_the_shortest() -> None:
    """Where effort for a better plan is allowed and none is spent, the kernel's own branch and bound finds none."""
    left = 0
    for seed in range(80):
        problem = _problem(seed, partial=False, recursive=seed % 2 == 1)
        some, more = (solve(problem.domain, problem, search="lifted", improve=effort) for effort in (1, 5_000))
        if not some.plan or not some.plan.steps or some.statistics["effort"] != more.statistics["effort"]:
            continue
        bound = bind(problem)
        best = plan(bound.domain, bound.state, bound.todo, optimal="cost", budgets=Budgets(max_iterations=5_000))
        if best.status is Status.SOLVED:
            left += 1
            assert len(best.plan) == len(more.plan.steps), f"seed {seed}"
    assert left > 10


def test_left_recursion_that_must_be_pumped_is_found_by_every_search() -> None:
    """`t → [t, a]` or `[b]`, where the goal needs three times a: a rule that forbids repeats would lose the plan."""
    domain = parse_domain("""(define (domain d) (:predicates (n0) (n1) (n2) (n3)) (:task t :parameters ())
      (:method more :parameters () :task (t) :ordered-subtasks (and (t) (a)))
      (:method less :parameters () :task (t) :ordered-subtasks (b))
      (:action b :parameters () :effect (n0))
      (:action a :parameters () :precondition (n0) :effect (and
        (when (n0) (n1)) (when (n1) (n2)) (when (n2) (n3)))))""")
    problem = parse_problem(
        "(define (problem p) (:domain d) (:htn :ordered-subtasks (t)) (:init) (:goal (n3)))", domain
    )
    for search in ("auto", "lifted", "grounded"):
        outcome = solve(domain, problem, search=search, budgets=Budgets(max_iterations=50_000))
        assert outcome.status is Status.SOLVED, search
        assert [step.action for step in outcome.plan.steps] == ["b", "a", "a", "a"]


def test_that_one_order_has_no_plan_proves_nothing_about_the_others() -> None:
    """Either part begun has to be ended by the other one, so neither can be done as a whole before the other."""
    domain = parse_domain("""(define (domain d) (:predicates (left) (right))
      (:task x :parameters ()) (:task y :parameters ())
      (:method m :parameters () :task (x) :ordered-subtasks (and (go-left) (end-right)))
      (:method n :parameters () :task (y) :ordered-subtasks (and (go-right) (end-left)))
      (:action go-left :parameters () :effect (left)) (:action go-right :parameters () :effect (right))
      (:action end-left :parameters () :precondition (left) :effect (not (left)))
      (:action end-right :parameters () :precondition (right) :effect (not (right))))""")
    text = "(define (problem p) (:domain d) (:htn :subtasks (and (x) (y))) (:init))"
    problem = NormalProblem(parse_problem(text, domain))
    grounding = Grounding(problem, Lookahead(problem, in_sequence=False, is_proof=True), "down")
    grounding.run(1_000)
    searches = grounding.searches(None, novel=(True, True), diverse=True)
    for search in searches:
        search.run(1_000)
    found = {search.name: (search.solution is not None, search.is_exhausted, search.is_proof) for search in searches}
    assert found["grounded lazy in order"] == found["grounded eager in order"] == (False, True, False)
    assert found["grounded lazy"][0]
    assert found["grounded eager"][0]


@pytest.mark.parametrize("search", ["auto", "grounded"])
def test_tasks_that_can_only_be_done_with_the_help_of_others_in_between_are_done(search: str) -> None:
    """What a later subtask needs comes from another task, which can bring it about only after an earlier subtask."""
    domain = parse_domain("""(define (domain d) (:predicates (open) (full) (sugar) (stirred))
      (:task tea :parameters ()) (:task sweeten :parameters ())
      (:method m :parameters () :task (tea) :ordered-subtasks (and (unlid) (drink)))
      (:method n :parameters () :task (sweeten) :ordered-subtasks (and (pour) (stir)))
      (:action unlid :parameters () :effect (and (open) (sugar)))
      (:action pour :parameters () :effect (full))
      (:action stir :parameters () :precondition (sugar) :effect (stirred))
      (:action drink :parameters () :precondition (full) :effect (not (full))))""")
    both = "(define (problem p) (:domain d) (:htn :subtasks (and (tea) (sweeten))) (:init) (:goal (stirred)))"
    helped = parse_domain(
        """(define (domain d) (:predicates (open) (full)) (:task tea :parameters ())
      (:method m :parameters () :task (tea) :ordered-subtasks (and (unlid) (drink)))
      (:action unlid :parameters () :effect (open))
      (:action pour :parameters () :precondition (open) :effect (full))
      (:action drink :parameters () :precondition (full) :effect (not (full))))"""
    )
    alone = "(define (problem p) (:domain d) (:htn :subtasks (and (tea) (pour))) (:init))"
    for read, text in ((domain, both), (helped, alone)):
        outcome = solve(read, parse_problem(text, read), search=search)
        assert outcome.status is Status.SOLVED
        kept_full = text.replace("(:goal (stirred))", "").replace("(:init)", "(:init) (:goal (full))")
        assert solve(read, parse_problem(kept_full, read), search=search).status is Status.NO_PLAN
