"""The report of an HDDL plan: its own tree, facts as HDDL writes them, the verifier's verdict, or the proof of none."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from command_line import planvow

ROOT = Path(__file__).resolve().parents[3]
TEA = [ROOT / f"examples/hddl/tea-{part}.hddl" for part in ("domain", "problem")]
DOMAIN = """(define (domain lamps) (:requirements :hierarchy :typing) (:types lamp) (:predicates (on ?l - lamp) (power))
  (:task light :parameters (?l - lamp))
  (:method switch :parameters (?l - lamp) :task (light ?l)
    :subtasks (and (c (check)) (p (press ?l))) :ordering (and (< c p)))
  (:method lit :parameters (?l - lamp) :task (light ?l) :precondition (on ?l) :subtasks ())
  (:action check :parameters () :effect (power))
  (:action press :parameters (?l - lamp) :precondition (power) :effect (on ?l)))"""
PROBLEM = """(define (problem two) (:domain lamps) (:objects a b - lamp)
  (:htn :subtasks (and (light a) (light b))) (:init))"""


@pytest.fixture
def reported(tmp_path):
    def run(domain: str, problem: str, *words: str) -> str:
        (tmp_path / "d.hddl").write_text(domain, "utf-8")
        (tmp_path / "p.hddl").write_text(problem, "utf-8")
        planvow(tmp_path, "plan", "d.hddl", "p.hddl", "--html", "r.html", *words)
        return unescape((tmp_path / "r.html").read_text("utf-8"))

    return run


def section(text: str, name: str) -> str:
    """Return the words below a heading of the report."""
    found = text.split(f'id="{name}"', 1)[1].split("<h2", 1)[0]
    return " ".join(re.sub(r"<[^>]+>", " ", found).split())


def test_a_partially_ordered_plan_is_shown_as_its_own_tree(reported):
    text = reported(DOMAIN, PROBLEM)
    tree = section(text, "tree")
    assert "light(a) switch 1 refused" in tree
    assert "lit does not apply (on a) is false" in tree
    assert "it applies at the beginning" in tree
    assert ":htn" not in text.split("certificate</summary>")[0]


def test_actions_carry_their_places_where_the_tree_does_not_show_them_in_the_order_of_the_plan(reported):
    domain = """(define (domain d) (:requirements :hierarchy) (:predicates (open) (full))
      (:task tea :parameters ())
      (:method m :parameters () :task (tea) :ordered-subtasks (and (unlid) (drink)))
      (:action unlid :parameters () :effect (open))
      (:action pour :parameters () :precondition (open) :effect (full))
      (:action drink :parameters () :precondition (full) :effect (not (full))))"""
    problem = "(define (problem p) (:domain d) (:htn :subtasks (and (tea) (pour))) (:init))"
    tree = section(reported(domain, problem), "tree")
    assert "1 unlid() 3 drink() 2 pour()" in tree
    in_order = section(reported(domain, problem.replace("(tea) (pour)", "(unlid) (pour)")), "tree")
    assert "unlid() pour()" in in_order


def test_steps_say_what_they_need_and_change_as_hddl_writes_it(reported):
    steps = section(reported(DOMAIN, PROBLEM), "steps")
    assert re.search(r"press\(a\) [\d, ]+\(power\) \(on a\)", steps)
    assert "[" not in steps


def test_the_order_has_the_links_of_needs_and_of_what_is_stated(reported):
    text = reported(DOMAIN, PROBLEM)
    assert re.search(r"step 1 before step \d: reads \(power\)", text)
    assert "stated by switch" in text


def test_the_proof_has_the_verdict_of_the_verifier_beside_those_of_the_certificate(reported):
    proof = section(reported(*(path.read_text("utf-8") for path in TEA)), "proof")
    assert "accepted hddl the plan solves the problem" in proof
    assert "accepted re-execution" in proof
    assert "plan in the IPC format ==> 0 move" in proof


def test_where_there_is_none_the_proof_is_in_the_report_and_checked(reported):
    text = reported(TEA[0].read_text("utf-8"), TEA[1].read_text("utf-8").replace("(kettle kitchen)", ""))
    assert "accepted no-plan there is no plan" in section(text, "proof")
    assert '"planvow-no-plan/1"' in section(text, "proof")
    assert "nothing satisfies (kettle ?kitchen)" in section(text, "reasons")


def test_where_nothing_can_be_proved_that_is_said(reported):
    once = DOMAIN.replace("(power))\n", "(power) (fresh))\n", 1)
    once = once.replace(":effect (power))", ":precondition (fresh) :effect (and (power) (not (fresh))))")
    text = reported(once, PROBLEM.replace("(:init)", "(:init (fresh))"))
    assert "not certified" in section(text, "proof")
    assert "only that can stand in the way" in section(text, "reasons")


def test_what_was_cut_short_has_no_word_of_proof(reported):
    text = reported(*(path.read_text("utf-8") for path in TEA), "--max-iterations", "0")
    assert "budget_exceeded" in text
    assert 'id="proof"' not in text


def test_names_of_a_problem_cannot_smuggle_anything_into_the_report(reported, tmp_path):
    name = "<img/src=x/onerror=alert>"
    assert name in reported(DOMAIN, PROBLEM.replace(" two", f" {name}").replace(" a", f" {name}"))
    assert "<img" not in (tmp_path / "r.html").read_text("utf-8")
