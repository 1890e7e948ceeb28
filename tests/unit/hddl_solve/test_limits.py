"""Whoever asked can end a call at every stage, and what is counted between two questions is bounded everywhere.

No test here looks at a clock: interrupts come at the n-th question.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field

import pytest

from planvow.adapters.cli.main import app
from planvow.budgets import ASK_EVERY, Deadline, Interrupted
from planvow.hddl import parse_domain, parse_problem
from planvow.hddl.grounded.grounding import Grounder
from planvow.hddl.grounded.grounding_up import UpwardGrounder
from planvow.hddl.grounded.problem import GroundProblem, look_ahead
from planvow.hddl.grounded.relaxed import RelaxedPlan
from planvow.hddl.lifted.agenda import Workshop
from planvow.hddl.lifted.depth_first import DepthFirst
from planvow.hddl.lifted.lookahead import Lookahead
from planvow.hddl.lifted.normal import NormalProblem
from planvow.hddl.solve.entry import solve
from planvow.service.declare.setting import Setting
from planvow.service.operations.hddl import SOLVE_HDDL, HddlQuestion
from planvow.status import Status

DOMAIN = """(define (domain walk) (:types place) (:predicates (at ?p - place) (road ?a ?b - place) (seen ?p - place))
 (:task visit :parameters (?p - place))
 (:method there :parameters (?p - place) :task (visit ?p) :precondition (at ?p) :ordered-subtasks (look ?p))
 (:method on :parameters (?a ?b ?p - place) :task (visit ?p) :precondition (and (at ?a) (road ?a ?b))
   :ordered-subtasks (and (go ?a ?b) (visit ?p)))
 (:action go :parameters (?a ?b - place) :precondition (and (at ?a) (road ?a ?b)) :effect (and (not (at ?a)) (at ?b)))
 (:action look :parameters (?p - place) :precondition (at ?p) :effect (seen ?p)))
"""


def problem_of(places: int) -> str:
    """Return a problem whose tasks visit so many places, with a road between any two."""
    names = [f"p{n}" for n in range(places)]
    roads = " ".join(f"(road {a} {b})" for a in names for b in names if a != b)
    tasks = " ".join(f"(visit {name})" for name in names)
    return f"""(define (problem round) (:domain walk) (:objects {" ".join(names)} - place)
 (:htn :ordered-subtasks (and {tasks})) (:init (at p0) {roads}))
"""


PROBLEM = problem_of(14)


@dataclass
class Patience:
    """Says yes at the n-th question, and notes how many there were."""

    until: int
    asked: int = field(default=0)

    def __call__(self) -> bool:
        self.asked += 1
        return self.asked >= self.until


def round_trip():
    return parse_problem(PROBLEM, parse_domain(DOMAIN))


@pytest.mark.long
@pytest.mark.parametrize("search", ["auto", "lifted", "grounded"])
def test_a_call_ends_at_the_question_that_is_answered_with_yes_at_whatever_stage(search):
    problem = parse_problem(problem_of(6), parse_domain(DOMAIN))  # solved once for each question
    never = Patience(10**9)
    whole = solve(problem.domain, problem, search=search, interrupt=never)
    assert whole.status is Status.SOLVED
    stages = set()
    for number in range(1, never.asked + 1):
        patience = Patience(number)
        outcome = solve(problem.domain, problem, search=search, interrupt=patience)
        assert (outcome.status, outcome.plan, patience.asked) == (Status.INTERRUPTED, None, number)
        stages.add(outcome.reason)
    expected = {"auto": {"searched for", "improve=0"}, "lifted": {"searched for", "improve=0"}}
    for stage in expected.get(search, {"grounded"}):
        assert any(stage in reason for reason in stages), stages
    patient = solve(problem.domain, problem, search=search, interrupt=Patience(never.asked + 1))
    assert patient == whole, "an interrupt that never comes changes nothing"


def test_reading_asks_too_and_ends_without_an_answer():
    patience = Patience(2)
    asked = HddlQuestion(domain=DOMAIN, problem=PROBLEM)
    made = SOLVE_HDDL(asked, Setting(interrupt=patience))
    assert (made.output.status, patience.asked) == ("interrupted", 2)
    assert made.output.reason == "interrupted while the files were read (nothing is proved)"
    assert made.output.refusal.retryable


@pytest.mark.parametrize("make", [Grounder, UpwardGrounder])
def test_grounding_asks_once_in_so_many_units_and_what_is_built_from_it_too(make):
    patience = Patience(10**9)
    problem = NormalProblem(round_trip(), Deadline(patience))
    grounder = make(problem, Lookahead(problem, in_sequence=True), 1_000_000)
    grounder.explore()
    after_exploring = patience.asked
    assert after_exploring >= grounder.spent // ASK_EVERY > 5
    ground = GroundProblem(problem, grounder)
    built = patience.asked
    assert built - after_exploring >= (len(ground.actions) + ground.method_count) // ASK_EVERY > 1
    look_ahead(ground)
    RelaxedPlan(ground)
    assert patience.asked - built >= 2 * ground.method_count // ASK_EVERY > 2


def test_ranking_many_children_asks_too():
    patience = Patience(10**9)
    problem = NormalProblem(round_trip(), Deadline(patience))
    workshop = Workshop(problem, Lookahead(problem))
    effort = 0
    for seed in range(20):
        run = DepthFirst(workshop, guided=True, seed=seed)
        run.run(1_000)
        effort += run.effort
    assert patience.asked > 5 * effort // ASK_EVERY > 100


def test_a_deadline_asks_at_once_then_once_in_so_many_units():
    patience = Patience(3)
    deadline = Deadline(patience)
    deadline.doing = "something was done"
    for _ in range(2 * ASK_EVERY):
        deadline.spend()
    assert patience.asked == 2
    with pytest.raises(Interrupted, match="something was done"):
        deadline.spend()


def test_without_anybody_to_ask_a_deadline_only_counts():
    deadline = Deadline()
    for _ in range(3):
        deadline.spend(ASK_EVERY)


def test_the_command_says_while_what_it_was_interrupted(tmp_path, capsys):
    (tmp_path / "d.hddl").write_text(DOMAIN)
    (tmp_path / "p.hddl").write_text(PROBLEM)
    call = app.quick(
        ["plan", str(tmp_path / "d.hddl"), str(tmp_path / "p.hddl"), "--max-seconds", "0", "--json", "--explain"]
    )
    with pytest.raises(SystemExit) as ended:
        call()
    told = json.loads(capsys.readouterr().out)
    assert (ended.value.code, told["status"], told["plan"]) == (1, "interrupted", None)
    assert told["reason"] == "interrupted while the files were read (nothing is proved)"
