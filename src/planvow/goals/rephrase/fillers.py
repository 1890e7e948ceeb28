"""What is said while thinking, begun twice or written short: put right before a sentence is read."""

from __future__ import annotations

import re
from collections.abc import Callable

from planvow.goals.grammar.quotes import QUOTES
from planvow.goals.grammar.words import words_of

ANY_QUERY = re.compile(r"\b(?:search|look up|look for|find|google|look)\b", re.I)
_NAMELY = (
    r"(?:what's it called|what's its name|what is it called|what was it(?: called)?|what do you call it"
    r"|how do you call it|what's the name|what's the word|what's that (?:called|app|thing|program|site)|whatchamacallit"
    r"|how do i put (?:this|it)|how shall i (?:say|put) (?:this|it)|where was i|i dunno|i forget the name"
    r"|how do you say|how do you spell it|what's-its-name)"
)
_FILL = (
    rf"(?:um+|uh+|uhm+|er+|erm+|hm+|ah+|you know|you see|like|let's see|let me see|let me think|i guess|i think"
    rf"|i believe|well|so|(?:oh,? )?{_NAMELY}|ah yes|right|okay|ok|yeah|yes|basically|literally|kind of|sort of"
    rf"|actually, yeah|of course|please|i don't know|thingy|as i said|i suppose|oh|oh boy|if you will|shall we say"
    rf"|let's say|say|anyway|for example)"
)
_FILLERS = re.compile(
    rf"[,\s]*(?:[,…–—]|\.\.\.+)\s*(?:{_FILL}\s*(?:[,…–—]|\.\.\.)+\s*)+|(?<=\s)(?:um+|uh+|erm+|hmm+|uhm+)(?:[,…]"
    rf"|\.\.\.)*\s+",
    re.I,
)
_EXPECTING = words_of("""
    a an and another called create find for from go google in into launch look make my named new of me read is what's
    rename move copy delete on open or please run search start the then to up visit with you so well ok okay like hey
    right folder file
""")
"""After these a pause only waits for the next word; after others, what follows may take their place."""
_PREPOSITION = re.compile(r"(?:on|in|to|into|with|for|using|from|called|named|and|then|please)\b", re.I)
_QUOTES = re.compile(f"({QUOTES.pattern})")  # as a group: splitting keeps them
VERB_WORDS = words_of("""
    open launch start load search look find google create make add delete remove erase rename move copy duplicate read
    list write append save go visit navigate browse head take bring pull fire show put run set get display back
""")


_FOR = re.compile(
    r"^((?:\S+ ){0,2}(?:se\w*h|srch|look|find|google|yt|youtube|duckduckgo|ddg|wiki|wikipedia|reddit|gh|github|amazon"
    r"|bing|so)) 4 ",
    re.I,
)
_TWICE = re.compile(r"\b((?:[\w']{1,40}\s+){1,3}[\w']{1,40}),\s+\1\b", re.I)
_SHORT = tuple(
    (re.compile(rf"(?<![\w.'/-]){short}(?![\w/'-]|\.\w)", re.I), word)
    for short, word in {
        "teh": "the", "hte": "the", "adn": "and", "(?<=can )u": "you", "(?<=could )u": "you", "(?<=would )u": "you",
        "(?<=will )u": "you", "(?<=can )ye": "you", "(?<=could )ye": "you", "(?<=would )ye": "you",
        "yuo": "you", "yuor": "your", "ot(?= \\S+\\.\\w| the| my)": "to", "nad": "and", "go too": "go to",
        "taht": "that",
        "fo(?= the)": "of", "form(?= (?:the|my) (?:desktop|downloads|documents))": "from", "pleas": "please",
        "plese": "please",
        "plase": "please", "pelase": "please", "thx": "thanks", "thanx": "thanks", "(?<=^i )wanna": "want to",
        "(?<=^we )wanna": "want to", "(?<=^i'm )gonna": "going to", "(?<=^i )gotta": "have to", "^lemme": "let me",
        "^gimme": "give me", "^dont": "don't", "^im": "i'm", "^id(?= like)": "i'd", "^coud": "could", "^woud": "would",
        "waht": "what", "wat": "what", "2(?= \\S+\\.\\w)": "to", "too(?= \\S+\\.\\w)": "to", "4 me": "for me",
        "go 2": "go to", "wats": "what's", "todays": "today's", "lookup": "look up", "srch": "search",
        "disc(?= spa\\w+)": "disk", "hwo": "how", "programme?": "program", "copie(?= \\S+\\.\\w)": "copy",
        "(?<=^i )want(?= (?:open|launch|start|search|create|make|see|read|go)\\b)": "want to",
        "ip adress": "ip address", "^(?:i'd|i would) kill for": "i want", "^i could murder": "i want",
        "^i'm (?:itching|dying|desperate|aching) to": "i want to", "^i'm (?:itching|dying|desperate"
        "|aching) for": "i want",
        "^me want": "i want", "(?<=^go )tp": "to", "(?<=^search )(?:high and low"
        "|far and wide) for": "for", "lvl": "level", "(?<=search )4": "for",
    }.items()
)  # fmt: skip


def without_fillers(text: str, gap: Callable[[re.Match[str]], str] | None = None) -> str:
    """Return a sentence without what is said while thinking, and without what is said twice in a row."""
    parts = _QUOTES.split(text)
    for number in range(0, len(parts), 2):
        before = None
        while parts[number] != before:
            before = parts[number]
            parts[number] = _TWICE.sub(r"\1", _FILLERS.sub(gap or _gap, before))
    return "".join(parts)


