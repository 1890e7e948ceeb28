"""Wishes in any order of words: what is read by its gist, part by part or with slips mended, and what is not."""

from __future__ import annotations

import random
import time
import timeit

import pytest

from planvow.goals import GoalInterpreter, ToolRegistry
from planvow.goals.grammar.length import LONGEST, MOST_MARKS, MOST_SAID
from planvow.goals.understand.forms import TANGLED
from planvow.goals.understand.interpreter import UNDERSTOOD
from planvow.goals.values.config import config_from_data

INTERPRETER = GoalInterpreter()


def read(sentence, interpreter=INTERPRETER):
    found = interpreter.interpret(sentence)
    goals = found.meta_goal.goals if found.status == UNDERSTOOD else ()
    return [(goal.action or goal.goal_type, goal.target or goal.query) for goal in goals]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("verily, bring forth the calculator", [("app_launch", "calculator")]),
        ("throw teams up on the monitor", [("app_launch", "teams")]),
        ("it has come to my attention that we need a folder named audit", [("create", "audit")]),
        ("bring essay.odt from downloads to documents", [("move", "essay.odt")]),
        ("take a duplicate of form.pdf and put it in documents", [("copy", "form.pdf")]),
        ("folder called x, kill it", [("delete", "x")]),
        ("see if github has a markdown linter", [("browser_search", "markdown linter")]),
        ("file motto.txt shall say carpe diem", [("write", "motto.txt")]),
        ("search bing, well, duckduckgo for vpns", [("browser_search", "vpns")]),
        ("opun firefxo", [("app_launch", "firefox")]),
        ("i was wondering how much battery i've got left", [("system_query", "battery")]),
    ],
)
def test_what_is_named_and_what_is_to_be_done_with_it_is_enough(sentence, expected):
    assert read(sentence) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "i moved a.txt to documents",
        "i deleted the file a.txt",
        "put spotify away",
        "excel, please close it",
        "should the folder logs be empty, delete it",
        "go to youtube after lunch",
        "could be word, could be excel, open the right one",
        "open gimp, failing that paint",
        "um open word or, uh, libreoffice",
        "create a folder called delete me",
        "make it a.txt, no b.txt",
    ],
)
def test_a_word_that_could_matter_is_never_left_out(sentence):
    assert read(sentence) == []


def test_a_slip_never_deletes_and_names_nothing_that_was_not_typed():
    assert read("delte the flie a.log") == []
    assert read("serch for chesse") in ([], [("browser_search", "chesse")])


def test_the_words_of_a_description_may_be_used():
    row = {
        "name": "vault.go",
        "description": "Pulps or crushes a record beyond recovery.",
        "can_achieve": ["delete_file"],
    }
    tools = ToolRegistry.from_data([row])
    own = GoalInterpreter(tools=tools.capabilities(), descriptions=tools.descriptions)
    assert read("pulp the record a.txt", own) == read("crush the file a.txt", own) == [("delete", "a.txt")]
    assert read("pulp the record a.txt") == []


def test_a_tool_takes_no_word_from_another_tool():
    rows = [
        {"name": "b.buff", "description": "Buffs a file.", "can_achieve": ["read_file"]},
        {"name": "a.zap", "description": "Buffs a file.", "can_achieve": ["delete_file"]},
    ]
    for chosen, meant in ((rows[:1], [("read", "a.txt")]), (rows, [])):
        tools = ToolRegistry.from_data(chosen)
        own = GoalInterpreter(tools=tools.capabilities(), descriptions=tools.descriptions)
        assert read("buff the file a.txt", own) == meant


def test_a_tool_takes_no_word_from_the_configuration():
    config = config_from_data({"action_aliases": {"buff": "read"}}, place="own")
    row = {"name": "a.zap", "description": "Buffs a file.", "can_achieve": ["delete_file"]}
    tools = ToolRegistry.from_data([row])
    own = GoalInterpreter(config, tools=tools.capabilities(), descriptions=tools.descriptions)
    assert read("buff the file a.txt", own) == [("read", "a.txt")]


