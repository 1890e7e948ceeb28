"""The playground: HDDL, Python domains, wishes and governed requests, asked of workers; the question is the link."""

from __future__ import annotations

import asyncio
import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from fastapi import Request
from fastapi.responses import JSONResponse

from planvow.adapters.console.frame.rendering import HEADERS, address
from planvow.adapters.console.pages.desk import Answer, Asked, Console, Shown, see_other
from planvow.adapters.console.pages.plans import Known, made_here
from planvow.adapters.console.views.forms import DomainForm, domain_form, form_question
from planvow.adapters.console.views.given import given_json
from planvow.adapters.console.views.plan import contract_view
from planvow.adapters.console.views.play import KINDS, hddl_texts, meters, question_of, shown_fields
from planvow.canonical import to_jsonable
from planvow.contract.interface.interface import error_for_status
from planvow.errors import InputError
from planvow.service.catalogue import OPERATIONS
from planvow.service.common.domains import find, whole
from planvow.service.common.domains import names as domain_names
from planvow.service.declare.operation import Right
from planvow.status import Status

_EXAMPLES = ("tea", "parcels")
MOST_LINK = 30_000
MOST_TEXT = 1_000_000


def packed(kind: str, fields: Mapping[str, str]) -> str:
    """Return a question as part of a link; the same question gives the same link, and the same plan."""
    text = json.dumps({"kind": kind, **fields}, ensure_ascii=False, sort_keys=True)
    made = urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")
    if len(made) > MOST_LINK:
        raise InputError("this is too long for a link", place="question", hint="planvow plan takes files of any length")
    return made


def unpacked(text: str) -> tuple[str, dict[str, str]]:
    """Return the question that a link holds."""
    try:
        held = zlib.decompressobj().decompress(urlsafe_b64decode(text + "=" * (-len(text) % 4)), MOST_TEXT)
        found = given_json(held.decode(), "ask")
        kind = found.pop("kind")
        fields = {name: str(value) for name, value in found.items()}
    except (ValueError, zlib.error, KeyError, TypeError, AttributeError, InputError):
        raise InputError("this link holds no question", place="ask") from None
    if kind not in KINDS:
        raise InputError(f"there is no playground for {kind!r:.40}", place="ask")
    return kind, fields


async def play(console: Console, request: Request) -> Answer:
    """Show a panel of the playground, with the answer where a question stands in the link."""
    link = request.query_params.get("ask", "")
    kind, fields = unpacked(link) if link else (request.query_params.get("kind", "hddl"), {})
    if kind not in KINDS:
        raise InputError(f"there is no playground for {kind!r:.40}", place="kind", hint=f"one of {', '.join(KINDS)}")
    names = domain_names(console.setting)
    given = request.query_params.get("example", "")
    example = given if given in _EXAMPLES else "" if link else _EXAMPLES[0]
    values: dict[str, Any] = {
        "form": None,
        "examples": _EXAMPLES, "example": example,
        "kind": kind, "kinds": KINDS, "link_to": link, "answer": None, "refusal": None, "view": None, "meters": (),
        "domains": names, "why_none": "",
    }  # fmt: skip
    if kind == "domain" and names:
        fields = {"domain": request.query_params.get("domain", "") or names[0], "goal": "", "facts": "", **fields}
        values["form"] = await asyncio.to_thread(_form, console, fields)
    if link and "draft" not in request.query_params:
        values |= await _answered(console, request, kind, fields, link)
    return Shown(
        template="play.html",
        values={**values, "fields": {**shown_fields(kind), **_samples(kind, example or _EXAMPLES[0]), **fields}},
    )


async def ask(console: Console, request: Request, form: Mapping[str, str]) -> Answer:
    """Turn a question into its link."""
    kind = form.get("kind", "")
    if kind not in KINDS:
        raise InputError("which playground?", place="kind")
    fields = {name: form.get(name, "").replace("\r\n", "\n") for name in shown_fields(kind)}
    is_draft = bool(form.get("add") or form.get("drop"))
    if kind == "domain" and "shaped" in form:
        fields = await asyncio.to_thread(lambda: form_question(_whole(console, fields["domain"]), form))
    link = address("play", ask=packed(kind, fields), draft="1" if is_draft else "")
    return see_other(f"{link}#{'agenda' if is_draft else 'answer'}")


def _whole(console: Console, name: str) -> Mapping[str, Any]:
    """Return what a domain can be asked, as JSON data."""
    told: Mapping[str, Any] = to_jsonable(whole(name, find(console.setting, name)))
    return told


