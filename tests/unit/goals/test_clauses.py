"""Wishes that tell more than they ask for: the one order is read, and nothing that may be part of it is left out."""

from __future__ import annotations

import time
import timeit

import pytest

from planvow.goals import GoalInterpreter, ToolGoal
from planvow.goals.clauses.cutting import clauses_of
from planvow.goals.clauses.denied import LONGEST_NAME, MOST_DENIALS, denials
from planvow.goals.clauses.telling import tells
from planvow.goals.rephrase.unsaid import left_out
from planvow.goals.values.config import default_config

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


@pytest.mark.parametrize(
    "sentence",
    [
        "don't open anything, open word",
        "i don't want to open anything, open notepad",
        "i said don't open anything, open word",
        "open notepad but don't do anything",
        "open notepad without opening any page",
        "open notepad but don't open any app",
        "open chrome but don't open the browser",
        "open reddit but don't open a tab",
        "don't open the browser, open reddit",
        "don't open any site, go to reddit",
        "don't open an app, go to reddit",
        "search google for cats but don't open any page",
        "don't open a browser, search for cats",
        "create a folder called src but don't make any folder",
        "read a.txt but don't show any file",
        "copy the folder src to documents but don't copy any file",
        "copy a.txt to documents but don't create any folder",
    ],
)
def test_a_denial_of_everything_of_a_kind_that_the_order_touches_is_asked_about(sentence):
    assert INTERPRETER.interpret(sentence).meta_goal is None


@pytest.mark.parametrize(
    "sentence",
    [
        "copy a.txt to documents but don't overwrite anything",
        "copy a.txt to documents but don't overwrite any file",
        "without overwriting anything, copy a.txt to b.txt",
        "copy a.txt to b.txt but don't delete anything",
        "copy a.txt to b.txt but don't overwrite it",
        "create a file called a.txt with the text hi but don't write anything",
        "open word but don't maximize it",
        "open word without saving",
        "don't sit on it, open word",
        'write "x" to a.txt but don\'t save anything else',
    ],
)
def test_a_denied_deed_that_the_order_may_do_or_nothing_is_known_of_is_asked_about(sentence):
    assert INTERPRETER.interpret(sentence).meta_goal is None


@pytest.mark.parametrize(
    "sentence",
    [
        "open youtube but don't open youtube.com",
        "open vscode but don't open visual studio code",
        "tell me the ram, not the memory",
        "don't open chrome, go to reddit",
        "open word and go to reddit but don't open chrome",
        "copy a.txt to documents but don't touch documents/a.txt",
        "copy the folder src to documents but don't copy a.txt",
        "copy the folder src to documents but skip the folder tmp",
        "don't just open word, open excel",
        "don't open word first, open excel",
        "don't open word alone, open excel",
        "i don't want the browser, go to reddit",
        "i don't want a tab, go to reddit",
        "don't click open word",
        "open spotify but don't play anything until friday",
        "open word but don't type anything and open excel",
        "copy a.txt to documents but don't delete it until friday",
        "search youtube for excel but not word",
        "search for jobs, not on youtube",
        "neither word nor excel, word",
    ],
)
def test_a_denial_of_what_the_order_names_holds_or_needs_is_asked_about(sentence):
    assert INTERPRETER.interpret(sentence).meta_goal is None


