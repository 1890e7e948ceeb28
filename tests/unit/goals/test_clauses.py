"""Wishes that tell more than they ask for: the one order is read, and nothing that may be part of it is left out."""

from __future__ import annotations

import pytest

from planvow.goals import GoalInterpreter
from planvow.goals.clauses.cutting import clauses_of
from planvow.goals.clauses.telling import tells

INTERPRETER = GoalInterpreter()


def launched(sentence):
    meta = INTERPRETER.interpret(sentence).meta_goal
    return None if meta is None else [goal.target for goal in meta.goals]


TOLD = (
    "we had a crash last week and i don't want a repeat, so {}",
    "my friends are all waiting on me lol {} asap",
    "if i'm honest i've no idea how this works, so {}",
    "don't laugh but i want to draw a frog. {}",
    "long night on call, my pager won't shut up. {} would ya",
    "thanks for yesterday, it worked like a charm! {}",
    "{} before i change my mind lol",
    "{}, my sister will kill me if she is late",
)


@pytest.mark.parametrize("told", TOLD)
def test_the_order_is_read_among_clauses_that_only_tell_something(told):
    assert launched(told.format("open paint")) == ["paint"]


@pytest.mark.parametrize("told", TOLD)
def test_what_vetoes_the_order_itself_still_does(told):
    for order in ("don't open paint", "open paint tomorrow", "open paint if it rains", "open paint or gimp"):
        assert launched(told.format(order)) is None, order


@pytest.mark.parametrize(
    "sentence",
    [
        "i hate mondays, mute the sound, open word",
        "my boss is here, email him, open word",
        "play some jazz, i love it, open word",
        "lights off in the kitchen, open spotify",
        "open word. i changed my mind",
        "open word, i don't want it",
        "open word, i need it tomorrow",
        "open slack? no thanks",
        "open calculator... oh forget it, i'll do it on paper",
        "it's raining, if it stops open spotify",
        "suppose it rains, then open weather.com",
        "as long as there's enough disk space, copy movie.mp4 to downloads",
        "my meeting is at 3, open zoom",
        "i can never find it, nobody knows why. delete the file a.txt",
    ],
)
def test_what_may_be_part_of_the_order_is_not_left_out(sentence):
    assert launched(sentence) is None


def test_what_was_told_of_takes_the_place_of_what_points_at_it():
    assert launched("i can't find the calculator, please open") == ["calculator"]
    [goal] = INTERPRETER.interpret("my gran swears by youtube, no idea why, so look there for owls").meta_goal.goals
    assert (goal.platform, goal.query) == ("youtube", "owls")


@pytest.mark.parametrize(
    ("sentence", "app"),
    [
        ("open the terminal, not powershell", "terminal"),
        ("open word, but don't open excel", "word"),
        ("not the terminal, powershell", "powershell"),
        ("neither chrome nor edge please, brave", "brave"),
        ("i dont need libreoffice, i need word", "word"),
        ("forget spotify, open vlc", "vlc"),
        ("dont start steam, i've got homework. start word", "word"),
        ("there's no reason to open gimp, paint will do", "paint"),
        ("open discord lol jk open word", "word"),
    ],
)
def test_of_two_things_the_one_that_is_not_denied_is_opened(sentence, app):
    assert launched(sentence) == [app]


@pytest.mark.parametrize(
    "sentence",
    [
        "open word, not that one",
        "open word, not word",
        "neither word nor excel",
        "i don't need word, i need help",
        "delete the folder src, not the folder tmp",
        "don't start steam, i've got homework",
    ],
)
def test_a_contrast_with_something_unknown_or_nothing_left_is_asked_about(sentence):
    assert launched(sentence) is None


def test_what_is_searched_for_keeps_its_last_word():
    [goal] = INTERPRETER.interpret("youtube don't stop me now").meta_goal.goals
    assert goal.query == "don't stop me now"


def test_a_sentence_is_cut_where_somebody_begins_anew():
    found = clauses_of('my feet hurt and i\'m bored, so write "a, b" to x.txt')
    assert [clause.text for clause in found] == ["my feet hurt", "i'm bored", 'write "a, b" to x.txt']


@pytest.mark.parametrize("clause", ["tomorrow at 8", "not now", "you should close it", "in documents", "or paint"])
def test_what_binds_an_order_tells_nothing(clause):
    assert not tells(clause, after=True, joint=", ")


@pytest.mark.parametrize(
    ("sentence", "app"),
    [
        ("start paint but don't start gimp", "paint"),
        ("launch gimp. do not launch paint.", "gimp"),
        ("use brave rather than opera", "brave"),
        ("don't list the folder src, open the terminal", "terminal"),
        ("without starting anything else, open vlc", "vlc"),
        ("i don't want you to open slack, my boss is watching, open word", "word"),
    ],
)
def test_what_is_denied_beside_an_order_and_is_something_else_takes_nothing_from_it(sentence, app):
    assert launched(sentence) == [app]


@pytest.mark.parametrize(
    "sentence",
    [
        "open paint but don't open it",
        "open paint but don't open paint",
        "open paint but don't do anything with it until noon",
        "search for tools like gimp but not paint",
        "google bread without yeast, not cake",
        "delete the file a.txt but don't delete the file b.txt",
        "move a.txt to documents rather than downloads",
    ],
)
def test_what_is_denied_and_may_bear_on_the_order_is_asked_about(sentence):
    assert INTERPRETER.interpret(sentence).meta_goal is None


def test_a_search_goes_where_it_is_wanted_and_not_where_it_is_denied():
    for sentence in ("search amazon rather than ebay for tents", "search amazon for tents, not ebay"):
        [goal] = INTERPRETER.interpret(sentence).meta_goal.goals
        assert (goal.platform, goal.query) == ("amazon", "tents"), sentence
