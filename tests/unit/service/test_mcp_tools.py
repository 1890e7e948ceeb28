"""The list of tools that stands in every prompt of an agent: short, flat, and with schemas."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("mcp_types")

from command_line import planvow
from planvow.adapters.mcp.installing import CLIENTS
from planvow.adapters.mcp.prompts import INSTRUCTIONS, PROMPTS, filled
from planvow.adapters.mcp.tools import offered, tool_of
from planvow.service.declare.operation import Right

MOST_TOOLS, MOST_TOKENS, CHARACTERS_PER_TOKEN = 12, 3_000, 4
FLAT = {"string", "integer", "number", "boolean", "array", "object", None}


def listed(*, posting=False):
    tools = [tool_of(operation) for operation in offered(posting=posting).values()]
    return [tool.model_dump(by_alias=True, exclude_none=True, mode="json") for tool in tools]


def test_the_list_is_short_enough_for_every_prompt():
    """Tokens are counted as a quarter of the characters of the JSON that a client receives, output schemas included."""
    tools = listed()
    assert len(tools) <= MOST_TOOLS
    assert len(json.dumps(tools, separators=(",", ":"))) / CHARACTERS_PER_TOKEN < MOST_TOKENS


@pytest.mark.parametrize("tool", listed(posting=True), ids=lambda tool: tool["name"])
def test_a_tool_has_flat_parameters_and_a_schema_of_its_answer(tool):
    assert tool["description"]
    assert tool["outputSchema"]["type"] == "object"
    for part in tool["inputSchema"]["properties"].values():
        assert part.get("type") in FLAT
        assert "$ref" not in part


def test_only_whoever_may_post_sees_tools_that_write():
    assert {tool["name"] for tool in listed(posting=True)} - {tool["name"] for tool in listed()} == {
        "post_plan",
        "ask_approval",
    }
    assert all(operation.right in (Right.READ, Right.PLAN) for operation in offered(posting=False).values())
    assert all(tool["annotations"]["readOnlyHint"] for tool in listed())


def test_a_person_answers_and_not_the_model():
    (asking,) = [tool for tool in listed(posting=True) if tool["name"] == "ask_approval"]
    assert "answer" not in asking["inputSchema"]["properties"]


def test_instructions_and_prompts_name_only_tools_there_are():
    names = set(offered(posting=True))
    for name, prompt in PROMPTS.items():
        text = filled(name, dict.fromkeys(prompt.arguments, "X")).messages[0].content.text
        assert "{" not in text
        assert any(tool in text for tool in names)
    for word in ("list_planners", "make_plan", "replan", "verify", "explain"):
        assert word in INSTRUCTIONS
        assert word in names


@pytest.mark.parametrize("client", CLIENTS)
def test_a_client_is_told_the_whole_command(client):
    _, text = CLIENTS[client]
    written = text(["/usr/bin/python3", "-m", "planvow", "mcp", "--domain", "my travel.py"])
    assert "my travel.py" in written
    assert "planvow" in written


def test_a_client_is_told_where_the_domain_lies_whatever_folder_it_starts_servers_in(tmp_path):
    (tmp_path / "mine.py").write_text("", encoding="utf-8")
    told = planvow(tmp_path, "mcp", "install", "codex", "--domain", "mine.py:poor").stdout
    assert json.dumps(f"{(tmp_path / 'mine.py').resolve()}:poor") in told
