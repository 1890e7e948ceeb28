"""Asking the user through the client. Nobody knows who answers there, so the answer is recorded as unauthenticated."""

from __future__ import annotations

from typing import Any

import mcp_types as types
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from planvow.errors import InputError
from planvow.service.declare.setting import Setting
from planvow.service.records.posting import questions

KEY = "approval"
FORM: dict[str, Any] = {
    "type": "object",
    "properties": {
        "approve": {"type": "boolean", "title": "Approve", "description": "Let workers run this plan", "default": False}
    },
    "required": ["approve"],
}


async def ask(ctx: Any, params: Any, setting: Setting) -> Any:
    """Return "yes", "no" or "" (no answer); or, where the protocol wants it so, the question for the client."""
    message = _message(params.arguments or {}, setting)
    asked = types.ElicitRequestFormParams(message=message, requested_schema=FORM)
    if ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        return _said(await ctx.session.elicit_form(message, FORM, ctx.request_id))
    given = (params.input_responses or {}).get(KEY)
    if given is None:
        return types.InputRequiredResult(input_requests={KEY: types.ElicitRequest(params=asked)})
    return _said(given)


def _said(given: Any) -> str:
    if given.action == "decline":
        return "no"
    if given.action != "accept" or not isinstance((given.content or {}).get("approve"), bool):
        return ""
    return "yes" if given.content["approve"] else "no"


def _message(arguments: dict[str, Any], setting: Setting) -> str:
    job_id = arguments.get("job_id")
    if not isinstance(job_id, str):
        raise InputError("name the job", place="job_id", hint="post_plan answers with it")
    waiting = questions(setting, job_id)
    if not waiting:
        raise InputError(f"nothing of job {job_id} waits for an approval", place="job_id")
    lines = [f"- {line.step_id or 'the whole plan'}: {line.reason}" for line in waiting]
    return "\n".join([f"Approve job {job_id} (plan {waiting[0].plan_hash[:16]})?", *lines])
