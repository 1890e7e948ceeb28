"""Types that do not fit are remarked on where they stand, and never make a search go wrong."""

import pytest

from planvow.hddl import parse_domain, parse_problem
from planvow.hddl.language.sorts import MAX_REMARKS
from planvow.hddl.solve.entry import solve

DOMAIN = """(define (domain tea)
 (:requirements :typing :hierarchy)
 (:types robot place thing)
 (:predicates (at ?r - robot ?p - place) (in ?t - thing ?p - place) (has ?r - robot ?t - thing))
 (:task fetch :parameters (?t - thing))
 (:task go :parameters (?r - robot ?p - place))
 (:method m-fetch :parameters (?r - robot ?t - thing ?p - place)
   :task (fetch ?t) :precondition (in ?t ?p)
   :ordered-subtasks (and (go ?r ?p) (pick ?r ?t ?p)))
 (:method m-go :parameters (?r - robot ?p - place ?q - place)
   :task (go ?r ?q) :precondition (at ?r ?p)
   :ordered-subtasks (and (move ?r ?p ?q)))
 (:action move :parameters (?r - robot ?p ?q - place)
   :precondition (at ?r ?p) :effect (and (not (at ?r ?p)) (at ?r ?q)))
 (:action pick :parameters (?r - robot ?t - thing ?p - place)
   :precondition (and (at ?r ?p) (in ?t ?p)) :effect (and (not (in ?t ?p)) (has ?r ?t))))"""
PROBLEM = """(define (problem p1) (:domain tea)
 (:objects r1 - robot hall kitchen - place cup - thing)
 (:htn :ordered-subtasks (and (fetch cup)))
 (:init (at r1 hall) (in cup kitchen)))"""


def read(domain_change=("", ""), problem_change=("", "")):
    assert domain_change[0] in DOMAIN
    assert problem_change[0] in PROBLEM
    domain = parse_domain(DOMAIN.replace(*domain_change), file="d.hddl")
    return parse_problem(PROBLEM.replace(*problem_change), domain, file="p.hddl")


def remarks(problem):
    return [str(remark) for remark in (*problem.domain.remarks, *problem.remarks)]


def test_a_clean_problem_has_no_remarks():
    assert remarks(read()) == []


@pytest.mark.parametrize("search", ["auto", "lifted", "grounded"])
def test_a_fact_about_an_object_of_another_type_is_remarked_and_leads_no_search_astray(search):
    problem = read(problem_change=("(at r1 hall)", "(at r1 cup)"))
    assert remarks(problem) == ["p.hddl:4:9: cup is a thing, but at takes a place here"]
    assert solve(problem.domain, problem, search=search).status == "no_plan"


@pytest.mark.parametrize("search", ["auto", "lifted", "grounded"])
def test_a_fact_of_another_type_still_counts_where_the_parameter_is_wide_enough(search):
    wide = (":parameters (?r - robot ?p ?q - place)", ":parameters (?r - robot ?p - object ?q - place)")
    wide_too = ("m-go :parameters (?r - robot ?p - place", "m-go :parameters (?r - robot ?p - object")
    domain = parse_domain(DOMAIN.replace(*wide).replace(*wide_too))
    problem = parse_problem(PROBLEM.replace("(at r1 hall)", "(at r1 cup)"), domain)
    outcome = solve(domain, problem, search=search)
    assert outcome.status == "solved"
    assert outcome.plan.steps[0].arguments == ("r1", "cup", "kitchen")


@pytest.mark.parametrize("search", ["auto", "lifted", "grounded"])
def test_an_effect_that_makes_a_fact_of_another_type_leads_no_search_astray(search):
    problem = read(
        ("(has ?r ?t))", "(at ?r ?t))"),
        ("(fetch cup)", "(fetch cup) (go r1 hall)"),
    )
    assert remarks(problem) == ["d.hddl:16:76: ?t is a thing, but at takes a place here"]
    assert solve(problem.domain, problem, search=search).status == "solved"


def test_a_task_asked_of_an_object_of_another_type_is_remarked():
    problem = read(problem_change=("(fetch cup)", "(fetch kitchen)"))
    assert remarks(problem) == ["p.hddl:3:31: this can never be done: kitchen is a place, but fetch takes a thing here"]


def test_a_method_whose_subtask_can_never_fit_is_remarked():
    problem = read(("(go ?r ?p) (pick", "(go ?r ?t) (pick"))
    assert remarks(problem) == [
        "d.hddl:9:27: method m-fetch can never be used: ?t is a thing, but go takes a place here"
    ]


def test_swapped_arguments_in_a_condition_are_remarked():
    said = remarks(read((":precondition (in ?t ?p)", ":precondition (not (in ?p ?t))")))
    assert said[0].endswith("?p is a place, but in takes a thing here")
    assert len(said) == 2


def test_a_task_without_a_method_is_remarked():
    text = DOMAIN.replace("(:task go ", "(:task rest :parameters ())\n (:task go ")
    assert [r.text for r in parse_domain(text).remarks] == [
        "task rest has no method: nothing that asks for it can be done"
    ]


def test_types_that_share_a_subtype_may_meet():
    text = """(define (domain d) (:types a - object b - object c - (either a b)) (:predicates (p ?x - a))
     (:action act :parameters (?y - b) :precondition (p ?y) :effect ()))"""
    assert parse_domain(text).remarks == ()


def test_there_are_only_so_many_remarks():
    facts = " ".join(f"(at r1 t{i})" for i in range(50))
    objects = " ".join(f"t{i}" for i in range(50))
    text = PROBLEM.replace("cup - thing", f"cup {objects} - thing").replace("(in cup kitchen)", facts)
    said = parse_problem(text, parse_domain(DOMAIN)).remarks
    assert len(said) == MAX_REMARKS + 1
    assert "more things" in said[-1].text
