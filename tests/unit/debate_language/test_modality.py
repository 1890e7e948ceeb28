"""Demands, forecasts and wishes are told by their words."""

import pytest

from planvow.debate.claims.modality import modality_cues
from planvow.debate.words.lite import read_words


def kinds(text: str) -> list[tuple[str, str]]:
    return [(cue.kind, cue.phrase) for cue in modality_cues(read_words(text, 0, len(text)))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We should close the plant.", ("normative", "should")),
        ("They have to pay their share.", ("normative", "have to")),
        ("We need to act now.", ("normative", "need to")),
        ("We can not let it happen.", ("normative", "cannot allow")),
        ("Fees will rise.", ("future", "will")),
        ("We're going to win this.", ("future", "going to")),
        ("She wants to leave.", ("desire", "wants")),
        ("I would like to answer.", ("desire", "would like")),
    ],
)
def test_cue_words_name_the_modality(text: str, expected: tuple[str, str]) -> None:
    assert expected in kinds(text)


@pytest.mark.parametrize(
    "text",
    [
        "We are going to the coast.",
        "I thought about it.",
        "Their goodwill is gone.",
        "If you want peace, talk.",
        "We had to leave.",
    ],
)
def test_look_alikes_are_not_cues(text: str) -> None:
    assert kinds(text) == []
