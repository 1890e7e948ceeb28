"""Better plans: detours go, the metric decides, long plans too, and effort is counted."""

from __future__ import annotations

import pytest

from command_line import planvow
from planvow.budgets import Budgets
from planvow.errors import InputError
from planvow.hddl import write_domain, write_problem
from planvow.hddl.language.cost import plan_cost
from planvow.hddl.lifted.agenda import Workshop
from planvow.hddl.lifted.depth_first import DepthFirst
from planvow.hddl.lifted.lookahead import Lookahead
from planvow.hddl.lifted.neighbourhood import Neighbourhood
from planvow.hddl.lifted.normal import NormalProblem
from planvow.hddl.parsing.text import parse_domain, parse_problem
from planvow.hddl.solve.entry import solve
from planvow.hddl.solve.portfolio import Portfolio
from planvow.hddl.verify.verifier import verify_plan

ROADS = """(define (domain roads) (:requirements :typing :hierarchy) (:types place)
  (:predicates (at ?p - place) (road ?a ?b - place) (seen ?p - place))
  (:functions (total-cost) - number (toll ?a ?b - place) - number)
  (:task visit :parameters (?p - place))
  (:method there :parameters (?p - place) :task (visit ?p) :precondition (at ?p) :ordered-subtasks (look ?p))
  (:method go :parameters (?a ?b ?p - place) :task (visit ?p) :precondition (and (at ?a) (road ?a ?b))
    :ordered-subtasks (and (drive ?a ?b) (visit ?p)))
  (:action drive :parameters (?a ?b - place) :precondition (and (at ?a) (road ?a ?b))
    :effect (and (not (at ?a)) (at ?b) (increase (total-cost) (toll ?a ?b))))
  (:action look :parameters (?p - place) :precondition (at ?p) :effect (seen ?p)))"""


def _ring(size: int, tours: int, metric: str = "", tolls: dict[tuple[int, int], int] | None = None):
    """A ring of places to go around both ways, each to be visited in turn `tours` times over."""
    pairs = [(a, b) for a in range(size) for b in ((a - 1) % size, (a + 1) % size)]
    roads = " ".join(f"(road p{a} p{b})" for a, b in pairs)
    costs = " ".join(f"(= (toll p{a} p{b}) {(tolls or {}).get((a, b), 1)})" for a, b in pairs)
    visits = " ".join(f"(visit p{number * (size // 2) % size})" for number in range(1, tours + 1))
    text = f"""(define (problem ring) (:domain roads) (:objects {" ".join(f"p{n}" for n in range(size))} - place)
      (:htn :ordered-subtasks (and {visits})) (:init (at p0) {roads} {costs} (= (total-cost) 0)) {metric})"""
    return parse_problem(text, parse_domain(ROADS))


def _solved(problem, **how):
    outcome = solve(problem.domain, problem, search="lifted", **how)
    assert outcome.plan is not None
    assert verify_plan(problem, outcome.plan)
    return outcome


@pytest.fixture
def asked(monkeypatch):
    """Return the lengths of the plans about which the verifier is asked, and the questions that it answers with no."""
    lengths = []

    def accepts(self, root, executed):
        lengths.append(len(executed))
        return len(lengths) not in accepts.no and accepted(self, root, executed)

    accepted, accepts.no = Portfolio._accepts, set()
    monkeypatch.setattr(Portfolio, "_accepts", accepts)
    return lengths, accepts.no


def test_the_verifier_is_asked_ever_more_rarely_and_the_plan_is_the_same(asked, monkeypatch):
    lengths, _ = asked
    problem = _ring(9, 40)
    rarely = _solved(problem, improve=20_000)
    lengths_then = lengths[:]
    lengths.clear()
    begin = Neighbourhood.__init__

    def begun(self, *told):
        begin(self, *told)
        self._is_trusted = False

    monkeypatch.setattr(Neighbourhood, "__init__", begun)
    assert _solved(problem, improve=20_000) == rarely
    assert (len(lengths_then), len(lengths)) == (5, 17)
    assert lengths_then[-1] == lengths[-1] == len(rarely.plan.steps)


@pytest.mark.parametrize("no", [1, 2, 3])
def test_what_was_done_since_the_verifier_was_asked_last_is_undone_when_it_refuses(asked, no):
    lengths, refused = asked
    refused.add(no)
    problem = _ring(9, 40)
    better = _solved(problem, improve=20_000)
    assert len(better.plan.steps) == min(length for number, length in enumerate(lengths, 1) if number != no)
    after = lengths[no:]
    assert after[0] >= lengths[no - 1], "it begins again from the plan before"
    assert len(after) > 8, "asked after every change from then on"


def test_what_a_window_costs_does_not_grow_with_the_plan_behind_it(monkeypatch):
    """One task with two ways, then three hundred actions that stay: these are looked at, not carried out."""
    domain = parse_domain("""(define (domain d) (:predicates (on) (off)) (:task t :parameters ())
      (:method one :parameters () :task (t) :ordered-subtasks (a))
      (:method other :parameters () :task (t) :ordered-subtasks (b))
      (:action a :parameters () :effect (off)) (:action b :parameters () :effect (on))
      (:action c :parameters () :precondition (on) :effect (off)))""")
    text = "(define (problem p) (:domain d) (:htn :ordered-subtasks (t)) (:init))"
    problem = NormalProblem(parse_problem(text, domain))
    workshop = Workshop(problem, Lookahead(problem))
    task, action = (workshop.tables[problem.task_names.index(name)][()] for name in "tc")
    rest = workshop.book.put([action] * 300, workshop.book.empty)
    applied = []
    apply = Workshop.apply
    monkeypatch.setattr(Workshop, "apply", lambda self, action: applied.append(action) or apply(self, action))
    run = DepthFirst(workshop, guided=True, start=(workshop.book.put([task], rest), rest, 0))
    run.run(100)
    assert [problem.methods[choice.method].name for choice in run.plan] == ["other"]
    assert len(applied) < 10


