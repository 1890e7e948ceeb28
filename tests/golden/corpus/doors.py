"""What the service answers, as every way in gives it, and what models are asked beside plans."""

from __future__ import annotations

import tempfile
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from golden.corpus.case import Case, as_json
from golden.corpus.errands import at_the_shop, errands
from golden.corpus.tools import SHOP
from planvow import PlanvowError, make_problem
from planvow.adapters.batch.output import Output
from planvow.adapters.cli.viewing.show import KINDS
from planvow.adapters.http.tokens import create, revoke
from planvow.adapters.language.choice import load_language
from planvow.adapters.models.questions import agenda_question, method_question, tools_question
from planvow.adapters.tool_servers.equipment import _tool
from planvow.contract.plan.manifest import read_manifest
from planvow.contract.planners.answer_schema import plan_schema
from planvow.contract.planners.conversation import Question
from planvow.kernel.perform.budgets import PlannerBudgets
from planvow.service.batch.answering import answered as line_of
from planvow.service.batch.items import item
from planvow.service.catalogue import OPERATIONS
from planvow.service.common.domains import names
from planvow.service.common.hddl_view import explained
from planvow.service.declare.operation import Right
from planvow.service.declare.setting import Setting
from planvow.service.operations.comparing import DIFF, DiffQuestion
from planvow.service.operations.debates import Means, TranscriptQuestion, _budgets
from planvow.service.operations.goals import PLAN_GOAL, GoalQuestion
from planvow.service.operations.hddl import SOLVE_HDDL, HddlQuestion
from planvow.service.operations.making import MAKE_PLAN, PlanQuestion
from planvow.service.records.posting import POST_PLAN, PostQuestion
from planvow.spans import tool_attributes
from planvow.tools import read_tools
from planvow.tools.policy import ToolPolicy
from planvow.tools.servers import Server, write_servers

TEXT = {"type": "string"}
BOOK = {
    "skill_id": "book",
    "input_schema": {
        "type": "object",
        "properties": {
            "room": {"type": "string", "description": "which"},
            "nights": {"type": "integer"},
            "guests": {"type": "array", "items": {"$ref": "#/$defs/Guest"}},
            "meal": {"enum": ["dinner", "none"]},
        },
        "required": ["room"],
        "$defs": {"Guest": {"type": "object", "properties": {"name": TEXT, "age": {"type": "number"}}}},
    },
}
HDDL = {
    "domain": """(define (domain d) (:requirements :typing :hierarchy) (:types place) (:predicates (at ?p - place))
      (:task go :parameters (?p - place))
      (:method m :parameters (?p - place) :task (go ?p) :ordered-subtasks (and (move ?p)))
      (:action move :parameters (?p - place) :effect (at ?p)))""",
    "problem": """(define (problem p) (:domain d) (:objects a b - place)
      (:htn :ordered-subtasks (and (go b) (go a))) (:init))""",
}


def setting() -> Setting:
    return Setting(domains={"errands": make_problem(errands, at_the_shop(), [("deliver", "ann", "tea", "salt")])})


def answered(operation: Any, question: Any, place: Setting | None = None) -> list[Any]:
    answer = operation(question, place or setting())
    read = {" ".join(key): made() for key, made in answer.documents.items() if key[0] != "certificate"}
    return [asdict(answer.output), read]


def plans() -> str:
    asked = PlanQuestion(domain="errands", goal='[["deliver","bob","bread"]]')
    refused = PlanQuestion(domain="errands", goal='[["deliver","bob","cake"]]')
    stub = PlanQuestion(planner="stub", goal="summarize tea", arguments={"context_summary": "none"})
    made = [answered(MAKE_PLAN, one) for one in (asked, refused, stub)]
    return as_json([*made, names(setting())])


def several_domains() -> str:
    return as_json(names(Setting(domains=dict.fromkeys(("b", "c", "a"), errands))))


def goals() -> str:
    entries = {"search_orders": {"produces": {"order_id": "order_id"}, "confirmed": True},
               "pay_order": {"takes": {"order_id": "order_id"}, "effects": ["order.{order_id}.paid"],
                             "confirmed": True}}  # fmt: skip
    paid = GoalQuestion(conditions=["order.7.paid"], given={"order_id": "7", "card": "red"}, tools=SHOP, review=entries)
    guessed = GoalQuestion(wants=["receipt_id"], given={"order_id": "7", "card": "red"}, tools=SHOP, use_proposed=True)
    wish = GoalQuestion(wish="open youtube and search nvidia")
    doubt = GoalQuestion(wish="open the pod bay doors")
    return as_json([answered(PLAN_GOAL, one) for one in (paid, guessed, wish, doubt)])


def limited() -> str:
    """A goal for which more calls are needed than are allowed."""
    asked = GoalQuestion(
        wants=["receipt_id"], given={"customer": "ann", "card": "red"}, tools=SHOP, use_proposed=True, max_calls=1
    )
    try:
        answered(PLAN_GOAL, asked)
    except PlanvowError as error:
        return as_json(error.as_dict())
    raise AssertionError("one call was enough")


