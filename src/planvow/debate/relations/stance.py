"""Where whoever answers stands: with the speaker before, against them, or neither.

The sentence that says so is often no claim itself ("She's right.", "Not at all."), so it is read from its words before
claims are linked. A stance taken at the beginning of a turn holds for what follows, until "but" turns from it: who
concedes a point does not agree with the rest.
"""

import re
from typing import Literal, NamedTuple

from planvow.debate.terms.transcript import Span
from planvow.debate.words.lexicon import WORD_CLASSES

OPENING_SENTENCES = 3  # a stance towards the speaker before is taken at the beginning, or not at all
LASTS = 6  # sentences


class Stance(NamedTuple):
    """Agreement or denial, the words that show it and the sentence they stand in, lower case."""

    kind: Literal["agree", "deny", ""] = ""
    phrase: str = ""
    sentence: str = ""


NONE = Stance()

_DEGREE = r"(?:(?:not only|so|very|quite|just|all|too|only|\w+ly|of course|both|perhaps|exactly|also|still)\s+){0,2}"
_PERSON = (
    r"(?:he|she|they|you|(?:mr|mrs|ms|dr|sir|senator|governor|councillor)\.? \w+|(?P<name>\w+(?: \w+)?)|"
    rf"my (?:\w+ )?(?:opponent|colleague|friend|neighbou?r)|the (?:\w+ )?(?:{'|'.join(sorted(WORD_CLASSES['office']))}|"
    r"gentleman|lady|councillor|speaker|member))"
)
_IS = r"(?:'s|'re| is| are| was| were)\s+"
_IS_NOT = r"(?:(?:'s|'re| is| are| was| were) (?:\w+ly |at all )?not|\s?isn't| aren't| wasn't| weren't)\s+"
_THAT = r"(?:that|this|it|what (?:he|she|you|they|\w+) (?:just )?(?:said|says|say))"
_I = r"\b(?:i|we|i'd|i'll|i've|we're|i'm)(?: (?!not|don't|never|can't|cannot|couldn't|wouldn't|didn't)\w+){0,3}"
_I_NOT = r"\bi(?: \w+)? ?(?:don't|do not|can't|cannot|can not|couldn't|could not|wouldn't|would not|won't|never)"
_OPENER = (
    r"^(?:(?:well|oh|yes|yeah|sadly|and|so|look|now|no|i think|i believe|i guess|i must say|i mean|frankly)[,.]? )*"
)
_POINT = r"(?:good|fair|valid|excellent|great|strong|important) (?:point|question|summary|observation|description)"

