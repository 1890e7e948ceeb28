"""One step from its lease to what its receipt will say.

Arguments are checked before anything is called. What nobody knows about earlier leases is resolved as the tool says. A
tool that came back has done its work: what it returned, or what went wrong while looking at it, changes nothing about
that. A call that did not come back in time is unknown, not failed (ruling 18).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from planvow.agent.errors import ToolError, observed_by
from planvow.agent.loop.facts import Facts, facts_data, read_facts
from planvow.agent.loop.move import Question, Waiting
from planvow.agent.record.jobs import AgentJob
from planvow.agent.record.view import commands_of
from planvow.agent.run.calling import CallTimeoutError, Pace, call
from planvow.agent.run.unknown import UNKNOWN, open_leases
from planvow.agent.tools.bind import BoundTool
from planvow.agent.tools.tool import Call, Observed, OnUnknown, Tool
from planvow.cassette.ledger.model import Claim, Outcome, Receipt, StepState
from planvow.cassette.work.encode import encode, hidden
from planvow.contract.plan.attempt import failure_of, resolve_params
from planvow.contract.plan.placeholders import INPUT_KEY
from planvow.errors import PlanvowError
from planvow.execution import Reaction, after_failure
from planvow.retry import ErrorClass, Failure
from planvow.spans import is_told, span, tool_attributes
from planvow.step import Step

Sense = Callable[[tuple[Any, ...]], Any]
"""Looks at the world after a command and returns what it sees; may be a coroutine function."""
Secrets = Callable[[str], str | None]


@dataclass(frozen=True, kw_only=True)
class Ending:
    """What a receipt will say of one lease, and what was seen."""

    outcome: Outcome
    body: Mapping[str, Any]
    facts: Facts = ()
    retry_after_ms: int | None = None
    question: Question | None = None


@dataclass
class Stepper:
    """Runs claimed steps with an agent's tools."""

    tools: Mapping[str, BoundTool]
    secrets: Secrets
    sense: Sense | None = None
    fill: Callable[[Claim], Mapping[str, Any]] = lambda claim: {}
    """Gives what the placeholders of a step's arguments refer to."""
    alone: bool = False
    """Whether nothing but the step at hand waits for the loop, and nothing could interrupt it."""
    trace: str | None = None
    """The span that the job at hand was posted in."""
    _paces: dict[str, Pace] = field(default_factory=dict)

    async def run(self, claim: Claim, command: tuple[Any, ...], receipts: Sequence[Receipt]) -> Ending:
        """Do one step; `receipts` are those of earlier leases, if there were any."""
        if not is_told():
            return await self._run(claim, command, receipts)
        named = {"planvow.run_id": claim.run_id, "planvow.job_id": claim.job_id, "planvow.step": claim.ordinal}
        with span(f"step {claim.op}", {**named, "planvow.attempt": claim.attempt}, parent=self.trace) as told:
            ending = await self._run(claim, command, receipts)
            told.set({"planvow.became": ending.outcome.value.lower()})
        return ending

    async def _run(self, claim: Claim, command: tuple[Any, ...], receipts: Sequence[Receipt]) -> Ending:
        tool = self.tools[claim.op].tool
        try:
            asked = self._call_of(claim, command)
        except PlanvowError as error:
            return self._failed(tool, claim, failure_of(error), {})
        if claim.fence > 1 and open_leases(claim, receipts):
            ending = await self._resolved(tool, asked, claim, "an earlier attempt ended without a word")
            if ending is not None:
                return ending
        return await self._attempt(tool, asked, claim)

    async def resolve(self, claim: Claim, command: tuple[Any, ...]) -> Ending | None:
        """Say what became of earlier leases as the tool declares; None means that they count as not having happened."""
        try:
            asked = self._call_of(claim, command)
        except PlanvowError:
            asked = Call(run_id=claim.run_id, command=command, arguments={}, idempotency_key="", attempt=claim.attempt)
        return await self._resolved(self.tools[claim.op].tool, asked, claim, "an earlier attempt ended without a word")

    async def find_out(self, job: AgentJob, step: StepState) -> bool | Question:
        """Say whether a call that was lost with its plan happened, as its tool declares, or what must be asked."""
        stored = next(row for row in job.steps if row["step_id"] == step.step_id)
        claim = Claim(
            run_id=job.record.run_id,
            job_id=job.job_id,
            ordinal=step.ordinal,
            step=Step(step_id=step.step_id, skill=step.op, params=stored["params"]),
            fence=step.fence,
            worker_id="",
            attempt=step.attempts,
            failures=step.failures,
            lease_expires_at=0,
        )
        if step.op not in self.tools:
            return False
        ending = await self.resolve(claim, commands_of(job)[step.ordinal - 1])
        if ending is None:
            return False
        return ending.question if ending.question is not None else ending.outcome is Outcome.SUCCESS

    def _call_of(self, claim: Claim, command: tuple[Any, ...]) -> Call:
        bound, filled = self.tools[claim.op], self.fill(claim)
        return Call(
            run_id=claim.run_id,
            command=command,
            arguments=bound.arguments(resolve_params(claim.step, filled, filled.get(INPUT_KEY))),
            idempotency_key=f"{claim.job_id}.{claim.ordinal}",
            attempt=claim.attempt,
            secrets={name: self._secret(name, bound.tool) for name in bound.tool.secrets},
        )

    def _secret(self, name: str, tool: Tool) -> str:
        value = self.secrets(name)
        if value is None:
            raise ToolError(f"the secret {name!r} is not set", place=f"tool {tool.name}")
        return value

    async def _attempt(self, tool: Tool, asked: Call, claim: Claim) -> Ending:
        if tool.rate is not None:
            await self._paces.setdefault(tool.name, Pace(tool.rate)).wait()
        try:
            with span(f"execute_tool {claim.op}", tool_attributes(claim.op)):
                answer = await call(tool.run, asked, timeout=tool.timeout_seconds, alone=self.alone)
        except CallTimeoutError as error:
            return await self._timed_out(tool, asked, claim, str(error))
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            return self._failed(
                tool, claim, Failure(code="CANCELLED", message="the tool cancelled itself"), asked.secrets
            )
        except (Exception, SystemExit) as error:
            failure = failure_of(error if isinstance(error, Exception) else RuntimeError(f"SystemExit: {error}"))
            facts, warnings = _read(observed_by(error))
            return self._failed(tool, claim, failure, asked.secrets, facts, warnings)
        return await self._done(tool, asked, claim, answer)

    async def _done(self, tool: Tool, asked: Call, claim: Claim, answer: Any, **more: Any) -> Ending:
        facts, warnings = _read(answer) if isinstance(answer, Observed) else ((), [])
        if self.sense is not None:
            try:
                seen, doubts = _read(await call(self.sense, asked.command, timeout=tool.timeout_seconds))
            except Exception as error:  # the work is done, whatever becomes of looking at it
                seen, doubts = (), [f"sensing failed: {type(error).__name__}: {error}"[:300]]
            facts, warnings = (*facts, *seen), [*warnings, *doubts]
        output = encode(answer.output if isinstance(answer, Observed) else answer, hide=asked.secrets)
        warnings = [hidden(text, asked.secrets) for text in (*output.warnings, *warnings)]
        body = {"op": claim.op, "step_id": claim.step_id, "output": output.data, **more}
        return Ending(outcome=Outcome.SUCCESS, body={**body, **_told(facts, warnings)}, facts=facts)

    def _failed(
        self,
        tool: Tool,
        claim: Claim,
        failure: Failure,
        secrets: Mapping[str, str],
        facts: Facts = (),
        warnings: Sequence[str] = (),
    ) -> Ending:
        decision = after_failure(claim.step, failure, attempt=claim.failures + 1, run_id=claim.run_id, rules=tool.rules)
        message = hidden(failure.message, secrets)
        body = {
            "op": claim.op,
            "step_id": claim.step_id,
            "error": {"code": failure.code, "class": failure.kind.value, "message": message},
            "decision": decision.reason,
            **_told(facts, warnings),
        }
        again = decision.delay_ms if decision.reaction is Reaction.RETRY else None
        return Ending(outcome=Outcome.FAILURE, body=body, facts=facts, retry_after_ms=again)

    async def _timed_out(self, tool: Tool, asked: Call, claim: Claim, why: str) -> Ending:
        ending = await self._resolved(tool, asked, claim, why)
        failure = Failure(code="TIMEOUT", message=why, error_class=ErrorClass.TIMEOUT)
        return ending or self._failed(tool, claim, failure, asked.secrets)

    async def _resolved(self, tool: Tool, asked: Call, claim: Claim, why: str) -> Ending | None:
        """Do what the tool declares about a call of which nobody knows; None means that it may run (again)."""
        policy = tool.unknown_policy
        if policy is OnUnknown.RUN_AGAIN:
            return None
        if policy is OnUnknown.PROBE and tool.was_it_done is not None:
            try:
                happened = await call(tool.was_it_done, asked, timeout=tool.timeout_seconds)
            except (Exception, SystemExit) as error:
                happened, why = None, f"{why}; the probe failed: {type(error).__name__}: {error}"
            if happened is False:
                return None
            if happened is not None:
                output = None if happened is True else happened
                return await self._done(tool, asked, claim, output, found_done=True)
        why = hidden(why, asked.secrets)[:500]
        text = f"did {claim.op} happen? {why}"
        question = Question(kind=Waiting.UNKNOWN, job_id=claim.job_id, ordinal=claim.ordinal, text=text)
        body = {"op": claim.op, "step_id": claim.step_id, UNKNOWN: True, "reason": why}
        return Ending(outcome=Outcome.ABORTED, body=body, question=question)


def left_behind(claim: Claim, why: str) -> Ending:
    """Return the ending of a step that was given up while its tool may have been at work."""
    body = {"op": claim.op, "step_id": claim.step_id, UNKNOWN: True, "reason": why}
    return Ending(outcome=Outcome.ABORTED, body=body)


def untouched(claim: Claim, why: str) -> Ending:
    """Return the ending of a step that is handed back before its tool was called."""
    return Ending(outcome=Outcome.ABORTED, body={"op": claim.op, "step_id": claim.step_id, "reason": why})


def _read(given: Any) -> tuple[Facts, list[str]]:
    """Return observations that can be stored, and what is wrong with the others."""
    try:
        facts = read_facts(given)
        facts_data(facts)
    except Exception as error:  # whatever a tool gave: its work is done
        return (), [f"what was observed cannot be kept: {error}"[:300]]
    return facts, []


def _told(facts: Facts, warnings: Sequence[str]) -> dict[str, Any]:
    told: dict[str, Any] = {}
    if facts:
        told["observed"] = facts_data(facts)
    if warnings:
        told["warnings"] = [text.encode("utf-8", "backslashreplace").decode()[:500] for text in warnings[:20]]
    return told
