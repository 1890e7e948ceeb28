"""What people do on pages: sign in, approve, deny, cancel, put back, repair. Each decision is an operation."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fastapi import Request

from planvow.adapters.console.frame.rendering import address
from planvow.adapters.console.pages.desk import DECISIONS, Answer, Console, Shown, see_other
from planvow.adapters.console.views.facts import read_facts
from planvow.errors import InputError
from planvow.service.catalogue import OPERATIONS
from planvow.service.declare.errors import RightMissingError
from planvow.service.declare.reading import read_question

_FACTS = ("fact1", "fact2", "fact3")


async def sign_in(console: Console, request: Request) -> Answer:
    """Show where the token goes."""
    return Shown(template="sign_in.html", values={"wrong": False, "next": request.query_params.get("next", "")})


async def enter(console: Console, request: Request, form: Mapping[str, str]) -> Answer:
    """Let a browser in that brings the token."""
    token = form.get("token", "").strip()
    if not console.door.may_enter(request, token):
        values = {"wrong": True, "next": form.get("next", "")}
        return Shown(template="sign_in.html", values=values, status=403)
    response = see_other(_own(form.get("next", "")))
    console.door.enter(request, response, token)
    return response


async def leave(console: Console, request: Request, form: Mapping[str, str]) -> Answer:
    """Let a browser forget the token."""
    response = see_other(address(""))
    console.door.leave(request, response)
    return response


async def act(console: Console, request: Request, form: Mapping[str, str]) -> Answer:
    """Record what somebody decided, and show the run again."""
    word = form.get("decision", "")
    if word not in DECISIONS:
        raise InputError(f"there is no decision {word!r:.40}", place="decision")
    operation = OPERATIONS[DECISIONS[word]]
    refused = console.door.refusal(request, operation.right)
    if refused is not None:
        raise RightMissingError(refused.message, place="token", hint="sign in with the token of the server's start")
    name = "decision" if operation.name == "decide" else "action"
    fields = ("job_id", "step_id", "by", "reason", "plan_hash")
    given = {each: form[each] for each in fields if form.get(each) and each in _known(operation.question)}
    question = read_question(operation, {**given, name: word, "by": form.get("by", "").strip()})
    if not form.get("by", "").strip():
        raise InputError("a decision has a name", place="by", hint="say who decides")
    if word == "repair":
        question = replace(question, observed=_observed(form))
    await asyncio.to_thread(operation, question, console.own(request))
    return see_other(address("run", id=form.get("run_id", "")) + "#decisions")


def _observed(form: Mapping[str, str]) -> Any:
    """Return what somebody says is the case now; None where nothing was said."""
    return read_facts((form.get(field, "") for field in _FACTS), "facts") or None


def _known(question: type) -> Mapping[str, object]:
    fields: Mapping[str, object] = question.__dataclass_fields__  # type: ignore[attr-defined]
    return fields


def _own(place: str) -> str:
    """Return a page of the console to go to; nothing else is gone to."""
    plain = place.startswith("/console/") and "\\" not in place and "\n" not in place and "\r" not in place
    return place if plain else address("")
