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
    here: bool = False
    """Whether it is taken in the very sentence that is asked about."""
    echoes: bool = False
    """ "It does.", "They can't.": agreement only with a statement that is denied or not in the same way."""


NONE = Stance()

# What the capitals in the patterns below stand for. Spaces are single, letters lower case.
_PARTS = {
    "OPENER": r"^(?:(?:well|oh|yes|yeah|sadly|and|so|look|now|no|i think|i believe|i guess|i must say|i mean|frankly|"
    r"thank you|thanks|i'm afraid|i am afraid|i'm sorry|sorry)[,.]? (?:but )?|\w+, (?=you|that|it))*",
    "PERSON": r"(?:he|she|they|you|my (?:\w+ )?(?:opponent|colleague|friend|neighbou?r)|"
    rf"the (?:\w+ )?(?:{'|'.join(sorted(WORD_CLASSES['office']))}|gentleman|lady|councillor|speaker|member)|"
    r"(?!the |this |that |these |those |it\b|there |what |our |we |i\b|a |an )\w+\.?(?: \w+)?)",
    "THAT": r"(?:that|this|it|what (?:he|she|you|they|\w+) (?:just )?(?:said|says|say))",
    "PRONOUN": r"(?:it|they|he|she|we|that|this|there|you)",
    "AUX": r"(?:does|do|did|is|are|was|were|has|have|had|will|can|would)",
    "ISNOT": r"(?:(?:'s|'re| is| are| was| were) (?:\w+ly |at all |just )?not|isn't| isn't| aren't| wasn't| weren't) ",
    "IS": r"(?:'s|'re| is| are| was| were) (?:(?:so|very|quite|just|all|too|of course|both|perhaps|exactly|also|still|"
    r"\w+ly) ){0,2}",
    "INOT": r"\bi(?: \w+)? ?(?:don't|do not|can't|cannot|can not|couldn't|could not|wouldn't|would not|won't|never)",
    "I": r"\b(?:i|we|i'd|i'll|i've|we're|i'm|let me)"
    r"(?: (?!not|don't|never|can't|cannot|couldn't|wouldn't|didn't)\w+){0,3}",
    "POINT": r"(?:good|fair|valid|excellent|great|strong|important) (?:point|question|summary|observation)",
    "NOBODY": r"\b(?:nobody|no one|none of us)(?: here)? (?:can |could |would |will )?",
    "END": r"(?=[,.!;:—-]|$)",
}
_AGREEING = """
OPENER(?:exactly|absolutely|indeed|right|correct|true|agreed|precisely|definitely|certainly|sure|of course|granted)END
OPENER(?:yes|yeah|yep|amen|hear,? hear|same here|likewise|so do i|me too|fair enough|spot on|you bet|enough said)END
OPENER(?:quite so|well said|well put|how true|true enough|(?:quite|very|so|too) (?:right|true))END
OPENERwithout (?:a|any) doubtEND
OPENER(?:there is |there's )?no (?:doubt|question|denying|argument)(?: about| here| there| from| that| it|END)
OPENERPOINTEND
OPENERPERSONIS(?:right|correct|spot on|not wrong|telling the truth|onto something)\\b
OPENERPERSON (?:has|have|had|got) (?:it|that|this) (?:exactly |just )?right\\b
OPENERTHATIS(?:right|true|correct|so|fair|it|accurate|undeniable)(?=[,.!;:]|$| about| and| too| as well| enough)
OPENERTHATIS(?:an? POINT|what (?:i |we |happened)|(?:exactly |precisely )?(?:what|how|why) |the (?:case|truth|reality))
OPENERTHATIS(?:exactly |precisely )?my (?:view|experience|point|position|feeling)
I (?:agree|concur|second that|echo|endorse|grant|concede|acknowledge|accept|confirm|add (?:that|to)|build on)\\b
I (?:share (?:that|this|his|her|your|their|the)|with \\w+ on|same page|of one mind|go (?:even )?further)\\b
I(?: \\w+)?(?: the| exactly the)? same\\b|\\bthe same (?:view|conclusion|thing|way|page|experience)\\b
OPENERi (?:think|fear|believe|hope|guess|would say) so\\b
(?:couldn't|could not|can't|cannot) agree more\\b|\\b(?:couldn't|could not) have (?:said|put)\\b
INOT (?:disagree|dispute|deny|argue|quarrel|doubt|question|contest|object)\\b
NOBODY(?:dispute|denie|deny|doubt|question|disagree|argue)s?\\b
OPENERPERSON (?:\\w+ )?(?:makes?|made|has|have|raised?|raises|had) an? (?:POINT|point)\\b|\\bwell taken\\b
\\b(?:put|said|says) (?:it|that|this) (?:\\w+ )?(?:well|better|best|perfectly|right|already)\\b|\\bhits? the nail\\b
\\bbears? \\w+ out\\b|\\bsays? so,? too\\b|\\bout of my mouth\\b|\\bon (?:that|this) we agree\\b
^(?:as|like|just as) PERSON(?:'ve| has| have)? (?:\\w+ly |just |already )?(?:said|says?|noted|pointed out|mentioned)
"""
_DENYING = """
OPENER(?:no|nope|nonsense|wrong|false|rubbish|untrue|hardly|never)END
OPENER(?:on the contrary|(?:quite )?the (?:opposite|contrary))END
OPENER(?:far from it|not (?:at all|true|so|really|quite|exactly|a bit|in the least|one bit|correct|right))END
OPENER(?:absolutely|certainly|definitely|of course) notEND
OPENERPERSONIS(?:wrong|mistaken|incorrect|misinformed|lying|confused|misleading|wide of)\\b
OPENERPERSONISNOT(?:\\w+ly )?(?:right|correct|telling|accurate|honest)\\b
OPENERTHATIS(?:wrong|false|untrue|incorrect|nonsense|inaccurate|misleading|ridiculous|absurd)\\b
OPENERTHATISan? (?:\\w+ )?(?:lie|myth|mistake|fairy tale|exaggeration|distortion|stretch|misunderstanding|caricature)\\b
OPENERTHATISNOT
I (?:disagree|object|dispute|deny|reject|challenge|beg to differ|correct|contest|take issue)\\b
I see (?:it|this|that) differently\\b
INOT (?:\\w+ )?(?:agree|think so|accept|share|buy|believe (?:that|it|this)|see it|follow)\\b(?! more)
(?:couldn't|could not) disagree more\\b|OPENERi (?:\\w+ )?doubt (?:it|that|this|very much)\\b
OPENERi don't think PRONOUN AUX[.!,;]
\\b(?:disproved|debunked|refuted|misread|misreading|misquot\\w+|misrepresent\\w*|twist(?:s|ed|ing)?)\\b
\\b(?:facts?|figures|numbers|history|story) (?:is |are )?(?:all |completely |plain |dead )?wrong\\b
\\b(?:facts?|figures|numbers|record|data|evidence) (?:say|show|tell|suggest)s? (?:otherwise|the opposite)\\b
\\b(?:have|has|had|got) (?:it|that|this) (?:\\w+ )?(?:backwards|wrong|upside down)\\b
\\bno (?:truth|evidence|basis|proof|merit) (?:whatsoever )?(?:in|for|to) (?:that|this|it|what)\\b
\\blet me correct\\b|\\bset the record straight\\b|\\bnothing could be further\\b|\\b(?:is|are) the opposite\\b
^(?:well, )?(?:actually|with (?:all )?(?:due )?respect),
"""
_ECHOING = """
^(?:yes,? |of course,? |indeed,? |well,? |sure,? |so ){0,2}PRONOUN (?:certainly |surely )?AUX(?: indeed| too)?[.!,;]
^(?:so )PRONOUN AUX[.!,;]|^(?:it|they|he|she|we) (?:does|do|did) (?!not\\b)\\w+[.!]
^(?:it|they|he|she|we) (?:has|have|had) \\w+, yes\\b
"""
_ECHOING_NOT = """
^(?:no,? |well,? |of course,? )*PRONOUN (?:AUX(?:n't| not)|won't|can't|cannot)[.!,;]
"""


