"""The tool registry: which tools there are. Capabilities are derived from it, never discovered while planning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from planvow.errors import InputError, did_you_mean, expect
from planvow.goals.plan.index import ToolIndex
from planvow.goals.values.config import GoalConfig, default_config
from planvow.goals.values.values import ToolCapability

_FIELDS = frozenset({"name", "description", "can_achieve", "requires", "effects"})


class ToolRegistry:
    """Tools by name. The same name twice is an error; `index()` is what planners read.

    >>> registry = ToolRegistry([ToolCapability(name="lamp.on", can_achieve=frozenset({"light"}))])
    >>> registry.get("lamp.on").can_achieve
    frozenset({'light'})
    """

    def __init__(self, tools: Iterable[ToolCapability] = ()) -> None:
        self._tools: dict[str, ToolCapability] = {}
        self._index: ToolIndex | None = None
        self.descriptions: dict[str, str] = {}
        """What tools say about themselves, by name, where a manifest says it: wishes are read with their words, too."""
        for tool in tools:
            self.register(tool)

    @classmethod
    def default(cls, config: GoalConfig | None = None) -> ToolRegistry:
        """Return the tools that ship with planvow (and those of a configuration)."""
        return cls((config or default_config()).tools)

    @classmethod
    def from_data(cls, rows: Any) -> ToolRegistry:
        """Read a list of `{"name", "description", "can_achieve", "requires", "effects"}`, as in a capabilities file."""
        if not isinstance(rows, list):
            raise InputError("capabilities are a list", place="capabilities", hint=_hint(rows))
        registry = cls()
        for number, row in enumerate(rows):
            place = f"capabilities[{number}]"
            if not isinstance(row, Mapping) or not set(row) <= _FIELDS:
                told = "a capability has name, description, can_achieve, requires and effects"
                raise InputError(told, place=place, hint=_hint(rows))
            try:
                tool = ToolCapability(**{name: value for name, value in row.items() if name != "description"})
            except TypeError:
                raise InputError("a capability needs a name", place=place) from None
            registry.register(tool)
            if "description" in row:
                expect(row["description"], str, f"{place}.description", "a text")
                registry.descriptions[tool.name] = row["description"]
        return registry

    def register(self, tool: ToolCapability) -> None:
        """Add a tool."""
        if tool.name in self._tools:
            raise InputError(f"tool {tool.name!r} is registered already", place="name")
        self._tools[tool.name] = tool
        self._index = None

    def get(self, name: str) -> ToolCapability:
        """Return a tool, or raise with the nearest name."""
        if name not in self._tools:
            raise InputError(f"there is no tool {name!r}", hint=did_you_mean(name, self._tools))
        return self._tools[name]

    def capabilities(self) -> tuple[ToolCapability, ...]:
        """Return all capabilities, by name."""
        return tuple(self._tools[name] for name in sorted(self._tools))

    def index(self) -> ToolIndex:
        """Return the capabilities indexed by word; built once until a tool is added."""
        if self._index is None:
            self._index = ToolIndex(self._tools.values())
        return self._index


def _hint(rows: Any) -> str | None:
    """Return what helps where the list is one of another shape: no goal of seed 003 can be planned over that."""
    from planvow.tools.shapes import CAPABILITIES, shape_of  # only who made this mistake needs it

    shape = shape_of(rows)
    return None if shape in (None, CAPABILITIES) else f"this is a list of {shape}: planvow tools plan plans over such"
