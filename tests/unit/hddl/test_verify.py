"""The verifier says what is wrong, in words, at the first fault."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from hddl_instances import load_problem, needs_ipc, sample
from planvow.budgets import Budgets
from planvow.errors import BudgetExceededError
from planvow.hddl import HddlPlan, parse_domain, parse_plan, parse_problem, verify_plan
from planvow.hddl.solve.entry import solve
from planvow.hddl.verify.verifier import Condition as Must
from planvow.hddl.verify.verifier import verify_text

SHIP = """(define (domain ship)
  (:types box deck) (:constants top - deck)
  (:predicates (on ?b - box ?d - deck) (ready))
  (:task stow :parameters (?b - box))
  (:task both :parameters (?a ?b - box))
  (:method one-by-one :parameters (?a ?b - box) :task (both ?a ?b)
    :subtasks (and (second (stow ?b)) (first (stow ?a))) :ordering (< first second) :constraints (not (= ?a ?b)))
  (:method on-any :parameters (?b - box ?d - deck) :task (stow ?b) :precondition (ready) :subtasks (put ?b ?d))
  (:method on-top :parameters (?b - box) :task (stow ?b) :precondition (on ?b top) :subtasks ())
  (:action put :parameters (?b - box ?d - deck) :precondition (not (on ?b ?d)) :effect (on ?b ?d)))
"""
CARGO = """(define (problem cargo) (:domain ship) (:objects tin crate - box low - deck)
  (:htn :subtasks (both tin crate)) (:init (ready)) (:goal (on crate top)))
