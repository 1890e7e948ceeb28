"""What stands in quotes is somebody's text and not a part of the wish: where it stands, and a sentence without it.

A single quote inside a word is an apostrophe. Whatever is put in place of a quotation is as long, so that places in
the sentence stay true.
"""

from __future__ import annotations

import re

QUOTES = re.compile(r"\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)")


def quotes_hidden(sentence: str) -> str:
    """Return a sentence whose quotations cannot be read; that they are quotations can still be seen."""
    return QUOTES.sub(lambda match: '"' + "x" * (len(match[0]) - 2) + '"', sentence)


def quotes_filled(sentence: str, sign: str) -> str:
    """Return a sentence in which each character of a quotation is one and the same sign, its marks too."""
    return QUOTES.sub(lambda match: sign * len(match[0]), sentence)
