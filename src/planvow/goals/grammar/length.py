"""How long a wish may be: what reading costs grows faster than the wish, and nobody says so much at once.

A text in quotes counts as one word. What is refused is refused before anything looks along the sentence.
"""

from __future__ import annotations

import re

from planvow.goals.grammar.tokens import MOST_TOKENS, straight, tokens_of

LONGEST = 4_000
"""Characters of a wish: longer texts are no sentences, and reading takes time with their length."""
MOST_SAID = 2 * MOST_TOKENS
"""Words and marks of a wish with its courtesies, of which a sentence of `MOST_TOKENS` must be left."""
MOST_MARKS = 60
"""Marks in a row, in quotes too: each of them could begin a pause that goes on to the last."""
_RUN = re.compile(rf"(?:[^\w\s]\s?){{{MOST_MARKS + 1}}}")


def too_long(text: str) -> str | None:
    """Return why a text is too long to be read, or None."""
    if len(text) > LONGEST:
        return f"a wish has at most {LONGEST:,} characters, this one {len(text):,}: say it in parts"
    sentence = straight(text)
    if _RUN.search(sentence):
        return f"a wish has at most {MOST_MARKS} marks in a row: say it in words"
    said = len(tokens_of(sentence))
    if said > MOST_SAID:
        return f"a wish has at most {MOST_SAID} words, this one {said:,}: say it in parts, or put texts in quotes"
    return None
