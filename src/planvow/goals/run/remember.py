"""What running a plan teaches: outputs and effects of steps that were done become facts, for the next request to use.

This is the only writer of a `FactsMemory` (seed 003: the executor updates memory, the planner never does). A dry run,
or a step that failed, teaches nothing. What a tool returns that is no fact is left aside: it was done all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from planvow.cassette.work.worker import Handler, StepContext
from planvow.errors import PlanvowError
from planvow.goals.values.memory import FactsMemory
from planvow.goals.values.values import Fact, ToolCapability
from planvow.tools.words import key_of, value_of


def remembering(
    handlers: Mapping[str, Handler],
    memory: FactsMemory,
    capabilities: Iterable[ToolCapability],
    *,
    now_s: Callable[[], int],
) -> Mapping[str, Handler]:
    """Return the same handlers, each telling the memory what its step brought about: the `facts` it returns
    (`[{"subject", "predicate", "value"}]`), and its tool's effects that have the form of a fact (`session.open`)."""
    tools = {tool.name: tool for tool in capabilities}

    def teaching(name: str, handler: Handler) -> Handler:
        def perform(step: StepContext) -> Any:
            output = handler(step)
            if not (isinstance(output, Mapping) and output.get("status") == "dry_run"):
                for fact in _facts(output, tools.get(name), name, now_s(), step.claim.job_id):
                    memory.remember(fact)
            return output

        return perform

    return {name: teaching(name, handler) for name, handler in handlers.items()}


def _facts(output: Any, tool: ToolCapability | None, name: str, now_s: int, session: str) -> Iterator[Fact]:
    told = output.get("facts") if isinstance(output, Mapping) else None
    for row in [*_effects(tool), *(told if isinstance(told, list) else ())]:
        try:
            subject, predicate, value = row["subject"], row["predicate"], row["value"]
            yield Fact(
                subject=subject, predicate=predicate, value=value, source_tool=name, timestamp=now_s, session=session
            )
        except (KeyError, TypeError, PlanvowError):
            continue


def _effects(tool: ToolCapability | None) -> Iterator[dict[str, Any]]:
    """Yield the effects of a tool that have the form of a fact: a subject, a dot, a predicate."""
    for word in sorted(tool.effects) if tool is not None else ():
        subject, _, predicate = key_of(word).rpartition(".")
        if subject and predicate:
            yield {"subject": subject, "predicate": predicate, "value": value_of(word)}
