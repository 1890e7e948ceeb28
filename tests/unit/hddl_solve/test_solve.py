"""The entry to the solvers: statuses, budgets, interrupts, and the language's corners."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from planvow.budgets import Budgets
from planvow.errors import InputError
from planvow.hddl.lifted.normal import NormalProblem
from planvow.hddl.lifted.splitting import SPLIT_NAME
from planvow.hddl.parsing.text import parse_domain, parse_problem
from planvow.hddl.solve.entry import solve
from planvow.hddl.solve.portfolio import Portfolio
from planvow.hddl.verify.verifier import verify_plan
from planvow.status import Status

HANOI_LIKE = """(define (domain d) (:types block) (:predicates (on ?x ?y - block) (clear ?x - block) (table ?x - block))
  (:task free :parameters (?x - block))
  (:method done :parameters (?x - block) :task (free ?x) :precondition (clear ?x) :ordered-subtasks ())
  (:method dig :parameters (?x ?y - block) :task (free ?x) :precondition (on ?y ?x)
     :ordered-subtasks (and (free ?y) (drop ?y ?x)))
  (:action drop :parameters (?y ?x - block) :precondition (and (on ?y ?x) (clear ?y))
     :effect (and (not (on ?y ?x)) (table ?y) (clear ?x))))"""


def tower(height: int):
    domain = parse_domain(HANOI_LIKE)
    blocks = [f"b{i}" for i in range(height)]
    facts = " ".join(f"(on {upper} {lower})" for lower, upper in itertools.pairwise(blocks))
    text = f"""(define (problem p) (:domain d) (:objects {" ".join(blocks)} - block)
      (:htn :ordered-subtasks (free b0)) (:init (clear {blocks[-1]}) {facts}))"""
    return parse_problem(text, domain)


@pytest.mark.long
@pytest.mark.parametrize("search", ["auto", "lifted", "grounded"])
def test_a_deep_recursion_needs_no_python_recursion(search: str) -> None:
    problem = tower(1_500)
    outcome = solve(problem.domain, problem, search=search)
    assert outcome.status is Status.SOLVED
    assert len(outcome.plan.steps) == 1_499
    assert verify_plan(problem, outcome.plan)


LEFT_RECURSION = """(define (domain walks) (:types place) (:predicates (at ?p - place) (road ?a ?b - place))
  (:task reach :parameters (?to - place))
  (:method here :parameters (?to - place) :task (reach ?to) :precondition (at ?to) :ordered-subtasks ())
  (:method over :parameters (?to ?by - place) :task (reach ?to) :precondition (road ?by ?to)
     :ordered-subtasks (and (reach ?by) (walk ?by ?to)))
  (:action walk :parameters (?a ?b - place) :precondition (and (at ?a) (road ?a ?b))
     :effect (and (not (at ?a)) (at ?b))))"""


def test_left_recursion_finds_a_shortest_way_past_regions_without_a_way_out() -> None:
    squares = [[f"x{number}-{place}" for place in range(9)] for number in range(12)]
    roads = [(a, b) for square in squares for a in square for b in square if a != b]
    roads += [(this[0], following[0]) for this, following in itertools.pairwise(squares)]
    facts = " ".join(f"(road {a} {b})" for a, b in roads)
    text = f"""(define (problem p) (:domain walks) (:objects {" ".join(map(" ".join, squares))} - place)
      (:htn :ordered-subtasks (reach x11-0)) (:init (at x0-0) {facts}))"""
    problem = parse_problem(text, parse_domain(LEFT_RECURSION))
    outcome = solve(problem.domain, problem, search="lifted", budgets=Budgets(max_iterations=20_000), improve=0)
    assert outcome.status is Status.SOLVED
    assert outcome.search == "lifted nearest"
    assert len(outcome.plan.steps) == 11


def test_a_wrong_plan_never_leaves(monkeypatch) -> None:
    problem = tower(5)
    right = Portfolio.plan
    monkeypatch.setattr(Portfolio, "plan", lambda self: replace(right(self), steps=right(self).steps[:-1]))
    outcome = solve(problem.domain, problem)
    assert outcome.plan is None
    assert outcome.status is Status.INTERNAL
    assert "rejected by the verifier" in outcome.reason


def test_a_spent_budget_names_itself() -> None:
    problem = tower(300)
    outcome = solve(problem.domain, problem, budgets=Budgets(max_iterations=20))
    assert outcome.status is Status.BUDGET_EXCEEDED
    assert outcome.budget.budget == "max_iterations"
    assert outcome.budget.limit == 20
    assert outcome.plan is None


@pytest.mark.parametrize("search", ["auto", "lifted", "grounded"])
def test_a_depth_limit_cuts_deeper_plans_and_proves_nothing(search) -> None:
    problem = tower(6)
    too_shallow = solve(problem.domain, problem, search=search, budgets=Budgets(max_depth=4))
    assert too_shallow.status is Status.BUDGET_EXCEEDED
    assert too_shallow.budget.budget == "max_depth"
    enough = solve(problem.domain, problem, search=search, budgets=Budgets(max_depth=6))
    assert enough.status is Status.SOLVED
    assert enough.plan.depth == 6


def test_an_interrupt_ends_the_search_without_an_answer() -> None:
    problem = tower(1_500)
    outcome = solve(problem.domain, problem, interrupt=lambda: True)
    assert outcome.status is Status.INTERRUPTED
    assert outcome.plan is None


def test_progress_is_reported_by_the_search_at_work() -> None:
    problem = tower(1_500)
    seen = []
    solve(problem.domain, problem, progress=seen.append)
    assert seen
    assert seen[-1].expansions >= 1_500
    assert seen[-1].search.startswith("lifted")


def test_a_problem_without_a_way_to_its_goal_is_proved_unsolvable() -> None:
    domain = parse_domain("""(define (domain d) (:predicates (g)) (:task t :parameters ())
      (:method m :parameters () :task (t) :ordered-subtasks (a)) (:action a :parameters ()))""")
    problem = parse_problem("(define (problem p) (:domain d) (:htn :ordered-subtasks (t)) (:goal (g)))", domain)
    for search in ("auto", "lifted", "grounded"):
        assert solve(domain, problem, search=search).status is Status.NO_PLAN


def test_a_method_that_only_calls_itself_is_proved_unsolvable() -> None:
    domain = parse_domain("""(define (domain d) (:task t :parameters ())
      (:method m :parameters () :task (t) :ordered-subtasks (and (a) (t) (a))) (:action a :parameters ()))""")
    problem = parse_problem("(define (problem p) (:domain d) (:htn :ordered-subtasks (t)))", domain)
    for search in ("auto", "lifted", "grounded"):
        assert solve(domain, problem, search=search).status is Status.NO_PLAN


def test_a_classical_problem_is_solved_by_any_actions_that_reach_the_goal() -> None:
    domain = parse_domain("""(define (domain d) (:predicates (at ?x) (next ?x ?y))
      (:action go :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y)) :effect (and (not (at ?x)) (at ?y))))""")
    problem = parse_problem(
        "(define (problem p) (:domain d) (:objects a b c) (:init (at a) (next a b) (next b c)) (:goal (at c)))", domain
    )
    outcome = solve(domain, problem)
    assert outcome.status is Status.SOLVED
    assert [step.arguments for step in outcome.plan.steps] == [("a", "b"), ("b", "c")]
    assert verify_plan(problem, outcome.plan)


def test_nothing_to_do_is_satisfied() -> None:
    domain = parse_domain("(define (domain d) (:predicates (g)))")
    problem = parse_problem(
        "(define (problem p) (:domain d) (:htn :ordered-subtasks ()) (:init (g)) (:goal (g)))", domain
    )
    assert solve(domain, problem).status is Status.SATISFIED


def test_variables_that_occur_in_one_subtask_are_split_and_do_not_show_in_the_plan() -> None:
    """Twelve variables over eight objects each: chosen together, 8^12 combinations."""
    types = " ".join(f"?v{i}" for i in range(12))
    calls = " ".join(f"(t ?v{i})" for i in range(12))
    domain = parse_domain(f"""(define (domain d) (:predicates (good ?x) (n))
      (:task top :parameters ()) (:task t :parameters (?x))
      (:method all :parameters ({types}) :task (top) :ordered-subtasks (and {calls}))
      (:method one :parameters (?x) :task (t ?x) :ordered-subtasks (a ?x))
      (:action a :parameters (?x) :precondition (good ?x) :effect (n)))""")
    objects = " ".join(f"o{i}" for i in range(8))
    problem = parse_problem(
        f"(define (problem p) (:domain d) (:objects {objects}) (:htn :ordered-subtasks (top)) (:init (good o7)))",
        domain,
    )
    for search in ("auto", "lifted", "grounded"):
        outcome = solve(domain, problem, search=search, budgets=Budgets(max_iterations=20_000))
        assert outcome.status is Status.SOLVED
        assert {step.arguments for step in outcome.plan.steps} == {("o7",)}
        assert {part.task for part in outcome.plan.decompositions} == {"top", "t"}


COUNTS = (("t", 40), ("v", 5), ("p", 30))


def test_what_a_method_begins_with_chooses_its_own_variables_and_does_not_show_in_the_plan() -> None:
    """A thing, a van, two places: 40 · 5 · 30 · 30 ways together, 40 · 5 · (30 + 30) one after the other."""
    domain = parse_domain("""(define (domain d) (:types place van thing)
      (:predicates (at ?x - thing ?p - place) (in ?x - thing ?v - van) (stands ?v - van ?p - place))
      (:task bring :parameters (?x - thing ?to - place)) (:task go :parameters (?v - van ?to - place))
      (:method by-van :parameters (?x - thing ?v - van ?from ?to - place) :task (bring ?x ?to)
         :precondition (at ?x ?from)
         :ordered-subtasks (and (go ?v ?from) (load ?x ?v ?from) (go ?v ?to) (unload ?x ?v ?to)))
      (:method drive-there :parameters (?v - van ?from ?to - place) :task (go ?v ?to)
         :precondition (stands ?v ?from) :ordered-subtasks (and (drive ?v ?from ?to)))
      (:action drive :parameters (?v - van ?a ?b - place) :precondition (stands ?v ?a)
         :effect (and (not (stands ?v ?a)) (stands ?v ?b)))
      (:action load :parameters (?x - thing ?v - van ?p - place) :precondition (and (at ?x ?p) (stands ?v ?p))
         :effect (and (not (at ?x ?p)) (in ?x ?v)))
      (:action unload :parameters (?x - thing ?v - van ?p - place) :precondition (and (in ?x ?v) (stands ?v ?p))
         :effect (and (not (in ?x ?v)) (at ?x ?p))))""")
    things, vans, places = (
        [f"{stem}{number}" for number in range(count)] for stem, count in (("t", 40), ("v", 5), ("p", 30))
    )
    text = f"""(define (problem p) (:domain d)
      (:objects {" ".join(things)} - thing {" ".join(vans)} - van {" ".join(places)} - place)
      (:htn :ordered-subtasks (and {" ".join(f"(bring {x} p7)" for x in things[:3])}))
      (:init {" ".join(f"(at {x} p{number % 5})" for number, x in enumerate(things))}
        {" ".join(f"(stands {v} p0)" for v in vans)}))"""
    problem = parse_problem(text, domain)
    for search in ("auto", "lifted", "grounded"):
        outcome = solve(domain, problem, search=search, budgets=Budgets(max_iterations=20_000))
        assert outcome.status is Status.SOLVED, search
        assert {part.task for part in outcome.plan.decompositions} == {"bring", "go"}
        assert all(len(part.children) == 4 for part in outcome.plan.decompositions if part.task == "bring")
    (beginning,) = [method for method in NormalProblem(problem).with_beginnings().methods if method.name == SPLIT_NAME]
    assert [len(beginning.arguments), *(mask.bit_count() for mask in beginning.domains)] == [2, 40, 5, 30]
    assert ([len(terms) for _, terms in beginning.subtasks], len(beginning.condition.literals)) == ([2, 3], 1)


def _parts_of_bring(kind: str, tasks: str) -> list[tuple[int, int]]:
    """Return for the methods of a task bring, cut where that pays, how many conditions and subtasks each has."""
    domain = parse_domain(f"""(define (domain d) (:types place van thing)
      (:predicates (at ?x - thing ?p - place) (in ?x - thing ?v - van) (ready ?x - thing))
      (:task bring :parameters (?x - thing ?to - place)) (:task fetch :parameters (?x - thing ?v - van ?p - place))
      (:method by-van :parameters (?x - thing ?v - van ?from ?to - place) :task (bring ?x ?to)
         :precondition (and (at ?x ?from) (ready ?x)) {kind} (and (f (fetch ?x ?v ?from)) (u (unload ?x ?v ?to))))
      (:action load :parameters (?x - thing ?v - van ?p - place) :effect (and (not (at ?x ?p)) (in ?x ?v)))
      (:action unload :parameters (?x - thing ?v - van ?p - place)
         :effect (and (not (in ?x ?v)) (at ?x ?p) (not (ready ?x)))))""")
    objects = " ".join(
        f"{stem}{number} - {kind}"
        for stem, kind in (("t", "thing"), ("v", "van"), ("p", "place"))
        for number in range(30)
    )
    network = f"(:htn {tasks} (and (bring t0 p0) (bring t1 p1)))"
    text = f"(define (problem p) (:domain d) (:objects {objects}) {network} (:init))"
    methods = NormalProblem(parse_problem(text, domain)).with_beginnings().methods
    return [(len(method.condition.literals), len(method.subtasks)) for method in methods if method.task]


def test_conditions_are_divided_only_where_nothing_can_come_in_between():
    """In any order another task may use the thing between two looks: all is asked at one moment."""
    assert _parts_of_bring(":ordered-subtasks", ":ordered-subtasks") == [(1, 2), (0, 2), (1, 1)]
    assert _parts_of_bring(":ordered-subtasks", ":subtasks") == [(0, 2), (0, 2), (2, 1)]
    assert _parts_of_bring(":subtasks", ":subtasks") == [(2, 2), (0, 2)], "what comes first is open"


PAINTED = """(define (domain d) (:types part colour) (:predicates (bare ?p - part) (has ?p - part ?c - colour))
  (:task make :parameters (?p - part))
  (:method paint-it :parameters (?p - part ?c - colour) :task (make ?p)
     :ordered-subtasks (and (saw ?p) (paint ?p ?c)))
  (:method paint-another :parameters (?p ?q - part ?c - colour) :task (make ?p)
     :ordered-subtasks (and (saw ?p) (paint ?q ?c)))
  (:action saw :parameters (?p - part) :effect (bare ?p))
  (:action paint :parameters (?p - part ?c - colour) :precondition (bare ?p)
     :effect (and (not (bare ?p)) (has ?p ?c))))"""


def test_tasks_in_any_order_are_also_searched_in_one_order_which_sees_wrong_choices_sooner() -> None:
    """Over networks a wrong colour looks mendable to the end, and eight tasks in any order are too many to try."""
    domain = parse_domain(PAINTED)
    parts = [f"p{number}" for number in range(8)]
    wanted = " ".join(f"(has {part} c{7 * number % 5})" for number, part in enumerate(parts))
    text = f"""(define (problem p) (:domain d) (:objects {" ".join(parts)} - part c0 c1 c2 c3 c4 - colour)
      (:htn :subtasks (and {" ".join(f"(make {part})" for part in parts)})) (:init) (:goal (and {wanted})))"""
    problem = parse_problem(text, domain)
    outcome = solve(domain, problem, search="grounded", improve=0, budgets=Budgets(max_iterations=30_000))
    assert outcome.status is Status.SOLVED
    assert outcome.search.endswith(" in order")
    assert len(outcome.plan.steps) == 16


def test_an_exploding_grounding_ends_within_its_budget() -> None:
    """Eight variables that all hang together: a product that no grounder can write down."""
    names = [f"?v{i}" for i in range(8)]
    links = " ".join(f"(link {x} {y})" for x, y in itertools.pairwise(names))
    domain = parse_domain(f"""(define (domain d) (:predicates (link ?x ?y) (g)) (:task top :parameters ())
      (:method all :parameters ({" ".join(names)}) :task (top) :precondition (and {links})
         :ordered-subtasks (and (a {" ".join(names)}) (top)))
      (:action a :parameters ({" ".join(names)}) :precondition (not (g)) :effect (not (link ?v0 ?v1))))""")
    objects = [f"o{i}" for i in range(12)]
    facts = " ".join(f"(link {x} {y})" for x in objects for y in objects)
    text = f"(:objects {' '.join(objects)}) (:htn :ordered-subtasks (top)) (:init {facts})"
    problem = parse_problem(f"(define (problem p) (:domain d) {text})", domain)
    outcome = solve(domain, problem, search="grounded", budgets=Budgets(max_iterations=30_000))
    assert outcome.status in (Status.BUDGET_EXCEEDED, Status.NO_PLAN)


def test_an_unknown_search_and_a_foreign_domain_are_misuse() -> None:
    problem = tower(2)
    with pytest.raises(InputError, match="auto, lifted, grounded or sat"):
        solve(problem.domain, problem, search="magic")
    with pytest.raises(InputError, match="another domain"):
        solve(parse_domain("(define (domain other))"), problem)


RING = """(define (domain ring) (:types place) (:predicates (road ?x ?y - place) (at ?x - place) (seen ?x - place))
  (:task go :parameters (?to - place))
  (:method step :parameters (?to ?x ?y - place) :task (go ?to) :precondition (and (at ?x) (road ?x ?y) (not (seen ?y)))
     :ordered-subtasks (and (walk ?x ?y) (go ?to)))
  (:method there :parameters (?to - place) :task (go ?to) :precondition (at ?to) :ordered-subtasks ())
  (:action walk :parameters (?x ?y - place) :precondition (at ?x) :effect (and (not (at ?x)) (at ?y) (seen ?y))))"""


def ring(size: int, to: int):
    roads = " ".join(f"(road p{i} p{(i + way) % size})" for i in range(size) for way in (1, -1))
    text = f"""(define (problem p) (:domain ring) (:objects {" ".join(f"p{i}" for i in range(size))} - place)
      (:htn :ordered-subtasks (go p{to})) (:init (at p0) (seen p0) {roads}))"""
    return parse_problem(text, parse_domain(RING))


@pytest.mark.parametrize("search", ["auto", "lifted"])
def test_a_plan_that_was_found_soon_is_made_shorter(search) -> None:
    """The way that is listed first goes round the ring."""
    problem = ring(12, to=9)
    outcome = solve(problem.domain, problem, search=search)
    assert [step.arguments[1] for step in outcome.plan.steps] == ["p11", "p10", "p9"]
    assert outcome.search == "lifted shorter"


def test_the_search_for_a_shorter_plan_keeps_to_the_budgets() -> None:
    problem = ring(12, to=9)
    first = solve(problem.domain, problem, search="lifted", budgets=Budgets(max_iterations=20))
    assert (len(first.plan.steps), first.search) == (9, "lifted guided")
    assert first.statistics["effort"] <= 20
    deep = solve(problem.domain, problem, search="lifted", budgets=Budgets(max_depth=4))
    assert (len(deep.plan.steps), deep.plan.depth) == (3, 4)
