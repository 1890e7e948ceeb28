"""From a policy to tools that can be called, for workers and agents alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from planvow.adapters.machine.secrets import read_secret
from planvow.adapters.tool_servers.connection import McpConnection
from planvow.adapters.tool_servers.operations import call_operation
from planvow.adapters.tool_servers.policy_files import read_policy
from planvow.agent.errors import ToolError
from planvow.agent.tools.imported import ImportedTools
from planvow.agent.tools.tool import Call, Tool
from planvow.canonical import full_hash
from planvow.errors import InputError, did_you_mean
from planvow.tools.policy import ToolPolicy
from planvow.tools.review import confirmed_only
from planvow.tools.servers import Server
from planvow.tools.tool import ToolEntry

Secrets = Callable[[str], str | None]


def list_tools(
    name: str, server: Server, *, allow_command: bool = False, secrets: Secrets = read_secret
) -> tuple[ToolEntry, ...]:
    """Ask an MCP server for its tools; each entry says which server runs it."""
    connection = McpConnection(name, server, allow_command=allow_command)
    try:
        return connected_tools(name, connection, server, secrets)
    finally:
        connection.close()


def connected_tools(name: str, connection: McpConnection, server: Server, secrets: Secrets) -> tuple[ToolEntry, ...]:
    """Return what a connected server offers, with where it came from."""
    found = connection.tools(_values(server, secrets))
    return tuple(replace(tool, origin={"kind": "mcp", "server": name}) for tool in found)


def _values(server: Server, secrets: Secrets) -> dict[str, str]:
    found = {name: secrets(name) for name in server.secrets}
    for name, value in found.items():
        if value is None:
            raise ToolError(f"the secret {name!r} is not set", place="server")
    return {name: value for name, value in found.items() if value is not None}


def import_mcp(
    server: str | Sequence[str],
    *,
    allow_command: bool = False,
    only: Iterable[str] | None = None,
    headers: Mapping[str, str] | None = None,
    environment: Mapping[str, str] | None = None,
    timeout_seconds: float = 60.0,
    secrets: Secrets = read_secret,
) -> ImportedTools:
    """Return the tools of an MCP server, for an agent to run: an address, or the words of a command."""
    if isinstance(server, str):
        made = Server(url=server, headers=headers or {}, timeout_seconds=timeout_seconds)
    else:
        made = Server(command=tuple(server), environment=environment or {}, timeout_seconds=timeout_seconds)
    connection = McpConnection("mcp", made, allow_command=allow_command)
    found = connected_tools("mcp", connection, made, secrets)
    if only is not None:
        found = _chosen(found, tuple(only))
    policy = ToolPolicy(tools=found, servers={"mcp": made})
    return ImportedTools({tool.name: _over_mcp(tool, made, connection) for tool in found}, policy_hash=policy.hash)


def _chosen(tools: tuple[ToolEntry, ...], names: tuple[str, ...]) -> tuple[ToolEntry, ...]:
    offered = {tool.name: tool for tool in tools}
    for name in names:
        if name not in offered:
            hint = did_you_mean(name, offered) or f"it has {', '.join(offered)}"
            raise InputError(f"the server has no tool {name!r:.60}", place="only", hint=hint)
    return tuple(offered[name] for name in names)


def import_tools(review: str | Path, *, allow_command: bool = False) -> ImportedTools:
    """Return the tools of a review file as they can be called. Nothing is started before the first call."""
    policy = read_policy(Path(review))
    connections: dict[str, McpConnection] = {}
    made = {}
    for tool in confirmed_only(policy.tools):
        kind = tool.origin.get("kind")
        if kind not in ("mcp", "http"):
            continue  # functions of a module and commands of a domain are run by whoever has them
        server = policy.server_of(tool)
        if kind == "mcp":
            name = str(tool.origin["server"])
            if name not in connections:
                connections[name] = McpConnection(name, server, allow_command=allow_command)
            made[tool.name] = _over_mcp(tool, server, connections[name])
        else:
            made[tool.name] = _over_http(tool, server)
    return ImportedTools(made, policy_hash=policy.hash)


def _over_mcp(entry: ToolEntry, server: Server, connection: McpConnection) -> Tool:
    if not (server.command or server.url):
        raise ToolError("an MCP server has a command or a url", place=f"tool {entry.name}")

    def run(call: Call) -> Any:
        return connection.call(entry, call.arguments, key=call.idempotency_key, secrets=call.secrets)

    return _tool(entry, server, run)


def _over_http(entry: ToolEntry, server: Server) -> Tool:
    if not server.base:
        raise ToolError("HTTP operations have a server with a base", place=f"tool {entry.name}")

    def run(call: Call) -> Any:
        return call_operation(server, entry, call.arguments, key=call.idempotency_key, secrets=call.secrets)

    return _tool(entry, server, run)


def _tool(entry: ToolEntry, server: Server, run: Callable[[Call], Any]) -> Tool:
    return Tool(
        name=entry.name,
        run=run,
        parameters=tuple(entry.parameters),
        schema=entry.input_schema,
        description=entry.description,
        idempotent=bool(entry.read_only or entry.idempotent),
        timeout_seconds=server.timeout_seconds,
        secrets=server.secrets,
        needs_approval=entry.needs_approval or False,
        pin=full_hash({"tool": entry.as_dict(), "server": server.as_dict()}, tag="imported-tool/1"),
    )
