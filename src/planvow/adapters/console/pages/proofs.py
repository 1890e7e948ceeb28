"""The page on which a certificate or a bundle from anywhere is checked."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from fastapi import Request

from planvow.adapters.console.pages.desk import Answer, Console, Shown
from planvow.adapters.console.views.given import given_json
from planvow.adapters.console.views.plan import plan_view
from planvow.errors import InputError
from planvow.service.declare.document import refusal_of

_BUNDLES = ("planvow-bundle/", "planvow-archive/")
_SHOWN = 20_000
_NOTHING: dict[str, Any] = {
    "given": "", "problem": None, "answer": None, "kind": "", "counts": None, "view": None,
}  # fmt: skip


async def proof(console: Console, request: Request) -> Answer:
    """Show where a document goes."""
    return Shown(template="proof.html", values=_NOTHING)


async def check(console: Console, request: Request, form: Mapping[str, str]) -> Answer:
    """Check what somebody brought, and say what that does not prove."""
    text = form.get("document", "")
    given = {**_NOTHING, "given": text if len(text) <= _SHOWN else ""}
    try:
        document = await asyncio.to_thread(_parsed, text)
        told = await _judged(console, request, document)
    except InputError as error:
        return Shown(template="proof.html", values={**given, "problem": refusal_of(error)}, status=400)
    status = 400 if told.get("problem") else 200
    return Shown(template="proof.html", values={**given, **told}, status=status)


def _parsed(text: str) -> Mapping[str, Any]:
    document = given_json(text, "document")
    if not isinstance(document, Mapping):
        raise InputError("this is neither a certificate nor a bundle", place="document")
    return document


async def _judged(console: Console, request: Request, document: Mapping[str, Any]) -> dict[str, Any]:
    if str(document.get("format", "")).startswith(_BUNDLES):
        asked = await console.ask("bundle", dict(document), request)
        if asked.refusal is not None:
            return {"problem": asked.refusal}
        verdict = asked.content
        fault = None if verdict.fault is None else str(verdict.fault)
        answer = {"accepted": verdict.accepted, "fault": fault, "verdicts": [verdict.as_dict()]}
        more = {"not_proved": list(verdict.not_proved), "level": None, "unavailable": None}
        return {"answer": {**answer, **more}, "kind": "bundle", "counts": dict(verdict.counts)}
    asked = await console.ask("verify", {"certificate": dict(document)}, request)
    if asked.refusal is not None:
        return {"problem": asked.refusal}
    view = None
    if asked.content["accepted"] and "nodes" in document:
        view = await asyncio.to_thread(plan_view, document, address=lambda node: f"#t{node}")
    return {"answer": asked.content, "kind": "certificate", "view": view}
