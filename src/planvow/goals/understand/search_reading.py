"""Reading a clause as a search on the web: where, and for what. What only looks like one is found in `search_doubt`."""

from __future__ import annotations

import re

from planvow.goals.understand.doubt import VAGUE, Doubt, Reading, one_of
from planvow.goals.understand.search_doubt import Search, doubt_about, platform_names
from planvow.goals.values.config import GoalConfig, folded
from planvow.goals.values.values import ToolGoal

_SEARCH = re.compile(r"(?P<verb>search|look up|look for|find|google)\b\s*:?\s*(?P<rest>.*)", re.I)
_NOTHING = VAGUE | {
    "again", "around", "better", "elsewhere", "everywhere", "faster", "harder", "her", "here", "him", "internet", "me",
    "more", "myself", "nothing", "now", "online", "the internet", "the web", "us", "web", "yourself",
}  # fmt: skip
_WEB = re.compile(
    r"(?:(?:the )?(?:web|internet|net)|online) for (?P<after>.+)"
    r"|(?P<before>.+?) (?:online|on the (?:web|internet|net))",
    re.I,
)


def read_search(clause: str, config: GoalConfig) -> Reading:
    """Read a search; None when the clause begins with no verb of searching."""
    match = _SEARCH.fullmatch(clause)
    if match is None:
        return None
    verb, said = folded(match["verb"]), match["rest"].strip()
    rest = re.sub(r"^for\b\s*", "", said, flags=re.I).strip()
    platform, query = platform_and_query(rest, config)
    web = _WEB.fullmatch(rest) if platform is None else None
    if web is not None:
        query = (web["after"] or web["before"]).strip()
    if verb == "google" and platform is None:
        platform = "google"
    if not query or folded(query) in _NOTHING or re.search(r"(?:^|\s)(?:on|for|in|with)$", query, re.I):
        return Doubt(reason="what should be searched for?")
    search = Search(
        clause=clause,
        verb=verb,
        rest=rest,
        query=query,
        introduced=rest != said,
        found=platform is not None or web is not None,
        config=config,
    )
    return doubt_about(search) or ToolGoal(goal_type="browser_search", platform=platform, query=query)


def platform_and_query(rest: str, config: GoalConfig) -> tuple[str | None, str]:
    """Split what follows the verb into platform and query: `cats on youtube`, `youtube for cats`."""
    names = one_of(platform_names(config))
    for pattern in (
        rf"(?:on|in|using|with)\s+(?P<platform>{names})(?:\s+for|\s*:)\s+(?P<query>.+)",
        rf"(?P<platform>{names})(?:\s+for|\s*:)\s+(?P<query>.+)",
        rf"(?P<query>.+?)\s+(?:on|using|with)\s+(?P<platform>{names})",
    ):
        match = re.fullmatch(pattern, rest, re.I)
        if match is not None:
            return config.platform(match["platform"]), match["query"].strip()
    return None, rest
