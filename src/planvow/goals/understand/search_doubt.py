"""Whether a clause that begins like a search is one.

A search takes whatever follows as its query, so a clause that only looks like one is the likeliest thing to be misread:
a place that is no platform ("search contacts for bob"), an app ("cats in firefox"), a second wish ("cats and download
the first"), an idiom ("look up to the sky"). Each of these is a doubt, found by a rule of its own. Questions ("search
how to …") are queries whatever they hold, and so is what stands in quotes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches

from planvow.goals.grammar.near import near
from planvow.goals.grammar.words import words_of
from planvow.goals.understand.doubt import Doubt, one_of
from planvow.goals.values.config import GoalConfig, folded
from planvow.goals.values.paths import ANCHORS, looks_like_file

QUESTION = re.compile(r"(?:how|what|what's|why|when|where|who|whose|which|ways? to)\b", re.I)
_LOCAL = re.compile(
    r"\bmy\b|\bthis (computer|pc|laptop|disk|machine)\b|\bthe (computer|pc|laptop|disk|machine|file|folder)\b"
    r"|\b(files?|folders?|contacts?|notes?|documents?|photos?|playlists?) (named|called)\b"
    r"|\b(e-?mails?|mails?|messages?|calls?|contacts?|texts?) from\b|^(?:the |old |unread )?(e-?mails?|mails?|inbox"
    r"|messages) \w|'s (e-?mails?|messages?|inbox|contacts|calendar|files?|folders?)\b",
    re.I,
)
_ELSEWHERE = re.compile(r"(?:the|this|that|these|those|our)\b.+\bfor\b.*", re.I)
"""`search the house for clues`: a place to search that is no platform."""
_BEGINS_ODDLY = re.compile(
    r"[,;]|(?:again|and|at|both|by|each|either|from|her|here|him|in|inside|into|me|of|on|onto|out|over|search|through"
    r"|to|under|us|using|via|with|within)\b",
    re.I,
)
_ENDS_ODDLY = re.compile(r"\s(?:thanks|thank you|later|asap|right away|(?:if|when) (?:you can|possible))$", re.I)
"""`tea if you can`: said to us, or searched for?"""
_STORES = frozenset({
    "address book", "archive", "bookmarks", "calendar", "clipboard", "cloud", "contacts", "dictionary", "dropbox",
    "email", "emails", "encyclopedia", "files", "folder", "gmail", "history", "icloud", "inbox", "mail", "mailbox",
    "manual", "messages", "notes", "onedrive", "phone book", "photos", "thesaurus", "trash",
})  # fmt: skip
SITES = words_of("""
    ebay etsy facebook imdb instagram linkedin netflix pinterest quora tiktok twitch twitter vimeo yahoo yelp
""")
"""Places that are searched on their own pages, which no platform of ours reaches; a configuration can add them."""
_SECOND_WISH = re.compile(
    r"(?:\band|,)\s+(?:then\s+)?(?:\w+\s+(?:the|it|them|me|this|that|these|those|one|him|her|us|an?)\b"
    r"|(?:book|bookmark|buy|call|choose|click|close|compare|download|e-?mail|install|mail|order|pick|play|post|print"
    r"|quit|save|send|share|show|sort|stop|subscribe|summari[sz]e|tell|text|translate|upload|watch)\b)",
    re.I,
)
_ABOUT_GOOGLE = re.compile(
    r"(?:had|has|is(?! (?:it|there|a|an|this|my|that)\b)|knows|says|versus|vs|was|will)\b|'s\b",
    re.I,
)
"""`google is down`: somebody talks about the company."""
_GOOGLES_OWN = words_of("""
    ads analytics assistant books calendar chat classroom cloud contacts docs drive earth finance flights fonts forms
    gemini home images keep lens meet messages news pay photos play scholar search sheets slides translate trends
    wallet
