"""What was struck out while speaking: of two things of a kind with "er" or "I mean" between them, the second counts."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from planvow.goals.grammar.chart import Chart
from planvow.goals.rephrase.gist import BREAK, TEXT, WORD, pieces_of

_BACK = re.compile(
    r"(?:[\s,.;:…–—-]|\.\.\.)*(?:(?:no|nope|nah|er|erm|uh|uhm|um|hmm|well|wait|sorry|i mean|i meant|rather|actually"
    r"|make (?:that|it)|oops|whoops|scratch that|strike that|or rather|hang on|hold on|correction|ugh|ah|oh|let's say"
    r"|let us say|i should (?:have said|say)|better|pardon|excuse me|my bad|my mistake|wrong|that's wrong|not that"
    r"|i wanted|i want|change that to|on second thoughts?|come to think of it|wait a (?:second|sec|minute"
    r"|moment))(?:[\s,.!:…–—-]|\.\.\.)+)+(?:(?:to|on|in|into|the|my|a|an|with|called|named|open|start|launch|run"
    r"|use)\s+)*",
    re.I,
)
_SAID_BACK = re.compile(
    r"\b(?:no|nope|er|erm|uh|um|well|wait|sorry|mean|meant|rather|actually|make|oops|scratch|strike|correction|say|said"
    r"|pardon|wrong|second)\b",
    re.I,
)

HESITATES = re.compile(r"(?<![\w.'-])(?:er|erm|uh|uhm|um|hmm|well|i mean|i meant|oops|whoops)(?![\w.'-])", re.I)
"""Words that may take back what stands before them, also where they could be said for nothing."""


def struck(sentence: str, chart_of: Callable[[str], Chart]) -> str | None:
    """Return a sentence without what it takes back, or None when it takes back nothing that is named."""
    found = None
    for _ in range(4):
        named = [piece for piece in pieces_of(sentence, chart_of) if piece.kind not in (WORD, BREAK, TEXT)]
        for first, second in pairwise(named):
            between = sentence[first.end : second.start]
            if between.strip().casefold() in ("no", "nope"):  # "open word no excel"
                continue
            if first.kind == second.kind and _BACK.fullmatch(between) and _SAID_BACK.search(between):
                found = sentence = sentence[: first.start] + sentence[second.start :]
                break
        else:
            break
    return found