_STARTS = (
    (re.compile(r"(?<![\w-])\w+-\s+(?!and\b|or\b)(?=\w)"), ""),  # "wor- excel"
    (re.compile(r"\b(?:(?:the|a|my)\s+)?(\w{2,})(?:\.\.\.+|…)\s*(?=(?:(?:the|a|my)\s+)?\1\w)", re.I), ""),
    (re.compile(r"\b(the|a|my)\s+\w+(?:\.\.\.+|…|,)\s*(?=\1\s)(?=\1\s+\w+(?:,? (?:sorry|i mean))?$)", re.I), ""),
    (re.compile(rf"\s+{_NAMELY}(?=\s)", re.I), ""),
    (re.compile(r"(?<=\s)(?:um+|uh+|uhm+|erm?|hmm+)(?=\s)[\s,]*|^(?:um+|uh+|uhm+|erm?|hmm+)[\s,.…]+", re.I), ""),
    (re.compile(r"\b((?:[\w']{1,40}\s+){1,4}[\w']{1,40})[,\s]+\1\b", re.I), r"\1"),
    (re.compile(rf"\b({'|'.join(sorted(VERB_WORDS))}|the|a|to|you|please)[,\s]+\1\b(?=\s+\w)", re.I), r"\1"),
    (re.compile(r"\b(?:that|the|this)\s+(?:\w+\s+)?thing(?:y|ie)?,?\s+(?=\w)", re.I), ""),
    (re.compile(r"\b(?!that\b|had\b)(\w{3,})[,\s]+\1[.!?]*$", re.I), r"\1"),
    (re.compile(rf"(?:(?<=^)|(?<=\s)|(?<=,))(?:like|sort of|kind of|yeah"
                rf"|basically),?\s+(?=(?:{'|'.join(sorted(VERB_WORDS))}|the|a|an|my|to|please)\b)",
                re.I), ""),
    (re.compile(rf"(?<=\b)({'|'.join(sorted(VERB_WORDS))}|called|named|the|a|to|up|you)\s+like\s+(?=\w)", re.I),
     r"\1 "),
    (re.compile(r"[,\s]+(?:sorry|i think|i guess|yeah|after all|i believe|or so i think|yes|there we go|that's it"
                r"|that's all|that'll be all|that is all|no biggie|or whatever it's called|whatever it's called)"
                r"[.!?]*$", re.I), ""),
    (re.compile(r"^(?:yeah|yes|yep|sure|right|okay|ok|so|well|oh boy|oh|ah|now|alright|wait,|hold on,|hang on,|oh wait,"
                r"|actually,)[,.!…]*\s+(?=\w+\s)", re.I), ""),
)  # fmt: skip
"""False starts and words that only fill: what is dropped, and what stays of it."""


def smooth(text: str) -> str:
    """Return a sentence that was begun several times as if it had been said at once. A search keeps its words."""
    if ANY_QUERY.search(text):
        return without_fillers(text)
    text = without_fillers(text, lambda match: " ")
    parts = _QUOTES.split(text)
    for number in range(0, len(parts), 2):
        before = None
        while parts[number] != before:
            before = parts[number]
            for pattern, rest in _STARTS:
                parts[number] = pattern.sub(rest, parts[number])
    return "".join(parts)


_LINKS = (
    (re.compile(
        r"(?<=\w)[,;.]*\s+(?:and\s+)?(?:then\b)?,?\s*(?:when|once|after|as soon as)\s+(?:that's|that is|you're|you are"
        r"|it's|it is|this is)\s+(?:all\s+)?(?:done|finished|through|complete|completed|over)(?:\s+with\s+(?:that"
        r"|it))?,?\s+(?=\w)", re.I),
     ", then "),
    (re.compile(r"(?<=\w),?\s+(?:and,?\s+)?while you're (?:at it|there|about it),?\s+(?=\w)", re.I), ", and "),
    (re.compile(r"\b(youtube|google|bing|duckduckgo|github|stackoverflow|wikipedia|amazon|reddit|example"
                r"|gmail)\s+dot\s+(?=(?:com|org|net|edu|gov|io|info|de|fr|uk)\b)", re.I), r"\1."),
    (re.compile(r"(?<=\w),?\s+before (?:i|we) forget\b(?=[,.!;]|$)", re.I), ""),
    (re.compile(r"(?<=\w) \+ (?=\w)"), " and "),
    (re.compile(r"(?<=\w),\s*(?:thanks|thank you|please|cheers|and thanks|if you please|kindly)\s*,\s*(?=\w)", re.I),
     ", "),
    (re.compile(r"(?<=\w),?\s+(?:uh+|um+|erm?)\s+no\s+(?=\w)", re.I), ", no, "),
)  # fmt: skip
"""What stands between steps and says only that one follows the other."""


def spelled_out(text: str) -> str:
    """Return a sentence with the short forms of chat and the commonest slips written out, outside quotes."""
    parts = _QUOTES.split(text)
    for number in range(0, len(parts), 2):
        parts[number] = _FOR.sub(r"\1 for ", parts[number])
        for pattern, word in (*_SHORT, *_LINKS):
            parts[number] = pattern.sub(word, parts[number])
    return "".join(parts)


def _gap(match: re.Match[str]) -> str:
    """Return what is left of a filler: a pause where something is taken back after it."""
    back = re.match(r"(?:actually|no|wait|i mean|make|sorry|scratch|rather|oops)\b", match.string[match.end() :], re.I)
    if back:
        return ", "
    hesitates = re.search(r"\b(?:um+|uh+|er+|erm+|hm+)\b", match[0], re.I)
    word = re.search(r"([\w']+)\W*$", match.string[: match.start()])
    going_on = word is None or word[1].casefold() in _EXPECTING or _PREPOSITION.match(match.string[match.end() :])
    return " " if going_on or not hesitates or "," not in match[0] else ", no, "
