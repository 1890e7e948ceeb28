"""What is said around a wish and asks for nothing: remarks before it, reasons after it, clauses that are only polite.

A remark is dropped only where it can change nothing: it asks for nothing itself, names no other thing than the wish
does, and sets no condition, time or choice. A thing that a remark names and the wish only points at ("… could you open
it?") takes the place of the pointing word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from planvow.goals.grammar.marks import CONDITION, NEGATION, QUANTITY, TIME, Mark, marks_of
from planvow.goals.grammar.quotes import quotes_hidden
from planvow.goals.rephrase.courtesy import ASKING, plain
from planvow.goals.rephrase.fillers import VERB_WORDS
from planvow.goals.rephrase.turns import GERUNDS

Things = Callable[[str], tuple[str, ...]]
"""What finds the apps, pages, files and folders that a stretch names."""
_CUT = re.compile(
    r"\s*(?:[,;!?–—]+|\.+|:|…|\s-)\s+(?:(?:so|and|but|anyway|anyhow|therefore|hence|thus|then|well)\b,?\s+)*",
    re.I,
)
_SO = re.compile(r"\s+(?:so|and so|and|and now|so now)\s+(?=(?:can|could|would|will|please|i need you|i want you"
                 r"|i'd like|i would like|i need|i want|let's)\b)|\s+(?=(?:can|could) you )|(?<=\w)\s+so\s+(?=(?:open"
                 r"|launch|start|list|show|tell|create|make|read|go to|pull up|bring up|fire up) )"
                 r"|\s+but\s+(?=(?:can|could|would|will|please|might)\b)", re.I)  # fmt: skip
_SUBJECT = re.compile(
    r"(?:and |so |well |but |oh |you know |also )*(?:i|im|i'm|i've|i'd|i'll|my|we|we're|we've|our|the|it|it's|this|that"
    r"|that's|there|there's|here's|hope|hoping|sorry|thanks|you're|you|today|his|her|he|she|they|nothing|nobody"
    r"|everyone|somebody|someone|people|these|those|time|what a|guess|got|gotta|gonna|need|needing|craving|bored|had"
    r"|been|apologies|long|busy|good|a|an|another|some|no|oh|as|since|seeing|because|given|okay|ok|alright|right|yes"
    r"|yeah|great|cool|hey|hi|hello|dear|listen|excuse me|trying|working|studying|cooking|waiting|time for"
    r"|can't remember|cannot remember|(?:doctor|boss|mum|mom|dad|wife|husband|grandson|granddaughter|teacher|hubby"
    r"|kids?|neighbou?r|manager) (?:wants?|needs?|said|says|told|asked|is|are|has)|\w+'s"
    r"|[A-Z]\w+ (?:says|said|told|wants|needs|asked|is|has|recommended|mentioned|sent))\b",
)  # fmt: skip
_VERBAL = re.compile(
    r"\b(?:is|are|was|were|am|'m|has|have|had|need|needs|want|wants|will|can|could|feel|feels|love|loves|like|likes"
    r"|hate|hates|think|thinks|know|hope|got|get|told|said|says|recommended|mentioned|sent|do|does|did|keep|keeps|look"
    r"|looks|use|work|works|would|wanted|needed|promised|heard|read|saw|been|running|waiting|trying|going|miss|might"
    r"|remember|forgot|lost|gotta|gonna|starts|begins|wait|waits|\w+ed)\b|\b\w+'(?:s|re|ve|m|ll|d)\b", re.I,
)  # fmt: skip
_BINDS = re.compile(
    r"\b(?:should|must|has to|have to be|needs to be|ought|only|just the|except|instead|also|too|both|make sure|ensure"
    r"|careful|everything|unless|first|last|then|after that|version|full ?screen|window|tab|incognito|private|silently"
    r"|quietly|again|twice|times|backwards?|reverse|sorted|alphabetical\w*|capital\w*|upper|lower|bold|close|quit|stop"
    r"|play|download|cancel|ask|wait|either|another one|different|other)\b", re.I,
)  # fmt: skip
"""Words with which an afterthought says how it should be done."""
_STATIVE = re.compile(
    r"(?:i|we) (?:really |just |still )?(?:don't|do not|can't|cannot|can not|couldn't|didn't|haven't|never|can never"
    r"|no longer|won't) (?:really |even |quite |seem to |want to )?(?:know|remember|find|see|recall|understand|care"
    r"|mind|trust|need|use|have|think|like|believe|get|feel|seen?|got|had|heard|sleep|wait|bother|forget)\b"
    r"|i'm not (?:sure|certain|good|great|feeling|very)\b|it(?:'s| is) not (?:urgent|important|much|needed)"
    r"|there's nothing|nothing (?:beats|like|better)|i have nothing against|no (?:rush|hurry|pressure|worries|problem"
    r"|big deal|offence|offense)\b|not (?:to be rude|that it matters|sure why)\b|it isn't (?:much|urgent|needed)", re.I,
)  # fmt: skip
"""Negations that say how somebody is, not what to leave undone."""
_NEGATED = re.compile(
    r"(?:(?:and|so|but|well|because|as|since) )?(?:i|we|he|she|they|it|there|my \w+|our \w+|the \w+)(?:'m|'s|'re|'ve"
    r"|'ll)? ?(?:really |still |just )?(?:have|has|had|am|is|are|was|were|do|does|did|can|could|would|will|ca"
    r"|wo)?(?: ?n't| not|not| never)\b", re.I,
)  # fmt: skip
"""A statement that denies something of its subject: `i haven't eaten all day`, `my printer isn't here`."""
_MEANS = re.compile(r"\b(?:want|wants|wish|mean|need|should|must|supposed|allowed|only|instead|either)\b", re.I)
_DAYTIME = re.compile(
    r"(?:to(?:day|night|morrow)|(?:this|all|last|next|every) \w+|(?:on )?\w+day|in \w+(?: \w+){0,2}|now|soon|later)",
    re.I,
)
_NOTING = re.compile(r"\b(?:it|that|this|them|then|there|by|until|till|wait|at)\b", re.I)
"""Words with which a statement about a time may be about the wish."""
_YOURS = (
    r"(?:are|is|be|were|have|had|got|get|find|a|an|the|some|spare|free|moment|moments|minute|minutes|min|second|seconds"
    r"|sec|chance|time|mind|bother|do|don't|wouldn't|would|could|can|will|please|like|wish|want|okay|ok|alright|fine"
    r"|able|willing|happen|kind|so|nice|good|enough|ready|up|for|feel|around|busy|aren't|not|too|very|really|possibly"
    r"|much|to|me|us|helpful|awake|listening|in|the|mood|help|bit|of|few|just|next|ever|feeling|generous|there|at|all"
    r"|still|also)"
)
_ITS = (
    r"(?:is|isn't|wouldn't|would|be|not|too|much|trouble|a|an|bother|bothersome|okay|ok|alright|all|right|fine|possible"
    r"|convenient|with|you|by|pleases|suits|works|for|please|problem|no|any|big|deal|inconvenience|imposition|ask"
    r"|asking|to|the|same|helps|at|of|hassle|so|difficult|hard|allowed|permitted|an|option|cool|your|convenience|good"
    r"|hardship)"
)
_POLITE_CLAUSE = re.compile(
    r"(?:(?<=^)|(?<=[,.!–—] )|(?<=\s))(?:if|when|whenever|once|as soon as|wherever)\s+(?:"
    rf"(?:you|you're|you've|you'd)(?:\s+{_YOURS})*"
    r"|(?:it|it's|it'd|that|that's|this is)(?!\s+(?:is\s+)?not\s+(?:possible|ok|okay|fine|allowed|an option))"
    rf"(?!\s+isn't\s+(?:possible|ok|okay|fine|allowed|an option))(?:\s+{_ITS})+"
    r"|i(?:\s+(?:may|might|could|can|ask|trouble|bother|suggest|be|so|bold|you))+)(?=[,.!?:–—]|$)",
    re.I,
)
_REASON = re.compile(
    r"[\s,]+(?:because|'?cause|cuz|coz|since|as|so that|so|in order that|given that|seeing as|seeing that|now that"
    r"|considering)\s+(?=(?:i|i'm|i've|i'd|i'll|we|we're|my|it|it's|the|there|there's|that's|this|he|she|they|our)\b)"
    r"|[\s,]+because\s+(?=of\b)", re.I,
)  # fmt: skip
_RUNS_ON = re.compile(
    r"\s+(?=(?:i'm|im|i have|i've got|i gotta|gotta|we're|my \w+ (?:is|are|wants|needs|keeps)) )", re.I
)
"""Where a remark follows without a pause: `open discord my friends are waiting`."""
_ABOUT_ME = re.compile(r"[^\w\s]* *(?:i|i'm|i've|my|we)\b|[.?!]+ (?:it's|this is|there's|the|everyone|people)\b", re.I)
"""How a remark begins that cannot be the rest of a search."""
_SHOWS = re.compile(r"(?:open|launch|start|pull up|bring up|fire up|go to|visit|list|show)\b", re.I)
_POINTS = re.compile(r"\b(?:(?P<to>(?<=go )|(?<=me )|(?<=us )|(?<=over )|(?<=head ))there|it(?! is| was|'s)|that one"
                     r"|this one|one of those|one|that(?= please|$|,| for me| now)|that (?:site|page|app|program|file"
                     r"|folder|website|thing)|this (?:site|page|app|program|file|folder|website|thing)"
                     r"|the (?:site|page|app|program|file|folder|website))\b", re.I)  # fmt: skip
_SEARCHING = re.compile(
    r"\b(?:search|google|look|find|hunt|bing|duckduckgo|ddg|youtube|wikipedia|reddit|amazon)\b",
    re.I,
)


_PLEASE = re.compile(r"\b(?:please|pls|plz)\b|\bwould be (?:nice|great|lovely|good)\b|\bit is\b", re.I)
_QUESTION = re.compile(
    r"(?:i (?:really |just )?(?:need|want|would like|'d like|have) to (?:know|find out|learn)"
    r"|i'd (?:like|love) to (?:know|find out)|i wonder|i'm curious|i am curious|i don't know|i(?:'ve| have) no idea"
    r"|do you know) (?P<what>(?:who|what|when|where|why|how|which|whether)\b.+)", re.I,
)  # fmt: skip
_TOLD_OF = re.compile(
    r"(?:my|our|the|a|an|i|we|he|she|they|somebody|someone)\b[\w' ]*\b(?:told (?:me|us)|heard|talked|talking|talks"
    r"|going on|curious|wondering|raving|learnt|learned) about (?:(?:some|an?|this|that) \w+ (?:called|named) "
    r")?(?!(?:you|it|that|this|them|him|her|us|me)\b)(?P<what>[^,;:.!?]+)", re.I,
)  # fmt: skip
"""`my friend told me about owls, look that up`."""
_LOOK_IT_UP = re.compile(
    r"(?:look (?:it|that|this|them|him|her) up|google (?:it|that)|search (?:for )?(?:it|that)|find out"
    r"|find (?:it|that) out)(?P<where> on .+)?",
    re.I,
)


_EVENT = re.compile(
    r"(?:i|we)(?:'ve| have|'ve got| have got) (?:a|an|my|another) (?:\w+ ){0,2}(?:meeting|call|class|lesson|lecture"
    r"|exam|interview|deadline|appointment|flight|train|presentation|party|date|game|match|shift|test|webinar|lunch"
    r"|dinner) (?:at|in|on|this|tonight|tomorrow|today|soon|next)\b[\w: ]*",
    re.I,
)
"""`i have a meeting at 3, so …`: when something is in the speaker's day, told as the reason; it sets no time."""

