"""Proofs that there is no plan: right ones are accepted, forged ones are not, and what is missing is named."""

from __future__ import annotations

import copy
import json
import sys
from pathlib import Path

import jsonschema
import pytest

from planvow import budgets
from planvow.adapters.cli.main import app
from planvow.adapters.documents.json_schemas import schema_text
from planvow.budgets import Deadline, Interrupted
from planvow.hddl import load_problem, parse_domain, parse_problem
from planvow.hddl.solve import no_plan as proving
from planvow.hddl.solve.no_plan import prove_no_plan
from planvow.hddl.verify.no_plan import check_no_plan, proof_hash

ROOT = Path(__file__).resolve().parents[3]
GOLDEN = ROOT / "tests/golden/hddl"
sys.path.insert(0, str(ROOT / "bench"))

import no_plan_proofs  # noqa: E402

COUNTING = """(define (domain counting) (:predicates (n0) (n1) (n2) (n3)) (:task t :parameters ())
  (:method more :parameters () :task (t) :ordered-subtasks (and (t) (a)))
  (:method less :parameters () :task (t) :ordered-subtasks (b))
  (:action b :parameters () :effect (n0))
  (:action a :parameters () :precondition (n0) :effect (and (when (n0) (n1)) (when (n1) (not (n0))))))"""
WALK = """(define (domain walk) (:types place) (:predicates (at ?p - place) (road ?a ?b - place))
  (:task go :parameters (?p - place))
  (:method there :parameters (?p - place) :task (go ?p) :precondition (at ?p) :ordered-subtasks ())
  (:method on :parameters (?a ?b ?p - place) :task (go ?p) :precondition (and (at ?a) (road ?a ?b))
    :ordered-subtasks (and (move ?a ?b) (go ?p)))
  (:action move :parameters (?a ?b - place) :precondition (and (at ?a) (road ?a ?b))
    :effect (and (not (at ?a)) (at ?b))))"""


def walk(roads: str):
    return parse_problem(
        f"""(define (problem w) (:domain walk) (:objects a b c d - place)
        (:htn :ordered-subtasks (and (go c))) (:init (at a) {roads}))""",
        parse_domain(WALK),
    )


def counting(goal: str):
    text = f"(define (problem p) (:domain counting) (:htn :ordered-subtasks (t)) (:init) (:goal {goal}))"
    return parse_problem(text, parse_domain(COUNTING))


def golden(name: str):
    return load_problem(GOLDEN / f"{name.split('-')[0]}-domain.hddl", GOLDEN / f"{name}.hddl")


def with_hash(document):
    return {**document, "hash": proof_hash(document)}


PROVED = {
    "walk": (lambda: walk("(road a b) (road b a) (road c d)"), "relaxed"),
    "delivery": (lambda: golden("delivery-nowhere"), "relaxed"),
    "camp": (lambda: golden("camp-all-busy"), "tables"),
    "counting, left recursion": (lambda: counting("(and (not (n0)) (not (n1)))"), "tables"),
}


@pytest.mark.parametrize("name", PROVED)
def test_a_proof_that_is_checked_ends_when_it_is_told_to(name, monkeypatch):
    problem, checks, asked = PROVED[name][0](), [], []
    proof = prove_no_plan(problem)
    with pytest.raises(Interrupted):
        check_no_plan(problem, proof, Deadline(lambda: True))

    def noted(*given):
        before = len(asked)
        verdict = check_no_plan(*given)
        checks.append(len(asked) - before)
        return verdict

    monkeypatch.setattr(budgets, "ASK_EVERY", 1)
    monkeypatch.setattr(proving, "check_no_plan", noted)
    assert prove_no_plan(problem, lambda: asked.append(1)) == proof
    assert all(checks), "who proves hands the deadline on to the checker"


@pytest.mark.parametrize("name", PROVED)
def test_a_problem_without_a_plan_gets_a_proof_that_is_accepted_and_fits_its_schema(name):
    make, kind = PROVED[name]
    problem = make()
    proof = json.loads(json.dumps(prove_no_plan(problem)))
    assert proof["kind"] == kind
    assert check_no_plan(problem, proof)
    jsonschema.validate(proof, json.loads(schema_text("no_plan")))


@pytest.mark.parametrize("name", PROVED)
def test_a_proof_with_a_row_left_out_is_rejected_and_the_gap_is_named(name):
    problem = PROVED[name][0]()
    proof = prove_no_plan(problem)
    rows = list(no_plan_proofs.without_a_row(proof))
    assert rows
    for place, made in rows:
        verdict = check_no_plan(problem, made)
        assert not verdict, place
        assert verdict.fault.condition in ("closed", "unsolvable")


