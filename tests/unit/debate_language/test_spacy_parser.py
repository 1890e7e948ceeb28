"""The parser keeps given boundaries and does not depend on how texts are batched."""

import pytest

from planvow.debate.words.sentences import split_sentences
from planvow.debate.words.words import Parser

TEXTS = [
    "Dr. Orr left. He had closed the mill, and nobody asked why.",
    "Traffic fell by 12 percent in 1994!",
    "",
    "One more thing: the port is deep. Ships like that.",
]


def with_spans(texts: list[str]) -> list[tuple[str, list[tuple[int, int]]]]:
    return [(text, split_sentences(text)) for text in texts]


def test_one_sentence_for_every_span_with_true_offsets(spacy_parser: Parser) -> None:
    for (text, spans), sentences in zip(with_spans(TEXTS), spacy_parser.parse(with_spans(TEXTS)), strict=True):
        assert len(sentences) == len(spans)
        for (start, end), words in zip(spans, sentences, strict=True):
            assert all(text[word.start : word.end] == word.text for word in words)
            assert words[0].start == start
            assert words[-1].end == end
            assert all(0 <= word.head < len(words) for word in words)


def test_batches_do_not_change_the_words(spacy_parser: Parser, monkeypatch: pytest.MonkeyPatch) -> None:
    together = list(spacy_parser.parse(with_spans(TEXTS * 3)))
    alone = [next(iter(spacy_parser.parse([item]))) for item in with_spans(TEXTS * 3)]
    assert together == alone
    monkeypatch.setattr("planvow.adapters.language.spacy.BATCH", 2)
    assert list(spacy_parser.parse(with_spans(TEXTS * 3))) == together


def test_a_long_turn_is_read_in_chunks(spacy_parser: Parser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("planvow.adapters.language.spacy.CHUNK_CHARACTERS", 60)
    text = " ".join(["The port is deep and old."] * 10)
    (sentences,) = spacy_parser.parse(with_spans([text]))
    assert len(sentences) == 10
    assert all(text[word.start : word.end] == word.text for words in sentences for word in words)
