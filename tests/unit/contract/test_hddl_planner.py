"""The planner `hddl` behind the planner contract."""

from __future__ import annotations

from planvow.contract.interface.interface import PlannerError, PlannerOutput
from planvow.contract.planners.registry import default_registry
from planvow.hddl import parse_domain, parse_plan, parse_problem, verify_plan

DOMAIN = """(define (domain lamp) ; with a comment
  (:types room)
  (:predicates (lit ?r - room))
  (:task light :parameters (?r - room))
  (:method switch-on :parameters (?r - room) :task (light ?r) :precondition (not (lit ?r)) :subtasks (press ?r))
  (:method leave-it :parameters (?r - room) :task (light ?r) :precondition (lit ?r) :subtasks ())
  (:action press :parameters (?r - room) :effect (lit ?r)))"""
PROBLEM = """(define (problem evening) (:domain lamp) (:objects Hall attic - room)
  (:htn :ordered-subtasks (and (light Hall) (light attic))) (:init))"""


def hddl(**options):
    return default_registry().create("hddl", **options)


def test_a_problem_as_goal_becomes_steps_in_a_chain():
    answer = hddl().plan("a1", PROBLEM, domain=DOMAIN)
    assert isinstance(answer, PlannerOutput), answer
    first, second = answer.plan["steps"]
    assert (first["skill"], first["params"], first["depends_on"]) == ("press", {"r": "Hall"}, [])
    assert (second["skill"], second["params"], second["depends_on"]) == ("press", {"r": "attic"}, ["s1"])
    problem = parse_problem(PROBLEM, parse_domain(DOMAIN))
    assert verify_plan(problem, parse_plan(answer.metadata["hddl_plan"]))


def test_the_domain_may_be_given_once_and_the_problem_as_an_argument():
    given = hddl(domain=DOMAIN).plan("a1", "light the house", problem=PROBLEM)
    assert isinstance(given, PlannerOutput)
    assert given.plan["steps"] == hddl().plan("a1", PROBLEM, domain=DOMAIN).plan["steps"]


def test_nothing_to_do_is_a_success_without_steps():
    answer = hddl().plan("a1", PROBLEM.replace("(:init)", "(:init (lit Hall) (lit attic))"), domain=DOMAIN)
    assert isinstance(answer, PlannerOutput), answer
    assert answer.plan["steps"] == []
    assert answer.metadata["status"] == "satisfied"


def test_every_failure_is_a_value():
    cases = {
        "PLANNER_INVALID_GOAL": hddl().plan("a1", "light the house", domain=DOMAIN),
        "PLANNER_INVALID_INPUT": hddl().plan("a1", PROBLEM.replace("Hall - room", "Hall - rom"), domain=DOMAIN + ")"),
        "PLANNER_GENERATION_FAILED": hddl().plan(
            "a1", PROBLEM.replace("(:init)", "(:init) (:goal (not (lit Hall)))"), domain=DOMAIN
        ),
        "PLANNER_BUDGET_EXCEEDED": hddl().plan("a1", PROBLEM, domain=DOMAIN, max_iterations=0),
    }
    assert all(isinstance(answer, PlannerError) for answer in cases.values()), cases
    assert [answer.code for answer in cases.values()] == list(cases)


def test_a_step_must_be_in_the_manifest():
    manifest = [{"skill_id": "paint", "description": "", "parameters": {"type": "object"}}]
    answer = hddl().plan("a1", PROBLEM, domain=DOMAIN, tool_manifest=manifest)
    assert isinstance(answer, PlannerError)
