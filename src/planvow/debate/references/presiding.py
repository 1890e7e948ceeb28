"""Who runs the talk rather than argues in it: moderators, hosts, panels of questioners.

They are told by what they do: they ask, hand over, thank and watch the clock, turn after turn, and say less than those
they ask, unless they do little else; who holds one speech and asks nothing in it debates, however much of it is about
the debate, and so does a caller who is thanked and thanks. The models of arguing were fitted on what debaters say; of
whoever presides only what can be checked is a claim.
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
OFTEN_RUNNING = 0.35  # and asks in every second turn: such a host may say as much as the guests
TWO = 2  # of: asks in every second turn, has as many turns as the others, says very little in them
LITTLE = 0.25  # of what the most talkative speaker says
TINY = 0.1  # of that: counts twice
MORE_OFTEN = 1.2  # times as many turns as usual in this talk
ENOUGH = 8  # sentences, where there are other signs
MANY = 30  # sentences are enough by themselves
LEAST = 3
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_NO_RUNNING = re.compile(
    r"^(?:and )?(?:first|second|third)ly?,|\bthe (?:only |real )?question\b[^.?!]{0,40}? (?:is|was) (?:not )?whether\b",
    re.IGNORECASE,
)  # what is counted, and what an argument turns on
_UNITS = frozenset({"time", "second", "minute", "turn", "lady"})  # "every time", "a second house", "ten minutes late"
_TALK_ITSELF = (WORD_CLASSES["procedure"] | WORD_CLASSES["courtesy"]) - _UNITS
_HEARERS = frozenset({"you", "your", "we", "our", "next", "let", "side"})


def presiding_speakers(turns: Sequence[SpeakerTurn], spans: Sequence[Sequence[Span]]) -> frozenset[str]:
    """Keys of the speakers who preside; `spans` are the sentences of each turn."""
    size: dict[str, int] = {}
    said: dict[str, int] = {}
    running: dict[str, int] = {}
    named: set[str] = set()
    asking: Counter[str] = Counter()
    spoken: Counter[str] = Counter()
    for turn, sentences in zip(turns, spans, strict=True):
        if turn.is_preamble:
            continue
        key = turn.speaker_key
        if is_role(turn.speaker):
            named.add(key)
        spoken[key] += 1
        if any(turn.text[start:end].endswith("?") for start, end in sentences):
            asking[key] += 1
        size[key] = size.get(key, 0) + len(turn.text)
        said[key] = said.get(key, 0) + len(sentences)
        running[key] = running.get(key, 0) + sum(_runs(turn.text[start:end]) for start, end in sentences)
    most = max(size.values(), default=0)
    usual = sum(spoken.values()) / max(1, len(spoken))
    acting = set()
    for key, count in said.items():
        asks = 2 * asking[key] >= spoken[key]
        signs = asks + (spoken[key] >= usual) + (size[key] < LITTLE * most) + (size[key] < TINY * most)
        enough = count >= MANY or (count >= ENOUGH and (signs >= TWO or spoken[key] >= MORE_OFTEN * usual))
        runs = running[key] >= max(LEAST, (RUNNING if enough else MOSTLY_RUNNING) * count)
        hosts = asks and spoken[key] >= usual and running[key] >= OFTEN_RUNNING * count
        if runs and (size[key] < LESS_THAN * most or hosts) and (asking[key] or spoken[key] > 1):
            acting.add(key)
    return frozenset(named | acting)


def _runs(sentence: str) -> bool:
    sentence = _NO_RUNNING.sub("", sentence)
    words = set(_WORD.findall(sentence.lower()))
    of_talk = not _TALK_ITSELF.isdisjoint(words)
    timed = not _UNITS.isdisjoint(words | {word.removesuffix("s") for word in words}) and not _HEARERS.isdisjoint(words)
    return sentence.endswith("?") or of_talk or timed
