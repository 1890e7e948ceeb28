"""An agent plans with any planner that keeps the contract, and goes on, explains and repairs from the ledger."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from planvow import Agent, State
from planvow.adapters.databases.opening import open_ledger
from planvow.agent import tool
from planvow.agent.errors import DomainChangedError
from planvow.cassette.proof.verify import verify_ledger
from planvow.contract import PlannerOutput, keeps_contract
from planvow.contract.errors import UnknownPlannerError
from planvow.contract.planners.registry import default_registry
from planvow.errors import InputError

SHOP = Path(__file__).resolve().parents[3] / "examples" / "tools"
GOAL = json.dumps({"wants": ["tracking_url"], "given": {"email": "ann@example.org", "address": "1 Elm Street"}})
INPUTS = {
    "tools": json.loads((SHOP / "shop.json").read_text()),
    "review": tomllib.loads((SHOP / "shop.toml").read_text())["tool"],
}
GIVES = ("customer_id", "item_id", "order_id", "receipt_id", "parcel_id", "tracking_url")


class Shop:
    """All twelve tools: each notes its call and gives every kind of id, in its own name."""

    def __init__(self, broken: str = "") -> None:
        self.calls: list[tuple[str, dict]] = []
        self._broken = broken

    def tools(self) -> dict:
        return {entry["name"]: self._tool(entry["name"]) for entry in INPUTS["tools"]["tools"]}

    def _tool(self, name: str):
        def call(**arguments):
            self.calls.append((name, arguments))
            if name == self._broken:
                raise RuntimeError("out of order")
            return {kind: f"{kind}-of-{name}" for kind in GIVES}

        return call


def test_a_planner_of_the_registry_plans_and_outputs_flow_between_its_steps(tmp_path):
    shop = Shop()
    agent = Agent("tools", tools=shop.tools(), ledger=str(tmp_path / "a.db"))
    run = agent.run(GOAL, **INPUTS)
    assert run.success, run
    made = dict(shop.calls)
    assert made["create_order"] == {"customer_id": "customer_id-of-find_customer"}
    assert made["ship_order"]["order_id"] == "order_id-of-create_order"
    number = next(step.number for step in run.steps if step.command[0] == "create_order")
    why = agent.why(run.id, number)
    assert f"says the planner tools {default_registry().create('tools').version}" in why
    assert "Its customer_id takes {{" in why
    assert agent.diff(run, run).reason is None
    with open_ledger(str(tmp_path / "a.db")) as store:
        assert verify_ledger(store).accepted


def test_who_approves_a_call_sees_the_values_it_will_be_made_with(tmp_path):
    shop, told = Shop().tools(), []
    shop["ship_order"] = tool(shop["ship_order"], needs_approval="it leaves the house")
    agent = Agent("tools", tools=shop, ledger=str(tmp_path / "a.db"), on_event=told.append)
    run = agent.run(GOAL, **INPUTS)
    assert "ship_order waits for an approval" in run.reason
    shown = next(step for step in run.steps if step.command[0] == "ship_order")
    assert str(shown).endswith("ship_order(order_id-of-create_order): waiting")
    assert run.steps[-1].command == ("track_parcel", "{{s8.parcel_id}}")  # not known yet
    started = [event.command for event in told if event.kind == "started"]
    assert ("create_order", "customer_id-of-find_customer") in started


def test_what_failed_is_planned_again_without_it_and_nothing_done_is_called_twice(tmp_path):
    shop = Shop(broken="pay_by_card")
    agent = Agent("tools", tools=shop.tools(), ledger=str(tmp_path / "a.db"))
    run = agent.run(GOAL, **INPUTS)
    assert run.success, run
    names = [name for name, _ in shop.calls]
    assert len(names) == len(set(names))
    assert run.plans == 2
    assert names[-1] == "track_parcel"
    later = dict(shop.calls[names.index("pay_by_card") + 1 :])
    assert later["ship_order"]["order_id"] == "order_id-of-create_order"  # what was done is used, not done again
    assert "because step" in agent.why(run.id)


def test_where_the_planner_knows_no_other_way_the_run_ends_with_its_reason(tmp_path):
    agent = Agent("tools", tools=Shop(broken="create_order").tools(), ledger=str(tmp_path / "a.db"))
    run = agent.run(GOAL, **INPUTS)
    assert run.status in ("no_plan", "no_capability", "blocked")
    assert "out of order" in run.reason
    assert "The planner answered" in agent.why(run.id)


def test_a_skill_without_a_tool_is_said_before_anything_runs(tmp_path):
    shop = Shop()
    tools = shop.tools()
    del tools["ship_order"]
    run = Agent("tools", tools=tools, ledger=str(tmp_path / "a.db")).run(GOAL, **INPUTS)
    assert (run.status, shop.calls) == ("no_capability", [])
    assert "ship_order" in run.reason


class Errands:
    """A planner of somebody's own, as an object."""

    planner_id = "errands"

    def __init__(self, version: str = "1.0.0") -> None:
        self.version = version
        self.asked = 0

    def get_determinism_mode(self) -> str:
        return "full"

    @keeps_contract
    def plan(self, inputs):
        self.asked += 1
        first = {"step_id": "look", "skill": "look", "params": {"where": inputs.goal}, "on_error": "continue"}
        second = {"step_id": "fetch", "skill": "fetch", "params": {"what": "{{look.found}}"}, "depends_on": ["look"]}
        return PlannerOutput(plan={"steps": [first, second]}, deterministic=True)


