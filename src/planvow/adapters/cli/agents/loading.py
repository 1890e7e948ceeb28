"""The agent that a Python file declares: its problem, its tools, and what it sees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from planvow.adapters.cli.frame.output import note
from planvow.adapters.machine.modules import load_module, problem_in
from planvow.agent.record.asked import options_of
from planvow.errors import InputError
from planvow.kernel.domain.terms import item_text
from planvow.kernel.world.state import State
from planvow.service.agent import Agent, Event

HINT = "write tools = {'fetch': fetch, …}, one for each command of the domain"


def split_name(given: str) -> tuple[Path, str]:
    """Return the file and the name of the problem in it: `errands.py` or `errands.py:tomorrow`."""
    path, _, name = given.partition(":")
    return Path(path), name or "problem"


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What a file asks its agent for: an agenda in a state, or a goal, with options."""

    todo: Any
    state: State | None
    options: Mapping[str, Any]


def load_agent(given: str, *, location: str, concurrency: int, quiet: bool) -> tuple[Agent, Wanted]:
    """Return the agent of a Python file and what it is asked for; its ledger is the one at the location."""
    path, name = split_name(given)
    module = load_module(path)
    planner = getattr(module, "planner", None)
    if planner is None:
        problem = problem_in(module, path, name)
        mind: Any = problem.domain
        wanted = Wanted(todo=problem.todo, state=problem.state, options=options_of(problem))
    else:
        mind = planner
        wanted = Wanted(todo=_goal_in(module, path, name), state=None, options=getattr(module, "options", {}))
    tools = getattr(module, "tools", None)
    if not isinstance(tools, Mapping):
        raise InputError("there is no 'tools' in this file", place=str(path), hint=HINT)
    agent = Agent(
        mind,
        tools=tools,
        ledger=location,
        sense=getattr(module, "sense", None),
        needs_approval=getattr(module, "needs_approval", None),
        private=getattr(module, "private", None),
        concurrency=concurrency,
        on_event=None if quiet else _tell,
    )
    return agent, wanted


def _goal_in(module: Any, path: Path, name: str) -> str:
    goal = getattr(module, "goal" if name == "problem" else name, None)
    if not isinstance(goal, str):
        raise InputError("there is no goal for its planner in this file", place=str(path), hint='write goal = "…"')
    return goal


def _tell(event: Event) -> None:
    step = f" step {event.number}, {item_text(event.command)}" if event.number else ""
    text = f": {event.text}" if event.text else ""
    note(f"{event.kind}{step}{text}")