_AGREEING = (
    rf"{_OPENER}(?:exactly|absolutely|indeed|right|correct|true|yes|yeah|yep|agreed|precisely|definitely|certainly|sure|"
    r"of course|quite so|(?:there is |there's )?no (?:doubt|question)(?: about (?:it|that))?|amen|hear,? hear|same here|"
    r"likewise|so do i|me too|fair enough|well (?:said|put)|(?:quite|very|so|too) (?:right|true)|without (?:a|any) doubt|"
    rf"{_POINT}|spot on|granted|you bet|no argument (?:here|there|from me)|enough said|of course not)(?:[,.!;:—-]|$)",
    rf"{_OPENER}{_PERSON}{_IS}{_DEGREE}(?:right|correct|spot on|not wrong|telling the truth|onto something)\b",
    rf"{_OPENER}{_THAT}{_IS}{_DEGREE}(?:right|true|correct|so|fair|it|accurate|undeniable)(?=[,.!;:]|$| about| and| too|"
    r" as well| indeed| enough)",
    rf"{_OPENER}{_THAT}{_IS}{_DEGREE}(?:an? {_POINT}|(?:exactly|precisely|just) (?:what|how|why|my|the|it)|what i |my "
    r"(?:view|experience|point|position|feeling)|the (?:case|truth|point|reality))",
    rf"{_I} (?:agree|concur|second that|share (?:that|this|his|her|your|their|the)|echo|endorse|grant|concede|acknowledge|"
    r"accept|say the same|feel the same|think the same|see it the same|think so,? too|with (?:him|her|you|them) on|"
    r"same page|of one mind|add (?:that|to))\b",
    r"(?:couldn't|could not|can't|cannot) agree more\b",
    rf"{_I_NOT} (?:disagree|dispute|deny|argue|quarrel|doubt|question|contest|object)\b",
    r"\b(?:nobody|no one|none of us|who) (?:here )?(?:can |could |would |will )?(?:dispute|denie|deny|doubt|question|"
    r"disagree)s?\b",
    rf"{_OPENER}{_PERSON} (?:\w+ )?(?:makes?|made|has|have|raised?|raises|had) an? (?:{_POINT}|point)\b",
    r"\b(?:put|said|says) (?:it|that|this) (?:\w+ )?(?:well|better|best|perfectly|right)\b|\bhits? the nail\b",
    rf"^(?:as|like|just as) {_PERSON}(?:'s|'ve| has| have)? (?:just |already |rightly |correctly )?(?:said|says|say|noted|"
    r"pointed out|mentioned|explained|put it|told)",
    r"^(?:yes,? |of course,? |indeed,? |well,? ){0,2}(?:it|they|he|she|we|that|this|there|you) "
    r"(?:does|do|did|is|are|was|were|has|have|had|will|can|would)(?: indeed| too)?[.!,;]",
    r"^(?:it|they|he|she|we) (?:does|do|did) (?!not\b)\w+[.!]",
)
_DENYING = (
    rf"{_OPENER}(?:no|nope|nonsense|wrong|false|rubbish|untrue|on the contrary|(?:quite )?the (?:opposite|contrary)|hardly|"
    r"far from it|not (?:at all|true|so|really|quite|exactly|a bit|in the least|one bit|correct|right)|(?:absolutely|"
    r"certainly|definitely) not|never)(?:[,.!;:—-]|$)",
    rf"{_OPENER}{_PERSON}{_IS}{_DEGREE}(?:wrong|mistaken|incorrect|misinformed|lying|confused|misleading|wide of)\b",
    rf"{_OPENER}{_PERSON}{_IS_NOT}{_DEGREE}(?:right|correct|telling|accurate|honest)\b",
    rf"{_OPENER}(?:i'm afraid |i am afraid |i'm sorry,? (?:but )?)?{_THAT}{_IS}{_DEGREE}(?:wrong|false|untrue|incorrect|"
    r"nonsense|inaccurate|misleading|ridiculous|absurd|a (?:lie|myth|mistake|fairy tale))\b",
    rf"{_OPENER}(?:i'm afraid |i am afraid |i'm sorry,? (?:but )?)?{_THAT}{_IS_NOT}",
    rf"{_I} (?:disagree|object|dispute|deny|reject|challenge|beg to differ|correct|contest|take issue|see it differently)\b",
    rf"{_I_NOT} (?:\w+ )?(?:agree|think so|accept|share|buy|believe (?:that|it|this)|see it|follow)\b(?! more)",
    r"(?:couldn't|could not) disagree more\b",
    r"\b(?:facts?|figures|numbers|history|story) (?:is |are )?(?:all |completely |plain |dead )?wrong\b",
    r"\bno (?:truth|evidence|basis|proof|merit) (?:whatsoever )?(?:in|for|to) (?:that|this|it|what)\b",
    r"\blet me correct\b|\bset the record straight\b|\bnothing could be further\b|\b(?:is|are) the opposite\b",
    r"^(?:no,? |well,? )*(?:it|they|he|she|we|that|this|there|you) (?:(?:does|do|did|is|are|was|were|has|have|had|will|"
    r"can|would)(?:n't| not)|won't|can't|cannot)[.!,;]",
)
_AGREE = re.compile("|".join(f"(?:{pattern.replace('(?P<name>', '(?:')})" for pattern in _AGREEING))
_DENY = re.compile("|".join(f"(?:{pattern.replace('(?P<name>', '(?:')})" for pattern in _DENYING))
_OPEN = re.compile(r"^(?:if|whether|when|suppose|unless)\b|\b(?:if|whether) (?:that|he|she|they|you|it)\b|\?$")
_TURN = re.compile(
    r"(?<!nothing )(?<!all )(?<!anything )(?<!no question )(?<!no doubt )\bbut\b|\b(?:however|nevertheless|nonetheless|"
    r"although|though|except)\b|(?:^|, |and |; )yet\b|\bon the other hand\b|\bwhere i (?:disagree|differ)\b"
)


def stance_of(sentence: str) -> Stance:
    """The stance that a sentence takes towards what was said before it, up to where it turns."""
    said = " ".join(sentence.lower().replace("’", "'").split())
    turn = _TURN.search(said)
    taken = said[: turn.start()] if turn else said
    if _OPEN.search(said):
        return NONE
    agreed, denied = _AGREE.search(taken), _DENY.search(taken)
    if agreed and (not denied or agreed.start() <= denied.start()) and not _takes_back(agreed, denied):
        return Stance("agree", agreed.group().strip(" ,.!;:"), said)
    return Stance("deny", denied.group().strip(" ,.!;:"), said) if denied else NONE


def _takes_back(agreed: re.Match[str], denied: re.Match[str] | None) -> bool:
    """ "Right, no, that is false": the last word counts, unless it is part of the agreement ("I don't disagree")."""
    return denied is not None and denied.end() > agreed.end()


class TurnStance:
    """The stance that holds while a turn is read, sentence by sentence."""

    def __init__(self) -> None:
        self._now = NONE
        self._heard = 0
        self._taken = 0
        self._until: int | None = None

    def hear(self, text: str, span: Span) -> None:
        """Read the next sentence of the turn."""
        sentence = text[span[0] : span[1]]
        if self._until is not None or self._heard - self._taken >= LASTS:
            self._now, self._until = NONE, None
        taken = stance_of(sentence) if self._heard < OPENING_SENTENCES else NONE
        if taken.kind:
            self._now, self._taken = taken, self._heard
        turn = _TURN.search(sentence.lower())
        self._until = span[0] + turn.start() if turn and self._now.kind == "agree" else None
        self._heard += 1

    def of(self, span: Span) -> Stance:
        """The stance in which a claim of the sentence just heard is made."""
        return NONE if self._until is not None and span[1] > self._until else self._now


def agrees_with(stance: Stance, speaker: str, before: str) -> bool:
    """Whether a stance agrees with `speaker`: the one it names, or whoever spoke `before`."""
    if stance.kind != "agree":
        return False
    names = [name for name in speaker.lower().split() if len(name) > 2]
    return speaker == before or any(re.search(rf"\b{re.escape(name)}\b", stance.sentence) for name in names)
