"""Self-correction: what is said after "no wait" or "I mean" takes the place of what was said before it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from planvow.goals.grammar.quotes import QUOTES, quotes_filled
from planvow.goals.rephrase.fillers import ANY_QUERY, VERB_WORDS

_SORRY = (
    r"(?:no|nope|nah|wait|hold on|hang on|oops|sorry|actually|correction|rather|scratch that|strike that|ignore that"
    r"|forget that|my bad|er|uh|um|hmm|ugh|ah|oh)"
)
_MARK = re.compile(
    rf"(?:\s*[,;.–—-]+\s*|\s*\.\.\.\s*|\s+)(?:(?:{_SORRY}[\s,.!–—-]+){{0,6}}"
    r"(?:no,? wait|wait,? no|i mean|i meant|i should (?:have )?sa(?:y|id)|let's say|make (?:that|it)|scratch that"
    r"|strike that|correction:?|or rather|no,? "
    r"actually|actually,? no|no,? sorry|sorry,? no"
    r"|sorry,? i meant?|oops|on second thoughts?|wait,? actually|actually,? make (?:that|it)|no,? make (?:that|it)"
    r"|let's make (?:that|it)|hold on|no hold on"
    r"|change that to|forget that|ignore that|no,? i meant?|let me rephrase|wait a (?:sec|second|minute|moment)|hang "
    r"on|oh wait|ah no|oh no|ugh|eh|what am i saying|my mistake|or actually|no,? hang on|wrong one"
    r"|pardon(?: me)?|excuse me|i beg your pardon|i should say|that should be|or better|better|rather"
    r"|wait))[\s,.:!–—-]+"
    r"|\s*[,;.…?!–—-]+\s*(?:or )?(?:no|nope|nah)(?:,? no)*(?:\s*[,!….–—-]+\s*|\s+(?=not\s))"
    r"|\s*[,;.…–—-]+\s*(?:actually|sorry|rather|wait|er|uh|erm|um|eh)[\s,–—-]+"
    r"|\s*[,;.…?!–—-]+\s*(?:(?:err+|whoops|(?:my )?apologies|my bad|or better yet|my mistake|wrong (?:one|app|file"
    r"|folder"
    r"|site|name))[\s,.!–—-]+)+(?:i (?:wanted|meant)\s+)?"
    r"|\s*[,;.…?!–—-]+\s*(?:(?:no|oh|wait|actually)[,\s]+)*(?:cancel(?: that)?|never ?mind(?: that)?|skip that|stop"
    r"|(?:disregard|ignore|forget) (?:that|it))[\s,.!–—-]+(?:(?:and|just|please|then|instead)\s+)*"
    rf"(?=(?:{'|'.join(sorted(VERB_WORDS))})\s)",
    re.I,
)
_IN_A_SEARCH = re.compile(
    r"\s+(?:better|rather|make (?:that|it)|let's (?:say|make (?:that|it))|excuse me|pardon(?: me)?|hold on|hang on|wait"
    r"|i meant?|oops|ugh|eh|oh no|ah no|oh wait|correction|what am i saying|my mistake)\s+",
    re.I,
)
"""What takes something back after a pause; without one it may be searched for: `a better way to peel garlic`."""
_HESITATES = re.compile(r"[\s,;.…–—-]*(?:uh+|um+|erm?|eh|hmm*)[\s,;.…–—-]*", re.I)
_OR_BEFORE = re.compile(r"\bor[ ,]*$", re.I)
_NEAR = 100
"""Characters before a hesitation that are looked at."""
_TRAILING = re.compile(
    r"(?P<before>.+?)(?:,|\s*[–—])\s+(?:(?:no|er|uh|um|ah no|oh no|oops|whoops|wait"
    r"|sorry)[,\s]+)*(?P<after>[^,]+?),?\s+(?:i (?:meant?|should say)|that is|rather)",
    re.I,
)


def correction_in(sentence: str) -> tuple[str, str] | None:
    """Return what stood before the last correction and what after it, or None."""
    hidden = quotes_filled(sentence, "x")
    trailing = _TRAILING.fullmatch(hidden)
    if trailing is not None:
        cut = trailing.start("after")
        return sentence[: trailing.end("before")], sentence[cut : trailing.end("after")]
    found = _marks(hidden)
    if not found:
        return None
    before = re.sub(r"[\s,]+(?:and|then|or)$", "", sentence[: found[0].start()].strip(" ,"), flags=re.I)
    return before, _meant_instead(before, sentence[found[-1].end() :])


def _marks(hidden: str) -> list[re.Match[str]]:
    """Return where something is taken back; whoever only hesitates after "or" leaves a choice."""
    found = [match for match in _MARK.finditer(hidden) if match.start() > 0]
    return [
        match
        for match in found
        if not (_HESITATES.fullmatch(match[0]) and _OR_BEFORE.search(hidden[: match.start()][-_NEAR:]))
        and not (_IN_A_SEARCH.fullmatch(match[0]) and ANY_QUERY.search(hidden[: match.start()]))
    ]


def corrections_in(sentence: str) -> tuple[str, ...]:
    """Return what stood before the first correction, and what after each."""
    hidden = quotes_filled(sentence, "x")
    found = _marks(hidden)
    ends = [*(match.start() for match in found[1:]), len(sentence)]
    before = sentence[: found[0].start()].strip(" ,") if found else sentence
    before = re.sub(r"[\s,]+(?:and|then|or)$", "", before, flags=re.I)
    afters = (_meant_instead(before, sentence[m.end() : end]) for m, end in zip(found, ends, strict=False))
    return before, *(after for after in afters if after)


def _meant_instead(before: str, after: str) -> str:
    """Return what is said instead, without what only says that it is: `not old, archive` → `archive`."""
    after = re.sub(r"[\s,.]+(?:i (?:meant?|should say|think|guess)|instead|rather|after all|sorry|please|yes|yeah)$",
                   "",
                   after.strip(" ,.!"), flags=re.I)  # fmt: skip
    after = re.sub(
        r"^(?:call it|name it|it's|it should be|make it|make that|just|only|that's|i want|i need|use) ",
        "",
        after,
        flags=re.I,
    )
    again = re.fullmatch(r"(?P<new>.+?)[,.?!]+ (?:yes|yeah|right),? (?P=new)", after, re.I)
    if again is not None:
        return again["new"]
    for pattern in _CONTRASTS:
        match = pattern.fullmatch(after)
        if match is not None and match["old"].casefold() in before.casefold():
            return match["new"]
    return after


_CONTRASTS = (
    re.compile(r"(?:not|no) (?P<old>[^,]+?)(?:, (?:but )?| but )(?P<new>.+)", re.I),
    re.compile(r"(?P<new>[^,]+?),? not (?P<old>.+)", re.I),
    re.compile(r"(?P<new>[^,]+?) instead of (?P<old>.+)", re.I),
)


def inserted(before: str, after: str, *, loose: bool) -> Iterator[tuple[str, str]]:
    """Yield readings of a correction in the middle, with what was said first: `rename a, no, b, to c`."""
    hidden = quotes_filled(after, "x")
    cut = re.search(r",\s+(?=(?:to|for|in|on|into|from|as|with|and|then|called|named|inside|using|at)\b)", hidden)
    cut = cut or (re.search(r"\s+(?=(?:to|for|into|called|named)\b)", hidden) if loose else None)
    if cut is None:
        return
    new, tail = after[: cut.start()], after[cut.end() :]
    words = _words(before)
    for kept in range(len(words) - 1, 0, -1):
        yield f"{before} {tail}", f"{before[: words[kept][0]]}{new} {tail}"


def replacements(before: str, after: str) -> Iterator[str]:
    """Yield what may be meant: the first words of what stood before, then what stands after, the longest first; words
    that follow the replaced ones are kept last."""
    quoted = list(QUOTES.finditer(before))
    if QUOTES.fullmatch(after) and quoted:
        yield before[: quoted[-1].start()] + after + before[quoted[-1].end() :]
        return
    words = _words(before)
    for kept in range(len(words) - 1, 0, -1):
        yield f"{before[: words[kept][0]]}{after}"


def swapped(before: str, after: str) -> Iterator[str]:
    """Yield sentences with one stretch inside replaced: `cats on youtube`, `dogs` → `dogs on youtube`."""
    if QUOTES.fullmatch(after):
        return
    words = _words(before)
    for start in range(len(words) - 1, 0, -1):
        for end in range(start + 1, len(words)):
            yield f"{before[: words[start][0]]}{after}{before[words[end - 1][1] :]}"


def _words(text: str) -> list[tuple[int, int]]:
    hidden = quotes_filled(text, "x")
    return [(match.start(), match.end()) for match in re.finditer(r"\S+", hidden)]
