"""What commands print with --json can be replayed and verified, and fits its published schema."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from command_line import planvow
from planvow.adapters.documents.json_schemas import schema_text
from planvow.goals.values.data import meta_goal_from_data, world_from_data
from planvow.tools import read_agenda

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SHOP = EXAMPLES / "tools"
TEA = EXAMPLES / "robot_tea.py"
COMMANDS = {
    "ask": ("ask", "stub", "Say hello"),
    "goal": ("goal", "create a folder called notes"),
    "tools": ("tools", "plan", "--want", "order_id", "--given", "customer_id=c7", "--tools", SHOP / "shop.json",
              "--review", SHOP / "shop.toml"),
}  # fmt: skip


def fits(name, data):
    return Draft202012Validator(json.loads(schema_text(name))).is_valid(data)


def printed(folder, *words):
    done = planvow(folder, *words, "--json")
    assert done.returncode == 0, done.stderr
    (folder / "printed.json").write_text(done.stdout)
    return json.loads(done.stdout)


def spoilt(folder, document):
    (folder / "spoilt.json").write_text(json.dumps(document))
    return folder / "spoilt.json"


@pytest.mark.parametrize("name", COMMANDS)
def test_an_answer_with_its_request_is_replayed_and_verified_and_a_changed_one_is_not(tmp_path, name):
    document = printed(tmp_path, *COMMANDS[name])
    assert planvow(tmp_path, "replay", "printed.json").stdout == "printed.json: same bytes\n"
    done = planvow(tmp_path, "verify", "printed.json", "--replan")
    assert done.returncode == 0
    assert "re-asked     re-executed accepted" in done.stdout
    if name == "goal":
        document["actions"][0]["args"]["path"] = "/elsewhere/notes"
    else:
        document["plan"]["steps"][0]["params"] = {"message": "Say goodbye"}
    file = spoilt(tmp_path, document)
    replayed = planvow(tmp_path, "replay", file)
    assert replayed.returncode == 1
    assert "first difference at $.steps[0].params" in replayed.stderr
    assert planvow(tmp_path, "verify", file, "--replan").returncode == 1


def test_a_request_and_its_plan_that_were_changed_together_are_not_what_was_recorded(tmp_path):
    document = printed(tmp_path, *COMMANDS["ask"])
    file = spoilt(tmp_path, json.loads(json.dumps(document).replace("Say hello", "Say goodbye")))
    replayed = planvow(tmp_path, "replay", file)
    assert replayed.returncode == 1
    assert "first difference at $.metadata.input_hash" in replayed.stderr


def test_what_a_goal_was_planned_with_is_in_its_answer(tmp_path):
    (tmp_path / "tools.json").write_text(json.dumps([{"name": "hands", "can_achieve": ["app_launch"], "effects": []}]))
    (tmp_path / "mine.toml").write_text('[action_aliases]\nzap = "delete"\n')
    (tmp_path / "goal.json").write_text(json.dumps({"goal_type": "app_launch", "target": "notepad"}))
    (tmp_path / "world.json").write_text(json.dumps({"running_apps": ["chrome"]}))
    words = ("goal", "--file", "goal.json", "--capabilities", "tools.json", "--config", "mine.toml", "--world",
             "world.json")  # fmt: skip
    document = printed(tmp_path, *words)
    assert document["actions"][0]["tool"] == "hands"
    assert planvow(tmp_path, "replay", "printed.json").returncode == 0
    document["request"]["extra"]["capabilities"][0]["name"] = "feet"
    assert planvow(tmp_path, "replay", spoilt(tmp_path, document)).returncode == 1


def test_a_plan_of_a_module_is_replayed_with_the_code_that_is_named(tmp_path):
    document = printed(tmp_path, "plan", TEA)
    without = planvow(tmp_path, "replay", "printed.json")
    assert without.returncode == 2
    assert "does not carry the code" in without.stderr
    assert planvow(tmp_path, "replay", "printed.json", "--domain", f"{TEA}:problem").returncode == 0
    done = planvow(tmp_path, "verify", "printed.json", "--domain", f"{TEA}:problem")
    assert done.returncode == 0
    assert "level        re-executed" in done.stdout
    document["plan"][0][-1] = "cellar"
    file = spoilt(tmp_path, document)
    assert "$.plan[0][2]" in planvow(tmp_path, "replay", file, "--domain", TEA).stderr
    assert planvow(tmp_path, "verify", file, "--domain", TEA).returncode == 1


def test_a_plan_in_hddl_is_verified_as_it_was_printed(tmp_path):
    files = [EXAMPLES / "hddl/tea-domain.hddl", EXAMPLES / "hddl/tea-problem.hddl"]
    document = printed(tmp_path, "plan", *files)
    assert planvow(tmp_path, "verify", *files, "printed.json").returncode == 0
    lines = document["plan"].splitlines()
    document["plan"] = "\n".join(line for line in lines if not line.startswith("0 "))
    assert planvow(tmp_path, "verify", *files, spoilt(tmp_path, document)).returncode != 0


@pytest.mark.parametrize("name", ["goal", "world", "capabilities", "agenda", "goal_answer"])
def test_the_schemas_of_goals_are_printed(tmp_path, name):
    done = planvow(tmp_path, "schema", name)
    assert done.returncode == 0
    Draft202012Validator.check_schema(json.loads(done.stdout))
    assert name in planvow(tmp_path, "schema").stdout.split()


def test_schemas_take_what_the_readers_take_and_refuse_what_they_refuse(tmp_path):
    goal = {"goal_type": "app_launch", "target": "notepad"}
    for good in (goal, [goal, goal], {"goals": [goal, {**goal, "target": "x"}], "dependencies": {"1": [0]}}):
        assert fits("goal", good)
        meta_goal_from_data(good)
    for bad in ({"goal_type": "dance"}, {**goal, "colour": "red"}, {"goals": goal}, []):
        assert not fits("goal", bad)
    world = {"running_apps": ["a"], "recent_facts": [{"subject": "s", "predicate": "p", "value": 1}]}
    assert fits("world", world)
    world_from_data(world)
    assert not fits("world", {**world, "weather": "rain"})
    assert fits("capabilities", [{"name": "x", "can_achieve": ["app_launch"], "requires": [], "effects": []}])
    assert not fits("capabilities", [{"can_achieve": []}])
    assert fits("goal_answer", printed(tmp_path, "goal", "create a folder called notes"))
    doubt = planvow(tmp_path, "goal", "do the thing", "--json")
    assert fits("goal_answer", json.loads(doubt.stdout))
    agenda = [{"task": "serve_tea", "arguments": {"who": "ann"}}]
    assert fits("agenda", agenda)
    assert not fits("agenda", [{"task": "serve_tea"}])


def test_an_agenda_that_fits_is_read(tmp_path):
    sys.path.insert(0, str(EXAMPLES))
    try:
        from bring_lamp import domain
    finally:
        sys.path.remove(str(EXAMPLES))
    agenda = [{"task": "bring", "arguments": {"thing": "lamp", "who": "ann"}}]
    assert fits("agenda", agenda)
    assert read_agenda(domain, agenda) == [("bring", "lamp", "ann")]
