"""Names of several words without quotes: put in quotes where it is clear that they begin and end there.

A name begins after the noun ("the folder summer pics") or after a word that introduces it ("called"), and ends before
a place that is known, before the next order, before where it goes, or with the sentence. A file's name ends with its
ending.
Words that are never part of a name, or that say how something is done, leave the name open: then it is asked about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from planvow.goals.grammar.lexicon import LINKING
from planvow.goals.grammar.marks import marks_of
from planvow.goals.grammar.verbs import VERBS
from planvow.goals.grammar.words import words_of

_WORD = r"[\w&()'+#-]+"
_ANCHOR = r"(?:(?:my|the|our) )?(?:desktop|documents|downloads|home)\b"
_CALLED = r"(?:called|named|titled|entitled|labelled|labeled|,? (?:and )?(?:call|name) it)"
_VERB = "|".join(
    dict.fromkeys(phrase.split()[0] for ways in VERBS.values() for text in ways.values() for phrase in text.split(", "))
)
_END = (
    rf"(?=$|[,;]|[.!?](?:\s|$)|,? (?:in|on|inside|under|from|to|into|onto) (?:{_ANCHOR}|(?:the|my|a) (?:\w+ )?folder\b"
    rf"|drive\b)| into |,? (?:and )?then\b|,? and (?:also )?(?:(?:{_VERB}) |a |an |another )"
    rf"|,? (?:please|thanks|thank you)\b|(?(new) to |(?!)))"
)
"""Where a name ends. Before a bare "to" only where something is renamed: what is moved to a word may become it."""
_RENAMES = r"(?P<new>\b(?:rename|retitle|relabel|rechristen|name of)\b.*?)?"
_FOLDERS = (
    re.compile(
        rf"{_RENAMES}(?P<lead>\b(?:folder|directory|subfolder) {_CALLED} )(?P<name>{_WORD}(?: {_WORD}){{1,4}}?){_END}",
        re.I,
    ),
    re.compile(
        rf"{_RENAMES}(?P<lead>\b(?:a|an|another|new|empty|the|my|our) (?:new |empty )?(?:folder|directory"
        rf"|subfolder)(?P<colon>:)? )(?P<name>New folder(?: \(\d\))?|{_WORD}(?: {_WORD}){{1,3}}?){_END}",
        re.I,
    ),
)
_FILE = re.compile(
    rf"(?P<lead>\b(?:file|document)(?: {_CALLED})? |\b{_CALLED} "
    r"|^(?:move|copy|rename|duplicate|(?:make|create) a copy of) "
    r"(?!(?:old|new|latest|recent|current|other|big|small|first|second|files?|me|only|just)\b))"
    rf"(?P<name>{_WORD}(?: {_WORD}){{0,4}} {_WORD}\.\w{{1,5}})(?=$|[,;:!?]|\s)",
    re.I,
)
_HOW = words_of("""
    after again alongside are asap back be been beside bigger both can could delete did directly do does double each
    else first for good had has have he her hidden him how i is just larger last later may maybe me might must near
    next now off once one only open out private properly public quick read-only readonly right separately sharable
    shared she should smaller so some somehow somewhere soon straight such them they today together tonight twice up
    upside us via visible was we whatever where wherever while who why will would you yourself
""")
"""Words beside a name that say how, where or whose, and verbs of a clause."""
_SHORT = re.compile(r"\b(?:(?:that|it|what|who|there|where|here|he|she|how|when)'s|\w+'(?:m|re|ve|ll|d|t))\b", re.I)
"""`the folder letters that's in …`: a clause begins."""
_OF = frozenset({"of", "for", "a", "the", "no", "my", "over", "about", "last", "one"})
"""Small words that the name of a file may hold, between its first word and its ending: `copy of plan.docx`."""
_TAKES_AWAY = re.compile(r"\b(?:delet|remov|eras|trash|bin|get rid|throw|wip|destroy|dump|discard|scrap)\w*", re.I)
_PLACE_BEHIND = re.compile(rf"(?<=\"), (?=(?:in|on|inside) {_ANCHOR})", re.I)


def _is_name(name: str, no_names: frozenset[str], *, introduced: bool) -> bool:
    words = name.casefold().split()
    if introduced and all(word[:1].isupper() or word[:1].isdigit() for word in name.split()):
        return True  # "called Delete Me": written as names are
    if _SHORT.search(name):
        return False
    first = re.compile(rf"(?:{_VERB})")
    plain = not (no_names | LINKING | _HOW).intersection(words) and next(marks_of(name), None) is None
    return plain and not any(first.fullmatch(word) for word in words[1:]) and not first.fullmatch(words[0])


def _is_file_name(name: str, no_names: frozenset[str]) -> bool:
    words = name.casefold().split()
    inner = [word for word in words[1:-1] if word not in _OF]
    plain = not (no_names | LINKING | _HOW).intersection([words[0], *inner]) and next(marks_of(name), None) is None
    return plain and not any("." in word for word in words[:-1])


def titled(sentence: str, no_names: frozenset[str]) -> Iterator[str]:
    """Yield a sentence with its names of several words in quotes, if it has any."""
    if '"' in sentence:
        return
    found = _FILE.sub(lambda match: _file(match, no_names), sentence)
    for number, pattern in enumerate(_FOLDERS):
        if number == 1 and _TAKES_AWAY.search(sentence):
            continue  # what is taken away is never guessed

        def quoted(match: re.Match[str], introduced: bool = number == 0) -> str:
            fits = match["name"].casefold().startswith("new folder") or _is_name(
                match["name"], no_names, introduced=introduced
            )
            return _quoted(match) if fits and '"' not in match["name"] else match[0]

        found = pattern.sub(quoted, found)
    found = _PLACE_BEHIND.sub(" ", found)
    if found != sentence:
        yield found


def _file(match: re.Match[str], no_names: frozenset[str]) -> str:
    return _quoted(match) if _is_file_name(match["name"], no_names) else match[0]


def _quoted(match: re.Match[str]) -> str:
    before = match.string[match.start() : match.start("lead")]
    lead = before + match["lead"].replace(":", " called")
    return f'{lead}"{match["name"]}"'
