"""A claim's words so that they can be read without the debate around them.

The speaker takes the place of "I", "me" and "my", with the verb made to agree; a reference takes the name of
what it was committed to; asides ("you know", "I mean") go. Nothing else changes: a stand-alone text is a
reading aid, never a summary, and "we" and "you" stay because who they include is the reader's judgement.
"""

from collections.abc import Mapping

from planvow.debate.linguistics.words import Sentence
from planvow.debate.linguistics.wordsets import word_set

_THIRD_FORMS = {
    "am": "is",
    "'m": "is",
    "have": "has",
    "'ve": "has",
    "do": "does",
    "were": "was",
    "'re": "is",
    "go": "goes",
    "m": "is",
}
_FULL_FORMS = {"'ll": "will", "wo": "will", "ca": "can"}
_ASIDES = (("you", "know"), ("i", "mean"), ("uh",), ("um",), ("er",), ("erm",))
_OPINION = word_set("think guess suppose reckon")
_BEFORE_VERB = word_set("ADV PART")


def speaker_name(label: str) -> str:
    """A speaker's label as it reads in a sentence: "SENATOR KENNEDY" becomes "Senator Kennedy"."""
    name = " ".join(label.split())
    return name.title().replace("'S", "'s") if name.isupper() else name


def standalone(
    text: str, words: Sentence, first: int, after: int, speaker: str | None, replacements: Mapping[int, str]
) -> str:
    """The words `first` to `after` of `text` with `replacements` (word index to text) and the speaker put in.

    Without a speaker (an unlabelled transcript) the first person stays.
    """
    lowered = [word.text.lower().replace("’", "'") for word in words]
    changed: dict[int, str] = dict(replacements)
    dropped: set[int] = set()
    for index in range(first, after):
        _drop_aside(words, lowered, index, first, after, dropped)
    if speaker:
        for index in range(first, after):
            if index not in dropped:
                _first_person(words, lowered, index, first, after, speaker, changed, dropped)
    return _joined(text, words, first, after, changed, dropped)


def _drop_aside(words: Sentence, lowered: list[str], index: int, first: int, after: int, dropped: set[int]) -> None:
    for aside in _ASIDES:
        end = index + len(aside)
        if tuple(lowered[index:end]) != aside or end > after:
            continue
        comma_after = end < after and lowered[end] in (",", "--", "-")
        comma_before = index > first and lowered[index - 1] in (",", "--", "-")
        if not (comma_after or comma_before or len(aside) == 1):
            continue
        dropped.update(range(index, end))
        if comma_after:
            dropped.add(end)
        elif comma_before:
            dropped.add(index - 1)


def _first_person(
    words: Sentence,
    lowered: list[str],
    index: int,
    first: int,
    after: int,
    speaker: str,
    changed: dict[int, str],
    dropped: set[int],
) -> None:
    lower = lowered[index]
    if lower == "i":
        verb = _verb_after(words, lowered, index, after)
        if verb is not None and lowered[verb] in _OPINION and _is_opinion(words, lowered, index, verb, first, after):
            # "I think taxes are too high" stands alone as "taxes are too high".
            dropped.update(range(index, verb + 1))
            if verb + 1 < after and lowered[verb + 1] in ("that", ","):
                dropped.add(verb + 1)
            if index > first and lowered[index - 1] == ",":
                dropped.add(index - 1)
            return
        changed[index] = speaker
        if verb is not None:
            changed.setdefault(verb, third_person(words[verb].text, words[verb].tag))
            for also in _coordinated(words, verb, first, after):
                changed.setdefault(also, third_person(words[also].text, words[also].tag))
    elif lower == "my":
        changed[index] = f"{speaker}'s"
    elif lower == "me" or (lower == "mine" and words[index].pos == "PRON"):
        changed[index] = speaker if lower == "me" else f"{speaker}'s"
    elif lower == "myself":
        changed[index] = speaker


def _verb_after(words: Sentence, lowered: list[str], index: int, after: int) -> int | None:
    for at in range(index + 1, min(index + 4, after)):
        if words[at].pos in ("VERB", "AUX"):
            return at
        if words[at].pos not in _BEFORE_VERB:
            return None
    return None


def _coordinated(words: Sentence, verb: int, first: int, after: int) -> list[int]:
    """ "I live here and work there": verbs joined to the first that share its subject and its tense."""
    if words[verb].tag != "VBP" or words[verb].dep in ("aux", "auxpass"):
        return []
    joined = {verb}
    for at in range(verb + 1, after):
        word = words[at]
        if word.dep == "conj" and word.head in joined and word.tag in ("VBP", "VB") and word.pos in ("VERB", "AUX"):
            below = [w for i, w in enumerate(words) if w.head == at and i != at]
            if not any(w.dep in ("nsubj", "nsubjpass", "expl", "aux") for w in below):
                joined.add(at)
    return sorted(joined - {verb})  # text order


def _is_opinion(words: Sentence, lowered: list[str], index: int, verb: int, first: int, after: int) -> bool:
    """ "I (really) think" with what is thought after it, or as an afterthought at the end."""
    if any(word.text.lower() in ("not", "n't", "n’t") for word in words[index:verb]):
        return False
    if verb + 1 >= after:
        return index > first and lowered[index - 1] == ","
    return _clause_follows(words, lowered, verb + 1, after)


def _clause_follows(words: Sentence, lowered: list[str], index: int, after: int) -> bool:
    if index >= after:
        return False
    if lowered[index] in ("about", "of", "so", "not"):
        return False
    return any(word.pos in ("VERB", "AUX") for word in words[index:after])


def third_person(form: str, tag: str) -> str:
    """The present-tense form that goes with a name, for the form that went with "I"."""
    lower = form.lower().replace("’", "'")
    if lower in _THIRD_FORMS:
        return _THIRD_FORMS[lower]
    if lower in _FULL_FORMS:
        return _FULL_FORMS[lower] if lower == "'ll" else form
    if lower == "'d":
        return "had" if tag == "VBD" else "would"
    if tag not in ("VBP", "VB"):
        return form
    if lower.endswith(("s", "x", "z", "ch", "sh", "o")):
        return form + "es"
    if lower.endswith("y") and lower[-2:-1] not in ("a", "e", "i", "o", "u"):
        return form[:-1] + "ies"
    return form + "s"


def _joined(text: str, words: Sentence, first: int, after: int, changed: Mapping[int, str], dropped: set[int]) -> str:
    parts: list[str] = []
    for index in range(first, after):
        if index in dropped:
            continue
        word = words[index]
        spaced = index > first and word.start > words[index - 1].end
        piece = changed.get(index, text[word.start : word.end])
        starts_clitic = piece[:1] in ("'", "’") or word.text.lower() in ("n't", "n’t")
        if parts and (spaced or (index in changed and not starts_clitic)):
            parts.append(" ")
        parts.append(piece)
    return " ".join("".join(parts).split())