""")
_LINKS = "about|against|and|as|at|between|buy|by|do|does|for|from|is|like|of|or|own|owns|than|the|to|use|versus|vs|with"


@dataclass(frozen=True, kw_only=True)
class Search:
    """A clause as a search: its verb, what follows, and the query in that."""

    clause: str
    verb: str
    rest: str
    """What follows the verb, without `for`."""
    query: str
    introduced: bool
    """Whether `for` stands before it."""
    found: bool
    """Whether the clause says where to search."""
    config: GoalConfig

    @property
    def bare(self) -> str:
        """The query without what stands in quotes."""
        return re.sub(r"\"[^\"]*\"|'[^']*'(?!\w)", "", self.query)

    @property
    def literally(self) -> str:
        """How to say that the query is meant as it stands."""
        return f'search for "{self.query}"'

    @property
    def names(self) -> str:
        """A pattern for the name of any platform."""
        return one_of(platform_names(self.config))


Rule = Callable[[Search], Doubt | None]


def platform_names(config: GoalConfig) -> set[str]:
    """Return every name that a platform has."""
    return {*config.platforms, *config.platform_aliases}


def doubt_about(search: Search) -> Doubt | None:
    """Return the first doubt that a rule has, or None."""
    doubt = _first(_ALWAYS, search)
    if doubt is None and not QUESTION.match(search.bare):
        doubt = _first(_UNLESS_A_QUESTION, search)
    return doubt


def _first(rules: tuple[Rule, ...], search: Search) -> Doubt | None:
    return next((doubt for rule in rules if (doubt := rule(search)) is not None), None)


def _two_platforms(search: Search) -> Doubt | None:
    names = search.names
    if re.search(rf"(?:\bon (?:both )?|^)(?:{names})(?:\s*,\s*| and | or )(?:{names})\b", search.rest, re.I):
        return Doubt(reason="one search, two platforms")
    return None


def _on_this_machine(search: Search) -> Doubt | None:
    asked = re.sub(r"\bmy\b", "", search.rest) if QUESTION.match(search.rest) else search.rest  # "why my cat purrs"
    is_local = _LOCAL.search(re.sub(r"\"[^\"]*\"", "", asked))
    if is_local or (not search.found and not search.introduced and _ELSEWHERE.fullmatch(search.rest)):
        return Doubt(reason="a search on this machine is not a search on the web", choices=(search.literally,))
    own = folded(re.sub(r"^(?:new|the|unread)\s+", "", search.query, flags=re.I))
    if own in _STORES or re.search(r"^(?:updates?|notifications?)\b|\s(?:updates?|notifications?)$", own):
        return Doubt(reason="on this machine or on the web?", choices=(search.literally,))
    return None


def _in_a_file(search: Search) -> Doubt | None:
    query = search.query
    file = re.fullmatch(r"(?:.*\sin\s)?(?P<name>\S+)", query)  # "main.py", "bugs in main.py"
    if file and looks_like_file(file["name"]) and not re.search(r"\.(?:com|org|net|io)$|\d$", query):
        return Doubt(reason="a file or a search on the web?", choices=(f'read the file "{query}"', search.literally))
    return None


def _find_where(search: Search) -> Doubt | None:
    if search.verb == "find" and not search.found:
        place = re.search(r"\son\s+(?P<place>[\w.-]+)$", search.bare, re.I)
        elsewhere = _elsewhere(search, place) if place else ()
        choices = (*elsewhere, f"search the web for {search.query}", search.literally)
        return Doubt(reason="find where?", choices=choices)
    return None


def _a_name_alone(search: Search) -> Doubt | None:
    """`search youtube`, `google maps`: a name, not a query."""
    config, rest = search.config, search.rest
    is_a_name = config.platform(rest) in config.platforms or folded(search.clause) in {
        *config.app_aliases,
        *config.platform_aliases,
        *(f"google {own}" for own in _GOOGLES_OWN),
    }
    if is_a_name and not search.introduced:
        return Doubt(reason="what should be searched for?", choices=(f"open {rest}", f'search for "{search.clause}"'))
    return None


def _about_google(search: Search) -> Doubt | None:
    if search.verb in ("google", "engine") and not search.introduced and _ABOUT_GOOGLE.match(search.query):
        return Doubt(reason="what should be searched for?", choices=(f'search for "{search.clause}"',))
    return None


def _two_wishes(search: Search) -> Doubt | None:
    also = re.search(
        rf"\bas well as\b|\b(?:and|then|,)\s+(?:on\s+)?(?:{search.names})\s+(?:for|and)\b", search.bare, re.I
    )
    second = also or _SECOND_WISH.search(search.bare)
    if second is not None and not re.search(r"\b(?:how|ways?) to\b", search.bare[: second.start()], re.I):
        return Doubt(reason="one search or two wishes?", choices=(search.literally,), yields=also is not None)
    return None


def _no_platform(search: Search) -> Doubt | None:
    is_open = not search.introduced and not search.found and search.verb == "search"
    if is_open and re.search(r"\sfor\b", search.bare, re.I):
        where = search.rest.split(" for ")[0]
        names = near(folded(where), platform_names(search.config))
        query = search.rest.partition(" for ")[2]
        choices = (*(f"search {name} for {query}" for name in names[:2]), search.literally)
        return Doubt(reason=f"search where? {where!r} is no platform", choices=choices)
    return None


def _odd_words(search: Search) -> Doubt | None:
    bare = search.bare
    titled = search.found and search.verb != "search" and re.match(r"(?:search|on)\b", bare, re.I)  # "search engines"
    begins = not search.introduced and not titled and _BEGINS_ODDLY.match(bare)
    if begins or _ENDS_ODDLY.search(bare):
        return Doubt(reason="what should be searched for, and where?", choices=(search.literally,))
    return None


def _in_a_place(search: Search) -> Doubt | None:
    config = search.config
    places = one_of(
        {*platform_names(config), *config.browsers, *config.apps, *config.app_aliases, *ANCHORS, *_STORES, *SITES}
    )
    place = re.search(
        rf"\b(?:on|in|using|with|via|at|from|through|inside|within)\s+(?:(?:the|our|a)\s+)?(?P<place>{places})\b",
        search.bare,
        re.I,
    )
    if place is None:
        return None
    where = place["place"]
    if (
        (search.found or search.verb == "google")
        and folded(config.app(where)) in config.apps
        and not config.is_browser(where)
    ):
        return None  # "delete rows in excel" on stackoverflow: about the app
    hint = "; a --config file can add it to [platforms]" if folded(where) in SITES else ""
    return Doubt(
        reason=f"is {where!r} where to search?{hint}",
        choices=(*_elsewhere(search, place), search.literally),
        yields=True,
    )


def _on_a_site(search: Search) -> Doubt | None:
    last = re.search(r"\b(?:on|using|with|via)\s+(?P<word>[\w.-]+)$", search.bare, re.I)
    if last is not None and not search.found and _is_like_a_site(folded(last["word"]), search.config):
        choices = (*_elsewhere(search, last), search.literally)
        return Doubt(reason=f"is {last['word']!r} where to search?", choices=choices)
    return None


def _a_platforms_name(search: Search) -> Doubt | None:
    """`search youtube cats`, `look up cats youtube`; but not `tutorials for youtube`, which links the name."""
    bare, names = search.bare, search.names
    begins = search.verb == "search" and not search.introduced and re.match(rf"(?:{names})\s", bare, re.I)
    ends = search.verb != "google" and re.search(rf"\s(?:{names})$", bare, re.I)
    if begins or (ends and not re.search(rf"\b(?:{_LINKS})\s+(?:{names})$", bare, re.I)):
        place = (
            re.match(rf"(?P<place>{names})\s+", bare, re.I)
            if begins
            else re.search(rf"\s(?P<place>{names})$", bare, re.I)
        )
        choices = (*(_elsewhere(search, place) if place else ()), search.literally)
        return Doubt(reason="is one of the words a place to search?", choices=choices)
    return None


def _elsewhere(search: Search, place: re.Match[str]) -> tuple[str, ...]:
    """Return how to say that a query is searched for at the place found in it, or at platforms with near names."""
    query = " ".join((search.bare[: place.start()] + search.bare[place.end() :]).split())
    said = folded(place.group(place.lastgroup or 0))
    names = [said] if said in platform_names(search.config) else near(said, platform_names(search.config))
    return tuple(f"search {name} for {query}" for name in names[:2])


def _is_like_a_site(word: str, config: GoalConfig) -> bool:
    """Say whether a word is an address, or nearly the name of a platform: `on booking.com`, `on youtub`."""
    if re.fullmatch(r"[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}", word):
        return True
    names = sorted(name for name in platform_names(config) if len(name) > 4)
    return len(word) > 3 and bool(get_close_matches(word, names, n=1, cutoff=0.7))


_AFTERTHOUGHT = re.compile(
    r"[,.;!?–—]\s*(?:i|i'm|i've|i'll|i'd|it's|it is|my|we|we're|that's|there's|they're|this is|he's|she's|because)\s+\w"
    r"|\s(?:because|so that|since)\s+(?:i|i'm|i've|my|we|we're|it's)\s", re.I,
)  # fmt: skip


def _an_afterthought(search: Search) -> Doubt | None:
    """`umbrellas, it's raining here`: said to us, or searched for?"""
    if _AFTERTHOUGHT.search(search.bare):
        return Doubt(reason="where does what is searched for end?", choices=(search.literally,))
    return None


_ALWAYS: tuple[Rule, ...] = (
    _two_platforms, _on_this_machine, _in_a_file, _find_where, _a_name_alone, _about_google,
)  # fmt: skip
_UNLESS_A_QUESTION: tuple[Rule, ...] = (
    _an_afterthought, _two_wishes, _no_platform, _odd_words, _in_a_place, _on_a_site, _a_platforms_name,
)  # fmt: skip
