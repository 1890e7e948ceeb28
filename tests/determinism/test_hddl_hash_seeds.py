"""The HDDL front end gives the same bytes whatever the hash seed and the interpreter."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import json, sys
from planvow.hddl import parse_domain, parse_problem, write_domain, write_problem, verify_plan, format_plan
from planvow.hddl.bind.binding import bind
from planvow.hddl.bind.plan import to_hddl_plan
from planvow.hddl.language.errors import HddlError
from planvow.kernel import plan
domain = parse_domain('''(define (domain Garden)
  (:types tree bush - plant plant tool)
  (:constants can - tool)
  (:predicates (wet ?p - plant) (holds ?t - tool) (near ?p ?q - plant))
  (:task tend :parameters (?p - plant))
  (:task all)
  (:method every :task (all) :parameters (?p - plant ?q - plant) :precondition (near ?p ?q)
    :subtasks (and (a (tend ?p)) (b (tend ?q)) (c (pick can))) :ordering (and (< c a) (< c b)))
  (:method soak :parameters (?p - plant) :task (tend ?p) :precondition (or (holds can) (wet ?p)) :subtasks (water ?p))
  (:action pick :parameters (?t - tool) :effect (holds ?t))
  (:action water :parameters (?p - plant) :precondition (exists (?t - tool) (holds ?t))
    :effect (and (wet ?p) (forall (?q - plant) (when (near ?p ?q) (wet ?q))))))''')
problem = parse_problem('''(define (problem p) (:domain garden) (:objects oak elm - tree rose - bush)
  (:htn :subtasks (all)) (:init (near oak elm) (near elm rose) (near rose oak)))''', domain)
print(write_domain(domain)); print(write_problem(problem)); print(problem.objects_of)
bound = bind(problem)
result = plan(bound.domain, bound.state, bound.todo)
found = to_hddl_plan(bound, result)
print(format_plan(found)); print(verify_plan(problem, found))
print(json.dumps(bound.state.get_triples_as_array()))
try:
    parse_problem('(define (problem p) (:objects oak - tre))', domain)
except HddlError as error:
    print(error)
"""


def output(python: str, seed: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run([python, "-c", PROGRAM], capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_reading_writing_binding_and_verifying_do_not_depend_on_the_hash_seed():
    first = output(sys.executable, "0")
    assert "faults=()" in first
    assert "did you mean" in first
    assert {output(sys.executable, seed) for seed in ("1", "42", "1000")} == {first}


@pytest.mark.parametrize("name", ["python3.12", "python3.13"])
def test_other_interpreters_read_and_write_the_same(name):
    python = shutil.which(name)
    probe = [python or "", "-c", "import rfc8785"]
    if python is None or subprocess.run(probe, capture_output=True, check=False).returncode:
        pytest.skip(f"{name} with the dependencies is not here")
    assert output(python, "0") == output(sys.executable, "0")
