"""Tools that were imported together: by name, with the hash of what a person decided about them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from planvow.agent.tools.tool import Tool
from planvow.hooks import hook


class ImportedTools(dict[str, Tool]):
    """The tools of a server or of a review file. An agent takes those that its commands name and pins the hash."""

    def __init__(self, tools: Mapping[str, Tool], *, policy_hash: str) -> None:
        super().__init__(tools)
        self.policy_hash = policy_hash


def import_mcp(
    server: str | Sequence[str],
    *,
    allow_command: bool = False,
    only: Iterable[str] | None = None,
    headers: Mapping[str, str] | None = None,
    environment: Mapping[str, str] | None = None,
    timeout_seconds: float = 60.0,
    **more: Any,
) -> ImportedTools:
    """Return the tools of an MCP server as an agent runs them. Needs the extra `[mcp]`.

        Agent(domain, tools=import_mcp(["python", "shop.py"], allow_command=True), ledger="agent.db")

    `server` is the http:// or https:// address of one, or the words of a command, which is started only with
    `allow_command`. `{secret.NAME}` in headers and environment stands for a secret that is looked up and never stored.
    """
    made: ImportedTools = hook("import_mcp")(
        server,
        allow_command=allow_command,
        only=only,
        headers=headers,
        environment=environment,
        timeout_seconds=timeout_seconds,
        **more,
    )
    return made


def import_tools(review: str | Path, *, allow_command: bool = False) -> ImportedTools:
    """Return the tools of a review file (`tools.toml`), MCP and HTTP, as an agent runs them.

        imported = import_tools("tools.toml", allow_command=True)

    A server's command is started only with `allow_command`.
    """
    made: ImportedTools = hook("import_tools")(review, allow_command=allow_command)
    return made
