"""Reading acts on files and folders that are there: deleting, renaming, moving, copying, writing, reading, listing."""

from __future__ import annotations

import re
from dataclasses import replace

from planvow.goals.grammar.chart import Node
from planvow.goals.grammar.lexicon import LINKING, Name
from planvow.goals.grammar.pages import is_page
from planvow.goals.grammar.words import words_of
from planvow.goals.understand.context import Context
from planvow.goals.understand.doubt import VAGUE, Doubt, Reading
from planvow.goals.understand.names import NO_NAMES, Place, Thing, doubtful_path, place_of, thing_of
from planvow.goals.understand.pointing import list_again
from planvow.goals.values.config import folded
from planvow.goals.values.paths import ANCHORS, looks_like_file
from planvow.goals.values.values import ToolGoal

_STYLES = frozenset({"capitals", "lower", "lowercase", "today", "upper", "uppercase"})
"""`rename a.txt to lowercase`: how a name should be, not the name."""


_FILLS = ("create", "write", "append")
_DETS = frozenset({"another", "new", "old", "my", "the", "our", "your", "to", "be"})
_TOLD_ABOUT = words_of("""
    again all date everything it line lines more name stuff thing things nothing paragraph poem some something text
    time today what whatever words
""")
"""`append the date to a.txt`: about the text, not the text."""


_COUNTED = frozenset({"break", "breaks", "count", "counts", "limit", "list", "total"})
"""`add the word count to a.txt`: a number, not a text."""


def file_goal(action: str, kind: str | None, target: str, **more: str | None) -> ToolGoal:
    """Return a goal about a file or folder."""
    return ToolGoal(goal_type="file_operation", action=action, object_type=kind, target=target, **more)  # type: ignore[arg-type]


def placed(goal: ToolGoal, act: Node, context: Context, slot: str = "place") -> ToolGoal | Doubt:
    """Return a goal in the place that its act names, if it names one."""
    node = act.get(slot) or (context.front.get("place") if context.front else None)
    if node is None:
        return goal
    place = place_of(node, context)
    if isinstance(place, Doubt):
        return place
    if place.inside is not None and goal.action != "create":
        return Doubt(reason=f"{goal.action} what is inside {place.inside.target!r}?")
    if goal.action == "delete" and place.bare:
        name = node.get("name").text
        said = f'delete the {goal.object_type} "{goal.target}" in the folder "{name}"'
        return Doubt(reason=f"is {name!r} a folder?", choices=(said,))
    return place.holding(goal)


def _checked(goal: ToolGoal, thing: Thing) -> Doubt | None:
    return doubtful_path(thing.said, goal.action or "", sure=thing.called or thing.name.quoted)


def _as_reading(goal: ToolGoal | Doubt) -> Reading:
    return goal if isinstance(goal, Doubt) else (goal,)


def read_delete(act: Node, context: Context) -> Reading:
    """Read `delete the file X`. What is destroyed is never inferred."""
    if act.get("names") is not None or act.get("kinds") is not None:
        return _each(act, context, "delete")
    node = act.get("object")
    thing = thing_of(node) if node is not None else None
    if thing is None or (thing.kind is None and folded(thing.said) in VAGUE):
        return Doubt(reason="delete exactly what? Say: delete the file NAME, or: delete the folder NAME")
    if thing.kind is None or thing.sort_first or not thing.is_sure:
        kinds = [thing.kind] if thing.kind else ["file"] if looks_like_file(thing.said) else ["folder", "file"]
        where = _said_place(act, context)
        choices = tuple(f'delete the {kind} called "{thing.said}"{where}' for kind in kinds)
        return Doubt(reason="delete exactly what?", choices=choices)
    goal = file_goal("delete", thing.kind, thing.said)
    if act.get("whole") is not None:
        if thing.kind != "folder":
            return Doubt(reason="a file holds nothing")
        goal = replace(goal, recursive=True)
    return _checked(goal, thing) or _as_reading(placed(goal, act, context))


