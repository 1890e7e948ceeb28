"""The engine: plans, graphs, explanations, certificates, repairs and scores, of the examples and of a workshop."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType
from typing import Any

from golden.corpus import workshop
from golden.corpus.case import ROOT, Case, as_json
from planvow import Budgets, Domain, Goal, MultiGoal, Planner, Result, State, make_problem, plan, plans, refuse, replan
from planvow.beliefs import Belief, BeliefManager, Persona, act_on_beliefs
from planvow.canonical import canonical_bytes
from planvow.contract.checking.check import certificate_hash, inputs_hash
from planvow.debate import TraceRecorder
from planvow.kernel import Problem, Scores, attach_metadata, run_lazy_lookahead, simulate, solve
from planvow.kernel.domain.entities import Entity
from planvow.kernel.search.plain import plain_plans
from planvow.kernel.time.timing import Timing

EXAMPLES = ROOT / "examples"
ALL_TOOLS = {"lathe", "goggles", "knife", "bench", "apron"}


@cache
def example(name: str) -> ModuleType:
    """Load an example as its own script would be."""
    sys.path.insert(0, str(EXAMPLES))
    try:
        spec = spec_from_file_location(f"golden_example_{name}", EXAMPLES / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
    finally:
        sys.path.remove(str(EXAMPLES))


def answer(result: Result) -> str:
    return as_json(result.as_dict())


def graph(result: Result) -> str:
    drawn = (result.to_text(), result.to_mermaid(), result.to_dot(), result.to_timeline() if _is_timed(result) else "")
    return "\n\n".join(drawn)


def pictures(result: Result) -> str:
    return f"{result.to_svg()}\n{result.to_timeline_svg() if _is_timed(result) else ''}"


def _is_timed(result: Result) -> bool:
    return bool(result.time_allocations)


def explanation(result: Result) -> str:
    json.dumps(result.explain_plan())  # it is plain data: nothing has to be converted
    return f"{as_json(result.explain_plan())}\n{result.explain_text()}\n{as_json(result.find_failed_nodes())}"


def certificate(result: Result) -> bytes:
    made = result.certificate()
    assert made.verify().accepted
    return without_source(made.document)


def without_source(document: Mapping[str, Any]) -> bytes:
    """A certificate whose domain has no source on record: an example may be reworded without a new version."""
    plain = {**document, "domain": {**document["domain"], "source": "unknown"}}
    plain["inputs_hash"] = inputs_hash(plain)
    plain["hash"] = certificate_hash(plain)
    return canonical_bytes(plain)


def documents(name: str, problem: Callable[[], Problem], *, solved: bool = True, drawn: bool = False) -> Iterator[Case]:
    """Every document of one problem, each made from a search of its own."""

    def case(what: str, kind: str, show: Callable[[Result], Any]) -> Case:
        return Case(f"htn/{name}.{what}", kind, lambda: show(solve(problem())))

    yield case("plan", "htn plan", answer)
    yield case("explanation", "explanation", explanation)
    if solved:
        yield case("graph", "solution graph", graph)
        yield case("certificate", "certificate", certificate)
    if drawn:
        yield case("pictures", "picture", pictures)


# The problems of the examples: example, name of the problem, whether there is a plan.
PROBLEMS = (
    ("blocks", "problem", True), ("blocks", "by_goals", True), ("blocks", "by_multigoal", True),
    ("blocks", "by_splitting", True), ("book_trip", "problem", True),
    ("bring_lamp", "problem", True), ("mend_repository", "problem", True), ("dinner_party", "problem", True),
    ("dinner_party", "in_a_hurry", False),
    ("fox_goose_corn", "problem", True), ("logistics", "problem", True), ("npc_heist", "problem", True),
    ("npc_heist", "by_the_hacker", True), ("npc_heist", "by_the_locksmith", True),
    ("npc_heist", "by_the_statue", False), ("rescue", "problem", True), ("robot_tea", "problem", True),
    ("robot_tea", "unhurried", True), ("travel", "problem", True), ("travel", "poor", False),
    ("two_robots", "problem", True), ("two_robots", "one_after_the_other", True),
)  # fmt: skip
DRAWN = ("travel", "dinner_party")


def of_example(name: str, problem: str) -> Callable[[], Problem]:
    return lambda: getattr(example(name), problem)


def table(**options: Any) -> Problem:
    return make_problem(workshop.workshop, workshop.start(), [("table",)], capabilities=ALL_TOOLS, **options)


def learned() -> Result:
    return solve(table(selection="learned"))


def some_scores() -> Scores:
    return Scores.from_dict(
        {
            "activity": {"make:by_hand": 2.5, "make:by_machine": 0.5},
            "tries": {"make:by_hand": 3},
            "wins": {"make:by_hand": 1},
            "increment": 1.5,
            "bumps": 7,
        }
    )


WORKSHOP: dict[str, tuple[Callable[[], Problem], bool]] = {
    "table": (table, True),
    "table-cheapest-method": (lambda: table(selection="cost"), True),
    "table-learned": (lambda: table(selection="learned", scores=some_scores()), True),
    "table-least-cost": (lambda: table(optimal="cost"), True),
    "table-fewest-steps": (lambda: table(optimal="steps"), True),
    "table-without-a-knife": (
        lambda: make_problem(workshop.workshop, workshop.start(), [("table",)], capabilities={"apron"}),
        True,
    ),
    "table-blacklisted": (lambda: table(blacklist=[("saw", "leg", 2), ("saw", "top", 1), ("drop", "x")]), True),
    "table-few-iterations": (lambda: table(budgets=Budgets(max_iterations=3)), False),
    "table-not-deep": (lambda: table(budgets=Budgets(max_depth=1)), False),
    "no-wood": (
        lambda: make_problem(
            workshop.workshop,
            workshop.start(stock={"leg": 1, "top": 0}),
            [[("make", "leg"), ("make", "top")], ("table",)],
            capabilities=ALL_TOOLS,
        ),
        False,
    ),
    "multigoal": (lambda: make_problem(workshop.workshop, workshop.start(), [workshop.both]), True),
    "sequence-and-goal": (
        lambda: make_problem(
            workshop.workshop, workshop.start(), [[("saw", "leg", 1), ("make", "leg")], Goal("stock", "top", 1)]
        ),
        True,
    ),
    "order-of-births": (
        lambda: make_problem(
            workshop.workshop, workshop.sequence_of_finds(), [("drop", "b"), ("saw", "leg", 1), ("colour", {"red"})]
        ),
        True,
    ),
    "nothing-to-do": (lambda: make_problem(workshop.workshop, workshop.start(), [Goal("stock", "top", 4)]), True),
    "build": (
        lambda: make_problem(
            workshop.factory,
            workshop.floor(),
            [("build", "b"), ("build", "a")],
            time=Timing(ordering="concurrent", horizon="PT2H", start_time="PT5M", entities=welders()),
        ),
        True,
    ),
    "build-one-welder-too-few": (
        lambda: make_problem(
            workshop.factory,
            workshop.floor(),
            [("build", "b"), ("build", "a")],
            time=Timing(ordering="concurrent", entities=(Entity(entity_id="e", type="eye"),)),
        ),
        False,
    ),
    "film": (
        lambda: make_problem(workshop.factory, workshop.floor(), [("film", "a")], time=Timing(ordering="concurrent")),
        True,
    ),
    "twice-too-late": (
        lambda: make_problem(
            workshop.factory,
            workshop.floor(),
            [("weld", "a"), attach_metadata(("twice", "a", "b"), {"deadline": "PT30M"})],
        ),
        False,
    ),
    "ends": (
        lambda: make_problem(workshop.factory, workshop.floor(), [("ends", "a")], time=Timing(ordering="concurrent")),
        True,
    ),
}


def welders() -> tuple[Entity, ...]:
    return (
        Entity(entity_id="zoe", type="welder", capabilities=frozenset({"steel", "aluminium", "copper"})),
        Entity(entity_id="amy", type="welder", capabilities=frozenset({"steel", "aluminium"})),
        Entity(entity_id="bea", type="eye"),
    )


def in_a_notebook() -> str:
    """What a notebook shows of a plan."""
    return as_json(plan(example("travel").problem)._repr_mimebundle_())


def on_one_page() -> str:
    """The algorithm of `plain.py` on a multigoal that is split, and on the tables of the workshop."""
    split = example("blocks").by_splitting
    found = [next(plain_plans(split.domain, split.state, split.todo))]
    several = MultiGoal(at={"b": "there", "a": "there"}, seen={"z": True})
    walk = Domain("walk")
    walk.add_goal_methods("at", lambda state, who, there: [("go", who, there)])
    walk.add_goal_methods("seen", lambda state, who, value: [("look", who)])

    def go(state: Any, who: str, there: str) -> Any:
        state.at[who] = there
        return state

    def look(state: Any, who: str) -> Any:
        state.seen[who] = True
        return state

    walk.add_actions(go, look)
    found.append(next(plain_plans(walk, State({"at": {"a": "here", "b": "here"}, "seen": {"z": False}}), [several])))
    return as_json([each.steps for each in found])


def in_line() -> str:
    """A list of the state, long enough to be journaled, that a command sorts in place."""
    queue = Domain("queue")

    @queue.command
    def arrange(state: State) -> State:
        state.line["door"].sort()
        return state

    @queue.command
    def call(state: State, who: str) -> State | None:
        return state if state.line["door"][0] == who else None

    @queue.method(task="let_in")
    def whoever(state: State) -> Iterator[list[Any]]:
        for who in ("n299", "n200", "n250"):
            yield [("arrange",), ("call", who)]

    names = [f"n{200 + number * 7 % 100}" for number in range(100)]
    return answer(plan(queue, State(line={"door": names}), [("let_in",)]))


def three_tables() -> str:
    found = plans(workshop.workshop, workshop.start(), [("table",)], capabilities=ALL_TOOLS, limit=3)
    return "\n".join(answer(result) for result in found)


def scores() -> str:
    first = learned()
    assert first.scores is not None
    again = solve(table(selection="learned", scores=first.scores))
    assert again.scores is not None
    return as_json(
        [first.scores.as_dict(), first.scores.content_hash, again.scores.as_dict(), again.scores.content_hash]
    )


def repairs() -> str:
    """A plan mended after its first drive failed, and mended again after the second part of the rest failed."""
    first, mended = example("rescue").mend()
    node = mended.solution_graph.commands()[-1]
    again = replan(mended, first.problem.state, node.node_id)
    return "\n".join(f"{answer(result)}\n{explanation(result)}\n{graph(result)}" for result in (mended, again))


def repair_in_time() -> str:
    tea = solve(example("robot_tea").unhurried)
    failed = next(node for node in tea.solution_graph.commands() if node.item[0] == "go")
    mended = replan(tea, tea.problem.state, failed.node_id, now="PT1M", blacklist=False)
    other = replan(tea, tea.problem.state, failed.node_id)
    return "\n".join(f"{answer(result)}\n{explanation(result)}" for result in (mended, other))


def act() -> str:
    run = example("rescue").act()
    failures = [[list(failure.command), str(failure.reason)] for failure in run.failures]
    return as_json({"executed": run.executed, "failures": failures, "state": run.state.get_triples_as_array()})


def lookahead_in_the_workshop() -> str:
    run = run_lazy_lookahead(workshop.workshop, workshop.start(), [workshop.both])
    ran = simulate(learned())
    return as_json({"executed": run.executed, "states": [state.get_triples_as_array() for state in ran]})


def beliefs() -> str:
    heist = example("heist_beliefs")
    world = heist.museum()
    run = act_on_beliefs(world, "vera", example("npc_heist").heist, heist.TODO)
    surprises = [[list(surprise.command), str(surprise.reason)] for surprise in run.surprises]
    mind = world.planner_state("vera", "vera")
    return as_json(
        {
            "executed": run.executed,
            "surprises": surprises,
            "facts": world.facts.get_triples_as_array(),
            "mind": mind.get_triples_as_array(),
            "personas": [persona.persona_id for persona in several().personas()],
            "lacks": Persona.basic("x").lacks(["fly", "compute", "dig"]),
            "plans": [result.as_dict() for result in run.plans],
        }
    )


def several() -> BeliefManager:
    world = BeliefManager(State())
    for name in ("zoe", "amy", "max"):
        world.register(Persona.basic(name))
    return world


def timed_lookahead() -> str:
    """Plans in time that go on after a surprise: what comes next starts later."""
    tries = []

    def world(state: Any, command: Any) -> Any:
        tries.append(command)
        return (
            refuse("it slipped")
            if len(tries) == 2
            else workshop.factory.commands[command[0]].model(state, *command[1:])
        )

    todo = [("weld", "a"), ("check", "a"), ("note", "b")]
    run = run_lazy_lookahead(workshop.factory, workshop.floor(), todo, execute=world)
    mind = BeliefManager(workshop.floor())
    mind.register(Persona.basic("me", sensed=frozenset({"a", "b"})))
    mind.believe("me", "a", "welded", Belief(value=True, timestamp=9))
    acted = act_on_beliefs(mind, "me", workshop.factory, [("note", "b"), ("build_or_check", "a")])
    return as_json(
        {
            "executed": run.executed,
            "plans": [result.as_dict() for result in run.results],
            "surprises": [[list(surprise.command), str(surprise.reason)] for surprise in acted.surprises],
            "acted": [result.as_dict() for result in acted.plans],
        }
    )


def births_after_undo() -> str:
    """Subjects that were deleted and came back by backtracking are seen in the order of their births."""
    found = plan(workshop.workshop, workshop.sequence_of_finds(), [("tidy", "b")])
    return f"{answer(found)}\n{certificate(found).decode()}"


def seed_planner() -> str:
    """The planner of seed 001: learned selection, blacklist, metadata, its own limits."""
    planner = Planner(workshop.workshop, capabilities=ALL_TOOLS)
    planner.blacklist_command(("saw", "leg", 2))
    return answer(planner.find_plan(workshop.start(), [("table",)]))


def trace() -> str:
    recorder = TraceRecorder()
    plan(workshop.workshop, workshop.start(), [("table",)], capabilities={"apron"}, trace=recorder)
    return recorder.export_json()


def states() -> str:
    """States of every kind of value, as triples and after a round trip."""
    known = workshop.start()
    told = {"confidence": 0.5, "timestamp": 7, "source": "eye", "type": "belief", "accessibility": "private"}
    known.set_predicate("leg", "stock", 9, told)
    found = [workshop.start(), workshop.sequence_of_finds()]
    return f"{as_json(known.get_metadata('leg', 'stock'))}\n" + "\n".join(
        f"{as_json(state.get_triples_as_array())}\n"
        f"{as_json(State.from_triples(state.get_triples_as_array()).get_triples_as_array())}"
        for state in found
    )


def checked() -> str:
    """What `planvow check` finds in a domain with faults."""
    found = workshop.workshop.check([("tabel",), ("make",)])
    return as_json([[finding.code, finding.message] for finding in found])


CASES = (
    *(
        case
        for name, problem, is_solved in PROBLEMS
        for case in documents(
            f"{name}.{problem}",
            of_example(name, problem),
            solved=is_solved,
            drawn=problem == "problem" and name in DRAWN,
        )
    ),
    *(
        case
        for name, (problem, is_solved) in WORKSHOP.items()
        for case in documents(f"workshop.{name}", problem, solved=is_solved, drawn=name == "film")
    ),
    Case("htn/workshop.three-plans", "htn plan", three_tables),
    Case("htn/on-one-page", "htn plan", on_one_page),
    Case("htn/in-a-notebook", "htn plan", in_a_notebook),
    Case("htn/in-line", "htn plan", in_line),
    Case("htn/workshop.scores", "scores", scores),
    Case("htn/workshop.lookahead", "htn plan", lookahead_in_the_workshop),
    Case("htn/workshop.seed-planner", "htn plan", seed_planner),
    Case("htn/workshop.births", "certificate", births_after_undo),
    Case("htn/factory.lookahead", "repair", timed_lookahead),
    Case("htn/workshop.trace", "trace", trace),
    Case("htn/workshop.states", "htn plan", states),
    Case("htn/workshop.check", "explanation", checked),
    Case("htn/rescue.repairs", "repair", repairs),
    Case("htn/rescue.act", "repair", act),
    Case("htn/robot_tea.repairs", "repair", repair_in_time),
    Case("htn/heist_beliefs.run", "htn plan", beliefs),
)
