"""`search="sat"`: every construct of the language, proofs, limits, and what it refuses."""

from __future__ import annotations

import pytest

pytest.importorskip("pysat", reason="the extra [sat] is not installed")

from planvow.budgets import Budgets
from planvow.contract import default_registry
from planvow.errors import InputError
from planvow.hddl.parsing.text import parse_domain, parse_problem
from planvow.hddl.sat import search as limits
from planvow.hddl.solve.entry import solve
from planvow.hddl.verify.verifier import verify_plan
from planvow.status import Status

ACTIONS = """
  (:action on :parameters (?l - lamp) :precondition (not (lit ?l)) :effect (lit ?l))
  (:action off :parameters (?l - lamp) :precondition (lit ?l) :effect (not (lit ?l)))
  (:action flip :parameters (?l - lamp) :effect (and (when (lit ?l) (not (lit ?l))) (when (not (lit ?l)) (lit ?l))))
  (:action reset :parameters () :effect (forall (?l - lamp) (not (lit ?l))))
  (:action storm :parameters () :effect (and (forall (?l - lamp) (when (wet ?l) (not (lit ?l)))) (night)))
  (:action sleep :parameters () :precondition (forall (?l - lamp) (not (lit ?l))) :effect (rest))
  (:action read :parameters () :precondition (exists (?l - lamp) (lit ?l)) :effect (wise))
  (:action choose :parameters () :precondition (or (night) (wise)) :effect (rest))
  (:action cross :parameters (?a ?b - lamp) :precondition (and (lit ?a) (not (= ?a ?b)))
    :effect (and (lit ?b) (not (lit ?a)))))
"""
HEAD = """(define (domain lamps) (:requirements :typing :hierarchy) (:types lamp) (:constants porch hall attic - lamp)
  (:predicates (lit ?l - lamp) (wet ?l - lamp) (night) (rest) (wise))
  (:task go :parameters ()) (:task more :parameters ())
"""


def asked(methods: str, tasks: str, init: str = "", goal: str = ""):
    """Return a problem over three lamps: how tasks are decomposed, what is to be done, what holds."""
    wanted = f"(:goal {goal})" if goal else ""
    text = f"""(define (problem p) (:domain lamps)
      (:htn :ordered-subtasks (and {tasks})) (:init {init}) {wanted})"""
    return parse_problem(text, parse_domain(HEAD + methods + ACTIONS))


def answer(problem, **limits):
    found = solve(problem.domain, problem, search="sat", improve=0, budgets=Budgets(**limits))
    assert found.plan is None or verify_plan(problem, found.plan)
    return found


def words(found) -> list[str]:
    return [" ".join((step.action, *step.arguments)) for step in found.plan.steps]


CONSTRUCTS = {
    "one of two methods fits, by its precondition": (
        """(:method dark :parameters () :task (go) :precondition (not (lit porch)) :ordered-subtasks (on porch))
           (:method bright :parameters () :task (go) :precondition (lit porch) :ordered-subtasks (off porch))""",
        ("(go)", "(lit porch)"),
        ["off porch"],
    ),
    "an empty method": (
        "(:method nothing :parameters () :task (go) :ordered-subtasks ())",
        ("(go) (on hall)",),
        ["on hall"],
    ),
    "a method's variable is chosen by what comes after it": (
        "(:method some :parameters (?l - lamp) :task (go) :ordered-subtasks (on ?l))",
        ("(go) (off attic)",),
        ["on attic", "off attic"],
    ),
    "a negated precondition forbids": (
        "(:method some :parameters (?l - lamp) :task (go) :ordered-subtasks (on ?l))",
        ("(go)", "(lit hall) (lit porch)"),
        ["on attic"],
    ),
    "effects under a condition, both ways": (
        "(:method twice :parameters () :task (go) :ordered-subtasks (and (flip hall) (flip attic)))",
        ("(go)", "(lit hall)", "(and (lit attic) (not (lit hall)))"),
        ["flip hall", "flip attic"],
    ),
    "an effect for all objects, with a condition each": (
        "(:method out :parameters () :task (go) :ordered-subtasks (storm))",
        ("(go)", "(lit hall) (lit attic) (wet attic)", "(and (lit hall) (not (lit attic)) (night))"),
        ["storm"],
    ),
    "a condition on all objects": (
        """(:method quick :parameters () :task (go) :ordered-subtasks (sleep))
           (:method slow :parameters () :task (go) :ordered-subtasks (and (reset) (sleep)))""",
        ("(go)", "(lit hall)"),
        ["reset", "sleep"],
    ),
    "a condition on some object": (
        """(:method quick :parameters () :task (go) :ordered-subtasks (read))
           (:method slow :parameters () :task (go) :ordered-subtasks (and (on attic) (read)))""",
        ("(go)",),
        ["on attic", "read"],
    ),
    "one condition or another": (
        """(:method quick :parameters () :task (go) :ordered-subtasks (choose))
           (:method slow :parameters () :task (go) :ordered-subtasks (and (storm) (choose)))""",
        ("(go)",),
        ["storm", "choose"],
    ),
    "objects that must differ": (
        "(:method over :parameters (?a ?b - lamp) :task (go) :ordered-subtasks (cross ?a ?b))",
        ("(go)", "(lit attic)", "(lit porch)"),
        ["cross attic porch"],
    ),
    "recursion to the right, as often as needed": (
        """(:method stop :parameters () :task (go) :ordered-subtasks ())
           (:method on :parameters (?l - lamp) :task (go) :ordered-subtasks (and (on ?l) (go)))""",
        ("(go)", "", "(and (lit hall) (lit attic) (lit porch))"),
        None,
    ),
    "recursion to the left": (
        """(:method stop :parameters () :task (go) :ordered-subtasks ())
           (:method on :parameters (?l - lamp) :task (go) :ordered-subtasks (and (go) (on ?l)))""",
        ("(go)", "", "(and (lit hall) (lit attic))"),
        None,
    ),
    "what one task needs another has to leave": (
        """(:method a :parameters (?l - lamp) :task (go) :ordered-subtasks (and (on ?l) (more)))
           (:method b :parameters () :task (more) :precondition (lit attic) :ordered-subtasks (read))""",
        ("(go)",),
        ["on attic", "read"],
    ),
}


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_a_plan_is_found_with(name):
    methods, problem, expected = CONSTRUCTS[name]
    found = answer(asked(methods, *problem))
    assert (found.status, found.search) == (Status.SOLVED, "sat")
    if expected is not None:
        assert words(found) == expected


