"""Reading acts that make files and folders, with what is in them and where they go."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

from planvow.goals.grammar.chart import Node
from planvow.goals.rephrase.texts import INSIDE
from planvow.goals.understand.context import Context
from planvow.goals.understand.doubt import VAGUE, Doubt, Reading
from planvow.goals.understand.filing import file_goal, placed
from planvow.goals.understand.names import NO_NAMES, Thing, doubtful_path, thing_of
from planvow.goals.values.config import folded
from planvow.goals.values.paths import looks_like_file
from planvow.goals.values.values import ToolGoal

_WHAT = Doubt(reason="create what? Say: create a folder called NAME, or: create a file called NAME", yields=True)
_ONCE = ("name", "place", "content", "said", "inner", "inners", "unquoted", "kind")
_MADE_UP = re.compile(
    r"(?:a|an|the|my|some|all|your|our|every|this|that|it|no|one|two|three|about|details|info|information"
    r"|instructions)\b",
    re.I,
)
"""`containing a list of names`: said about the content, not the content itself."""
_STRONG = re.compile(r"text|words|line|says?|saying|reads|reading|sentence|message|content", re.I)
_NO_NAMES = NO_NAMES | {"after", "again", "asap", "delete", "hidden", "me", "open", "please", "then", "whatever", "you"}
_SECOND = re.compile(r"(?:,|\band\b|\bin\b|\bon\b|\binside\b|\bto\b)", re.I)


def read_create(act: Node, context: Context) -> Reading:
    """Read `create a file called X with content "…" on the desktop`."""
    counts = Counter(slot for slot, _ in act.slots)
    if any(counts[slot] > 1 for slot in _ONCE) or (
        counts["said"] and (counts["content"] or '"' in act.get("said").text)
    ):
        return None
    name = act.get("name")
    if act.get("rest") is not None or (name is None and act.get("unquoted") is None):
        return _WHAT
    if name is None:
        return _without_quotes(act, context)
    if act.get("unquoted") is not None:
        return None
    thing = thing_of(Node("object", tuple((s, v) for s, v in act.slots if s in ("kind", "name", "called", "det"))))
    kind = thing.kind
    if act.get("verb") == "want" and (thing.known or (kind is None and not act.every("det"))):
        return _WHAT  # "i need notes.txt": one that is there, or a new one?
    if thing.ending and not looks_like_file(thing.said) and (thing.called or thing.name.quoted):
        thing = replace(thing, name=replace(thing.name, text=thing.said + thing.ending))
    if kind is None and not looks_like_file(thing.said):
        return _WHAT if thing.name.quoted is False else Doubt(reason="a file or a folder?", choices=tuple(
            f'create a {noun} called "{thing.said}"' for noun in ("folder", "file")))  # fmt: skip
    kind = kind or "file"
    if not replace(thing, kind=kind).is_sure:
        choices = (f'create a {kind} called "{thing.said}"',) if folded(thing.said) not in VAGUE else ()
        return Doubt(reason="create what?", choices=choices)
    there = thing.known and not (re.search(r"[\d/._-]", thing.said) and "the" in act.every("det"))
    if there and not thing.called and not thing.sort_first and act.get("kind") is not None:
        return Doubt(reason="is it there already?", choices=(f'create a {kind} called "{thing.said}"',))
    text = _content(act, kind, thing)
    if isinstance(text, Doubt):
        return text
    goal = file_goal("create", kind, thing.said, content=text)
    doubt = doubtful_path(thing.said, "create", sure=thing.called or thing.name.quoted)
    if doubt is not None:
        return doubt
    return _with_inner(act, _put(goal, act, context), context)


def _put(goal: ToolGoal, act: Node, context: Context) -> ToolGoal | Doubt:
    if act.get("it") is None:
        return placed(goal, act, context)
    if act.get("place") is not None:
        return Doubt(reason="in it, or there?")
    folder = context.last_folder()
    return Doubt(reason="inside what?") if folder is None else replace(goal, scope=f"inside:{folder.goal_id}")


def _content(act: Node, kind: str, thing: Thing) -> str | Doubt | None:
    quoted, said = act.get("content"), act.get("said")
    if quoted is None and said is None:
        return None
    if kind == "folder":
        return Doubt(reason="a folder has no content")
    if quoted is not None:
        return str(quoted.text)
    says, text = act.get("says") or "", str(said.text).removeprefix(":").strip()
    literal = f'create a file called "{thing.said}" with content "{text}"'
    single = " " not in text and not re.fullmatch(r"\W+", text)
    strong = _STRONG.search(says) is not None
    inside = INSIDE.search(text)
    if inside is not None:
        shorter = f'create a file called "{thing.said}" with content "{text[: inside.start()]}"'
        return Doubt(reason="where does the text end? Put it in quotes", choices=(shorter, literal))
    if says in ("", "and write", "and put") or _MADE_UP.match(text):
        return Doubt(reason="the text itself, or something to be made up? Put the text in quotes", choices=(literal,))
    if single or (strong and not _SECOND.search(text)):
        return text
    return Doubt(reason="where does the text end? Put it in quotes", choices=(literal,))


def _with_inner(act: Node, goal: ToolGoal | Doubt, context: Context) -> Reading:
    """Add what a new folder is said to hold: "a folder called x with a file y.txt in it"."""
    inner, several = act.get("inner"), act.get("inners")
    if isinstance(goal, Doubt):
        return goal
    if inner is None and several is None:
        return (goal,)
    things = [thing_of(inner)] if inner is not None else _things(several)
    nested = goal.scope is not None and goal.scope.startswith("inside:")
    if goal.object_type != "folder" or nested or not things or not all(thing.is_sure for thing in things):
        return Doubt(reason="what should go inside?")
    outer = replace(goal, goal_id=f"g{len(context.goals)}")
    scope = f"inside:{outer.goal_id}"
    return (outer, *(file_goal("create", thing.kind, thing.said, scope=scope) for thing in things))


def _things(several: Node) -> list[Thing]:
    """Return `two files, a.txt and b.txt` as things, or none where they are not as many as it says."""
    names = several.every("item")
    things = [Thing(several.get("kinds"), name, several.get("called") is not None) for name in names]
    return things if several.get("count") in (None, len(names)) else []


def _without_quotes(act: Node, context: Context) -> Reading:
    name, kind = act.get("unquoted"), (act.get("kind") or "").partition(".")[0]
    if not kind or act.get("said") is not None or act.get("called") is None:
        return _WHAT
    where = act.get("place")
    there = f" in {where.get('anchor')}" if where is not None and where.get("anchor") else ""
    if where is not None and not there:
        return _WHAT
    words = name.text.split()
    plain_words = not any(folded(word) in _NO_NAMES for word in words) and all(
        re.fullmatch(r"[\w&-]+", word) for word in words
    )
    if kind == "folder" and plain_words and len(words) < 4 and where is None and context.sentence.endswith(name.text):
        goal = placed(file_goal("create", kind, name.text), act, context)
        return goal if isinstance(goal, Doubt) else (goal,)
    choice = f'create a {kind} called "{name.text}"{there}'
    return Doubt(reason="where does the name end? Put it in quotes", choices=(choice,))


def read_put_new(act: Node, context: Context) -> Reading:
    """Read `put a file X on the desktop`: only what is said to be new is made."""
    dets = act.every("det")
    if not dets or dets[0] not in ("a", "an", "another", "new"):
        return None
    if act.get("kind") is None or act.get("place") is None:
        return _WHAT
    return read_create(act, context)


def read_create_more(act: Node, context: Context) -> Reading:
    """Read what goes inside without a verb of its own: "… and a file called y inside it"."""
    if not context.goals or (act.get("kind") is None and not looks_like_file(getattr(act.get("name"), "text", ""))):
        return None
    return read_create(act, context)


def read_several_inside(act: Node, context: Context) -> Reading:
    """Read `a file a.txt and a file b.txt inside it`."""
    if not context.goals:
        return None
    goals: list[ToolGoal] = []
    for item in act.every("item"):
        read = read_create(Node("create", (*item.slots, ("it", act.get("it")))), context)
        if not isinstance(read, tuple):
            return read
        goals += read
    return tuple(goals)


def read_create_list(act: Node, context: Context) -> Reading:
    """Read `create folders called a and b`."""
    names, kind = act.every("item"), act.get("kinds")
    things = [Thing(kind, name, act.get("called") is not None) for name in names]
    if any(act.get(slot) for slot in ("content", "said", "inner", "unquoted", "name")):
        return Doubt(reason="one by one, please")
    if len(names) < 2 or act.get("count") not in (None, len(names)) or not all(thing.is_sure for thing in things):
        return _WHAT
    goals = []
    for thing in things:
        doubt = doubtful_path(thing.said, "create", sure=thing.called or thing.name.quoted)
        there = doubt or _put(file_goal("create", kind, thing.said), act, context)
        if isinstance(there, Doubt):
            return there
        goals.append(there)
    return tuple(goals)


def read_make(act: Node, context: Context) -> Reading:
    """Read `mkdir X` and `touch X`."""
    kind, name = act.get("verb"), act.get("name")
    if name is None:
        return _WHAT
    if folded(name.text) in VAGUE and not name.quoted:
        return _WHAT
    if kind == "file" and not name.quoted and not re.search(r"[./]", name.text):  # "touch wood"
        return Doubt(reason="touch what?", choices=(f'create a file called "{name.text}"',))
    doubt = doubtful_path(name.text, "create", sure=name.quoted)
    goal = doubt or placed(file_goal("create", kind, name.text), act, context)
    return goal if isinstance(goal, Doubt) else (goal,)


def read_more_object(step: Node, context: Context) -> Reading:
    """A file or folder without a verb goes on with the last one's: "create folder a and file b.txt"."""
    last = context.goals[-1] if context.goals else None
    if last is None or last.goal_type != "file_operation" or last.action not in ("create", "delete", "list", "read"):
        return None
    thing = thing_of(step.get("object"))
    if last.action == "create" and last.object_type == "file" and thing.kind is None and looks_like_file(thing.said):
        thing = replace(thing, kind="file")
    if last.action in ("list", "read"):
        return _looked_at_too(last.action, thing)
    elsewhere = last.scope is not None or ("/" in (last.target or "") and "/" not in thing.said)
    if elsewhere and step.get("place") is None:
        return Doubt(reason=f"{thing.said!r} in the same place?")
    if thing.kind is None or not thing.is_sure:
        return Doubt(reason=f"{last.action} {thing.said!r} as what?")
    goal = file_goal(last.action, thing.kind, thing.said)
    doubt = doubtful_path(thing.said, last.action, sure=thing.called or thing.name.quoted)
    there = doubt or placed(goal, step, context)
    if isinstance(there, Doubt):
        return there
    return _all_there(there, context) if step.get("place") is not None else (there,)