@pytest.mark.parametrize(
    ("sentence", "deed"),
    [
        ("open word but don't open anything else", "word"),
        ("open word instead of any other app", "word"),
        ("open word. that's all", "word"),
        ("open word but don't create any file", "word"),
        ("open word without opening the browser", "word"),
        ("open reddit in firefox, not chrome", "firefox"),
        ("don't open the app, go to spotify.com", "spotify.com"),
        ("open spotify but don't play anything", "spotify"),
        ("without opening anything, tell me the time", "time"),
        ("list downloads but don't change anything in there", "list"),
        ("create a folder called x but don't put anything in it", "create"),
        ("create a folder called x, not a file", "create"),
        ("copy a.txt to documents, don't move it", "copy"),
        ("copy a.txt to documents but not to the desktop", "copy"),
        ("create a file called a.txt but don't touch the desktop", "create"),
        ("tell me the time, not the date", "time"),
        ("rename a.txt to b.txt without touching c.txt", "rename"),
        ("move a.txt to documents but leave b.txt where it is", "move"),
        ("append 'ok' to a.txt, do not overwrite it", "append"),
        ("open teams, but skip slack", "teams"),
        ("no more vscode, open notepad instead", "notepad"),
        ("dont open youtube open wikipedia", "wikipedia"),
        ("go to reddit... nah go to wikipedia", "wikipedia"),
        ("make a folder x, not on the desktop but in documents", "create"),
    ],
)
def test_a_denial_that_can_not_bear_on_the_order_takes_nothing_from_it(sentence, deed):
    goals = INTERPRETER.interpret(sentence).meta_goal.goals
    assert deed in (goals[0].action, goals[0].query, goals[0].target), goals


@pytest.mark.parametrize(
    "sentence",
    ["i don't want word, open word", "i don't want a page, open paint", "i don't want the app, open word",
     "i don't want a page, go to reddit", "i don't want a page, search for jobs",
     "search for jobs, i don't want youtube"],
)  # fmt: skip
def test_a_denial_that_is_understood_and_bears_on_the_order_is_not_taken_for_something_told(sentence):
    assert INTERPRETER.interpret(sentence).meta_goal is None


@pytest.mark.parametrize("original", ["the original", "the source", "the source file", "the old one"])
def test_to_move_and_yet_keep_the_original_is_asked_about(original):
    for denied in (f"without removing {original}", f"but don't delete {original}", f"and don't lose {original}"):
        for order in ("move a.txt to documents", "rename a.txt to b.txt"):
            assert INTERPRETER.interpret(f"{order} {denied}").meta_goal is None, (order, denied)
        assert INTERPRETER.interpret(f"copy a.txt to documents {denied}").meta_goal.goals[0].action == "copy", denied


@pytest.mark.parametrize(
    "part", ["not ", ", but ", "open word ", "nah ", "open word, not ", "don't open ", "...", " now "]
)
def test_a_wish_is_cut_at_a_few_denials_only_however_long_it_is(part):
    asked = []

    def things(said):
        asked.append(said)
        return ()

    for begin in ("", "don't open ", "open word, not "):
        cuts = [*denials((begin + part * 4000)[:4000], things)]
        assert len(cuts) <= 2 * MOST_DENIALS
        assert all(len(said) <= LONGEST_NAME for said in (*asked, *(one for cut in cuts for one in cut.denied)))


@pytest.mark.parametrize("part", [",", "now ", "please now ", ",.", "not ", "open word, not ", ", to "])
def test_cutting_a_wish_four_times_as_long_takes_not_ten_times_as_long(part):
    def cost(length):
        text = ("open word, not " + part * length)[:length]
        return min(timeit.repeat(lambda: [*denials(text, lambda _: ())], timer=time.process_time, number=5, repeat=5))

    assert cost(16_000) < 10 * cost(4_000)


def test_every_search_of_several_goals_stands_behind_a_word_for_searching():
    word, sigh = ToolGoal(goal_type="app_launch", target="word"), ToolGoal(goal_type="browser_search", query="a sigh")
    for goals in ((word, sigh), (sigh, word)):
        assert left_out("open word. a sigh", goals, default_config()) is not None
        assert left_out("look for a sigh. open word", goals, default_config()) is None


def test_without_a_pause_or_a_word_that_joins_nothing_is_denied():
    assert [*denials("youtube never play games", lambda _: ())] == []
    assert [*denials("don't click open word", lambda _: ())] == []
    assert [*denials("don't open excel open word", lambda said: (said,))]
