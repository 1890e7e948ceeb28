"""`planvow serve`: planvow over HTTP."""

from __future__ import annotations

import secrets
from contextlib import ExitStack
from functools import partial
from typing import Annotated

import typer

from planvow.adapters.cli.doors.given import Domains, setting_of
from planvow.adapters.cli.frame.output import note, print_json
from planvow.adapters.cli.options.ledger import RepoRoot, StoreLocation
from planvow.adapters.cli.options.working_tree import HERE
from planvow.errors import MissingExtraError

app = typer.Typer()
EVERYWHERE = ("", "0.0.0.0", "::")
MOST_AT_ONCE = 200
"""Connections; each may hold a body in memory."""


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="Address to listen on; beyond this machine every call needs the token.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port.")] = 8080,
    domains: Domains = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes that plan.")] = 2,
    max_seconds: Annotated[float, typer.Option(min=0.1, help="A call that plans longer is ended.")] = 30.0,
    max_memory_mb: Annotated[int, typer.Option(min=64, help="A call that takes more memory is ended.")] = 1024,
    demo: Annotated[
        bool, typer.Option("--demo", help="Serve a scratch ledger with a worker at it, to look around in the console.")
    ] = False,
    openapi: Annotated[bool, typer.Option("--openapi", help="Print the OpenAPI description and exit.")] = False,
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
) -> None:
    """Serve planning over HTTP below /api/v1. Nothing is executed; planning runs in processes with limits."""
    from planvow.adapters.http.description import openapi as description

    if openapi:
        print_json(description())
        return
    try:
        import uvicorn

        from planvow.adapters.http.app import LOOPBACK, Guarding, application
        from planvow.adapters.http.workers import Limits, Pool
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "planvow":
            raise
        raise MissingExtraError(error.name or "fastapi", extra="http", purpose="planvow serve") from None
    scratch = ExitStack()
    if demo:
        from planvow.adapters.demo.at_work import at_work

        store, module = scratch.enter_context(at_work(note))
        domains = [*(domains or ()), module]
    make_setting = partial(setting_of, domains, repo_root, store)
    setting = make_setting()
    token = secrets.token_urlsafe(24)
    limits = Limits(seconds=max_seconds, memory_mb=max_memory_mb)
    known = None if host in EVERYWHERE else LOOPBACK | {host.lower()}
    guarding = Guarding(hosts=known, token=token, everything=host not in LOOPBACK)
    pool = Pool(make_setting, size=workers, limits=limits)
    try:
        note(f"planvow: http://{host}:{port}/api/v1, described at /openapi.json")
        note(f"planvow: pages at http://{host}:{port}/console/sign-in#{token}")
        note(f"planvow: token for posting and approving: {token}")
        application_ = application(setting, pool, guarding)
        uvicorn.run(
            application_, host=host, port=port, log_level="warning", access_log=False, limit_concurrency=MOST_AT_ONCE
        )
    finally:
        pool.close()
        scratch.close()
