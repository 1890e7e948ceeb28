"""HTML pages: the words that are shown, read as plain text, with places in the page as given."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import accumulate

from planvow.debate.errors import TranscriptError
from planvow.debate.readers.assemble import Utterance
from planvow.debate.readers.markup import PlainWords
from planvow.debate.readers.text import TextReading, read_text
from planvow.debate.words.wordsets import word_set

_PAGE = re.compile(
    r"[\s\ufeff]*(?:<!--.{0,2000}?-->\s*|<\?xml[^>]{0,200}\?>\s*)*"
    r"<(?:!doctype\s+html|html|head|body|main|article|section|div|p|h[1-6]|ul|ol|dl|table|blockquote)\b[^<>]*>",
    re.IGNORECASE | re.DOTALL,
)
_UNSPOKEN = word_set("script style head title nav footer noscript template form button select svg iframe")
_BLOCKS = word_set(
    """
    address article aside blockquote body dd div dl dt figcaption figure h1 h2 h3 h4 h5 h6 header hr html li main ol p
    pre section table tbody td tfoot th thead tr ul
    """
)


def looks_like_page(text: str) -> bool:
    """Say whether a text is HTML: it opens with a document type or a block."""
    return _PAGE.match(text) is not None


def read_page(text: str) -> TextReading:
    """Read the shown words of a page as plain text."""
    page = _Page(text)
    try:
        page.feed(text)
        page.close()
    except AssertionError as error:  # how the standard library answers a broken declaration
        raise TranscriptError(f"this page cannot be read: {error}", hint="save the page as plain text") from None
    reading = read_text(page.words.text)
    utterances = [_placed(utterance, page.words) for utterance in reading.utterances]
    note = "read as HTML: scripts, styles, menus and forms were left out"
    return TextReading("html", utterances, (*reading.notes, note))


def _placed(utterance: Utterance, words: PlainWords) -> Utterance:
    return replace(utterance, chunks=tuple(words.placed(chunk) for chunk in utterance.chunks))


class _Page(HTMLParser):
    """Collects the shown words; a block's edge ends a line, a paragraph's edge ends a paragraph."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=False)
        self.words = PlainWords()
        self._text = text
        self._line_starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
        self._unspoken: str | None = None
        self._depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._edge(tag)
        if self._unspoken is None and tag in _UNSPOKEN:
            self._unspoken, self._depth = tag, 0
        if tag == self._unspoken:
            self._depth += 1

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._edge(tag)

    def handle_endtag(self, tag: str) -> None:
        self._edge(tag)
        if tag == self._unspoken:
            self._depth -= 1
            self._unspoken = self._unspoken if self._depth else None

    def handle_data(self, data: str) -> None:
        at = self._place()
        if self._unspoken is None and self._text.startswith(data, at):
            # A line end is white space here and ends no line; as a tab it stays apart from the spaces that are kept.
            self.words.add(data.replace("\n", "\t").replace("\r", "\t"), at)

    def handle_entityref(self, name: str) -> None:
        self._entity(f"&{name}")

    def handle_charref(self, name: str) -> None:
        self._entity(f"&#{name}")

    def _entity(self, written: str) -> None:
        at = self._place()
        written += ";" if self._text.startswith(";", at + len(written)) else ""
        if self._unspoken is None and self._text.startswith(written, at):
            self.words.add_entity(written, at)

    def _edge(self, tag: str) -> None:
        for _ in range(2 if tag in _BLOCKS else tag == "br"):
            self.words.add_character("\n", self._place(), 0)

    def _place(self) -> int:
        line, column = self.getpos()
        return self._line_starts[line - 1] + column
