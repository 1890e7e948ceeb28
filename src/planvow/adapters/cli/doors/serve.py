"""`planvow serve`: planvow over HTTP."""

from __future__ import annotations

import ipaddress
import re
import secrets
import socket
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from typing import Annotated

from planvow.adapters.cli.doors.given import Domains, setting_of
from planvow.adapters.cli.doors.token import TokenFile, token_file
from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.output import note, print_json
from planvow.adapters.cli.options.ledger import RepoRoot, StoreLocation
from planvow.adapters.cli.options.working_tree import HERE
from planvow.adapters.http.tokens import Tokens
from planvow.adapters.http.tokens import read as read_tokens
from planvow.adapters.telemetry.opentelemetry_spans import begin_telemetry
from planvow.errors import InputError, MissingExtraError, shown
from planvow.service.declare.operation import Right

app = typer.Typer()
_HEADER = re.compile(r"[A-Za-z0-9-]{1,100}")
EVERYWHERE = ("", "0.0.0.0", "::")
ENDING_SECONDS = 2
"""How long a server that is told to end waits for its callers; streams of open pages would last for ever."""
MOST_AT_ONCE = 200
"""Connections; each may hold a body in memory."""


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="Address to listen on; beyond this machine every call needs a token.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port.")] = 8080,
    known_as: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Host name by which callers know it, such as a proxy's.")
    ] = None,
    domains: Domains = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes that plan.")] = 2,
    max_seconds: Annotated[
        float, typer.Option(min=0.1, help="A call that plans longer, or takes more processor time, is ended.")
    ] = 30.0,
    max_long_seconds: Annotated[float, typer.Option(min=0.1, help="The same for calls that answer later.")] = 600.0,
    max_memory_mb: Annotated[int, typer.Option(min=64, help="A call that takes more memory is ended.")] = 1024,
    max_body_mb: Annotated[int, typer.Option(min=1, max=1024, help="A larger question is refused.")] = 10,
    calls_per_minute: Annotated[int, typer.Option(min=0, help="For each caller; 0: any number.")] = 6000,
    calls_at_once: Annotated[int, typer.Option(min=1, help="For each caller: so many that plan, and streams.")] = 16,
    allow_planner: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="Let whoever may plan name this planner, though it costs money. Repeatable."),
    ] = None,
    tokens: TokenFile = None,
    start_token: Annotated[
        bool, typer.Option("--start-token/--no-start-token", help="Print a token with every right at the start.")
    ] = True,
    proxy_header: Annotated[
        str | None, typer.Option(metavar="NAME", help="Header in which a reverse proxy names the user.")
    ] = None,
    proxy_address: Annotated[
        list[str] | None, typer.Option(metavar="ADDRESS", help="From where that header counts. Repeatable.")
    ] = None,
    proxy_right: Annotated[
        list[Right] | None, typer.Option(help="What the proxy's users may do. Default: read and plan.")
    ] = None,
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
    _check_proxy(proxy_header, proxy_address, proxy_right)
    try:
        import uvicorn

        from planvow.adapters.http.app import application
        from planvow.adapters.http.callers import FREE, LOOPBACK, Guarding, Proxy
        from planvow.adapters.http.reception import Allowance
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
    setting = replace(make_setting(), paid_planners=frozenset(allow_planner or ()))
    token_path = token_file(repo_root, tokens)
    read_tokens(token_path)  # a broken file is told now and not to the first caller
    proxy = None
    if proxy_header:
        rights = frozenset(proxy_right) if proxy_right else FREE
        proxy = Proxy(header=proxy_header, addresses=frozenset(proxy_address or ()), rights=rights)
    names = frozenset(name.lower() for name in known_as or ())
    token = secrets.token_urlsafe(24) if start_token else None
    guarding = Guarding(
        hosts=None if host in EVERYWHERE and not names else LOOPBACK | {host.lower()} | names,
        token=token,
        everything=host not in LOOPBACK or proxy is not None,
        tokens=Tokens(token_path),
        proxy=proxy,
    )
    allowance = Allowance(per_minute=calls_per_minute, at_once=calls_at_once, body_bytes=max_body_mb * 2**20)
    limits = Limits(seconds=max_seconds, long_seconds=max_long_seconds, memory_mb=max_memory_mb)
    begin_telemetry()
    listening = scratch.enter_context(_bound(host, port))
    port = listening.getsockname()[1]
    pool = Pool(make_setting, size=workers, limits=limits)
    try:
        if token is not None:
            note(f"planvow: token for posting and approving: {token}")
        listening.listen()  # whoever reads an address is heard from now on, and answered when all is loaded
        note(f"planvow: http://{host}:{port}/api/v1, described at /openapi.json")
        if token is not None:
            note(f"planvow: pages at http://{host}:{port}/console/sign-in#{token}")
        config = uvicorn.Config(
            application(setting, pool, guarding, allowance),
            host=host,
            port=port,
            log_level="warning",
            access_log=False,
            limit_concurrency=MOST_AT_ONCE,
            timeout_graceful_shutdown=ENDING_SECONDS,  # open pages keep their streams
            proxy_headers=False,  # whom a proxy speaks for is read by us, from declared addresses only
        )
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listening])
    finally:
        pool.close()
        scratch.close()


def _bound(host: str, port: int) -> socket.socket:
    """Return a socket at this address; that it is taken is told before anything is started."""
    bound = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
    except OSError as error:
        bound.close()
        hint = "another server may be there: --port names another port, 0 any that is free"
        message = f"cannot listen at {host}:{port}: {error.strerror or error}"
        raise InputError(message, place="--port", hint=hint) from None
    return bound


def _check_proxy(header: str | None, addresses: list[str] | None, rights: list[Right] | None) -> None:
    """Raise InputError for a header that would count from anywhere, or addresses that name nobody."""
    if header is None and (addresses or rights):
        raise InputError("a proxy's users are named in a header", place="--proxy-header")
    if header is not None and not addresses:
        hint = "name the address that the proxy calls from: --proxy-address 127.0.0.1"
        raise InputError("from everywhere, anybody could send that header", place="--proxy-address", hint=hint)
    if header is not None and (header.lower() == "authorization" or not _HEADER.fullmatch(header)):
        raise InputError(f"{shown(header)} is no header for a user's name", place="--proxy-header")
    for address in addresses or ():
        try:
            ipaddress.ip_address(address)
        except ValueError:
            raise InputError(f"{shown(address)} is no IP address", place="--proxy-address") from None
