"""Tools from every shape as one manifest, what is proposed of them, and plans of calls by condition."""

from __future__ import annotations

import json
from typing import Any

from golden.corpus.case import Case, as_json
from planvow import canonical_bytes
from planvow.contract import default_registry, safe_plan
from planvow.tools import check_tools, propose, read_tools, to_mcp, to_openai, to_skills, tools_data, write_review


def entry(name: str, takes: dict[str, Any], gives: dict[str, Any] | None = None, **hints: bool) -> dict[str, Any]:
    made: dict[str, Any] = {
        "name": name,
        "description": f"{name} it.",
        "inputSchema": {"type": "object", "properties": takes, "required": [*takes]},
        "annotations": hints,
    }
    return made if gives is None else {**made, "outputSchema": {"type": "object", "properties": gives}}


TEXT = {"type": "string"}
SHOP = [
    entry("search_orders", {"customer": TEXT}, {"order_id": TEXT, "total": {"type": "number"}}, readOnlyHint=True),
    entry("create_order", {"customer": TEXT, "item": TEXT}, {"id": TEXT}),
    entry("cancel_order", {"orderId": TEXT}, destructiveHint=True),
    entry("sign_in", {}),
    entry("pay_order", {"order_id": TEXT, "card": {"enum": ["blue", "red"]}}, {"receipt_id": TEXT}),
    entry("post_pay", {"order_id": TEXT}, {"receipt_id": TEXT}),
    entry("fetch_receipt", {"receipt_id": TEXT, "format": {"const": "pdf"}}, {"url": TEXT}, readOnlyHint=True),
]
NEW = {"$ref": "#/components/schemas/New"}
API = {
    "openapi": "3.1.0",
    "servers": [{"url": "http://127.0.0.1:9"}],
    "paths": {
        "/z/{id}": {"delete": {"parameters": [{"name": "id", "in": "path", "schema": TEXT}]}, "get": {}},
        "/orders": {
            "post": {
                "operationId": "createOrder",
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/New"}}},
                },
                "responses": {
                    "201": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/New"}}}}
                },
            }
        },
    },
    "components": {
        "schemas": {"New": {"type": "object", "properties": {"item": TEXT, "id": TEXT}, "required": ["item"]}}
    },
}
REVIEW = {
    "search_orders": {"produces": {"order_id": "order_id"}, "confirmed": True},
    "create_order": {
        "produces": {"id": "order_id"},
        "effects": ["order.{id}.open", "stock.full=false"],
        "confirmed": True,
    },
    "cancel_order": {"takes": {"orderId": "order_id"}, "effects": ["!order.{orderId}.open"], "confirmed": True},
    "sign_in": {"effects": ["session.open", "!guest"], "confirmed": True},
    "pay_order": {
        "requires": ["session.open", "!order.{order_id}.frozen"],
        "effects": ["order.{order_id}.status=paid", "card={card}"],
        "produces": {"receipt_id": "receipt_id"},
        "cost": 3,
        "confirmed": True,
    },
    "post_pay": {
        "requires": ["guest"],
        "effects": ["order.{order_id}.status=paid"],
        "produces": {"receipt_id": "receipt_id"},
        "cost": 5,
        "confirmed": True,
    },
    "fetch_receipt": {"takes": {"receipt_id": "receipt_id"}, "produces": {"url": "receipt_url"}, "confirmed": True},
}
GOALS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "flow": ({"conditions": {"order.{order_id}.status": "paid"}, "given": {"customer": "ann"}}, {}),
    "cheaper": ({"wants": ["receipt_url"], "given": {"order_id": "7"}}, {"guest": True}),
    "several": (
        {"conditions": {"order.{order_id}.status": "paid", "card": "red", "stock.full": False},
         "wants": ["receipt_url"], "given": {"customer": "ann", "item": "{{tea}}"}}, {"guest": True},
    ),
    "undone": ({"conditions": {"guest": None, "session.open": True}}, {"guest": True}),
    "nothing": ({"conditions": {"session.open": True}}, {"session.open": True}),
    "lacking": ({"conditions": {"order.{order_id}.status": "paid"}}, {}),
    "misspelt": ({"conditions": {"order.{order_id}.statsu": "paid"}}, {}),
    "impossible": ({"conditions": {"guest": True, "session.open": True}}, {}),
}  # fmt: skip


def answer(goal: dict[str, Any], facts: dict[str, Any], **more: Any) -> bytes:
    planner = default_registry().create("tools")
    said = safe_plan(planner, "golden", json.dumps(goal), tools={"tools": SHOP}, facts=facts, **more)
    return canonical_bytes(said.as_dict())


def manifests() -> str:
    read = [read_tools(SHOP), read_tools(SHOP[::-1]), read_tools(API)]
    proposed = [propose(tools) for tools in read]
    return as_json(
        {
            "read": [tools_data(tools) for tools in read],
            "proposed": [tools_data(tools) for tools in proposed],
            "mistakes": [check_tools(tools, known=["guest"]) for tools in proposed],
            "out": [write(proposed[0]) for write in (to_mcp, to_openai, to_skills)],
        }
    )


CASES = (
    Case("tools/manifests", "tool manifest", manifests),
    Case("tools/review", "tool manifest", lambda: write_review(propose(read_tools(SHOP)))),
    *(
        Case(f"tools/plan.{name}", "tool plan", lambda g=goal, f=facts: answer(g, f, review=REVIEW))
        for name, (goal, facts) in GOALS.items()
    ),
    Case(
        "tools/plan.proposed",
        "tool plan",
        lambda: answer({"wants": ["order_id"], "given": {"customer": "ann"}}, {}, use_proposed=True),
    ),
)
