"""Pages about debates: the analyses that are kept, one of them with its claims, and the review of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

from fastapi import Request
from fastapi.responses import Response

from planvow.adapters.console.frame.analyses import Analysis, decide, open_analysis, summaries, take_back
from planvow.adapters.console.frame.rendering import HEADERS, address
from planvow.adapters.console.pages.desk import Answer, Console, Shown, see_other
from planvow.adapters.console.views.debates.claim import ClaimView, claim_view, decision_of, decisions_view
from planvow.adapters.console.views.debates.listing import MOST, Said, again, found_in, groups, said_too
from planvow.adapters.console.views.debates.talk import FILTERS, ROUTES, TYPES, talk_view
from planvow.debate.desk.decisions import FORMAT, Decision, read_review, write_review
from planvow.debate.errors import ReviewError
from planvow.errors import InputError
from planvow.service.declare.errors import RightMissingError
from planvow.service.declare.operation import Right

_LONGEST = 200


async def debates(console: Console, request: Request) -> Answer:
    """List the analyses that are kept, or the claims that were said in several of them."""
    asked = {name: request.query_params.get(name, "")[:_LONGEST] for name in ("find", "view")}
    return await asyncio.to_thread(_listed, _root(console), asked)


def _listed(root: Path, asked: Mapping[str, str]) -> Shown:
    kept = summaries(root)
    said, found = None, found_in(kept, asked["find"])
    if asked["view"] == "again":
        said = again(groups(kept), {one.name: one.title for one in kept}, asked["find"])
    more = max(0, len(found if said is None else said) - MOST)
    values = {"asked": asked, "kept": len(kept), "found": found[:MOST], "again": said and said[:MOST], "more": more}
    return Shown(template="debates.html", values={**values, "is_again": said is not None})


async def debate(console: Console, request: Request) -> Answer:
    """Show one analysis: the transcript with its claims, and the claim that the address names."""
    asked = {name: request.query_params.get(name, "")[:_LONGEST] for name in (*FILTERS, "claim")}
    return await asyncio.to_thread(_shown, _root(console), request.path_params["name"], asked)


def _shown(root: Path, name: str, asked: Mapping[str, str]) -> Shown:
    analysis = open_analysis(root, name)
    public = analysis.public
    talk = talk_view(public, analysis.transcript, asked)
    chosen = claim_view(public, talk.shown, asked["claim"])
    said: tuple[Said, ...] = ()
    if chosen is not None:
        kept = summaries(root)
        said = said_too(groups(kept, name), name, asked["claim"], {one.name: one.title for one in kept})
    filters = {each: asked[each] for each in FILTERS if asked[each]}
    values = {
        "analysis": analysis,
        "talk": talk,
        "chosen": chosen,
        "said": said,
        "asked": asked,
        "filters": filters,
        "types": TYPES,
        "routes": ROUTES,
        "decisions": decisions_view(analysis.review.decisions, public["claims"], analysis.transcript.text),
        "here_at": lambda **query: address(f"debates/{name}", **{**filters, **query}),
        "claim_at": lambda claim_id, **more: _claim_at(name, claim_id, {**filters, **more}),
        "elsewhere": lambda other, claim_id: _claim_at(other, claim_id, {}),
    }
    return Shown(template="debate.html", values=values)


def _claim_at(name: str, claim_id: str, filters: Mapping[str, str]) -> str:
    return f"{address(f'debates/{name}', **filters, claim=claim_id)}#c-{quote(claim_id)}"


async def review_file(console: Console, request: Request) -> Answer:
    """Give out the review as the file that `--review` and `debate-train` read."""
    analysis = await asyncio.to_thread(open_analysis, _root(console), request.path_params["name"])
    name = f"{analysis.review.transcript_id}.review.json"
    headers = {**HEADERS, "Content-Disposition": f'attachment; filename="{name}"'}
    return Response(write_review(analysis.review), media_type="application/json", headers=headers)


async def review(console: Console, request: Request, form: Mapping[str, str]) -> Answer:
    """Record what somebody decided about a claim, or take a decision back, and show the debate again."""
    refused = console.door.refusal(request, Right.APPROVE)
    if refused is not None:
        raise RightMissingError(refused.message, place="token", hint="sign in with the token of the server's start")
    root, name = _root(console), request.path_params["name"]
    filters = {each: form[each][:_LONGEST] for each in FILTERS if form.get(each)}
    if form.get("action") == "take back":
        number = form.get("number", "")
        if not number.isascii() or not number.isdecimal() or len(number) > 6:
            raise InputError("which decision?", place="number")
        await asyncio.to_thread(take_back, root, name, int(number), form.get("mark", ""))
        return see_other(address(f"debates/{name}", **filters, claim=form.get("claim", "")[:_LONGEST]) + "#decisions")
    now = await asyncio.to_thread(_decided, root, name, form)
    spans = {tuple(claim["span"]): claim["claim_id"] for claim in now.public["claims"]}
    chosen = spans.get(now.review.decisions[-1].span) or form.get("next", "")[:_LONGEST]
    return see_other(_claim_at(name, chosen, filters) if chosen else address(f"debates/{name}", **filters))


def _decided(root: Path, name: str, form: Mapping[str, str]) -> Analysis:
    analysis = open_analysis(root, name)
    row = decision_of(form, analysis.transcript)
    document = {"format": FORMAT, "transcript_id": analysis.review.transcript_id, "decisions": [row]}
    (decision,) = read_review(json.dumps(document)).decisions
    _check_places(analysis, decision)
    return decide(root, name, decision)


def _check_places(analysis: Analysis, decision: Decision) -> None:
    """Raise ReviewError unless a decision is about claims that the page shows, and cuts where it offers to."""
    by_span = {tuple(claim["span"]): claim["claim_id"] for claim in analysis.public["claims"]}
    chosen = claim_view(analysis.public, (), by_span.get(decision.span, ""))
    if chosen is None:
        raise ReviewError("there is no claim at this place any more", hint="load the page again")
    if decision.action == "split":
        fits = " ".join(f"{start}-{end}" for start, end in decision.spans) in {places for places, _ in chosen.cuts}
    elif decision.action == "merge":
        fits = _is_merge(decision, chosen)
    else:
        fits = all(span in by_span and span != decision.span for span in decision.spans)
    if not fits:
        raise ReviewError(f"{decision.action} does not fit the claims that are here", hint="load the page again")


def _is_merge(decision: Decision, chosen: ClaimView) -> bool:
    near = {other.span for other in chosen.merges}
    return len(decision.spans) == 2 and all(
        span == decision.span or f"{span[0]}-{span[1]}" in near for span in decision.spans
    )


def _root(console: Console) -> Path:
    return console.setting.root or Path()
