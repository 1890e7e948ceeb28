"""The goal planner: tool calls for wishes in words and as data, refusals, and the same through the contract."""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from golden.corpus.case import Case, as_json
from golden.corpus.ledger import ledger
from planvow import canonical_bytes
from planvow.cassette import Outcome
from planvow.cassette.jobs.from_contract import stored_plan
from planvow.contract import default_registry, safe_plan
from planvow.contract.plan.plan import build_plan
from planvow.goals import (
    Fact,
    FactsMemory,
    GoalInterpreter,
    GoalOrchestrator,
    GoalPlanner,
    Limits,
    MetaGoal,
    ToolCapability,
    ToolGoal,
    ToolRegistry,
    WorldState,
)
from planvow.goals.grammar.lexicon import Lexicon
from planvow.goals.grammar.near import is_slip
from planvow.goals.grammar.tokens import tokens_of
from planvow.goals.rephrase.remarks import without_remarks
from planvow.goals.rephrase.turns import _any
from planvow.goals.run.recall import memory_of_goals
from planvow.goals.run.remember import remembering
from planvow.goals.understand.doubt import one_of
from planvow.goals.values.config import default_config

WISHES = {
    "search": "open youtube and search nvidia",
    "browser-first": "open firefox and search nvidia on youtube",
    "nested-folders": "create folder a and inside it folder b and inside it a file c.txt",
    "several": "create folder reports, then open notepad and calculator",
    "navigate": "go to example.org",
    "delete": "delete the file old notes.txt",
    "move": "move notes.txt to the folder archive",
    "doubt": "open the pod bay doors",
    "typo": "search cats on youtub",
    "refused": "delete the folder /etc",
    "vague": "do something nice",
    "longer-name": "search cafes on google maps",
    "longer-name-said-freely": "pop google maps open",
}
NEEDS = {"login", "consent", "network"}
TOOLS = (
    ToolCapability(name="web.search", can_achieve={"browser_search"}, requires=NEEDS),
    ToolCapability(name="z.net", effects={"network", "clock"}),
    ToolCapability(name="a.login", effects={"login"}, requires={"network", "account.active"}),
    ToolCapability(name="b.login", effects={"login"}, requires={"network", "account.active"}),
    ToolCapability(name="m.consent", effects={"consent"}, requires={"app_running:mail"}),
    ToolCapability(name="app", can_achieve={"app_launch"}, effects={"app_running:mail"}),
    ToolCapability(name="facts", can_achieve={"system_query"}),
)
FACTS = [
    Fact(subject="account", predicate="active", value=True, timestamp=5),
    Fact(subject="account", predicate="age", value={"b": {3, 1, 2}, "a": ("x", "y")}, timestamp=5),
    Fact(subject="account", predicate="age", value=7, timestamp=9),
    Fact(subject="chrome", predicate="installed", value=False),
]
WORLD = WorldState(recent_facts=FACTS, running_apps={"notepad", "calculator"})
SEARCH = ToolGoal(goal_type="browser_search", platform="youtube", query="nvidia 5090 & more")


def registered(goal: str, **extra: Any) -> bytes:
    """What the planner of the registry answers."""
    return canonical_bytes(
        safe_plan(default_registry().create("goal"), agent_id="golden", goal=goal, **extra).as_dict()
    )


def read(wish: str) -> bytes:
    found = GoalInterpreter().interpret(wish)
    meta = found.meta_goal
    understood = [] if meta is None else [meta.meta_type, meta.goals, list(meta.dependencies.items())]
    return canonical_bytes([found.status, found.reason, found.choices, *understood]) + b"\n" + registered(wish)


