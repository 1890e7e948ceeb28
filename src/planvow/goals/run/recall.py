"""What earlier runs taught, read off the ledger: outputs and effects of steps that were done, with age and source.

The receipts are the memory's source (the executor writes them, nobody else), so nothing has to be kept twice and every
process that sees the ledger remembers the same. A failed step teaches nothing, and a dry run neither.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from planvow.canonical import canonical_json
from planvow.cassette.ledger.model import Outcome, PlanRecord, Receipt
from planvow.cassette.ledger.store import Store
from planvow.contract.plan.attempt import resolve_params
from planvow.contract.plan.plan import build_plan
from planvow.errors import PlanvowError
from planvow.goals.run.remember import told_by
from planvow.goals.values.memory import RECALL_S, FactsMemory
from planvow.goals.values.values import Fact, ToolCapability
from planvow.step import Step
from planvow.tools.statements import NOTHING
from planvow.tools.tool import ToolEntry

OUTPUT = "output"
"""The subject of facts about values that tools gave: `output.order_id`."""
Teaches = Callable[[Step, Mapping[str, Any], Any], Iterable[tuple[str, str, Any]]]
"""From a step, its filled-in arguments and its output to what is so now: subject, predicate, value."""


def memory_of_tools(store: Store, tools: Iterable[ToolEntry], *, now_s: int, window_s: int = RECALL_S) -> FactsMemory:
    """Return what runs of tools plans taught within the last `window_s` seconds."""
    known = {tool.name: tool for tool in tools}

    def teaches(step: Step, params: Mapping[str, Any], output: Any) -> Iterator[tuple[str, str, Any]]:
        if step.skill in known:
            yield from _taught(known[step.skill], params, output)

    return _memory(store, "tools", teaches, now_s - window_s)


def memory_of_goals(
    store: Store, capabilities: Iterable[ToolCapability], *, now_s: int, window_s: int = RECALL_S
) -> FactsMemory:
    """Return what runs of goal plans taught within the last `window_s` seconds."""
    known = {tool.name: tool for tool in capabilities}

    def teaches(step: Step, _params: Mapping[str, Any], output: Any) -> Iterator[tuple[str, str, Any]]:
        yield from told_by(output, known.get(step.skill))

    return _memory(store, "goal", teaches, now_s - window_s)


def recalled(memory: FactsMemory, *, now_s: int, window_s: int) -> tuple[dict[str, Any], dict[str, Any], list[Fact]]:
    """Return the facts by key, the values by kind, and both as they are remembered."""
    found = list(memory.recall(now_s=now_s, window_s=window_s))
    facts = {key_of(fact): fact.value for fact in found if fact.subject != OUTPUT}
    values = {fact.predicate: fact.value for fact in found if fact.subject == OUTPUT}
    return facts, values, found


def key_of(fact: Fact) -> str:
    """Return the key a fact is about; a key without a dot has no subject."""
    return fact.key if fact.subject else fact.predicate


def _memory(store: Store, planner_id: str, teaches: Teaches, since_s: int) -> FactsMemory:
    memory = FactsMemory()
    lessons = [
        (receipt.created_at, receipt.job_id, receipt.chain_seq, fact)
        for record in store.plans()
        if record.planner_id == planner_id
        for receipt, fact in _facts(store, record, teaches, since_s)
    ]
    for _, _, _, fact in sorted(lessons, key=lambda lesson: lesson[:3]):
        memory.remember(fact)
    return memory


def _facts(store: Store, record: PlanRecord, teaches: Teaches, since_s: int) -> Iterator[tuple[Receipt, Fact]]:
    done = [one for one in store.receipts(record.job_id) if one.outcome is Outcome.SUCCESS]
    if not done or max(one.created_at for one in done) < since_s * 1000:
        return
    steps = {step.step_id: step for step in build_plan(record.plan).steps}
    ids = store.step_ids(record.job_id)
    outputs: dict[str, Any] = {}
    for receipt in done:
        step, output = steps[ids[receipt.ordinal - 1]], receipt.body.get("output")
        outputs[step.key] = output
        if isinstance(output, Mapping) and output.get("status") == "dry_run":
            continue
        try:
            params = resolve_params(step, outputs, {})
        except PlanvowError:
            continue  # what was private is not in the receipt, so what it was about is not known here
        for subject, predicate, value in teaches(step, params, output):
            yield receipt, Fact(
                subject=subject, predicate=predicate, value=value, source_tool=step.skill,
                timestamp=receipt.created_at // 1000, session=record.job_id,
            )  # fmt: skip


def _taught(tool: ToolEntry, params: Mapping[str, Any], output: Any) -> Iterator[tuple[str, str, Any]]:
    given = {name: _part(output, name) for name in tool.produces}
    found = {name: value for name, value in given.items() if value is not None}
    names = {name: _text(value) for name, value in {**found, **params}.items()}
    for effect in tool.brings:
        if set(effect.names) <= names.keys():
            bound = effect.bound(names)
            subject, _, predicate = bound.key.rpartition(".")
            yield subject, predicate, False if bound.value is NOTHING else bound.value
    for name, value in found.items():
        yield OUTPUT, tool.produces[name], value


def _part(output: Any, path: str) -> Any:
    for name in path.split("."):
        output = output.get(name) if isinstance(output, Mapping) else None
    return output


def _text(value: Any) -> str:
    return value if isinstance(value, str) else canonical_json(value)
