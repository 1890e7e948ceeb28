"""Calls that a repair would make a second time although nothing is to be gained by it.

A repair breaks tasks down anew, and a method that does not look at what was done asks for all of it once more. Where
the call was done before, its model would change nothing now, and its tool does not say that it may run twice, only a
person can want that: a second charge looks like the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from planvow.agent.record.jobs import AgentJob
from planvow.agent.record.lost import done_in
from planvow.agent.record.view import commands_of
from planvow.agent.tools.bind import BoundTool
from planvow.cassette.dossier import Needs
from planvow.cassette.ledger.store import Store
from planvow.kernel.answer.result import Result
from planvow.kernel.domain.domain import Command
from planvow.kernel.repair.acting_step import see
from planvow.kernel.repair.replay import replay
from planvow.kernel.search.table import item_key


def ask_before_twice(
    needs: Needs,
    store: Store,
    jobs: Sequence[AgentJob],
    result: Result,
    steps: Sequence[Mapping[str, Any]],
    tools: Mapping[str, BoundTool],
) -> Needs:
    """Return what needs a person, with the steps of a new plan that would only repeat what this run has done."""
    done = _done_calls(store, jobs)
    once = {name for name, bound in tools.items() if not bound.tool.may_run_twice}
    if not any(command[0] in once and item_key(command) in done for command in result.plan):
        return needs
    reasons = dict(needs.steps)
    for ordinal in _idle(result):
        command, step_id = result.plan[ordinal - 1], steps[ordinal - 1]["step_id"]
        number = done.get(item_key(command))
        if number is not None and command[0] in once:
            why = f"step {number} did it already, and its tool does not say that it may run twice"
            reasons[step_id] = f"{reasons[step_id]}; {why}" if step_id in reasons else why
    return Needs(plan=needs.plan, steps=reasons)


def _done_calls(store: Store, jobs: Sequence[AgentJob]) -> dict[Any, int]:
    """Return the calls that were done in a run, with the number of the step that did each first."""
    found: dict[Any, int] = {}
    before = 0
    for job in jobs:
        commands = commands_of(job)
        done = done_in(store, job.job_id)
        for ordinal, command in enumerate(commands, start=1):
            if ordinal in done:
                found.setdefault(item_key(command), before + ordinal)
        before += len(commands)
    return found


def _idle(result: Result) -> Iterator[int]:
    """Yield the steps of a plan that leave the state as they find it, by their places from 1."""
    state = result.problem.state.draft()
    ordinal = 0
    for node in replay(result.problem, result.trail):
        if node.kind == Command.kind:
            ordinal += 1
            if not see(state, node.writes):
                yield ordinal
