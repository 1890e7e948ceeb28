"""Names of files and folders: whether what was said is surely one, and where it lies."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from planvow.goals.grammar.chart import Node
from planvow.goals.grammar.lexicon import LINKING, Name
from planvow.goals.grammar.near import is_slip
from planvow.goals.grammar.words import words_of
from planvow.goals.understand.context import Context
from planvow.goals.understand.doubt import VAGUE, Doubt
from planvow.goals.values.config import folded
from planvow.goals.values.paths import ANCHORS, is_absolute, looks_like_file
from planvow.goals.values.values import ToolGoal

_ABOUT = words_of("""
    above access again alias aside attributes away below bookmark called changes children color colour content
    contents count cover date dates description encryption entries everywhere extension files filter first folders
    forever format hierarchy history icon immediately inside instead items label labels layout left limit link links
    listing location lock manager members name named names now options owner owners password path paths permanently
    permissions picture please preview properties protection quickly quota recursively restrictions right rights rules
    services settings share shares sharing shortcut shortcuts size sizes structure subfolders sync system tag tags
    template there thumbnail title today too tree twice type users versions view where
""")
"""Words after "the folder" that say something about a folder, or how it is done, and rarely name one."""
_SORTS = words_of("""
    best big biggest compressed correct current default duplicate entire every few first following hidden largest last
    latest local locked main next newest nice old oldest only open other own parent previous private protected public
    read-only recent right root same second secret secure shared similar single some sub temporary third top two three
    upper whole wrong zip zipped config system nested couple quick a an another blank empty fresh new different normal
    regular separate special
""")
"""Words before "folder" that say which or what sort, and rarely name one."""
_ELSEWHERE = words_of("""
    above below bin clipboard cloud dropbox email everybody everyone friday here her him icloud mail me monday
    onedrive phone printer recycle safety saturday server somebody someone somewhere sunday thursday today tomorrow
    trash tuesday us usb wednesday you git google place disk memory screen stdout
