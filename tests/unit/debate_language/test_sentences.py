"""Sentences are cut where people cut them, and every character keeps its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planvow.debate.words.sentences import split_sentences


def pieces(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We agree. They do not.", ["We agree.", "They do not."]),
        ("Dr. Hale spoke to Mrs. Orr. He left.", ["Dr. Hale spoke to Mrs. Orr.", "He left."]),
        ("The case D.C. vs. Heller was decided.", ["The case D.C. vs. Heller was decided."]),
        ("John F. Miller won. Nobody cared.", ["John F. Miller won.", "Nobody cared."]),
        ("It grew in the U.S. We saw it.", ["It grew in the U.S.", "We saw it."]),
        ("It rose by 1.5 percent. Then it fell.", ["It rose by 1.5 percent.", "Then it fell."]),
        ("“Is it true?” she asked.", ["“Is it true?” she asked."]),
        ("Well... maybe not. Fine!", ["Well... maybe not.", "Fine!"]),
        ("We meet at 9 p.m. on Monday.", ["We meet at 9 p.m. on Monday."]),
        ("First line\nSecond line", ["First line", "Second line"]),
        ("   ", []),
        ("", []),
    ],
)
def test_sentences_end_at_end_marks_and_not_at_abbreviations(text: str, expected: list[str]) -> None:
    assert pieces(text) == expected


@given(st.text(alphabet="aB .?!\n\"'“”1$é–-", max_size=200))
def test_spans_are_ordered_disjoint_and_leave_out_white_space_only(text: str) -> None:
    spans = split_sentences(text)
    position = 0
    for start, end in spans:
        assert text[position:start].strip() == ""
        assert start < end
        assert not text[start].isspace()
        assert not text[end - 1].isspace()
        position = end
    assert text[position:].strip() == ""


def test_a_part_of_a_text_is_split_with_offsets_of_the_whole() -> None:
    text = "Ignored. One here. Two here. Ignored."
    assert [text[a:b] for a, b in split_sentences(text, 9, 28)] == ["One here.", "Two here."]


def test_speech_without_full_stops_is_cut_at_a_comma_or_a_space_and_loses_nothing():
    from planvow.debate.words.sentences import MAX_SENTENCE

    for text in ("taxes fell and prices rose " * 400, "taxes fell, prices rose, " * 400, "a" * 5000):
        spans = split_sentences(text)
        assert all(end - start <= MAX_SENTENCE for start, end in spans)
        assert "".join(text[a:b] for a, b in spans).replace(" ", "") == text.replace(" ", "")
