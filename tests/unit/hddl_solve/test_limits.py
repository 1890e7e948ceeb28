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
from planvow.hddl.language.plan_format import parse_plan
from planvow.hddl.lifted.agenda import Workshop
from planvow.hddl.lifted.depth_first import DepthFirst
from planvow.hddl.lifted.derivation import leftmost, to_plan
from planvow.hddl.lifted.facts import Facts
from planvow.hddl.lifted.joins import RULE, Joiner
from planvow.hddl.lifted.lookahead import Lookahead
from planvow.hddl.lifted.neighbourhood import Neighbourhood
from planvow.hddl.lifted.normal import NormalProblem
from planvow.hddl.lifted.prices import Prices
from planvow.hddl.solve.entry import solve
from planvow.hddl.verify.verifier import verify_plan
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
    assert patience.asked >= grounder.spent // ASK_EVERY > 5
    problem.deadline = Deadline(patience)
    patience.asked = 0
    ground = GroundProblem(problem, grounder)
    built = patience.asked
    looked_at = 2 * len(ground.items) + 2 * len(ground.actions) + 3 * ground.method_count
    assert built >= 1 + (looked_at - 1) // ASK_EVERY > 40
    look_ahead(ground)
    RelaxedPlan(ground)
    assert patience.asked - built >= 2 * ground.method_count // ASK_EVERY > 2


def test_writing_and_compiling_joins_asks_once_in_a_few_rules():
    patience = Patience(10**9)
    problem = NormalProblem(round_trip(), Deadline(patience))
    lookahead = Lookahead(problem)
    rules = [lookahead.rule(0)] * 20
    Joiner(problem, Facts(problem)).generator(rules, lambda rule, names: "()")
    assert patience.asked >= len(rules) * RULE // ASK_EVERY > 4


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


def long_way(visits):
    """Return a problem of so many visits."""
    places = "(visit p0) (visit p1) " * (visits // 2)
    return parse_problem(problem_of(2).replace("(visit p0) (visit p1)", places), parse_domain(DOMAIN))


def test_verifying_a_long_plan_asks_at_every_step_every_part_and_every_moment_a_method_may_begin():
    steps = 5 * ASK_EVERY
    domain = parse_domain("""(define (domain late) (:predicates (over)) (:task wait :parameters ())
 (:method end :parameters () :task (wait) :precondition (over) :ordered-subtasks (look))
 (:action look :parameters ()) (:action stop :parameters () :effect (over)))""")
    lines = "\n".join(f"{number} {'look' if number != steps else 'stop'}" for number in range(steps + 2))
    parts = " ".join(map(str, range(steps + 1)))

    def asked_about(network: str, tree: str) -> int:
        patience = Patience(10**9)
        problem = parse_problem(f"(define (problem p) (:domain late) {network} (:init) (:goal (over)))", domain)
        verdict = verify_plan(problem, parse_plan(f"==>\n{lines}\n{tree}\n<==\n"), Deadline(patience))
        assert verdict, verdict.reason
        return patience.asked

    by_itself = asked_about("", f"root {parts} {steps + 1}")
    calls = " ".join(["(look)"] * steps)
    among_others = asked_about(
        f"(:htn :subtasks (and {calls} (stop) (wait)))",
        f"root {parts} {steps + 2}\n{steps + 2} wait -> end {steps + 1}",
    )
    assert (by_itself, among_others) == (steps // ASK_EVERY + 1, 3 * steps // ASK_EVERY + 1)


@pytest.mark.parametrize("condition", ["(exists (?p - place) (at ?p))", "(forall (?p - place) (at ?p))"])
def test_verifying_asks_at_every_choice_that_a_quantifier_leaves(condition):
    """With one action, whatever else is counted asks once."""
    is_all = condition.startswith("(forall")
    places = [f"p{n}" for n in range(5 * ASK_EVERY)]
    true = places if is_all else places[-1:]
    domain = parse_domain(f"""(define (domain wide) (:types place) (:predicates (at ?p - place) (done))
 (:action look :parameters () :precondition {condition} :effect (done)))""")
    problem = parse_problem(
        f"""(define (problem one) (:domain wide) (:objects {" ".join(places)} - place)
 (:htn :ordered-subtasks (look)) (:init {" ".join(f"(at {name})" for name in true)}))""",
        domain,
    )
    patience = Patience(10**9)
    verdict = verify_plan(problem, parse_plan("==>\n0 look\nroot 0\n<==\n"), Deadline(patience))
    assert verdict, verdict.reason
    assert patience.asked >= len(places) // ASK_EVERY


def test_verifying_asks_at_every_fact_that_could_bind_a_methods_variable():
    places = [f"p{n}" for n in range(5 * ASK_EVERY)]
    domain = parse_domain("""(define (domain wide) (:types place) (:predicates (at ?p - place) (last ?p - place))
 (:task all :parameters ())
 (:method one :parameters (?p - place) :task (all) :precondition (and (at ?p) (last ?p)) :ordered-subtasks (look))
 (:action look :parameters ()))""")
    problem = parse_problem(
        f"""(define (problem one) (:domain wide) (:objects {" ".join(places)} - place)
 (:htn :ordered-subtasks (all)) (:init {" ".join(f"(at {name})" for name in places)} (last {places[-1]})))""",
        domain,
    )
    patience = Patience(10**9)
    plan = parse_plan("==>\n0 look\nroot 1\n1 all -> one 0\n<==\n")
    assert verify_plan(problem, plan, Deadline(patience))
    assert patience.asked >= len(places) // ASK_EVERY


def test_following_a_long_plan_to_make_it_better_asks_once_in_so_many_actions():
    patience = Patience(10**9)
    problem = NormalProblem(long_way(4 * ASK_EVERY), Deadline(patience))
    workshop = Workshop(problem, Lookahead(problem))
    run = DepthFirst(workshop, guided=True)
    run.run(1_000_000)
    before = patience.asked
    root, executed = leftmost(problem, run.plan)
    replayed = patience.asked
    assert replayed - before >= len(executed) // ASK_EVERY > 3
    plan = to_plan(problem, root, executed)
    told = patience.asked
    assert told - replayed >= (len(plan.steps) + len(plan.decompositions)) // ASK_EVERY
    around = Neighbourhood(workshop, root, Prices(problem), lambda *_: True)
    followed = patience.asked
    assert followed - told >= len(executed) // ASK_EVERY
    around._rest(0)
    assert patience.asked - followed >= len(executed) // ASK_EVERY


def test_a_plan_whose_verification_is_interrupted_is_not_given_out():
    problem = long_way(4 * ASK_EVERY)
    never = Patience(10**9)
    assert solve(problem.domain, problem, search="lifted", improve=0, interrupt=never).status is Status.SOLVED
    ended = solve(problem.domain, problem, search="lifted", improve=0, interrupt=Patience(never.asked))
    assert (ended.status, ended.plan) == (Status.INTERRUPTED, None)
    assert ended.reason == "interrupted while the plan that was found was verified (nothing is proved)"