def batch() -> str:
    """Lines of a batch: an answer, a refusal and an input that could not be read; and its manifest."""
    items = [
        item("one", "hddl", HDDL),
        item("two", "goal", {"wish": "do not open youtube"}),
        item("three", "hddl", {"kind": "hdl"}),
    ]
    with tempfile.TemporaryDirectory() as folder:
        output = Output(Path(folder) / "out.jsonl", {"kind": "hddl"}, resume=False)
        lines = [line for one in items for line in [line_of(one, setting())]]
        output.add(items, lines)
        manifest = output.finish()
    return as_json([[line.written.decode(), line.status, line.code] for line in lines] + [manifest])


def hddl() -> str:
    """A plan, a proof that there is none, and a search that was cut short: the solver's words, not the engine's."""
    asked = HddlQuestion(**HDDL)
    needing = HDDL["domain"].replace(":effect", ":precondition (at ?p) :effect")
    impossible = HddlQuestion(domain=needing, problem=HDDL["problem"])
    short = HddlQuestion(**HDDL, max_iterations=1)
    return as_json([solved(one) for one in (asked, impossible, short)])


def solved(asked: HddlQuestion) -> list[Any]:
    answer = SOLVE_HDDL(asked, setting())
    problem, outcome = answer.whole
    told = explained(problem, outcome)
    plain = {name: value for name, value in asdict(answer.output).items() if name != "statistics"}
    return [plain, told["success"], told["status"], told["reason"]]


def posted() -> str:
    plan = {"steps": [{"step_id": "s1", "skill": "echo", "params": {"message": "tea"}}], "planner": "stub"}
    with tempfile.TemporaryDirectory() as folder:
        place = Setting(ledger=str(Path(folder) / "cassette.db"), client="golden")
        asked = PostQuestion(plan=plan, run_id="r", why="because")
        return as_json(
            [
                asdict(POST_PLAN(one, place).output)
                for one in (asked, asked, replace(asked, why="again", idempotency_key="k"))
            ]
        )


def differences() -> str:
    first = {"plan": {"steps": [{"step_id": "s1", "skill": "a", "params": {"y": 1, "x": [1, 2]}}]}, "planner": "one"}
    second = {
        "plan": {"steps": [{"step_id": "s1", "skill": "a", "params": {"y": 2, "x": [1, 2, 3]}}]},
        "planner": "two",
    }
    told = {"format": "certificate/2", "initial": {"b": [1], "a": 1}, "planner": {"id": "x", "version": "1"}}
    other = {"format": "certificate/2", "initial": {"b": [1, 2], "a": 2}, "planner": {"version": "2", "id": "y"}}
    longer = {"format": "certificate/2", "asked": [1, 2, 3]}
    shorter = {"format": "certificate/2", "asked": [1]}
    pairs = [(first, second), (told, other), (longer, shorter), (shorter, longer)]
    return as_json([answered(DIFF, DiffQuestion(first=one, second=two)) for one, two in pairs])


def catalogue() -> str:
    budgets = _budgets(
        PlannerBudgets(), TranscriptQuestion(transcript="x", max_seconds=1.2346), Means(language=load_language("lite"))
    )
    return as_json([sorted(OPERATIONS), [kind.name for kind in KINDS], budgets])


def attributes() -> str:
    return as_json(tool_attributes("kettle.boil"))


def question(asked: Question[Any]) -> list[Any]:
    return [asked.version, asked.system, asked.shared, asked.prompt, asked.schema, asked.inputs]


def questions() -> str:
    return as_json(
        [
            question(tools_question(read_tools(SHOP))),
            question(agenda_question(errands, "tea for ann", [["shop", "tea", 3]])),
            question(method_question(errands, "deliver", "by bus")),
            plan_schema(read_manifest([{"skill_id": "z.text"}, BOOK, {"skill_id": "a.text"}])),
            plan_schema(read_manifest([BOOK, {**BOOK, "skill_id": "another"}])),
            plan_schema(None),
        ]
    )


def token_file() -> str:
    """The file of tokens, with what is left to chance held still."""
    with (
        tempfile.TemporaryDirectory() as folder,
        patch("secrets.token_hex", lambda _: "0123abcd"),
        patch("secrets.token_urlsafe", lambda _: "chance"),
    ):
        path = Path(folder) / "tokens.json"
        create(path, "ann", [Right.PLAN, Right.READ], now_ms=5, expires_at=9)
        revoke(path, "ann", now_ms=6)
        return path.read_text("utf-8")


def policy() -> str:
    servers = {
        "z": Server(base="https://b.example/api", headers={"x-key": "{{secret.KEY}}", "a": "1"}),
        "a": Server(url="https://a.example/mcp"),
    }
    tools = read_tools(SHOP)
    made = ToolPolicy(tools=tools, servers=servers)
    return as_json([made.hash, write_servers(servers), _tool(tools[0], servers["a"], print).pin])


CASES = (
    Case("doors/plans", "service answer", plans),
    Case("doors/goals", "service answer", goals),
    Case("doors/limited", "service answer", limited),
    Case("doors/several-domains", "service answer", several_domains),
    Case("doors/batch", "batch", batch),
    Case("doors/hddl", "service answer", hddl),
    Case("doors/posted", "service answer", posted),
    Case("doors/differences", "service answer", differences),
    Case("doors/catalogue", "service answer", catalogue),
    Case("doors/attributes", "service answer", attributes),
    Case("doors/questions", "question to a model", questions),
    Case("doors/tokens", "tokens", token_file),
    Case("doors/policy", "tool policy", policy),
)
