"""What each kind of goal asks of its final tool: the goal word, the arguments, the expected effect; or why it is
refused.

One function per goal type turns a goal into a `Call`. This is where merging happens (seed 003, G1): "open youtube and
search nvidia" is one goal, and its platform and query become one address. Everything is pure text: no disk, no
current folder.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

from planvow.goals.values.config import FILE_ACTIONS, GoalConfig, folded
from planvow.goals.values.paths import is_absolute, is_protected, looks_like_file, normal_path
from planvow.goals.values.values import Refused, ToolGoal

_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
)
_HOST = re.compile(r"[^\s./]+(\.[^\s./]+)+\.?|localhost|[0-9a-fA-F]*:[0-9a-fA-F:.]+")


@dataclass(frozen=True, kw_only=True)
class Call:
    """What must be called for a goal: any tool that achieves `word`, with these arguments."""

    word: str
    args: Mapping[str, Any]
    effect: str
    warnings: tuple[str, ...] = ()


def call_for(goal: ToolGoal, config: GoalConfig, browser: str) -> Call | Refused:
    """Return the call a goal amounts to, or why it is refused."""
    return _BUILDERS[goal.goal_type](goal, config, browser)


def _missing(what: str, goal: ToolGoal) -> Refused:
    return Refused(code="missing_parameter", reason=f"{goal.goal_type} needs a {what}")


def _clean(text: str | None) -> str:
    """Return text without what cannot be seen (direction marks, zero-width characters, line breaks) or written: a lone
    surrogate becomes "?"."""
    return " ".join(_INVISIBLE.sub("", text or "").encode("utf-8", "replace").decode("utf-8").split())


def _search(goal: ToolGoal, config: GoalConfig, browser: str) -> Call | Refused:
    query = _clean(goal.query)
    if not query:
        return _missing("query", goal)
    asked = config.platform(goal.platform) if goal.platform and goal.platform.strip() else config.default_platform
    warnings: tuple[str, ...] = ()
    platform = asked
    if asked not in config.platforms:
        platform = config.default_platform
        is_domain = re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)+", asked) is not None
        query = f"site:{asked} {query}" if is_domain else f"{_clean(asked)} {query}"
        warnings = (f"unknown platform {asked!r}: searched on {platform} instead",)
    url = config.platforms[platform].replace("{query}", quote(query, safe=""))
    return Call(
        word="browser_search",
        args={"app_name": browser, "url": url},
        effect=f"{platform}_search_visible",
        warnings=warnings,
    )


def _navigate(goal: ToolGoal, config: GoalConfig, browser: str) -> Call | Refused:
    target = (goal.target or "").strip()
    if not target:
        return _missing("target", goal)
    if " " in target or "\\" in target or not target.isprintable():
        return Refused(
            code="invalid_target", reason=f"an address has no blanks, backslashes or hidden signs: {target!r:.80}"
        )
    if folded(target) in config.homepages:
        target = config.homepages[folded(target)]
    scheme = re.match(r"([a-zA-Z][a-zA-Z0-9+.-]*):(?!\d+([/?#]|$))", target)
    if scheme and scheme[1].lower() not in ("http", "https"):
        return Refused(code="forbidden_scheme", reason=f"only http and https addresses are opened, not {scheme[1]}:")
    url = target if scheme else f"https://{target}"
    if re.match(r"[^/]*//[^/?#]*@", url):  # a plan is kept and shown; and it can pose as the host
        reason = "a user name or password before the @ would be kept in the plan: give the address without it"
        return Refused(code="credentials", reason=reason)
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "") if parts.port != 0 else ""
    except ValueError:  # brackets that do not match, or a port that is none
        host = ""
    if not _HOST.fullmatch(host):
        return Refused(
            code="invalid_target", reason=f"{goal.target!r:.80} is not an address: it has no dot in its name"
        )
    return Call(word="browser_navigate", args={"app_name": browser, "url": url}, effect="url_loaded")


def _launch(goal: ToolGoal, config: GoalConfig, browser: str) -> Call | Refused:
    asked = _clean(goal.target) or _clean(goal.platform)
    if not asked:
        return _missing("target", goal)
    name = config.app(asked)
    if name.startswith("-") or re.search(r"[/\\;&|<>$`\"'\x00-\x1f]", name):
        return Refused(code="invalid_target", reason=f"an app is named, not given as a path or command: {name!r:.80}")
    return Call(word="app_launch", args={"app_name": name}, effect=f"app_running:{name}")


def _query(goal: ToolGoal, config: GoalConfig, browser: str) -> Call | Refused:
    subject = _clean(goal.query) or _clean(goal.target)
    if not subject:
        return _missing("query", goal)
    return Call(word="system_query", args={"query": subject}, effect="answer_available")


_FIXED_TYPES = {"read": "file", "write": "file", "append": "file", "list": "folder"}


def _file(goal: ToolGoal, config: GoalConfig, browser: str) -> Call | Refused:
    if not (goal.action and goal.action.strip()):
        return _missing("action", goal)
    said = folded(goal.action)
    action = config.action_aliases.get(said, said)
    if action not in FILE_ACTIONS:
        return Refused(code="unknown_action", reason=f"no file action is called {goal.action!r:.40}")
    written = goal.resolved_path or goal.target or ""
    takes_away = action in ("delete", "rename", "move")
    checked = _checked_path(written, "target", goal, config, takes_away=takes_away)
    if isinstance(checked, Refused):
        return checked
    kind = _object_type(goal, said, action, written, config)
    if isinstance(kind, Refused):
        return kind
    args = _file_args(goal, action, kind, checked, config)
    if isinstance(args, Refused):
        return args
    return Call(word=f"{action}_{kind}", args=args, effect=f"{action}_{kind}_done")


def _object_type(goal: ToolGoal, said: str, action: str, path: str, config: GoalConfig) -> str | Refused:
    implied = _FIXED_TYPES.get(action) or config.implied_types.get(said)
    if goal.object_type is not None:
        given = folded(goal.object_type)
        kind = {"directory": "folder", "dir": "folder"}.get(given, given)
        if kind not in ("file", "folder"):
            return Refused(code="unknown_type", reason=f"object_type is file or folder, not {goal.object_type!r:.40}")
        if implied not in (None, kind):
            return Refused(code="contradiction", reason=f"{said} is about a {implied}, not about a {kind}")
        return kind
    if implied is not None:
        return implied
    if action == "delete":  # never infer what is destroyed
        return Refused(code="missing_parameter", reason="deleting needs object_type: file or folder")
    return "file" if looks_like_file(path) else "folder"


def _file_args(goal: ToolGoal, action: str, kind: str, path: str, config: GoalConfig) -> dict[str, Any] | Refused:
    if action == "create" and kind == "folder":
        return {"path": path, "parents": True, "exist_ok": True}
    if goal.content is not None and re.search("[\ud800-\udfff]", goal.content):
        return Refused(code="invalid_text", reason="the content holds half a character (a lone surrogate)")
    if action == "create":
        return {"path": path, "create_parents": True, "content": goal.content or ""}
    if action == "delete":
        return {"path": path, "recursive": goal.recursive} if kind == "folder" else {"path": path}
    if action == "rename":
        name = (goal.new_name or "").strip()
        if not name:
            return _missing("new_name", goal)
        if re.search(r"[/\\\x00-\x1f]", name) or name in (".", ".."):
            return Refused(code="invalid_target", reason=f"a new name is one name, not a path: {name!r:.80}")
        renamed = _checked_path(f"{path.rpartition('/')[0]}/{name}", "new_name", goal, config)
        return renamed if isinstance(renamed, Refused) else {"path": path, "new_name": name}
    if action in ("move", "copy"):
        there = _checked_path(_destination(goal.destination or "", path), "destination", goal, config)
        if isinstance(there, Refused):
            return there
        if kind == "folder" and f"{there}/".startswith(f"{path}/"):
            return Refused(code="invalid_target", reason="a folder does not go into itself")
        return {"path": path, "destination": there}
    if action in ("write", "append"):
        return {"path": path, "content": goal.content} if goal.content is not None else _missing("content", goal)
    return {"path": path}


def _destination(said: str, path: str) -> str:
    """Return where a thing goes: below a destination that is written as a folder (`stuff/`), else to that very path."""
    return f"{said}{path.rpartition('/')[2]}" if said.endswith(("/", "\\")) else said


def _checked_path(
    path: str, what: str, goal: ToolGoal, config: GoalConfig, *, takes_away: bool = False
) -> str | Refused:
    if not path.strip():
        return _missing(what, goal)
    if not path.isprintable():
        return Refused(code="invalid_target", reason="the path holds characters that cannot be seen")
    if not is_absolute(path):
        return Refused(code="relative_path", reason=f"{path!r:.80} is relative; a resolver must make it absolute first")
    normal = normal_path(path)
    if normal is None:
        return Refused(code="escaping_path", reason=f"{path!r:.80} climbs out of its root")
    if is_protected(normal, config.protected_paths, config.protected_extensions, with_what_is_inside=takes_away):
        return Refused(code="protected_path", reason=f"{normal!r:.80} is protected")
    return normal


_BUILDERS: dict[str, Callable[[ToolGoal, GoalConfig, str], Call | Refused]] = {
    "browser_search": _search,
    "browser_navigate": _navigate,
    "app_launch": _launch,
    "file_operation": _file,
    "system_query": _query,
}
