"""How wishes that the grammar has not seen are read: `python bench/wishes.py SET.jsonl… [--show] [--json FILE]`.

A line holds a wish of a kind and what it means: goals, or why it is refused. A *misread* is an answer that would act
otherwise than the wish says; asking back and refusing are none. *Coverage* is how many of the doable wishes become
just their goals. Gates: misread at most 1 %, coverage at least 70 % (aim 85 %). A question back whose choices hold the
very goals is counted apart (`asked`). A line may name other plans that are as right (`also`), and say that asking is
as right as acting (`either`): such wishes are judged, and counted for coverage apart. The hash of a set is
checked against `wishes.toml`, written before it was scored.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

from planvow.goals import (
    GoalInterpreter,
    GoalOrchestrator,
    MetaGoal,
    ToolCapability,
    ToolGoal,
    ToolRegistry,
    WorldState,
)
from planvow.goals.plan.calls import Call, call_for
from planvow.goals.values.config import default_config, folded

MOST_MISREAD, LEAST_COVERED = 0.01, 0.70
CONFIG = default_config()
TOOLS = [*ToolRegistry.default().capabilities(), ToolCapability(name="facts", can_achieve={"system_query"})]
FOLDERS = {
    "workspace": "/w",
    "home": "/h",
    "desktop": "/h/Desktop",
    "documents": "/h/Documents",
    "downloads": "/h/Downloads",
}
FIXED = {"read": "file", "write": "file", "append": "file", "list": "folder"}
_LEADS = "song|video|word|words|phrase|exact phrase|posts about|videos? (?:of|about)|articles? about|info (?:on|about)"
Meaning = list[tuple[Any, ...]]


_SAME_QUERY = {"processes": "running programs", "free memory": "memory"}
"""Names of one question: the lists of tools for sets 9 and 18 called it otherwise."""


def meant(goals: list[ToolGoal]) -> Meaning:
    """Return goals in a form in which two spellings of one meaning are equal."""
    found: Meaning = []
    paths: list[str] = []
    for goal in goals:
        paths.append(_path(goal, paths, goals) if goal.goal_type == "file_operation" else "")
        one = _one(goal, paths[-1])
        before = found[-1] if found else ()
        if one[0] == "write" and before[:1] == ("create",) and before[2] == one[2] and not before[5]:
            found[-1] = (*before[:5], one[5], *before[6:])  # made and then written is made with that content
        elif one not in found or goal.goal_type != "app_launch":
            found.append(one)
    browses = any(one[0] in ("search", "navigate") for one in found)
    browsers = [one for one in found if one[0] == "launch" and one[1] in CONFIG.browsers]
    # a page opens its browser: launching that and then opening a page is one call
    found = [one for one in found if one not in browsers] if browses and len(browsers) == 1 else found
    # and so is opening a platform's page and then searching there
    return [one for one, after in zip(found, [*found[1:], ()], strict=True) if not _opens_for(one, after)]


def _opens_for(one: tuple[Any, ...], after: tuple[Any, ...]) -> bool:
    if one[0] != "navigate" or after[:1] != ("search",):
        return False
    goal = ToolGoal(goal_type="browser_navigate", target=CONFIG.homepages.get(after[1], after[1]))
    return bool(_one(goal, "")[2] == one[2])


def _one(goal: ToolGoal, path: str) -> tuple[Any, ...]:
    if goal.goal_type == "browser_search":
        query = re.sub(r"[\"']", "", folded(goal.query or ""))
        return (
            "search",
            CONFIG.platform(goal.platform or "google"),
            re.sub(rf"^(?:{_LEADS}) ", "", re.sub(r"^(?:a|an|the|some) ", "", query)).strip(" .!?,"),
        )
    if goal.goal_type == "browser_navigate":
        call = call_for(goal, CONFIG, "chrome")
        url = str(call.args["url"]) if isinstance(call, Call) else str(goal.target)
        scheme, _, rest = url.partition("://")
        host, slash, tail = rest.partition("/")
        host = host.lower().removeprefix("www.")
        host = host if tail else host.removeprefix("en.")
        return (
            "navigate",
            "" if host.startswith(("localhost", "127.")) else scheme.lower(),
            f"{host}{slash}{tail}".rstrip("/"),
        )
    if goal.goal_type == "app_launch":
        return "launch", folded(CONFIG.app(goal.target or ""))
    if goal.goal_type == "system_query":
        asked = folded(goal.query or "")
        return "query", _SAME_QUERY.get(asked, asked)
    action = CONFIG.action_aliases.get(folded(goal.action or ""), folded(goal.action or ""))
    kind = goal.object_type or FIXED.get(action)
    there = goal.destination and _destination(goal, path)
    content = goal.content if action != "create" else goal.content or None
    return action, kind, path, there, goal.new_name, content, goal.recursive


def _path(goal: ToolGoal, paths: list[str], goals: list[ToolGoal]) -> str:
    target = (goal.target or "").replace("\\", "/")
    scope = folded(goal.scope or "")
    if scope.startswith("inside:"):
        names = [g.goal_id or f"g{number}" for number, g in enumerate(goals[: len(paths)])]
        base = paths[names.index(scope[7:])] if scope[7:] in names else scope
    else:
        base = f"{scope[6:]}:" if scope.startswith("drive:") else FOLDERS.get(scope, FOLDERS["workspace"])
    if target.startswith("~/"):
        return _tidy(f"{FOLDERS['home']}/{target[2:]}")
    return _tidy(target) if re.match(r"/|[A-Za-z]:/", target) else _tidy(f"{base}/{target}")


def _tidy(path: str) -> str:
    return "/".join(part for part in path.split("/") if part not in ("", ".")).casefold() if path.strip("/") else path


def _destination(goal: ToolGoal, path: str) -> str:
    there = (goal.destination or "").replace("\\", "/")
    place, colon, rest = there.partition(":/")
    if colon and place in FOLDERS:
        there = f"{FOLDERS[place]}/{rest}"
    elif there.startswith("~/"):
        there = f"{FOLDERS['home']}/{there[2:]}"
    elif not re.match(r"/|[A-Za-z]:/", there):
        there = f"{FOLDERS['workspace']}/{there}"
    return _tidy(there + (path.rpartition("/")[2] if there.endswith("/") else ""))


def expected(line: dict[str, Any]) -> Meaning | None:
    """Return what a line says its wish means, or None for one that is to be refused."""
    goals = line["expect"].get("goals")
    return None if goals is None else _meaning(goals)


def _meaning(goals: list[dict[str, Any]]) -> Meaning:
    # the browser a page is opened in is not told apart here, as `meant` leaves its launch out
    given = [{name: value for name, value in goal["params"].items() if name != "browser"} for goal in goals]
    return meant([ToolGoal(goal_type=goal["type"], **params) for goal, params in zip(goals, given, strict=True)])


def is_doable(line: dict[str, Any]) -> bool:
    """Say whether a wish counts for coverage: it is to be done, and asking is not as right."""
    return "goals" in line["expect"] and not line.get("either", False)


def would_act(meta: MetaGoal) -> bool:
    """Say whether the planner lets a reading through: a protected path, say, is refused there."""
    planned = GoalOrchestrator(anchors={**FOLDERS}).plan(meta, WorldState(), TOOLS)
    return planned.graph is not None


def judged(line: dict[str, Any], interpreter: GoalInterpreter) -> tuple[str, str]:
    """Return the verdict on one line (right, asked, missed, refused, misread, or acted and left where either is right)
    and what was read."""
    wanted, found = expected(line), interpreter.interpret(line["wish"])
    rights = [*([] if wanted is None else [wanted]), *map(_meaning, line.get("also", []))]
    if found.meta_goal is None:
        if line.get("either", False):
            return "left", ""
        if wanted is None:
            return "refused", ""
        offered = [interpreter.interpret(choice).meta_goal for choice in found.choices]
        asked = any(meta is not None and meant(list(meta.goals)) in rights for meta in offered)
        return "asked" if asked else "missed", f"{found.veto or ''} {found.reason} {list(found.choices)}"
    read = meant(list(found.meta_goal.goals))
    if read in rights:
        return ("acted" if line.get("either", False) else "right"), str(read)
    if wanted is None:
        return ("misread" if would_act(found.meta_goal) else "refused"), str(read)
    return "misread", str(read)


def score(path: Path, *, show: bool) -> dict[str, Any]:
    """Score one set and print it."""
    text = path.read_bytes()
    hashes = tomllib.loads(Path(__file__).with_name("wishes.toml").read_text("utf-8"))
    known = [name for name, row in hashes.items() if row["sha256"] == hashlib.sha256(text).hexdigest()]
    lines = [json.loads(line) for line in text.decode("utf-8").splitlines() if line.strip()]
    interpreter = GoalInterpreter()
    kinds: dict[str, Counter[str]] = {}
    for line in lines:
        verdict, read = judged(line, interpreter)
        count = kinds.setdefault(str(line["kind"]), Counter())
        count[verdict] += 1
        count["doable"] += is_doable(line)
        if show and verdict in ("misread", "missed", "asked"):
            print(
                f"  {verdict:8} {line['id']} {line['wish']!r}\n           wanted "
                f"{expected(line) or line['expect']}\n           read   {read}"
            )
    total = sum(kinds.values(), Counter[str]())
    print(f"{path.name} ({known[0] if known else 'its hash is not in wishes.toml'}): {len(lines)} wishes")
    for kind, count in [*sorted(kinds.items()), ("all", total)]:
        of = count["doable"]
        covered = f"{count['right'] / of:7.1%} of {of:3}" if of else "      -       "
        print(
            f"  {kind:28} misread {count['misread']:3}  coverage {covered}  asked with them {count['asked']:3}"
            f"  missed {count['missed']:3}  rightly refused {count['refused']:3}"
            f"  either: acted {count['acted']:2} left {count['left']:2}"
        )
    misread, covered = total["misread"] / len(lines), total["right"] / max(total["doable"], 1)
    print(f"  misread {misread:.1%}, coverage {covered:.1%}")
    return {"set": path.name, "misread": misread, "coverage": covered, "kinds": {k: dict(v) for k, v in kinds.items()}}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--show", action="store_true", help="print every wish that was not read as meant")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    scores = [score(path, show=options.show) for path in options.sets]
    if options.json:
        options.json.write_text(json.dumps(scores, indent=1), "utf-8")
    return int(any(s["misread"] > MOST_MISREAD or s["coverage"] < LEAST_COVERED for s in scores))


if __name__ == "__main__":
    sys.exit(main())
