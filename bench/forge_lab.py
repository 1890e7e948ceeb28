"""A shipyard with everything a certificate can speak of, so that every kind of forgery has something to forge."""

from __future__ import annotations

from typing import Any

from planvow import Domain, Goal, MultiGoal, State, make_problem, refuse
from planvow.contract.interface.interface import PlannerOutput
from planvow.contract.plan.plan import step_data
from planvow.kernel.domain.entities import Entity
from planvow.kernel.domain.terms import attach_metadata
from planvow.kernel.time.timing import Timing
from planvow.temporal import before

yard = Domain("shipyard")


@yard.command(duration=lambda state, plate: state.hardness[plate] * 10)
def drill(state, plate):
    state.hole[plate] = True
    return state


@yard.command(duration=5)
def screw(state, plate):
    if not state.hole.get(plate):
        return refuse("there is no hole")
    state.fixed[plate] = True
    return state


@yard.command(duration=[3, 8], requires=["steady hand"])
def paint(state, plate, colour):
    state.colour[plate] = colour
    state.pots -= 1
    return state


@yard.command(duration=2)
def inspect(state):
    if not all(state.fixed.get(plate) for plate in state.hardness):
        return refuse("something is loose")
    state.inspected["hull"] = True
    return state


@yard.command
def launch(state, ship):
    state.afloat[ship] = True
    return state


@yard.method(task="fasten")
def glue(state, plate):
    return [("launch", plate)] if "glue" in state.stock else refuse("there is no glue")


@yard.method(task="fasten")
def drill_and_screw(state, plate):
    return [
        attach_metadata(("drill", plate), None, {"type": "hand", "capabilities": ["drill"]}),
        attach_metadata(("screw", plate), {"deadline": 500}, {"type": "hand"}),
        before("drill", "screw", at_most=400),
    ]


@yard.method(task="decorate")
def in_some_colour(state, plate):
    for colour in state.stock:
        yield [attach_metadata(("paint", plate, colour), {"duration": [4, 6]})]


@yard.method(task="build")
def all_plates(state, ship):
    plates = sorted(state.hardness)
    return [
        *(("fasten", plate) for plate in plates),
        [("inspect",), ("decorate", plates[0])],
        Goal("afloat", ship, True),
    ]


@yard.method(goal="afloat")
def by_launching(state, ship, wanted):
    return [("launch", ship)]


@yard.method(goal="colour")
def by_painting(state, plate, colour):
    return [("paint", plate, colour)]


def start() -> State:
    return State(
        hardness={"keel": 3, "bow": 1, "stern": 2}, hole={}, fixed={}, colour={"bow": "red"}, inspected={}, afloat={},
        stock={"red": 1, "blue": 2, "white": 3}, pots=9,
    )  # fmt: skip


hands = (
    Entity(entity_id="ann", type="hand", capabilities=frozenset({"drill", "lift"})),
    Entity(entity_id="bob", type="hand"),
    Entity(entity_id="cat", type="foot", capabilities=frozenset({"drill"})),
)
agenda = [
    attach_metadata(("build", "ship"), {"deadline": 900, "not_before": 10}),
    attach_metadata(Goal("colour", "stern", "blue"), {"relations": [before("build", "self", gap=2)]}),
    MultiGoal(colour={"bow": "white", "stern": "blue"}, afloat={"ship": True}),
]
in_turn = make_problem(
    yard,
    start(),
    agenda,
    time=Timing(horizon=1000, start_time=1, entities=hands),
    blacklist=[("paint", "bow", "red")],
    capabilities=["steady hand", "patience"],
)
side_by_side = make_problem(
    yard,
    start(),
    agenda,
    time=Timing(horizon=1000, ordering="concurrent", entities=hands),
    blacklist=[("paint", "bow", "red")],
)
PROBLEMS = {"in_turn": in_turn, "side_by_side": side_by_side}


class Relay:
    """A planner from elsewhere: three steps, each of which needs what the one before gave."""

    planner_id = "relay"
    version = "1.0.0"

    def get_determinism_mode(self) -> str:
        return "full"

    def plan(self, agent_id: str, goal: str, *rest: Any, **more: Any) -> PlannerOutput:
        """Fetch, summarise, send."""
        steps = [
            step_data("fetch", {"url": "{{input.url}}"}, step_id="s1", output_key="page"),
            step_data("summarise", {"text": "{{page.text}}"}, step_id="s2", depends_on=["s1"], output_key="summary"),
            step_data("send", {"text": "for ann: {{summary.text}}"}, step_id="s3", depends_on=["s2"]),
        ]
        return PlannerOutput(plan={"steps": steps}, metadata={"model": "by hand"}, deterministic=True)
