"""Reading a search on the web: where, with what, and for what. What only looks like one is found in `search_doubt`."""

from __future__ import annotations

import re

from planvow.goals.grammar.chart import Node
from planvow.goals.grammar.lexicon import Span
from planvow.goals.understand.context import Context
from planvow.goals.understand.doubt import VAGUE, Doubt, Reading, one_of
from planvow.goals.understand.search_doubt import QUESTION, Search, doubt_about
from planvow.goals.values.config import folded
from planvow.goals.values.values import ToolGoal

_NOTHING = VAGUE | {
    "again", "around", "better", "elsewhere", "everywhere", "faster", "harder", "her", "here", "him", "internet", "me",
    "more", "myself", "nothing", "now", "online", "the internet", "the web", "us", "web", "yourself",
}  # fmt: skip
_ABOUT_BROWSERS = re.compile(
    r"\b(?:add-?ons?|bookmarks?|bugs?|cache|compatib\w+|cookies?|crash\w*|dark mode|developer|errors?|extensions?"
    r"|features?|fonts?|help|history|issues?|memory|new|passwords?|plug-?ins?|privacy|problems?|settings?|shortcuts?"
    r"|tabs?|themes?|trouble|updates?|zoom|certificates?|profiles?|slow\w*)\b",
    re.I,
)
_LITERALLY = re.compile(
    r"^(?:(?:the|these|this|that|an?) )?(?:exact |following |literal |whole |quoted )*(?:phrase|words?|term|terms"
    r"|sentence|quote|quotation|expression|string|saying|text|line|title|lyrics?)[,:]? (?=\"[^\"]*\"$|'.*'$)",
    re.I,
)
"""`the phrase "…"`: what is searched for stands in the quotes."""
_ASKED = {"charging": "battery", "programs": "running programs"}
"""What a question is about that does not name it: `is my laptop charging`."""
_ON_THE_PAGE = re.compile(
    r"(?<!\bout)(?<!\bover)(?<!\bup)(?<!\bin)(?<!\bget)(?<!\bgo)(?<!\bbeen)(?<!\bis)(?<!\bare)(?<!\bbe)(?<!\bhello)(?<!\bhi)"
    r"\s+(?:on )?there$",
    re.I,
)
"""`open wikipedia and look up volcanoes there`: on the page that was opened, unless it belongs to what is sought."""
_ASKS = re.compile(
    r"(?:how (?:to|do|does|can|many|much)|what (?:is|are|does|do)|why|who (?:is|was)|where (?:is|to)) ", re.I
)
_STATES = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|won't|isn't|aren't|doesn't|didn't|can't|keeps?|says?|needs?|went|goes"
    r"|makes?|takes?|looks|seems|feels|loads|works|please)\b|what an? ",
    re.I,
)
"""`youtube keeps freezing on me`, `amazon what a place`: said of the platform, not searched for there."""
_GOES_ON = re.compile(
    r"^(?:or|and|look|articles?|pages?|entry|videos?|the page)\b|^\W|\b(?:look up|look for|search|find|google)\b|[,:]",
    re.I,
)
"""`wikipedia don't look up sharks`, `wikipedia article on bees`: more than what is searched for."""
_COLON = re.compile(r":\s*$")
_SEARCHES = re.compile(
    r"(?:search(?: for| (?!(?:engine|algorithm|bar|box|result|term|tree|index|optimi)))"
    r"|look (?:up|for) |find |google )",
    re.I,
)
"""`youtube: search cats`: said to us after the name, or searched for?"""
_HOW_TO = re.compile(r"\b(?:how|ways?|where|when) (?:to|do|can|does)\b", re.I)


def read_search(act: Node, context: Context) -> Reading:
    """Read a search and doubt what only looks like one."""
    span: Span = act.get("query")
    verb = {"lookup": "look up", "dosearch": "look up", "engine": "engine"}.get(act.name) or act.get("verb")
    platform, browser = act.get("platform"), act.get("browser")
    if context.front is not None:
        platform, browser = platform or context.front.get("platform"), browser or context.front.get("browser")
    where = platform.value if platform is not None else "google" if verb == "google" else None
    query = _LITERALLY.sub("", span.text.rstrip(" ,"))
    if context.goals and context.goals[-1].goal_type == "browser_navigate":
        query = _ON_THE_PAGE.sub("", query)
    if (
        re.match(r"(?:for\b|[:,;])", query, re.I)
        or (act.name == "nameonly" and re.match(r"or\b", query, re.I))
        or (act.name == "dosearch" and re.match(rf"about\b|(?:{one_of(context.config.platforms)}) for\b", query, re.I))
        or (act.name == "lookup" and re.match(r"(?:up|for)\b", query, re.I))
        or re.search(r"\s(?:and|,)$|,$", span.text, re.I)
    ):
        return None
    again = _search_after_a_colon(act, query, context.sentence[: span.start])
    if again is not None:
        return again
    words = len(query.split())
    if act.name == "nameonly" and (
        words < 3 or (_STATES.search(query) and not _ASKS.match(query)) or _GOES_ON.search(query)
    ):
        return Doubt(reason=f"search {platform.value} for that?", choices=(f"search {platform.value} for {query}",))
    if act.name == "engine" and (len(query.split()) < 2 or re.match(r"\w+: ", query)):
        return None
    if (
        not query
        or folded(query) in _NOTHING
        or re.match(r"(?:no|any|some)thing (?:in particular|special|specific)$", query, re.I)
        or re.search(r"(?:^|\s)(?:on|for|in|with)$", query, re.I)
    ):
        return Doubt(reason="what should be searched for?")
    if browser is not None and (_ABOUT_BROWSERS.search(query) or QUESTION.match(query)):
        return Doubt(
            reason=f"searched for in {browser.said}, or about it?", choices=(f'search for "{query} {browser.said}"',)
        )
    search = Search(
        verb=verb,
        rest=query,
        query=query,
        introduced=act.get("for") is not None or act.name == "dosearch",
        found=platform is not None or act.get("web") is not None or browser is not None,
        clause=f"{verb} {query}",
        config=context.config,
    )
    doubt = _second_wish(span, context, search) or doubt_about(search)
    if doubt is not None:
        return doubt
    goal = ToolGoal(goal_type="browser_search", platform=where, query=query)
    return (goal,) if browser is None else (ToolGoal(goal_type="app_launch", target=browser.value), goal)


