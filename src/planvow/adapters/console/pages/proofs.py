"""The page on which a certificate or a bundle from anywhere is checked."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from fastapi import Request

from planvow.adapters.console.pages.desk import Answer, Console, Shown
from planvow.adapters.console.views.plan import plan_view
from planvow.cassette.proof.bundle import verify_bundle
from planvow.errors import InputError
from planvow.service.declare.document import refusal_of

_BUNDLES = ("planvow-bundle/", "planvow-archive/")
_SHOWN = 20_000
MOST_LEVELS = 100
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
    return Shown(template="proof.html", values={**given, **told})


def _parsed(text: str) -> Mapping[str, Any]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError("this is not JSON", place="document", hint="drop the file that was written") from None
    if not isinstance(document, Mapping):
        raise InputError("this is neither a certificate nor a bundle", place="document")
    level: list[Any] = [document]
    for _ in range(MOST_LEVELS):
        level = [part for each in level for part in (each.values() if isinstance(each, Mapping) else each)]
        level = [part for part in level if isinstance(part, Mapping | list)]
        if not level:
            return document
    raise InputError(f"this is nested deeper than {MOST_LEVELS} levels", place="document")


async def _judged(console: Console, request: Request, document: Mapping[str, Any]) -> dict[str, Any]:
    if str(document.get("format", "")).startswith(_BUNDLES):
        verdict = await asyncio.to_thread(verify_bundle, document)
        fault = None if verdict.fault is None else str(verdict.fault)
        answer = {"accepted": verdict.accepted, "fault": fault, "verdicts": [verdict.as_dict()]}
        more = {"not_proved": list(verdict.not_proved), "level": None, "unavailable": None}
        return {"answer": {**answer, **more}, "kind": "bundle", "counts": dict(verdict.counts)}
    asked = await console.ask("verify", {"certificate": dict(document)}, request)
    if asked.refusal is not None:
        return {"problem": asked.refusal}
    view = None
    if asked.content["accepted"] and "nodes" in document:
        view = plan_view(document, address=lambda node: f"#t{node}")
    return {"answer": asked.content, "kind": "certificate", "view": view}
