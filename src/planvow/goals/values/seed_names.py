"""The seed's tables under the seed's names, read off the configuration they live in (seed 003, section 7)."""

from __future__ import annotations

from planvow.goals.values.config import FILE_ACTIONS, default_config
from planvow.kernel.world.values import FrozenDict

ACTION_ALIASES = default_config().action_aliases
"""Words for what is done to a file, and the action each stands for."""
FILE_OPERATION_TOOLS = FrozenDict(
    {
        (action, kind): tool.name
        for action in FILE_ACTIONS
        for kind in ("folder", "file")
        for tool in default_config().tools
        if f"{action}_{kind}" in tool.can_achieve
    }
)
"""(action, object type) → the tool that ships for it."""
