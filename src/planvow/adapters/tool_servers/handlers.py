"""What a worker does for the steps of a tools plan: the pinned policy first, then the arguments, then the call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from planvow.agent.errors import ToolArgumentsError, ToolError, ToolsChangedError
from planvow.agent.record.lost import open_fences
from planvow.agent.tools.imported import ImportedTools
from planvow.agent.tools.tool import Call, OnUnknown, Tool
from planvow.cassette.ledger.store import Store
from planvow.cassette.work.confidential import needs_approval
from planvow.cassette.work.encode import encode, hidden
from planvow.cassette.work.values import Handler, StepContext
from planvow.contract.errors import SkillFailedError
from planvow.contract.plan.attempt import failure_of
from planvow.contract.plan.schema_check import schema_problems
from planvow.retry import ErrorClass, Failure
from planvow.tools.policy import pinned


def tool_handlers(
    tools: ImportedTools, *, secrets: Mapping[str, str], open_store: Callable[[], Store]
) -> dict[str, Handler]:
    """Return a handler for each tool."""

    def handler(tool: Tool) -> Handler:
        def perform(step: StepContext) -> Any:
            _check_pin(step, tools.policy_hash)
            call = _call(step, tool, secrets)
            if step.claim.fence > 1 and tool.unknown_policy is OnUnknown.ASK:
                _check_known(step, open_store)
            return _called(tool, call)

        return needs_approval(tool.needs_approval)(perform) if tool.needs_approval else perform

    return {name: handler(tool) for name, tool in tools.items()}


def _check_pin(step: StepContext, policy_hash: str) -> None:
    said = pinned(step.request)
    if said != policy_hash:
        what = f"planned for the tools {said:.16}" if said else "posted without saying for which tools"
        raise ToolsChangedError(
            f"this job was {what}; this worker has {policy_hash:.16}", hint="plan again with the tools there are now"
        )


def _call(step: StepContext, tool: Tool, secrets: Mapping[str, str]) -> Call:
    for place, message in schema_problems(dict(step.payload), tool.schema or {}, tool.name, filled=True):
        raise ToolArgumentsError(message, place=place)
    for name in tool.secrets:
        if name not in secrets:
            raise ToolError(f"the secret {name!r} is not set", place=f"tool {tool.name}")
    return Call(
        run_id=step.claim.run_id,
        command=(tool.name,),
        arguments=dict(step.payload),
        idempotency_key=step.idempotency_key,
        attempt=step.claim.attempt,
        secrets={name: secrets[name] for name in tool.secrets},
    )


def _check_known(step: StepContext, open_store: Callable[[], Store]) -> None:
    """Refuse to make a call again of which nobody knows whether it happened (ruling 18)."""
    claim = step.claim
    with open_store() as store:
        receipts = store.receipts(claim.job_id)
    if open_fences(claim.ordinal, claim.fence - 1, receipts):
        message = "an earlier attempt ended without a word, and nobody says that it may be made twice"
        raise SkillFailedError(Failure(code="UNKNOWN_CALL", message=message, error_class=ErrorClass.PERMANENT))


def _called(tool: Tool, call: Call) -> Any:
    try:
        return encode(tool.run(call), hide=call.secrets).data
    except Exception as error:  # whatever it is, its words may hold what was sent
        failure = failure_of(error)
        message = hidden(failure.message, call.secrets)
        told = Failure(
            code=failure.code, message=message, error_class=failure.kind, retry_after_ms=failure.retry_after_ms
        )
        raise SkillFailedError(told) from None
