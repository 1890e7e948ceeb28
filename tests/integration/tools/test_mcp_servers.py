"""MCP servers for real: processes of their own, reached through the SDK over both transports by workers and agents."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest

import planvow as pv
from command_line import planvow, planvow_process
from planvow.agent import import_mcp, import_tools
from planvow.agent.errors import CommandNotAllowedError, DomainChangedError, ToolServerError
from planvow.cassette import SqliteStore
from planvow.contract.errors import SkillFailedError
from planvow.errors import InputError, MissingExtraError
from planvow.tools import of_mcp
from tool_servers import ROOT, SHOP_COMMAND, SHOP_REVIEW, shop_over_http, small_server

WANTED = ("--want", "tracking_url", "--given", "email=ann@example.org", "--given", "address=1 Elm Street")
ORDER = ["find_customer", "list_items", "sign_in", "create_order", "add_item", "set_address", "pay_by_card",
         "ship_order", "track_parcel"]  # fmt: skip


def bodies(folder, job_id):
    with SqliteStore(folder / ".planvow/cassette.db") as store:
        return [dict(receipt.body) for receipt in store.receipts(job_id)]


def test_no_command_is_started_without_leave(tmp_path):
    trace = tmp_path / "started"
    command = shlex.join([sys.executable, "-c", f"open({str(trace)!r}, 'w')"])
    done = planvow(tmp_path, "tools", "import", "--command", command)
    assert done.returncode == 1
    assert "COMMAND_NOT_ALLOWED" in done.stderr
    with pytest.raises(CommandNotAllowedError):
        import_mcp([sys.executable, "-c", f"open({str(trace)!r}, 'w')"])
    with pytest.raises(CommandNotAllowedError):
        of_mcp([sys.executable, "-c", f"open({str(trace)!r}, 'w')"])
    assert not trace.exists()


def test_a_worker_starts_no_command_without_leave(tmp_path):
    (tmp_path / "list.json").write_text(json.dumps({"tools": [{"name": "note", "inputSchema": {"type": "object"}}]}))
    assert planvow(tmp_path, "tools", "import", "list.json").returncode == 0
    manifest = json.loads((tmp_path / "tools.json").read_text())
    manifest["tools"][0]["origin"] = {"kind": "mcp", "server": "server"}
    (tmp_path / "tools.json").write_text(json.dumps(manifest))
    review = tmp_path / "tools.toml"
    lines = [line for line in review.read_text().splitlines() if not line.startswith("manifest_hash")]
    review.write_text("\n".join(lines) + f"\n[server.server]\ncommand = {json.dumps(['touch', 'started'])}\n")
    with pytest.raises(CommandNotAllowedError, match="touch started was not started"):
        import_tools(review)
    assert not (tmp_path / "started").exists()


def test_without_the_extra_the_error_names_it(tmp_path):
    with mock.patch.dict(sys.modules, {"mcp": None}), pytest.raises(MissingExtraError) as missing:
        import_mcp("http://127.0.0.1:9/mcp")
    assert missing.value.hint == "pip install 'planvow[mcp]'"


@pytest.mark.slow
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_twelve_tools_from_a_server_to_receipts_and_a_second_request(tmp_path, transport):
    if transport == "stdio":
        _twelve_tools(tmp_path, "--command", shlex.join(SHOP_COMMAND), "--allow-command")
    else:
        with shop_over_http() as address:
            _twelve_tools(tmp_path, address)


def _twelve_tools(folder, *source):
    done = planvow_process(folder, "tools", "import", *source, "--reviewed-in", SHOP_REVIEW)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("12 tools from an MCP server")
    done = planvow_process(folder, "tools", "plan", *WANTED, "--tools", "tools.toml", "--post", "--json")
    answer = json.loads(done.stdout)
    assert [step["skill"] for step in answer["plan"]["steps"]] == ORDER
    assert answer["metadata"]["proof"] == "proved_minimal"
    done = planvow_process(folder, "cassette", "work", "--tools", "tools.toml", "--allow-command", "--json")
    assert json.loads(done.stdout)["committed"] == 9, done.stderr
    last = bodies(folder, answer["job_id"])[-1]
    assert last["output"] == {"tracking_url": "https://carrier.example.org/p-o-c-ann-1"}
    again = planvow_process(folder, "tools", "plan", "--tools", "tools.toml", "order.{order_id}.status=cancelled",
                            "--remember", "3600", "--json")  # fmt: skip
    [step] = json.loads(again.stdout)["plan"]["steps"]
    assert (step["skill"], step["params"]) == ("cancel_order", {"order_id": "o-c-ann-1"})
    assert 'remembered order_id = "o-c-ann-1"' in again.stderr
    assert "from create_order" in again.stderr


@pytest.mark.slow
def test_the_tutorial_runs_as_it_is_written(tmp_path):
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    page = (ROOT / "docs/tutorial/twelve-tools.md").read_text()
    commands = [line for block in re.findall(r"^```sh\n(.*?)^```", page, re.M | re.S) for line in block.splitlines()]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    said = []
    for command in commands:
        done = subprocess.run(
            command, shell=True, cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        said.append(done.stdout)
    assert len(commands) == 4
    assert said[2] == "9 committed, 0 failed\n"
    assert said[3].startswith('s1   cancel_order {"order_id":"o-c-ann-1"}')


@pytest.mark.slow
def test_the_list_a_server_gives_is_the_list_that_planvow_writes_for_one():
    found = of_mcp(SHOP_COMMAND, allow_command=True)
    from planvow.tools import read_tools, to_mcp, to_openai

    again = read_tools({"tools": to_mcp(found)})
    assert [tool.as_dict() for tool in again] == [
        {name: value for name, value in tool.as_dict().items() if name != "origin"} for tool in found
    ]
    assert {entry["function"]["name"] for entry in to_openai(found)} == {tool.name for tool in found}


def test_planners_and_domains_go_out_as_the_tools_of_a_model_without_the_protocol(tmp_path):
    own = shlex.join([sys.executable, "-m", "planvow", "mcp", "--domain", str(ROOT / "examples/robot_tea.py")])
    done = planvow(tmp_path, "tools", "import", "--command", own, "--allow-command")
    assert done.returncode == 0, done.stderr
    done = planvow(tmp_path, "tools", "export", "tools.json", "--as", "openai")
    offered = {entry["function"]["name"]: entry["function"]["parameters"] for entry in json.loads(done.stdout)}
    assert {"planner", "domain", "goal", "facts"} <= set(offered["make_plan"]["properties"])
    assert {"wish", "conditions", "tools"} <= set(offered["plan_goal"]["properties"])


@pytest.fixture
def noting(tmp_path):
    """A small server that a test has written, imported and reviewed, with a secret in its environment."""
    command = small_server(tmp_path / "notes.py")
    done = planvow(tmp_path, "tools", "import", "--command", shlex.join(command), "--allow-command")
    assert done.returncode == 0, done.stderr
    review = tmp_path / "tools.toml"
    text = review.read_text().replace("confirmed = false", "confirmed = true")
    text = text.replace('[tool."note"]', '[tool."note"]\neffects = ["noted.{text}"]')
    text = text.replace('[tool."rest"]', '[tool."rest"]\neffects = ["rested"]')
    secret = 'environment = { NOTE_TOKEN = "{secret.NOTE}" }'
    review.write_text(text.replace("timeout_seconds = 60", f"timeout_seconds = 3\n{secret}"))
    return tmp_path


def run_noting(folder, *wanted):
    done = planvow(folder, "tools", "plan", *wanted, "--tools", "tools.toml", "--post", "--json")
    assert done.returncode == 0, done.stderr
    job_id = json.loads(done.stdout)["job_id"]
    planvow(folder, "cassette", "work", "--tools", "tools.toml", "--allow-command", PLANVOW_SECRET_NOTE="s3cret")
    return bodies(folder, job_id)[-1]


@pytest.mark.slow
def test_a_posted_plan_is_told_with_the_command_that_runs_it(noting):
    done = planvow(noting, "tools", "plan", "noted.hi", "--given", "text=hi", "--tools", "tools.toml", "--post")
    assert done.stdout.endswith("planvow cassette work --tools tools.toml --allow-command runs it\n")


@pytest.mark.slow
def test_secrets_reach_the_server_and_not_the_ledger_slow_calls_end_and_changed_tools_are_not_called(noting):
    said = run_noting(noting, "noted.hello", "--given", "text=hello")
    assert said["output"] == {"said": "hello {{secret.NOTE}}"}
    assert b"s3cret" not in (noting / ".planvow/cassette.db").read_bytes()
    assert run_noting(noting, "rested", "--given", "seconds=30")["error"]["code"] == "TIMEOUT"
    small_server(noting / "notes.py", "text: str, copy_to: str = ''")
    assert run_noting(noting, "noted.again", "--given", "text=again")["error"]["code"] == "TOOLS_CHANGED"
    assert (noting / "notes.log").read_text() == "hello\n"


def shop_domain():
    domain = pv.Domain("shop")

    @domain.command
    def sign_in(state):
        state.open["session"] = True
        return state

    @domain.command
    def create_order(state, customer_id):
        if not state.open["session"]:
            return None
        state.ordered[customer_id] = True
        return state

    @domain.method(task="order")
    def order(state, customer):
        return [("sign_in",), ("create_order", customer)]

    return domain


@pytest.mark.slow
def test_an_agent_runs_the_tools_of_a_server_and_goes_on_only_with_the_same_ones(tmp_path):
    tools = import_mcp(SHOP_COMMAND, allow_command=True)
    ledger = str(tmp_path / "agent.db")
    agent = pv.Agent(shop_domain(), tools=tools, ledger=ledger)
    state = pv.State(open={"session": False}, ordered={})
    run = agent.run([("order", "ann")], state, run_id="first")
    assert run.status == "solved", run.reason
    assert run.steps[-1].output == {"order_id": "o-ann-1"}
    held = agent.run([("order", "bob")], state, run_id="second", deadline=0)
    assert held.status == "interrupted"
    other = import_mcp(SHOP_COMMAND, allow_command=True, timeout_seconds=7)
    with pytest.raises(DomainChangedError, match="imported tools are not those it was planned with: create_order"):
        pv.Agent(shop_domain(), tools=other, ledger=ledger).resume("first", observed={"open": {"session": True}})
    with pytest.raises(InputError, match="no tool 'sing_in'"):
        import_mcp(SHOP_COMMAND, allow_command=True, only=["sing_in"])
    with pytest.raises(SkillFailedError, match="nobody has signed in"):
        call_first(other["create_order"], customer_id="eve")


def call_first(tool, **arguments):
    from planvow.agent import Call

    return tool.run(Call(run_id="r", command=(tool.name,), arguments=arguments, idempotency_key="k", attempt=1))


def test_a_server_that_cannot_be_reached_or_started_says_why(tmp_path):
    with pytest.raises(ToolServerError, match="No such file"):
        import_mcp(["./no-such-program"], allow_command=True)


@pytest.mark.parametrize(
    ("variables", "code"),
    [
        ({}, "the secret 'TOKEN' is not set"),
        ({"PLANVOW_SECRET_TOKEN": "x"}, "TOOL_SERVER"),
        ({"TOKEN": "x"}, "TOOL_SERVER"),
    ],
)
def test_an_import_finds_a_secret_where_workers_will_look_for_it(tmp_path, variables, code):
    words = ("tools", "import", "http://127.0.0.1:9/mcp", "--header", "Authorization=Bearer {secret.TOKEN}")
    done = planvow(tmp_path, *words, **variables)  # nobody listens there: that is said once the secret is known
    assert code in done.stderr
