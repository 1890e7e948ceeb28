# ruff: noqa: E501
"""Lints: each finds what it is named for, at its place, and is silent about the same thing done right."""

from __future__ import annotations

import pytest

from hddl_instances import instances, load_problem, needs_ipc, sample
from planvow.hddl import parse_domain, parse_problem
from planvow.hddl.lint.check import check_texts
from planvow.hddl.lint.problem_rules import lint_problem
from planvow.hddl.lint.rules import lint_domain, lint_with_problem
from planvow.hddl.lint.summary import Summary
from planvow.hddl.parsing.files import read_file

DOMAIN = """(define (domain post)
  (:types truck parcel place)
  (:predicates (at ?t - truck ?p - place) (on ?x - parcel ?p - place) (in ?x - parcel ?t - truck) (open ?p - place))
  (:task deliver :parameters (?x - parcel ?to - place))
  (:task get-to :parameters (?t - truck ?to - place))
  (:method by-truck
    :parameters (?x - parcel ?t - truck ?from ?to - place)
    :task (deliver ?x ?to)
    :precondition (on ?x ?from)
    :subtasks (and (a (get-to ?t ?from)) (b (load ?x ?t ?from)) (c (get-to ?t ?to)) (d (unload ?x ?t ?to)))
    :ordering (and (< a b) (< b c) (< c d)))
  (:method drive-there
    :parameters (?t - truck ?from ?to - place)
    :task (get-to ?t ?to)
    :precondition (and (at ?t ?from) (not (= ?from ?to)))
    :ordered-subtasks (and (drive ?t ?from ?to)))
  (:method be-there :parameters (?t - truck ?to - place) :task (get-to ?t ?to) :precondition (at ?t ?to) :subtasks ())
  (:action drive :parameters (?t - truck ?from ?to - place)
    :precondition (at ?t ?from) :effect (and (at ?t ?to) (not (at ?t ?from))))
  (:action load :parameters (?x - parcel ?t - truck ?p - place)
    :precondition (and (at ?t ?p) (on ?x ?p)) :effect (and (in ?x ?t) (not (on ?x ?p))))
  (:action unload :parameters (?x - parcel ?t - truck ?p - place)
    :precondition (and (at ?t ?p) (in ?x ?t)) :effect (and (on ?x ?p) (not (in ?x ?t)))))
"""
PROBLEM = """(define (problem one) (:domain post) (:objects t - truck x - parcel a b - place)
  (:htn :ordered-subtasks (and (deliver x b))) (:init (at t a) (on x a)))
"""


def found(old: str = "", new: str = "") -> list[tuple[str, int, str]]:
    """Return code, line and message of every lint of the domain with something in it replaced."""
    assert old in DOMAIN
    domain = parse_domain(DOMAIN.replace(old, new, 1))
    return [(lint.code, domain.source.place(lint.at).line, lint.message) for lint in lint_domain(domain)]


def test_a_domain_in_order_has_no_lints():
    assert found() == []


@pytest.mark.parametrize(
    ("old", "new", "code", "line", "said"),
    [
        ("(?t - truck ?from ?to - place)\n    :task", "(?t ?u - truck ?from ?to - place)\n    :task", "UNUSED_PARAMETER", 13, "?u"),
        ("(?x - parcel ?t - truck ?p - place)\n    :precondition (and (at ?t ?p) (in ?x ?t)) :effect (and (on ?x ?p) (not (in ?x ?t)))",
         "(?x - parcel ?t - truck ?p - place)\n    :effect (on ?x ?p)", "UNUSED_PARAMETER", 22, "?t"),
        (":precondition (at ?t ?to) :subtasks", ":precondition (exists (?z - place) (at ?t ?to)) :subtasks",
         "UNUSED_PARAMETER", 17, "?z"),
        (" (d (unload ?x ?t ?to)))\n    :ordering (and (< a b) (< b c) (< c d)))", ")\n    :ordering (and (< a b) (< b c)))",
         "UNREACHABLE_ACTION", 22, "unload"),
        ("(on ?x ?from)\n", "(and (on ?x ?from) (not (on ?x ?from)))\n", "METHOD_NEVER_APPLIES", 6, "(not (on ?x ?from))"),
        ("(at ?t ?from) (not (= ?from ?to))", "(at ?t ?from) (not (= ?from ?from))", "METHOD_NEVER_APPLIES", 12, "(= ?from ?from)"),
        ("(and (at ?t ?p) (in ?x ?t)) :effect", "(and (at ?t ?p) (in ?x ?t) (not (at ?t ?p))) :effect",
         "ACTION_NEVER_APPLIES", 22, "(at ?t ?p)"),
        ("(< a b) ", "", "MISSING_ORDERING", 10, "load needs (at ?t ?from), which get-to brings about"),
        (" (< c d)", "", "MISSING_ORDERING", 10, "unload needs (in ?x ?t), which load brings about"),
    ],
)  # fmt: skip
def test_each_rule_finds_its_slip(old, new, code, line, said):
    lints = found(old, new)
    assert [(c, n) for c, n, _ in lints] == [(code, line)], lints
    assert said in lints[0][2]