@pytest.mark.long
def test_a_long_plan_loses_its_detours():
    problem = _ring(9, 60)
    first, better = _solved(problem, improve=0), _solved(problem, improve=50_000)
    assert better.search == "neighbourhood"
    assert len(better.plan.steps) < len(first.plan.steps)
    shortest = 60 + 60 * 4  # each place is half a ring away
    assert len(better.plan.steps) <= 1.1 * shortest


def test_the_metric_decides_and_not_the_length():
    """The short way round has a dear road; the long way is free."""
    tolls = {(a, b): 0 for a in range(7) for b in ((a + 1) % 7, (a - 1) % 7)} | {(0, 1): 90, (1, 2): 90, (2, 3): 90}
    plain = _ring(7, 1, tolls=tolls)
    by_cost = _ring(7, 1, metric="(:metric minimize (total-cost))", tolls=tolls)
    assert len(_solved(plain, improve=5_000).plan.steps) == 4
    cheapest = _solved(by_cost, improve=5_000)
    assert (plan_cost(by_cost, cheapest.plan), len(cheapest.plan.steps)) == (0, 5)


def test_no_effort_means_the_first_plan_and_effort_is_kept():
    problem = _ring(9, 20)
    first = _solved(problem, improve=0)
    assert first.search != "neighbourhood"
    spent = first.statistics["effort"]
    assert _solved(problem, improve=0) == first
    some = _solved(problem, improve=3_000).statistics["effort"]
    assert spent < some <= spent + 2_000 + 3_000 + 200, "branch and bound has an effort of its own"
    limited = _solved(problem, improve=100_000, budgets=Budgets(max_iterations=int(spent) + 500))
    assert limited.statistics["effort"] <= int(spent) + 600


def test_no_effort_goes_into_a_plan_that_is_known_to_be_the_shortest():
    problem = _ring(5, 1)
    kept, tried = _solved(problem, improve=1), _solved(problem, improve=50_000)
    assert len(kept.plan.steps) == 3
    assert tried == kept, "nothing was looked at again"


def test_what_a_task_inside_itself_could_do_is_not_taken_for_looked_at():
    domain = parse_domain("""(define (domain d) (:predicates (done) (half)) (:task work :parameters ())
      (:method long :parameters () :task (work) :ordered-subtasks (and (begin) (end)))
      (:method around :parameters () :task (work) :ordered-subtasks (and (work) (finish)))
      (:method nothing :parameters () :task (work) :ordered-subtasks ())
      (:action begin :parameters () :precondition () :effect (half))
      (:action end :parameters () :precondition (half) :effect (done))
      (:action finish :parameters () :precondition () :effect (done)))""")
    problem = parse_problem(
        "(define (problem p) (:domain d) (:htn :ordered-subtasks (work)) (:init) (:goal (done)))", domain
    )
    first, tried = _solved(problem, improve=1), _solved(problem, improve=50_000)
    assert len(first.plan.steps) == 2, "`finish` alone needs a task inside itself with nothing done in between"
    assert tried.statistics["effort"] > first.statistics["effort"]


@pytest.mark.parametrize("wrong", [-1, True, 1.5])
def test_an_effort_is_a_whole_number(wrong):
    problem = _ring(5, 1)
    with pytest.raises(InputError, match="improve is a whole number"):
        solve(problem.domain, problem, improve=wrong)


def test_a_plan_that_methods_would_forbid_is_not_taken():
    """The second task's method may only be used where nothing was skipped: the verifier has the last word."""
    domain = parse_domain("""(define (domain d) (:predicates (marked) (done))
      (:task first :parameters ()) (:task second :parameters ())
      (:method long :parameters () :task (first) :ordered-subtasks (and (mark) (rest)))
      (:method short :parameters () :task (first) :ordered-subtasks (rest))
      (:method only :parameters () :task (second) :precondition (marked) :ordered-subtasks (end))
      (:action mark :parameters () :precondition () :effect (marked))
      (:action rest :parameters () :precondition () :effect ())
      (:action end :parameters () :precondition () :effect (done)))""")
    problem = parse_problem(
        "(define (problem p) (:domain d) (:htn :ordered-subtasks (and (first) (second))) (:init))", domain
    )
    assert [step.action for step in _solved(problem, improve=5_000).plan.steps] == ["mark", "rest", "end"]


@pytest.mark.long
def test_the_command_takes_an_effort(tmp_path):
    problem = _ring(9, 12)
    (tmp_path / "d.hddl").write_text(write_domain(problem.domain))
    (tmp_path / "p.hddl").write_text(write_problem(problem))
    lengths = []
    for effort in ("0", "50000"):
        ended = planvow(tmp_path, "plan", "d.hddl", "p.hddl", "--improve", effort, "--search", "lifted")
        assert ended.returncode == 0, ended.stderr
        lengths.append(ended.stderr)
    assert lengths[0] != lengths[1]
