"""The world of the demo: a robot brings tea. Two ways into the library, one of which the robot is wrong about."""

from __future__ import annotations

from typing import Any

from planvow.kernel.domain.domain import Domain, refuse
from planvow.kernel.domain.terms import Goal, attach_metadata
from planvow.kernel.search.problem import Problem, make_problem
from planvow.kernel.time.timing import Timing
from planvow.kernel.world.state import State

tea = Domain("tea")


@tea.command(duration="PT2M")
def go(state: Any, place: str, door: str) -> Any:
    if not state.open[door]:
        return refuse(f"the {door} is locked")
    state.at["robot"] = place
    return state


@tea.command(duration="PT4M")
def brew(state: Any, cup: str) -> Any:
    if state.at["robot"] != "kitchen":
        return refuse("tea is brewed in the kitchen")
    state.holds[cup] = "tea"
    return state


@tea.command(duration="PT1M")
def serve(state: Any, cup: str, who: str) -> Any:
    if state.at["robot"] != state.at[who]:
        return refuse(f"{who} is not here")
    state.served[who] = state.holds[cup]
    return state


@tea.method(task="reach")
def by_the_front_door(state: Any, place: str) -> Any:
    return [("go", place, "front door")]


@tea.method(task="reach")
def through_the_garden(state: Any, place: str) -> Any:
    return [("go", place, "garden door")]


@tea.method(goal="served")
def bring_tea(state: Any, who: str, drink: str) -> Any:
    return [("brew", "cup"), ("reach", state.at[who]), ("serve", "cup", who)]


def world(*, front_door_open: bool) -> State:
    """The house, as it is or as the robot believes it to be."""
    return State(
        at={"robot": "kitchen", "grandmother": "library"},
        open={"front door": front_door_open, "garden door": True},
        holds={},
        served={},
    )


def problem(*, front_door_open: bool = True, deadline: str | None = None) -> Problem:
    """Tea for grandmother, within a quarter of an hour, and before a deadline if there is one."""
    goal: Any = Goal("served", "grandmother", "tea")
    if deadline is not None:
        goal = attach_metadata(goal, {"deadline": deadline})
    return make_problem(tea, world(front_door_open=front_door_open), [goal], time=Timing(horizon="PT15M"))


HDDL_DOMAIN = """(define (domain errands)
  (:types place)
  (:predicates (at ?p - place) (road ?a ?b - place))
  (:task visit :parameters (?p - place))
  (:method already-there :parameters (?p - place) :task (visit ?p) :precondition (at ?p) :ordered-subtasks ())
  (:method by-road :parameters (?p ?via - place) :task (visit ?p)
    :precondition (road ?via ?p) :ordered-subtasks (and (visit ?via) (drive ?via ?p)))
  (:action drive :parameters (?a ?b - place)
    :precondition (and (at ?a) (road ?a ?b)) :effect (and (not (at ?a)) (at ?b))))
"""
HDDL_PROBLEM = """(define (problem to-the-sea) (:domain errands)
  (:objects home mill bridge sea - place)
  (:htn :ordered-subtasks (visit sea))
  (:init (at home) (road home mill) (road mill bridge) (road bridge sea)))
"""
DEBATE = """MODERATOR: Should the city build the tram?
ANNA: The tram will cost 300 million euros. It carries 40,000 people a day, because the buses are full.
BEN: That is wrong. The audit found that 21 percent of bus seats stayed empty last year. We should repair the roads.
ANNA: He repeats that figure, but it was measured in August.
"""
