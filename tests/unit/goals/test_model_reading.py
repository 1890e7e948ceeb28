"""A planner of the contract as the interpreter's second opinion."""

from __future__ import annotations

import pytest

from planvow.contract import StubPlanner
from planvow.contract.interface.interface import DeterminismMode, PlannerError, PlannerOutput
from planvow.goals import GoalInterpreter
from planvow.goals.understand.model_reading import reading_with

MUSIC = {
    "steps": [
        {"step_id": "s1", "skill": "app_launch", "params": {"target": "spotify"}},
        {"step_id": "s2", "skill": "browser_search", "params": {"query": "jazz"}, "depends_on": ["s1"]},
    ]
}


class Answering:
    """A planner that gives one answer and remembers what it was asked."""

    planner_id, version = "answering", "1.0.0"

    def __init__(self, answer):
        self.answer = answer
        self.asked = []

    def get_determinism_mode(self):
        return DeterminismMode.STRUCTURAL

    def plan(self, agent_id, goal, context_summary=None, memory_snippets=None, tool_manifest=None, **_):
        self.asked.append((goal, [entry["skill_id"] for entry in tool_manifest]))
        return self.answer


def output(plan):
    return PlannerOutput(plan=plan, metadata={}, deterministic=False)


def test_a_doubtful_sentence_is_read_by_the_planner():
    planner = Answering(output(MUSIC))
    interpreter = GoalInterpreter(model=reading_with(planner))
    found = interpreter.interpret("some jazz would be nice")
    assert [goal.goal_type for goal in found.meta_goal.goals] == ["app_launch", "browser_search"]
    assert found.meta_goal.dependencies == {1: (0,)}
    assert planner.asked[0][0] == "some jazz would be nice"
    assert "file_operation" in planner.asked[0][1]
    interpreter.interpret("open notepad")
    assert len(planner.asked) == 1


@pytest.mark.parametrize(
    "answer",
    [
        PlannerError(code="PLANNER_GENERATION_FAILED", message="no idea"),
        output({"steps": []}),
        output({"steps": [{"step_id": "s1", "skill": "time_travel", "params": {}}]}),
        output({"steps": [{"step_id": "s1", "skill": "app_launch", "params": {"target": 3}}]}),
        output({"steps": [{"step_id": "s1", "skill": "app_launch", "params": {"scope": "inside:x"}}]}),
        output({"nonsense": 1}),
    ],
)
def test_an_answer_that_is_no_goals_leaves_the_doubt(answer):
    assert GoalInterpreter(model=reading_with(Answering(answer))).interpret("hm").status == "not_understood"


def test_any_planner_that_keeps_the_contract_can_be_asked():
    assert reading_with(StubPlanner())("summarise everything") is None


@pytest.mark.parametrize(
    ("sentence", "skill", "params"),
    [
        (
            "don't delete the folder src",
            "file_operation",
            {"action": "delete", "object_type": "folder", "target": "src"},
        ),
        ("never open youtube", "browser_navigate", {"target": "youtube"}),
        ("delete the file a.txt or not", "file_operation", {"action": "delete", "target": "a.txt"}),
        ("open notepad if it rains", "app_launch", {"target": "notepad"}),
        ("open notepad tomorrow", "app_launch", {"target": "notepad"}),
        ("delete the file a.txt?", "file_operation", {"action": "delete", "target": "a.txt"}),
        ("search cats and never delete the file a.txt", "file_operation", {"action": "delete", "target": "a.txt"}),
        ("find the or delete the file a.txt and open it", "file_operation", {"action": "delete", "target": "a.txt"}),
    ],
)
def test_what_the_rules_refuse_no_model_allows(sentence, skill, params):
    plan = {"steps": [{"step_id": "s1", "skill": skill, "params": params}]}
    alone = GoalInterpreter().interpret(sentence)
    found = GoalInterpreter(model=reading_with(Answering(output(plan)))).interpret(sentence)
    assert found.meta_goal == alone.meta_goal
    assert found.status == alone.status or found.vetoed
    assert not any(goal.goal_type == skill for goal in (found.meta_goal.goals if found.meta_goal else ()))