def chains() -> str:
    """Tools that need other tools, ties between equal ones, and what stands in the way where nothing helps."""
    planner = GoalPlanner()
    blocked = [
        ToolCapability(name=f"x{i}", can_achieve={"browser_search"}, requires={f"n{i}", f"m{i}"}) for i in range(3)
    ]
    return as_json(
        [
            planner.plan(SEARCH, WORLD, TOOLS),
            planner.plan(SEARCH, WORLD, reversed(TOOLS)),
            planner.plan(SEARCH, WorldState(), TOOLS),
            planner.plan(SEARCH, WORLD, ToolRegistry.default().capabilities()),
            planner.plan(SEARCH, WORLD, blocked),
            planner.plan(SEARCH, WORLD, None),
            planner.plan(ToolGoal(goal_type="system_query", target="clock"), WORLD, TOOLS),
            planner.plan(ToolGoal(goal_type="app_launch", target="mail"), WORLD, TOOLS),
        ]
    )


def lexicon() -> str:
    """Verbs that tools lend, words that may be slips for several, and letters that changed places."""
    achieves = {"z.shred": "move_file", "shred_file": "delete_file", "burn": "delete_file"}
    tools = [ToolCapability(name=name, can_achieve={word}) for name, word in achieves.items()]
    lent = [Lexicon(default_config(), given).phrases for given in (tools, tools[::-1])]
    phrases = [[[*phrase], value] for one in lent for name in ("DELETE", "MOVE") for phrase, value in one[name].items()]
    slips = Lexicon(default_config()).mended(tokens_of("subafolder opne notepad"))
    found = GoalInterpreter(tools=tools).interpret("shred the file a.txt")
    letters = [is_slip("opne", "open"), is_slip("open", "pone")]
    return as_json([phrases, [[token.text, word] for token, word in slips], letters, found.status, found.meta_goal])


GROUP = (
    ToolGoal(goal_type="file_operation", action="create", object_type="folder", target="x", goal_id="x"),
    ToolGoal(goal_type="app_launch", target="firefox", goal_id="browser"),
    ToolGoal(goal_type="file_operation", action="create", object_type="file", target="y.txt", scope="inside:x"),
    ToolGoal(goal_type="browser_search", platform="youtube", query="tea", scope="after:browser"),
    ToolGoal(goal_type="app_launch", target="notepad", scope="after:x"),
    ToolGoal(goal_type="file_operation", action="delete", object_type="folder", target="/etc"),
)


def group() -> str:
    """Goals that wait for each other, one superfluous, one refused."""
    meta = MetaGoal.of(GROUP, also={4: (2, 0), 3: (2, 0)})
    orchestrator = GoalOrchestrator(anchors={"workspace": "/w", "desktop": "/d"})
    planned = orchestrator.plan(meta, WORLD, ToolRegistry.default().capabilities())
    several = orchestrator.plan(meta, WORLD, TOOLS)
    assert planned.graph is not None
    return as_json(
        {
            "dependencies": list(meta.dependencies.items()),
            "status": planned.status,
            "nodes": planned.graph.nodes,
            "edges": planned.graph.edges,
            "goal actions": list(planned.graph.goal_actions.items()),
            "order": planned.graph.execution_order,
            "failed": planned.failed_goals,
            "with other tools": [several.status, several.reason, several.failed_goals],
        }
    )


def file_goals() -> str:
    """Every file action with its arguments, and the preferred tool before others of the same use."""
    planner = GoalPlanner()
    asked = (
        {"action": "delete", "object_type": "folder", "recursive": True},
        {"action": "rename", "object_type": "file", "new_name": "b.txt"},
        {"action": "write", "object_type": "file", "content": "text"},
        {"action": "append", "object_type": "file", "content": "more"},
        {"action": "copy", "object_type": "file", "destination": "/w/c.txt"},
        {"action": "create", "object_type": "folder"},
    )
    own = ToolCapability(name="aaa.make", can_achieve={"create_folder"})
    tools = [*ToolRegistry.default().capabilities(), own]
    goals = [ToolGoal(goal_type="file_operation", target="a.txt", resolved_path="/w/a.txt", **more) for more in asked]
    return as_json([planner.plan(goal, WorldState(), tools) for goal in goals])