def _compiled(lines: str) -> re.Pattern[str]:
    """One pattern of all lines, parts put in; longer names first, so that ISNOT is not read as IS."""
    text = "|".join(f"(?:{line})" for line in lines.strip().splitlines())
    for _ in range(2):  # parts stand in parts
        for name in sorted(_PARTS, key=len, reverse=True):
            text = text.replace(name, _PARTS[name])
    return re.compile(text)


_AGREE, _DENY, _ECHO, _ECHO_NOT = (_compiled(lines) for lines in (_AGREEING, _DENYING, _ECHOING, _ECHOING_NOT))
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
    if (echo := _ECHO.search(taken)) is not None:
        return Stance("agree", _phrase(echo), said, echoes=True)
    if (echo := _ECHO_NOT.search(taken)) is not None:
        return Stance("deny", _phrase(echo), said, echoes=True)
    agreed, denied = _AGREE.search(taken), _DENY.search(taken)
    if agreed and (not denied or (agreed.start() <= denied.start() and denied.end() <= agreed.end())):
        return Stance("agree", _phrase(agreed), said)  # "I don't disagree" holds a denial and is none
    return Stance("deny", _phrase(denied), said) if denied else NONE


def _phrase(found: re.Match[str]) -> str:
    return found.group().strip(" ,.!;:")


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
        """The stance in which a claim of the sentence just heard is made: past "but", whoever agreed denies."""
        here = self._taken == self._heard - 1
        if self._until is not None and span[1] > self._until:
            return Stance("deny", "but", self._now.sentence) if here else NONE
        return self._now._replace(here=here)


def towards(stance: Stance, *, is_denial: bool) -> Stance:
    """A stance towards one statement: "they can" against "they cannot" denies, "it didn't" after "it didn't" agrees."""
    if not (stance.echoes and is_denial):
        return stance
    return stance._replace(kind="deny" if stance.kind == "agree" else "agree", echoes=False)


def agrees_with(stance: Stance, speaker: str, before: str) -> bool:
    """Whether a stance agrees with `speaker`: the one it names, or whoever spoke `before`."""
    if stance.kind != "agree":
        return False
    names = [name for name in speaker.lower().split() if len(name) > 2]
    return speaker == before or any(re.search(rf"\b{re.escape(name)}\b", stance.sentence) for name in names)
