"""The lite back-end reads words without any dependency."""

import pytest

from planvow.debate.words.lite import read_words


def tags(text: str) -> list[tuple[str, str]]:
    return [(word.text, word.tag) for word in read_words(text, 0, len(text))]


def test_contractions_are_split_and_offsets_point_at_the_text() -> None:
    text = "They don't think it's Mr. Orr's $5.2 million."
    words = read_words(text, 0, len(text))
    assert [word.text for word in words] == [
        "They", "do", "n't", "think", "it", "'s", "Mr.", "Orr", "'s", "$", "5.2", "million", ".",
    ]  # fmt: skip
    assert all(text[word.start : word.end] == word.text for word in words)


@pytest.mark.parametrize(
    ("text", "word", "tag"),
    [
        ("We will cut taxes.", "cut", "VB"),
        ("They said so.", "said", "VBD"),
        ("He has gone home.", "gone", "VBN"),
        ("Prices increased.", "increased", "VBD"),
        ("It is the highest rate.", "highest", "JJS"),
        ("In 1996 it fell.", "1996", "CD"),
        ("She met Anna Brandt.", "Brandt", "NNP"),
    ],
)
def test_tags_follow_form_and_context(text: str, word: str, tag: str) -> None:
    assert (word, tag) in tags(text)


def test_lemmas_undo_regular_and_irregular_inflection() -> None:
    words = {word.text: word.lemma for word in read_words("They spent more and raised fees", 0, 31)}
    assert words["spent"] == "spend"
    assert words["raised"] == "raise"
    assert words["fees"] == "fee"


def test_every_word_is_its_own_head_because_there_is_no_tree() -> None:
    words = read_words("No tree here.", 0, 13)
    assert [word.head for word in words] == [0, 1, 2, 3]
    assert {word.dep for word in words} == {""}