def _form(console: Console, fields: Mapping[str, str]) -> DomainForm:
    return domain_form(_whole(console, fields["domain"]), fields["goal"], fields["facts"])


async def marks(console: Console, request: Request, form: Mapping[str, str]) -> Answer:
    """Say what is wrong with HDDL texts, by line and column: asked while somebody types."""
    found: list[dict[str, Any]] = []
    if form.get("domain", "").strip():
        question = {"hddl_domain": form["domain"], "hddl_problem": form.get("problem", "")}
        asked = await console.ask("check_domain", question, request)
        rows = asked.content["findings"] if asked.content else _as_finding(asked)
        found = [_mark(row) for row in rows]
    return JSONResponse({"marks": found}, headers=HEADERS)


def _as_finding(asked: Asked) -> list[dict[str, Any]]:
    refusal = asked.refusal
    return [] if refusal is None else [{"message": refusal.reason, "place": refusal.place or "", "severity": "error"}]


def _mark(row: Mapping[str, Any]) -> dict[str, Any]:
    file, line, column = (*str(row.get("place", "")).split(":"), "", "")[:3]
    message = str(row["message"]).partition("\n")[0]
    place = {"file": file, "line": int(line) if line.isdecimal() else 1}
    return {
        **place,
        "column": int(column) if column.isdecimal() else 1,
        "message": message,
        "severity": row["severity"],
    }


async def _answered(
    console: Console, request: Request, kind: str, fields: Mapping[str, str], link: str
) -> dict[str, Any]:
    try:
        asked = await asked_for(console, request, kind, fields)
    except InputError as error:
        return {"refusal": {"reason": error.message, "change": error.hint or "", "code": error.code}}
    if asked.refusal is not None:
        refusal = asked.refusal
        told = {"reason": refusal.reason, "change": refusal.change, "code": refusal.code}
        return {
            "refusal": told,
            "answer": asked.content,
            "why_none": await _why_none(console, request, kind, fields, asked),
        }
    answer = asked.content
    found: dict[str, Any] = {"answer": answer}
    if kind == "request":
        found["meters"] = meters(json.loads(fields["request"]), answer["plan_output"])
        found["view"] = contract_view(answer["plan_output"], "governed", fields.get("title", ""), {})
    elif answer.get("plan_hash"):
        known = await known_answer(console, request, kind, fields, answer)
        found["view"] = await asyncio.to_thread(known.view, {"ask": link}, "tree")
    return found


async def _why_none(console: Console, request: Request, kind: str, fields: Mapping[str, str], asked: Asked) -> str:
    """Say what stands in the way of a plan for HDDL texts that were read, and searched to the end."""
    ended = error_for_status(Status.NO_PLAN, "").code
    if kind != "hddl" or asked.refusal is None or asked.refusal.code != ended:
        return ""
    told = await console.ask("explain", hddl_texts(fields), request)
    return str((told.content or {}).get("text") or "")


async def asked_for(console: Console, request: Request, kind: str, fields: Mapping[str, str]) -> Asked:
    """Ask a worker what a panel asks."""
    refused = console.door.refusal(request, Right.PLAN)
    if refused is not None:
        raise refused
    name, question = question_of(kind, fields)
    assert name in OPERATIONS
    return await console.ask(name, question, request)


async def known_answer(
    console: Console, request: Request, kind: str, fields: Mapping[str, str], answer: Mapping[str, Any]
) -> Known:
    """Return the plan of an answer with its reasons."""
    explained = None
    if kind == "hddl":
        explained = hddl_texts(fields)
    return await made_here(console, request, answer["plan_hash"], explained, why=answer.get("why") or {})


async def of_link(console: Console, request: Request, link: str) -> Known:
    """Return the plan that the question in a link leads to."""
    kind, fields = unpacked(link)
    asked = await asked_for(console, request, kind, fields)
    if asked.refusal is not None or not asked.content.get("plan_hash"):
        raise InputError("this question has no plan", place="ask", hint=address("play", ask=link))
    return await known_answer(console, request, kind, fields, asked.content)


def _samples(kind: str, example: str) -> dict[str, str]:
    """Return the example that a panel opens with."""
    if kind == "hddl":
        return {part: _example(f"hddl/{example}-{part}.hddl") for part in ("domain", "problem")}
    return {"request": _example("governed/request.json")} if kind == "request" else {}


def _example(name: str) -> str:
    """Examples lie beside the package where it is installed, and beside the sources in a checkout."""
    package = Path(str(files("planvow")))
    for root in (package / "examples", package.parents[1] / "examples"):
        if (root / name).is_file():
            return (root / name).read_text("utf-8")
    return ""
