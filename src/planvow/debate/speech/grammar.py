"""Which words of bare speech belong together, and where a subject and its verb begin a new clause.

Rules of English, written by hand, on top of the fitted weights. A gap inside a phrase ("a warm | room"), between a
subject and its verb ("developers | ask") or behind a word that wants another ("why can't | we") ends no sentence; one
in front of a subject with a verb of its own may, where a whole clause stands before it. All numbers are log-odds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from planvow.debate.speech.boundaries import BINDING, FINITE, SAYING, UNITS
from planvow.debate.words.forms import VERBS
from planvow.debate.words.lexicon import WORD_CLASSES
from planvow.debate.words.words import Word
from planvow.debate.words.wordsets import word_set

TOGETHER = -4.0  # inside a phrase, or between a subject and its verb
LOOSELY = -2.0  # where the words mostly belong together
NEW_CLAUSE = 3.0  # in front of a subject with its verb, or of a question
REMARK = 6.0  # after "exactly" or "wow" alone
CONDITION = 1.5  # in front of an "if" whose main clause follows
_LONGEST_PHRASE = 12  # words, so that time grows with the text and no faster
_ADVERBS_IN_A_ROW = 3

_ALONE = word_set(
    "i we he she they it you there this that these those nobody somebody everybody everyone someone anyone anybody "
    "nothing something everything none"
)
_ONLY_SUBJECTS = word_set("i we he she they")
_PERSONS = _ONLY_SUBJECTS | {"you", "there"}
_DETERMINERS = word_set(
    "the a an every each no any some another either neither my your his its our their her this that these those most "
    "half both all many few several"
)
_MUST_GO_ON = word_set("the a an every my your our their its of to than very")
_INSIDE = word_set("JJ JJR JJS CD NN NNS NNP VBN VBG")
_NOUN_TAGS = word_set("NN NNS NNP")
_POST = word_set("of in on at from for with to between over")
_ADVERBS = word_set("RB RBR")
_AUXILIARIES = word_set(
    "do does did is are was were will would can could should has have had may might must am don't doesn't didn't isn't "
    "aren't wasn't weren't won't wouldn't can't couldn't shouldn't hasn't haven't hadn't"
)
_QUESTIONS = word_set("what who why how where when which whose")
_CLAUSE_WORDS = word_set(
    "because if when since until before after although though while unless whether that and but or"
)
_REMARKS = word_set("okay ok exactly absolutely wow hi hello correct agreed")
_COPULAS = word_set("is are was were be been being am 's 're seems seem looks look feels feel became become stays stay")
_DEMONSTRATIVES = word_set("this that these those")
_IMPERATIVES = word_set("let let's look thank take put go stop tell give ask remember imagine please consider")
_BE = word_set("is are was were 's will would has have had can could may might must should isn't aren't wasn't weren't")
_UNFINISHED = word_set("then just well uh um even also not")
_GREETINGS = word_set("good thank thanks welcome hello hi")
_OPENERS = word_set("now otherwise maybe perhaps however therefore meanwhile firstly secondly thirdly finally besides")
_WITHOUT_OBJECT = word_set(
    "go goes went come comes came be work works happen happens happened fall falls fell rise rises rose close closed "
    "stay stays begin live lives sleep wait retire agree disagree compete"
)
_VERB_FORMS = word_set(
    "agree disagree retire lend shrink ask think own live earn learn spend charge belong finish follow compete drive "
    "clean mend count wait explain choose carry watch speak teach read write buy sell travel stay reach deserve depend "
    "exist seem appear matter sit stand wear eat drink sleep walk play listen laugh worry complain struggle suffer "
    "survive die kill heat burn grow plant feed breathe store waste share borrow owe rent hire train treat cure vote "
    "gather arrive enter return leave quit miss catch throw pull push pick break fix repair replace remove sign apply "
    "cover protect defend fight ignore admit accept refuse want need know believe prove show tell say call make take "
    "get give find keep put run come go see look use work help try mean let turn move hold bring begin start stop rely"
)
_PASTS = word_set(
    "shrank sank drank swam flew froze woke sprang stuck struck swung bent bit blew fed fled hung rode rang slid spun "
    "swept swore tore wept forgave dug sang stank shook slept swelled wound lit"
)
_REPORTING = WORD_CLASSES["saying"] | WORD_CLASSES["thinking"]
_SMALL_PREPOSITIONS = word_set(
    "of in on at by for from with without about against between among through during into to"
)
_ENDING_NOUNS = UNITS | word_set(
    "january february march april june july august september october november december monday tuesday wednesday "
    "thursday friday saturday sunday week year month day night morning one ones"
)
_TIMES = word_set("week year month day morning night summer winter spring autumn time decade century evening weekend")


def clause_scores(words: Sequence[Word]) -> list[float]:
    """What these rules add to the log-odds of a new sentence in front of every word."""
    read = _Read(words)
    scores = [0.0, *(read.bound(gap) for gap in range(1, len(words)))] if words else []
    subjects = read.subjects()
    for first, verb in subjects.items():
        for gap in range(first + 1, verb + 1):
            scores[gap] = min(scores[gap], TOGETHER)
        opener = first - (first > 1 and read.lower[first - 1] in _OPENERS)
        if opener < first:
            scores[first] = TOGETHER
        if opener and scores[opener] == 0.0 and read.may_end(opener):
            scores[opener] = NEW_CLAUSE
    for gap, main in read.conditions(subjects).items():
        if gap and scores[gap] >= 0.0 and read.may_end(gap):
            scores[gap] += CONDITION
        scores[main] = LOOSELY if gap else TOGETHER
    for gap in range(1, len(words)):
        if scores[gap] == 0.0 and read.asks(gap):
            scores[gap] = NEW_CLAUSE
    if len(words) > 1 and read.lower[0] in _REMARKS:
        scores[1] = REMARK
    return scores


class _Read:
    """A stretch of words, and what can be told of them here."""

    def __init__(self, words: Sequence[Word]) -> None:
        """The words' own tags, mended where only the neighbours tell a verb."""
        self.size = len(words)
        self.tags = [word.tag for word in words]
        self.lower = [word.text.lower() for word in words]
        self.fused = [word.end - word.start > len(word.text) for word in words]
        self.finite = [tag in FINITE for tag in self.tags]
        self.reports = [word.lemma in _REPORTING or word.text.lower() in SAYING for word in words]
        for at in range(1, self.size):
            self.finite[at] = self.finite[at] or self._is_verb(at)

    def _is_verb(self, at: int) -> bool:
        """ "tenants lend", "it really costs": verbs that the tagger takes for nouns."""
        if self.lower[at] in _PASTS:
            return True
        before = at - 1
        while (
            before > max(0, at - 1 - _ADVERBS_IN_A_ROW)
            and self.tags[before] in _ADVERBS
            and self.lower[before] != "not"
        ):
            before -= 1
        if self.lower[before] in _ONLY_SUBJECTS or (self.tags[before] == "NNS" and not self.finite[before]):
            return self.lower[at] in _VERB_FORMS
        word = self.lower[at]
        if self.tags[at] != "NNS" or (word[:-1] not in _VERB_FORMS and word[:-1] not in VERBS):
            return False
        following = self.tags[at + 1] if at + 1 < self.size else ""
        return self.lower[before] in _ALONE or (
            before == at - 1
            and self.tags[before] in ("NN", "NNP", "VBG")
            and following in ("DT", "CD", "PRP$", "PRP", "TO")
        )  # "the city owns 220,000 flats"

    def at(self, place: int) -> str:
        """The word at a place, or nothing outside of the stretch."""
        return self.lower[place] if 0 <= place < self.size else ""

    def bound(self, gap: int) -> float:
        """Negative where the words on both sides of a gap belong together."""
        before, word, after = self.lower[gap - 1], self.lower[gap], self.at(gap + 1)
        earlier, last, first = self.at(gap - 2), self.tags[gap - 1], self.tags[gap]
        if before in _MUST_GO_ON or (last == "MD" and first in ("VB", "VBP", "RB") and word not in _ALONE):
            return TOGETHER
        if before in _AUXILIARIES and (earlier in _QUESTIONS or gap == 1):  # "why can't | we"
            return TOGETHER
        if before in _CLAUSE_WORDS and word in _ONLY_SUBJECTS:  # "since | I was six"
            return TOGETHER
        if word in ("it", "you") and not self.fused[gap] and not self.has_verb(gap + 1):  # "Berlin tried | it"
            return TOGETHER
        if word in ("there", "here") and not self.fused[gap] and after not in _BE:
            return LOOSELY
        if word in ("every", "last", "next", "this", "all") and after in _TIMES and last not in _NOUN_TAGS:
            return LOOSELY  # "come | every morning"
        if self.finite[gap] and word not in _IMPERATIVES and word not in _ALONE:
            asks = word in _AUXILIARIES and before not in _AUXILIARIES and (after in _ALONE or after in _DETERMINERS)
            return 0.0 if asks else TOGETHER
        if (
            last in ("JJ", "JJR", "CD")
            and first in _NOUN_TAGS
            and earlier not in _COPULAS
            and before not in _ENDING_NOUNS
            and not _is_year(before)
        ):
            return LOOSELY  # "older | people"
        return 0.0

    def asks(self, gap: int) -> bool:
        """ "where are they", "is there": a question begins."""
        before, word = self.lower[gap - 1], self.lower[gap]
        if before in BINDING or before in _AUXILIARIES or self.tags[gap - 1] in ("IN", "CC", "TO", "VB"):
            return False
        if word in _AUXILIARIES and self.tags[gap - 1] in ("PRP", "RB", "DT"):
            return False
        if word in _QUESTIONS:
            return self.at(gap + 1) in _AUXILIARIES and self.at(gap + 2) in _ALONE | _DETERMINERS
        return word in _AUXILIARIES and self.at(gap + 1) in _ALONE

    def may_end(self, gap: int) -> bool:
        """Whether what stands before a subject can be a whole clause."""
        before = self.lower[gap - 1]
        if before in _DEMONSTRATIVES and gap > 1:  # "pay that | the state pays", but not "said that the state"
            return not self.reports[gap - 2] and (self.finite[gap - 2] or self.tags[gap - 2] in ("IN", "VB"))
        if (
            before in BINDING
            or before in _UNFINISHED
            or self.reports[gap - 1]
            or before in _AUXILIARIES
            or before in _ONLY_SUBJECTS
        ):
            return False
        if gap > 1 and self.reports[gap - 2] and self.tags[gap - 1] == "PRP":  # "told me | they know"
            return False
        if self.tags[gap - 1] in ("IN", "DT", "CC", "TO", "PRP$", "MD", "WRB", "WP", "WDT"):
            return False
        if self.lower[gap] == "that" and self.tags[gap - 1] in _NOUN_TAGS:  # "a bridge that closes"
            return False
        return any(self.finite[max(0, gap - 15) : gap]) or (gap < 7 and not _GREETINGS.isdisjoint(self.lower[:3]))

    def has_verb(self, at: int) -> bool:
        """Whether a finite verb stands here, adverbs aside."""
        while at < self.size and self.tags[at] in _ADVERBS and not self.finite[at]:
            at += 1
        return at < self.size and self.finite[at]

    def subjects(self) -> dict[int, int]:
        """First words of subjects in their order, each with the place of its finite verb."""
        found: dict[int, int] = {}
        at = 0
        while at < self.size:
            if self.lower[at] in _ALONE and self.finite[at]:
                found[at] = at
                at += 1
                continue
            nouns = self.phrase(at)
            if not nouns:
                at += 1
                continue
            after = nouns[-1] + 1
            verb = self.verb_after(after, is_bare=self.lower[at] in _ALONE and after == at + 1)
            if verb is None:
                at = after
                continue
            first = at
            if self.is_object(at):
                first = nouns[-1] if len(nouns) > 1 else -1
            if first >= 0:
                found[first] = verb
            at = verb + 1
        return found

    def conditions(self, subjects: Mapping[int, int]) -> dict[int, int]:
        """Places of an "if" whose own clause and then another follow, each with the first word of the latter."""
        found: dict[int, int] = {}
        for own, main in pairwise(subjects):
            opening = own - 1
            word = self.lower[opening] if opening >= 0 else ""
            leads = word == "if" or (word == "when" and opening == 0)
            if leads and main - opening <= 10 and BINDING.isdisjoint(self.lower[subjects[own] : main]):
                found[opening] = main
        return found

    def is_object(self, at: int) -> bool:
        """Whether a phrase that begins here hangs on the word before it."""
        if at == 0:
            return False
        before = self.lower[at - 1]
        if before in _SMALL_PREPOSITIONS:
            return True
        return (
            self.tags[at - 1] in ("VB", "VBD", "VBP", "VBZ")
            and before not in SAYING | _COPULAS | _WITHOUT_OBJECT
            and self.lower[at] not in _ALONE
        )

    def verb_after(self, end: int, *, is_bare: bool) -> int | None:
        """The finite verb of a subject that ends here, behind "of ..." and adverbs."""
        for _ in range(0 if is_bare else 2):
            if self.at(end) not in _POST:
                break
            further = self.phrase(end + 1)
            if not further:
                break
            end = further[-1] + 1
        if not is_bare and self.at(end) == "and" and self.at(end + 1) not in _ALONE:
            further = self.phrase(end + 1)
            after = further[-1] + 1 if further else end
            if self.has_verb(after) and self.tags[after] != "VBZ":  # "teachers and bus drivers live"
                end = after
        verb = end
        while verb < min(self.size, end + 2) and self.tags[verb] in _ADVERBS and not self.finite[verb]:
            verb += 1
        if verb >= self.size or not self.finite[verb] or self.lower[verb] in _ALONE:
            return None
        # "to do it | are you sick of it"
        return None if self.lower[verb] in _AUXILIARIES and self.at(verb + 1) in _PERSONS else verb

    def phrase(self, at: int) -> list[int]:
        """The nouns of the phrase that begins here; a pronoun is its own."""
        if at >= self.size or (self.finite[at] and self.lower[at] not in _DETERMINERS):
            return []
        following = self.tags[at + 1] if at + 1 < self.size and not self.finite[at + 1] else ""
        if self.lower[at] in _ALONE and (self.lower[at] not in _DEMONSTRATIVES or following not in _INSIDE):
            return [at]
        if self.lower[at] == "that" and following == "NNS":
            return []
        has_determiner = self.lower[at] in _DETERMINERS
        if not has_determiner and self.tags[at] not in _INSIDE:
            return []
        if (has_determiner or self.tags[at] == "CD") and self.at(at + 1) == "of":
            return [at]
        nouns: list[int] = []
        for place in range(at + has_determiner, min(self.size, at + _LONGEST_PHRASE)):
            tag = self.tags[place]
            if tag not in _INSIDE or (self.finite[place] and place > at + has_determiner):
                break
            if nouns and (tag not in _NOUN_TAGS or self.ends_phrase(nouns[-1])):
                break
            if (
                tag in _NOUN_TAGS
                or self.lower[place] in ("one", "ones")
                or (tag == "CD" and (has_determiner or self.tags[min(place + 1, self.size - 1)] not in _INSIDE))
            ):
                nouns.append(place)
        if not nouns and has_determiner and self.at(at + 1) and self.tags[at + 1] == "VBG":
            return [at + 1]  # "the building"
        return nouns

    def ends_phrase(self, noun: int) -> bool:
        """Whether no other noun can follow in the same phrase."""
        word = self.lower[noun]
        return self.tags[noun] == "NNS" or word in _ENDING_NOUNS or _is_year(word)


def _is_year(word: str) -> bool:
    return word.isdigit() and len(word) == 4
