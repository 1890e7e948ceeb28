"""The interpreter on sentences with their expected readings, half of them traps: none may be misread with confidence.

The first 171 were written before the rules.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from planvow.goals import GoalOrchestrator, ToolRegistry, WorldState
from planvow.goals.understand.interpreter import UNDERSTOOD, GoalInterpreter
from planvow.goals.values.metagoal import MetaGoal
from planvow.goals.values.values import ToolGoal


def rows(name: str) -> list[tuple[str, ...]]:
    lines = Path(__file__).with_name(name).read_text("utf-8").splitlines()
    return [tuple(line.split("\t")) for line in lines if line and not line.startswith("#")]


ROWS = rows("sentences.tsv")


def written(meta: MetaGoal) -> str:
    """Write goals the way sentences.tsv writes them."""
    return "; ".join(one(goal, meta) for goal in meta.goals)


def one(goal: ToolGoal, meta: MetaGoal) -> str:
    if goal.goal_type == "browser_search":
        return f"search {goal.platform or '-'} {goal.query}"
    if goal.goal_type == "browser_navigate":
        return f"navigate {goal.target}"
    if goal.goal_type == "app_launch":
        return f"launch {goal.target}"
    if goal.goal_type == "system_query":
        return f"query {goal.query}"
    words = [f"{goal.action}_{goal.object_type or {'read': 'file', 'list': 'folder'}[goal.action]} {goal.target}"]
    if goal.new_name or goal.destination:
        words.append(f"to {goal.new_name or goal.destination}")
    if goal.scope and goal.scope.startswith("inside:"):
        parent = meta.parent_of(meta.goals.index(goal))
        words.append(f"inside {meta.goals[parent].target}")
    elif goal.scope:
        words.append(f"at {goal.scope}")
    if goal.content is not None:
        words.append(f"content {goal.content}")
    return " ".join(words)


INTERPRETER = GoalInterpreter()


@cache
def reading(sentence: str) -> str:
    found = INTERPRETER.interpret(sentence)
    return written(found.meta_goal) if found.status == UNDERSTOOD else "?"


def test_there_are_150_sentences_and_half_of_them_are_traps():
    assert len(ROWS) >= 150
    assert sum(expected == "?" for _, expected in ROWS) >= len(ROWS) / 2


@pytest.mark.long
def test_no_sentence_is_misread_with_confidence():
    wrong = {s: (e, reading(s)) for s, e in ROWS if reading(s) not in (e, "?")}
    assert wrong == {}


@pytest.mark.long
def test_nearly_every_plain_sentence_is_understood(capsys):
    plain = [(s, e) for s, e in ROWS if e != "?"]
    missed = [s for s, e in plain if reading(s) != e]
    misread = sum(reading(s) not in (e, "?") for s, e in ROWS)
    with capsys.disabled():
        print(f"\ninterpreter: {len(plain) - len(missed)}/{len(plain)} understood, {misread}/{len(ROWS)} misread")
    assert missed == []


@pytest.mark.long
def test_the_wishes_the_grammar_was_developed_on_are_read():
    assert {s: (e, reading(s)) for s, e in rows("development.tsv") if reading(s) != e} == {}


@pytest.mark.parametrize(
    "text", ["", " ", "\x00", "\ud800", "open " * 1000, "search " + "x" * 100_000, "'", '"', "and and"]
)
def test_whatever_is_said_there_is_an_answer(text):
    assert GoalInterpreter().interpret(text).status in ("understood", "ambiguous", "not_understood")


def test_doubt_comes_with_choices():
    found = GoalInterpreter().interpret("open report.txt")
    assert found.status == "ambiguous"
    assert found.choices


def test_a_model_is_asked_only_in_doubt_and_only_if_given():
    asked = []

    def model(text):
        asked.append(text)
        return MetaGoal.of([ToolGoal(goal_type="app_launch", target="spotify")])

    interpreter = GoalInterpreter(model=model)
    assert interpreter.interpret("open notepad").meta_goal.goals[0].target == "notepad"
    assert asked == []
    assert interpreter.interpret("some music would be nice").meta_goal.goals[0].target == "spotify"
    assert asked == ["some music would be nice"]


@pytest.mark.parametrize(
    ("sentence", "needs"),
    [
        ("create folder x and copy a.txt to x", {1: (0,)}),
        ("mkdir src and touch src/main.py", {1: (0,)}),
        ("delete the file a.txt and rename b.txt to a.txt", {1: (0,)}),
        ("create folder x and folder xy", {}),
        ("create folder x on the desktop and create folder x in documents", {}),
    ],
)
def test_goals_about_the_same_place_are_done_in_the_order_said(sentence, needs):
    assert dict(GoalInterpreter().interpret(sentence).meta_goal.dependencies) == needs


def test_a_query_keeps_its_own_words():
    [goal] = GoalInterpreter().interpret("open youtube, search cats, dogs and  birds").meta_goal.goals
    assert goal.query == "cats, dogs and birds"


@pytest.mark.parametrize(
    ("sentence", "there"),
    [
        ("move notes.txt into the folder stuff", "/w/stuff/notes.txt"),
        ("move notes.txt to the folder stuff", "/w/stuff/notes.txt"),
        ("copy notes.txt to folder stuff/", "/w/stuff/notes.txt"),
        ("copy notes.txt into stuff", "/w/stuff/notes.txt"),
        ("move the folder old into the directory attic", "/w/attic/old"),
        ("move notes.txt to stuff", "/w/stuff"),
        ("copy notes.txt into more.txt", "/w/more.txt"),
    ],
)
def test_what_goes_into_a_folder_keeps_its_name(sentence, there):
    meta = GoalInterpreter().interpret(sentence).meta_goal
    result = GoalOrchestrator(anchors={"workspace": "/w"}).plan(meta, WorldState(), ToolRegistry.default().index())
    assert result.graph.nodes[0].args["destination"] == there