_SOON = re.compile(r"\b(?:in (?:a|an|\d+|two|five|ten|fifteen|twenty|half)\b(?: \w+){0,2}|soon|today|tonight)$", re.I)
"""A time of the day that is too near, or too wide, to be when the wish is to be done."""


def without_clauses(sentence: str) -> Iterator[str]:
    """Yield a sentence without clauses that are only polite: "whenever it suits you", "if that's alright with you"."""
    hidden = quotes_hidden(sentence)
    match = _POLITE_CLAUSE.search(hidden)
    if match is None:
        return
    before, after = sentence[: match.start()].rstrip(" ,.!–—-"), sentence[match.end() :].lstrip(" ,.!?–—-")
    if _SEARCHING.search(hidden) and before and hidden[: match.start()].rstrip()[-1:] not in ",.!–—":
        return
    if not before or not after:
        yield plain(before or after)
    elif hidden[: match.start()].rstrip()[-1:] in ",.!–—":
        yield plain(f"{before} {after}")


def without_remarks(sentence: str, things: Things) -> Iterator[str]:
    """Yield what follows remarks, with what they name where the wish only points at it."""
    hidden = quotes_hidden(sentence)
    for cut in sorted([*_CUT.finditer(hidden), *_SO.finditer(hidden)], key=lambda cut: cut.start()):
        remark, rest = sentence[: cut.start()], sentence[cut.end() :]
        if re.search(r"\bthen\b", cut[0], re.I):  # "my ip and the news, then open …": what comes first is no remark
            continue
        event = _EVENT.fullmatch(remark) is not None and (
            re.search(r"\bso\b", cut[0], re.I) is not None or _SOON.search(remark) is not None
        )
        named, asked = things(remark), plain(rest)
        topic = named == (remark,)
        said = topic or _VERBAL.search(remark) or _STATIVE.search(remark)
        if not rest or not (event or (said and _is_remark(remark))):
            continue
        others = things(asked)
        if (event or not _asks(remark)) and all(
            thing in others or thing.split()[-1] in asked.casefold() for thing in named
        ):
            yield asked
            if named == () and others == (asked,) and _PLEASE.search(rest) and "." not in asked:
                yield f"open {asked}"
        question, look = _QUESTION.match(remark) or _TOLD_OF.fullmatch(remark), _LOOK_IT_UP.fullmatch(asked)
        if question is not None and look is not None:
            yield f"look up {question['what']}{look['where'] or ''}"
        points = _POINTS.search(quotes_hidden(asked))
        later = points is not None and all(asked.find(other) > points.start() for other in others)
        if points is not None and len(named) == 1 and later and not _SEARCHING.search(asked):
            thing = named[0] if points["to"] is None else f"to {named[0]}"
            yield f"{asked[: points.start()]}{thing}{asked[points.end() :]}"


