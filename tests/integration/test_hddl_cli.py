"""`planvow plan` and `planvow verify` on HDDL files, as a user runs them."""

from __future__ import annotations

import gc
import json
import subprocess
from pathlib import Path

import pytest

import command_line
from planvow.hddl.parsing.files import load_domain, load_problem
from planvow.hddl.solve.entry import solve

DOMAIN = """(define (domain Tea)
  (:types cup)
  (:predicates (clean ?c - cup) (full ?c - cup))
  (:functions (total-cost) - number)
  (:task Serve :parameters (?c - cup))
  (:method wash-first :parameters (?c - cup) :task (Serve ?c) :precondition (not (clean ?c))
    :ordered-subtasks (and (Wash ?c) (Serve ?c)))
  (:method pour-it :parameters (?c - cup) :task (Serve ?c) :precondition (clean ?c)
    :ordered-subtasks (and (pour ?c)))
  (:action Wash :parameters (?c - cup) :effect (and (clean ?c) (increase (total-cost) 2)))
  (:action pour :parameters (?c - cup) :precondition (clean ?c) :effect (and (full ?c) (increase (total-cost) 1))))
"""
PROBLEM = """(define (problem two-cups) (:domain tea) (:objects Mug glass - cup)
  (:htn :parameters () :ordered-subtasks (and (Serve Mug) (Serve glass)))
  (:init (clean glass)) (:goal (and (full Mug) (full glass))))
"""
PLAN = """==>
1 Wash Mug
2 pour Mug
3 pour glass
root 10 11
10 Serve Mug -> wash-first 1 12
12 Serve Mug -> pour-it 2
11 Serve glass -> pour-it 3
<==
"""


def planvow(*words: object) -> subprocess.CompletedProcess[str]:
    return command_line.planvow(Path.cwd(), *words)


@pytest.fixture
def files(tmp_path):
    domain, problem, plan = tmp_path / "domain.hddl", tmp_path / "p.hddl", tmp_path / "p.plan"
    domain.write_text(DOMAIN)
    problem.write_text(PROBLEM)
    plan.write_text(PLAN)
    return domain, problem, plan


def test_a_right_plan_is_accepted_with_exit_code_0(files):
    done = planvow("verify", *files)
    assert (done.returncode, done.stdout) == (0, "valid: the plan solves the problem\n")


def test_a_wrong_plan_is_rejected_with_exit_code_1_and_the_first_fault(files):
    files[2].write_text(PLAN.replace("1 Wash Mug\n", "").replace("wash-first 1 12", "wash-first 12"))
    done = planvow("verify", *files)
    assert done.returncode == 1
    assert "the precondition of (pour Mug) does not hold: (clean Mug) is false" in done.stdout
    assert "p.plan:2:1" in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize("text", ["nothing", "", " "])