def _said_place(act: Node, context: Context) -> str:
    place = act.get("place")
    return f" in {place.get('anchor')}" if place is not None and place.get("anchor") else ""


def read_unmake(act: Node, context: Context) -> Reading:
    """Read `rmdir X`."""
    thing = Thing(act.get("verb"), act.get("name"), called=True)
    goal = file_goal("delete", act.get("verb"), thing.said)
    if not thing.is_sure:
        return Doubt(reason="delete exactly what?")
    return doubtful_path(thing.said, "delete", sure=thing.name.quoted) or _as_reading(placed(goal, act, context))


def _each(act: Node, context: Context, action: str) -> Reading:
    """Read `the files a.txt and b.txt`."""
    names, count, kind = act.every("item"), act.get("count"), act.get("kinds")
    things = [Thing(kind, name, act.get("called") is not None) for name in names]
    if len(names) < 2 or count not in (None, len(names)) or not all(thing.is_sure for thing in things):
        return Doubt(reason=f"{action} exactly which {kind}s?")
    goals = []
    for thing in things:
        goal = file_goal(action, kind, thing.said)
        there = _checked(goal, thing) or placed(goal, act, context)
        if isinstance(there, Doubt):
            return there
        goals.append(there)
    return tuple(goals)


def read_rename(act: Node, context: Context) -> Reading:
    """Read `rename X to Y`."""
    node, new = act.get("object"), act.get("new") or _long_name(act, context)
    if isinstance(new, Doubt):
        return new
    if node is None or new is None or (folded(new.text) in VAGUE and not new.quoted):
        return Doubt(reason="rename what, and to what? Say: rename the file NAME to NAME")
    thing = thing_of(node)
    if not new.quoted and (
        folded(new.text) in _STYLES or (new.text.startswith(".") and new.text.count(".") == 1 and len(new.text) < 7)
    ):
        return Doubt(reason=f"is {new.text!r} the new name?", choices=(f'rename "{thing.said}" to "{new.text}"',))
    kind = _kind_of(thing)
    if kind is None or not replace(thing, kind=kind).is_sure:
        return _file_or_folder("rename", thing, f'to "{new.text}"')
    goal = file_goal("rename", kind, thing.said, new_name=new.text)
    doubt = _checked(goal, thing) or doubtful_path(new.text, "rename", sure=True)
    return doubt or _as_reading(placed(goal, act, context))


def _long_name(act: Node, context: Context) -> Name | Doubt | None:
    """Return a name of several words without quotes, where it is surely one: a folder's, at the end."""
    name: Name | None = act.get("unquoted")
    if name is None:
        return None
    words = [folded(word) for word in name.text.split()]
    fits = len(words) < 4 and not NO_NAMES.intersection(words) and context.sentence.endswith(name.text)
    thing = thing_of(act.get("object"))
    if fits and thing.kind == "folder" and all(word.isalnum() for word in words):
        return replace(name, quoted=True)
    ending = thing.said.rpartition(".")[2] if looks_like_file(thing.said) else None
    stem = words[-1].removesuffix(f".{folded(ending)}") if ending else words[-1]
    if fits and stem != words[-1] and all(word.isalnum() for word in (*words[:-1], stem)) and words[0] not in _DETS:
        return replace(name, quoted=True)  # it ends as the old one does: "rename a.txt to final report.txt"
    return Doubt(reason="where does the name end? Put it in quotes")


def _kind_of(thing: Thing) -> str | None:
    return thing.kind or ("file" if looks_like_file(thing.said) else None)


def _file_or_folder(action: str, thing: Thing, rest: str) -> Doubt:
    choices = tuple(f'{action} the {kind} called "{thing.said}" {rest}' for kind in ("file", "folder"))
    if folded(thing.said) in VAGUE:
        return Doubt(reason=f"{action} what?")
    return Doubt(reason=f"is {thing.said!r} a file or a folder?", choices=choices)


