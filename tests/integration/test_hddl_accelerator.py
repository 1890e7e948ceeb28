"""The accelerator, built with the system's compiler: estimates, counts, supporters and plans are as specified."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hddl_instances import IPC, load_problem, needs_ipc
from hddl_random import random_texts
from planvow.budgets import Budgets
from planvow.hddl.grounded import relaxation as specification
from planvow.hddl.grounded import relaxed
from planvow.hddl.grounded.relaxation import PlainRelaxation, Rules
from planvow.hddl.language.plan_format import format_plan
from planvow.hddl.parsing.text import parse_domain, parse_problem
from planvow.hddl.solve.entry import solve

ROOT = Path(__file__).resolve().parents[2]
HARDER = [
    ("total-order/AssemblyHierarchical", "genericLinearProblem_depth08"),
    ("total-order/Factories-simple", "pfile02"),
    ("total-order/Snake", "pb06.snake"),
    ("partial-order/PCP", "p-pcp01"),
    ("partial-order/Satellite", "2obs-2sat-1mod"),
]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build it as `pip install ./accelerator` does, into a folder of its own."""
    source = tmp_path_factory.mktemp("source") / "accelerator"
    shutil.copytree(ROOT / "accelerator", source, ignore=shutil.ignore_patterns("build", "*.egg-info"))
    target = tmp_path_factory.mktemp("installed")
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    ended = subprocess.run(
        [*install, "--no-build-isolation", "--target", str(target), str(source)], capture_output=True, text=True
    )
    assert ended.returncode == 0, ended.stderr
    return target


@pytest.fixture
def accelerator(built, monkeypatch):
    monkeypatch.syspath_prepend(str(built))
    module = pytest.importorskip("planvow_accelerator")
    yield module
    for name in [name for name in sys.modules if name.startswith("planvow_accelerator")]:
        monkeypatch.delitem(sys.modules, name)


class Both:
    """Asks both at every step and lets nothing pass on which they differ."""

    asked = 0

    def __init__(self, rules, compiled):
        self._atoms = rules.atoms
        self._plain, self._compiled = PlainRelaxation(rules), compiled(rules)

    @property
    def work(self):
        assert self._plain.work == self._compiled.work
        return self._plain.work

    def estimate(self, state, goals, below):
        found = self._plain.estimate(state, goals, below)
        assert self._compiled.estimate(state, goals, below) == found
        Both.asked += 1
        return found

    def supporter(self, atom):
        assert self._compiled.supporter(atom) == self._plain.supporter(atom)
        return self._plain.supporter(atom)


def random_rules(dice):
    """Return rules of any shape: empty bodies and heads, cycles, atoms nobody makes, negated facts."""
    facts, tasks = dice.randrange(1, 40), dice.randrange(1, 40)
    negated = sorted(dice.sample(range(facts), dice.randrange(facts + 1)))
    atoms = facts + len(negated) + tasks
    count = dice.randrange(0, 120)
    bodies = [dice.sample(range(atoms), dice.randrange(min(4, atoms + 1))) for _ in range(count)]
    heads = [[dice.randrange(atoms) for _ in range(dice.randrange(4))] for _ in range(count)]
    owners = [dice.randrange(1, tasks + 1) for _ in range(count)]
    return Rules(atoms, bodies, heads, owners, negated, facts), tasks


def test_estimates_counts_and_supporters_are_the_same_on_thousands_of_states(accelerator):
    dice = random.Random(20)
    reached = 0
    for _ in range(300):
        rules, tasks = random_rules(dice)
        both = Both(rules, accelerator.Relaxation)
        for _ in range(15):
            goals = [dice.randrange(rules.atoms) for _ in range(dice.randrange(5))]
            found = both.estimate(dice.getrandbits(rules.first_false), goals, dice.getrandbits(tasks + 2))
            reached += 0 < found < specification.UNREACHABLE
            assert both.work >= 0
            for atom in range(rules.atoms):
                both.supporter(atom)
    assert reached > 300, "most estimates should have something to count"


def _texts(problem, **how):
    outcome = solve(problem.domain, problem, budgets=Budgets(max_iterations=how.pop("effort")), **how)
    return outcome.status, outcome.plan and format_plan(outcome.plan), dict(outcome.statistics), outcome.search


@pytest.mark.parametrize("partial", [False, True])
def test_whole_searches_ask_the_same_and_find_the_same(accelerator, monkeypatch, partial):
    for seed in range(40):
        domain, problem = random_texts(seed, partial=partial, recursive=True)
        read = parse_problem(problem, parse_domain(domain))
        monkeypatch.setattr(relaxed, "relaxation", PlainRelaxation)
        plain = _texts(read, search="grounded", effort=2_000)
        monkeypatch.setattr(relaxed, "relaxation", lambda rules: Both(rules, accelerator.Relaxation))
        assert _texts(read, search="grounded", effort=2_000) == plain
        monkeypatch.setattr(relaxed, "relaxation", specification.relaxation)
        assert _texts(read, search="grounded", effort=2_000) == plain


@needs_ipc
@pytest.mark.parametrize(("folder", "name"), HARDER)
def test_plans_of_harder_problems_have_the_same_bytes(accelerator, monkeypatch, folder, name):
    own = IPC / folder / f"{name}-domain.hddl"
    problem = load_problem(own if own.exists() else IPC / folder / "domain.hddl", IPC / folder / f"{name}.hddl")
    monkeypatch.setattr(relaxed, "relaxation", lambda rules: Both(rules, accelerator.Relaxation))
    before = Both.asked
    both = _texts(problem, search="grounded", effort=20_000)
    assert Both.asked > before, "nothing was compared"
    monkeypatch.setattr(relaxed, "relaxation", specification.relaxation)
    assert _texts(problem, search="grounded", effort=20_000) == both


def test_it_is_found_where_it_is_installed_and_fits(accelerator, monkeypatch):
    rules = Rules(1, [], [], [], [], 1)
    assert isinstance(specification.relaxation(rules), accelerator.Relaxation)
    monkeypatch.setattr(accelerator, "FORMAT", specification.FORMAT + 1)
    assert isinstance(specification.relaxation(rules), PlainRelaxation)
