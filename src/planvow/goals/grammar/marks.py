"""Words that veto: a sentence that negates, leaves a choice, sets a condition or a time, or means more than it names.

A mark says which kind it is and where it stands. What stands in quotes is never a mark; what stands in a query is one
only where it is said to us rather than searched for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from planvow.goals.grammar.quotes import quotes_filled

NEGATION, ALTERNATIVES, CONDITION, TIME, QUANTITY = "negation", "alternatives", "condition", "time", "quantity"
REASONS = {
    NEGATION: "it says what not to do",
    ALTERNATIVES: "it leaves a choice",
    CONDITION: "it depends on something",
    TIME: "it names a time",
    QUANTITY: "it means more than it names",
}
_DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_CLOCK = (
    r"\d{1,2}(?::\d\d)?\s*(?:am|pm|a\.m\.?|p\.m\.?|o'clock)(?!\w)|noon|midnight|\d{1,2}:\d\d"
    r"|(?:half|quarter) (?:past|to) \w+"
)
_SEASONS = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn"
    r"|winter)"
)
_UNITS = r"(?:seconds?|secs?|minutes?|mins?|hours?|days?|weeks?|months?|years?)"
_WORDS = {
    NEGATION: r"don'?t|do not|does not|doesn't|never|not|without|nothing|except|but|stop|cancel|avoid|refrain|forget"
              r"|nevermind|needn't|aren't|didn't|wouldn't|couldn't|haven't|hasn't|wasn't|weren't|ain't|hadn't"
              r"|never mind|no longer|nobody|none|neither|nor|isn't|won't|cannot|can't|shouldn't|mustn't|undo|skip"
              r"|rather than|instead of",
    ALTERNATIVES: r"or|either|whichever|one of|and/or|alternatively",
    CONDITION: r"if|unless|when(?! that's done)|whenever|until|till|while(?! you're at it)|once(?! (?:that's|that is"
               r"|it's) (?:done|finished|ready))|as soon as|as long as|in case|in the event|on condition|so long as"
               r"|supposing|provided|assuming|depending|otherwise|only after|before|whether|else"
               r"|(?<!at )the (?:moment|minute|second|instant)|each time|every time|the next time|the day"
               r"|should (?:it|i|he|she|they)",
    TIME: rf"at (?:{_CLOCK}|\d{{1,2}}\b)|by (?:{_CLOCK}|{_DAYS}|tomorrow|tonight)|tomorrow|later|tonight|yesterday"
          rf"|every (?:day|morning|evening|night|hour|week|month|year|minute|{_DAYS}|\d+ {_UNITS})"
          rf"|(?:on|next|this|every|each|until) {_DAYS}s?|next (?:week|month|year)|(?:in|by|until|next|every|each) "
          rf"{_SEASONS}|in (?:a|an|one|two|three|five|ten|half an?|\d+|a few|a couple of) {_UNITS}|daily|weekly|hourly"
          rf"|nightly|monthly|this (?:evening|afternoon|morning|weekend)|after (?:lunch|work|dinner|breakfast|school"
          rf"|{_CLOCK}|\d+ {_UNITS})|{_UNITS} from now|(?:for|in) the (?:morning|evening|afternoon)|schedule|remind me"
          rf"|soon|(?:at|on|upon|after) (?:start-?up|boot|login|logon|wake-?up|shutdown)|at sunrise|at dawn"
          rf"|on (?:the )?\d{{1,2}}(?:st|nd|rd|th)|{_DAYS}",
    QUANTITY: r"all|every|everything|each|any",
}  # fmt: skip
_MARKS = {kind: re.compile(rf"(?<![\w.'/-])(?:{words})(?![\w/]|\.\w|-\w)", re.I) for kind, words in _WORDS.items()}


@dataclass(frozen=True)
class Mark:
    """One word or phrase that vetoes."""

    kind: str
    text: str
    start: int
    end: int

    @property
    def reason(self) -> str:
        return REASONS[self.kind]


def marks_of(sentence: str) -> Iterator[Mark]:
    """Yield the marks of a sentence outside its quotes, kind by kind."""
    hidden = quotes_filled(sentence, '"')
    for kind, pattern in _MARKS.items():
        for match in pattern.finditer(hidden):
            yield Mark(kind, match[0], match.start(), match.end())


_SAID_TO_US = (
    (NEGATION, re.compile(
        r"(?:[,;–—-]|\band|\bbut)\s+(?:please\s+)?(?:don'?t|do not|never|not|nothing|none|no|without|stop|cancel|avoid"
        r"|never mind|forget)\b|\bbut\s+(?:only|keep|leave|skip|exclude|ignore)\b|\bwithout\s+(?:opening|saving|playing"
        r"|using|clicking|deleting|touching|going|launching|starting|closing|creating|changing|removing|showing)\b"
        r"|\b(?:except|excluding|other than|apart from|minus|instead of|rather than|but no|but only|anything but)\b"
        r"|\bnever\s?mind\b", re.I)),
    (CONDITION, re.compile(
        r"\b(?:if|unless|when|whenever|until|once|as soon as|in case|while|provided|assuming)\s+(?:i|it|it's|i'm|you|we"
        r"|they|he|she|there|that|this|the|my|nobody|nothing|possible|necessary|needed|available"
        r"|\w+ (?:is|are|has|have|was|gets|calls|comes|goes|arrives|ends|starts|finishes|opens|closes|works|fails|rains"
        r"|\w+ed))\b(?!\s+by\b)|\b(?:whenever|as soon as|as long as|in case|provided|assuming|on condition|only if"
        r"|the moment|the minute)\b", re.I)),
    (TIME, re.compile(
        rf"\b(?:at|by|after|before|around)\s+(?:{_CLOCK})|\bat\s+\d{{1,2}}$|\bday after tomorrow\b"
        rf"|\b(?:after|before|during)\s+(?:work|lunch|dinner|breakfast|school|the meeting)\b"
        rf"|\b(?:after|before|until|till)\s+(?:i|we|he|she|they)\s+\w|\bfrom now on\b|\bon\s+{_DAYS}s\b"
        rf"|\b(?:tomorrow|tonight|today|{_DAYS})\s+(?:at|morning|evening|afternoon)\b|\bin\s+(?:a|an|one|two|three|five"
        rf"|ten|half an?|\d+|a few|a couple of)\s+(?:seconds?|minutes?|mins?|hours?)$|\bevery\s+(?:day|morning|evening"
        rf"|night|hour|week|{_DAYS}|\d+\s+{_UNITS})(?:$|\s+at)|\b(?:later|later on|later today|soon)$", re.I)),
)  # fmt: skip
_DAY_AT_THE_END = re.compile(
    rf"\s(?:tomorrow|tonight|(?:next|this|coming) (?:week|month|year|{_DAYS})|(?:on )?{_DAYS}"
    rf"|(?:over|at|on) the weekend|on payday|this (?:evening|afternoon|weekend)|daily|weekly|nightly|hourly"
    rf"|(?:for|in) the (?:morning|evening|afternoon)|next time|first thing)$",
    re.I,
)
_TIMELY = re.compile(
    r"\b(?:weather|forecast|news|times?|timetables?|schedules?|events?|games?|match(?:es)?|tickets?|flights?|trains?"
    r"|concerts?|movies?|films?|shows?|tv|holidays?|opening|hours|things to do|parties|party|gigs?|results?|scores?"
    r"|prices?|rain|sunrise|sunset|moon|temperature|what|who|when|is|will|happening|on|fixtures?|traffic|hotels?|deals"
    r"|exhibitions?)\b", re.I,
)  # fmt: skip
"""What is asked about a day: "weather tomorrow" is searched for, "cats tomorrow" may be said to us."""


_OR = re.compile(r"\b(?:or|either)\b", re.I)
_ONE_QUERY = re.compile(
    r"(?:(?!\b(?:either|whichever|whatever|choose|pick)\b)[^,;:?–—])+?\bor (?!(?:on|in|for|at|with|via|if|else|not|so"
    r"|maybe|perhaps|possibly|rather|whatever|whichever|something|anything|similar|both|open|launch|start|search|look"
    r"|find|google|create|make|delete|rename|move|copy|read|list|go)\b)(?:(?!\b(?:or|for|instead|whichever"
    r"|whatever)\b)[^,;:?–—])+",
    re.I,
)
_IDIOMS = re.compile(
    r"\b(?:trick or treat|to be or not to be|truth or dare|now or never|do or die|dead or alive|heads or tails"
    r"|deal or no deal|double or nothing|all or nothing|make or break|sink or swim|fight or flight|ride or die"
    r"|sooner or later|more or less|rent or buy|buy or rent|whether or not)\b", re.I,
)  # fmt: skip
_ASKS = re.compile(r"(?:how|what|what's|why|when|where|who|whose|which|is|are|should|can|does|do|whether)\b", re.I)
_NOT = re.compile(
    r"\b(?:not|no)\s+(?!to\b|working|loading|starting|turning|charging|launching|opening|connecting|syncing|updating"
    r"|printing|showing|booting|running|installing|recogni[sz]ed|detected|available|compatible|supported|enabled|found"
    r"|responding|so\b|enough|only|just|far|near|too\b|exists?\b|more|less|bad|a\b|in\b|matter|one\b)", re.I
)  # fmt: skip


def said_to_us(query: str, *, placed: bool = False) -> Mark | None:
    """Return the first mark in a query that is said to us: a second clause, a condition about somebody, a clock time.

    `placed` says that the query follows its platform: `search youtube for tea or coffee` has one query, as typed.
    """
    bare = quotes_filled(query, "x")
    asks = _ASKS.match(bare) is not None
    for kind, pattern in _SAID_TO_US:
        match = pattern.search(bare)
        about = r"[^,;–—]*\b(?:if|when) you\b[^,;–—]*"  # "what happens if you …" asks about it
        if kind == CONDITION and asks and match is not None and re.fullmatch(about, bare, re.I):
            continue
        if match is not None and (match.start() > 0 or kind == TIME):
            return Mark(kind, match[0], match.start(), match.end())
    sides = _OR.finditer(bare) if not asks and not _IDIOMS.search(bare) else ()
    either = next((found for found in sides if found.start() > 0 and found.end() < len(bare)), None)
    if either is not None and not (placed and _ONE_QUERY.fullmatch(bare)):
        return Mark(ALTERNATIVES, either[0], either.start(), either.end())
    condition = (
        None
        if asks
        else re.search(r"\s(?:if|unless)\s(?!else\b|then else\b|statements?\b|clauses?\b|not exists\b)", bare, re.I)
    )
    if condition is not None:
        return Mark(CONDITION, condition[0].strip(), condition.start(), condition.end())
    denied = None if asks else _NOT.search(bare, 1)
    denied = denied or re.search(r"\b(?:not|without|except|but|besides|never|avoiding)$", bare, re.I)
    if denied is not None and not denied[0].casefold().startswith("no "):
        return Mark(NEGATION, denied[0], denied.start(), denied.end())
    day = _DAY_AT_THE_END.search(bare)
    if day is not None and not _TIMELY.search(bare[: day.start()]):
        return Mark(TIME, day[0].strip(), day.start(), day.end())
    return None
