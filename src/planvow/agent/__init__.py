"""An agent that survives: it plans, runs tools, watches, repairs, and goes on from the ledger alone after any crash.

`planvow.Agent` is its front. Here is what its tools are made of.
"""

from planvow.agent.errors import ToolFailedError
from planvow.agent.tools.adapt import as_tool, tool
from planvow.agent.tools.imported import import_mcp, import_tools
from planvow.agent.tools.outside import command_tool, http_tool
from planvow.agent.tools.tool import Call, Observed, OnUnknown, RateLimit, Tool

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
