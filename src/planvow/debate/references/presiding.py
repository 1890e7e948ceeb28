"""Who runs the talk rather than argues in it: moderators, hosts, panels of questioners.

They are told by what they do: they ask, hand over, thank and watch the clock, and say less than those they ask; who
holds one speech and asks nothing in it debates, however much of it is about the debate. The models of arguing were
fitted on what debaters say; of whoever presides only what can be checked is a claim.
"""

import re
from collections import Counter
from collections.abc import Sequence

from planvow.debate.references.voices import is_role
from planvow.debate.terms.transcript import Span, SpeakerTurn
from planvow.debate.words.lexicon import WORD_CLASSES

RUNNING = 0.3  # of the sentences ask or are about the talk itself; debaters stay below a fifth
LESS_THAN = 0.7  # of what the most talkative speaker says
MOSTLY_RUNNING = 0.6  # is asked of somebody who says little: three sentences of five show it, three of ten do not
ENOUGH = 8  # sentences
LEAST = 3
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_NO_RUNNING = re.compile(
    r"^(?:and )?(?:first|second|third)ly?,|\bthe (?:only |real )?question\b[^.?!]{0,40}? (?:is|was) (?:not )?whether\b",
    re.IGNORECASE,
)  # what is counted, and what an argument turns on
_TALK_ITSELF = WORD_CLASSES["procedure"] | WORD_CLASSES["courtesy"]


def presiding_speakers(turns: Sequence[SpeakerTurn], spans: Sequence[Sequence[Span]]) -> frozenset[str]:
    """Keys of the speakers who preside; `spans` are the sentences of each turn."""
    size: dict[str, int] = {}
    said: dict[str, int] = {}
    running: dict[str, int] = {}
    named: set[str] = set()
    asking: set[str] = set()
    spoken: Counter[str] = Counter()
    for turn, sentences in zip(turns, spans, strict=True):
        if turn.is_preamble:
            continue
        key = turn.speaker_key
        if is_role(turn.speaker):
            named.add(key)
        spoken[key] += 1
        if any(turn.text[start:end].endswith("?") for start, end in sentences):
            asking.add(key)
        size[key] = size.get(key, 0) + len(turn.text)
        said[key] = said.get(key, 0) + len(sentences)
        running[key] = running.get(key, 0) + sum(_runs(turn.text[start:end]) for start, end in sentences)
    most = max(size.values(), default=0)
    acting = {
        key
        for key, count in said.items()
        if running[key] >= max(LEAST, (RUNNING if count >= ENOUGH else MOSTLY_RUNNING) * count)
        and size[key] < LESS_THAN * most
        and (key in asking or spoken[key] > 1)
    }
    return frozenset(named | acting)


def _runs(sentence: str) -> bool:
    sentence = _NO_RUNNING.sub("", sentence)
    return sentence.endswith("?") or not _TALK_ITSELF.isdisjoint(_WORD.findall(sentence.lower()))
