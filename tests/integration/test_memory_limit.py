"""`--max-memory-mb`: a search that would take more ends as interrupted, and never has more than was asked for."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX system")

LIMIT = 64
LIGHTS = 20
DOMAIN = """(define (domain lights) (:types light) (:predicates (on ?l - light) (off ?l - light))
 (:task solve :parameters ())
 (:method step :parameters (?a ?b - light) :task (solve) :precondition (not (= ?a ?b))
   :ordered-subtasks (and (flip ?a ?b) (solve)))
 (:method stop :parameters () :task (solve) :precondition (forall (?l - light) (on ?l)) :ordered-subtasks ())
 (:action flip :parameters (?a ?b - light) :precondition (not (= ?a ?b)) :effect (and
   (when (on ?a) (and (not (on ?a)) (off ?a))) (when (off ?a) (and (on ?a) (not (off ?a))))
   (when (on ?b) (and (not (on ?b)) (off ?b))) (when (off ?b) (and (on ?b) (not (off ?b)))))))
"""
PROBLEM = f"""(define (problem odd) (:domain lights) (:objects {" ".join(f"l{i}" for i in range(LIGHTS))} - light)
 (:htn :ordered-subtasks (and (solve))) (:init (on l0) {" ".join(f"(off l{i})" for i in range(1, LIGHTS))}))
"""
GROWING = """from planvow import Domain, State, make_problem

counting = Domain("counting")


@counting.method(task="count")
def one_more(state, n):
    return [("count", n + 1)]


problem = make_problem(counting, State(), [("count", 1)])
"""
# The peak of the process itself, which a parent's own size does not blur.
RUN = """
import atexit, sys
from pathlib import Path
from planvow.adapters.cli.main import run

def tell():
    peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    print("PEAK", int(peak.split()[1]) // 1024, file=sys.stderr)

atexit.register(tell)
run()
"""


def planvow(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", RUN, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def peak_of(done: subprocess.CompletedProcess[str]) -> int:
    return int(done.stderr.rsplit("PEAK", 1)[1])


@pytest.fixture
def lights(tmp_path):
    domain, problem = tmp_path / "d.hddl", tmp_path / "p.hddl"
    domain.write_text(DOMAIN)
    problem.write_text(PROBLEM)
    return domain, problem


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_an_hddl_search_stays_below_its_memory_limit(lights):
    done = planvow("plan", *lights, "--max-memory-mb", LIMIT, "--json")
    told = json.loads(done.stdout)
    assert (done.returncode, told["status"]) == (1, "interrupted")
    assert told["reason"] == f"max_memory_mb = {LIMIT} was reached (nothing is proved)"
    assert peak_of(done) <= LIMIT


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_a_search_over_a_python_domain_stays_below_its_memory_limit(tmp_path):
    module = tmp_path / "growing.py"
    module.write_text(GROWING)
    done = planvow("plan", module, "--max-memory-mb", LIMIT)
    assert done.returncode == 1
    assert f"MEMORY_LIMIT max_memory_mb = {LIMIT} was reached" in done.stderr
    assert peak_of(done) <= LIMIT


def test_a_limit_below_what_is_needed_to_begin_is_an_answer_too(lights):
    done = planvow("plan", *lights, "--max-memory-mb", 1)
    assert done.returncode == 1
    assert "MEMORY_LIMIT max_memory_mb = 1 was reached" in done.stderr


def test_a_generous_limit_changes_nothing(lights):
    limits = ("--max-iterations", 500, "--json")
    assert (
        planvow("plan", *lights, *limits, "--max-memory-mb", 4_000).stdout == planvow("plan", *lights, *limits).stdout
    )
