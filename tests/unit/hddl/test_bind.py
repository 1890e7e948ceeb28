"""HDDL problems in the kernel: planned, repaired and explained like any other domain."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from hddl_instances import IPC, load_problem, needs_ipc, sample
from planvow.budgets import Budgets
from planvow.contract.certificate.build import build_certificate
from planvow.contract.certificate.reexecute import check_by_running
from planvow.errors import RefusedError
from planvow.hddl import parse_domain, parse_plan, parse_problem, verify_plan
from planvow.hddl.bind.binding import bind
from planvow.hddl.bind.follow import follow
from planvow.hddl.bind.plan import to_hddl_plan
from planvow.hddl.solve.entry import solve
from planvow.kernel import Status, plan

WORKSHOP = """(define (domain workshop)
  (:types part bench)
  (:predicates (on ?p - part ?b - bench) (free ?b - bench) (painted ?p - part) (copy ?p - part) (power))
  (:functions (total-cost) - number (price ?p - part) - number)
  (:task finish :parameters (?p - part))
  (:method paint-on-bench :parameters (?p - part ?b - bench) :task (finish ?p)
    :precondition (free ?b)
    :ordered-subtasks (and (put ?p ?b) (paint ?p ?b) (take ?p ?b)))
  (:method nothing-left :parameters (?p - part) :task (finish ?p) :precondition (painted ?p) :ordered-subtasks ())
  (:action put :parameters (?p - part ?b - bench) :precondition (free ?b) :effect (and (on ?p ?b) (not (free ?b))))
  (:action paint :parameters (?p - part ?b - bench) :precondition (and (on ?p ?b) (power))
    :effect (and (painted ?p) (forall (?o - part) (when (copy ?o) (painted ?o))) (increase (total-cost) (price ?p))))
  (:action take :parameters (?p - part ?b - bench) :precondition (on ?p ?b) :effect (and (free ?b) (not (on ?p ?b)))))
"""
ORDERS = """(define (problem two) (:domain workshop) (:objects wing wheel - part left right - bench)
  (:htn :parameters (?p - part) :ordered-subtasks (and (finish ?p)) :constraints (not (= ?p wing)))
  (:init (free right) (power) (copy wing) (= (price wheel) 7))
  (:goal (forall (?p - part) (painted ?p))))