def choices_of_tools() -> str:
    """Which of several providers serves, and which lack is named where none can."""
    planner = GoalPlanner()
    mail = [
        ToolCapability(name="search", can_achieve={"browser_search"}, requires={"app_running:mail"}),
        ToolCapability(name="b.mail", effects={"app_running:mail", "x"}),
        ToolCapability(name="a.launch", effects={"app_running", "y"}),
    ]
    lacking = [
        ToolCapability(name="search", can_achieve={"browser_search"}, requires={"login"}),
        ToolCapability(name="in", effects={"login"}, requires={"zz", "aa", "mm"}),
    ]
    registry = ToolRegistry(reversed(ToolRegistry.default().capabilities()))
    return as_json(
        [
            planner.plan(SEARCH, WorldState(), mail),
            planner.plan(SEARCH, WorldState(), lacking),
            [tool.name for tool in planner.config.tools],
            [tool.name for tool in registry.capabilities()],
        ]
    )


def out_of_budget() -> str:
    """The rough plan that is given where the search ends at its limit: ties between providers, and their order."""
    tools = [
        ToolCapability(name="goal", can_achieve={"browser_search"}, requires={"p", "q", "r", "s"}),
        *(ToolCapability(name=f"{word}{i}", effects={word}, requires=needs) for word, needs in ROWS for i in range(2)),
    ]
    planner = GoalPlanner(limits=Limits(max_steps=1))
    return as_json([planner.plan(SEARCH, WorldState(), tools), planner.plan(SEARCH, WorldState(), tools[:1])])


ROWS: tuple[tuple[str, set[str]], ...] = (("p", {"s"}), ("q", {"r", "p"}), ("r", set()), ("s", {"r"}))


def switches() -> str:
    """Calls that undo what others need, called for the first of two words they bring."""
    tools = [
        ToolCapability(name="goal", can_achieve={"browser_search"}, requires={"a.x=1", "b.x=1", "c.x=2"}),
        ToolCapability(name="both", effects={"a.x=1", "b.x=1"}, requires={"c.x=1"}),
        ToolCapability(name="one", effects={"c.x=1"}),
        ToolCapability(name="two", effects={"c.x=2"}, requires={"c.x=1"}),
    ]
    shown = [Fact(subject="c", predicate="x", value=2), Fact(subject="a", predicate="x", value=2)]
    planner = GoalPlanner()
    return as_json([planner.plan(SEARCH, WorldState(recent_facts=facts), tools) for facts in ((), shown)])


def lacking_launcher() -> str:
    """Which provider's lack is told where an app could be started in two ways and neither can."""
    tools = [
        ToolCapability(name="search", can_achieve={"browser_search"}, requires={"app_running:mail"}),
        ToolCapability(name="b.mail", effects={"app_running:mail"}, requires={"licence"}),
        ToolCapability(name="a.launch", effects={"app_running"}, requires={"desk"}),
    ]
    return as_json(GoalPlanner().plan(SEARCH, WorldState(), tools))


def without_launch() -> str:
    """A group in which no launch is superfluous: what each goal uses, in the order of the goals."""
    goals = [ToolGoal(goal_type="app_launch", target=name) for name in ("notepad", "calculator", "notepad", "paint")]
    meta = MetaGoal.of(goals, also={1: (0,), 2: (1, 0), 3: (2, 0)})
    planned = GoalOrchestrator().plan(meta, WorldState(), ToolRegistry.default().capabilities())
    assert planned.graph is not None
    return as_json([planned.graph.nodes, list(planned.graph.goal_actions.items()), planned.graph.execution_order])


def remembered() -> str:
    """What running two tools teaches: their effects in order, then what they say."""
    memory = FactsMemory()
    effects = {"door.open", "light.on=false", "noise", "alarm.level=3", "alarm.level=7"}
    tools = [ToolCapability(name="door", effects=effects)]
    told = [{"subject": "door", "predicate": "colour", "value": "red"}, {"subject": 5}]
    handlers = remembering({"door": lambda step: {"facts": told}}, memory, tools, now_s=lambda: 7)
    handlers["door"](SimpleNamespace(claim=SimpleNamespace(job_id="job")))  # type: ignore[arg-type]
    return as_json([vars(fact) for fact in memory.recall(now_s=8)])