""")
"""Where things go that no folder is."""

NO_NAMES = VAGUE | _ABOUT | LINKING
"""Words that are no part of a name that stands without quotes."""


@dataclass(frozen=True)
class Thing:
    """A file or folder as it was said: its kind, if that was said, its name, and how sure that name is."""

    kind: str | None
    name: Name
    called: bool = False
    sort_first: bool = False
    """Whether the name stands before the noun: "the reports folder"."""
    known: bool = False
    """Whether it was said to be there: "the folder", "my folder"."""
    ending: str = ""
    """What the sort of file says about a name without an ending: `.txt` for a text file."""

    @property
    def said(self) -> str:
        return self.name.text

    @property
    def is_sure(self) -> bool:
        """Whether the name is surely one: quoted, introduced, or shaped like a name."""
        word = folded(self.said)
        if self.ending and not looks_like_file(self.said):
            return False  # `notes` or `notes.txt`?
        if self.name.quoted:
            return True
        if self.called:
            return word not in VAGUE
        if self.kind == "file":
            return looks_like_file(self.said)
        return word not in VAGUE | _ABOUT | (_SORTS if self.sort_first else frozenset())


def thing_of(node: Node) -> Thing:
    """Return the thing an object of the grammar names."""
    noun, name = node.get("kind"), node.get("name")
    kind, _, ending = (noun or "").partition(".")
    slots = [slot for slot, _ in node.slots]
    first = noun is not None and slots.index("name") < slots.index("kind")
    known = any(det in ("the", "my", "our", "your") for det in node.every("det"))
    called = node.get("called") is not None
    return Thing(kind or None, name, called, first, known, f".{ending}" if ending else "")


def doubtful_path(thing_said: str, action: str, *, sure: bool) -> Doubt | None:
    """Doubt names that could mean another place than they say, or many things at once."""
    if ".." in thing_said:
        return Doubt(reason="a path that climbs out of its folder is not read as a wish")
    if re.search(r"[*?]", thing_said):
        return Doubt(reason=f"{thing_said!r} is a pattern of names, not a name")
    first = folded(re.split(r"[\\/]", thing_said)[0])
    if first in ANCHORS and not sure:
        return Doubt(
            reason=f"the folder {first!r} of your own, or one of that name here? Put the name in quotes for one here"
        )
    if re.match(r"(?:workspace|home|desktop|documents|downloads):", thing_said, re.I):
        return Doubt(reason=f"{thing_said!r} is no path")
    if not thing_said.strip("./\\~") and thing_said != "/" and action != "list":
        return Doubt(reason=f"{thing_said!r} is a place to work in, not a thing to {action}")
    return None


@dataclass(frozen=True)
class Place:
    """Where something lies or goes: an anchor or drive (`scope`), and a folder in it."""

    scope: str | None = None
    folder: str | None = None
    bare: bool = False
    """Whether it was said without the word folder."""
    inside: ToolGoal | None = None
    """The folder made before: "in it"."""

    def holding(self, goal: ToolGoal) -> ToolGoal | Doubt:
        """Return a goal about what lies in this place."""
        if self.inside is not None:
            return replace(goal, scope=f"inside:{self.inside.goal_id}")
        target = goal.target or ""
        if self.folder is not None:
            if is_absolute(target) or target.startswith("~"):
                return Doubt(reason=f"{target!r} says already where it is")
            target = f"{self.folder.rstrip('/')}/{target}"
        return replace(goal, target=target, scope=self.scope)

    def path(self, *, as_folder: bool, here: bool) -> str:
        """Return it as a destination; `here` says that plain paths are relative to the workspace whatever the goal's
        scope."""
        end = "/" if as_folder else ""
        if self.inside is not None:
            own = (self.inside.target or "").strip("/")
            scope = self.inside.scope
            return f"{scope}:/{own}/" if scope in ANCHORS else f"{self.inside.target}/".replace("//", "/")
        folder = (self.folder or "").rstrip("/") + end if self.folder else ""
        if self.scope is not None and self.scope.startswith("drive:"):
            return f"{self.scope[6:].upper()}:/{folder}"
        if self.scope is not None:
            return f"{self.scope}:/{folder}"
        return f"workspace:/{folder}" if here and not is_absolute(folder) else folder


def place_of(node: Node, context: Context) -> Place | Doubt:
    """Return the place that a location of the grammar names."""
    if node.name == "it":
        folder = context.last_folder()
        if folder is None:
            return Doubt(reason="inside what?")
        return Place(inside=folder)
    scope = node.get("anchor") or (f"drive:{node.get('drive')}" if node.get("drive") else None)
    name = node.get("name")
    if name is None:
        return Place(scope=scope)
    bare = node.name == "path"
    word = folded(name.text)
    slipped = next((anchor for anchor in ANCHORS if bare and not name.quoted and is_slip(word, anchor)), None)
    if slipped is not None:
        choice = f"{context.sentence[: name.start]}{slipped}{context.sentence[name.end :]}"
        return Doubt(reason=f"is {name.text!r} a slip for {slipped}?", choices=(choice,), yields=True)
    config = context.config
    elsewhere = _ELSEWHERE | {*config.platforms, *config.platform_aliases, *config.apps, *config.browsers, *ANCHORS}
    unsure = (
        word in VAGUE | _ABOUT | (_SORTS if node.name == "folderlast" else frozenset())
        if not name.quoted and node.get("called") is None
        else False
    )
    if not name.quoted and (unsure or (bare and (word in elsewhere or node.get("det") is not None))):
        choice = context.sentence[: name.start] + f"the folder {name.text}" + context.sentence[name.end :]
        choice = re.sub(r"\b(?:the|my) the folder\b", "the folder", choice, flags=re.I)
        return Doubt(reason=f"where is {name.text!r}?", choices=(choice,) if not unsure else (), yields=True)
    doubt = doubtful_path(name.text, "list", sure=name.quoted or node.get("called") is not None)
    return doubt or Place(scope=scope, folder=name.text, bare=bare)