def test_readings_that_another_thread_forgets_meanwhile_are_not_missed():
    class Forgetful(dict):
        def __setitem__(self, sentence, reading):
            super().__setitem__(sentence, reading)
            self.clear()

    own = GoalInterpreter()
    own._reader._read = Forgetful()
    assert read("open notepad", own) == [("app_launch", "notepad")]


def test_a_wish_that_is_too_long_is_refused_for_everyone():
    found = INTERPRETER.interpret("x" * (LONGEST + 1))
    assert (found.vetoed, found.veto) == (True, "length")
    assert "at most 4,000 characters" in found.reason


@pytest.mark.parametrize("part", ["open word, not ", "not word, ", "open word and ", ", ", "a b. ", "my cat sat. "])
def test_a_wish_of_too_many_words_is_refused_before_it_is_read(part, monkeypatch):
    monkeypatch.setattr(INTERPRETER, "_reader", None)
    found = INTERPRETER.interpret((part * LONGEST)[:LONGEST])
    assert (found.vetoed, found.veto, "at most" in found.reason) == (True, "length", True)


@pytest.mark.parametrize("mark", [",", ".", "-", "!", "–", ". ", "- ", "-\n"])
@pytest.mark.parametrize("frame", ["open word {}", 'write "{}" to a.txt'])
def test_a_wish_of_too_many_marks_in_a_row_is_refused_before_it_is_read(mark, frame, monkeypatch):
    assert "in a row" not in (INTERPRETER.interpret(frame.format(mark * 40)).reason or "")
    monkeypatch.setattr(INTERPRETER, "_reader", None)
    found = INTERPRETER.interpret(frame.format(mark * (MOST_MARKS + 1)))
    assert (found.vetoed, found.veto, "in a row" in found.reason) == (True, "length", True)


def test_as_many_words_as_a_wish_may_have_are_read_and_a_text_in_quotes_is_one():
    assert read("open word " + "please " * (MOST_SAID - 2)) == [("app_launch", "word")]
    assert INTERPRETER.interpret("open word " + "please " * (MOST_SAID - 1)).veto == "length"
    assert read('write "' + "many words " * 300 + '" to a.txt') == [("write", "a.txt")]


@pytest.mark.parametrize("part", ["x'", "no-", "um-", "-no", "'x", "x'y", "...x", "!!!x"])
def test_reading_a_wish_four_times_as_long_takes_not_eight_times_as_long(part):
    def cost(length):
        text = (part * length)[:length]
        return min(timeit.repeat(lambda: INTERPRETER.interpret(text), timer=time.process_time, number=1, repeat=3))

    assert cost(LONGEST) < 8 * cost(LONGEST // 4) + 0.01


@pytest.mark.long
def test_no_wish_raises_whatever_it_holds():
    chance = random.Random(17)
    marks = [
        '"',
        "'",
        ",",
        "...",
        ";",
        ":",
        " ",
        "(",
        "[",
        "open",
        "no,",
        "i mean",
        "then",
        "a.txt",
        "to",
        "um",
        "\\",
        "\0",
        "é",
        "\U0001f600",
    ]
    for _ in range(60):
        some = [chance.choice(marks) if chance.random() < 0.8 else chr(chance.randrange(0x3000)) for _ in range(12)]
        INTERPRETER.interpret(" ".join(some) if chance.random() < 0.5 else "".join(some))
    INTERPRETER.interpret("a " * 1_900)


@pytest.mark.long
@pytest.mark.parametrize("words", ["i want " * 30, "search for " * 30, "open it and find " * 12])
def test_what_has_too_many_readings_is_given_up_after_a_counted_effort(words):
    """Counted, not timed: the answer is the same on every machine, and after whatever was read before."""
    reader = GoalInterpreter()
    found = reader.interpret(words)
    assert not found.vetoed
    assert found.reason == TANGLED
    reader.interpret(words[:40])
    assert reader.interpret(words) == found
