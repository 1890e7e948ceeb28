"""Numbers in HDDL: what they add to a plan's cost is honoured; every other use is refused by name, place and hint."""

from __future__ import annotations

import pytest

from planvow.hddl import parse_domain, parse_problem
from planvow.hddl.language.cost import plan_cost
from planvow.hddl.language.errors import HddlError
from planvow.hddl.solve.entry import solve

DOMAIN = """(define (domain d) (:requirements :hierarchy :typing) (:types place)
 (:predicates (at ?p - place)) (:functions (total-cost) - number (fuel) (far ?p - place))
 (:task t :parameters ())
 (:method m :parameters (?a - place) :task (t) {method} :ordered-subtasks (and (go ?a)))
 (:action go :parameters (?a - place) :precondition {condition} :effect (and (at ?a) {effect})))"""
PROBLEM = """(define (problem p) (:domain d) (:objects x y - place) (:htn :ordered-subtasks (t))
 (:init {init}) {end})"""
MINIMAL = "(:metric minimize (total-cost))"


def read(*, method="", condition="()", effect="", init="", end=""):
    domain = parse_domain(DOMAIN.format(method=method, condition=condition, effect=effect))
    return parse_problem(PROBLEM.format(init=init, end=end), domain)


def answer(**parts):
    problem = read(**parts)
    plan = solve(problem.domain, problem).plan
    return plan.steps[0].arguments[0], plan_cost(problem, plan)


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ({"effect": "(increase (total-cost) 1)"}, ("x", 1)),
        ({"effect": "(increase (total-cost) 1.5) (increase (total-cost) 2)"}, ("x", 3.5)),
        ({"effect": "(increase (total-cost) 1)", "init": "(= (total-cost) 5)"}, ("x", 6)),
        ({"effect": "(increase (fuel) 2) (increase (total-cost) 1)", "end": "(:metric minimize (fuel))"}, ("x", 2)),
        (
            {"effect": "(increase (total-cost) (far ?a))", "init": "(= (far x) 3) (= (far y) 2)", "end": MINIMAL},
            ("y", 2),
        ),
        ({"effect": "(increase (total-cost) (far ?a))", "init": "(= (far y) 1e3)", "end": MINIMAL}, ("y", 1000)),
        (
            {"effect": "(increase (total-cost) (far ?a))", "init": "(= (far y) 4) (= (far y) 4)", "end": MINIMAL},
            ("y", 4),
        ),
    ],
)
def test_what_actions_cost_decides_and_is_added_up(parts, expected):
    assert answer(**parts) == expected


def test_a_cost_that_is_not_given_is_neither_free_nor_made_up():
    """Going to x has no value: y is taken though it costs; where there is only x, the plan has no cost."""
    parts = {"effect": "(increase (total-cost) (far ?a))", "end": MINIMAL}
    assert answer(**parts, init="(= (far y) 900)") == ("y", 900)
    assert answer(**parts) == ("x", None)


CONDITION, EFFECT = "numeric conditions are not supported", "numeric effects ({}) are not supported, only increase"