def read_transfer(act: Node, context: Context) -> Reading:
    """Read `move X to Y` and `copy X to Y`, for one thing or several."""
    action = {"backup": "copy", "moving": "move"}.get(act.name) or act.get("verb")
    nodes = act.every("object")
    if act.get("there") is None:
        return Doubt(reason=f"{action} what, and to what? Say: {action} the file NAME to the folder NAME")
    if act.get("kinds") is not None:
        names = act.every("item")
        things = [Thing(act.get("kinds"), name, act.get("called") is not None) for name in names]
        if len(names) < 2 or act.get("count") not in (None, len(names)):
            return Doubt(reason=f"{action} exactly which?")
    else:
        things = [thing_of(node) for node in nodes]
    place = place_of(act.get("there"), context)
    if isinstance(place, Doubt):
        return place
    prep = act.get("prep")
    if isinstance(prep, str) and prep in ("from", "at", "under", "within") and act.get("there").name == "path":
        return Doubt(reason=f"{action} it to what?")
    into = isinstance(prep, str) and prep not in ("to", "over to", "in to", "on to")
    goals = []
    for thing in things:
        goal = _transferred(action, thing, place, act, context, several=len(things) > 1, into=into)
        if isinstance(goal, Doubt):
            return goal
        goals.append(goal)
    return tuple(goals)


def _transferred(
    action: str, thing: Thing, place: Place, act: Node, context: Context, *, several: bool, into: bool
) -> ToolGoal | Doubt:
    kind = _kind_of(thing)
    if kind is None or not replace(thing, kind=kind).is_sure:
        return (
            _file_or_folder(action, thing, f'to "{place.folder}"') if place.folder else Doubt(reason=f"{action} what?")
        )
    if place.inside is not None and (place.inside.scope or "").startswith("inside:"):
        return Doubt(reason=f"{action} it into which folder?")
    node = act.get("there")
    written = (place.folder or "").endswith("/")
    is_folder = node.name != "path" or several or written or (into and not looks_like_file(place.folder or ""))
    goal = file_goal(action, kind, thing.said)
    doubt = _checked(goal, thing)
    if doubt is not None:
        return doubt
    known_place = act.get("from") is not None and act.get("from").get("anchor") is not None
    if (
        known_place
        and node.name == "path"
        and kind == "file"
        and not is_folder
        and not looks_like_file(place.folder or "")
    ):
        said = f'{action} "{thing.said}" to the folder "{place.folder}"'
        return Doubt(reason=f"is {place.folder!r} a folder?", choices=(said,))
    if act.get("from") is not None:
        moved = placed(goal, act, context, "from")
        if isinstance(moved, Doubt):
            return moved
        goal = moved
    front = context.front.get("place") if context.front else None
    if front is not None:
        return Doubt(reason=f"{action} from where to where?")
    destination = place.path(as_folder=is_folder, here=goal.scope is not None)
    return replace(goal, destination=destination)


def read_shell(act: Node, context: Context) -> Reading:
    """Read `mv a.txt b.txt`, as a shell would."""
    thing, there = thing_of(act.get("object")), act.get("there").get("name")
    if _kind_of(thing) is None or thing.kind is not None:
        return Doubt(reason=f"is {thing.said!r} a file or a folder?")
    if act.get("verb") == "rename":
        return (file_goal("rename", "file", thing.said, new_name=there.text),)
    doubt = _checked(file_goal(act.get("verb"), "file", thing.said), thing) or doubtful_path(
        there.text, "list", sure=there.quoted
    )
    return doubt or (file_goal(act.get("verb"), "file", thing.said, destination=there.text),)


