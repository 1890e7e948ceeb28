"""One manifest from every shape, nothing lost on the way in and out, and faults with their place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planvow.canonical import canonical_bytes
from planvow.contract import StubPlanner
from planvow.contract.plan.manifest import read_manifest
from planvow.errors import InputError, PlanvowError
from planvow.tools import read_tools, to_anthropic, to_mcp, to_openai, to_skills, tools_data, tools_hash
from planvow.tools.export import EXPORTS
from planvow.tools.schemas import LOST

ADDRESS = {
    "type": "object",
    "properties": {"to": {"$ref": "#/$defs/Address"}, "note": {"type": "string", "minLength": 1}},
    "required": ["to"],
    "$defs": {"Address": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}},
}
MCP = {
    "tools": [
        {
            "name": "send_parcel",
            "description": "Send a parcel.",
            "inputSchema": ADDRESS,
            "outputSchema": {"type": "object", "properties": {"parcel_id": {"type": "string"}}},
            "annotations": {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": True},
        }
    ]
}
OPENAI = [
    {"type": "function", "function": {"name": "send_parcel", "description": "Send a parcel.", "parameters": ADDRESS}}
]
FLAT = [{"type": "function", "name": "send_parcel", "description": "Send a parcel.", "parameters": ADDRESS}]
ANTHROPIC = [{"name": "send_parcel", "description": "Send a parcel.", "input_schema": ADDRESS}]
SKILLS = [{"skill_id": "send_parcel", "description": "Send a parcel.", "input_schema": ADDRESS, "side_effects": True}]


@pytest.mark.parametrize("data", [MCP, MCP["tools"], OPENAI, FLAT, ANTHROPIC, SKILLS])
def test_every_shape_gives_the_same_name_words_and_schema(data):
    (tool,) = read_tools(data)
    assert (tool.name, tool.description) == ("send_parcel", "Send a parcel.")
    assert tool.required == ("to",)
    assert tool.input_schema["$defs"] == ADDRESS["$defs"]


@pytest.mark.parametrize("data", [MCP, MCP["tools"], OPENAI, FLAT, ANTHROPIC, {"openapi": "3.1.0", "paths": {}}])
def test_a_planner_that_is_given_the_list_of_others_says_how_it_becomes_a_manifest(data):
    refused = StubPlanner().plan("a", "say tea", tool_manifest=data)
    assert refused.code == "PLANNER_INVALID_INPUT"
    assert "planvow tools export FILE --as skills" in refused.details["hint"]


def test_a_field_of_a_manifest_that_is_nearly_spelled_is_named():
    refused = StubPlanner().plan("a", "say tea", tool_manifest=[{"skill_id": "x", "input_shema": {}}])
    assert "'input_schema'" in refused.details["hint"]


def test_a_planner_takes_schemas_that_share_definitions():
    done = StubPlanner().plan("a", "say tea", tool_manifest=[*SKILLS, {"skill_id": "echo"}])
    assert [step["skill"] for step in done.plan["steps"]] == ["echo"]


def test_hints_of_a_server_are_kept_and_others_are_not_invented():
    (tool,) = read_tools(MCP)
    assert (tool.read_only, tool.destructive, tool.idempotent) == (False, False, True)
    assert tool.output_schema["properties"] == {"parcel_id": {"type": "string"}}
    (bare,) = read_tools(OPENAI)
    assert (bare.read_only, bare.destructive, bare.idempotent, bare.proposed) == (None, None, None, ())


@pytest.mark.parametrize("name", EXPORTS)
def test_what_is_written_for_others_is_read_back(name):
    tools = read_tools(MCP)
    (again,) = read_tools(EXPORTS[name](tools))
    assert (again.name, again.description, again.input_schema) == (
        tools[0].name,
        tools[0].description,
        tools[0].input_schema,
    )


def test_writing_for_a_server_loses_nothing_it_can_say():
    tools = read_tools(MCP)
    assert read_tools(to_mcp(tools)) == tools
    assert read_tools(tools_data(tools)) == tools
    assert read_manifest(to_skills(tools))["send_parcel"].side_effects is True
    assert to_openai(tools)[0]["function"]["parameters"] == to_anthropic(tools)[0]["input_schema"]


def test_the_hash_names_the_tools_and_not_the_order_of_the_list():
    more = [*MCP["tools"], {"name": "a", "inputSchema": {"type": "object"}}]
    assert tools_hash(read_tools(more)) == tools_hash(read_tools(more[::-1]))
    changed = [{**MCP["tools"][0], "description": "Send two parcels."}]
    assert tools_hash(read_tools(changed)) != tools_hash(read_tools(MCP))


def test_words_of_a_schema_that_are_not_checked_are_listed_and_loosen_nothing_else():
    schema = {"type": "object", "properties": {"n": {"type": "integer", "multipleOf": 3, "minimum": 1}}}
    (tool,) = read_tools([{"name": "x", "inputSchema": schema}])
    assert tool.input_schema["properties"]["n"] == {"type": "integer", "minimum": 1, "$comment": f"{LOST} multipleOf"}


def test_a_function_of_openai_without_parameters_takes_none():
    for data in ([{"type": "function", "name": "ping"}], [{"type": "function", "function": {"name": "ping"}}]):
        (tool,) = read_tools(data)
        assert (tool.name, tool.parameters) == ("ping", {})


def test_a_list_of_capabilities_may_begin_with_one_that_achieves_nothing_itself():
    tools = read_tools([{"name": "a", "effects": ["session.open"]}, {"name": "b", "can_achieve": ["system_query"]}])
    assert [tool.effects for tool in tools] == [("session.open",), ("system_query",)]


@pytest.mark.parametrize(
    ("data", "place", "words"),
    [
        ([{"name": "x", "inputSchema": "y"}], "tools[0].inputSchema", "JSON Schema"),
        ([{"name": 5, "inputSchema": {}}], "tools[0].name", "text"),
        ([{"name": "", "inputSchema": {}}], "tools[0].name", "not empty"),
        ([{"name": "x", "inputSchema": {}}, 5], "tools[1]", "object"),
        ([{"type": "web_search", "parameters": {}}], "tools[0].type", "only functions"),
        ([{"name": "x", "inputSchema": {"$ref": "https://example.org/s.json"}}], "tools[0].inputSchema", "leads out"),
        ([{"name": "x", "inputSchema": {}}, {"name": "x", "inputSchema": {}}], "x", "two tools"),
        ({"format": "planvow-tools/1", "tools": [{"name": "x", "requries": []}]}, "tools.tools[0]", "requries"),
        ({"format": "planvow-tools/1", "tools": [{"name": "x", "effects": ["a b"]}]}, "tools.tools[0]", "no statement"),
        ({"format": "planvow-tools/1", "tools": [{"name": "x", "cost": -1}]}, "tools.tools[0].cost", "cost"),
        ({"swagger": "2.0", "paths": {}}, "tools", "OpenAPI 3 first"),
        ("hello", "tools", "known shape"),
        ([{"name": "ping"}], "tools[0]", "the tool 'ping' lacks inputSchema"),
        ([{"name": "ping"}, {"name": "x", "inputSchema": {}}], "tools[0]", "the tool 'ping' lacks inputSchema"),
        ([{"name": "x", "inputSchema": {}}, {"name": "ping"}], "tools[1]", "the tool 'ping' lacks inputSchema"),
        ([{"name": "ping"}, {"name": "x", "input_schema": {}}], "tools[0]", "the tool 'ping' lacks input_schema"),
    ],
)
def test_a_fault_is_told_with_its_place(data, place, words):
    with pytest.raises(InputError) as caught:
        read_tools(data)
    assert words in f"{caught.value.message} {caught.value.hint}"
    assert caught.value.place.startswith(place)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(["name", "inputSchema", "input_schema", "type", "function", "parameters", "tools", "openapi",
                         "paths", "properties", "required", "format", "$ref", "$defs", "skill_id", "can_achieve"])
        | st.text(max_size=4),
        inner,
        max_size=4,
    ),
    max_leaves=14,
)  # fmt: skip


@given(JSON)
def test_whatever_is_read_is_a_manifest_or_an_error_of_ours(data):
    try:
        tools = read_tools(data)
    except PlanvowError:
        return
    canonical_bytes(tools_data(tools))


@pytest.mark.long
@given(
    st.fixed_dictionaries({"name": st.text(max_size=5), "inputSchema": JSON, "outputSchema": JSON, "annotations": JSON})
)
def test_whatever_stands_in_an_entry_is_read_or_told(entry):
    try:
        read_tools([entry])
    except PlanvowError as error:
        told = error.place
    else:
        told = "read"
    assert told
