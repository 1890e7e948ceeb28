"""OpenAPI documents: operations as tools, with the way back to the call."""

from __future__ import annotations

import pytest

from planvow.errors import InputError
from planvow.tools import check_tools, propose, read_tools

ORDER = {"type": "object", "properties": {"id": {"type": "integer"}, "next": {"$ref": "#/components/schemas/Order"}}}
NEW = {"type": "object", "properties": {"item": {"type": "string"}, "gift": {"type": "boolean", "nullable": True}},
       "required": ["item"]}  # fmt: skip
DOCUMENT = {
    "openapi": "3.0.3",
    "servers": [{"url": "http://127.0.0.1:8000"}],
    "paths": {
        "/orders": {
            "post": {
                "operationId": "createOrder",
                "summary": "Place an order.",
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/New"}}},
                },
                "responses": {
                    "201": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Order"}}}}
                },
            }
        },
        "/orders/{id}": {
            "parameters": [{"$ref": "#/components/parameters/Id"}],
            "get": {"operationId": "getOrder", "responses": {}},
            "delete": {"responses": {"204": {}}},
        },
    },
    "components": {
        "schemas": {"Order": ORDER, "New": NEW},
        "parameters": {"Id": {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}},
    },
}


def tools():
    return {tool.name: tool for tool in read_tools(DOCUMENT)}


def test_each_operation_is_a_tool_with_one_flat_set_of_parameters():
    found = tools()
    assert set(found) == {"createOrder", "getOrder", "delete_orders_id"}
    made = found["createOrder"]
    assert made.required == ("item",)
    assert made.parameters["gift"] == {"type": ["boolean", "null"]}
    assert made.output_schema["properties"]["id"] == {"type": "integer"}
    assert made.output_schema["properties"]["next"] == {"$ref": "#/$defs/Order"}
    assert found["getOrder"].required == ("id",)


def test_verbs_say_what_may_be_repeated_and_what_destroys():
    said = {name: (tool.read_only, tool.destructive, tool.idempotent) for name, tool in tools().items()}
    assert said == {
        "createOrder": (False, False, False),
        "getOrder": (True, False, True),
        "delete_orders_id": (False, True, True),
    }


def test_the_way_back_to_the_call_is_kept():
    assert dict(tools()["createOrder"].origin) == {
        "kind": "http", "method": "POST", "path": "/orders", "in": {"item": "body", "gift": "body"},
        "server": "http://127.0.0.1:8000",
    }  # fmt: skip


def test_the_id_of_an_order_is_one_kind_wherever_it_stands():
    found = {tool.name: tool for tool in propose(tools().values())}
    assert found["createOrder"].produces == {"id": "order_id"}
    assert found["getOrder"].takes == {"id": "order_id"}
    assert found["createOrder"].effects == ("order.{id}.exists",)
    assert found["delete_orders_id"].effects == ("!order.{id}.exists",)
    assert "effects" in found["createOrder"].proposed
    assert not [mistake for mistake in check_tools([*found.values()]) if "not checked" not in mistake.message]


def test_a_body_that_is_no_object_or_clashes_is_one_parameter():
    listed = {"openapi": "3.1.0", "paths": {"/x": {"put": {"operationId": "put_x", "requestBody": {
        "content": {"application/json": {"schema": {"type": "array", "items": {"type": "string"}}}}}}}}}  # fmt: skip
    (tool,) = read_tools(listed)
    assert tool.parameters["body"]["type"] == "array"
    assert tool.origin["in"] == {"body": "body"}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"openapi": "2.0"}, "convert"),
        ({"paths": {"/x": {"get": {"parameters": [{"$ref": "#/components/nothing"}]}}}}, "leads to nothing"),
        ({"paths": {"/x": {"get": {"parameters": [{"$ref": "https://example.org/p.json"}]}}}}, "leads out"),
        ({"paths": []}, "object"),
    ],
)
def test_what_cannot_be_followed_is_told(change, words):
    with pytest.raises(InputError) as caught:
        read_tools({**DOCUMENT, **change})
    assert words in f"{caught.value.message} {caught.value.hint}"
