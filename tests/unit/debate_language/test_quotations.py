"""Quotations of every make are bounded: closed by what closes them, or at the end of their sentence."""

import pytest

from planvow.debate.words.quotations import quoted_spans
from planvow.debate.words.sentences import split_sentences


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ('He said, "I will go.\'\' Then he left. We paid. "No," she said.', ["I will go.", "No,"]),
        ("``Yes,'' he said. And no.", ["Yes,"]),
        ("''Yes,'' he said. And no.", ["Yes,"]),
        ('He said, "I will go. Then he left. He said "no" twice.', ["I will go.", "no"]),
        ('He said, "I will go. Then he left.', ["I will go."]),
        ("“One.\n“Two.” Three.", ["One.\n“Two."]),
        ("«Ja», sagte er. „Nein“, sagte sie. Gut.", ["Ja", "Nein"]),
        ('He said "the “big” one" again.', ["the “big"]),
        ('A 5" pipe is long. She said "no" to it.', ["no"]),
        ('He said, "It rose." "It fell," she said.', ["It rose.", "It fell,"]),
    ],
)
def test_a_quotation_ends_where_it_is_closed_or_with_its_sentence(text: str, quoted: list[str]) -> None:
    assert [text[start:end] for start, end in quoted_spans(text, split_sentences(text))] == quoted


def test_a_mark_too_far_off_closes_nothing() -> None:
    text = 'He said, "I will go. ' + "It rained. " * 300 + 'Then he said it again."'
    assert [text[start:end] for start, end in quoted_spans(text, split_sentences(text))] == ["I will go."]
