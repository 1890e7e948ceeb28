"""Reading acts that point back: "it" and "the copy" are the one file or folder that the steps before name."""

from __future__ import annotations

from dataclasses import replace

from planvow.goals.grammar.chart import Node
from planvow.goals.understand.context import Context
from planvow.goals.understand.doubt import Doubt, Reading
from planvow.goals.understand.names import place_of
from planvow.goals.values.config import folded
from planvow.goals.values.paths import ANCHORS, looks_like_file
from planvow.goals.values.values import ToolGoal

_MADE = ("create", "write", "append", "rename")


def _left_behind(goal: ToolGoal) -> tuple[str, str | None]:
    """Return where a file or folder is once a goal is met, and the scope of that."""
    folder = (goal.target or "").rstrip("/").rpartition("/")[0]
    if goal.new_name is None:
        return goal.target or "", goal.scope
    return (f"{folder}/{goal.new_name}" if folder else goal.new_name), goal.scope


def _goes_inside(goal: ToolGoal, others: list[ToolGoal]) -> bool:
    """Say whether a goal puts something into a folder that another one makes."""
    made = [other for other in others if other.object_type == "folder" and other.action == "create"]
    return any(
        goal.scope == f"inside:{other.goal_id}" or goal.destination == f"{other.target}/"
        for other in made
        if other is not goal
    )


def _the_one(context: Context, kind: str) -> tuple[str, str | None] | None:
    """Return the one file or folder that all steps so far were about; None where it may be another."""
    found = [goal for goal in context.goals if goal.goal_type == "file_operation"]
    fits = found and context.goals[-1] is found[-1]
    about = [goal for goal in found if kind == "file" or not _goes_inside(goal, found)]
    if not fits or any(goal.object_type != kind or goal.action not in _MADE for goal in about):
        return None
    places = {_left_behind(goal) for goal in about}
    [(path, scope), *others] = places
    return None if others or (scope or "").startswith("inside:") else (path, scope)


def read_it(act: Node, context: Context) -> Reading:
    """Read `write "x" to a.txt and read it back`."""
    one = _the_one(context, "file")
    if one is None:
        return Doubt(reason="read what? Say: read the file NAME", yields=True)
    return (ToolGoal(goal_type="file_operation", action="read", target=one[0], scope=one[1]),)


def list_again(context: Context, named: str | None) -> Reading:
    """Read `rename the folder a to b and list what is inside`, `move a.png to pictures/, then list pictures`: by its
    name alone a folder is known only where it was one before."""
    if named is None:
        one = _the_one(context, "folder")
        if one is None:
            return Doubt(reason="list what? Say: list the folder NAME")
        return (ToolGoal(goal_type="file_operation", action="list", target=one[0], scope=one[1]),)
    for goal in context.goals:
        there = goal.destination or ""
        if there == f"{named}:/" and named in ANCHORS:
            return (ToolGoal(goal_type="file_operation", action="list", target=".", scope=named),)
        if there.endswith("/") and folded(there.rstrip("/")) == named:
            return (ToolGoal(goal_type="file_operation", action="list", target=there.rstrip("/")),)
    return None


def transfer_it(act: Node, context: Context) -> Reading:
    """Read `create a.txt and copy it to the desktop`."""
    one = _the_one(context, "file")
    place = place_of(act.get("there"), context)
    if isinstance(place, Doubt):
        return place
    prep, node = act.get("prep"), act.get("there")
    if one is None or one[1] is not None or place.inside is not None or prep in ("from", "at", "under", "within"):
        return Doubt(
            reason=f"{act.get('verb')} what? Say: {act.get('verb')} the file NAME to the folder NAME", yields=True
        )
    if node.name == "path" and not looks_like_file(place.folder or "") and not (place.folder or "").endswith("/"):
        return Doubt(reason=f"is {place.folder!r} a folder?")
    there = place.path(as_folder=node.name != "path", here=False)
    goal = ToolGoal(goal_type="file_operation", action=act.get("verb"), object_type="file", target=one[0])
    return (replace(goal, destination=there),)


def rename_original(act: Node, context: Context) -> Reading:
    """Read `copy a.txt to the desktop and rename the original to b.txt`."""
    last = context.goals[-1] if context.goals else None
    if last is None or last.action != "copy" or len(context.goals) > 1:
        return Doubt(reason="rename which original?")
    return (replace(last, action="rename", destination=None, new_name=act.get("new").text, goal_id=None),)


def make_again(act: Node, context: Context) -> Reading:
    """Read `delete the folder cache and make a new one with the same name`."""
    last = context.goals[-1] if context.goals else None
    if last is None or last.action != "delete" or len(context.goals) > 1:
        return Doubt(reason="the same name as what?")
    return (replace(last, action="create", recursive=False, goal_id=None),)


def rename_copy(act: Node, context: Context) -> Reading:
    """Read `copy a.txt to the desktop and rename the copy to b.txt`."""
    last = context.goals[-1] if context.goals else None
    if last is None or last.action != "copy" or len(context.goals) > 1:
        return Doubt(reason="rename which copy?")
    there, name = last.destination or "", (last.target or "").rpartition("/")[2]
    place, colon, rest = there.partition(":/")
    scope = place if colon and place in ANCHORS else None
    if colon and scope is None:
        return Doubt(reason="rename which copy?")
    path = rest if scope else there
    if path and not path.endswith("/") and not looks_like_file(path):
        return Doubt(reason=f"is {path!r} a folder or the copy?")
    target = f"{path}{name}" if path.endswith("/") or not path else path
    copied = replace(last, action="rename", destination=None, target=target, scope=scope, goal_id=None)
    return (replace(copied, new_name=act.get("new").text),)
