"""Estimates on the ground problem: what rules leave out changes no answer, and tasks can be taken in turn."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from planvow.hddl.grounded.best_first import BestFirst
from planvow.hddl.grounded.problem import GroundProblem
from planvow.hddl.grounded.relaxation import PlainRelaxation, Rules
from planvow.hddl.grounded.relaxed import RelaxedPlan
from planvow.hddl.grounded.serial import Serial
from planvow.hddl.lifted.lookahead import Lookahead
from planvow.hddl.lifted.normal import NormalProblem
from planvow.hddl.lifted.schema import bits
from planvow.hddl.parsing.files import load_problem
from planvow.hddl.solve.grounding_turns import Grounding

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "bench"))

from hddl_world_kinds import KINDS  # noqa: E402


def ground(folder: Path, kind: str, size: int) -> GroundProblem:
    file = folder / "problem.hddl"
    file.write_text(KINDS[kind](size).text(), encoding="utf-8")
    problem = NormalProblem(load_problem(ROOT / f"bench/worlds/{kind}.hddl", file))
    lookahead = Lookahead(problem, in_sequence=problem.is_totally_ordered)
    grounding = Grounding(problem, lookahead, "down")
    while not grounding.is_complete:
        grounding.run(10_000)
    made = grounding.problem()
    assert made is not None
    return made


def every_condition(made: GroundProblem, relaxed: RelaxedPlan) -> Rules:
    """Return the rules as they are read off the problem, with every condition and every method."""
    negated = made.goal_must_not
    for item in made.items:
        negated |= item.must_not if item.is_action else 0
        for method in item.methods:
            negated |= method.must_not
    facts = len(made.fact_numbers)
    rules = Rules(relaxed.done(made.items[-1]) + 1, [], [], [], list(bits(negated)), facts)
    for item in made.items:
        ways = [(item.must, item.must_not, (), relaxed.atoms(item.adds, item.deletes))] if item.is_action else []
        ways += [(method.must, method.must_not, method.subtasks, []) for method in item.methods]
        for must, must_not, subtasks, heads in ways:
            rules.bodies.append([*relaxed.atoms(must, must_not), *dict.fromkeys(map(relaxed.done, subtasks))])
            rules.heads.append([*heads, relaxed.done(item)])
            rules.owners.append(0)
    return rules


@pytest.mark.parametrize(("kind", "share"), [("patience", 0.5), ("storm", 0.8), ("bar", 0.9), ("joinery", 0.95)])
def test_what_is_left_out_changes_no_estimate(tmp_path, monkeypatch, kind, share):
    monkeypatch.setitem(sys.modules, "planvow_accelerator", None)
    made = ground(tmp_path, kind, 1)
    relaxed = RelaxedPlan(made)
    plain = PlainRelaxation(every_condition(made, relaxed))
    subtasks = made.root.methods[0].subtasks
    below = 0
    for item in subtasks:
        below |= relaxed.below(item)
    for count in range(1, len(subtasks) + 1):
        goals = [relaxed.done(item) for item in subtasks[:count]]
        assert relaxed.estimate_goals(made.init, goals, below) == plain.estimate(made.init, goals, 1)
    assert relaxed.work < share * plain.work, "fewer conditions are met"


def test_an_estimate_ends_where_its_goals_are_reached():
    chain = range(50)
    rules = Rules(51, [[atom] for atom in chain], [[atom + 1] for atom in chain], [0] * 50, [], 1)
    relaxation = PlainRelaxation(rules)
    assert relaxation.estimate(1, [10], 1) == 10
    assert relaxation.work == 20, "ten atoms were followed, each with its rule"
    assert relaxation.estimate(1, [], 1) == 0
    assert relaxation.work == 20


def test_one_task_after_the_other_leaves_plateaus(tmp_path):
    made = ground(tmp_path, "storm", 1)
    relaxed = RelaxedPlan(made)
    serial = Serial(made, relaxed)
    lazy = BestFirst(made, relaxed, eager=False)
    serial.run(8_000)
    lazy.run(8_000)
    assert serial.solution is not None
    assert lazy.solution is None


def test_one_task_after_the_other_proves_that_there_is_no_plan(tmp_path):
    made = ground(tmp_path, "lockers", 0)
    serial = Serial(made, RelaxedPlan(made))
    serial.run(10_000)
    assert serial.is_exhausted
    assert serial.is_proof
    assert serial.solution is None
