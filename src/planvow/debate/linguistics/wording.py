"""Features in words a reader understands, for the reasons that go with every decision."""

_PATTERNS = {
    "word": "the word {!r}",
    "opens": "opens with {!r}",
    "class": "words of {}",
    "classes": "several words of {}",
    "tag": "a form tagged {}",
    "tags": "several forms tagged {}",
    "tense": "main verb: {} tense",
    "subject": "subject: {}",
    "subject_tense": "subject and tense: {}",
    "subject_class": "subject is a word of {}",
    "root": "main verb is a word of {}",
    "root_subject": "main verb and subject: {}",
    "root_modal": "modal verb {!r}",
    "root_has": "main verb takes {}",
    "root_pos": "main word is a {}",
    "entity": "names a {}",
    "number": "a number: {}",
    "longer_than": "more than {} words",
    "share": "share of {}",
    "clause": "has a clause of kind {}",
    "pair": "the sequence {}",
    "place": "place: {}",
    "end": "ends as {}",
    "distance": "distance: {}",
    "roles": "roles: {}",
    "between": "a connective of {} between them",
    "just_between": "a connective of {} between neighbours",
    "speaker": "{} speaker",
    "turn": "turn: {}",
    "sentence": "sentence: {}",
    "source": "the first has words of {}",
    "target": "the second has words of {}",
    "both": "both have words of {}",
    "source_opens": "the first opens with {!r}",
    "target_opens": "the second opens with {!r}",
    "source_starts": "the first starts with {!r}",
    "negations": "{} of them negated",
}
_WHOLE = {
    "number": "has a number",
    "numbers": "has several numbers",
    "length": "is long",
    "content_share": "is dense with content words",
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
    shown = value.replace("_", " ").strip()
    pattern = _PATTERNS.get(kind)
    return pattern.format(shown) if pattern and shown else feature.replace("_", " ").replace(":", ": ")