def _search_after_a_colon(act: Node, query: str, before: str) -> Doubt | None:
    """Doubt a query that begins with a word for searching, after the name of a platform and a colon."""
    platform = act.get("platform")
    again = _SEARCHES.match(query)
    if again is None or platform is None or act.get("verb") is not None or not _COLON.search(before):
        return None
    choices = (f"search {platform.value} for {query[again.end() :].strip()}", f'search {platform.value} for "{query}"')
    return Doubt(reason=f"is {again[0].strip()!r} a part of what is searched for?", choices=choices)


def _second_wish(span: Span, context: Context, search: Search) -> Doubt | None:
    """Doubt a query that holds a joint and then a wish of its own, unless it asks how to do two things."""
    for at in range(span.first + 1, span.last):
        for joint in context.chart.at("JOINT", at):
            if joint.end >= span.last:
                continue
            steps = [edge for edge in context.chart.at("step", joint.end) if edge.end == span.last]
            is_act = any(edge.value.get("act") is not None for edge in steps)
            said = context.sentence[span.start : context.chart.tokens[at - 1].end]
            joined = context.sentence[context.chart.tokens[at].start : context.chart.tokens[joint.end - 1].end]
            if is_act and (not _HOW_TO.search(said) or re.search(r"\b(?:also|after|plus)\b", joined, re.I)):
                return Doubt(reason="one search or two wishes?", choices=(search.literally,), yields=True)
    return None


def read_query(act: Node, context: Context) -> Reading:
    """Read a question about the machine."""
    asked = _ASKED.get(act.name, act.name)
    subject = act.get("query") if act.name in ("query", "longquery") else context.config.queries.get(asked)
    if subject is None:
        return None
    is_passing = (
        subject in ("time", "date") and act.name == "query" and act.get("whose") is None
    )  # "how much time is left"
    if is_passing:
        return Doubt(reason="that is a question, not something to be done")
    return (ToolGoal(goal_type="system_query", query=subject),)


def read_more_query(step: Node, context: Context) -> Reading:
    """A question without a verb goes on with the last one: "tell me the date, the time and my ip address"."""
    last = context.goals[-1] if context.goals else None
    if last is None or last.goal_type != "system_query":
        return None
    return (ToolGoal(goal_type="system_query", query=step.get("query")),)


def read_more_search(step: Node, context: Context) -> Reading:
    """A query without a verb goes on with the last search: "search youtube for cats and github for dogs"."""
    last = context.goals[-1] if context.goals else None
    if last is None or last.goal_type != "browser_search":
        return None
    slots = step.slots if step.get("platform") is not None or last.platform is None else ()
    if not slots:
        return Doubt(reason=f"search {last.platform} too, or elsewhere?")
    return read_search(Node("dosearch", slots), context)


def read_more_platform(step: Node, context: Context) -> Reading:
    """Read `and wikipedia tomatoes` after a search."""
    last = context.goals[-1] if context.goals else None
    if last is None or last.goal_type != "browser_search" or step.get("platform").value == "google":
        return None
    if re.match(r"(?:and|to|then|for|is|or)\b", step.get("query").text, re.I):
        return None
    return read_search(Node("dosearch", step.slots), context)


def read_search_again(step: Node, context: Context) -> Reading:
    """The last query once more, elsewhere: "look up bonsai on wikipedia and on reddit"."""
    last = context.goals[-1] if context.goals else None
    if last is None or last.goal_type != "browser_search" or last.platform is None:
        return None
    if context.joint == "then" and step.get("again") is None:
        return Doubt(reason="the same once more?")
    return (ToolGoal(goal_type="browser_search", platform=step.get("platform").value, query=last.query),)
