"""Features in words a reader understands, for the reasons that go with every decision."""

from collections.abc import Sequence

from planvow.debate.words.wordsets import word_set

CONSIDERED = 8  # strongest features among which a few telling ones are looked for
_PATTERNS = {
    "word": "the word {!r}",
    "opens": "opens with {!r}",
    "class": "words of {}",
    "classes": "several words of {}",
    "tag": "has {}",
    "tags": "has more than one of: {}",
    "tense": "main verb: {} tense",
    "subject": "subject: {}",
    "subject_tense": "subject and tense: {}",
    "subject_class": "subject is a word of {}",
    "root": "main verb is a word of {}",
    "root_subject": "main verb and subject: {}",
    "root_modal": "modal verb {!r}",
    "entity": "names {}",
    "number": "{}",
    "place": "{}",
    "end": "ends as {}",
    "distance": "{}",
    "roles": "{}",
    "between": "a connective of {} between them",
    "just_between": "a connective of {} between neighbours",
    "turn": "{}",
    "sentence": "{}",
    "across": "{}",
    "takes_up": "{}",
    "source": "the first has words of {}",
    "target": "the second has words of {}",
    "both": "both have words of {}",
    "source_opens": "the first opens with {!r}",
    "target_opens": "the second opens with {!r}",
    "source_starts": "the first starts with {!r}",
    "same_role_between": "another {} between them",
    "negations": "{} of them negated",
}
# Values that need a word of their own, by the kind of feature.
_SPOKEN = {
    "entity": {
        "CARDINAL": "a number", "DATE": "a date", "EVENT": "an event", "FAC": "a building", "GPE": "a country or town",
        "LAW": "a law", "LOC": "a place", "MONEY": "a sum of money", "NORP": "a people or party", "ORDINAL": "a rank",
        "ORG": "an organisation", "PERCENT": "a percentage", "PERSON": "a person", "PRODUCT": "a product",
        "QUANTITY": "a quantity", "TIME": "a time", "WORK_OF_ART": "a work", "LANGUAGE": "a language",
    },
    "tag": {
        "CD": "a numeral", "EX": "'there is'", "JJR": "a comparative", "JJS": "a superlative", "MD": "a modal verb",
        "NNP": "a name", "NNPS": "a name in the plural", "PRP$": "a possessive", "RBR": "a comparative adverb",
        "RBS": "a superlative adverb", "UH": "an interjection", "VB": "an infinitive", "VBD": "a past-tense verb",
        "VBG": "a verb in -ing", "VBN": "a participle", "VBP": "a present-tense verb", "VBZ": "a third-person verb",
        "WP": "'who' or 'what'", "WRB": "'when', 'where' or 'how'",
    },
    "number": {
        "counts_noun": "counts something", "digits": "has figures", "duration": "says how long",
        "magnitude": "speaks of thousands or more", "money": "names a sum", "percent": "gives a percentage",
        "year": "names a year",
    },
    "place": {
        "answers": "answers a question", "first_in_turn": "first in its turn", "second_in_turn": "second in its turn",
        "last_in_turn": "last in its turn", "how_far": "late in its turn",
    },
    "sentence": {
        "same_back": "in one sentence", "same_forward": "in one sentence", "next_back": "next sentence",
        "next_forward": "next sentence",
    },
    "turn": {"same": "in one turn"},
    "across": {"shares_words": "takes up the other speaker's words"},
    "takes_up": {
        "words": "takes up the other speaker's words", "more_words": "takes up several of the other speaker's words",
        "at_once": "answers at once", "against": "contradicts what was said",
    },
}  # fmt: skip
_SPOKEN["tags"] = _SPOKEN["tag"]
_DIRECTED = word_set("between just_between source_opens target_opens source_starts")
# They count in the sum but tell nobody why.
_GRAMMAR = word_set(
    "pair share root_pos root_has clause length longer_than content_share roles_distance speaker "
    "source_bears target_bears both_bear close far"
)
_SILENT = frozenset({"across:no_words"})
_WHOLE = {
    "number": "has a number",
    "numbers": "has several numbers",
    "quotes": "has quotation marks",
    "no_verb": "has no verb",
    "shared_words": "share words",
    "shares_words": "share words",
    "claim_between": "a claim stands between them",
    "praise_against_blame": "praise against blame",
}


def describe(feature: str) -> str:
    """A feature name as a short phrase."""
    if feature in _WHOLE:
        return _WHOLE[feature]
    kind, _, value = feature.partition(":")
    pattern = _PATTERNS.get(kind)
    shown = _SPOKEN.get(kind, {}).get(value) or _spoken(kind, value)
    return pattern.format(shown) if pattern and shown else feature.replace("_", " ").replace(":", ": ")


def phrases(features: Sequence[str], most: int) -> tuple[str, ...]:
    """The first few of `features` that tell a reader something, each phrase once."""
    telling = (feature for feature in features if feature not in _SILENT and feature.partition(":")[0] not in _GRAMMAR)
    return tuple(dict.fromkeys(map(describe, telling)))[:most]


def _spoken(kind: str, value: str) -> str:
    parts = value.split("_")
    if kind == "roles":
        return f"a {parts[0].lower()} towards a {parts[1].lower()}" + (" further on" if "forward" in parts else "")
    if kind == "same_role_between":
        return value.lower()
    if kind == "distance":
        count = "1 statement" if parts[-1] == "1" else f"{parts[-1]} statements"
        return f"{count} {'on' if parts[0] == 'forward' else 'back'}"
    if kind == "turn":
        return f"{parts[0]} speaker, {parts[-1]} turn{'' if parts[-1] == '1' else 's'} away"
    if kind in _DIRECTED:
        value = value.removesuffix("_back").removesuffix("_forward")
    return value.replace("_", " ").strip()
