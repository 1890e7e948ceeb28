"""IPC-2020 plan text in and out."""

from __future__ import annotations

import pytest

from planvow.hddl.language.errors import PlanFormatError
from planvow.hddl.language.plan_format import Decomposition, HddlPlan, PlanStep, format_plan, parse_plan

PLAN = HddlPlan(
    steps=(PlanStep(step_id=3, action="Go-To", arguments=("a", "B")), PlanStep(step_id=4, action="stop")),
    roots=(0,),
    decompositions=(
        Decomposition(task_id=0, task="trip", arguments=("B",), method="m", children=(3, 1)),
        Decomposition(task_id=1, task="rest", method="empty"),
    ),
)
TEXT = "==>\n3 Go-To a B\n4 stop\nroot 0\n0 trip B -> m 3 1\n1 rest -> empty\n<==\n"


def test_a_plan_is_written_in_the_competition_format():
    assert format_plan(PLAN) == TEXT


def test_a_written_plan_reads_as_the_same_plan():
    assert parse_plan(format_plan(PLAN)) == PLAN


def test_the_depth_of_a_plan_counts_levels():
    assert PLAN.depth == 2
    assert HddlPlan(steps=PLAN.steps[:1], roots=(3,)).depth == 1
    assert HddlPlan().depth == 0


def test_a_log_around_the_plan_and_blank_lines_are_passed_over():
    assert parse_plan("searching 1 2\n" + TEXT.replace("\n", "  \r\n\n") + "bye\n") == PLAN


def test_the_end_mark_may_be_missing():
    assert parse_plan(TEXT.removesuffix("<==\n")) == PLAN


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a line ==>"),
        ("==>\n1 go\n", "expected a line `root"),
        ("==>\nroot 1\nroot 2\n", "expected one root line"),
        ("==>\nx go\nroot 1\n", "expected an identifier"),
        ("==>\n1\nroot 1\n", "expected ID action"),
        ("==>\n-1 go\nroot 1\n", "expected an identifier"),
        ("==>\nroot 1\n1 t ->\n", "expected ID task arguments -> method"),
        ("==>\nroot 1\n-> m 2\n", "expected ID task arguments -> method"),
        ("==>\nroot " + "9" * 5000, "expected an identifier"),
    ],
)
def test_text_that_is_no_plan_is_refused_with_its_place(text, message):
    with pytest.raises(PlanFormatError, match=message) as caught:
        parse_plan(text, file="p.plan")
    assert str(caught.value.place).startswith("p.plan:")