"""
PLAN = """==>
1 put tin low
2 put crate top
root 0
0 both tin crate -> one-by-one 3 4
3 stow tin -> on-any 1
4 stow crate -> on-any 2
<==
"""
PROBLEM = parse_problem(CARGO, parse_domain(SHIP))


def test_the_plan_is_right():
    assert verify_text(PROBLEM, PLAN)


@pytest.mark.parametrize(
    ("old", "new", "fault", "reason", "line"),
    [
        ("2 put crate top", "1 put crate top", Must.STRUCTURE, "identifier 1 is used twice", 3),
        ("3 4\n", "3 4 9\n", Must.STRUCTURE, "has the part 9, which is not in the plan", 5),
        ("root 0", "root 0 0", Must.STRUCTURE, "0 is a part of the root and of the root", 4),
        ("3 4\n", "4\n", Must.STRUCTURE, "3 (stow tin) is no part of the root or of any task", 6),
        ("root 0\n0 both tin crate -> one-by-one 3 4", "root\n0 both tin crate -> one-by-one 3 4 0", Must.STRUCTURE,
         "is below itself", 5),
        ("1 put tin low", "1 place tin low", Must.ACTION, "there is no action 'place'", 2),
        ("1 put tin low", "1 Put tin low", Must.ACTION, "did you mean 'put'?", 2),
        ("1 put tin low", "1 put tin", Must.ACTION, "action 'put' takes 2 arguments, found 1", 2),
        ("1 put tin low", "1 put low tin", Must.ACTION, "low is not a box", 2),
        ("1 put tin low", "1 put tin sea", Must.ACTION, "there is no object 'sea'", 2),
        ("1 put tin low", "1 put crate top", Must.PRECONDITION, "(on crate top) is true", 3),
        ("3 stow tin", "3 stow crate", Must.DECOMPOSITION, "expected parts that match", 5),
        ("3 stow tin", "3 stow tin tin", Must.DECOMPOSITION, "expected parts that match", 5),
        ("0 both tin crate", "0 both crate tin", Must.DECOMPOSITION, "expected parts that match (both tin crate)", 4),
        ("on-any 1", "on-all 1", Must.DECOMPOSITION, "there is no method 'on-all'; did you mean 'on-any'?", 6),
        ("on-any 1", "one-by-one 1", Must.DECOMPOSITION, "method 'one-by-one' decomposes 'both', not 'stow'", 6),
        ("one-by-one 3 4", "one-by-one 4 3", Must.DECOMPOSITION, "in an order they allow", 5),
        ("4 stow crate -> on-any 2", "4 stow crate -> on-top 2", Must.DECOMPOSITION, "expected 0 parts, found 1", 7),
        ("1 put tin low\n2 put crate top", "2 put crate top\n1 put tin low", Must.ORDERING,
         "part 3 must be done before part 4", 5),
        ("2 put crate top", "2 put crate low", Must.GOAL, "(on crate top) is false", 8),
        ("root 0", "", Must.FORMAT, "expected a line `root", 8),
    ],
)  # fmt: skip
def test_a_wrong_plan_is_rejected_with_the_reason_and_the_line(old, new, fault, reason, line):
    assert old in PLAN
    verdict = verify_text(PROBLEM, PLAN.replace(old, new), file="p")
    assert not verdict
    assert (verdict.fault.condition, verdict.place.split(":")[1]) == (fault, str(line)), verdict
    assert reason in verdict.reason


def test_a_method_precondition_must_hold_before_the_methods_first_action():
    unready = parse_problem(CARGO.replace("(ready)", ""), PROBLEM.domain)
    verdict = verify_text(unready, PLAN)
    assert verdict.fault.condition == Must.METHOD_PRECONDITION
    assert "(ready) is false" in verdict.reason


def test_constraints_are_checked():
    same = parse_problem(
        CARGO.replace("both tin crate", "both tin tin").replace("crate top", "tin top"), PROBLEM.domain
    )
    text = (
        PLAN.replace("both tin crate", "both tin tin")
        .replace("put crate top", "put tin top")
        .replace("stow crate", "stow tin")
    )
    verdict = verify_text(same, text)
    assert "the constraints of the method are violated" in verdict.reason


def test_a_problem_without_a_network_needs_no_decomposition():
    classical = parse_problem(CARGO.replace("(:htn :subtasks (both tin crate))", ""), PROBLEM.domain)
    assert verify_text(classical, "==>\n1 put crate top\nroot 1\n<==\n")
    assert verify_text(classical, PLAN).fault.condition == Must.DECOMPOSITION


@pytest.mark.long
def test_a_deep_decomposition_is_no_problem():
    domain = parse_domain(
        "(define (domain d) (:task t) (:action a) (:method more :task (t) :ordered-subtasks (and (a) (t)))"
        "(:method stop :task (t) :subtasks ()))"
    )
    problem = parse_problem("(define (problem p) (:htn :subtasks (t)))", domain)
    depth = 20_000
    steps = "".join(f"{i} a\n" for i in range(depth))
    parts = "".join(f"{depth + i} t -> more {i} {depth + i + 1}\n" for i in range(depth))
    text = f"==>\n{steps}root {depth}\n{parts}{2 * depth} t -> stop\n<==\n"
    assert verify_plan(problem, parse_plan(text))


def spoilt(plan: HddlPlan, chance: random.Random) -> list[HddlPlan]:
    """Return variants of a right plan of which each is surely wrong."""
    wrong = []
    if plan.steps:
        index = chance.randrange(len(plan.steps))
        step = plan.steps[index]
        rest = plan.steps[:index] + plan.steps[index + 1 :]
        wrong.append(replace(plan, steps=rest))
        wrong.append(replace(plan, steps=(*plan.steps, replace(step, step_id=10**9))))
        for bad in (replace(step, action="no-such-action"), replace(step, arguments=(*step.arguments, "extra"))):
            wrong.append(replace(plan, steps=(*plan.steps[:index], bad, *plan.steps[index + 1 :])))
    if plan.decompositions:
        index = chance.randrange(len(plan.decompositions))
        part = plan.decompositions[index]
        rest = plan.decompositions[:index] + plan.decompositions[index + 1 :]
        wrong.append(replace(plan, decompositions=rest))
        for bad in (
            replace(part, method="no-such-method"),
            replace(part, task="no-such-task"),
            replace(part, children=(*part.children, part.task_id)),
            replace(part, children=part.children[1:]) if part.children else replace(part, method="none"),
        ):
            wrong.append(
                replace(plan, decompositions=(*plan.decompositions[:index], bad, *plan.decompositions[index + 1 :]))
            )
    if plan.roots:
        wrong.append(replace(plan, roots=plan.roots[1:]))
    return wrong


@needs_ipc
@pytest.mark.parametrize(("domain", "problem"), sample(2), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_plans_of_the_solver_are_accepted_and_spoilt_ones_rejected(domain, problem):
    loaded = load_problem(domain, problem)
    outcome = solve(loaded.domain, loaded, budgets=Budgets(max_iterations=2_000))
    if outcome.plan is None:
        pytest.skip("not solved within 2,000 expansions")
    assert verify_plan(loaded, outcome.plan)
    chance = random.Random(problem.stem)
    for _ in range(5):
        assert not any(verify_plan(loaded, wrong) for wrong in spoilt(outcome.plan, chance))


TWICE = parse_problem(
    """(define (problem p) (:domain d) (:init)
      (:htn :subtasks (and (x (wait)) (y (wait)) (z (check))) :ordering (< y z)))""",
    parse_domain("""(define (domain d) (:predicates (rung))
      (:task wait :parameters ()) (:task check :parameters ())
      (:method hear :parameters () :task (wait) :subtasks (ring))
      (:method look :parameters () :task (check) :precondition (not (rung)) :subtasks ())
      (:method idle :parameters () :task (wait) :subtasks ())
      (:action ring :parameters () :effect (rung)))"""),
)


@pytest.mark.parametrize("parts", ["1 2 3", "2 1 3", "2 3 1"])
def test_parts_that_look_alike_are_seen_as_the_subtasks_that_make_the_plan_right(parts):
    """Which of both waited before the check is not said: the one without a bell can have."""
    plan = f"==>\n0 ring\nroot {parts}\n1 wait -> hear 0\n2 wait -> idle\n3 check -> look\n<==\n"
    assert verify_text(TWICE, plan)
    both = plan.replace("0 ring\n", "0 ring\n4 ring\n").replace("2 wait -> idle", "2 wait -> hear 4")
    verdict = verify_text(TWICE, both)
    assert verdict.fault.condition == "method_precondition"


def test_ways_that_are_too_many_to_try_are_no_verdict(monkeypatch):
    monkeypatch.setattr("planvow.hddl.verify.verifier.MAX_WAYS", 1)
    plan = "==>\n0 ring\nroot 1 2 3\n1 wait -> idle\n2 wait -> hear 0\n3 check -> look\n<==\n"
    with pytest.raises(BudgetExceededError, match="ways to see the parts of tasks as subtasks = 1"):
        verify_text(TWICE, plan)
