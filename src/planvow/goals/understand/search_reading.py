"""Reading a clause as a search on the web: where, and for what.

A search takes whatever follows as its query, so a clause that only looks like one is the likeliest thing to be misread:
a place that is no platform ("search contacts for bob"), an app ("cats in firefox"), a second wish ("cats and download
the first"), an idiom ("look up to the sky"). Each of these is a doubt. Questions ("search how to …") are queries
whatever they hold, and so is what stands in quotes.
"""

from __future__ import annotations

import re
from difflib import get_close_matches

from planvow.goals.understand.doubt import VAGUE, Doubt, Reading, one_of
from planvow.goals.values.config import GoalConfig, folded
from planvow.goals.values.paths import ANCHORS, looks_like_file
from planvow.goals.values.values import ToolGoal

_SEARCH = re.compile(r"(?P<verb>search|look up|look for|find|google)\b\s*:?\s*(?P<rest>.*)", re.I)
_NOTHING = VAGUE | {
    "again", "around", "better", "elsewhere", "everywhere", "faster", "harder", "her", "here", "him", "internet", "me",
    "more", "myself", "nothing", "now", "online", "the internet", "the web", "us", "web", "yourself",
}  # fmt: skip
_QUESTION = re.compile(r"(?:how|what|what's|why|when|where|who|whose|which|ways? to)\b", re.I)
_LOCAL = re.compile(
    r"\bmy\b|\bthis (computer|pc|laptop|disk|machine)\b|\bthe (computer|pc|laptop|disk|machine|file|folder)\b"
    r"|\b(files?|folders?|contacts?|notes?|documents?|photos?|playlists?) (named|called)\b"
    r"|\b(e-?mails?|mails?|messages?|calls?|contacts?|texts?) from\b"
    r"|^(?:the |old |unread )?(e-?mails?|mails?|inbox|messages) \w"
    r"|'s (e-?mails?|messages?|inbox|contacts|calendar|files?|folders?)\b",
    re.I,
)
_ELSEWHERE = re.compile(r"(?:the|this|that|these|those|our)\b.+\bfor\b.*", re.I)
"""`search the house for clues`: a place to search that is no platform."""
_BEGINS_ODDLY = re.compile(
    r"[,;]|(?:again|and|at|both|by|each|either|from|her|here|him|in|inside|into|me|of|on|onto|out|over|search|through|to|under|us"
    r"|using|via|with|within)\b",
    re.I,
)
_ENDS_ODDLY = re.compile(r"\s(?:thanks|thank you|later|asap|right away|(?:if|when) (?:you can|possible))$", re.I)
"""`tea if you can`: said to us, or searched for?"""
_WEB = re.compile(
    r"(?:(?:the )?(?:web|internet|net)|online) for (?P<after>.+)"
    r"|(?P<before>.+?) (?:online|on the (?:web|internet|net))",
    re.I,
)
_STORES = frozenset({
    "address book", "archive", "bookmarks", "calendar", "clipboard", "cloud", "contacts", "dictionary", "dropbox",
    "email", "emails", "encyclopedia", "files", "folder", "gmail", "history", "icloud", "inbox", "mail", "mailbox",
    "manual", "messages", "notes", "onedrive", "phone book", "photos", "thesaurus", "trash",
})  # fmt: skip
_SITES = frozenset({
    "ebay", "etsy", "facebook", "imdb", "instagram", "linkedin", "netflix", "pinterest", "quora", "tiktok", "twitch",
    "twitter", "yahoo", "yelp",
})  # fmt: skip
"""Places that are searched on their own pages, which no platform of ours reaches; a configuration can add them."""
_SECOND_WISH = re.compile(
    r"(?:\band|,)\s+(?:then\s+)?(?:"
    r"\w+\s+(?:the|it|them|me|this|that|these|those|one|him|her|us|an?)\b"
    r"|(?:book|bookmark|buy|call|choose|click|close|compare|download|e-?mail|install|mail|order|pick|play|post|print|quit"
    r"|save|send|share|show|sort|stop|subscribe|summari[sz]e|tell|text|translate|upload|watch)\b)",
    re.I,
)
_ABOUT_GOOGLE = re.compile(r"(?:had|has|is|knows|says|versus|vs|was|will)\b|'s\b", re.I)
"""`google is down`: somebody talks about the company."""
_GOOGLES_OWN = frozenset({
    "ads", "analytics", "assistant", "books", "calendar", "chat", "classroom", "cloud", "contacts", "docs", "drive",
    "earth", "finance", "flights", "fonts", "forms", "gemini", "home", "images", "keep", "lens", "meet", "messages",
    "news", "pay", "photos", "play", "scholar", "search", "sheets", "slides", "translate", "trends", "wallet",
})  # fmt: skip
_LINKS = "about|against|and|as|at|between|buy|by|do|does|for|from|is|like|of|or|own|owns|than|the|to|use|versus|vs|with"


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
    doubt = _doubt(clause, verb, said, query, config, found=platform is not None or web is not None)
    return doubt or ToolGoal(goal_type="browser_search", platform=platform, query=query)