def test_nothing_to_do_is_a_plan_without_steps():
    problem = asked("(:method nothing :parameters () :task (go) :ordered-subtasks ())", "(go)", goal="(not (lit hall))")
    assert words(answer(problem)) == []


def test_a_problem_without_tasks_is_planned_for_its_goal_in_the_fewest_actions():
    domain = parse_domain(HEAD + ACTIONS)
    text = """(define (problem p) (:domain lamps)
      (:init (lit hall) (lit attic)) (:goal (and (rest) (wise))))"""
    found = answer(parse_problem(text, domain))
    assert sorted(words(found)) == ["choose", "read"]


def test_no_plan_is_proved_where_the_layers_come_to_their_end():
    problem = asked(
        """(:method a :parameters (?l - lamp) :task (go) :ordered-subtasks (and (on ?l) (more)))
           (:method b :parameters (?l - lamp) :task (more) :ordered-subtasks (off ?l))""",
        "(go)",
        goal="(exists (?l - lamp) (lit ?l))",
    )
    found = answer(problem)
    assert (found.status, found.search) == (Status.NO_PLAN, "sat")
    assert found.statistics["sat_layers"] == 3


def test_no_plan_is_proved_of_endless_recursion_where_even_tasks_that_are_left_do_not_help():
    """The lamps can be switched for ever, but only one is lit at a time; the first layers show it."""
    problem = asked(
        """(:method stop :parameters () :task (go) :ordered-subtasks ())
           (:method on :parameters () :task (go) :precondition (rest) :ordered-subtasks (and (sleep) (go)))
           (:method first :parameters () :task (more) :ordered-subtasks (and (on hall) (go)))""",
        "(more)",
        goal="(rest)",
    )
    assert answer(problem).status is Status.NO_PLAN


def test_recursion_that_goes_on_for_ever_proves_nothing(monkeypatch):
    monkeypatch.setattr(limits, "MAX_LAYERS", 12)
    problem = asked(
        """(:method stop :parameters () :task (go) :ordered-subtasks ())
           (:method two :parameters () :task (go) :ordered-subtasks (and (flip hall) (flip attic) (go)))""",
        "(go)",
        goal="(and (lit hall) (not (lit attic)))",
    )
    found = answer(problem)
    assert (found.status, found.plan, found.budget) == (Status.BUDGET_EXCEEDED, None, None)
    assert "nothing is proved" in found.reason
    assert "sat search went as far as it goes" in found.reason
    assert found.statistics["sat_layers"] == 12


def test_clauses_are_limited_too(monkeypatch):
    monkeypatch.setattr(limits, "MAX_CLAUSES", 300)
    methods, problem, _ = CONSTRUCTS["recursion to the left"]
    found = answer(asked(methods, "(go)", goal="(and (lit hall) (not (lit hall)))"))
    assert found.status is Status.NO_PLAN, "what the clauses show is said"
    problem = asked(
        """(:method stop :parameters () :task (go) :ordered-subtasks ())
           (:method two :parameters () :task (go) :ordered-subtasks (and (flip hall) (flip attic) (go)))""",
        "(go)",
        goal="(and (lit hall) (not (lit attic)))",
    )
    found = answer(problem)
    assert found.status is Status.BUDGET_EXCEEDED
    assert 300 <= found.statistics["sat_clauses"] < 600