def test_text_that_is_no_plan_is_a_wrong_plan(files, text):
    files[2].write_text(text)
    done = planvow("verify", *files, "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["fault"] == "format"
    assert json.loads(done.stdout)["place"].startswith(f"{files[2]}:1:")


def test_a_plan_is_found_verified_and_written(files, tmp_path):
    out = tmp_path / "out.plan"
    done = planvow("plan", files[0], files[1], "--plan-out", out)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("solved: 3 actions, verified")
    started = command_line.planvow_process(tmp_path, "verify", files[0], files[1], out)
    assert started.returncode == 0


def test_an_interrupted_call_says_so_once_and_while_it_did_what(files):
    done = planvow("plan", files[0], files[1], "--max-seconds", 0)
    assert (done.returncode, done.stdout) == (1, "interrupted: while the files were read (nothing is proved)\n")


def test_garbage_is_collected_more_rarely_by_the_command_and_as_the_caller_says_by_the_library(files):
    before = gc.get_threshold()
    try:
        solve(load_domain(files[0]), load_problem(files[0], files[1]))
        assert gc.get_threshold() == before
        assert planvow("plan", files[0], files[1]).returncode == 0
        assert gc.get_threshold() == (10_000, *before[1:])
    finally:
        gc.set_threshold(*before)


def test_json_is_one_document_with_the_plan_its_cost_and_its_hash(files):
    done = planvow("plan", files[0], files[1], "--json")
    record = json.loads(done.stdout)
    assert record["status"] == "solved"
    assert record["actions"] == [["Wash", "Mug"], ["pour", "Mug"], ["pour", "glass"]]
    assert record["cost"] == 4
    assert record["verified"] is True
    assert len(record["plan_hash"]) == 64


def test_a_proof_of_no_plan_alone_is_no_wrong_certificate(tmp_path):
    proof = tmp_path / "none.json"
    proof.write_text('{"format": "planvow-no-plan/1"}')
    done = planvow("verify", proof)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"hint: planvow verify DOMAIN.hddl PROBLEM.hddl {proof}" in done.stderr


def test_a_certificate_and_a_proof_are_verified_with_their_files_named_in_either_way(files, tmp_path):
    domain, problem, _ = files
    out = tmp_path / "tea.json"
    assert planvow("plan", domain, problem, "--certificate", out).returncode == 0
    done = planvow("verify", domain, problem, out)
    assert (done.returncode, done.stdout) == (
        0,
        planvow("verify", out, "--domain", domain, "--problem", problem).stdout,
    )
    assert "re-executed" in done.stdout
    problem.write_text(PROBLEM.replace("(full glass)", "(not (full glass))"))
    assert "REJECTED" in planvow("verify", domain, problem, out).stdout
    assert planvow("plan", domain, problem, "--certificate", out).returncode == 1
    for words in ((domain, problem, out), (out, "--domain", domain, "--problem", problem)):
        assert planvow("verify", *words).stdout == "valid: there is no plan\n"


def test_a_certificate_of_the_plan_is_written_and_accepted(files, tmp_path):
    out = tmp_path / "tea.json"
    assert planvow("plan", files[0], files[1], "--certificate", out).returncode == 0
    assert planvow("verify", out).returncode == 0
    out.write_text(out.read_text().replace('"Mug"', '"Jug"', 1))
    assert planvow("verify", out).returncode == 1


def test_no_plan_is_exit_code_1_and_says_so(files):
    files[1].write_text(PROBLEM.replace("(full glass)))", "(not (full glass))))"))
    done = planvow("plan", files[0], files[1], "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["status"] == "no_plan"


def test_a_plan_deeper_than_allowed_is_not_given(files):
    done = planvow("plan", files[0], files[1], "--max-depth", 2, "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["budget"] == {"name": "max_depth", "limit": 2}
    assert planvow("plan", files[0], files[1], "--max-depth", 3).returncode == 0


def test_the_tree_and_the_reasons_are_shown(files):
    done = planvow("plan", files[0], files[1], "--tree", "--explain")
    assert "Serve(Mug)  [wash-first]" in done.stdout
    assert "pour-it" in done.stdout
    files[1].write_text(PROBLEM.replace("(full glass)))", "(not (full glass))))"))
    done = planvow("plan", files[0], files[1], "--explain")
    assert (done.returncode, done.stdout.split(":")[0]) == (1, "no_plan")
    assert "(full glass) is true" in done.stdout


def test_a_fault_in_a_file_is_exit_code_2_with_place_line_and_hint(files):
    files[1].write_text(PROBLEM.replace("clean glass", "clean glas"))
    done = planvow("plan", files[0], files[1])
    assert done.returncode == 2
    assert "p.hddl:3:17: expected a declared object, found 'glas'" in done.stderr
    assert "did you mean 'glass'?" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "words", [("verify", "a.hddl"), ("verify", "a.json"), ("plan", "no.hddl", "no.hddl"), ("plan", ".", ".")]
)
def test_wrong_use_is_exit_code_2(words):
    done = planvow(*words)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("data", [b"\x00\x01\xff\xfe" * 100, b"(" * 200_000, b"", b"(define (domain Tea)"])
def test_garbage_is_exit_code_2_without_a_traceback(files, data):
    files[0].write_bytes(data)
    done = planvow("plan", files[0], files[1])
    assert done.returncode == 2
    assert "HDDL_" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_huge_file_is_refused_before_it_is_read(files):
    with files[1].open("wb") as stream:
        stream.truncate(100_000_001)
    done = planvow("plan", files[0], files[1])
    assert done.returncode == 2
    assert "the limit is" in done.stderr


ENDLESS = """(define (domain rec) (:predicates (never))
 (:task t :parameters ())
 (:method again :parameters () :task (t) :ordered-subtasks (and (t) (a)))
 (:method stop :parameters () :task (t) :precondition (never) :ordered-subtasks ())
 (:action a :parameters () :precondition () :effect ()))
"""
ENDLESS_PROBLEM = "(define (problem r) (:domain rec) (:objects) (:htn :ordered-subtasks (and (t))) (:init))"


def test_an_explanation_does_not_contradict_the_answer(tmp_path):
    domain, problem = tmp_path / "d.hddl", tmp_path / "p.hddl"
    domain.write_text(ENDLESS)
    problem.write_text(ENDLESS_PROBLEM)
    done = planvow("plan", domain, problem, "--explain")
    assert done.returncode == 1
    assert done.stdout.startswith("no_plan: the whole search space was looked at\n")
    assert "nothing is proved" not in done.stdout
    assert "stop: (never) is false" in done.stdout
    assert "the answer does not rest on it" in done.stdout
    assert len(done.stdout) < 1_500
    told = json.loads(planvow("plan", domain, problem, "--explain", "--json").stdout)
    assert told["explanation"]["status"] == told["status"] == "no_plan"
    assert told["explanation"]["reason"] == told["reason"]


def test_the_actions_of_a_certificate_can_be_run_again(files, tmp_path):
    domain, problem, _ = files
    certificate = tmp_path / "c.json"
    assert planvow("plan", domain, problem, "--certificate", certificate).returncode == 0
    done = planvow("verify", certificate, "--domain", domain, "--problem", problem)
    assert done.returncode == 0
    assert "re-execution re-executed accepted" in done.stdout.splitlines()
    lacking = planvow("verify", certificate, "--domain", domain)
    assert lacking.returncode == 2
    assert "add --problem PROBLEM.hddl" in lacking.stderr


@pytest.mark.parametrize("option", [["--minizinc"], ["--domain", "d.py"], ["--problem", "p.hddl"]])
def test_options_for_certificates_are_refused_for_ipc_plans(files, option):
    done = planvow("verify", *files, *option)
    assert done.returncode == 2
    assert f"{option[0]}: this is for certificates" in done.stderr


def test_a_timeline_of_an_hddl_plan_is_refused(files):
    domain, problem, _ = files
    done = planvow("plan", domain, problem, "--timeline")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--timeline: an HDDL plan has no times" in done.stderr


def test_a_report_that_cannot_be_written_is_said_before_anything_is(files, tmp_path):
    domain, problem, _ = files
    (tmp_path / "markupsafe.py").write_text("raise ModuleNotFoundError(name='markupsafe')")  # as if not installed
    words = ("plan", domain, problem, "--html", "report.html", "--plan-out", "found.plan")
    done = command_line.planvow_process(tmp_path, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert "pip install 'planvow[http]'" in done.stderr
    assert not (tmp_path / "found.plan").exists()


def test_files_of_pddl_are_told_what_they_would_have_to_be(files, tmp_path):
    done = planvow("plan", "domain.pddl", "problem.pddl")
    assert done.returncode == 2
    assert "HDDL files end in .hddl" in done.stderr


def test_a_missing_minizinc_program_is_named(files, tmp_path, monkeypatch):
    pytest.importorskip("minizinc")
    domain, problem, _ = files
    certificate = tmp_path / "c.json"
    assert planvow("plan", domain, problem, "--certificate", certificate).returncode == 0
    monkeypatch.setenv("PATH", str(tmp_path))
    done = command_line.planvow_process(tmp_path, "verify", certificate, "--minizinc")  # the library asks once
    assert done.returncode == 2
    assert done.stderr.startswith("planvow: MISSING_EXTRA checking with MiniZinc needs the program minizinc")
    assert "apt-get install minizinc" in done.stderr


def test_check_reads_hddl_and_tells_slips_with_place_and_hint(tmp_path):
    slip = DOMAIN.replace("(:method pour-it :parameters (?c - cup)", "(:method pour-it :parameters (?c ?d - cup)")
    (tmp_path / "d.hddl").write_text(slip)
    (tmp_path / "p.hddl").write_text(PROBLEM)
    done = command_line.planvow(tmp_path, "check", "d.hddl", "p.hddl")
    assert done.returncode == 0
    assert done.stdout == (
        "d.hddl:8:36: warning: method pour-it does not use ?d: every object of its type is tried in vain\n"
        "  hint: take ?d out, or use it\n"
    )
    (finding,) = json.loads(command_line.planvow(tmp_path, "check", "d.hddl", "--json").stdout)["findings"]
    assert (finding["code"], finding["line"], finding["column"]) == ("UNUSED_PARAMETER", 8, 36)
    (tmp_path / "p.hddl").write_text(PROBLEM.replace("(Serve glass)", "(Server glass)"))
    done = command_line.planvow(tmp_path, "check", "d.hddl", "p.hddl")
    assert done.returncode == 1
    assert "p.hddl:2:60: error: expected a declared task or action, found 'Server'" in done.stdout
    assert "did you mean 'Serve'?" in done.stdout
    (tmp_path / "d.hddl").write_text(DOMAIN)
    assert command_line.planvow(tmp_path, "check", "d.hddl").stdout == "Tea: nothing found\n"
    for wrong in (["d.hddl", "p.hddl", "p.hddl"], ["a.py", "b.py"], ["gone.hddl"]):
        assert command_line.planvow(tmp_path, "check", *wrong).returncode == 2
