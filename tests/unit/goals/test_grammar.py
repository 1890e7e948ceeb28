"""The grammar of wishes: one reading or choices that can be said, vetoes that hold, and how unseen wishes fared."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from planvow.goals import (
    GoalInterpreter,
    GoalOrchestrator,
    MetaGoal,
    ToolCapability,
    ToolGoal,
    ToolRegistry,
    WorldState,
    load_config,
)
from planvow.goals.grammar.chart import MOST, Chart
from planvow.goals.grammar.lexicon import Lexicon
from planvow.goals.grammar.notation import read_rules
from planvow.goals.grammar.tokens import tokens_of
from planvow.goals.understand.wording import said
from planvow.goals.values.config import default_config

HERE = Path(__file__).parent
BENCH = HERE.parents[2] / "bench"
INTERPRETER = GoalInterpreter()


def rows(name):
    lines = (HERE / name).read_text("utf-8").splitlines()
    return [tuple(line.split("\t")) for line in lines if line and not line.startswith("#")]


def goals_of(sentence, interpreter=INTERPRETER):
    found = interpreter.interpret(sentence)
    assert found.status == "understood", (sentence, found.reason, found.choices)
    return found.meta_goal.goals


def planned(sentence, **anchors):
    folders = {"workspace": "/w", "home": "/h", "desktop": "/desk", **anchors}
    meta = INTERPRETER.interpret(sentence).meta_goal
    result = GoalOrchestrator(anchors=folders).plan(meta, WorldState(), ToolRegistry.default().index())
    assert result.status == "success", result.reason
    return result.graph.nodes


# --- what was found by trying -------------------------------------------------------------------------------------


def test_a_file_is_copied_to_the_desktop():
    [call] = planned("copy notes.txt to the desktop")
    assert (call.tool, call.args["path"], call.args["destination"]) == ("files.copy", "/w/notes.txt", "/desk/notes.txt")


def test_a_page_is_opened_in_the_browser_that_is_named():
    [call] = planned("open example.org in firefox")
    assert call.args == {"app_name": "firefox", "url": "https://example.org"}


def test_the_files_of_a_folder_are_listed():
    [call] = planned("list files in downloads", downloads="/down")
    assert (call.tool, call.args["path"]) == ("files.list", "/down")


def test_a_semicolon_stands_between_steps():
    [call] = planned("open youtube; search nvidia")
    assert call.args["url"] == "https://youtube.com/results?search_query=nvidia"


def test_a_configured_alias_is_a_verb(tmp_path):
    (tmp_path / "mine.toml").write_text('[action_aliases]\nzap = "delete"\n')
    [goal] = goals_of("zap the file notes.txt", GoalInterpreter(load_config(tmp_path / "mine.toml")))
    assert (goal.action, goal.object_type, goal.target) == ("delete", "file", "notes.txt")
    assert INTERPRETER.interpret("zap the file notes.txt").status == "not_understood"


def test_what_is_said_last_counts():
    [goal] = goals_of("search for cats, no wait, dogs")
    assert goal.query == "dogs"


@pytest.mark.parametrize(
    ("sentence", "veto"),
    [
        ("search for cats if it rains", "condition"),
        ("open notepad if it rains", "condition"),
        ("search for cats tomorrow at 5pm", "time"),
        ("open notepad tomorrow at 5pm", "time"),
        ("don't delete the folder src", "negation"),
        ("search for cats but don't open youtube", "negation"),
        ("open youtube or vimeo", "alternatives"),
        ("search youtube or google for cats", "alternatives"),
        ("delete all files", "quantity"),
        ("the moment it rains, open settings", "condition"),
        ("delete the file a.txt?", "question"),
    ],
)
def test_vetoes_say_their_kind_and_hold_for_models(sentence, veto):
    asked = []
    obedient = GoalInterpreter(
        model=lambda text: asked.append(text) or MetaGoal.of([ToolGoal(goal_type="app_launch", target="x")])
    )
    found = obedient.interpret(sentence)
    assert (found.vetoed, found.veto, found.meta_goal) == (True, veto, None)
    assert asked == []


def test_a_build_file_is_no_web_page():
    found = INTERPRETER.interpret("open makefile.am")
    assert found.status == "ambiguous"
    assert found.choices[0] == 'read the file "makefile.am"'


@pytest.mark.parametrize("host", ["localhost:3000", "127.0.0.1:8000"])
def test_this_machine_is_opened_without_a_certificate(host):
    [call] = planned(f"open {host}")
    assert call.args["url"] == f"http://{host}"


def test_a_folder_stays_a_folder():
    [call] = planned("move notes.txt into the folder stuff")
    assert call.args["destination"] == "/w/stuff/notes.txt"


# --- choices ------------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize(("part", "least"), [(12, 50), pytest.param(1, 600, marks=pytest.mark.slow)])
def test_every_suggestion_is_understood_when_it_is_said(part, least):
    sentences = [sentence for sentence, _ in (rows("sentences.tsv") + rows("development.tsv"))[::part]]
    offered = [choice for sentence in sentences for choice in INTERPRETER.interpret(sentence).choices]
    assert len(offered) > least
    assert [choice for choice in offered if INTERPRETER.interpret(choice).status != "understood"] == []


def test_near_names_are_asked_for_the_nearest_first():
    assert INTERPRETER.interpret("open nottpd").choices[0] == "open notepad"
    assert INTERPRETER.interpret("search yotubr for owls").choices[0] == "search youtube for owls"


def test_a_slip_that_can_be_only_one_name_is_that_name():
    assert [goal.target for goal in goals_of("opne notpad and the calcualtor")] == ["notepad", "calculator"]
    assert goals_of("search wikipeda for owsl")[0].query == "owsl"
    assert INTERPRETER.interpret("open zoo").status != "understood"


def test_a_name_that_may_be_cut_off_is_asked_about():
    assert INTERPRETER.interpret("search cats on youtub").choices[0] == "search youtube for cats"


def test_each_side_of_an_or_is_offered():
    assert INTERPRETER.interpret("open notepad or calculator").choices[:2] == ("open notepad", "open calculator")


def test_a_slip_in_what_deletes_is_asked_about():
    found = INTERPRETER.interpret("delte the file a.txt")
    assert (found.status, found.choices) == ("ambiguous", ('delete the file called "a.txt"',))


@pytest.mark.parametrize(
    "goal",
    [
        {"goal_type": "browser_search", "platform": "github", "query": "htn planners"},
        {"goal_type": "browser_navigate", "target": "example.org"},
        {"goal_type": "app_launch", "target": "notepad"},
        {
            "goal_type": "file_operation",
            "action": "create",
            "object_type": "folder",
            "target": "my stuff",
            "scope": "desktop",
        },
        {
            "goal_type": "file_operation",
            "action": "create",
            "object_type": "file",
            "target": "a.txt",
            "content": "if, or",
        },
        {"goal_type": "file_operation", "action": "delete", "object_type": "folder", "target": "old"},
        {
            "goal_type": "file_operation",
            "action": "rename",
            "object_type": "file",
            "target": "a b.txt",
            "new_name": "c.txt",
        },
        {"goal_type": "file_operation", "action": "append", "object_type": "file", "target": "a.txt", "content": "x"},
        {
            "goal_type": "file_operation",
            "action": "move",
            "object_type": "file",
            "target": "a.txt",
            "destination": "old/",
        },
        {"goal_type": "file_operation", "action": "list", "target": "src"},
    ],
)
def test_goals_that_are_worded_are_read_as_themselves(goal):
    meta = MetaGoal.of([ToolGoal(goal_id="g0", **goal)])
    assert INTERPRETER.interpret(said(meta)).meta_goal == meta


# --- the parts ----------------------------------------------------------------------------------------------------


def test_a_chart_finds_every_reading_once_and_keeps_the_cheapest_first():
    rules = read_rules("s: <a*=word> [<s>] -> pair\nword: x|y\nword: x x -> double ; 2")
    chart = Chart(rules, {}, tokens_of("x x y"))
    costs = [edge.cost for edge in chart.readings("s")]
    assert costs == [0, 2]


def test_a_chart_has_an_end_where_readings_multiply():
    rules = read_rules("s: <a*=word> [<s>] -> pair\nword: x -> one\nword: x -> two ; 1\nword: x -> three ; 2")
    chart = Chart(rules, {}, tokens_of("x " * 60))
    assert 0 < len(chart.readings("s")) <= MOST


def test_a_rule_with_a_bracket_too_many_is_refused():
    with pytest.raises(ValueError, match="bracket"):
        read_rules("s: a ] b")


def test_tools_lend_their_verbs():
    tools = [ToolCapability(name="vault.shred_file", can_achieve={"delete_file"})]
    [goal] = goals_of("shred the file a.txt", GoalInterpreter(tools=tools))
    assert (goal.action, goal.target) == ("delete", "a.txt")


def test_all_of_a_folder_is_deleted_only_when_it_is_said():
    assert [goal.recursive for goal in goals_of("delete the folder tmp and everything in it")] == [True]
    assert [goal.recursive for goal in goals_of("delete the folder tmp")] == [False]


def test_what_is_done_first_stands_first():
    goals = goals_of("before you open excel, create a folder called q1")
    assert [goal.target for goal in goals] == ["q1", "excel"]


def test_the_lexicon_holds_what_the_configuration_names():
    phrases = Lexicon(default_config()).phrases
    assert phrases["PLATFORM"][("duck", "duck", "go")] == "duckduckgo"
    assert phrases["DELETE"][("rm",)] == "delete"


@pytest.mark.parametrize(
    "sentence",
    [
        "chuck me a new folder, call it receipts",
        "search for stuff about that",
        "search wikipedia for mercury and for venus",
        "search wikipedia for mars, the planet i mean",
        "i fancy some lofi on youtube, search lofi beats to study to",
        "please open YouTube after my nap",
        "search YouTube for Andre, oh what's the word, Andre Rieu",
        "search for apple cake recipes, none with nuts please",
        "move a.jpg to pics and b.jpg to pics",
    ],
)
def test_what_a_reading_would_leave_out_is_asked_about(sentence):
    assert INTERPRETER.interpret(sentence).meta_goal is None


@pytest.mark.parametrize(
    ("sentence", "app"), [("open teams er zoom", "zoom"), ("open cmd, well, powershell really", "powershell")]
)
def test_of_two_apps_with_a_hesitation_between_them_the_second_is_meant(sentence, app):
    assert [goal.target for goal in goals_of(sentence)] == [app]


def test_a_name_that_is_said_twice_on_purpose_is_searched_for():
    assert [goal.query for goal in goals_of("search for duran duran")] == ["duran duran"]


# --- one wish beside another, and what is said around it ----------------------------------------------------------


ORDERS = ("open notepad", "list the folder src", "what time is it", "rename a.txt to b.txt", "go to github.com")


@pytest.mark.parametrize("joint", ["\n", "\n- ", ". ", "; ", " + ", ", then ", " and "])
@pytest.mark.parametrize("first", ORDERS)
def test_two_wishes_are_the_goals_of_both_however_they_are_joined(first, joint):
    bare = {order: [replace(goal, goal_id=None) for goal in goals_of(order)] for order in ORDERS}
    for second in ORDERS:
        if second != first:
            both = [replace(goal, goal_id=None) for goal in goals_of(f"{first}{joint}{second}")]
            assert both == bare[first] + bare[second]


def test_what_is_searched_for_does_not_go_on_in_the_next_line():
    assert [goal.query for goal in goals_of("search for cats\nopen notepad")] == ["cats", None]
    assert INTERPRETER.interpret("search for cats\nturn off the lights").meta_goal is None
    assert INTERPRETER.interpret("open notepad\ndon't open it").veto == "negation"


REMARKS = (
    "i have a meeting at 3 so {}",
    "my hands are cold so can you {}",
    "my hands are cold can you {}",
    "not sure if you can do this but could you {}",
    "thanks for all your help! One last thing: {}",
    "please {}, i can never find it",
    "ta very much for earlier. now {}",
)


@pytest.mark.parametrize("remark", REMARKS)
@pytest.mark.parametrize(
    "order",
    [
        "open notepad",
        pytest.param("list the folder src", marks=pytest.mark.long),
        pytest.param("go to github.com", marks=pytest.mark.long),
    ],
)
def test_a_remark_changes_nothing_and_hides_no_veto(remark, order):
    assert goals_of(remark.format(order)) == goals_of(order)
    for vetoed in (f"not {order}", f"{order} tomorrow", f"{order} if it rains", f"never {order}", f"{order} or paint"):
        assert INTERPRETER.interpret(remark.format(vetoed)).meta_goal is None, vetoed


def test_a_word_that_vetoes_is_never_mended_away():
    assert INTERPRETER.interpret("open notepad i'm not sure").veto == "negation"


def test_the_copy_is_renamed_once_it_is_there():
    copy, rename = planned("copy cv.pdf to the desktop and rename the copy to old.pdf")
    assert (rename.args["path"], rename.args["new_name"]) == ("/desk/cv.pdf", "old.pdf")
    assert rename.depends_on == (copy.action_id,)


@pytest.mark.parametrize(
    "sentence",
    [
        'create a.txt with the text "x" and read it',
        "rename the folder a to b and list what's inside",
        "move a.txt to the desktop and list the desktop",
        "create a.txt and copy it to the desktop",
    ],
)
def test_what_points_back_waits_for_what_it_points_at(sentence):
    first, second = planned(sentence)
    assert second.depends_on == (first.action_id,)


@pytest.mark.parametrize("sentence", ["please close chrome", "install zoom", "email bob the plan"])
def test_what_no_tool_does_is_refused_by_its_verb(sentence):
    verb = next(word for word in sentence.split() if word != "please")
    assert INTERPRETER.interpret(sentence).reason == f"no tool here is known to {verb} anything"


# --- how it fares -------------------------------------------------------------------------------------------------


READ_ON_PURPOSE = {
    "open the app called todoist",
    "duplicat c.txt to bakcup",
    "google the weather in oslo and the weather in bergen",
    "create a folder called tmp but do not put anything in it",
    "don't google it, just open the calculator",
    "open slack but don't open zoom",
    "open slack and don't open teams",
    "open paint without opening word",
    "open instagran",
    "opne libre ofice",
    "run the task manager",
    "I want the snipping tool",
    "may I see the control panel",
    "be a darling and fetch me the snipping tool",
    "satrt tsk manger",
    "display the task manager window",
    "for heaven's sake, launch the task manager",
    "open vscode but not the terminal",
    "Open PowerPoint without opening Word",
    "open discord but dont open spotify",
}
"""Wishes of sets 3 to 7 that are meant otherwise by their labels: an app that is introduced as one is opened whatever
its name, only verbs are mended, not the names of new files, who googles one thing and another may want both, and what
is denied beside a whole order takes nothing from it (as the authors of later sets say of such wishes). Some apps and
pages were not known yet when these sets were written."""


def scorer():
    spec = importlib.util.spec_from_file_location("bench_wishes", BENCH / "wishes.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("end", ["in it", "in there", "inside it", "inside"])
def test_a_text_without_quotes_that_may_end_before_where_it_is_put_is_asked_about(end):
    for words in (f"with the text good morning {end}", f"with the words good morning {end}"):
        found = INTERPRETER.interpret(f"make a file hello.txt on the desktop {words}")
        assert found.meta_goal is None
        assert found.choices[0].endswith('"good morning"')


@pytest.mark.parametrize("sentence", ["amazon or ebay please", "Could you go to wikipedia or google please"])
def test_a_second_name_after_or_is_no_query(sentence):
    assert INTERPRETER.interpret(sentence).veto == "alternatives"


@pytest.mark.parametrize(
    ("sentence", "query"),
    [
        ("stackoverflow: search null pointer exception", "null pointer exception"),
        ("youtube: search for cats", "cats"),
        ("youtube: look up volcanoes", "volcanoes"),
        ("youtube: search engines explained", "search engines explained"),
        ("youtube: find my iphone", None),
        ("search youtube: look up a word", "look up a word"),
    ],
)
def test_a_word_for_searching_after_a_platform_and_a_colon_is_said_to_us(sentence, query):
    meta = INTERPRETER.interpret(sentence).meta_goal
    assert (None if meta is None else meta.goals[0].query) == query


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("set1", 0.95),
        ("set2", 0.90),
        ("set3", 0.84),
        ("set4", 0.74),
        ("set5", 0.88),
        ("set6", 0.78),
        ("set7", 0.83),
        ("set8", 0.82),
        ("set9", 0.80),
        ("set10", 0.81),
        ("set11", 0.82),
        ("set12", 0.70),
        ("set15", 0.76),
        ("set16", 0.84),
        ("set17", 0.83),
        ("set18", 0.77),
    ],
)
def test_sets_that_were_scored_stay_read(name, least):
    """Regression only: each set was held out once, and has been training data since (docs/explanation/goals.md)."""
    text = (HERE / "wishes" / f"{name}.jsonl").read_bytes()
    hashes = tomllib.loads((BENCH / "wishes.toml").read_text("utf-8"))
    assert hashlib.sha256(text).hexdigest() == hashes[name]["sha256"]
    score = scorer()
    verdicts = [(line, *score.judged(line, INTERPRETER)) for line in map(json.loads, text.decode("utf-8").splitlines())]
    assert {line["wish"] for line, verdict, _ in verdicts if verdict == "misread"} <= READ_ON_PURPOSE
    doable = [verdict for line, verdict, _ in verdicts if score.is_doable(line)]
    assert doable.count("right") / len(doable) >= least