def without_afterthought(sentence: str, things: Things) -> Iterator[str]:
    """Yield what stands before a reason or a remark that follows it."""
    hidden = quotes_hidden(sentence)
    searched = _SEARCHING.search(hidden)
    for pattern, cut in ((each, cut) for each in (_REASON, _CUT, _RUNS_ON) for cut in each.finditer(hidden)):
        wish, remark = sentence[: cut.start()], sentence[cut.end() :]
        runs_on = pattern is _RUNS_ON
        if not wish or not _is_remark(remark, after=True):
            continue
        if searched and (runs_on or not _ABOUT_ME.match(f"{cut[0].strip()} {remark}")):
            continue
        if runs_on and (not _SHOWS.match(wish) or next(marks_of(remark), None) is not None):
            continue
        if _BINDS.search(remark) or things(remark) or not (pattern is _REASON or _VERBAL.search(remark)):
            continue
        yield plain(wish)


_SORTED = re.compile(r"(?:^|(?P<and>[\s,;.]+))(?:step\s+)?(?:\(?\d[.):]|(?:step|number)\s+\d:?)\s+(?=[a-z])", re.I)


def without_numbers(sentence: str) -> Iterator[str]:
    """Yield numbered steps as steps: "1. open notepad 2. open word"."""
    hidden = quotes_hidden(sentence)
    found = list(_SORTED.finditer(hidden))
    if len(found) > 1 and found[0].start() == 0:
        ends = [*(match.start() for match in found[1:]), len(sentence)]
        yield ", then ".join(sentence[m.end() : end].strip(" ,;.") for m, end in zip(found, ends, strict=True))


