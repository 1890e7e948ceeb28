"""Whether what a wish denies leaves its order as it is: a known thing that is another one, or what no such order does.

Copying deletes no original, opening an app plays nothing, and nobody who wants word loses anything without excel. What
is denied is never done; where it could bear on the order ("anything", "any page" beside one that opens a page, a verb
that nothing is known of) the denial vetoes the wish.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from planvow.goals.clauses.denied import Denial, denials
from planvow.goals.grammar.marks import QUANTITY, marks_of
from planvow.goals.rephrase.remarks import Things
from planvow.goals.values.config import GoalConfig, folded
from planvow.goals.values.metagoal import MetaGoal
from planvow.goals.values.paths import ANCHORS
from planvow.goals.values.values import ToolGoal

_PAGE = "browser_navigate"
_LOSES = ("delete", "write")
"""What loses something for good is not done on the word of a sentence that denies."""
Read = Callable[[str], MetaGoal | None]
_CHANGES = "change edit modify alter touch delete remove erase move rename save overwrite replace copy write close play"
_SHOWS = "type click close write send delete remove erase edit change print"
_NEVER = {
    "app_launch": f"{_SHOWS} search play save log sign", "browser_navigate": f"{_SHOWS} search",
    "system_query": f"{_CHANGES} open launch start search", "list": _CHANGES, "read": _CHANGES,
    "create": "open close play move copy rename put add fill write type", "filled": "open close play move copy rename",
    "append": "overwrite replace delete remove erase lose rename move open", "copy": "open", "rename": "open copy",
    "move": "open copy",
}  # fmt: skip
"""What an order surely does to nothing."""
_NOT_TO_IT = {
    "copy": "delete remove erase move change edit modify alter touch rename lose",
    "rename": "delete remove erase lose move", "move": "delete remove erase lose change edit rename",
}  # fmt: skip
"""What it surely does not do to its own file, though it may to one that lies where it goes."""
_IT = re.compile(
    r"(?:it|that|this|them|those|any of (?:it|them|those)|the (?:original|old|source)?(?: ?files?| ?one)?s?)(?: (?:yet"
    r"|at all|afterwards|though))*",
    re.I,
)
_ORIGINAL = re.compile(r"the (?:original|old|source)(?: ?(?:file|one|copy))?s?(?: .*)?", re.I)
_ELSE = re.compile(
    r"(?:(?:\w+ )?(?:up |to )?)?(?:(?:any|some|every)(?:thing|where)? ?else|another \w+|any ?other(?: \w+)?)", re.I
)
_KIND = re.compile(
    r"(?:(?P<article>any|an?|some|no|the|my|your) )?(?:new |single )?(?P<kind>(?:any|some|every)?things?|stuff|either"
    r"|both|pages?|tabs?|windows?|(?:web ?)?(?:sites?|pages?)|browsers?|apps?|applications?|programs?|document|files?"
    r"|folders?|directory|directories)(?: (?:at all|whatsoever|yet|first))?",
    re.I,
)
_FACT = re.compile(r"(?:time|date|memory|ram|cpu|battery|disk space|ip|ip address|running programs)", re.I)
_ARTICLE = re.compile(r"(?:me )?(?:(?:the|my|that|any|up) )?", re.I)
_PLACE = re.compile(r"(?:in|on|from|to|at|with|using) ", re.I)
_MORE = re.compile(
    r"\b(?:and|then|after|because|so|as|just|only|merely|simply|alone|first|last|also|too|by itself|on its own)\b", re.I
)
"""Words with which a denial says more than what is not to be done: "don't just open word"."""


def is_known(said: str, things: Things) -> bool:
    """Say whether words name one thing: an app, a page, a file, a folder, one of your own folders, a fact."""
    bare = _bare(said)
    return things(said) == (said,) or things(bare) == (bare,) or folded(bare) in ANCHORS or _is_fact(bare)


def beside_denials(text: str, config: GoalConfig, things: Things, read: Read) -> tuple[MetaGoal | None, bool]:
    """Read an order beside a denial that leaves it as it is; or say that one takes something from it."""
    is_denied = False
    for denial in denials(text, things):
        meta = read(denial.order)
        if meta is None or any(goal.action in _LOSES for goal in meta.goals):
            continue
        order = Order(meta.goals, config, things, read)
        if order.is_left_by(denial):
            return meta, False
        is_denied = is_denied or order.is_meant_by(denial)
    return None, is_denied


@dataclass(frozen=True)
class Order:
    """What a denial may bear on: an order, what it means, and how other words are read."""

    goals: tuple[ToolGoal, ...]
    config: GoalConfig
    things: Things
    read: Read

    def is_left_by(self, denial: Denial) -> bool:
        """Say whether what is denied is understood, and takes nothing from the order."""
        return all(self._is_left(one, denial) for one in denial.denied)

    def is_meant_by(self, denial: Denial) -> bool:
        """Say whether what is denied is understood, though it takes something from the order."""
        things = [one.partition(" ")[2] if denial.has_verb else _PLACE.sub("", one, count=1) for one in denial.denied]
        return any(_KIND.fullmatch(thing) is not None or is_known(thing, self.things) for thing in things)

    def _is_left(self, denied: str, denial: Denial) -> bool:
        place = denied if denial.has_verb else _PLACE.sub("", denied, count=1)
        if denial.is_after and self._does("browser_search") and not self._searches(place):
            return False  # "jobs without weekends" is searched for
        if _ELSE.fullmatch(denied):
            return True
        if _MORE.search(denied) or any(mark.kind != QUANTITY for mark in marks_of(denied)):
            return False
        if not denial.has_verb:
            return (denial.is_left or not self._moves()) and self._is_other(place, denial)
        verb, _, thing = denied.partition(" ")
        if not thing and verb.casefold() != "play":
            return False
        said = {verb.casefold(), *_infinitives(verb.casefold())}
        if all(said & {*_NEVER.get(_deed(goal), "").split()} for goal in self.goals):
            return True
        if _ORIGINAL.fullmatch(thing) and self._moves():
            return False  # "move it without removing the original" asks for a copy
        if _IT.fullmatch(thing) and all(said & {*_NOT_TO_IT.get(_deed(goal), "").split()} for goal in self.goals):
            return True
        return self._is_other(thing, denial, verbs=said)

    def _read(self, text: str) -> tuple[ToolGoal, ...]:
        meta = self.read(text)
        return () if meta is None else meta.goals

    def _moves(self) -> bool:
        return any(goal.action in ("move", "rename") for goal in self.goals)

    def _does(self, goal_type: str) -> bool:
        return any(goal.goal_type == goal_type for goal in self.goals)

    def _searches(self, place: str) -> bool:
        """Say whether there is another place to search, and the order says where it searches."""
        named = all(goal.platform for goal in self.goals if goal.goal_type == "browser_search")
        return named and any(goal.platform for goal in self._read(f"search {_bare(place)} for jobs"))

    def _is_other(self, thing: str, denial: Denial, verbs: Iterable[str] = ()) -> bool:
        """Say whether a thing is known, and the order does nothing with it or with any of its kind."""
        kind = _KIND.fullmatch(thing)
        if kind is not None:
            definite = folded(kind["article"] or "") in ("the", "my", "your")
            return not self._bears(folded(kind["kind"]), definite=definite, has_verb=denial.has_verb)
        bare = _bare(thing)
        if self._shares(bare, denial.order):
            return False
        if self.config.is_browser(bare) and self._opens() and not self._launches_a_browser():
            return False  # which browser a page is opened in was left to us
        if is_known(thing, self.things):
            meant = [*self._read(f"tell me the {bare}" if _is_fact(bare) else f"open {bare}")]
            is_file = not meant and folded(bare) not in ANCHORS
        else:
            meant = [goal for verb in verbs for goal in self._read(f"{verb} {thing}")]
            is_file = all(goal.goal_type == "file_operation" for goal in meant)
            if not meant:
                return False
        return not (self._about(meant) & self._about(self.goals) or (is_file and self._holds()))

    def _bears(self, kind: str, *, definite: bool, has_verb: bool) -> bool:
        """Say whether an order may do something with things of a kind: a browser is opened for a page, too."""
        files = [goal for goal in self.goals if goal.goal_type == "file_operation"]
        if kind.startswith(("file", "document")):
            return self._holds() or any(goal.object_type != "folder" for goal in files)
        if kind.startswith(("folder", "director")):
            return any(has_verb or goal.object_type != "file" for goal in files)
        if kind.startswith(("site", "web", "browser")):
            return self._opens() or self._launches_a_browser()
        if kind.startswith(("app", "program")):
            return self._does("app_launch") or (self._opens() and not definite)
        if kind.startswith(("page", "tab", "window")):
            return self._does("app_launch") or self._opens()
        return True

    def _opens(self) -> bool:
        """Say whether an order opens a page, if only to search there."""
        return self._does(_PAGE) or self._does("browser_search")

    def _launches_a_browser(self) -> bool:
        return any(self.config.is_browser(goal.target or "") for goal in self.goals)

    def _holds(self) -> bool:
        """Say whether an order is about a folder with what is in it."""
        files = [goal for goal in self.goals if goal.goal_type == "file_operation"]
        return any(goal.object_type != "file" and goal.action != "create" for goal in files)

    def _about(self, goals: Iterable[ToolGoal]) -> set[str]:
        """Return what goals are about, each under one name: youtube.com is youtube."""
        homes = self.config.homepages
        pages = [folded(goal.target or "") for goal in goals if goal.goal_type == _PAGE]
        names = [name for goal in goals for name in (goal.target, goal.query, goal.new_name) if name]
        return {*map(folded, names), *(re.sub(r"https?://(?:www\.)?", "", homes.get(page, page)) for page in pages)}

    def _shares(self, bare: str, order: str) -> bool:
        """Say whether a thing is named in an order, too, or a part of its path is."""
        words = re.split(r"[\s/\\,;:]+", folded(order))
        if "/" in bare or "\\" in bare:
            return any(part in words for part in re.split(r"[\s/\\]+", folded(bare)) if part not in ("folder", "file"))
        return re.search(rf"(?<!\w){re.escape(folded(bare))}(?!\w)", folded(order)) is not None


def _bare(said: str) -> str:
    return _ARTICLE.sub("", said, count=1)


def _is_fact(bare: str) -> bool:
    return _FACT.fullmatch(bare) is not None


def _deed(goal: ToolGoal) -> str:
    if goal.goal_type != "file_operation":
        return goal.goal_type
    return "filled" if goal.action == "create" and goal.content else goal.action or ""


def _infinitives(verb: str) -> set[str]:
    """Return what a verb that ends in "ing" may be a form of."""
    stem = verb.removesuffix("ing")
    return {stem, f"{stem}e", stem[:-1]} - {verb} if stem != verb else set()
