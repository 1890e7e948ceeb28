"""Proposals count when a person has confirmed them, and not before; mistakes are found."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from planvow.errors import InputError
from planvow.tools import ToolEntry, check_tools, propose, read_review, reviewed, write_review
from planvow.tools.check import unreachable
from planvow.tools.review import confirmed_only, read_whole_review
from planvow.tools.servers import Server

SEARCH = ToolEntry(
    name="search_orders",
    input_schema={"type": "object", "properties": {"customer": {"type": "string"}}, "required": ["customer"]},
    output_schema={"type": "object", "properties": {"order_id": {"type": "string"}}},
)
CANCEL = ToolEntry(
    name="cancel_order",
    input_schema={"type": "object", "properties": {"orderId": {"type": "string"}}, "required": ["orderId"]},
)
TOOLS = propose([SEARCH, CANCEL])


def test_names_in_any_spelling_meet_and_verbs_say_what_changes():
    search, cancel = TOOLS
    assert (search.produces, search.read_only) == ({"order_id": "order_id"}, True)
    assert search.effects == ()
    assert (cancel.takes, cancel.destructive) == ({"orderId": "order_id"}, True)
    assert cancel.effects == ("!order.{orderId}.exists",)
    assert cancel.proposed == ("destructive", "effects", "takes")


def ends_a_pet(parameter):
    schema = {"type": "object", "properties": {parameter: {"type": "integer"}}, "required": [parameter]}
    return ToolEntry(name="delete_pet", input_schema=schema)


def test_what_is_proposed_of_a_parameter_with_a_hyphen_can_be_read():
    [proposed] = propose([ends_a_pet("pet-id")])
    assert proposed.effects == ("!pet.{pet-id}.exists",)
    assert reviewed([ends_a_pet("pet-id")], read_review(write_review([proposed]))) == (proposed,)


def test_nothing_is_proposed_that_no_statement_can_say():
    [proposed] = propose([ends_a_pet("pet id")])
    assert proposed.effects == ("!pet.exists",)


def test_what_a_tool_says_of_itself_is_not_proposed_over():
    own = ToolEntry(name="cancel_order", effects=("order.cancelled",), destructive=False)
    (after,) = propose([own])
    assert (after.effects, after.destructive) == (("order.cancelled",), False)


def test_a_review_that_was_not_touched_changes_nothing():
    assert reviewed(TOOLS, read_review(write_review(TOOLS))) == TOOLS


def test_confirming_makes_a_proposal_somebodys_word_and_striking_out_removes_it():
    text = write_review(TOOLS)
    said = read_review(text.replace("confirmed = false", "confirmed = true").replace("destructive = true\n", ""))
    search, cancel = reviewed(TOOLS, said)
    assert search.proposed == cancel.proposed == ()
    assert cancel.destructive is None
    assert cancel.effects == ("!order.{orderId}.exists",)


def test_an_approval_holds_before_anything_is_confirmed_and_survives_the_next_import():
    tools = tuple(replace(tool, origin={"kind": "mcp", "server": "shop"}) for tool in TOOLS)
    held = reviewed(tools, {CANCEL.name: {"needs_approval": "it ends an order"}})
    again = reviewed(tools, read_review(write_review(held)))
    for found in (held, confirmed_only(held), again):
        assert [tool.needs_approval for tool in found] == [None, "it ends an order"]
    assert held[1].proposed == TOOLS[1].proposed


def test_an_approval_that_nobody_would_ask_for_is_refused():
    with pytest.raises(InputError, match="no server runs this tool"):
        reviewed(TOOLS, {CANCEL.name: {"needs_approval": "it ends an order"}})


def test_without_a_person_no_proposal_counts():
    search, cancel = confirmed_only(TOOLS)
    assert search == SEARCH
    assert cancel == CANCEL


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("format =", "no TOML"),
        ('format = "other/1"', "format"),
        ('format = "planvow-tool-review/1"\n[tool.x]\nrequries = []', "requires"),
        ('format = "planvow-tool-review/1"\n[tool.x]\neffects = ["a b"]', "no statement"),
        ('format = "planvow-tool-review/1"\n[tool.x]\nconfirmed = "yes"', "true or false"),
        ('format = "planvow-tool-review/1"\n[tool.x]\ntakes = { a = 1 }', "table"),
    ],
)
def test_a_fault_in_a_review_is_told(text, words):
    with pytest.raises(InputError) as caught:
        read_review(text)
    assert words in f"{caught.value.message} {caught.value.hint}"
    assert caught.value.place


def test_a_review_of_a_tool_that_is_not_there_is_told():
    with pytest.raises(InputError, match="search_orders"):
        reviewed(TOOLS, {"search_order": {"confirmed": True}})


@given(
    st.text(max_size=20),
    st.text(max_size=20),
    st.lists(st.sampled_from(["a", "a=1", "!a.{x}", "b.{y}=z"]), max_size=3),
)
@example("\x7f", "\x1b]0;x\x07", [])
def test_any_name_description_and_statement_survives_the_review_file(name, description, statements):
    if not name.strip():
        return
    proposed = ("effects",) if statements else ()
    tool = ToolEntry(name=name, description=description, effects=tuple(statements), proposed=proposed)
    assert reviewed([tool], read_review(write_review([tool]))) == (tool,)


@pytest.mark.parametrize("hidden", ["\x1b[2J", "\x9b2J", "\x7f", "\u202e", "\u2066", "\u200b", "\U000e0041"], ids=ascii)
def test_nothing_that_a_reader_does_not_see_stands_in_the_file_that_is_reviewed(hidden):
    tool = ToolEntry(name=f"pay{hidden}", description=f"pays{hidden}", produces={"id": f"order{hidden}"})
    server = Server(command=("desk", hidden), environment={"DESK": hidden})
    text = write_review([tool], servers={f"desk{hidden}": server})
    assert hidden not in text
    assert all(line.isprintable() for line in text.split("\n"))
    assert read_whole_review(text).tools[tool.name]["produces"] == {"id": f"order{hidden}"}


def test_mistakes_are_found_with_the_name_that_was_perhaps_meant():
    pay = ToolEntry(
        name="pay",
        input_schema={"type": "object", "properties": {"order_id": {}}, "required": ["order_id", "sum"]},
        takes={"order_id": "ordr_id"},
        requires=("session.opn", "clock.right"),
        effects=("order.{order}.paid",),
    )
    login = ToolEntry(name="login", effects=("session.open",))
    found = {(mistake.message, mistake.hint) for mistake in check_tools([pay, login, *TOOLS], known=["clock.right"])}
    messages = " | ".join(message for message, _ in found)
    hints = " | ".join(hint for _, hint in found)
    assert "session.opn" in messages
    assert "session.open" in hints
    assert "{order}, which is no parameter" in messages
    assert "order_id" in hints
    assert "ordr_id, which no tool produces" in messages
    assert "requires 'sum' and does not describe it" in messages
    assert "clock.right" not in messages
    assert unreachable([pay, login], kinds=(), words={}) == ("pay",)
    assert unreachable([pay, login], kinds=("ordr_id",), words={"session.opn": True, "clock.right": True}) == ()


def test_tools_that_wait_for_one_another_are_told_and_others_are_not():
    lock = ToolEntry(name="lock", requires=("key.cut",), effects=("door.shut",))
    cut = ToolEntry(name="cut", requires=("door.shut",), effects=("key.cut",))
    knock = ToolEntry(name="knock", requires=("bell.there",), effects=("heard",))
    assert [m.tool for m in check_tools([lock, cut, knock]) if "never be called" in m.message] == ["lock", "cut"]
    smith = ToolEntry(name="smith", effects=("key.cut",))
    assert not [m for m in check_tools([lock, cut, knock, smith]) if "never be called" in m.message]


@pytest.mark.parametrize(
    ("part", "handed_on"),
    [
        ({"type": ["string", "null"]}, True),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, True),
        ({"$ref": "#/$defs/Id"}, True),
        ({"oneOf": [{"$ref": "#/$defs/Id"}, {"type": "integer"}]}, True),
        ({"type": ["string", "object"]}, False),
        ({"type": "null"}, False),
        ({"anyOf": [{"type": "string"}, {"type": "array"}]}, False),
        ({"$ref": "#/$defs/Whole"}, False),
        ({}, False),
    ],
)
def test_what_may_be_nothing_or_stands_behind_a_reference_is_proposed_as_a_value_to_hand_on(part, handed_on):
    output = {
        "type": "object",
        "properties": {"order_id": part},
        "$defs": {"Id": {"type": "string"}, "Whole": {"type": "object"}},
    }
    (tool,) = propose([ToolEntry(name="look", output_schema=output)])
    assert dict(tool.produces) == ({"order_id": "order_id"} if handed_on else {})