def read_more_made(step: Node, context: Context) -> Reading:
    """Read `and a file b.txt with the text "y"`: one more, with what is in it or where it goes."""
    last, made = context.goals[-1] if context.goals else None, step.get("made")
    if last is None or last.action != "create" or not (made.get("content") or made.get("place")):
        return None
    if made.get("kind") is None and not looks_like_file(getattr(made.get("name"), "text", "")):
        return None
    read = read_create(Node("create", made.slots), context)
    if isinstance(read, tuple) and len(read) == 1 and made.get("place") is not None and read[0].content is None:
        return _all_there(read[0], context)
    return read


def _all_there(goal: ToolGoal, context: Context) -> Reading:
    """Read `create a.txt and b.txt in documents`: the place at the end is where all of them go."""
    before = 0
    while before < len(context.goals) and _could_go_along(context.goals[-before - 1], goal):
        before += 1
    last = context.goals[-1]
    alike = last.object_type == goal.object_type and last.content is None
    if last.scope is not None or "/" in (last.target or ""):
        return (goal,)
    if goal.action != "create" or context.joint == "then" or not alike or "/" in (goal.target or ""):
        return Doubt(reason="is that where both are meant?")
    for number in range(len(context.goals) - before, len(context.goals)):
        context.goals[number] = replace(context.goals[number], scope=goal.scope)
    return (goal,)


def _could_go_along(earlier: ToolGoal, goal: ToolGoal) -> bool:
    same = earlier.action == goal.action and earlier.object_type == goal.object_type
    return same and earlier.scope is None and earlier.content is None and "/" not in (earlier.target or "")


def read_one_more(step: Node, context: Context) -> Reading:
    """Read `and another called x`: one more of the kind made last."""
    last = context.goals[-1] if context.goals else None
    if last is None or last.action != "create" or (last.scope is not None and step.get("place") is None):
        return None
    kind = last.object_type or "file"
    return read_create(Node("create", (("kind", kind), *step.slots)), context)


def _looked_at_too(action: str, thing: Thing) -> Reading:
    kind = "folder" if action == "list" else "file"
    if (thing.kind or ("file" if looks_like_file(thing.said) else None)) != kind or not replace(
        thing, kind=kind
    ).is_sure:
        return Doubt(reason=f"{action} {thing.said!r} as what?")
    doubt = doubtful_path(thing.said, action, sure=thing.called or thing.name.quoted)
    return doubt or (file_goal(action, None, thing.said),)
