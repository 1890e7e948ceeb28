"""What running a plan teaches: outputs and effects of steps that were done become facts, for the next request to use.

This is the only writer of a `FactsMemory` (seed 003: the executor updates memory, the planner never does). A dry run,
or a step that failed, teaches nothing. What a tool returns that is no fact is left aside: it was done all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from planvow.cassette.work.values import Handler, StepContext
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
                seen_at = now_s()
                for subject, predicate, value in told_by(output, tools.get(name)):
                    said = {"subject": subject, "predicate": predicate, "value": value}
                    fact = Fact(**said, source_tool=name, timestamp=seen_at, session=step.claim.job_id)
                    memory.remember(fact)
            return output

        return perform

    return {name: teaching(name, handler) for name, handler in handlers.items()}


def told_by(output: Any, tool: ToolCapability | None) -> Iterator[tuple[str, str, Any]]:
    """Yield what a step that was done says: its tool's effects and the facts it returned, those that are facts."""
    told = output.get("facts") if isinstance(output, Mapping) else None
    for row in [*_effects(tool), *(told if isinstance(told, list) else ())]:
        try:
            fact = Fact(subject=row["subject"], predicate=row["predicate"], value=row["value"])
        except (KeyError, TypeError, PlanvowError):
            continue
        yield fact.subject, fact.predicate, fact.value


def _effects(tool: ToolCapability | None) -> Iterator[dict[str, Any]]:
    """Yield the effects of a tool that have the form of a fact: a subject, a dot, a predicate."""
    for word in sorted(tool.effects) if tool is not None else ():
        subject, _, predicate = key_of(word).rpartition(".")
        if subject and predicate:
            yield {"subject": subject, "predicate": predicate, "value": value_of(word)}
