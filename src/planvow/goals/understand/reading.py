"""Reading one clause of English as a goal: a verb, what it is done to, and where.

Every function returns goals it is sure of, a `Doubt` with the readings it sees, or None when the clause is not its own.
A word that is merely unknown is never turned into an app, a folder or a query: doubt is an answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from planvow.goals.understand.doubt import VAGUE, Doubt, Reading, group, quoted
from planvow.goals.understand.search_reading import read_search
from planvow.goals.values.config import GoalConfig, folded
from planvow.goals.values.paths import ANCHORS, looks_like_file
from planvow.goals.values.values import ToolGoal

_ARTICLES = r"(?:(?:a|an|the|my|new|another|empty)\s+)*"
_NOUN = r"(?P<noun>folder|directory|dir|file)"
_NOUNS = {"folder": "folder", "directory": "folder", "dir": "folder", "file": "file"}
_DOMAIN = re.compile(r"(https?://\S+|[\w-]+(\.[\w-]+)*\.[a-z]{2,}(:\d+)?(/\S*)?|localhost(:\d+)?(/\S*)?)", re.I)
_ABOUT = frozenset({
    "above", "access", "again", "alias", "aside", "attributes", "away", "below", "bookmark", "called", "changes",
    "children", "color", "colour", "content", "contents", "count", "cover", "date", "dates", "description",
    "encryption", "entries", "everywhere", "extension", "files", "filter", "first", "folders", "format",
    "hierarchy", "history", "icon", "immediately", "inside", "instead", "items", "label", "labels", "layout",
    "left", "limit", "link", "links", "listing", "location", "lock", "manager", "members", "name", "named", "names",
    "now", "options", "owner", "owners", "password", "path", "paths", "permanently", "permissions", "picture",
    "please", "preview", "properties", "protection", "quickly", "quota", "recursively", "restrictions", "right",
    "rights", "rules", "services", "settings", "share", "shares", "sharing", "shortcut", "shortcuts", "size",
    "sizes", "structure", "subfolders", "sync", "system", "tag", "tags", "template", "there", "thumbnail", "title",
    "today", "too", "tree", "twice", "type", "users", "versions", "view",
})  # fmt: skip
"""Words after "the folder" that say something about a folder, or how it is done, and rarely name one."""
_LINKING = frozenset({
    "about", "after", "an", "and", "at", "before", "by", "for", "from", "if", "in", "into", "like", "my", "of", "on",
    "or", "our", "over", "the", "then", "to", "under", "with", "your",
})  # fmt: skip
_BINS = frozenset({
    "above", "below", "bin", "clipboard", "cloud", "dropbox", "email", "everybody", "everyone", "friday", "her", "here",
    "him", "icloud", "mail", "me", "monday", "onedrive", "phone", "printer", "recycle", "safety", "saturday", "server",
    "somebody", "someone", "somewhere", "sunday", "thursday", "today", "tomorrow", "trash", "tuesday", "us", "usb",
    "wednesday", "you", *ANCHORS,
})  # fmt: skip
_STYLES = frozenset({"capitals", "lower", "lowercase", "today", "upper", "uppercase"})
"""`rename a.txt to lowercase`: how a name should be, not the name."""
_NOUNS_TOO = frozenset({"brave", "code", "edge", "outlook", "paint", "so", "steam", "teams", "wiki", "word"})
"""Names of apps and pages that are ordinary words after an article: "open the code"."""
_ALSO_FILES = frozenset({
    "as", "bz", "cc", "cs", "db", "do", "el", "ex", "fs", "go", "gz", "hh", "hs", "jl", "js", "kt", "lz", "md",
    "mk", "ml", "mm", "nb", "pl", "pm", "ps", "py", "rb", "rc", "rs", "sh", "so", "tf", "ts", "ui", "vb", "vi",
    "xz",
})  # fmt: skip
"""Endings of two letters that files have too: `open main.rs` may mean either."""
_APP = re.compile(
    r"(?:(?:the|an?)\s+)?(?:app|application|program)\s+(?P<introduced>(?:called|named)\s+)?(?P<name>.+)"
    r"|(?:the\s+)?(?P<last>.+?)\s+(?:app|application)",
    re.I,
)
_QUESTION = re.compile(
    r"what(?:'s| is) (?P<whose>the|my) (?P<what>.+)|how much (?P<amount>.+?) (?:is left|do i have)|what time is it",
    re.I,
)
_NAMED = _ARTICLES + _NOUN + r"\s+(?P<introduced>(?:called|named)\s+)?" + quoted("name")
_WRITE = re.compile(
    r"(?P<verb>write|append)\s+(?:\"(?P<d>[^\"]*)\"|'(?P<s>[^']*)')\s+to\s+(?P<file>(?:the\s+)?file\s+)?"
    + quoted("name"),
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
        return bare is None or folded(bare) not in VAGUE
    if kind == "file":
        return looks_like_file(bare)
    return folded(bare) not in VAGUE | _ABOUT | _LINKING


def read_clause(clause: str, config: GoalConfig) -> Reading:
    """Read one clause; None when no verb of ours begins it."""
    for reader in _READERS:
        found = reader(clause, config)
        if isinstance(found, ToolGoal) and found.goal_type == "file_operation":
            return _doubtful_path(found, clause) or found
        if found is not None:
            return found
    return None


def _doubtful_path(goal: ToolGoal, clause: str) -> Doubt | None:
    """Doubt names that could mean another place than they say, or many things at once."""
    for name in filter(None, (goal.target, goal.destination, goal.new_name)):
        if ".." in name:
            return Doubt(reason="a path that climbs out of its folder is not read as a wish")
        if re.search(r"[*?]", name):
            return Doubt(reason=f"{name!r} is a pattern of names, not a name")
        first = folded(re.split(r"[\\/]", name)[0])
        said = re.search(rf"[\"']{re.escape(name)}[\"']|\b(?:called|named)\s+{re.escape(name)}", clause, re.I)
        if first in ANCHORS and said is None:
            choices = (f"… in {first}", f'… "{name}" (a folder of that name here)')
            return Doubt(reason=f"the folder {first!r} of your own, or one of that name here?", choices=choices)
        if not name.strip("./\\~") and name != "/" and goal.action != "list":
            return Doubt(reason=f"{name!r} is a place to work in, not a thing to {goal.action}")
    return None


def read_launch(clause: str, config: GoalConfig) -> Reading:
    match = re.fullmatch(r"(?P<verb>open|launch|start|run)\b\s*(?P<what>.*)", clause, re.I)
    return None if match is None else read_thing(match["what"], config, navigates=folded(match["verb"]) == "open")


def read_thing(what: str, config: GoalConfig, *, navigates: bool = True) -> Reading:
    """Read what is to be opened: an app we know, a page, or doubt."""
    explicit = _APP.fullmatch(what)
    bare = re.sub(r"^(?:the|a|an|my)\s+", "", what.strip(), flags=re.I)
    name = folded(bare)
    if not name or name in VAGUE:
        return Doubt(reason="open what?")
    if explicit is not None:
        return _read_app(explicit, config)
    if bare != what.strip() and name in _NOUNS_TOO:
        return Doubt(reason=f"{what.strip()!r}: the program, or something else?", choices=(f"open {name}",))
    if known_app(bare, config):
        return ToolGoal(goal_type="app_launch", target=folded(config.app(bare)))
    platform = config.platform(bare)
    if platform in config.homepages and re.match(r"my\b", what.strip(), re.I):
        return Doubt(reason=f"your own page on {platform}?", choices=(f"open {platform}", "go to the page's address"))
    if navigates and platform in config.homepages:
        return ToolGoal(goal_type="browser_navigate", target=platform)
    if navigates and is_page(bare, config):
        return ToolGoal(goal_type="browser_navigate", target=bare)
    return Doubt(
        reason=f"{bare!r} is no app, page or file that is known",
        choices=(f"launch the app {bare}", f"go to {bare}.com", f"read the file {bare}"),
    )


def _read_app(said: re.Match[str], config: GoalConfig) -> Reading:
    """Read `the app X` and `the X app`: surely a name when it is known, in quotes, introduced, or capitalised."""
    words = (said["name"] or said["last"]).strip()
    name = words.strip("\"'")
    if known_app(name, config) and folded(name) != "settings":  # "the app settings" are the settings of an app
        return ToolGoal(goal_type="app_launch", target=folded(config.app(name)))
    capitals = said["last"] is None and all(word[0].isupper() for word in name.split())
    if name and (name != words or capitals or (said["introduced"] and " " not in name)):
        return ToolGoal(goal_type="app_launch", target=name)
    return Doubt(reason="which app?", choices=(f'open the app "{name}"',))


def known_app(name: str, config: GoalConfig) -> bool:
    """Say whether an app or a browser has this name."""
    return config.is_browser(name) or folded(config.app(name)) in config.apps


def is_page(text: str, config: GoalConfig) -> bool:
    """Say whether a text is surely an address: with a scheme, or ending as hosts do and files do not."""
    if _DOMAIN.fullmatch(text) is None:
        return False
    if re.match(r"https?://|www\.|localhost\b", text, re.I):
        return True
    ending = re.split(r"[/:]", folded(text))[0].rpartition(".")[2]
    return ending in config.domain_endings or (len(ending) == 2 and ending.isalpha() and ending not in _ALSO_FILES)


def read_navigate(clause: str, config: GoalConfig) -> Reading:
    match = re.fullmatch(r"(?:go to|visit|navigate to|browse to|take me to)\s+(?P<what>.+)", clause, re.I)
    if match is None:
        return None
    what = match["what"].strip()
    platform = config.platform(what)
    if platform in config.homepages:
        return ToolGoal(goal_type="browser_navigate", target=platform)
    if is_page(what, config):
        return ToolGoal(goal_type="browser_navigate", target=what)
    return Doubt(reason=f"{what!r} is not surely an address", choices=(f"go to https://{what}",) if "." in what else ())


def read_query(clause: str, config: GoalConfig) -> Reading:
    match = _QUESTION.fullmatch(clause)
    if match is None:
        return None
    subject = folded(match["what"] or match["amount"] or "time")
    passing = subject in ("time", "date") and (match["amount"] or folded(match["whose"] or "") == "my")  # "my time"
    if subject not in config.queries or passing:
        return Doubt(reason="that is a question, not something to be done")
    return ToolGoal(goal_type="system_query", query=config.queries[subject])


def read_create(clause: str, config: GoalConfig) -> Reading:
    shell = re.fullmatch(r"(?P<verb>mkdir|touch)\s+" + quoted("name"), clause, re.I)
    if shell is not None:
        kind = config.implied_types[folded(shell["verb"])]
        if kind == "file" and shell["name"] and not re.search(r"[./]", shell["name"]):  # "touch wood"
            return Doubt(reason="touch what?", choices=(f'touch "{shell["name"]}"',))
        return ToolGoal(goal_type="file_operation", action="create", object_type=kind, target=group(shell, "name"))
    match = re.fullmatch(r"(?P<verb>create|make|add|put)\b\s*(?P<rest>.*)", clause, re.I)
    if match is not None and folded(match["verb"]) == "put" and not re.match(r"(?:an?|another)\s", match["rest"], re.I):
        return Doubt(reason="put something new there, or something that exists?", choices=("create a file called …",))
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
        return ToolGoal(
            goal_type="file_operation", action="create", object_type=kind, target=group(match, "name"), content=text
        )
    bare = re.fullmatch(quoted("name"), rest.strip())
    if bare is not None and looks_like_file(group(bare, "name")):
        return ToolGoal(
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
        return ToolGoal(goal_type="file_operation", action="delete", object_type=kind, target=group(named, "name"))
    bare = re.fullmatch(quoted("name"), match["rest"])
    if folded(match["verb"]) == "rmdir" and bare is not None:
        return ToolGoal(goal_type="file_operation", action="delete", object_type="folder", target=group(bare, "name"))
    return Doubt(reason="delete exactly what?", choices=("delete the file …", "delete the folder …"))


def read_transfer(clause: str, config: GoalConfig) -> Reading:
    match = re.fullmatch(r"(?P<verb>rename|move|copy|duplicate)\b\s*(?P<rest>.*)", clause, re.I)
    if match is None:
        return None
    said = re.fullmatch(
        _ARTICLES + rf"(?:{_NOUN}\s+)?" + quoted("name")
        + r"\s+(?P<into>in)?to\s+(?P<holder>(?:the\s+)?(?:folder|directory)\s+)?" + quoted("there"),
        match["rest"], re.I
    )  # fmt: skip
    action = folded(config.action_aliases.get(folded(match["verb"]), match["verb"]))
    if said is None or {folded(group(said, "name")), folded(group(said, "there"))} & VAGUE:
        return Doubt(reason=f"{action} what, and to what?", choices=(f"{action} the file … to …",))
    name, there = group(said, "name"), group(said, "there")
    kind = _NOUNS[folded(said["noun"])] if said["noun"] else "file" if looks_like_file(name) else None
    elsewhere = _BINS | {*config.platforms, *config.platform_aliases, *config.apps, *config.browsers}
    if action == "rename" and said["there"] and (folded(there) in _STYLES or re.fullmatch(r"\.\w{1,5}", there)):
        return Doubt(reason=f"is {there!r} the new name?", choices=(f'{action} {name} to "{there}"',))
    if action != "rename" and said["there"] and folded(there) in elsewhere:
        return Doubt(reason=f"where is {there!r}?", choices=(f"{action} … to a folder with its path",))
    if kind is None or not _is_name(said, "name", kind):
        choices = (f"{action} the file {name}", f"{action} the folder {name}")
        return Doubt(reason=f"is {name!r} a file or a folder?", choices=choices)
    goal = ToolGoal(goal_type="file_operation", action=action, object_type=kind, target=name)
    if action == "rename":
        return replace(goal, new_name=there)
    is_folder = said["holder"] or (said["into"] and not looks_like_file(there))
    return replace(goal, destination=f"{there.rstrip('/')}/" if is_folder else there)


def read_content(clause: str, config: GoalConfig) -> Reading:
    match = _WRITE.fullmatch(clause)
    if match is not None and match["name"] and not match["file"] and not looks_like_file(match["name"]):
        name = match["name"]  # a file, or somebody?
        return Doubt(reason=f"is {name!r} a file?", choices=(f'{folded(match["verb"])} "…" to the file {name}',))
    if match is not None:
        return ToolGoal(
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
        return ToolGoal(goal_type="file_operation", action=action, target=group(named, "name"))
    bare = re.fullmatch(quoted("name"), match["rest"])
    shaped = bare is not None and (looks_like_file(group(bare, "name")) if kind == "file" else bare["name"] is None)
    if bare is not None and bare["name"] and kind == "file" and is_page(bare["name"], config):
        return Doubt(reason="a file or a page?", choices=(f"read the file {bare['name']}", f"go to {bare['name']}"))
    if bare is not None and shaped:
        return ToolGoal(goal_type="file_operation", action=action, target=group(bare, "name"))
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


def placed(goal: ToolGoal, scope: str | None) -> ToolGoal:
    """Return a goal with its scope set."""
    return goal if scope is None else replace(goal, scope=scope)
