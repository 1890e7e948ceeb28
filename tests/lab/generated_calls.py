"""Calls to throw at planners: plausible ones, broken ones and hostile ones, the same list in every run.

Everything derives from SHA-256 of a counter, so a failing call can be named by its number.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from planvow.canonical import canonical_bytes
from planvow.contract import PlannerError, PlannerErrorCode, PlannerOutput, default_registry, validate_plan
from planvow.contract.planners.conversation import Correspondent, ModelReply
from planvow.contract.planners.llm import ModelPlanner
from planvow.kernel.domain.domain import Domain, refuse
from planvow.kernel.world.state import State
from planvow.tools import ToolEntry

WORDS = (
    "fetch", "summarize", "echo", "write", "pick", "target", "the", "page", "Tea", "open", "youtube", "search",
    "create", "folder", "named", "delete", "file", "notes", "https://x.test/a", "{{input.url}}", "{{", "}}", "data=1",
    "url:x", "é", "😀", "\u202e", "\x00", "\\", '"', "'",
    "<goal>", "(define (domain d))", "[]", "{}", '[["travel","a","b"]]',
    "null", "\ud800", "a" * 300,
)  # fmt: skip
ODD: tuple[Any, ...] = (
    None, True, 0, -1, 1.5, float("nan"), float("inf"), 2**70, "", " ", "x", b"x", (), [], {}, [[]], {"a": {1: 2}},
    {1, 2}, object(), object, len, [None], [{}], {"skill_id": "echo"}, [{"skill_id": 5}], "\udc00", range(3),
    1j, [[["deep"]]],
)  # fmt: skip
SKILLS = ("echo", "http_call", "json_transform", "llm_invoke", "browser", "files.write")
CODES = {code.value for code in PlannerErrorCode}


HDDL_DOMAIN = """(define (domain d) (:requirements :typing :hierarchy) (:types place) (:predicates (at ?p - place))
 (:task go :parameters (?p - place))
 (:method m :parameters (?a ?p - place) :task (go ?p) :precondition (at ?a) :ordered-subtasks (and (walk ?a ?p)))
 (:action walk :parameters (?a ?p - place) :precondition (at ?a) :effect (and (not (at ?a)) (at ?p))))"""
HDDL_PROBLEM = """(define (problem p) (:domain d) (:objects x y - place)
 (:htn :ordered-subtasks (and (go y))) (:init (at x)))"""
GOALS = {
    "stub": ("fetch the page", "Summarize https://x.test", "echo {{input.x}}", "write it", "pick names"),
    "htn": (
        '[["travel","alice","park"]]', '["travel","alice","park"]', '[["travel","alice","moon"]]', '[["travel"]]', "[]",
        '[["at","alice","park"]]', '[["walk","alice","home","park"],["walk","alice","park","home"]]', "[[[]]]", "[5]",
        "[", '[["walk",{},[],null]]', '["travel"]', '[["fail"]]', "[null]",
        '[{"at":{"alice":"park"}}]', "travel to the park",
    ),
    "hddl": (
        HDDL_PROBLEM, HDDL_PROBLEM.replace("go y", "go z"), HDDL_PROBLEM.replace("at x", "at y"), HDDL_PROBLEM[:60],
        HDDL_PROBLEM.replace("(go y)", "(go x) (go y) (go x)"), "(define (problem p))", "(define", "(" * 500,
    ),
    "governed": (
        "{}", "[]", '{"intent":"read"}', '{"request_id":"r","run_id":"x","intent":"read","constraints":{}}', "null",
    ),
    "tools": (
        "door.open", '{"conditions":{"door.{key_id}.open":true}}', '{"wants":["key_id"]}', "door.opne", "!door.open",
        '{"conditions":{},"wants":[]}', '{"wants":5}', '{"conditions":[1]}', '{"gives":{}}', "{", "door.open,!light",
        "a b",
    ),
    "goal": (
        "open youtube and search nvidia", "create a folder named tea", "delete the file notes.txt", "launch firefox",
    ),
}  # fmt: skip


KEY = {"type": "object", "properties": {"key_id": {"type": "string"}}, "required": ["key_id"]}
TOOLS = (
    ToolEntry(name="find_key", produces={"key_id": "key_id"}),
    ToolEntry(name="unlock", input_schema=KEY, effects=("door.{key_id}.open", "door.open", "!light")),
)


class Dice:
    """Choices from a hash: no random module, no seed to forget."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._turn = 0

    def below(self, limit: int) -> int:
        self._turn += 1
        digest = hashlib.sha256(f"{self._number}:{self._turn}".encode()).digest()
        return int.from_bytes(digest[:6], "big") % limit

    def pick(self, options: Any) -> Any:
        return options[self.below(len(options))]


