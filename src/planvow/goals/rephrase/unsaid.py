"""A second look at a sure reading: does it leave out, cut short or run together what the sentence says?

Rules that read by gist, drop remarks or mend slips may be sure of less than was said. What is found here is asked about
instead of done; nothing is ever added to a reading.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from planvow.goals.grammar.near import is_slip
from planvow.goals.rephrase.corrections import correction_in
from planvow.goals.values.config import GoalConfig, folded
from planvow.goals.values.values import ToolGoal

_GIVEN = re.compile(r"\b(?:chuck|toss|throw|sling|dump|shoot|flick|bung)\s+(?:me|us)\b", re.I)
_SEEKS = re.compile(
    r"\b(?:where|who|what|how|why|when|which)(?:'s|'re)?\s[^?]*\?\s*\w|\bi'm (?:after|looking for|searching for)\s\w"
    r"|\b(?:to (?:find|search|look (?:for|up))|need to find|want to find)\s\w",
    re.I,
)
"""`where's the bank? check maps`: a page alone answers nothing."""
_THROWN = re.compile(
    r"\b(?:chuck|dump|toss|throw|sling)\b(?!.*\b(?:away|out|bin|trash)\b).+\b(?:in|into|inside|onto|on|under) ", re.I
)
"""`chuck the file a.txt into the folder taxes`: there it is to go, not away."""
_POINTS_BACK = re.compile(
    r"(?:(?:some|any|more)\s+)?(?:(?:stuff|things?|something|anything|info|information|more)\s+(?:(?:about|on|of|for"
    r"|like)\s+)?)?(?:it|that|this|them|those|these|him|her)|(?:some |any )?(?:stuff|things?|something|anything)"
    r"|(?:the )?same(?: things?)?(?: there| again| too)?|the|a|an|of|for|to|and",
    re.I,
)
_MUSES = re.compile(r"\W*(?:what about (?!\w+ing\b)|(?:i|we) (?:might|may) (?:need|want|use)\b)", re.I)
_EITHER = re.compile(r"\b(maybe|perhaps|possibly|could be|might be)\b.+\b\1\b|\bor,? (?:if|perhaps|maybe)\b", re.I)
_QUOTED = re.compile(r"\"[^\"]*\"")
_DROPPED = re.compile(
    r"(?:just |please )*(?:(?:leave|forget|drop|skip|cancel|stop|scrap) (?:it|that|this)|(?:do not|don't) bother"
    r"|nothing)",
    re.I,
)
"""`search for shoes, no, leave it`: nothing is searched for any more."""
_ASKED = r"\b(?P<{}>time|date|battery|memory|cpu|disk space|ip address|ip)\b"
_TWO_QUESTIONS = re.compile(rf"{_ASKED.format('one')}(?:,| and|, and)? (?:the |my )?{_ASKED.format('two')}", re.I)
_TOLD_AFTER = re.compile(
    r",\s+(?:i|we|he|she|they|my|our|the|his|her)\s(?:[\w'-]+\s){0,5}?(?:won't|can't|don't|doesn't|didn't|will|is|are"
    r"|was|were|has|have|had|need|needs|want|wants|think|love|heard|forgot|keep|keeps|just|\w+ed)\b",
    re.I,
)
"""`search for paddington, the little one won't sleep`: the end of it is only told."""
_ORDERED_AFTER = re.compile(r",\s+(?:please )?(?:look up|look for|search|google|find)\b", re.I)
_UNSURE = re.compile(r"\b(?:i (?:don't|do not) know|dunno|(?:i'm )?not sure|i can't decide|no idea)\W*$", re.I)
_SEEKING = re.compile(
    r"search|googl|look|find|hunt|brows|check|see|show|get|fetch|bring|pull|want|need|after|ask|query|what|who|how"
    r"|where|watch|hear|listen|play|shop|research|explore|map|scour|info|anything|something|read|learn",
    re.I,
)
_COUNTS = re.compile(r"\bhow many\b|\b(?:the )?number of\b|\bcount\b", re.I)
_NOWHERE = frozenset({"somewhere", "anywhere", "elsewhere", "there", "here", "someplace", "wherever"})
_OPENS_ODDLY = re.compile(r"(?:please\b|me this\b|engine\b.*:)", re.I)
_ANOTHER_ORDER = re.compile(r"\b(?:so|and then|then|so please|just) (?:search|google|look up|look for|open)\b", re.I)
_EACH = re.compile(r"\b(?:separately|respectively|individually|one by one|each)$", re.I)
_PLACED = re.compile(
    r"\b(?:in|inside|into|on|onto|under|from|to)\s+(?:the |my |our )?(desktop|documents|downloads)\b", re.I
)
_NOT_THERE = re.compile(r"\bnot (?:in|inside|into|on|onto|under|from|to)\s+(?:the |my |our )?\w+", re.I)
_TAKES_BACK = re.compile(r"(?P<old>\w+(?: \w+)?) (?:wait|i meant?|oops) (?P<new>\w+(?: \w+)?)", re.I)
_TWICE = re.compile(r"\b(\w{3,}) \1\b", re.I)
_AND_FOR = re.compile(r"\sand (?:then )?for\s", re.I)
_AFTERWARDS = re.compile(r"\b(?P<when>(?:after|before|during) (?:my|our) [\w ]+?)\W*$", re.I)
_EXPLAINED = re.compile(r",\s+(?:the|an?)\s[^,]+?,?\s+i (?:mean|meant)\W*$", re.I)


def left_out(text: str, goals: Iterable[ToolGoal], config: GoalConfig) -> str | None:
    """Return why a reading of a sentence should be asked about, or None."""
    checks: tuple[Callable[[str, ToolGoal], str | None], ...] = (_given, _cut_off, _query, _otherwise)
    several = [*goals]
    if _MUSES.match(text) or _EITHER.search(_QUOTED.sub('""', text)):
        return "is that a wish, or only a thought?"
    if several and all(goal.goal_type == "browser_navigate" for goal in several) and _SEEKS.search(text):
        return "is something to be searched for there?"
    for goal in several:
        for check in checks:
            reason = check(text, goal)
            if reason is not None:
                return reason
    if _UNSURE.search(text) and correction_in(text) is not None:
        return "what is meant now?"
    if len(several) > 1 and not all(_is_sought(text, goal, config) for goal in several):
        return "is that to be searched for?"
    if _unanswered(text, several):
        return "are several things asked?"
    places = [goal.destination for goal in several if goal.destination and not goal.destination.endswith("/")]
    if len(places) > len({*places}):
        return "several things cannot have one name: is that a folder?"
    said = folded(" ".join(f"{goal.query} {goal.target} {goal.content}" for goal in several))
    return _later(text, said) or _out_of_place(text, said, several) or _elsewhere(text, said, several, config)


def _given(text: str, goal: ToolGoal) -> str | None:
    """`chuck me a folder` asks for one, `chuck the file into x` puts it there; neither throws it away."""
    if goal.action == "delete" and _GIVEN.search(text):
        return "is something to be made or to be deleted?"
    if goal.action == "delete" and _THROWN.search(_QUOTED.sub('""', text)):
        return "throw it away, or put it there?"
    return None


def _cut_off(text: str, goal: ToolGoal) -> str | None:
    """`a folder called Rota March`: a name goes on while its words are written large or are numbers."""
    name = goal.target if goal.goal_type == "file_operation" else None
    if name and re.search(rf"\b(?:called|named)\s+{re.escape(name)} \d+\b", text):
        return f"does the name end with {name!r:.60}?"
    if name and name[:1].isupper() and re.search(rf"\b(?:called|named)\s+{re.escape(name)} [A-Z]\w", text):
        return f"does the name end with {name!r:.60}?"
    return None


def _query(text: str, goal: ToolGoal) -> str | None:
    query = goal.query if goal.goal_type == "browser_search" else None
    if query is None or f'"{query}"' in text:
        return None
    if _TOLD_AFTER.search(query) or _ORDERED_AFTER.search(query):
        return "where does what is searched for end?"
    if _DROPPED.fullmatch(query):
        return "is the search taken back?"
    if _POINTS_BACK.fullmatch(query):
        return "what is searched for is not said"
    twice = _TWICE.search(query)
    if twice is not None and not re.search(re.escape(twice[0]), text, re.I):
        return "what is searched for was said in two ways"
    back = _TAKES_BACK.fullmatch(query)
    if back is not None and back["old"].count(" ") == back["new"].count(" "):
        return "is something taken back, or is it all searched for?"
    if _OPENS_ODDLY.match(query) or _ANOTHER_ORDER.search(query):
        return "what is searched for, and what is said to us?"
    if _AND_FOR.search(query) or (_EACH.search(query) and re.search(r"\band\b|,", query)):
        return "that may be one search or two"
    if _EXPLAINED.search(text):
        return "is that another search, or what the first one means?"
    return None


def _otherwise(text: str, goal: ToolGoal) -> str | None:
    """`how many files are in downloads` asks for a number, `make a folder somewhere` for a place."""
    if goal.action == "create" and is_slip(folded(goal.target or ""), "called"):
        return "what shall it be called?"
    said_twice = _TWICE.search(goal.target or "") if goal.goal_type == "file_operation" else None
    if said_twice is not None and not re.search(re.escape(said_twice[0]), text, re.I):
        return "what is the name now?"
    if goal.action == "list" and goal.target != "." and re.search(r"\bnew (?:folder|directory)\b", text, re.I):
        return "is something to be made, or to be listed?"
    if goal.action == "list" and _COUNTS.search(text):
        return "they can be listed, not counted"
    if folded(goal.target or "") in _NOWHERE and goal.action == "create" and not re.search(r"called|named|\"", text):
        return "what shall it be called?"
    return None


def _is_sought(text: str, goal: ToolGoal, config: GoalConfig) -> bool:
    """`so embarrassing. look for a pen`: what stands before every word for searching is no search."""
    query = folded(goal.query or "")
    if goal.goal_type != "browser_search" or goal.platform or not query or query not in text.casefold():
        return True
    before = text.casefold().partition(query)[0]
    known = (*config.platforms, *config.platform_aliases, *config.browsers)
    names = "|".join(re.escape(name) for name in known if len(name) > 2)
    return _SEEKING.search(before) is not None or re.search(rf"\b(?:{names})\b", before) is not None


def _unanswered(text: str, goals: list[ToolGoal]) -> bool:
    """`time date and battery`: of two things that are named side by side only one would be told."""
    told = folded(" ".join(goal.query or "" for goal in goals if goal.goal_type == "system_query"))
    sides = {folded(side) for found in _TWO_QUESTIONS.finditer(text) for side in found.groups()}
    return any(side in told for side in sides) and not all(side in told for side in sides)


def _out_of_place(text: str, said: str, goals: list[ToolGoal]) -> str | None:
    """`she wants a folder x in documents, can you make it`: a place was named, and nothing is done there."""
    if all(goal.goal_type != "file_operation" for goal in goals):
        return None
    _, instead = correction_in(text) or ("", "")
    if re.search(r"\b(?:desktop|documents|downloads)\b", instead, re.I):
        return None
    done = folded(" ".join(f"{goal.scope} {goal.destination}" for goal in goals))
    for found in _PLACED.finditer(_NOT_THERE.sub("", _QUOTED.sub('""', text))):
        if folded(found[1]) not in f"{done} {said}":
            return f"where is {found[1]} meant?"
    return None


def _later(text: str, said: str) -> str | None:
    """`open youtube after my nap`: a time, whatever it is called."""
    found = _AFTERWARDS.search(text)
    return "it names a time" if found is not None and folded(found["when"]) not in said else None


def _elsewhere(text: str, said: str, goals: list[ToolGoal], config: GoalConfig) -> str | None:
    """`i fancy some jazz on youtube, search miles davis`: a place was named, and the search goes to another."""
    searches = [goal for goal in goals if goal.goal_type == "browser_search"]
    if not searches or any(goal.platform for goal in searches):
        return None
    for name in {**config.platforms, **config.platform_aliases}:
        named = rf"\b(?:(?:on|at) {re.escape(name)}|{re.escape(name)}'s)\b"
        if len(name) > 2 and name not in said and re.search(named, text, re.I):
            return f"is it to be searched for on {name}?"
    return None
