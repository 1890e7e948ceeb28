"""Tools from anywhere, as one manifest: what they are called with, what they need, what they bring about.

`read_tools` takes the tool lists of MCP, OpenAI and Anthropic, OpenAPI documents and planvow's own manifest;
`of_functions`, `of_models` and `of_domain` take Python, `of_mcp` asks a server. What a list does not say is proposed
and counts when a person has confirmed it. Nothing here calls a tool.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from planvow._lazy import lazily

if TYPE_CHECKING:  # what type checkers and editors see; at run time `_HOMES` says the same
    from planvow.tools.check import Mistake, check_tools
    from planvow.tools.domains import agenda_schema, of_domain, read_agenda
    from planvow.tools.export import to_anthropic, to_mcp, to_openai, to_skills
    from planvow.tools.proposals import propose
    from planvow.tools.python import of_functions, of_models
    from planvow.tools.review import read_review, reviewed, write_review
    from planvow.tools.servers import of_mcp
    from planvow.tools.shapes import read_tools
    from planvow.tools.tool import ToolEntry, tools_data, tools_hash

_HOMES = {
    "ToolEntry": "tool",
    "tools_data": "tool",
    "tools_hash": "tool",
    "read_tools": "shapes",
    "of_functions": "python",
    "of_models": "python",
    "of_mcp": "servers",
    "of_domain": "domains",
    "agenda_schema": "domains",
    "read_agenda": "domains",
    "propose": "proposals",
    "read_review": "review",
    "reviewed": "review",
    "write_review": "review",
    "check_tools": "check",
    "Mistake": "check",
    "to_mcp": "export",
    "to_openai": "export",
    "to_anthropic": "export",
    "to_skills": "export",
}
__all__ = [
    "Mistake",
    "ToolEntry",
    "agenda_schema",
    "check_tools",
    "of_domain",
    "of_functions",
    "of_mcp",
    "of_models",
    "propose",
    "read_agenda",
    "read_review",
    "read_tools",
    "reviewed",
    "to_anthropic",
    "to_mcp",
    "to_openai",
    "to_skills",
    "tools_data",
    "tools_hash",
    "write_review",
]
__getattr__ = lazily(__name__, _HOMES)
