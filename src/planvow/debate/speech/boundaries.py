"""How much speaks for a new sentence between two words, where no mark says so.

A weighted sum over the words on both sides: their tags, closed-class words, and how far the last and the next finite
verb are. The weights were fitted on debates whose marks had been taken out (`bench/fit_speech.py`); only grammatical
facts and closed-class words are features.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources

from planvow.debate.words.lexicon import FUNCTION_WORDS, MAGNITUDES, NUMBER_WORDS
from planvow.debate.words.words import Word
from planvow.debate.words.wordsets import word_set

FINITE = word_set("VBD VBZ VBP MD")
_HESITATIONS = word_set("uh um er erm ah")
_FAR = 99
OPENING = word_set("if when although though while whereas unless whenever as")
"""Words whose clause needs another one."""
SAYING = word_set(
    "think thinks thought say says said know knows knew believe believes believed hope hopes mean means meant guess "
    "tell tells told wish feel feels felt show shows showed shown promise promised found find finds suppose"
)
BINDING = (
    OPENING
    | SAYING
    | word_set(
        "that because since until before after who whom whose which what how why where whether than and but or so like"
    )
)
"""Words that bind one more clause to a sentence."""
_EACH = word_set("a an per each every")
UNITS = word_set(
    "percent year years month months week weeks day days hour hours minute minutes night dollars dollar euros pounds "
    "kilometres miles litres degrees points again ago today now"
)
_NEVER_FIRST = word_set("me him us them myself yourself himself herself itself ourselves themselves than ago")
_OBJECTS = word_set("me him us them you her people")
_NO_SUBJECT = word_set("VB VBD VBZ VBP VBN MD RB")
_PERFECT = word_set("have has had 've already never just")
_ARTICLES = word_set("the a an")
_BEFORE_ARTICLES = word_set("all both such half what twice many")
_WITHOUT_OBJECT = word_set("go come be work happen fall rise close stay begin")
_OPENS_A_SUBJECT = word_set("DT PRP PRP$ NN NNS NNP JJ EX")
_SUBJECTS = word_set("i we he she they it you there nobody somebody everybody")
_WANTS_MORE = word_set("IN MD TO VB VBP VBZ VBD VBN VBG DT CC PRP$ JJ WRB WP WDT RB")
_NOTHING = ("", "")


def gap_features(words: Sequence[Word]) -> Iterator[list[str]]:
    """The features of each gap, from the one after the first word to the one before the last."""
    tags = ["", "", *(f"{word.pos}:{word.tag}" if word.pos == "AUX" else word.tag for word in words), "", "", ""]
    closed = [*_NOTHING, *map(_closed, words), *_NOTHING, ""]
    behind, ahead = _verbs_behind(words), _verbs_ahead(words)
    for gap in range(1, len(words)):
        at = gap + 2
        before, last, first, second, third = tags[at - 2 : at + 3]
        word_before, word = closed[at - 1], closed[at]
        since, until = _distance(behind[gap]), _distance(ahead[gap])
        yield [
            f"last={last}",
            f"before={before}_{last}",
            f"first={first}",
            f"second={second}",
            f"last_first={last}_{first}",
            f"first_second={first}_{second}",
            f"first_third={first}_{second}_{third}",
            f"across={last}_{first}_{second}",
            f"since={since}",
            f"until={until}",
            f"since_until={since}_{until}",
            f"word={word}",
            f"word_before={word_before}",
            f"word_after={closed[at + 1]}",
            f"word_second={word}_{second}",
            f"last_word={last}_{word}",
            f"word_before_first={word_before}_{first}",
            f"word_until={word}_{until}",
            f"word_since={word}_{since}",
        ]


def _closed(word: Word) -> str:
    lower = word.text.lower()
    return "uh" if lower in _HESITATIONS else lower if lower in FUNCTION_WORDS else ""


def _verbs_behind(words: Sequence[Word]) -> list[int]:
    """How many words ago the last finite verb was, for every word."""
    found, distance = [], _FAR
    for word in words:
        found.append(distance)
        distance = 1 if word.tag in FINITE else distance + 1
    return found


def _verbs_ahead(words: Sequence[Word]) -> list[int]:
    found, distance = [], _FAR
    for word in reversed(words):
        distance = 0 if word.tag in FINITE else distance + 1
        found.append(distance)
    return found[::-1]


def _distance(words: int) -> str:
    return str(words) if words < 6 else "6-8" if words < 9 else "9-14" if words < 15 else "far"


_RELATIVE = frozenset({"who", "whom", "whose", "which"})
_NOUNS = frozenset({"NN", "NNS", "NNP"})


def gap_scores(words: Sequence[Word]) -> list[float]:
    """The log-odds of a new sentence in front of every word but the first, which has 0."""
    weights = _weights()
    bias = weights["bias"]
    scores = [0.0] if words else []
    for gap, features in enumerate(gap_features(words), start=1):
        known = math.fsum(weights.get(name, 0.0) for name in features)  # `sum` rounds otherwise from Python 3.12 on
        scores.append(bias + known + _rules(words, gap))
    return scores


def _rules(words: Sequence[Word], gap: int) -> float:
    """What is known of English besides the fitted weights, in log-odds."""
    around = [word.text.lower() for word in words[max(0, gap - 2) : gap]]
    before, earlier = around[-1], around[0] if len(around) > 1 else ""
    word, tag = words[gap].text.lower(), words[gap].tag
    following = words[gap + 1 : gap + 3]
    against = _goes_on(words[gap - 1], before, earlier, word, tag, following)
    return against or _begins(words[gap - 1].tag, before, word, tag, following)


def _goes_on(last: Word, before: str, earlier: str, word: str, tag: str, following: Sequence[Word]) -> float:
    """Negative where the words belong together."""
    after = following[0].text.lower() if following else ""
    if word in _NEVER_FIRST or (word in _EACH and after in UNITS):  # "nine hours a day"
        return -3.0
    if (before in MAGNITUDES and word == "and" and after in NUMBER_WORDS) or (
        earlier in MAGNITUDES and before == "and" and word in NUMBER_WORDS
    ):  # "two thousand and twelve"
        return -8.0
    if before in SAYING and (word in _SUBJECTS or word == "so"):  # "did not say they would"
        return -2.5
    if earlier in SAYING and before in _OBJECTS and word in _SUBJECTS:  # "told me they know"
        return -2.5
    if word in _RELATIVE and last.tag in _NOUNS:  # "a man who was accused"
        return -2.0
    if word in ("and", "or") and following and following[0].tag in _NO_SUBJECT:  # "and never started"
        return -2.0
    if tag in ("DT", "PRP$", "JJ") and before not in _WITHOUT_OBJECT:
        if last.tag == "VB" or (last.tag == "VBN" and earlier in _PERFECT):  # "finance another one"
            return -1.5
        if last.tag in FINITE and last.pos == "VERB" and tag == "PRP$":
            return -1.0
    return 0.0


def _begins(last: str, before: str, word: str, tag: str, following: Sequence[Word]) -> float:
    """Positive where a new subject stands."""
    if (before in UNITS or (before.isdigit() and len(before) == 4)) and tag in _OPENS_A_SUBJECT:
        return 1.8  # "rose by 12 percent fares on the ferry"
    if word in _ARTICLES and before not in _BEFORE_ARTICLES:
        if last == "JJ":  # "is simply false the area"
            return 1.5
        if last in ("NN", "NNS"):
            return 0.8
    if word not in _SUBJECTS or before in BINDING or last in _WANTS_MORE or not following:
        return 0.0
    has_verb = following[0].tag in FINITE or (following[0].tag == "RB" and following[-1].tag in FINITE)
    return 1.5 if has_verb else 0.0  # "a week it has run"


def probability(score: float) -> float:
    """The probability that belongs to log-odds."""
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, score))))


@cache
def _weights() -> Mapping[str, float]:
    text = resources.files("planvow.debate.speech").joinpath("boundaries.json").read_text(encoding="utf-8")
    weights: dict[str, float] = json.loads(text)["weights"]
    return weights