def generated_calls(count: int, planner_id: str = "stub") -> Iterator[dict[str, Any]]:
    """Yield `count` sets of keyword arguments; about a third are plausible, the rest are wrong somewhere."""
    goals = GOALS.get(planner_id.removeprefix("memo:"), ())
    for number in range(count):
        dice = Dice(number)
        call: dict[str, Any] = {"agent_id": "agent", "goal": " ".join(dice.pick(WORDS) for _ in range(dice.below(6)))}
        if goals and dice.below(2):
            call["goal"] = dice.pick(goals)
        if dice.below(3) == 0:
            call["tool_manifest"] = [{"skill_id": skill} for skill in SKILLS if dice.below(2)]
        if dice.below(3) == 0:
            call["context_summary"] = " ".join(dice.pick(WORDS) for _ in range(dice.below(5)))
        if dice.below(4) == 0:
            call["memory_snippets"] = [{"text": dice.pick(WORDS)} for _ in range(dice.below(3))]
        for _ in range(max(0, dice.below(5) - 2)):
            name = dice.pick((
                "agent_id", "goal", "context_summary", "memory_snippets", "tool_manifest", "extra", "self", "inputs",
                "url", "domain", "problem", "state", "budgets", "max_iterations", "request", "",
            ))  # fmt: skip
            call[name] = dice.pick(ODD)
        if dice.below(40) == 0:
            call.pop(dice.pick(tuple(call)))
        yield call


class GarbageModel:
    """A model that answers with something between a good plan and nonsense."""

    def __init__(self) -> None:
        self._asked = 0

    def complete(self, request: Any) -> ModelReply:
        self._asked += 1
        dice = Dice(10_000_000 + self._asked)
        step = {"step_id": "s1", "skill": dice.pick(SKILLS), "params": "{}", "depends_on": [], "on_error": "abort"}
        odd = ("s1", "{}", [], 5, None, "é", [["x"]], '{"a": "{{s9.x}}"}', "[" * 2000)
        if dice.below(2):
            step[dice.pick(tuple(step))] = dice.pick(odd)
        good = json.dumps({"steps": [step]})
        texts = (good, good, json.dumps({"steps": [step] * 2}), "", "{", "null", "\ud800", "[" * 9000)
        reason = dice.pick(("end_turn", "end_turn", "end_turn", "max_tokens", "refusal", "odd"))
        if dice.below(20) == 0:
            raise dice.pick((RuntimeError, TimeoutError, UnicodeError, RecursionError))("the service broke")
        return ModelReply(text=dice.pick(texts), input_tokens=dice.below(5000), output_tokens=1, stop_reason=reason)


def travel_domain() -> Domain:
    """A domain with a command that refuses and a task whose only method leads nowhere."""
    domain = Domain("travel")

    @domain.command
    def walk(state: Any, who: Any, here: Any, there: Any) -> Any:
        if state.at[who] != here:
            return refuse("not there")
        state.at[who] = there
        return state

    @domain.method(task="travel")
    def on_foot(state: Any, who: Any, there: Any) -> Any:
        return [("walk", who, state.at[who], there)]

    @domain.method(task="fail")
    def nowhere(state: Any) -> Any:
        return [("walk", "alice", "nowhere", "home")]

    return domain


def planner_for_calls(planner_id: str) -> Any:
    """Make a registered planner with what it needs; the one that needs a service gets a broken one instead."""
    options: dict[str, dict[str, Any]] = {
        "htn": {"domain": travel_domain(), "state": State({"at": {"alice": "home"}})},
        "hddl": {"domain": HDDL_DOMAIN},
        "tools": {"tools": TOOLS},
    }
    planner = default_registry().create(planner_id, **options.get(planner_id, {}))
    if isinstance(planner, ModelPlanner):
        planner.correspondent = Correspondent(GarbageModel(), model="garbage")
    return planner


def assert_keeps_contract(planner: Any, call: dict[str, Any]) -> str:
    """Call a planner and hold its answer to the contract; return "plan" or "error"."""
    answer = planner.plan(**call)
    if isinstance(answer, PlannerOutput):
        nothing_to_do = answer.metadata.get("status") == "satisfied"
        assert validate_plan(answer.plan, call.get("tool_manifest"), allow_empty=nothing_to_do) == (), call
        canonical_bytes(answer.as_dict())
        return "plan"
    assert isinstance(answer, PlannerError), call
    assert answer.code in CODES, call
    assert answer.code != "PLANNER_INTERNAL" or isinstance(planner, ModelPlanner), (call, answer)
    assert answer.message
    assert isinstance(answer.retryable, bool)
    canonical_bytes(answer.as_dict())
    return "error"