@pytest.mark.parametrize(
    ("parts", "message", "mark"),
    [
        *[
            ({"condition": f"({test} (fuel) 1)"}, CONDITION, f"{test} (fuel)" if test != "=" else "(= (fuel)")
            for test in ("<", "<=", ">", ">=", "=")
        ],
        ({"condition": "(= 1 (fuel))"}, CONDITION, "(= 1"),
        ({"condition": "(and (not (>= (fuel) (far ?a))))"}, CONDITION, ">= (fuel)"),
        ({"condition": "(forall (?z - place) (> (far ?z) 1))"}, CONDITION, "> (far"),
        ({"method": ":precondition (>= (fuel) 1)"}, CONDITION, ">= (fuel)"),
        ({"method": ":constraints (>= (fuel) 1)"}, CONDITION, ">= (fuel)"),
        ({"effect": "(when (> (fuel) 1) (at ?a))"}, CONDITION, "> (fuel)"),
        ({"end": "(:goal (>= (fuel) 1))"}, CONDITION, ">= (fuel)"),
        *[({"effect": f"({word} (fuel) 1)"}, EFFECT.format(word), f"({word}") for word in
          ("assign", "decrease", "scale-up", "scale-down")],
        ({"effect": "(when (at ?a) (increase (fuel) 1))"}, "a cost that depends on a condition", "(increase"),
        ({"effect": "(forall (?z - place) (increase (fuel) 1))"}, "a cost that depends on a condition", "(increase"),
        ({"effect": "(increase (fuel) (+ 1 (far ?a)))"}, "arithmetic in costs", "(+ 1"),
        ({"effect": "(increase (fuel) -2)"}, "costs below 0", "-2)"),
        ({"end": "(:metric minimize (+ (fuel) (total-cost)))"}, "arithmetic in a metric", "(+ (fuel)"),
        ({"end": "(:metric minimize (total-time))"}, "a metric of total-time", "(total-time)"),
    ],
)  # fmt: skip
def test_every_other_use_is_refused_by_name_with_place_and_hint(parts, message, mark):
    with pytest.raises(HddlError) as refused:
        read(**parts)
    error = refused.value
    assert error.code == "HDDL_UNSUPPORTED"
    assert error.message.startswith(message)
    assert error.hint
    line, column = map(int, error.place.split(":")[1:])
    asked = {name: parts.get(name, "()" if name == "condition" else "") for name in ("method", "condition", "effect")}
    text = PROBLEM.format(init="", end=parts["end"]) if "end" in parts else DOMAIN.format(**asked)
    assert text.splitlines()[line - 1][column - 1 :].startswith(mark)


@pytest.mark.parametrize(
    ("parts", "code", "message"),
    [
        ({"init": "(= (fuel) 3) (= (fuel) 4)"}, "HDDL_MEANING", "(fuel) is 4 here and 3 above"),
        ({"init": "(= (fuel) full)"}, "HDDL_SYNTAX", "expected a number, found 'full'"),
        ({"init": "(= (fuel) inf)"}, "HDDL_SYNTAX", "expected a number, found 'inf'"),
        ({"init": "(= (fuel) 1e400)"}, "HDDL_SYNTAX", "this number is too large"),
        ({"init": "(= (fuel x) 1)"}, "HDDL_MEANING", "function 'fuel' takes 0 arguments, found 1"),
        ({"init": "(= (fule) 1)"}, "HDDL_NAME", "expected a declared function, found 'fule'"),
        ({"effect": "(increase (total-cost) (at ?a))"}, "HDDL_NAME", "expected a declared function, found 'at'"),
        ({"effect": "(increase (total-cost) ?a)"}, "HDDL_SYNTAX", "expected a number, found '?a'"),
    ],
)
def test_wrong_numbers_are_said_to_be_wrong(parts, code, message):
    with pytest.raises(HddlError) as refused:
        read(**parts)
    assert (refused.value.code, refused.value.message.startswith(message)) == (code, True)


def test_functions_whose_values_are_objects_are_refused_where_they_are_declared():
    with pytest.raises(HddlError) as refused:
        parse_domain("(define (domain d) (:types place) (:predicates (p)) (:functions (where) - place))")
    assert (refused.value.code, refused.value.hint) == ("HDDL_UNSUPPORTED", "use a predicate with one more argument")


def test_a_metric_of_one_thing_counts_what_is_added_to_that_thing_alone():
    parts = {"init": "(= (far y) 5)", "effect": "(increase (far ?a) 3) (increase (total-cost) (far ?a))"}
    assert answer(**parts, end="(:goal (at y)) (:metric minimize (far y))") == ("y", 8)
    assert answer(**parts, end="(:goal (at x)) (:metric minimize (far y))") == ("x", 5)


def test_a_value_below_zero_is_refused_where_it_is_a_cost():
    assert read(init="(= (far x) -2)").values[0].value == -2
    with pytest.raises(HddlError, match="costs below 0 are not supported") as refused:
        read(effect="(increase (total-cost) (far ?a))", init="(= (far x) -2)")
    assert refused.value.code == "HDDL_UNSUPPORTED"
    assert refused.value.hint