def _asks(remark: str) -> bool:
    words = set(re.findall(r"[\w']+", re.sub(r"\bback\b(?! up)", "", remark.casefold())))
    return bool(words & ASKING) or any(f" {form} " in f" {remark.casefold()} " for form in GERUNDS if " " not in form)


def _is_remark(remark: str, *, after: bool = False) -> bool:
    """Say whether somebody only talks about something: nothing that vetoes, but for how somebody feels."""
    if not _SUBJECT.match(remark[:1].lower() + remark[1:]) and not _SUBJECT.match(remark):
        return False
    told = _STATIVE.search(remark)
    marks = [mark for mark in marks_of(remark) if mark.text.casefold() not in ("but", "the day", "soon", "today")]
    if not all(_tells(mark, remark) for mark in marks) or (told is not None and len(marks) > 1):
        return False
    done = any(
        re.search(rf"\b{re.escape(form)}\b", remark, re.I)
        for form in ("opened", "deleted", "renamed", "moved", "closed")
    )
    return not done and not (
        after
        and re.match(
            r"(?:a|an|another|some|no|good|he|she|they|you)\b|.*\b(?:said|says|told)\b",
            remark,
            re.I,
        )
    )


def _tells(mark: Mark, remark: str) -> bool:
    """Say whether a word that vetoes wishes only tells something, in a statement that orders nothing."""
    if mark.kind == NEGATION and _STATIVE.search(remark):
        return True
    words = set(re.findall(r"[\w']+", remark.casefold()))
    if words & VERB_WORDS or (_MEANS.search(remark) and mark.kind != CONDITION):
        return False
    if mark.kind == NEGATION:
        return _NEGATED.match(remark) is not None
    if mark.kind == TIME:
        rest = remark.replace(mark.text, "")
        return _DAYTIME.fullmatch(mark.text.strip()) is not None and _NOTING.search(rest) is None
    if mark.kind == CONDITION:
        return re.match(r"while (?:i|we|my)\b", remark[mark.start :], re.I) is not None
    return mark.kind == QUANTITY
