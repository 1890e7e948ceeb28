"""Plans, explanations and certificates are the same bytes under every hash seed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import sys
from pathlib import Path
from planvow.adapters.machine.modules import load_module
from planvow.canonical import canonical_json
from planvow.kernel import Problem, replan, solve
from random_domains import agenda_of, domain_of, random_description, start_of
from planvow import Budgets, plan

for path in sorted(Path("examples").glob("*.py")):
    for name, problem in sorted(vars(load_module(path)).items()):
        if isinstance(problem, Problem):
            result = solve(problem)
            print(path.name, name, canonical_json(result.as_dict()), canonical_json(result.explain_plan()))
            if result.success:
                print(result.certificate().canonical_bytes().decode())
                print(result.to_svg(), result.to_mermaid(), result.to_dot())
for seed in range(60):
    d = random_description(seed)
    for selection in ("declared", "learned"):
        limits = Budgets(max_iterations=1000)
        result = plan(domain_of(d), start_of(d), agenda_of(d), selection=selection, budgets=limits)
        print(seed, canonical_json(result.as_dict()), canonical_json(result.explain_plan()))
        for node in result.solution_graph.commands()[:1]:
            print(canonical_json(replan(result, result.problem.state, node.node_id).as_dict()))
"""


def output(hash_seed):
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT / 'tests' / 'lab'}"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_byte_is_the_same_under_every_hash_seed():
    first = output("0")
    assert len(first) > 10_000
    assert output("1") == first
    assert output("4711") == first