def test_a_problem_with_a_plan_gets_no_proof_and_no_proof_for_it_is_accepted():
    problem = walk("(road a b) (road b c)")
    assert prove_no_plan(problem) is None
    elsewhere = prove_no_plan(walk("(road a b)"))
    verdict = check_no_plan(problem, elsewhere)
    assert (verdict.fault.condition, verdict.fault.place) == ("closed", "(move b c)")


@pytest.mark.long
def test_forged_proofs_of_random_problems_are_not_accepted():
    counts, wrong = no_plan_proofs.try_all(16, 10)
    assert wrong == []
    assert counts["forgeries"] > 100
    assert counts["total: certified"] == counts["total: without a plan"] > 10


def _changed(change):
    def made(document):
        changed = copy.deepcopy(document)
        change(changed)
        return with_hash(changed)

    return made


WRONG = {
    "form": [
        lambda d: None,
        lambda d: [],
        _changed(lambda d: d.update(format="planvow-no-plan/2")),
        _changed(lambda d: d.update(kind="magic")),
        _changed(lambda d: d.update(more=1)),
        _changed(lambda d: d.pop("facts")),
        _changed(lambda d: d.update(facts="all")),
        _changed(lambda d: d["facts"].append([1])),
        _changed(lambda d: d["facts"].append(d["facts"][0])),
        _changed(lambda d: d["states"].append([True])),
        _changed(lambda d: d["states"].append([1, 0])),
        _changed(lambda d: d["results"].append([0, 0])),
        _changed(lambda d: d["results"].append([0, 999_999, []])),
        _changed(lambda d: d["results"].append(d["results"][0])),
    ],
    "hash": [lambda d: {**d, "hash": "0" * 64}, lambda d: {**d, "states": [*d["states"], []]}],
    "problem": [
        _changed(lambda d: d.update(problem="another")),
        _changed(lambda d: d["facts"].append(["unheard-of"])),
        _changed(lambda d: d["calls"].append(["unheard-of"])),
    ],
}


@pytest.mark.parametrize(("condition", "number"), [(kind, n) for kind, made in WRONG.items() for n in range(len(made))])
def test_a_document_that_is_no_proof_of_this_problem_is_rejected_by_name(condition, number):
    problem = PROVED["camp"][0]()
    document = WRONG[condition][number](prove_no_plan(problem))
    assert check_no_plan(problem, document).fault.condition == condition


def test_tables_are_no_proof_for_a_problem_that_is_not_totally_ordered():
    domain = COUNTING.replace(":ordered-subtasks (and (t) (a))", ":subtasks (and (x (t)) (y (a)))")
    goal = "(and (not (n0)) (not (n1)))"
    text = f"(define (problem p) (:domain counting) (:htn :ordered-subtasks (t)) (:init) (:goal {goal}))"
    problem = parse_problem(text, parse_domain(domain))
    ordered = prove_no_plan(counting(goal))
    verdict = check_no_plan(problem, ordered)
    assert (verdict.fault.condition, verdict.fault.place) == ("problem", "kind")


def test_a_proof_beyond_its_limits_is_not_given_out(monkeypatch):
    monkeypatch.setattr(proving, "MAX_STEPS", 1)
    assert prove_no_plan(golden("camp-all-busy")) is None
    monkeypatch.setattr(proving, "MAX_LISTED", 1)
    assert prove_no_plan(golden("delivery-nowhere")) is None


def run(*words: object) -> int:
    call = app.quick([str(word) for word in words])
    assert call is not None
    try:
        call()
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


def test_the_commands_write_and_check_proofs_and_say_when_there_is_none(tmp_path, capsys):
    camp = (GOLDEN / "camp-domain.hddl", GOLDEN / "camp-all-busy.hddl")
    proof = tmp_path / "none.json"
    assert run("plan", *camp, "--certificate", proof, "--json") == 1
    assert json.loads(capsys.readouterr().out)["statistics"]["certified"] is True
    assert run("verify", *camp, proof) == 0
    assert capsys.readouterr().out == "valid: there is no plan\n"
    ready = (GOLDEN / "camp-domain.hddl", GOLDEN / "camp-ready.hddl")
    assert run("verify", *ready, proof) == 1
    assert "fault: problem" in capsys.readouterr().out
    chain = (GOLDEN / "chain-domain.hddl", GOLDEN / "chain-cold.hddl")
    assert run("plan", *chain, "--certificate", tmp_path / "other.json") == 1
    assert "not certified" in capsys.readouterr().err
    assert not (tmp_path / "other.json").exists()
