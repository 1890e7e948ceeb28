"""An agent that survives: it plans, runs tools, watches, repairs, and goes on from the ledger alone after any crash.

`planvow.Agent` is its front. Here is what its tools are made of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from planvow._lazy import lazily

if TYPE_CHECKING:  # what type checkers and editors see; at run time `_HOMES` says the same
    from planvow.agent.errors import ToolFailedError
    from planvow.agent.tools.adapt import as_tool, tool
    from planvow.agent.tools.imported import import_mcp, import_tools
    from planvow.agent.tools.outside import command_tool, http_tool
    from planvow.agent.tools.tool import Call, Observed, OnUnknown, RateLimit, Tool

_HOMES = {
    "ToolFailedError": "errors",
    "as_tool": "tools.adapt",
    "tool": "tools.adapt",
    "import_mcp": "tools.imported",
    "import_tools": "tools.imported",
    "command_tool": "tools.outside",
    "http_tool": "tools.outside",
    "Call": "tools.tool",
    "Observed": "tools.tool",
    "OnUnknown": "tools.tool",
    "RateLimit": "tools.tool",
    "Tool": "tools.tool",
}

__all__ = [
    "Call",
    "Observed",
    "OnUnknown",
    "RateLimit",
    "Tool",
    "ToolFailedError",
    "as_tool",
    "command_tool",
    "http_tool",
    "import_mcp",
    "import_tools",
    "tool",
]


if not TYPE_CHECKING:  # or a checker would take any misspelt name
    __getattr__ = lazily(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
