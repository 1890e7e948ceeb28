"""Tools with all that a person decided about them, under one hash.

A plan that is posted carries the hash, and whoever runs its steps compares it: a review, a manifest or a server that
changed since stops them (ruling 23: no request can write what decides on requests).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from planvow.canonical import full_hash
from planvow.errors import InputError, did_you_mean
from planvow.tools.review import Review, reviewed
from planvow.tools.servers import Server
from planvow.tools.tool import ToolEntry, manifest_hash, tools_data

FORMAT = "planvow-tool-policy/1"
KEY = "tools_policy"
"""Under which name a posted request carries the hash."""


@dataclass(frozen=True, kw_only=True)
class ToolPolicy:
    """The tools as reviewed, and the servers that run them."""

    tools: tuple[ToolEntry, ...]
    servers: Mapping[str, Server]

    @property
    def hash(self) -> str:
        """What names exactly these tools with exactly these servers."""
        servers = {name: server.as_dict() for name, server in self.servers.items()}
        return full_hash({"tools": tools_data(self.tools), "servers": servers}, tag=FORMAT)

    def server_of(self, tool: ToolEntry) -> Server:
        """Return who runs a tool; raise InputError when nobody may."""
        name = str(tool.origin.get("server", ""))
        if name not in self.servers:
            hint = did_you_mean(name, self.servers) or f"a section [server.{name or 'NAME'}] says how it is reached"
            raise InputError(f"no server runs {tool.name}", place=f"tool {tool.name}", hint=hint)
        if not self.servers[name].confirmed:
            raise InputError(
                f"nobody has confirmed the server {name!r:.60}", place=f"server {name}",
                hint="look at its address, then set confirmed = true",
            )  # fmt: skip
        return self.servers[name]


def tool_policy(tools: tuple[ToolEntry, ...], review: Review, *, place: str) -> ToolPolicy:
    """Return the policy of a manifest and its review; a manifest other than the reviewed one is refused."""
    found = manifest_hash(tools)
    if review.manifest_hash is not None and review.manifest_hash != found:
        raise InputError(
            f"the manifest is not the one that was reviewed: its hash is {found}, the review says "
            f"{review.manifest_hash:.80}",
            place=f"{place}: manifest_hash",
            hint="look at what changed; then write the new hash into the review",
        )
    try:
        return ToolPolicy(tools=reviewed(tools, review.tools), servers=review.servers)
    except InputError as error:
        error.place = error.place or place
        raise


def pinned(request: Any) -> str | None:
    """Return the policy hash that a posted request carries, if it does."""
    found = request.get(KEY) if isinstance(request, Mapping) else None
    return found if isinstance(found, str) else None