def read_put(act: Node, context: Context) -> Reading:
    """Read `put X in Y`: moved or copied, who knows."""
    thing = thing_of(act.get("object"))
    there = act.get("there")
    name = there.get("name").text if there.get("name") else there.get("anchor")
    if there.name == "it" or name is None or folded(thing.said) in VAGUE or _kind_of(thing) is None:
        return Doubt(reason="put what, and where?")
    where = f"the folder {name}" if there.get("name") else name
    choices = tuple(f'{verb} the {_kind_of(thing)} "{thing.said}" to {where}' for verb in ("move", "copy"))
    return Doubt(reason="move it there, or copy it?", choices=choices)


def _is_text(said: str) -> bool:
    """Say whether a few words are a text themselves rather than about one: `done`, not `a line`."""
    words = folded(said).split()
    return (
        len(words) < 4
        and not re.search(r"[\",;:]|\.\w", said)
        and not (LINKING | VAGUE | _TOLD_ABOUT).intersection(words)
    )


def read_write(act: Node, context: Context) -> Reading:
    """Read `write "…" to X` and `append "…" to X`."""
    action = {"writeend": "append", "overwrite": "write"}.get(act.name, act.get("verb"))
    content, node = act.get("content"), act.get("object")
    if content is None:
        return _write_unquoted(act, action, context)
    if not content.quoted and (looks_like_file(content.text) or folded(content.text) in _COUNTED):
        return Doubt(reason="the text itself, or what is in it?")
    if act.get("it") is not None:
        return _write_to_it(action, content.text, context)
    thing = thing_of(node)
    if thing.kind is None and context.config.platform(thing.said) in context.config.platforms:
        return None  # "type … into google"
    if folded(thing.said) in VAGUE:
        return Doubt(reason=f"{action} it to which file?")
    if thing.kind == "folder":
        return Doubt(reason="text goes into a file, not into a folder")
    if not _is_surely_file(thing):
        said = f'{action} "{content.text}" to the file called "{thing.said}"'
        return Doubt(reason=f"is {thing.said!r} a file?", choices=(said,))
    if action == "write" and {"new", "another", "brand new", "fresh"}.intersection(node.every("det")):
        action = "create"
    goal = file_goal(action, "file", thing.said, content=content.text)
    return _checked(goal, thing) or _as_reading(placed(goal, act, context))


def _is_surely_file(thing: Thing) -> bool:
    if thing.name.quoted or looks_like_file(thing.said):
        return True
    return thing.kind == "file" and (thing.called or not (thing.sort_first or thing.known))


def _write_to_it(action: str, text: str, context: Context) -> Reading:
    """Read `… and write "…" in it`."""
    last = context.goals[-1] if context.goals else None
    if last is None or not (last.action == "read" or (last.object_type == "file" and last.action in _FILLS)):
        return Doubt(reason=f"{action} it to which file?")
    return (replace(last, action=action, object_type="file", content=text, goal_id=None),)


def _write_unquoted(act: Node, action: str, context: Context) -> Reading:
    """Read words without quotes as the text itself where nothing is lost by it: they are added, or a file is new."""
    unquoted, node = act.get("unquoted"), act.get("object")
    if unquoted is not None and act.get("it") is not None and context.goals and context.goals[-1].action == "create":
        if not _is_text(unquoted.text):
            return Doubt(reason="the text itself, or something to be made up? Put the text in quotes")
    elif unquoted is None or node is None:
        return Doubt(reason=f'{action} what, and where? Say: {action} "TEXT" to the file NAME')
    elif not (action == "append" or re.fullmatch(r"[\d.,:/-]*\d", unquoted.text)) or not _is_text(unquoted.text):
        said = f'{action} "{unquoted.text}" to the file "{thing_of(node).said}"'
        return Doubt(reason="the text itself, or something to be made up?", choices=(said,))
    return read_write(Node(act.name, (*act.slots, ("content", Name(unquoted.text, True)))), context)