def platform_and_query(rest: str, config: GoalConfig) -> tuple[str | None, str]:
    """Split what follows the verb into platform and query: `cats on youtube`, `youtube for cats`."""
    names = one_of(_platforms(config))
    for pattern in (
        rf"(?:on|in|using|with)\s+(?P<platform>{names})(?:\s+for|\s*:)\s+(?P<query>.+)",
        rf"(?P<platform>{names})(?:\s+for|\s*:)\s+(?P<query>.+)",
        rf"(?P<query>.+?)\s+(?:on|using|with)\s+(?P<platform>{names})",
    ):
        match = re.fullmatch(pattern, rest, re.I)
        if match is not None:
            return config.platform(match["platform"]), match["query"].strip()
    return None, rest


def _platforms(config: GoalConfig) -> set[str]:
    return {*config.platforms, *config.platform_aliases}


def _doubt(clause: str, verb: str, said: str, query: str, config: GoalConfig, *, found: bool) -> Doubt | None:
    introduced = re.match(r"for\b", said, re.I) is not None
    rest = re.sub(r"^for\b\s*", "", said, flags=re.I).strip()
    names = one_of(_platforms(config))
    bare = re.sub(r"\"[^\"]*\"|'[^']*'(?!\w)", "", query)
    if re.search(rf"(?:\bon |^)(?:{names})(?:\s*,\s*| and | or )(?:{names})\b", rest, re.I):
        return Doubt(reason="one search, two platforms")
    if _LOCAL.search(re.sub(r"\"[^\"]*\"", "", rest)) or (not found and not introduced and _ELSEWHERE.fullmatch(rest)):
        return Doubt(reason="a search on this machine is not a search on the web", choices=("search the web for …",))
    own = folded(re.sub(r"^(?:new|the|unread)\s+", "", query, flags=re.I))
    if own in _STORES or re.search(r"^(?:updates?|notifications?)\b|\s(?:updates?|notifications?)$", own):
        return Doubt(reason="on this machine or on the web?", choices=(f'search for "{query}"',))
    file = re.fullmatch(r"(?:.*\sin\s)?(?P<name>\S+)", query)  # "main.py", "bugs in main.py"
    if file and looks_like_file(file["name"]) and not re.search(r"\.(?:com|org|net|io)$|\d$", query):
        return Doubt(reason="a file or a search on the web?", choices=(f'search for "{query}"', f"read {query}"))
    if verb == "find" and not found:
        return Doubt(reason="find where?", choices=(f"search the web for {query}", f"find a file called {query}"))
    is_a_name = config.platform(rest) in config.platforms or folded(clause) in {
        *config.app_aliases,
        *config.platform_aliases,
        *(f"google {own}" for own in _GOOGLES_OWN),
    }
    if is_a_name and not introduced:  # "search youtube", "google maps": a name, not a query
        return Doubt(reason="what should be searched for?", choices=(f"search {rest} for …", f"open {rest}"))
    if verb == "google" and not introduced and _ABOUT_GOOGLE.match(query):
        return Doubt(reason="what should be searched for?", choices=(f'search for "{clause}"',))
    if _QUESTION.match(bare):
        return None
    literally = f'search for "{query}"'
    second = _SECOND_WISH.search(bare)
    if second is not None and not re.search(r"\b(?:how|ways?) to\b", bare[: second.start()], re.I):
        return Doubt(reason="one search or two wishes?", choices=(literally,))
    if not introduced and not found and verb == "search" and re.search(r"\sfor\b", bare, re.I):
        return Doubt(reason=f"search where? {rest.split(' for ')[0]!r} is no platform", choices=(literally,))
    if (not introduced and _BEGINS_ODDLY.match(bare)) or _ENDS_ODDLY.search(bare):
        return Doubt(reason="what should be searched for, and where?", choices=(literally,))
    places = one_of(
        {*_platforms(config), *config.browsers, *config.apps, *config.app_aliases, *ANCHORS, *_STORES, *_SITES}
    )
    place = re.search(
        rf"\b(?:on|in|using|with|via|at|from|through|inside|within)\s+(?:(?:the|our|a)\s+)?(?P<place>{places})\b",
        bare,
        re.I,
    )
    if place is not None:
        where = place["place"]
        hint = (f"add {where} to [platforms] in a --config file",) if folded(where) in _SITES else ()
        return Doubt(reason=f"is {where!r} where to search?", choices=(literally, *hint))
    last = re.search(r"\b(?:on|using|with|via)\s+(?P<word>[\w.-]+)$", bare, re.I)
    if last is not None and not found and _is_like_a_site(folded(last["word"]), config):
        return Doubt(reason=f"is {last['word']!r} where to search?", choices=("search … on …", literally))
    if (verb == "search" and not introduced and re.match(rf"(?:{names})\s", bare, re.I)) or (
        verb != "google" and re.search(rf"\s(?:{names})$", bare, re.I)
        and not re.search(rf"\b(?:{_LINKS})\s+(?:{names})$", bare, re.I)
    ):  # fmt: skip
        return Doubt(reason="is one of the words a place to search?", choices=("search … on …", literally))
    return None


def _is_like_a_site(word: str, config: GoalConfig) -> bool:
    """Say whether a word is an address, or nearly the name of a platform: `on booking.com`, `on youtub`."""
    if re.fullmatch(r"[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}", word):
        return True
    names = sorted(name for name in _platforms(config) if len(name) > 4)
    return len(word) > 3 and bool(get_close_matches(word, names, n=1, cutoff=0.7))