def test_a_task_that_only_asks_for_itself_never_ends_and_stops_the_methods_that_ask_for_it():
    endless = "(:method be-there :parameters (?t - truck ?to - place) :task (get-to ?t ?to) :precondition (at ?t ?to) :subtasks ())"
    domain = DOMAIN.replace(endless, "").replace("(drive ?t ?from ?to)))", "(drive ?t ?from ?to) (get-to ?t ?to)))")
    lints = lint_domain(parse_domain(domain))
    assert [lint.code for lint in lints] == ["TASK_NEVER_ENDS", "TASK_NEVER_ENDS"]
    more = domain.replace(
        "(:action drive",
        "(:method none :parameters (?x - parcel ?to - place) :task (deliver ?x ?to))\n  (:action drive",
    )
    lints = lint_domain(parse_domain(more))
    assert [lint.code for lint in lints] == ["TASK_NEVER_ENDS", "METHOD_NEVER_APPLIES"]
    assert "method by-truck can never be used: get-to can never be finished" in lints[1].message


def test_an_order_is_not_missed_where_the_fact_is_given_or_made_by_somebody_who_comes_first():
    given = DOMAIN.replace("(< a b) ", "").replace(
        ":precondition (on ?x ?from)\n", ":precondition (and (on ?x ?from) (at ?t ?from))\n"
    )
    assert lint_domain(parse_domain(given)) == []
    twice = DOMAIN.replace("(d (unload", "(e (get-to ?t ?from)) (d (unload")
    assert lint_domain(parse_domain(twice)) == []


def test_with_a_problem_tasks_that_nothing_leads_to_and_facts_that_are_never_true_are_told():
    asks = "(:task rest :parameters ())\n  (:method stay :parameters () :task (rest) :subtasks ())\n  (:method by"
    domain = parse_domain(
        DOMAIN.replace("(:method by", asks).replace(
            ":precondition (on ?x ?from)\n", ":precondition (and (on ?x ?from) (open ?to))\n"
        )
    )
    lints = lint_with_problem(parse_problem(PROBLEM, domain))
    assert [(lint.code, lint.severity) for lint in lints] == [
        ("UNREACHABLE_TASK", "info"),
        ("METHOD_NEVER_APPLIES", "info"),
    ]
    assert "nothing in problem one leads to task rest and its method" in lints[0].message
    assert "(open ?to) is never true there" in lints[1].message


@pytest.mark.parametrize(
    ("old", "new", "code", "severity", "line", "said"),
    [
        ("(:htn :ordered", "(:htn :parameters (?q - truck) :ordered", "UNUSED_PARAMETER", "warning", 2, "no task of the problem uses ?q"),
        (":init (at t a)", ":goal (open a)) (:init (at t a)", "GOAL_NEVER_HOLDS", "warning", 2, "(open a) does not hold at the beginning"),
        (":init (at t a)", ":goal (at x a)) (:init (at t a)", "GOAL_NEVER_HOLDS", "warning", 2, "(at x a) does not hold"),
        (":init (at t a)", ":goal (not (open a))) (:init (open a) (at t a)", "GOAL_NEVER_HOLDS", "warning", 2, "(not (open a)) does"),
        (":init (at t a)", ":goal (and (at t a) (not (at t a)))) (:init (at t a)", "GOAL_NEVER_HOLDS", "warning", 2, "it asks for (at t a)"),
        ("(deliver x b)", "(deliver x b) (shut a)", "TASK_NEVER_APPLIES", "warning", 2, "shut can never be done here: it needs (open a)"),
        ("(deliver x b)", "(deliver x b) (wait a)", "TASK_NEVER_ENDS", "warning", 2, "the problem asks for wait"),
        (":ordered-subtasks (and (deliver x b))", ":parameters (?n - nothing) :ordered-subtasks (and (deliver x b) (shut ?n))",
         "TASK_NEVER_APPLIES", "warning", 2, "there is no object for ?n (nothing)"),
        (":ordered-subtasks (and (deliver x b))", ":subtasks (and (drive t a b) (drive t b a))", "MISSING_ORDERING", "info", 2,
         "drive needs (at t b), which drive brings about, but the problem lets either come first"),
    ],
)  # fmt: skip
def test_each_rule_for_problems_finds_its_slip_in_the_problems_own_file(old, new, code, severity, line, said):
    assert old in PROBLEM
    more = """(:task shut :parameters (?p - place)) (:task wait :parameters (?p - place))
      (:method shut-it :parameters (?p - place) :task (shut ?p) :precondition (open ?p) :subtasks ())
      (:method on-and-on :parameters (?p - place) :task (wait ?p) :ordered-subtasks (wait ?p))
      (:action drive"""
    domain = parse_domain(DOMAIN.replace("(:action drive", more).replace("(:types ", "(:types nothing - place "))
    problem = parse_problem(PROBLEM.replace(old, new, 1), domain)
    found = lint_problem(problem)
    assert [(lint.code, lint.severity) for lint in found] == [(code, severity)], found
    assert problem.source.place(found[0].at).line == line
    assert said in found[0].message