def test_a_planner_object_is_asked_once_and_its_run_is_resumed_from_the_ledger(tmp_path):
    planner, done = Errands(), []
    unsure = tool(lambda what: done.append(what), name="fetch", needs_approval="it costs")
    tools = {"look": lambda where: {"found": f"lamp in {where}"}, "fetch": unsure}
    agent = Agent(planner, tools=tools, ledger=str(tmp_path / "a.db"))
    run = agent.run("the hall")
    assert (run.status, done) == ("blocked", [])
    later = Errands()
    other = Agent(later, tools=tools, ledger=str(tmp_path / "a.db"))
    other.approve(run.id, by="ann")
    run = other.resume(run.id)
    assert (run.status, done) == ("solved", ["lamp in the hall"])
    assert (planner.asked, later.asked) == (1, 0)


def test_another_version_of_the_planner_is_noticed_and_the_rest_planned_anew_if_wanted(tmp_path):
    done = []
    asks = tool(lambda what: done.append(what), name="fetch", needs_approval=True)
    tools = {"look": lambda where: {"found": "lamp"}, "fetch": asks}
    place = str(tmp_path / "a.db")
    run = Agent(Errands(), tools=tools, ledger=place).run("the hall")
    newer = Agent(Errands("1.1.0"), tools={**tools, "fetch": lambda what: done.append(what)}, ledger=place)
    with pytest.raises(DomainChangedError, match=r"errands 1\.0\.0"):
        newer.resume(run.id)
    run = newer.resume(run.id, changed="replan")
    assert (run.status, done) == ("solved", ["lamp"])


def test_what_is_neither_a_domain_nor_a_planner_is_refused():
    with pytest.raises(UnknownPlannerError):
        Agent("goals", tools={})
    with pytest.raises(InputError, match="a domain or a planner"):
        Agent(State(), tools={})
    with pytest.raises(InputError, match="the goal is text"):
        Agent("goal", tools={}).run([("bring", "lamp")])


MODULE = """
import os, signal
from pathlib import Path
planner = "goal"
goal = "open youtube and search nvidia"

def launch(args, expected_effect):
    if not Path("killed").exists():
        Path("killed").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return args["url"]

tools = {"system.apps.launch.shell": launch}
"""


def test_from_the_command_line_a_killed_run_is_resumed_by_another_process_and_explained_by_a_third(tmp_path):
    (tmp_path / "watch.py").write_text(MODULE)

    def planvow(*words: str) -> subprocess.CompletedProcess:
        command = [sys.executable, "-m", "planvow", "agent", *words]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=dict(os.environ), check=False)

    assert planvow("run", "watch.py", "--run-id", "r").returncode == -9
    assert "did system.apps.launch.shell happen?" in planvow("resume", "watch.py", "r").stdout
    assert planvow("settle", "r", "1", "--did-not-happen", "--by", "ann").returncode == 0
    done = planvow("resume", "watch.py", "r")
    assert (done.returncode, "solved" in done.stdout) == (0, True)
    assert "says the planner goal" in planvow("why", "r", "1").stdout
