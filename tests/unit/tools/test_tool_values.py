"""Values that tools are called with, of every kind that JSON has and with dots in them."""

from __future__ import annotations

import pytest

from planvow.goals import ConditionGoal, plan_calls
from planvow.status import Status
from planvow.tools import ToolEntry


def tool(name, parameter, schema, **says):
    whole = {"type": "object", "properties": {parameter: schema}, "required": [parameter]}
    return ToolEntry(name=name, input_schema=whole, **says)


TOUCH = tool("touch", "path", {"type": "string"}, effects=("file.{path}.exists",))
SEND = ToolEntry(name="send", requires=("file.notes.txt.exists",), effects=("mail.sent",))


def calls(goal, tools, facts=None):
    return [(step.skill, dict(step.params)) for step in plan_calls(goal, tools, facts).steps]


@pytest.mark.parametrize("value", [[1, 2], [{"a": [None]}], {"a": {"b": 1}}, [], {}])
def test_a_given_value_may_be_a_list_or_an_object(value):
    store = tool("store", "items", {}, effects=("list.stored",))
    goal = ConditionGoal(conditions={"list.stored": True}, given={"items": value})
    assert calls(goal, [store]) == [("store", {"items": value})]


@pytest.mark.parametrize("value", [1, True, 0, False])
def test_values_that_python_takes_for_the_same_are_two(value):
    choose = tool("choose", "level", {"enum": [1, True, 0, False]}, effects=("level.{level}",))
    word = str(value).lower()
    ((_, params),) = calls(ConditionGoal(conditions={f"level.{word}": True}), [choose])
    assert params["level"] is value


@pytest.mark.parametrize("path", ["notes.txt", "a.b.c", ".", "notes"])
def test_a_value_may_have_dots_in_it(path):
    goal = ConditionGoal(conditions={f"file.{path}.exists": True}, given={"path": path})
    assert calls(goal, [TOUCH]) == [("touch", {"path": path})]


def test_a_tool_may_need_what_another_does_to_a_value_with_dots():
    goal = ConditionGoal(conditions={"mail.sent": True}, given={"path": "notes.txt"})
    assert calls(goal, [TOUCH, SEND]) == [("touch", {"path": "notes.txt"}), ("send", {})]


def test_a_tool_that_undoes_it_for_a_value_with_dots_does_not_pass_for_one_that_does_not():
    noisy = [
        tool(f"a{n}", "path", {}, effects=("door=open", f"{key}=false")) for n, key in enumerate(("x.{path}", "y"))
    ]
    goal = ConditionGoal(conditions={"door": "open", "x.a.b": True}, given={"path": "a.b"})
    assert calls(goal, noisy, {"x.a.b": True}) == [("a1", {"path": "a.b"})]


def test_two_open_parts_meet_wherever_some_value_makes_them_the_same():
    mark = tool("mark", "what", {}, effects=("x.{what}.done",))
    use = tool("use", "thing", {}, requires=("x.a.{thing}",), effects=("used",))
    goal = ConditionGoal(conditions={"used": True}, given={"what": "a.b", "thing": "b.done"})
    assert calls(goal, [mark, use]) == [("mark", {"what": "a.b"}), ("use", {"thing": "b.done"})]


def test_what_no_value_can_make_so_is_still_refused():
    goal = ConditionGoal(conditions={"file.notes.txt.gone": True}, given={"path": "notes.txt"})
    found = plan_calls(goal, [TOUCH])
    assert (found.status, found.reason) == (Status.NO_PLAN, "no tool says that it changes file.notes.txt.gone")


def test_a_key_of_very_many_parts_is_like_any_other():
    long = ".".join("a" * 5_000)
    goal = ConditionGoal(conditions={"x.{path}": True}, given={"path": long})
    assert calls(goal, [ToolEntry(name="go", effects=(f"x.{long}",))]) == [("go", {})]


def test_what_is_handed_on_comes_from_the_last_of_two_like_calls():
    tools = [
        ToolEntry(name="fill", effects=("fuel",), produces={"ticket": "ticket"}),
        tool("there", "ticket", {}, requires=("fuel",), effects=("there", "!fuel")),
        tool("back", "ticket", {}, requires=("fuel", "there"), effects=("back", "!fuel")),
    ]
    plan = plan_calls(ConditionGoal(conditions={"back": True}), tools)
    assert [(step.step_id, step.skill, dict(step.params)) for step in plan.steps] == [
        ("s1", "fill", {}),
        ("s2", "there", {"ticket": "{{s1.ticket}}"}),
        ("s3", "fill", {}),
        ("s4", "back", {"ticket": "{{s3.ticket}}"}),
    ]
    assert [step.depends_on for step in plan.steps] == [(), ("s1",), ("s2",), ("s1", "s2", "s3")]
    assert dict(plan.why) == {
        "s1": "gives ticket to there",
        "s2": "makes there so, which back needs",
        "s3": "gives ticket to back",
        "s4": "brings about back",
    }
