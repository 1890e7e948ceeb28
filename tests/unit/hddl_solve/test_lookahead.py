"""What the look-ahead knows: `forall` written out, facts that only seem to come back, types of what may be added."""

from __future__ import annotations

import sys

from planvow.hddl.grounded.grounding import Grounder
from planvow.hddl.grounded.problem import GroundProblem, look_ahead
from planvow.hddl.lifted.agenda import Workshop
from planvow.hddl.lifted.expansion import MAX_LITERALS
from planvow.hddl.lifted.lookahead import Lookahead
from planvow.hddl.lifted.normal import NormalProblem
from planvow.hddl.parsing.text import parse_domain, parse_problem

DOMAIN = """(define (domain blocks) (:types block - thing)
  (:predicates (wanted ?b - block) (placed ?b - block) (sealed) (fresh ?b - block))
  (:task finish :parameters ())
  (:task touch :parameters (?b - block))
  (:method end :parameters () :task (finish) :ordered-subtasks (seal))
  (:method one :parameters (?b - block) :task (touch ?b) :ordered-subtasks (and (keep ?b) (use ?b)))
  (:action seal :parameters ()
    :precondition (forall (?b - block) (or (not (wanted ?b)) (placed ?b))) :effect (sealed))
  (:action place :parameters (?b - block) :precondition () :effect (and (placed ?b) (not (fresh ?b))))
  (:action keep :parameters (?b - block) :precondition (fresh ?b) :effect (fresh ?b))
  (:action use :parameters (?b - block) :precondition (fresh ?b) :effect (not (fresh ?b))))"""


def _problem(count: int = 4, goal: str = "(sealed)", tasks: str = "(place b0) (touch b1) (place b1)") -> NormalProblem:
    names = [f"b{number}" for number in range(count)]
    wanted = " ".join(f"(wanted {name})" for name in names[:2])
    text = f"""(define (problem p) (:domain blocks) (:objects {" ".join(names)} - block)
      (:htn :ordered-subtasks (and {tasks} (finish)))
      (:init {wanted} (fresh b0) (fresh b1)) (:goal {goal}))"""
    return NormalProblem(parse_problem(text, parse_domain(DOMAIN)))


def _named(problem: NormalProblem, literals) -> set[str]:
    return {
        " ".join((problem.predicates[literal.predicate], *(problem.objects[~term] for term in literal.terms)))
        for literal in literals
    }


def test_a_forall_over_few_objects_becomes_literals_of_what_can_change():
    problem = _problem()
    seal = next(action for action in problem.actions if action.name == "seal")
    assert seal.condition.formulas == ()
    assert _named(problem, seal.condition.literals) == {"placed b0", "placed b1"}, "unwanted blocks are left out"


def test_a_task_must_find_what_a_forall_below_it_asks_for():
    problem = _problem()
    must = Lookahead(problem).must[problem.task_names.index("finish")]
    assert must is not None
    assert _named(problem, must) == {"placed b0", "placed b1"}


def test_a_forall_over_many_objects_stays_a_formula():
    problem = _problem(goal="(forall (?b - block) (placed ?b))", count=MAX_LITERALS + 1)
    assert problem.goal.literals == ()
    assert len(problem.goal.formulas) == 1
    fewer = _problem(goal="(forall (?b - block) (placed ?b))", count=MAX_LITERALS)
    assert (len(fewer.goal.literals), fewer.goal.formulas) == (MAX_LITERALS, ())


def test_what_an_action_found_true_it_does_not_bring_about():
    problem = _problem()
    touch = problem.task_names.index("touch")
    assert not Lookahead(problem).may_add[touch], "keep adds what it needs"
    grounder = Grounder(problem, Lookahead(problem), 1_000)
    grounder.explore()
    ground = GroundProblem(problem, grounder)
    look_ahead(ground)
    (item,) = [item for item in ground.tasks if item.task == touch]
    assert item.may_add == 0
    assert item.may_delete != 0


def test_a_pattern_covers_only_objects_it_allows():
    problem = _problem()
    facts = Workshop(problem, Lookahead(problem)).facts
    predicate = problem.predicates.index("placed")
    first = facts.number(predicate, (0,))
    allowed = ((0b0101,),)
    assert facts.matching(predicate, allowed) == 1 << first
    later = [facts.number(predicate, (number,)) for number in (1, 2)]
    assert facts.matching(predicate, allowed) == 1 << first | 1 << later[1], "facts numbered later count too"
    assert facts.matching(predicate, ((0b1111,),)) == 1 << first | 1 << later[0] | 1 << later[1]


def test_the_look_ahead_over_many_tasks_takes_as_long_as_they_are_many():
    def calls(blocks: int) -> int:
        problem = _problem(blocks, tasks=" ".join(f"(touch b{number}) (place b{number})" for number in range(blocks)))
        counted = 0

        def count(frame: object, event: str, argument: object) -> None:
            nonlocal counted
            counted += event == "call"

        sys.setprofile(count)
        Lookahead(problem)
        sys.setprofile(None)
        return counted

    assert calls(200) < 2.2 * calls(100)
