"""What common clients want to read about this server."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Sequence

Command = Sequence[str]


def _server(command: Command) -> dict[str, object]:
    return {"command": command[0], "args": list(command[1:])}


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def _toml(command: Command) -> str:
    arguments = ", ".join(json.dumps(part) for part in command[1:])
    return f"[mcp_servers.planvow]\ncommand = {json.dumps(command[0])}\nargs = [{arguments}]"


CLIENTS: dict[str, tuple[str, Callable[[Command], str]]] = {
    "claude-desktop": ("claude_desktop_config.json", lambda c: _json({"mcpServers": {"planvow": _server(c)}})),
    "claude-code": ("run once", lambda c: f"claude mcp add planvow -- {shlex.join(c)}"),
    "cursor": (".cursor/mcp.json", lambda c: _json({"mcpServers": {"planvow": _server(c)}})),
    "vscode": (".vscode/mcp.json", lambda c: _json({"servers": {"planvow": {"type": "stdio", **_server(c)}}})),
    "codex": ("~/.codex/config.toml", _toml),
}
"""Client → where the text goes, and the text for a command that starts the server."""
