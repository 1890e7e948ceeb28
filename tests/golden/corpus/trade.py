"""Tools and goals where several things are alike, so that an order decides: lists, limits, costs, spellings."""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from golden.corpus.case import Case, as_json
from golden.corpus.goals import TOOLS as CAPABILITIES
from golden.corpus.governed import repository
from golden.corpus.tools import SHOP, TEXT, answer, entry
from golden.corpus.workshop import workshop
from planvow import PlanvowError
from planvow.contract import default_registry, safe_plan
from planvow.goals import Fact, ToolCapability, WorldState
from planvow.goals.conditions.goal import ConditionGoal
from planvow.goals.conditions.shelf import ToolShelf
from planvow.goals.plan.bound import LandmarkBound, Move
from planvow.goals.plan.callings import Part, Wanted, problem_for
from planvow.goals.plan.index import ToolIndex
from planvow.goals.values.config import load_config
from planvow.governed.substrate.jsonl import JsonlSubstrate
from planvow.governed.substrate.nearest import nearest
from planvow.tools import ToolEntry, read_tools, to_anthropic, tools_data
from planvow.tools.domains import agenda_schema
from planvow.tools.review import reviewed

JSON_FORMS = {
    "text/plain": {},
    "application/vnd.shop+json": {"schema": {"type": "object", "properties": {"late": TEXT, "b": TEXT}}},
    "application/json": {"schema": {"type": "object", "properties": {"b": TEXT, "a": TEXT}, "required": ["b", "a"]}},
}
API = {
    "openapi": "3.1.0",
    "paths": {
        "/z": {
            "put": {
                "parameters": [{"name": "z", "in": "query", "required": True, "schema": TEXT}],
                "requestBody": {"required": True, "content": JSON_FORMS},
                "responses": {
                    "default": {}, "404": {}, "202": {"content": {"application/json": {"schema": {
                        "type": "object", "properties": {"later": TEXT}}}}}, "200": {"content": JSON_FORMS},
                },
            }
        },
        "/a": {"get": {}},
    },
}  # fmt: skip
TWICE = [
    entry("make_pair", {}, {"z_id": TEXT, "a_id": TEXT}),
    entry("use_pair", {"order_id": TEXT}, {"ticket": TEXT}),
    entry("walk", {"ticket": TEXT}, {"mile": TEXT}),
]
PAIRS = {
    "make_pair": {"produces": {"z_id": "order_id", "a_id": "order_id"}, "confirmed": True},
    "use_pair": {"produces": {"ticket": "ticket"}, "effects": ["used.{order_id}"], "confirmed": True},
    "walk": {"produces": {"mile": "mile"}, "confirmed": True},
}


def lists() -> str:
    """Manifests of what is read, of a domain's agenda, and of what a review proposes without confirming it."""
    said = {"create_order": {"takes": {"item": "thing"}, "produces": {"id": "order_id"}, "effects": ["order.{id}"]}}
    return as_json(
        [
            tools_data(read_tools(API)),
            to_anthropic(read_tools(SHOP)),
            agenda_schema(workshop),
            tools_data(reviewed(read_tools(SHOP), said)),
        ]
    )


def asked(goal: dict[str, Any], **more: Any) -> Any:
    planner = default_registry().create("tools")
    return safe_plan(planner, "golden", json.dumps(goal), tools={"tools": TWICE}, review=PAIRS, **more).as_dict()


def plans() -> str:
    """Two outputs of one kind, limits, a world whose facts are older and newer, and proposals of several tools."""
    world = {"recent_facts": [
        {"subject": "used", "predicate": "7", "value": True, "timestamp": 9},
        {"subject": "used", "predicate": "7", "value": False, "timestamp": 3},
    ]}  # fmt: skip
    wanted = {"wants": ["mile"]}
    proposed = answer({"wants": ["receipt_id"], "given": {"customer": "ann"}}, {"guest": True}, use_proposed=True)
    return as_json(
        [
            asked(wanted),
            asked(wanted, limits={"depth": 2}),
            asked({"conditions": {"used.7": True}}, world=world),
            json.loads(proposed),
        ]
    )


