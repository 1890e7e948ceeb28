"""Serving over standard input and output, or over streamable HTTP on this machine."""

from __future__ import annotations

import logging
import sys
from typing import Any

import anyio

from planvow.adapters.mcp.server import Door
from planvow.errors import InputError

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def serve_stdio(door: Door) -> None:
    """Serve one client over standard input and output until it closes; what anybody prints goes to stderr."""
    from mcp.server.stdio import stdio_server

    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)

    async def run() -> None:
        server = door.server()
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    anyio.run(run)


def serve_http(door: Door, *, host: str, port: int) -> None:
    """Serve over streamable HTTP at /mcp. Nobody is asked who they are, so only this machine is served."""
    import uvicorn

    check_host(host)
    application = door.server().streamable_http_app(host=host)
    uvicorn.run(application, host=host, port=port, log_level="warning", log_config=_logging())


def check_host(host: str) -> None:
    """Raise InputError for an address that others can reach."""
    if host not in LOOPBACK:
        hint = "let a reverse proxy that knows its users stand before it"
        raise InputError("MCP over HTTP is served on this machine only", place="--host", hint=hint)


def _logging() -> dict[str, Any]:
    """Everything to stderr: stdout is for results."""
    handler = {"class": "logging.StreamHandler", "stream": "ext://sys.stderr"}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "handlers": {"stderr": handler},
        "root": {"handlers": ["stderr"], "level": "WARNING"},
    }
