"""`planvow mcp`: planvow for agents, over the Model Context Protocol."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from planvow.adapters.cli.doors.given import Domains, setting_of
from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.lazy import PlainGroup, examples
from planvow.adapters.cli.frame.output import note, print_document
from planvow.adapters.cli.options.ledger import RepoRoot, StoreLocation
from planvow.adapters.cli.options.working_tree import HERE
from planvow.adapters.mcp.installing import CLIENTS
from planvow.adapters.telemetry.opentelemetry_spans import begin_telemetry
from planvow.errors import InputError, MissingExtraError, did_you_mean

app = typer.Typer(cls=PlainGroup, invoke_without_command=True, rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def mcp(
    context: typer.Context,
    http: Annotated[bool, typer.Option("--http", help="Streamable HTTP at /mcp instead of standard input.")] = False,
    host: Annotated[str, typer.Option(help="With --http: an address of this machine.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="With --http: the port.")] = 8765,
    domains: Domains = None,
    allow_post: Annotated[
        bool, typer.Option("--allow-post", help="Also offer to post plans for workers and to ask for approval.")
    ] = False,
    accept_unauthenticated: Annotated[
        list[str] | None,
        typer.Option(
            metavar="OPERATION",
            help="Let an approval given through the client count for this operation (* for all): nobody knows who "
            "answers there. Repeatable.",
        ),
    ] = None,
    allow_planner: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="Let the agent name this planner, though it costs money. Repeatable."),
    ] = None,
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
) -> None:
    """Serve planning to an agent: tools, resources and prompts. Nothing is ever executed."""
    if context.invoked_subcommand is not None:
        return
    if accept_unauthenticated and not allow_post:
        raise InputError("nothing is posted, so nothing is approved", place="--accept-unauthenticated")
    try:
        from planvow.adapters.mcp.running import check_host, serve_http, serve_stdio
        from planvow.adapters.mcp.server import Door
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "planvow":
            raise
        raise MissingExtraError(error.name or "mcp", extra="mcp", purpose="planvow mcp") from None
    setting = replace(
        setting_of(domains, repo_root, store),
        accepts_unauthenticated=frozenset(accept_unauthenticated or ()),
        paid_planners=None if allow_post else frozenset(allow_planner or ()),
    )
    begin_telemetry()
    door = Door(setting, posting=allow_post)
    if http:
        check_host(host)
        note(f"planvow: MCP at http://{host}:{port}/mcp")
        serve_http(door, host=host, port=port)
    else:
        serve_stdio(door)


@app.command(epilog=examples("planvow mcp install", "planvow mcp install cursor"))
def install(
    client: Annotated[str | None, typer.Argument(help=f"One of {', '.join(CLIENTS)}; without: all.")] = None,
    domains: Domains = None,
) -> None:
    """Print what a client must be told to start this server; nothing is written."""
    if client is not None and client not in CLIENTS:
        hint = did_you_mean(client, CLIENTS) or f"one of {', '.join(CLIENTS)}"
        raise InputError(f"no client is called {client!r:.40}", place="CLIENT", hint=hint)
    command = [sys.executable, "-m", "planvow", "mcp"]
    for domain in domains or ():
        path, mark, name = domain.partition(":")  # clients start servers in folders of their own
        command += ["--domain", f"{Path(path).resolve()}{mark}{name}" if Path(path).exists() else domain]
    for name, (place, text) in CLIENTS.items():
        if client in (None, name):
            note(f"{name}: {place}")
            print_document(text(command))