def test_effort_is_counted_and_held_to_max_iterations():
    methods, problem, _ = CONSTRUCTS["recursion to the right, as often as needed"]
    whole = answer(asked(methods, *problem))
    spent = whole.statistics["effort"]
    assert answer(asked(methods, *problem), max_iterations=spent + 1).plan == whole.plan
    found = answer(asked(methods, *problem), max_iterations=1)
    assert (found.status, found.budget.budget, found.budget.limit) == (Status.BUDGET_EXCEEDED, "max_iterations", 1)


def test_a_limit_on_depth_is_kept():
    methods, problem, _ = CONSTRUCTS["recursion to the right, as often as needed"]
    assert answer(asked(methods, *problem), max_depth=4).status is Status.SOLVED
    found = answer(asked(methods, *problem), max_depth=3)
    assert (found.status, found.budget.budget) == (Status.BUDGET_EXCEEDED, "max_depth")


@pytest.mark.parametrize(
    ("network", "named"),
    [("(:htn :subtasks (and (go) (reset)))", "the problem's :htn"), ("(:htn :ordered-subtasks (go))", "method 'any'")],
)
def test_an_order_that_is_left_open_is_refused_by_name(network, named):
    methods = "(:method any :parameters () :task (go) :subtasks (and (reset) (storm)))"
    if "problem" in named:
        methods = "(:method one :parameters () :task (go) :ordered-subtasks (reset))"
    domain = parse_domain(HEAD + methods + ACTIONS)
    problem = parse_problem(f"(define (problem p) (:domain lamps) {network} (:init))", domain)
    with pytest.raises(InputError, match="totally ordered problems only") as refused:
        solve(domain, problem, search="sat")
    assert named in refused.value.message
    assert (refused.value.place, "auto" in refused.value.hint) == ("search", True)


def test_the_search_is_part_of_what_was_asked_and_auto_says_the_same_as_ever():
    methods, _, _ = CONSTRUCTS["an empty method"]
    domain = HEAD + methods + ACTIONS
    text = """(define (problem p) (:domain lamps)
      (:htn :ordered-subtasks (and (go) (on hall))) (:init))"""
    planner = default_registry().create("hddl")
    said = {
        search: planner.plan("t", "plan it", domain=domain, problem=text, search=search) for search in ("auto", "sat")
    }
    assert said["auto"].metadata["input_hash"] != said["sat"].metadata["input_hash"]
    assert said["sat"].metadata["search"] == "sat"
    assert said["auto"].metadata["search"] != "sat"
    assert said["sat"].plan == said["auto"].plan


def test_better_plans_are_looked_for_around_the_one_that_was_found():
    methods = """(:method stop :parameters () :task (go) :precondition (lit attic) :ordered-subtasks ())
           (:method on :parameters (?l - lamp) :task (go) :ordered-subtasks (and (on ?l) (more) (go)))
           (:method idle :parameters () :task (more) :ordered-subtasks (reset))
           (:method busy :parameters () :task (more) :ordered-subtasks ())"""
    problem = asked(methods, "(go)")
    first = answer(problem)
    better = solve(problem.domain, problem, search="sat")
    assert len(better.plan.steps) <= len(first.plan.steps)
    assert verify_plan(problem, better.plan)


def test_a_call_ends_at_the_question_that_is_answered_with_yes_at_whatever_stage():
    methods = """(:method stop :parameters () :task (go) :ordered-subtasks ())
           (:method over :parameters (?a ?b - lamp) :task (go) :ordered-subtasks (and (cross ?a ?b) (go) (more)))
           (:method any :parameters (?l - lamp) :task (more) :ordered-subtasks (flip ?l))"""
    problem = asked(methods, "(go) (go)", init="(lit hall)", goal="(and (lit porch) (lit attic))")
    questions = 0

    def yes_at(number):
        def interrupt() -> bool:
            nonlocal questions
            questions += 1
            return questions == number

        return interrupt

    whole = solve(problem.domain, problem, search="sat", interrupt=yes_at(0))
    assert whole.status is Status.SOLVED
    asked_in_all, reasons = questions, set()
    for number in range(1, asked_in_all + 1):
        questions = 0
        found = solve(problem.domain, problem, search="sat", interrupt=yes_at(number))
        assert (found.status, found.plan, questions) == (Status.INTERRUPTED, None, number)
        reasons.add(found.reason)
    assert "interrupted while a plan was searched for (nothing is proved)" in reasons
