"""Reading one clause of English as a goal: a verb, what it is done to, and where.

Every function returns goals it is sure of, a `Doubt` with the readings it sees, or None when the clause is not its own.
A word that is merely unknown is never turned into an app, a folder or a query: doubt is an answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from planvow.goals.config import GoalConfig, folded
from planvow.goals.paths import ANCHORS, looks_like_file
from planvow.goals.values import Goal


@dataclass(frozen=True, kw_only=True)
class Doubt:
    """Not sure: why, and what could have been meant."""

    reason: str
    choices: tuple[str, ...] = ()


Reading = Goal | Doubt | None

_QUOTED = r"(?:\"(?P<{0}_q>[^\"]+)\"|'(?P<{0}_s>[^']+)'|(?P<{0}>{1}))"
_NAME = r"[\w./~][\w./\\:~-]*"
_ARTICLES = r"(?:(?:a|an|the|my|new|another|empty)\s+)*"
_NOUN = r"(?P<noun>folder|directory|dir|file)"
_NOUNS = {"folder": "folder", "directory": "folder", "dir": "folder", "file": "file"}
_DOMAIN = re.compile(r"(https?://\S+|[\w-]+(\.[\w-]+)*\.[a-z]{2,}(:\d+)?(/\S*)?|localhost(:\d+)?(/\S*)?)", re.I)
_VAGUE = frozenset(
    {"it", "that", "this", "them", "everything", "anything", "something", "all", "there", "one", "other"}
)
_ABOUT = frozenset({
    "above", "again", "aside", "attributes", "away", "below", "called", "color", "colour", "content", "contents",
    "count", "date", "everywhere", "extension", "first", "format", "hierarchy", "history", "icon", "immediately",
    "inside", "instead", "layout", "left", "listing", "location", "manager", "name", "named", "names", "now",
    "options", "owner", "permanently", "permissions", "please", "properties", "quickly", "recursively", "right",
    "rights", "settings", "sharing", "size", "structure", "system", "template", "there", "today", "too", "tree",
    "twice", "type", "view",
})  # fmt: skip
"""Words after "the folder" that say something about a folder, or how it is done, and rarely name one."""
_BINS = frozenset({"trash", "bin", "recycle", "clipboard", "me", "him", "her", "us", "you", "somewhere", *ANCHORS})
_LOCAL = re.compile(
    r"\bmy\b|\bthis (computer|pc|laptop|disk|machine)\b|\bthe (computer|pc|laptop|disk|machine|file|folder)\b"
    r"|\b(files?|folders?) (named|called)\b",
    re.I,
)
_ELSEWHERE = re.compile(
    r"(?:in|on|inside|within|through|under)\b.*|(?:the|this|that|these|those|our)\b.+\bfor\b.*", re.I
)
"""`search the house for clues`: a place to search that is no platform."""
_FILE_ENDINGS = re.compile(r"\.(txt|md|pdf|docx?|xlsx?|pptx?|csv|json|py|js|log|png|jpe?g|zip|html?)$", re.I)
_APP = re.compile(
    r"(?:the\s+)?(?:app|application|program)\s+(?P<name>.+)|(?:the\s+)?(?P<last>.+?)\s+(?:app|application)", re.I
)
_QUESTION = re.compile(
    r"(?:what(?:'s| is) (?:the |my )?|how much |how full is (?:the )?)(?P<what>.+?)(?: is it| is left| do i have)?"
    r"|what time is it",
    re.I,
)
_NAMED = _ARTICLES + _NOUN + r"\s+(?P<introduced>(?:called|named)\s+)?" + _QUOTED.format("name", _NAME)
_WRITE = re.compile(
    r"(?P<verb>write|append)\s+(?:\"(?P<d>[^\"]*)\"|'(?P<s>[^']*)')\s+to\s+" + _QUOTED.format("name", _NAME),
    re.I,
)


def platform_of_page(target: str, config: GoalConfig) -> str | None:
    """Return the platform whose page an address or a name is, if it can be searched."""
    name = config.platform(target)
    if name in config.platforms:
        return name
    address = re.sub(r"^(?:https?://)?(?:www\.)?", "", folded(target)).rstrip("/")
    homes = {re.sub(r"^https?://(?:www\.)?", "", home): name for name, home in config.homepages.items()}
    return homes[address] if homes.get(address) in config.platforms else None


def _is_name(match: re.Match[str], name: str, kind: str) -> bool:
    """Say whether what stands after "file" or "folder" is surely its name: quoted, introduced, or shaped like one."""
    parts = match.groupdict()
    bare = parts.get(name)
    if bare is None or parts.get("introduced"):
        return folded(group(match, name)) not in _VAGUE or bare is None
    if kind == "file":
        return looks_like_file(bare)
    return folded(bare) not in {*_VAGUE, *_ABOUT, "in", "on"}


def quoted(name: str, pattern: str = _NAME) -> str:
    """Return a pattern for a word in quotes, or bare."""
    return _QUOTED.format(name, pattern)


def group(match: re.Match[str], name: str) -> str:
    """Return what a `quoted` pattern matched, without its quotes."""
    parts = match.groupdict()
    return (parts.get(f"{name}_q") or parts.get(f"{name}_s") or parts.get(name) or "").strip()


def read_clause(clause: str, config: GoalConfig) -> Reading:
    """Read one clause; None when no verb of ours begins it."""
    for reader in _READERS:
        found = reader(clause, config)
        if isinstance(found, Goal) and found.goal_type == "file_operation" and ".." in (found.target or ""):
            return Doubt(reason="a path that climbs out of its folder is not read as a wish")
        if found is not None:
            return found
    return None


def read_search(clause: str, config: GoalConfig) -> Reading:
    match = re.fullmatch(r"(?:search|look up|look for|find|google)\b\s*(?P<rest>.*)", clause, re.I)
    if match is None:
        return None
    verb = folded(clause.split()[0])
    rest = re.sub(r"^for\b\s*", "", match["rest"], flags=re.I).strip()
    platform, query = _platform_and_query(rest, config)
    if verb == "google" and platform is None:
        platform = "google"
    if not query or folded(query) in _VAGUE or re.search(r"(?:^|\s)(?:on|for|in|with)$", query, re.I):
        return Doubt(reason="what should be searched for?")
    if _LOCAL.search(rest) or (platform is None and rest == match["rest"].strip() and _ELSEWHERE.fullmatch(rest)):
        return Doubt(reason="a search on this machine is not a search on the web", choices=("search the web",))
    if verb == "find" and platform is None:
        return Doubt(reason="find where?", choices=(f"search the web for {query}", f"find a file called {query}"))
    names = "|".join(map(re.escape, _platform_names(config)))
    if re.search(rf"(?:\bon |^)(?:{names})(?:\s*,\s*| and | or )(?:{names})\b", rest, re.I):
        return Doubt(reason="one search, two platforms")
    is_a_name = config.platform(rest) in config.platforms or folded(clause) in {
        *config.app_aliases,
        *config.platform_aliases,
    }
    if is_a_name and rest == match["rest"].strip():  # "search youtube", "google maps": a name, not a query
        return Doubt(reason="what should be searched for?", choices=(f"search {rest} for …", f"open {rest}"))
    if platform is None and re.search(rf"\s(?:in|at|from|via|through)\s+(?:{names})$", query, re.I):
        return Doubt(
            reason="is the last word a place to search?", choices=(re.sub(r"\s\S+\s+(\S+)$", r" on \1", clause),)
        )
    return Goal(goal_type="browser_search", platform=platform, query=query)


def _platform_names(config: GoalConfig) -> list[str]:
    return sorted({*config.platforms, *config.platform_aliases}, key=lambda name: (-len(name), name))


def _platform_and_query(rest: str, config: GoalConfig) -> tuple[str | None, str]:
    names = "|".join(map(re.escape, _platform_names(config)))
    for pattern in (
        rf"(?:on|in|using|with)\s+(?P<platform>{names})\s+for\s+(?P<query>.+)",
        rf"(?P<platform>{names})\s+for\s+(?P<query>.+)",
        rf"(?P<query>.+?)\s+(?:on|using|with)\s+(?P<platform>{names})",
    ):
        match = re.fullmatch(pattern, rest, re.I)
        if match is not None:
            return config.platform(match["platform"]), match["query"].strip()
    return None, rest


def read_launch(clause: str, config: GoalConfig) -> Reading:
    match = re.fullmatch(r"(?P<verb>open|launch|start|run)\b\s*(?P<what>.*)", clause, re.I)
    return None if match is None else read_thing(match["what"], config, navigates=folded(match["verb"]) == "open")


def read_thing(what: str, config: GoalConfig, *, navigates: bool = True) -> Reading:
    """Read what is to be opened: an app we know, a page, or doubt."""
    explicit = _APP.fullmatch(what)
    bare = re.sub(r"^(?:the|a|an|my)\s+", "", what.strip(), flags=re.I)
    name = folded(bare)
    if not name or name in _VAGUE:
        return Doubt(reason="open what?")
    if explicit is not None:
        app = explicit["name"] or explicit["last"]
        if folded(app) in {*_VAGUE, "a", "an", "the", "my", "new"}:
            return Doubt(reason="which app?")
        return Goal(goal_type="app_launch", target=app)
    if config.is_browser(bare) or folded(config.app(bare)) in config.apps:
        return Goal(goal_type="app_launch", target=config.app(bare))
    platform = config.platform(bare)
    if navigates and platform in config.homepages:
        return Goal(goal_type="browser_navigate", target=platform)
    if navigates and _DOMAIN.fullmatch(bare) and not _FILE_ENDINGS.search(bare):
        return Goal(goal_type="browser_navigate", target=bare)
    return Doubt(
        reason=f"{bare!r} is no app, page or file that is known",
        choices=(f"launch the app {bare}", f"go to {bare}.com", f"read the file {bare}"),
    )


def read_navigate(clause: str, config: GoalConfig) -> Reading:
    match = re.fullmatch(r"(?:go to|visit|navigate to|browse to|take me to)\s+(?P<what>.+)", clause, re.I)
    if match is None:
        return None
    what = match["what"].strip()
    platform = config.platform(what)
    if platform in config.homepages:
        return Goal(goal_type="browser_navigate", target=platform)
    if _DOMAIN.fullmatch(what) and not _FILE_ENDINGS.search(what):
        return Goal(goal_type="browser_navigate", target=what)
    return Doubt(reason=f"{what!r} is not an address")


def read_query(clause: str, config: GoalConfig) -> Reading:
    match = _QUESTION.fullmatch(clause)
    if match is None:
        return None
    subject = "time" if match["what"] is None else folded(match["what"])
    if subject not in config.queries:
        return Doubt(reason="that is a question, not something to be done")
    return Goal(goal_type="system_query", query=config.queries[subject])


def read_create(clause: str, config: GoalConfig) -> Reading:
    shell = re.fullmatch(r"(?P<verb>mkdir|touch)\s+" + quoted("name"), clause, re.I)
    if shell is not None:
        kind = config.implied_types[folded(shell["verb"])]
        return Goal(goal_type="file_operation", action="create", object_type=kind, target=group(shell, "name"))
    match = re.fullmatch(r"(?P<verb>create|make|add|put)\b\s*(?P<rest>.*)", clause, re.I)
    return None if match is None else read_new_object(match["rest"], config)


def read_new_object(rest: str, config: GoalConfig) -> Reading:
    """Read what is to be made: `a file called x with content "…"`, or a bare name that can only be a file."""
    content = re.search(r"\s+(?:with (?:the )?(?:content|text)|containing)\s+" + quoted("content", r"\S+"), rest, re.I)
    text = group(content, "content") if content else None
    if content is not None:
        rest = rest[: content.start()] + rest[content.end() :]
    match = re.fullmatch(_NAMED, rest.strip(), re.I)
    kind = _NOUNS[folded(match["noun"])] if match is not None else ""
    is_there = re.match(r"(?:the|my)\b", rest.strip(), re.I) and not (match and match["introduced"])
    if match is not None and _is_name(match, "name", kind) and not is_there:
        if kind == "folder" and text is not None:
            return Doubt(reason="a folder has no content")
        return Goal(
            goal_type="file_operation", action="create", object_type=kind, target=group(match, "name"), content=text
        )
    bare = re.fullmatch(quoted("name"), rest.strip())
    if bare is not None and looks_like_file(group(bare, "name")):
        return Goal(
            goal_type="file_operation", action="create", object_type="file", target=group(bare, "name"), content=text
        )
    return Doubt(
        reason="create what?",
        choices=("create a folder called …", "create a file called …", "put a longer name in quotes"),
    )


def read_delete(clause: str, config: GoalConfig) -> Reading:
    match = re.fullmatch(r"(?P<verb>delete|remove|rm|rmdir|erase)\b\s*(?P<rest>.*)", clause, re.I)
    if match is None:
        return None
    named = re.fullmatch(_NAMED, match["rest"], re.I)
    kind = _NOUNS[folded(named["noun"])] if named is not None else ""
    if named is not None and _is_name(named, "name", kind):
        return Goal(goal_type="file_operation", action="delete", object_type=kind, target=group(named, "name"))
    bare = re.fullmatch(quoted("name"), match["rest"])
    if folded(match["verb"]) == "rmdir" and bare is not None:
        return Goal(goal_type="file_operation", action="delete", object_type="folder", target=group(bare, "name"))
    return Doubt(reason="delete exactly what?", choices=("delete the file …", "delete the folder …"))


def read_transfer(clause: str, config: GoalConfig) -> Reading:
    match = re.fullmatch(r"(?P<verb>rename|move|copy|duplicate)\b\s*(?P<rest>.*)", clause, re.I)
    if match is None:
        return None
    said = re.fullmatch(
        _ARTICLES + rf"(?:{_NOUN}\s+)?" + quoted("name") + r"\s+(?:in)?to\s+(?:(?:the\s+)?(?:folder|directory)\s+)?"
        + quoted("there"), match["rest"], re.I
    )  # fmt: skip
    action = folded(config.action_aliases.get(folded(match["verb"]), match["verb"]))
    if said is None or {folded(group(said, "name")), folded(group(said, "there"))} & _VAGUE:
        return Doubt(reason=f"{action} what, and to what?", choices=(f"{action} the file … to …",))
    name, there = group(said, "name"), group(said, "there")
    kind = _NOUNS[folded(said["noun"])] if said["noun"] else "file" if looks_like_file(name) else None
    if said["there"] and folded(there) in _BINS:
        return Doubt(reason=f"where is {there!r}?", choices=(f"{action} … to a folder with its path",))
    if kind is None or not _is_name(said, "name", kind):
        choices = (f"{action} the file {name}", f"{action} the folder {name}")
        return Doubt(reason=f"is {name!r} a file or a folder?", choices=choices)
    goal = Goal(goal_type="file_operation", action=action, object_type=kind, target=name)
    return replace(goal, new_name=there) if action == "rename" else replace(goal, destination=there)


def read_content(clause: str, config: GoalConfig) -> Reading:
    match = _WRITE.fullmatch(clause)
    if match is not None:
        return Goal(
            goal_type="file_operation",
            action=folded(match["verb"]),
            object_type="file",
            target=group(match, "name"),
            content=match["d"] if match["d"] is not None else match["s"],
        )
    if re.match(r"(write|append)\b", clause, re.I):
        return Doubt(reason="write what, and where?", choices=('write "…" to …',))
    return None


def read_look(clause: str, config: GoalConfig) -> Reading:
    match = re.fullmatch(r"(?P<verb>read|list)\b\s*(?P<rest>.*)", clause, re.I)
    if match is None:
        return None
    action = folded(match["verb"])
    kind = "file" if action == "read" else "folder"
    named = re.fullmatch(_NAMED, match["rest"], re.I)
    if named is not None and _NOUNS[folded(named["noun"])] == kind and _is_name(named, "name", kind):
        return Goal(goal_type="file_operation", action=action, target=group(named, "name"))
    bare = re.fullmatch(quoted("name"), match["rest"])
    shaped = bare is not None and (looks_like_file(group(bare, "name")) if kind == "file" else bare["name"] is None)
    if bare is not None and shaped:
        return Goal(goal_type="file_operation", action=action, target=group(bare, "name"))
    return Doubt(reason=f"{action} what?", choices=(f"{action} the {kind} …",))


_READERS: tuple[Callable[[str, GoalConfig], Reading], ...] = (
    read_search, read_navigate, read_launch, read_create, read_delete, read_transfer, read_content, read_look,
    read_query,
)  # fmt: skip


def take_place(clause: str) -> tuple[str, str | None]:
    """Split a place off the end of a clause: `on the desktop`, `in documents`, `on drive d`. Returns clause and
    scope."""
    places = "|".join(ANCHORS)
    match = re.search(rf"\s+(?:on|in|inside|into)\s+(?:the\s+|my\s+)?(?P<place>{places})(?:\s+folder)?$", clause, re.I)
    if match is not None:
        return clause[: match.start()], folded(match["place"])
    drive = re.search(r"\s+on\s+(?:the\s+)?drive\s+(?P<letter>[A-Za-z]):?$", clause, re.I)
    if drive is not None:
        return clause[: drive.start()], f"drive:{drive['letter'].lower()}"
    return clause, None


def placed(goal: Goal, scope: str | None) -> Goal:
    """Return a goal with its scope set."""
    return goal if scope is None else replace(goal, scope=scope)