def recalled_from_a_ledger() -> str:
    """What two steps of one plan taught about one thing: the later one counts."""
    told = [{"facts": [{"subject": "door", "predicate": "colour", "value": value}]} for value in ("red", "blue")]
    steps = [{"step_id": f"s{number}", "skill": "door", "params": {}} for number in (1, 2)]
    with ledger() as (_, store, _again):
        plan = build_plan({"steps": steps})
        store.post("run", {}, stored_plan(plan, planner_id="goal", planner_version="1", request_id="r"))
        for output in told:
            claim = store.claim("w-1")
            assert claim is not None
            store.complete(claim, Outcome.SUCCESS, {"output": output})
        now_s = store.now_ms() // 1000
        memory = memory_of_goals(store, [ToolCapability(name="door")], now_s=now_s)
        return as_json([fact.value for fact in memory.recall(now_s=now_s)])


def remarks() -> str:
    """What follows remarks, the nearest first, and forms of words, the longer before the shorter."""
    said = ("the room is dark, I cannot see, so open notepad", "it is late. I am tired, so open notepad")
    forms = dict.fromkeys(("made", "made up", "done", "cut out"), "")
    return as_json([*(list(without_remarks(wish, lambda _: ())) for wish in said), _any(forms)])


def patterns() -> str:
    """Names in a pattern: the longer before the shorter, then by name."""
    return as_json([one_of(("wiki", "google", "wikipedia", "google maps", "bing")), one_of(frozenset({"b", "a.c"}))])


def world() -> str:
    memory = FactsMemory()
    for fact in reversed(FACTS):
        memory.remember(fact)
    many = [Fact(subject=f"s{i}", predicate="p", value=i, timestamp=i % 7) for i in range(1_100)]
    kept = [fact.subject for fact in WorldState(recent_facts=many).recent_facts]
    return as_json(
        {
            "world": WORLD,
            "facts": WORLD.recent_facts,
            "words": sorted(WORLD.words()),
            "remembered": memory.recall(now_s=10),
            "newest": [len(kept), *sorted({fact.subject for fact in many} - {*kept})[:20]],
        }
    )


def own_tools() -> str:
    """Tools from a file, with everything that can be said of one."""
    rows = [
        {"name": "lamp.on", "description": "light the lamp", "can_achieve": ["light"], "requires": ["power"],
         "effects": ["lamp.lit"]},
        {"name": "bell"},
    ]  # fmt: skip
    registry = ToolRegistry.from_data(rows)
    return as_json([registry.capabilities(), registry.descriptions])


def tools() -> str:
    return as_json(ToolRegistry.default().capabilities())


def cases() -> Iterator[Case]:
    for name, wish in WISHES.items():
        yield Case(f"goals/wish.{name}", "goal plan", lambda w=wish: read(w))


AS_DATA = {
    "goals": [{"goal_type": "app_launch", "target": "notepad"}, {"goal_type": "app_launch", "target": "calculator"}]
}
CASES = (
    *cases(),
    Case("goals/as-data", "goal plan", lambda: registered(json.dumps(AS_DATA), workspace="/home/me")),
    Case("goals/chains", "goal plan", chains),
    Case("goals/lexicon", "goal plan", lexicon),
    Case("goals/group", "goal plan", group),
    Case("goals/files", "goal plan", file_goals),
    Case("goals/providers", "goal plan", choices_of_tools),
    Case("goals/out-of-budget", "goal plan", out_of_budget),
    Case("goals/switches", "goal plan", switches),
    Case("goals/lacking-launcher", "goal plan", lacking_launcher),
    Case("goals/without-launch", "goal plan", without_launch),
    Case("goals/remembered", "goal plan", remembered),
    Case("goals/recalled", "goal plan", recalled_from_a_ledger),
    Case("goals/remarks", "goal plan", remarks),
    Case("goals/patterns", "goal plan", patterns),
    Case("goals/world", "goal plan", world),
    Case("goals/tools", "goal plan", tools),
    Case("goals/own-tools", "goal plan", own_tools),
)