"""


def workshop(problem: str = ORDERS, domain: str = WORKSHOP):
    return parse_problem(problem, parse_domain(domain))


def test_a_bound_problem_is_planned_by_the_kernel_and_accepted_by_the_verifier():
    bound = bind(workshop())
    result = plan(bound.domain, bound.state, bound.todo)
    assert result.plan == (("put", "wheel", "right"), ("paint", "wheel", "right"), ("take", "wheel", "right"))
    assert verify_plan(bound.problem, to_hddl_plan(bound, result))


def test_facts_are_triples_and_names_of_state_itself_are_moved_aside():
    state = bind(workshop()).state
    assert state.has("right", "free")
    assert state.has("", "power")
    assert state.has("wing", "copy_")
    assert not state.has(("wheel", "right"), "on")


def test_the_goal_is_checked_at_the_end():
    bound = bind(workshop(ORDERS.replace("(copy wing)", "")))
    assert plan(bound.domain, bound.state, bound.todo).status is Status.NO_PLAN


def test_a_changed_world_is_seen_when_planning_again():
    bound = bind(workshop())
    changed = bound.state.draft()
    changed.remove("right", "free")
    changed.set_predicate("left", "free", True)
    result = plan(bound.domain, changed, bound.todo)
    assert [step[-1] for step in result.plan] == ["left"] * 3


def test_a_cost_is_what_the_problem_says():
    bound = bind(workshop())
    command = bound.domain.commands["paint"]
    assert command.cost(bound.state, "wheel", "right") == 7


def test_a_problem_without_a_task_network_is_solved_by_actions_alone():
    text = "\n".join(line for line in ORDERS.splitlines() if "(:htn" not in line)
    bound = bind(workshop(text))
    result = plan(bound.domain, bound.state, bound.todo)
    assert result.success
    assert verify_plan(bound.problem, to_hddl_plan(bound, result))


def test_a_partially_ordered_problem_interleaves_its_tasks():
    domain = WORKSHOP.replace(
        ":ordered-subtasks (and (put ?p ?b) (paint ?p ?b) (take ?p ?b))",
        ":subtasks (and (c (take ?p ?b)) (a (put ?p ?b)) (b (paint ?p ?b))) :ordering (and (< a b) (< b c))",
    )
    both = ORDERS.replace(":parameters (?p - part)", ":parameters ()").replace("(:init", "(:init (free left)")
    both = both.replace(":ordered-subtasks (and (finish ?p))", ":subtasks (and (finish wing) (finish wheel))")
    both = both.replace(":constraints (not (= ?p wing))", "")
    bound = bind(workshop(both, domain))
    assert not bound.is_totally_ordered
    result = plan(bound.domain, bound.state, bound.todo)
    assert result.success
    assert verify_plan(bound.problem, to_hddl_plan(bound, result))


@needs_ipc
@pytest.mark.parametrize(("domain", "problem"), sample(1), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_what_the_kernel_finds_for_a_shared_problem_is_accepted_by_the_verifier(domain, problem):
    loaded = load_problem(domain, problem)
    bound = bind(loaded)
    limit = 3_000 if bound.is_totally_ordered else 300
    result = plan(bound.domain, bound.state, bound.todo, budgets=Budgets(max_iterations=limit))
    if result.success:
        assert verify_plan(loaded, to_hddl_plan(bound, result))
    else:
        assert result.status is Status.BUDGET_EXCEEDED


@needs_ipc
def test_every_valid_plan_of_the_field_can_be_followed_certified_and_given_back():
    judged = [json.loads(line) for line in (IPC / "verdicts.jsonl").read_text("utf-8").splitlines()]
    for case in [case for case in judged if case["valid"]]:
        problem = load_problem(IPC / case["domain"], IPC / case["problem"])
        bound = bind(problem)
        result = follow(bound, parse_plan(case["plan"]))
        assert verify_plan(problem, to_hddl_plan(bound, result)), case["problem"]
        assert build_certificate(result).verify(), case["problem"]


def test_a_plan_that_does_not_fit_cannot_be_followed():
    bound = bind(workshop())
    found = to_hddl_plan(bound, plan(bound.domain, bound.state, bound.todo))
    backwards = replace(
        found, decompositions=tuple(replace(p, children=p.children[::-1]) for p in found.decompositions)
    )
    with pytest.raises(RefusedError, match="no method gives its decomposition"):
        follow(bound, backwards)
    bound.state.remove("", "power")
    with pytest.raises(RefusedError, match="cannot be followed"):
        follow(bound, found)


def test_a_plan_without_a_task_network_can_be_followed():
    text = "\n".join(line for line in ORDERS.splitlines() if "(:htn" not in line)
    bound = bind(workshop(text))
    result = plan(bound.domain, bound.state, bound.todo)
    assert follow(bound, to_hddl_plan(bound, result)).trail == result.trail


def test_following_the_kernels_own_plan_gives_its_own_result():
    bound = bind(workshop())
    result = plan(bound.domain, bound.state, bound.todo)
    followed = follow(bound, to_hddl_plan(bound, result))
    assert followed.trail == result.trail
    assert followed.final_state == result.final_state


@needs_ipc
@pytest.mark.long
def test_the_kernel_and_the_solver_agree_on_small_shared_problems():
    for domain, problem in sample(1):
        loaded = load_problem(domain, problem)
        bound = bind(loaded)
        if bound.is_totally_ordered:
            found = plan(bound.domain, bound.state, bound.todo, budgets=Budgets(max_iterations=3_000))
            if found.success:
                assert solve(loaded.domain, loaded).status.is_success, problem


def test_a_refusal_names_the_condition_that_nothing_satisfies():
    bound = bind(workshop(ORDERS.replace("(free right)", "")))
    result = plan(bound.domain, bound.state, bound.todo)
    assert result.status is Status.NO_PLAN
    assert "nothing satisfies (free ?b)" in result.explain_text()
    assert "(painted wheel) is false" in result.explain_text()


@pytest.mark.parametrize("subtasks", [":ordered-subtasks", ":subtasks"])
def test_a_method_for_wider_types_does_not_widen_its_task(subtasks):
    domain = parse_domain(f"""(define (domain d) (:types cup - thing thing - object) (:predicates (done))
      (:task fill :parameters (?c - cup))
      (:method pour :parameters (?c - thing) :task (fill ?c) {subtasks} (and (pour) (pour)))
      (:action pour :parameters () :effect (done)))""")
    for name, status in (("mug", "solved"), ("stone", "no_plan")):
        problem = parse_problem(
            f"""(define (problem p) (:domain d) (:objects mug - cup stone - thing)
              (:htn :ordered-subtasks (fill {name})) (:init))""",
            domain,
        )
        assert solve(domain, problem).status == status
        bound = bind(problem)
        assert plan(bound.domain, bound.state, bound.todo).status == status


def test_what_runs_beside_a_method_may_come_between_it_and_its_first_action():
    """`leave` is chosen while the door is shut; somebody else opens it before the first action of `leave`."""
    domain = parse_domain("""(define (domain d) (:predicates (open) (out))
      (:task leave :parameters ())
      (:method by-the-door :parameters () :task (leave) :precondition (not (open)) :ordered-subtasks (walk))
      (:action walk :parameters () :precondition (open) :effect (out))
      (:action unlock :parameters () :effect (open)))""")
    problem = parse_problem(
        "(define (problem p) (:domain d) (:htn :subtasks (and (leave) (unlock))) (:init) (:goal (out)))", domain
    )
    assert solve(domain, problem).status == "solved"
    bound = bind(problem)
    result = plan(bound.domain, bound.state, bound.todo)
    assert result.plan == (("unlock",), ("walk",))
    assert check_by_running(build_certificate(result).document, bound.domain).fault is None
