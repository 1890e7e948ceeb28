"""Remarks that state nothing about the world: on how the talk goes, and sayings that everybody knows.

"That's a fair point" and "I am coming to that" are no claims, "the ball is in their court" is one of no type. Praise
and pictures in them judge nothing, and what reads like a fact is none. Sayings are words of the language and can only
be listed; the rest is told by a noun of talk behind "is" and by what one does with a topic.
"""

import re

from planvow.debate.terms.language import TypeReading
from planvow.debate.words.wordsets import word_set

_TALK = (
    r"(?:points?|questions?|examples?|objections?|criticisms?|arguments?|moves?|circles|observations?|answers?|replies|"
    r"reply|remarks?|topics?|parts to (?:my|the) answer|way of putting it|story for another day|distinction)"
)
_DEGREE = r"(?:very |really |quite |pretty |such |perfectly |rather |both |all )*"
_PRAISED = (
    rf"{_DEGREE}(?:an? |the )?{_DEGREE}"
    r"(?:good|great|nice|fair|reasonable|lovely|excellent|interesting|valid|important|difficult|tricky|serious|separate|"
    r"different|tough|hard|old|strange|strong|sensible|decent|helpful|useful)"
)
_TOPIC = (
    r"(?:this|that|it|them|those|these|things?|the point|the question|your question|my answer|the next|the first|"
    r"all of it)"
)
_HANDLED = (
    r"(?:come|coming|came|get|getting|turn|turning|go|going|return|returning|move|moving) (?:back |on |round |over )*"
    rf"(?:to|on to|onto) {_TOPIC}"
)
_DEALT = (
    r"(?:answer|answered|address|addressed|cover|covered|touch on|touched on|mention|mentioned|deal with|dealt with|"
    r"explain|explained)"
)
_PROCEED = (
    r"(?:park|leave|move|turn|start|begin|come|go|take|put|settle|slow|stay|stick|return|pause|finish|break|stop|hear|"
    r"get back)"
)
_WHO_TALKS = r"(?:he|she|you|they|i|my \w+ friend|my \w+ colleague|the \w+ member|the \w+ gentleman|the \w+ lady)"
_PATTERNS = (
    rf"^(?:that|this|it|they|those|these|there|here) (?:is|are|was|were) {_PRAISED} {_TALK}(?:$| and | but )",
    rf"^{_PRAISED} {_TALK}$",
    rf"^(?:i|we) (?:am|are|will|shall|can|would|was|were)(?: just| only)? {_HANDLED}\b",
    rf"^(?:i|we) (?:will|shall|am|can|have|has) (?:\w+ )?{_DEALT} {_TOPIC}\b",
    r"^(?:my|our) (?:\w+ )?(?:colleague|friend|neighbour|partner)s? (?:has|have) (?:already )?"
    rf"(?:said|{_DEALT}) (?:most|much|some|all|it|that|this)\b",
    r"^there (?:is|are) (?:\w+ )?(?:parts?|sides?|points?|aspects?|halves|answers?|strands?) to "
    r"(?:that|this|my|your|the)\b",
    r"^(?:you|she|he|they) (?:have|has) (?:just )?(?:put|hit|got|made|raised|answered|asked|missed|taken) "
    r"(?:your |her |his |their |the |my )(?:finger|nail|own question|point|words)\b",
    r"^(?:this|that|here) is where (?:it|we|things)\b",
    rf"^let me (?:not )?(?:just )?(?:{_PROCEED}|read|ask|explain|be clear|see)\b",
    # "Let us stop pretending" calls for something else than to talk on.
    rf"^let us (?:not )?(?:just )?(?:{_PROCEED}|ask|be clear|see)"
    rf"(?:$| (?:on|back|with|from|by|here|there|a moment|a break|a breath|{_TOPIC})\b)",
    r"^(?:we|i) (?:am|are) (?:going |getting )?(?:round|around|back|ahead|off|out of|running)\b.*"
    r"\b(?:circles|time|topic|track|ourselves|myself|start)\b",
    rf"^{_WHO_TALKS} (?:is|are|was|am) (?:quite |absolutely |perfectly |completely |of course |half |partly |not )*"
    r"(?:right|correct|wrong|mistaken)(?:$| about (?:that|this|it)$| there$| again$)",
)
_SAYINGS = (
    r"devil is in the detail|ball is in (?:\w+) court|(?:ship|train|boat|horse) has (?:\w+ )?"
    r"(?:sailed|left the (?:station|barn)|bolted)|"
    r"omelett?e without|tail wagging|tip of the iceberg|elephant in the room|writing is on the wall|"
    r"cart before the horse|best of both worlds|two sides of the same coin|cake and eat|"
    r"round (?:the|these|those) houses|"
    r"not built in a day|gold that glitters|rob(?:bing)? peter|end of the day$|between a rock|drop in the ocean|"
    r"straw that broke|mov\w+ the goalposts|level playing field|pudding is in|proof of the pudding|horses for courses|"
    r"can of worms|out of the bag|spilt milk|wood for the trees|throw(?:ing)? the baby|reinvent(?:ing)? the wheel|"
    r"sitting on the fence|"
    r"last straw|tip the scales|the jury is (?:still )?out|history repeats itself|time will tell|money talks|"
    r"actions speak louder|easier said than done|pot calling|no smoke without|no such thing as a free lunch|"
    r"better late than never|glass is half|light at the end|clock is ticking|chickens (?:\w+ )*(?:hatch|roost)|"
    r"swings and roundabouts|pigs might fly|bridge when we|kettle of fish|kick\w* the can|"
    r"that is life$|such is life$|what it is$|rest is history|stone unturned|back to square one|"
    r"one swallow does|leopard \w+ its spots|dog new tricks|make hay while|strike while the iron|a stitch in time|"
    r"every cloud has|too many cooks|rolling stone"
)
_REMARK = re.compile("|".join(_PATTERNS))
_SAYING = re.compile(rf"\b(?:{_SAYINGS})\b")
_SIGNS = word_set(
    "a an the that this it they those these there here good great nice fair both i we my our you she he let"
)
_LONG = {"n't": "not", "'s": "is", "'re": "are", "'m": "am", "'ll": "will", "'ve": "have", "ca": "can", "wo": "will"}
_LONGEST = 14


def is_remark(lowered: list[str]) -> bool:
    """Whether a clause only speaks of the talk itself."""
    if not lowered or len(lowered) > _LONGEST or lowered[0] not in _SIGNS:  # with so much around it, more is said
        return False
    return _REMARK.search(" ".join(_long(lowered))) is not None


def saying_in(lowered: list[str]) -> TypeReading | None:
    """The reading of a proposition as a saying that everybody knows, if it is nothing else."""
    found = _SAYING.search(" ".join(_long(lowered))) if len(lowered) <= _LONGEST else None
    if found is None:
        return None
    return TypeReading("unclassified", 0.6, (f"a saying: {found.group()!r}",), "saying", 9.0)


def _long(lowered: list[str]) -> list[str]:
    full = [_LONG.get(word, word) for word in lowered]
    return ["us" if word == "is" and at and full[at - 1] == "let" else word for at, word in enumerate(full)]
