"""The console as part of the server: its routes, hung into the application with one call."""

from __future__ import annotations

from functools import partial
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import RedirectResponse, Response

from planvow.adapters.console.frame.rendering import HEADERS, static
from planvow.adapters.console.pages.debates import debate, debates, review, review_file
from planvow.adapters.console.pages.desk import Asked, Console
from planvow.adapters.console.pages.people import act, enter, leave, sign_in
from planvow.adapters.console.pages.plans import diff, export, plan
from planvow.adapters.console.pages.playing import ask, marks, of_link, play
from planvow.adapters.console.pages.proofs import check, proof
from planvow.adapters.console.pages.records import design, run, runs
from planvow.errors import InputError

__all__ = ["Asked", "Console", "mount"]
_KINDS = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml"}
_PAGES = {
    "": runs,
    "run": run,
    "design": design,
    "sign-in": sign_in,
    "plan": plan,
    "export": export,
    "diff": diff,
    "proof": proof,
    "play": play,
    "debates": debates,
    "debates/{name}": debate,
    "debates/{name}/review": review_file,
}
_FORMS = {
    "act": act,
    "sign-in": enter,
    "sign-out": leave,
    "proof": check,
    "play": ask,
    "marks": marks,
    "debates/{name}/review": review,
}


async def _nowhere(_console: Console, request: Request) -> Any:
    raise InputError(
        "there is no such page", place=request.url.path[:200], hint="the bar above names the pages there are"
    )


def mount(app: FastAPI, console: Console) -> None:
    """Hang the console's pages into an application, below /console."""
    console.of_link = partial(of_link, console)

    @app.get("/console/static/{name}", include_in_schema=False)
    async def asset(name: str) -> Response:
        found = static(name)
        headers = {**HEADERS, "Cache-Control": "max-age=60"}
        if found is None:
            return Response("there is no such file\n", status_code=404, media_type="text/plain", headers=HEADERS)
        return Response(found, headers=headers, media_type=_KINDS[name.rpartition(".")[2]])

    for place, shown in _PAGES.items():
        app.get(f"/console/{place}", include_in_schema=False)(console.page(shown))
    app.get("/console/{place:path}", include_in_schema=False)(console.page(_nowhere))
    for place, done in _FORMS.items():
        app.post(f"/console/{place}", include_in_schema=False)(console.form(done))

    @app.get("/", include_in_schema=False)
    @app.get("/console", include_in_schema=False)
    async def home(_request: Request) -> Any:
        return RedirectResponse("/console/")
