"""The labels of a transcript, whatever form they have."""

from __future__ import annotations

import re

from planvow.debate.readers.naming.chats import message_labels
from planvow.debate.readers.naming.headings import heading_labels
from planvow.debate.readers.naming.hearings import titled_labels, with_examinations
from planvow.debate.readers.naming.label import Label
from planvow.debate.readers.naming.labels import colon_labels, is_taken, small_labels
from planvow.debate.readers.naming.threads import post_labels

_CHEVRON = re.compile(r"(?:^|(?<=\s))>>+(?=[^\S\n]*[^\s>])", re.MULTILINE)


def find_labels(text: str) -> list[Label]:
    """Return the labels of a transcript in order, and the places where ">>" names nobody.

    Names before a colon are the rule; another form is read where it finds more.
    """
    named = with_examinations(text, colon_labels(text))
    for form in (message_labels, post_labels, heading_labels, titled_labels):
        named = max(named, form(text), key=len)
    return _with_changes(text, named or small_labels(text))


def cue_labels(text: str) -> list[Label]:
    """Return the labels inside one cue of subtitles, too short for any other form."""
    return _with_changes(text, colon_labels(text) or small_labels(text))


def _with_changes(text: str, named: list[Label]) -> list[Label]:
    chevrons = list(_CHEVRON.finditer(text))
    if not chevrons:
        return named
    taken = [(label.line_start, label.words_start) for label in named]
    unnamed = [
        Label(name=None, line_start=mark.start(), words_start=mark.end())
        for mark in chevrons
        if not is_taken(taken, mark.start())
    ]
    return sorted([*named, *unnamed], key=lambda label: label.line_start)
