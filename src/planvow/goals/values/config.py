"""The goal planner's knowledge of the world outside, as data: `goals.toml`, and files that extend it.

Names are matched case-folded with white space collapsed. A user's file has the same tables; its rows are added to
ours and win where both have one. Unknown keys are refused, because a misspelt table would otherwise be silently
ignored.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from planvow.errors import InputError, did_you_mean, expect
from planvow.goals.errors import GoalConfigError
from planvow.goals.values.paths import is_absolute, normal_path
from planvow.goals.values.values import ToolCapability
from planvow.kernel.world.values import FrozenDict

FILE_ACTIONS = ("create", "delete", "rename", "move", "copy", "read", "write", "append", "list")


@dataclass(frozen=True, kw_only=True)
class GoalConfig:
    """Platforms, browsers, apps, file words and protected places.

    >>> from planvow.goals.values.config import default_config
    >>> default_config().default_browser
    'chrome'
    """

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
    domain_endings: tuple[str, ...]
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
    text = files("planvow.goals.values").joinpath("goals.toml").read_text(encoding="utf-8")
    return _parsed(tomllib.loads(text), None, "goals.toml")


def load_config(path: Path) -> GoalConfig:
    """Read a user's file on top of ours.

    >>> from pathlib import Path
    >>> _ = Path("goals.toml").write_text('default_browser = "firefox"')
    >>> load_config(Path("goals.toml")).default_browser
    'firefox'
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise GoalConfigError(f"cannot be read: {error.strerror}", place=str(path)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise GoalConfigError(f"not TOML: {error}", place=str(path)) from None
    return _parsed(data, default_config(), str(path))


def config_from_data(data: Any, *, place: str) -> GoalConfig:
    """Read what a user's file says, as data, on top of ours."""
    expect(data, Mapping, place, "an object")
    return _parsed(data, default_config(), place)


_WORDS = ("default_platform", "default_browser")
_TABLES = ("preferred_tools", "platforms", "homepages", "app_aliases", "queries")
_FOLDED_TABLES = ("platform_aliases", "action_aliases", "implied_types")
_LISTS = {
    "browsers": {"names": "browsers"},
    "apps": {"names": "apps"},
    "protected": {"paths": "protected_paths", "extensions": "protected_extensions"},
    "domains": {"endings": "domain_endings"},
}
_KEYS = (*_WORDS, *_TABLES, *_FOLDED_TABLES, *_LISTS, "tools")


def _parsed(data: Mapping[str, Any], base: GoalConfig | None, place: str) -> GoalConfig:
    _refuse_unknown(data, _KEYS, place)
    read: dict[str, Any] = {}
    for word in _WORDS:
        if word in data:
            read[word] = folded(_text(data[word], f"{place}: {word}"))
    for table in (*_TABLES, *_FOLDED_TABLES):
        rows = _table(data, table, place)
        own = {folded(key): _text(value, f"{place}: {table}.{key}") for key, value in rows.items()}
        if table in _FOLDED_TABLES:
            own = {key: folded(value) for key, value in own.items()}
        read[table] = FrozenDict({**(getattr(base, table) if base else {}), **own})
    for table, lists in _LISTS.items():
        rows = _table(data, table, place)
        _refuse_unknown(rows, tuple(lists), f"{place}: [{table}]")
        for key, name in lists.items():
            listed = rows.get(key, [])
            if not isinstance(listed, list):
                raise GoalConfigError("expected a list", place=f"{place}: {table}.{key}")
            own_list = tuple(_ENTRIES[name](_text(value, f"{place}: {table}.{key}")) for value in listed)
            if None in own_list:
                expected = "absolute paths" if name == "protected_paths" else "endings such as .sys"
                raise GoalConfigError(f"expected {expected}", place=f"{place}: {table}.{key}")
            read[name] = tuple(dict.fromkeys((*(getattr(base, name) if base else ()), *own_list)))
    read["tools"] = _tools(_table(data, "tools", place), base, place)
    missing = [f.name for f in fields(GoalConfig) if f.name not in read]
    if base is None and missing:
        raise GoalConfigError(f"missing: {', '.join(missing)}", place=place)
    made = replace(base, **read) if base is not None else GoalConfig(**read)
    _check(made, place)
    return made


def _protected_path(path: str) -> str | None:
    return normal_path(path) if is_absolute(path) else None


def _ending(text: str) -> str | None:
    return text.casefold() if text.startswith(".") and len(text) > 1 else None


_ENTRIES: Mapping[str, Callable[[str], str | None]] = {
    "browsers": folded,
    "apps": folded,
    "domain_endings": folded,
    "protected_paths": _protected_path,
    "protected_extensions": _ending,
}


def _refuse_unknown(data: Mapping[str, Any], known: tuple[str, ...], place: str) -> None:
    for key in data:
        if key not in known:
            raise GoalConfigError(f"unknown key {key!r}", place=place, hint=did_you_mean(key, known))


def _table(data: Mapping[str, Any], name: str, place: str) -> Mapping[str, Any]:
    rows = data.get(name, {})
    if not isinstance(rows, dict):
        raise GoalConfigError("expected a table", place=f"{place}: [{name}]")
    return rows


def _check(config: GoalConfig, place: str) -> None:
    """Refuse what would only fail, or be ignored, when a goal is planned."""
    for table, rows, needed in (("platforms", config.platforms, "{query}"), ("homepages", config.homepages, "")):
        for name, address in rows.items():
            if needed not in address or not address.startswith(("https://", "http://")):
                what = "an http address" + (f" with {needed} in it" if needed else "")
                raise GoalConfigError(f"expected {what}", place=f"{place}: {table}.{name}")
    for word, known in (("default_platform", config.platforms), ("default_browser", config.browsers)):
        if getattr(config, word) not in known:
            hint = did_you_mean(getattr(config, word), known)
            raise GoalConfigError(f"{getattr(config, word)!r} is not known", place=f"{place}: {word}", hint=hint)
    for table, rows, allowed in (
        ("platform_aliases", config.platform_aliases, tuple(config.platforms)),
        ("action_aliases", config.action_aliases, FILE_ACTIONS),
        ("implied_types", config.implied_types, ("file", "folder")),
    ):
        for name, meant in rows.items():
            if meant not in allowed:
                hint = did_you_mean(meant, allowed)
                raise GoalConfigError(f"{meant!r} is not known", place=f"{place}: {table}.{name}", hint=hint)


def _tools(rows: Mapping[str, Any], base: GoalConfig | None, place: str) -> tuple[ToolCapability, ...]:
    known = {tool.name: tool for tool in base.tools} if base else {}
    for name, row in rows.items():
        if not isinstance(row, dict) or set(row) - {"can_achieve", "requires", "effects"}:
            raise GoalConfigError("expected can_achieve, requires, effects", place=f"{place}: tools.{name}")
        try:
            known[name] = ToolCapability(name=name, **row)
        except InputError as error:
            raise GoalConfigError(error.message, place=f"{place}: tools.{name}") from None
    return tuple(known[name] for name in sorted(known))


def _text(value: Any, place: str) -> str:
    if not isinstance(value, str):
        raise GoalConfigError(f"expected text, got {value!r}", place=place)
    return value
