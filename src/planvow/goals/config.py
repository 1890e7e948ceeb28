"""The goal planner's knowledge of the world outside, as data: `goals.toml`, and files that extend it.

Names are matched case-folded with white space collapsed. A user's file has the same tables; its rows are added to
ours and win where both have one. Unknown keys are refused, because a misspelt table would otherwise be silently
ignored.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from planvow.errors import did_you_mean
from planvow.goals.errors import GoalConfigError
from planvow.goals.values import ToolCapability


@dataclass(frozen=True, kw_only=True)
class GoalConfig:
    """Platforms, browsers, apps, file words and protected places."""

    default_platform: str
    default_browser: str
    preferred_tools: Mapping[str, str]
    platforms: Mapping[str, str]
    platform_aliases: Mapping[str, str]
    homepages: Mapping[str, str]
    browsers: tuple[str, ...]
    apps: tuple[str, ...]
    queries: Mapping[str, str]
    app_aliases: Mapping[str, str]
    action_aliases: Mapping[str, str]
    implied_types: Mapping[str, str]
    protected_paths: tuple[str, ...]
    protected_extensions: tuple[str, ...]
    tools: tuple[ToolCapability, ...]

    def platform(self, name: str) -> str:
        """Return a platform's own name: aliases resolved, case and spaces folded."""
        key = folded(name)
        return self.platform_aliases.get(key, key)

    def app(self, name: str) -> str:
        """Return an app's own name; one we do not know passes through, trimmed."""
        return self.app_aliases.get(folded(name), name.strip())

    def is_browser(self, name: str) -> bool:
        return folded(self.app(name)) in self.browsers


def folded(name: str) -> str:
    """Return a name as it is compared: case-folded, inner white space single."""
    return " ".join(name.casefold().split())


@lru_cache(maxsize=1)
def default_config() -> GoalConfig:
    """Return what ships with planvow."""
    text = files("planvow.goals").joinpath("goals.toml").read_text(encoding="utf-8")
    return _parsed(tomllib.loads(text), None, "goals.toml")


def load_config(path: Path) -> GoalConfig:
    """Read a user's file on top of ours."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise GoalConfigError(f"cannot be read: {error.strerror}", place=str(path)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise GoalConfigError(f"not TOML: {error}", place=str(path)) from None
    return _parsed(data, default_config(), str(path))


_WORDS = ("default_platform", "default_browser")
_TABLES = (
    "preferred_tools",
    "platforms",
    "platform_aliases",
    "homepages",
    "app_aliases",
    "action_aliases",
    "implied_types",
    "queries",
)
_LISTS = {
    ("browsers", "names"): "browsers",
    ("apps", "names"): "apps",
    ("protected", "paths"): "protected_paths",
    ("protected", "extensions"): "protected_extensions",
}
_KEYS = (*_WORDS, *_TABLES, "browsers", "apps", "protected", "tools")


def _parsed(data: Mapping[str, Any], base: GoalConfig | None, place: str) -> GoalConfig:
    for key in data:
        if key not in _KEYS:
            raise GoalConfigError(f"unknown key {key!r}", place=place, hint=did_you_mean(key, _KEYS))
    read: dict[str, Any] = {}
    for word in _WORDS:
        if word in data:
            read[word] = folded(_text(data[word], f"{place}: {word}"))
    for table in _TABLES:
        rows = data.get(table, {})
        if not isinstance(rows, dict):
            raise GoalConfigError("expected a table", place=f"{place}: [{table}]")
        own = {folded(key): _text(value, f"{place}: {table}.{key}") for key, value in rows.items()}
        read[table] = {**(getattr(base, table) if base else {}), **own}
    for (table, key), name in _LISTS.items():
        listed = data.get(table, {}).get(key, [])
        if not isinstance(listed, list):
            raise GoalConfigError("expected a list", place=f"{place}: {table}.{key}")
        own_list = tuple(_text(value, f"{place}: {table}.{key}") for value in listed)
        read[name] = tuple(dict.fromkeys((*(getattr(base, name) if base else ()), *own_list)))
    read["tools"] = _tools(data.get("tools", {}), base, place)
    for name, template in read["platforms"].items():
        if "{query}" not in template or not template.startswith(("https://", "http://")):
            raise GoalConfigError("expected an http address with {query} in it", place=f"{place}: platforms.{name}")
    if base is not None:
        return replace(base, **read)
    missing = [f.name for f in fields(GoalConfig) if f.name not in read]
    if missing:
        raise GoalConfigError(f"missing: {', '.join(missing)}", place=place)
    return GoalConfig(**read)


def _tools(rows: Any, base: GoalConfig | None, place: str) -> tuple[ToolCapability, ...]:
    known = {tool.name: tool for tool in base.tools} if base else {}
    if not isinstance(rows, dict):
        raise GoalConfigError("expected a table", place=f"{place}: [tools]")
    for name, row in rows.items():
        if not isinstance(row, dict) or set(row) - {"can_achieve", "requires", "effects"}:
            raise GoalConfigError("expected can_achieve, requires, effects", place=f"{place}: tools.{name}")
        known[name] = ToolCapability(name=name, **row)
    return tuple(known[name] for name in sorted(known))


def _text(value: Any, place: str) -> str:
    if not isinstance(value, str):
        raise GoalConfigError(f"expected text, got {value!r}", place=place)
    return value