def orders() -> str:
    """Conditions, keys, facts, names that are alike, and the moves of a rough plan."""
    goal = ConditionGoal(conditions={"b": 1, "a": True, "c": None})
    shelf = ToolShelf(reviewed(read_tools(TWICE[::-1]), {**PAIRS, "walk": {"effects": ["z.far", "a.far"]}}))
    facts = [Fact(subject=s, predicate="p", value=1, timestamp=t) for s, t in (("b", 1), ("a", 2), ("c", 1), ("a", 1))]
    moves = [Move(0, 1, 0), Move(0, 1, 0), Move(1, 2, 0, 4), Move(1, 2, 0, 2), Move(2, 4, 0), Move(1, 4, 0, 9)]
    return as_json(
        [
            [[s.key, str(s.value)] for s in goal.statements],
            shelf.keys(),
            [[fact.key, fact.timestamp] for fact in WorldState(recent_facts=facts).recent_facts],
            nearest("setings", ["settings", "setting", "sittings", "other", "setings2"]),
            LandmarkBound(moves, 6).rough_plan(0),
            problem_for([Wanted("browser_search")], ToolIndex(CAPABILITIES), frozenset({"clock"}), ())[1:],
        ]
    )


def provider(name: str, provides: str, *needs: str) -> ToolCapability:
    return ToolCapability(name=name, requires=frozenset(needs), effects=frozenset({provides}))


def parts() -> str:
    """Which tools of a crowd are looked at first, what is asked of next, and the moves that every plan makes."""
    far = [provider(f"a{n}", "w", "p", f"far{n}") for n in range(6)]
    near = [provider(f"{name}{n}", "w", "p", f"own{n}") for n, name in ((0, "z"), (1, "y"), (2, "x"))]
    steps = [provider(f"go{n}", f"far{n}", f"step{n}") for n in range(6)]
    steps += [provider(f"up{n}", f"step{n}") for n in range(6)]
    owned = [provider(f"own{n}", f"own{n}") for n in range(3)]
    final = replace(provider("final", "done", "w", "q", "p"), can_achieve=["browser_search"])
    index = ToolIndex([final, provider("p1", "p"), provider("q1", "q"), *far, *near, *steps, *owned])
    part = Part([Wanted("browser_search")], index, frozenset({"own0", "own1", "own2"}), (), 1)
    seen = [part.widen(5), list(part.callings)]
    rests = list(part.rests())
    seen += [part.deepen(rests, part.ways(6), 8), list(part.callings)]
    moves = [Move(2, 4, 0), Move(1, 2, 0), Move(0, 1, 0)]
    crowd = index.crowd("w", goal=False).near({"own2", "own0", "own1", "p"})
    return as_json([seen, [tool.name for tool in crowd], LandmarkBound(moves, 4).forced(0)])


def crowd() -> str:
    """Of many tools for one thing, listed last name first: the first serves, and who does more that is asked."""
    tools = [ToolEntry(name=f"on{n:02}", effects=("lamp", f"hum.{n}")) for n in reversed(range(20))]
    tools += [ToolEntry(name=f"ring{n}", cost=9 - n, effects=("lamp", f"hum.{n}{n}", "bell")) for n in range(3)]
    goals = [{"lamp": True}, {"lamp": True, "hum.0": True}, {"bell": True}]
    shelf = ToolShelf(tools)
    return as_json([[tool.name for tool in shelf.helping(ConditionGoal(conditions=goal))] for goal in goals])


def known() -> str:
    """What tools do give, where something else is asked for: values of a key, and kinds, in order of name."""
    said = [
        ("pay", "order.status=paid", "zloty"),
        ("send", "order.status=sent", "amber"),
        ("drop", "order.status", "m"),
    ]
    tools = [ToolEntry(name=name, effects=(effect,), produces={"out": kind}) for name, effect, kind in said]
    shelf = ToolShelf(tools)
    (statement,) = ConditionGoal(conditions={"order.status": "paidd"}).statements
    return as_json([shelf.made_of(statement), shelf.kinds()])


def configured() -> str:
    """The tools of a user's file among ours, by name."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "goals.toml"
        path.write_text('[tools."zeta"]\neffects = ["a"]\n[tools."alpha"]\neffects = ["b"]\n', encoding="utf-8")
        return as_json([tool.name for tool in load_config(path).tools])


def outdated() -> str:
    """An index from before its files named their version is refused, and made anew by a build."""
    with repository("jsonl") as (_, data, _tree):
        meta = data / "index" / "meta.json"
        held = json.loads(meta.read_text("utf-8"))
        meta.write_text(json.dumps({name: held[name] for name in held if name != "index"}), encoding="utf-8")
        try:
            JsonlSubstrate(data / "index")
        except PlanvowError as error:
            return as_json({**error.as_dict(), "place": ""})
    raise AssertionError("it was read")


CASES = (
    Case("trade/lists", "tool manifest", lists),
    Case("trade/plans", "tool plan", plans),
    Case("trade/orders", "goal plan", orders),
    Case("trade/parts", "goal plan", parts),
    Case("trade/known", "tool plan", known),
    Case("trade/crowd", "tool plan", crowd),
    Case("trade/configured", "goal plan", configured),
    Case("trade/outdated", "section index", outdated),
)