def read_read(act: Node, context: Context) -> Reading:
    """Read `read X`."""
    node = act.get("object")
    thing = thing_of(node) if node is not None else Thing("file", act.get("name")) if act.get("name") else None
    if act.name == "readifafile" and thing is not None and thing.kind != "file" and not looks_like_file(thing.said):
        return None
    if thing is not None and thing.kind == "folder":
        return None
    if thing is None or folded(thing.said) in VAGUE:
        return Doubt(reason="read what? Say: read the file NAME")
    if not thing.name.quoted and thing.kind is None and is_page(thing.said, context.config):
        pages = (f'read the file "{thing.said}"', f"go to {thing.said}")
        return Doubt(reason="a file or a page?", choices=pages)
    if not thing.name.quoted and not looks_like_file(thing.said) and not (thing.called and thing.kind):
        choices = (f'read the file "{thing.said}"',) if thing.kind else ()
        return Doubt(reason="read what? Say: read the file NAME", choices=choices, yields=True)
    goal = file_goal("read", None, thing.said)
    return _checked(goal, thing) or _as_reading(placed(goal, act, context))


def read_list(act: Node, context: Context) -> Reading:
    """Read `list the folder X` and `list the files in X`."""
    node = act.get("place")
    if node is not None and node.name in ("it", "same"):
        named = folded(node.get("name").text) if node.name == "same" else None
        return list_again(context, named)
    if node is None:
        return Doubt(reason="list what? Say: list the folder NAME")
    if node.name == "path" and looks_like_file(node.get("name").text):
        return None
    if node.name == "here":
        made = any(goal.goal_type == "file_operation" for goal in context.goals)
        return Doubt(reason="list which folder?") if made else (file_goal("list", None, "."),)
    if node.name == "plainanchor":
        anchor = node.get("anchor")
        return None if anchor == "documents" else (file_goal("list", None, ".", scope=anchor),)
    if node.name == "folderlast" and not node.get("name").quoted and folded(node.get("name").text) in ANCHORS:
        return None  # "my home folder" is one that is known
    if node.name in ("folder", "folderlast", "quotedfolder"):
        thing = Thing("folder", node.get("name"), node.get("called") is not None, node.name == "folderlast")
        if not thing.is_sure:
            return Doubt(reason="list what? Say: list the folder NAME")
        doubt = doubtful_path(thing.said, "list", sure=thing.name.quoted or thing.called)
        if doubt is not None:
            return Doubt(
                reason=doubt.reason, choices=(f"list files in {folded(thing.said)}", f'list the folder "{thing.said}"')
            )
        scope = act.get("anchor") or node.get("anchor") or (f"drive:{act.get('drive')}" if act.get("drive") else None)
        return (file_goal("list", None, thing.said, scope=scope),)
    place = place_of(node, context)
    if isinstance(place, Doubt):
        return place
    if act.name == "listifafolder" and place.bare:
        return Doubt(reason=f"is {place.folder!r} a folder?", choices=(f'list the folder "{place.folder}"',))
    return (file_goal("list", None, place.folder or ".", scope=place.scope),)


def read_again_to(step: Node, context: Context) -> Reading:
    """Read `and to documents`: what was copied last is copied there too."""
    last = context.goals[-1] if context.goals else None
    if last is None or last.action != "copy":
        return None
    place = place_of(step.get("there"), context)
    if isinstance(place, Doubt):
        return place
    if step.get("there").name == "path" and not (last.destination or "").endswith("/"):
        return Doubt(reason=f"copy {last.target!r} to which folder?")
    return (replace(last, destination=place.path(as_folder=True, here=last.scope is not None), goal_id=None),)


def read_again(step: Node, context: Context) -> Reading:
    """A pair without a verb goes on with the last one's: "rename a to b and c to d"."""
    last = context.goals[-1] if context.goals else None
    wanted = {"morerename": ("rename",), "moretransfer": ("move", "copy"), "morewrite": ("write", "append")}[step.name]
    if last is None or last.action not in wanted:
        return None
    read = {"morerename": read_rename, "moretransfer": read_transfer, "morewrite": read_write}[step.name]
    return read(Node(step.name, (("verb", last.action), *step.slots)), context)
