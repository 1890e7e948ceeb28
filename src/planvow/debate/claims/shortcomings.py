"""What evidence cannot carry, told by the construction and not by learned words.

"You cannot tell from one visit" and "they only asked their own members" name no method, yet speak of nothing else: what
is known, from whom, and how far it reaches.
"""

import re

from planvow.debate.words.wordsets import word_set

# One of these is in everything that the patterns find; a look at them is far cheaper than the patterns.
_SIGNS = word_set(
    """
    know knows knew tell tells judge conclude infer learn say generalise generalize read show prove mean capture
    include account allow happened only from rests rest relies rely based depends depend hangs hang paid funded
    commissioned ordered wrote nobody anyone same compared against side added held common different change changed
    changing exception another other differently evidence ground grounds basis foundation draw drawing drew start
    starts started begin begins stops ends one enough few like likes differ differs differed kept keep took take
    made record picked pick chose choose quote quoted generalising generalizing generalised margin look weight
    carry easily equally baseline compare without where who thermometer gauge meter sensor camera counter probe
    detector monitor instrument scales answered replied responded counting comparing averaged lumped mixed polled
    leave leaving counted measured tested surveyed weighed memory sits way sampled those stand speak questionnaire
    questions question form survey case stopped third cause began board day week month night before absence lack
    """
)
_KNOW = r"(?:tell|know|judge|conclude|infer|learn|say|generali[sz]e|read much)"
_GATHER = r"(?:ask|hear|count|look|speak|measure|test|survey|interview|record|check|sample|poll|weigh|include)"
_EVIDENCE = (
    r"(?:stud(?:y|ies)|surveys?|polls?|trials?|models?|figures?|numbers?|statistics?|samples?|averages?|results?|data|reports?|"
    r"estimates?|forecasts?|projections?|evidence|measurements?|tests?|charts?|graphs?|examples?|research|papers?|questions?|"
    r"calculations?|findings|percentages?|rankings?|experiments?)"
)
_FEW = r"(?:a single|one|two|a few|a handful|just|only)"
_NOT = r"(?:not|never|hardly)"
_HOW = r"(?:what would|how many|how much|how often)"
_INFORM = r"(?:tells?|told|shows?|showed|says?|said|proves?|proved)"
_COUNTED = r"(?:counted|measured|tested|surveyed|sampled|interviewed|weighed|recorded|polled|checked|asked)"
_RESPONDED = (
    r"(?:filled|answered|replied|responded|returned|volunteered|signed|turned up|showed up|took part|stayed|remained|"
    r"dropped out|given up|gave up|left|died|agreed to)"
)
_ALL_OF = r"(?:everybody|everyone|anybody|those|people|the ones|whoever|only people|the \w+s)"
_A_DAY = r"(?:day|afternoon|morning|evening|night|weekend|week|\w+day|bank holiday|visit)"
_ANSWER = r"(?:an? answer|answers|anything|what|how|whether|who|why|a conclusion|conclusions|the truth|much)"
_INSTRUMENT = (
    r"(?:thermometer|gauge|meter|sensor|camera|counter|probe|detector|monitor|instrument|microphone|scales?|clock)"
)
_TIME_OR_CASE = (
    r"(?:year|month|week|day|quarter|season|figure|number|study|case|example|school|town|place|moment|point)"
)
_ELSEWHERE = r"(?:place|village|town|group|year|school|country|ward|street|class)"
_CARRY = r"(?:tell|show|prove|say|mean|capture|include|account for|allow)"
_PATTERNS = (
    # What cannot be known, and from what.
    rf"\b(?:you|we|one|nobody|no one) can {_NOT} {_KNOW} .*\b(?:by|from|on the basis)\b",
    rf"\b(?:we|you|they) (?:do|did|will) not (?:actually |really |even )?know {_HOW}\b",
    rf"\bnobody (?:knows|knew) {_HOW}\b",
    r"\bwhat would have happened (?:without|if|anyway)\b",
    rf"\b{_EVIDENCE}\b.*\b(?:does|do|did|will|can) {_NOT} (?:\w+ )?{_CARRY}\b",
    r"\btells? (?:you|us) (?:\w+ )?(?:little|nothing)\b",
    r"\b(?:\w+s?|calls) (?:will|can) not tell (?:you|us) what\b",
    rf"\b(?:you|we|one|nobody|i) can {_NOT} (?:read|get|see|learn|draw|find|work out) (?:off )?{_ANSWER}\b.*"
    r"\b(?:from|off|out of|by|that way|this way|like that)\b",
    rf"^(?:but |and |so )?(?:it|that|this|which) only {_INFORM}\b",
    r"^(?:but |and |so )?(?:it|that|this) (?:just |merely )?(?:tells?|told) (?:you|us) ",
    rf"^(?:but |and |so )?(?:it|that|this) (?:does|did) {_NOT} (?:\w+ )?(?:tell|show|prove|follow)\b",
    r"^(?:that|because|just because) .* (?:does|do|did) not (?:make|mean|prove|show)\b",
    r"\btells? (?:you|us) (?:only )?about (?:one|that|those|the people)\b",
    rf"\b(?:is|are|was|were) {_NOT} enough to (?:\w+ )?(?:{_KNOW}|show|prove|draw|go on|build)\b",
    rf"\btoo few to (?:\w+ )?(?:{_KNOW}|show|prove|draw)\b",
    r"\bcarry (?:the|that|this|such|so much|all that) (?:weight|conclusion|argument|claim)\b",
    r"\b(?:could|may|might|can) (?:just )?(?:as easily|as well|equally|equally well) (?:be|have been|mean|show)\b",
    r"\b(?:no|nothing|without) (?:way of (?:knowing|telling|checking|measuring)|baseline|comparison|to compare)\b",
    r"\bgenerali[sz](?:e|es|ed|ing) from\b",
    r"\bmargins? of error\b",
    # Who was asked and what was looked at.
    rf"^{_ALL_OF} who (?:had |have |has )?{_RESPONDED}\b.*\b(?:already|never|not|all|count|list|sample|figures?)\b",
    rf"\bthe same (?:\w+ ){{1,2}}(?:{_RESPONDED}|wrote|spoke|(?:is|are|was|were) {_COUNTED})\b",
    r"^(?:but |and |so )?you (?:have |only |just |simply |all |are |were |never )*(?:count|counted|counting|measured|"
    r"surveyed|sampled|compared|comparing|polled|left out|leave out|leaving out|averaged|extrapolated|lumped|"
    r"mixed up)\b",
    rf"\b{_COUNTED} (?:\w+ )?(?:\w+s|people|those|children|men|women) who (?:\w+ )?(?:are|were|had|have|already)\b",
    rf"\b{_COUNTED}\b.*\b(?:on|in|during) (?:a|one|a single|just one) (?:\w+ )?{_A_DAY}\b",
    r"\b(?:nobody|no one|never|not) (?:ever )?(?:kept|keep|took|take) (?:a |any |proper |good )?"
    r"(?:records?|notes?|count|log|list|measurements?)\b",
    r"\b(?:pick|picked|picks|chose|choose|chooses|quote|quoted) (?:the|that) (?:one|only|best|worst|single|very) "
    rf"(?:\w+ )?{_TIME_OR_CASE}s?\b",
    rf"\b{_INSTRUMENT}s? (?:is|are|was|were|had|has) (?:\w+ )?"
    r"(?:sitting|standing|placed|off|switched|broken|wrong|moved|mounted|never|not|out|too|next|set|only|in the)\b",
    rf"\b{_EVIDENCE} (?:\w+ )?(?:comes?|came) (?:straight )?from (?:the|a|an|their|your|his|her|its|our) ",
    r"\b(?:does|did|do) not look for\b",
    r"\bwhat (?:people|they|we|you|men|women|voters) (?:say|tell|claim|report|answer)\b.*"
    r"\bwhat (?:they|people|we|you) (?:do|did|mean|think|want)\b",
    rf"\b(?:need|find|take|have) (?:a|another|some) (?:\w+ )?{_ELSEWHERE} "
    r"(?:where|with|in which|that|without) (?:no|nothing|nobody|did|had|was|were)?\b",
    r"\b(?:from|by) (?:memory|word of mouth)\b",
    rf"(?<!not )\bonly (?:ever )?{_GATHER}\b",
    rf"\b{_EVIDENCE}\b.*\b(?:comes?|came|taken|is|are|was|were) from (?:{_FEW}|people who|those who|the people who)\b",
    rf"\b{_EVIDENCE}\b.*\b(?:rests?|relies|rely|based|depends?|hangs?) on (?:a|an|one|how|which|what|who|guess\w*)\b",
    rf"\b(?:paid for|funded|commissioned|ordered|wrote) (?:the|that|this|their own|its own) {_EVIDENCE}\b",
    # Who made sure of it.
    rf"\b(?:nobody|no one|has anyone|did anyone) (?:has |have |ever |has ever )*(?:{_GATHER}|verify|repeat|confirm)\b",
    r"\b(?:get|got|find|found|reach) the same (?:result|answer|number|figure)s?\b",
    r"^(?:those|these|they) (?:are|were) (?:only )?the \w+ (?:that|who) "
    r"(?:agreed|volunteered|answered|replied|stayed|survived)\b",
    rf"\b(?:a|one|this|that) \w+ .*\b(?:can|could|does|did) {_NOT} (?:stand|speak) for (?:a|the|all|every|any)\b",
    r"\bif you (?:leave out|take out|remove|exclude|drop|strip out)\b",
    r"\bwould have \w+ (?:\w+ )?(?:anyway|regardless|in any case|without it|by (?:itself|themselves))\b",
    r"\b(?:questions?|questionnaire|form|survey) (?:was|were|is|are) (?:put|worded|phrased|framed|written)\b",
    r"\bone \w+ 's (?:story|case|experience|account|word)\b",
    r"\bhave (?:only |just )?one (?:witness|source|study|case|reading|sample|example)\b",
    r"\b(?:absence|lack) of \w+ (?:is|does|proves?) (?:not|no)\b",
    r"\bstopped (?:counting|measuring|testing|asking|looking|the (?:trial|count|survey|test|study))\b",
    r"\b(?:a third|some other|a common) (?:thing|cause|reason|factor|explanation)\b",
    r"\b(?:rise|fall|drop|increase|decline|trend|improvement)s? (?:began|started|set in) .*\bbefore\b",
    r"\b(?:authors?|researchers?|scientists?|consultants?)\b.*\b(?:paid by|board|works? for|employed by|shares in)\b",
    r"\bthe (?:day|week|month|night) (?:they|you|we) (?:did|took|made|ran) the "
    r"(?:count|survey|measurements?|test|poll)\b",
    r"\b(?:had|have) (?:left|gone|died|moved|given up|dropped out)\b.*\bbefore (?:you|they|we|anyone) "
    r"(?:asked|counted|measured|looked|came)\b",
    r"^what (?:you|they|we) (?:measured|counted|asked|tested) (?:was|were|is)\b",
    # Before and after, and likes with unlikes.
    r"\b(?:just )?because .* does not mean\b",
    r"\b(?:happen|come|fall|rise|drop)\w* after .*\bdoes not mean\b",
    rf"\b(?:can|could) {_NOT} be (?:compared|set against|put side by side|added up|held against)\b",
    r"\bnot (?:\w+ )?like (?:for|with) like\b",
    r"\bdiffer\w* in (?:\w+ ){1,3}ways\b",
    r"\b(?:side by side|compare\w*|comparison) .*\b(?:nothing|little|not much) in common\b",
    r"\b(?:taken|measured|counted|asked|collected|recorded) (?:in|at|on|with|by) different\b",
    r"\b(?:change|changed|changing) (?:the way|how) (?:you|we|they|it is|it was) (?:count|measure|ask|record)",
    r"\bask (?:the|that) question (?:in )?(?:a different|another|some other|differently)\b",
    # One case for many.
    r"\bthe exception\b.*\bthe rule\b",
    r"\b(?:thin|weak|shaky|poor|flimsy) (?:evidence|(?:ground|grounds|basis|foundation) (?:for|to))\b",
    r"\b(?:draw|drawing|drew) (?:a line|lines|a conclusion|conclusions|a trend)\b.*\b(?:through|from)\b",
    r"\b(?:starts?|started|begins?) (?:the|your|their|that) (?:chart|graph|series|line|count) (?:in|at|with)\b",
    r"\b(?:chart|graph|axis|series|scale) (?:start|starts|begin|begins|stops|ends) (?:in|at|with)\b",
)  # fmt: skip
_ANY = re.compile("|".join(f"(?:{pattern})" for pattern in _PATTERNS))
_LONG = {"n't": "not", "cannot": "can not", "ca": "can", "wo": "will", "'s": "is"}


def shortcoming_in(lemmas: list[str], lowered: list[str]) -> str | None:
    """The words by which a proposition says how far evidence reaches, if it does."""
    if _SIGNS.isdisjoint(lowered) and _SIGNS.isdisjoint(lemmas):
        return None
    for words in (lowered, lemmas):
        found = _ANY.search(" ".join(_LONG.get(word, word) for word in words))
        if found is not None:
            return found.group()
    return None