def test_a_problem_in_order_has_no_lints_and_its_facts_may_come_from_actions_that_are_met():
    problem = PROBLEM.replace(":init (at t a)", ":goal (and (at t b) (on x b) (not (in x t)))) (:init (at t a)")
    assert lint_problem(parse_problem(problem, parse_domain(DOMAIN))) == []
    idle = problem.replace("(deliver x b)", "(get-to t a)").replace("(not (in x t))", "(in x t)")
    told = [lint.message for lint in lint_problem(parse_problem(idle, parse_domain(DOMAIN)))]
    assert ["(on x b) does not" in told[0], "(in x t) does not" in told[1], len(told)] == [True, True, 2]


def test_what_needs_an_object_that_a_problem_lacks_is_told():
    domain = parse_domain(DOMAIN)
    lints = lint_with_problem(parse_problem(PROBLEM.replace("t - truck ", "").replace("(at t a) ", ""), domain))
    told = {lint.message.split(" in problem")[0] for lint in lints if "no object for ?t (truck)" in lint.message}
    assert told == {
        f"{name} can never be used"
        for name in (
            "method by-truck",
            "method drive-there",
            "method be-there",
            "action drive",
            "action load",
            "action unload",
        )
    }


def test_all_findings_come_with_file_line_column_and_hint():
    broken = PROBLEM.replace("deliver x", "delver x")
    _, findings = check_texts(DOMAIN.replace("(< a b) ", ""), broken, domain_file="d.hddl", problem_file="p.hddl")
    assert [(f.code, f.severity, f.place, f.line, f.column) for f in findings] == [
        ("MISSING_ORDERING", "warning", "d.hddl:10:45", 10, 45),
        ("HDDL_NAME", "error", "p.hddl:2:33", 2, 33),
    ]
    assert findings[1].hint == "did you mean 'deliver'?"
    assert "hint: order them" in str(findings[0])
    wrong = DOMAIN.replace("(on ?x ?from)", "(on ?t ?from)").replace(
        "(:task deliver", "(:task nap :parameters ())\n  (:task deliver"
    )
    assert [f.code for f in check_texts(wrong)[1]] == ["TASK_WITHOUT_METHOD", "TYPE_MISFIT"]


def test_the_summary_says_what_a_task_must_find_and_may_change():
    summary = Summary(parse_domain(DOMAIN))
    assert {str(fact) for fact in summary.adds["get-to"]} == {"(at ?t ?to)"}
    assert {str(fact) for fact in summary.deletes["get-to"]} == {"(at ?t _)"}
    assert {str(fact) for fact in summary.adds["deliver"]} == {"(at _ _)", "(at _ ?to)", "(on ?x ?to)", "(in ?x _)"}
    assert {str(fact) for fact in summary.needs["load"]} == {"(at ?t ?p)", "(on ?x ?p)"}
    here = parse_domain(
        DOMAIN.replace(":precondition (at ?t ?to) :subtasks", ":precondition (open ?to) :subtasks").replace(
            "(not (= ?from ?to))", "(open ?to)"
        )
    )
    assert {str(fact) for fact in Summary(here).needs["get-to"]} == {"(open ?to)"}
    assert {str(fact) for fact in Summary(here).needs["deliver"]} == {"(open ?to)"}


@needs_ipc
def test_the_shared_domains_raise_no_false_alarm():
    """What is found there is true: parameters that an action carries for the reader, actions that no method uses."""
    told = set()
    for path in sorted({domain for domain, _ in instances()}):
        domain = parse_domain(read_file(path), file=path.name)
        for lint in lint_domain(domain):
            assert (lint.code, lint.severity) in {("UNUSED_PARAMETER", "info"), ("UNREACHABLE_ACTION", "info")}, lint
            told.add(lint.code)
    assert told == {"UNUSED_PARAMETER", "UNREACHABLE_ACTION"}


@needs_ipc
def test_the_shared_problems_raise_no_false_alarm():
    """Only where tasks are meant to be mixed an order is asked about, and no louder than that."""
    told = set()
    for domain, path in sample(8):
        told |= {(lint.code, lint.severity) for lint in lint_problem(load_problem(domain, path))}
    assert told == {("MISSING_ORDERING", "info")}
