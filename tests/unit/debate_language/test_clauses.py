"""A sentence falls into the propositions it asserts."""

from collections.abc import Callable

import pytest

from planvow.debate.claims.clauses import clauses_of
from planvow.debate.words.lite import read_words
from planvow.debate.words.words import Parser, Sentence


def texts(words: Sentence, text: str) -> list[str]:
    return [text[words[c.first].start : words[c.after - 1].end] for c in clauses_of(words)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The mill closed in 1994, and the town lost four hundred jobs.",
         ["The mill closed in 1994", "the town lost four hundred jobs"]),
        ("We closed the mill because it lost money.", ["We closed the mill", "it lost money"]),
        ("And so, you know, the harbour grew.", ["the harbour grew"]),
        ("I think that fees are too high.", ["I think that fees are too high"]),
        ("If fees rise, students leave.", ["If fees rise, students leave"]),
        ("They left because of the noise.", ["They left because of the noise"]),
        ('"The port is old," he told us.', ["The port is old", "he told us"]),
        ('He called it "a disgrace" twice.', ['He called it "a disgrace" twice']),
        ("The port is old; the road is older.", ["The port is old", "the road is older"]),
    ],
)  # fmt: skip
def test_a_parsed_sentence_is_cut_at_new_main_clauses_and_reasons(
    parsed: Callable[[str], Sentence], text: str, expected: list[str]
) -> None:
    assert texts(parsed(text), text) == expected


def test_without_a_tree_conjunctions_and_pronouns_show_the_cut() -> None:
    text = "The mill closed, and we lost four hundred jobs because they moved."
    words = read_words(text, 0, len(text))
    assert texts(words, text) == ["The mill closed", "we lost four hundred jobs", "they moved"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Taxes fell, and wages rose.", ["Taxes fell", "wages rose"]),
        ("The mill closed, and then the town council voted.", ["The mill closed", "then the town council voted"]),
        ("Because the fee rose, many families left.", ["the fee rose", "many families left"]),
        ("Since 1988, the club has lived here.", ["Since 1988, the club has lived here"]),
        ("We need roads, schools, and fair wages.", ["We need roads, schools, and fair wages"]),
    ],
)
def test_without_a_tree_a_subject_and_its_verb_show_a_new_statement(text: str, expected: list[str]) -> None:
    assert texts(read_words(text, 0, len(text)), text) == expected


def test_the_connective_taken_off_is_kept_as_opening() -> None:
    text = "But the harbour grew, because it was deep."
    clauses = clauses_of(read_words(text, 0, len(text)))
    assert [clause.opening for clause in clauses] == ["but", "because"]


def test_a_form_of_address_is_not_part_of_the_claim(parsed: Callable[[str], Sentence]) -> None:
    text = "Well, Anna, I disagree with that plan."
    assert texts(parsed(text), text) == ["I disagree with that plan"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mr. President, the bridge is old.", "the bridge is old"),
        ("Mr. President, Governor Orr, as a nurse, I hear this often.", "as a nurse, I hear this often"),
        ("Senator Orr, in 2008 you voted for the mill.", "in 2008 you voted for the mill"),
        ("Governor, and Senator Orr, you have both seen it.", "you have both seen it"),
        ("Governor Orr, Senator Bell, and Paul Kay paid.", "Governor Orr, Senator Bell, and Paul Kay paid"),
        ("We paid the fee, Mr. President.", "We paid the fee"),
        ("Well what we have is a five-point plan that works.", "what we have is a five-point plan that works"),
        ("So Governor Orr wants the harbour.", "Governor Orr wants the harbour"),
        ("So many people left the town.", "So many people left the town"),
        ("So that we can pay, we save.", "So that we can pay, we save"),
        ("Well over half of them left.", "Well over half of them left"),
        ("There is no question but that the law is old.", "There is no question but that the law is old"),
    ],
)
def test_calls_and_openers_go_and_words_that_look_like_them_stay(any_parser: Parser, text: str, expected: str) -> None:
    (sentences,) = any_parser.parse([(text, [(0, len(text))])])
    assert texts(sentences[0], text) == [expected]


def test_a_hyphen_cuts_nothing_and_a_dash_does(parsed: Callable[[str], Sentence]) -> None:
    text = "That is why we wrote a five-point plan that helps middle-income families."
    assert texts(parsed(text), text) == [text[:-1]]
    text = "The fee fell - the families left."
    assert texts(parsed(text), text) == ["The fee fell", "the families left"]


@pytest.mark.parametrize("text", ["Taxes fell, however, wages rose.", "Taxes fell however wages rose."])
def test_however_turns_from_one_claim_to_another(any_parser: Parser, text: str) -> None:
    (sentences,) = any_parser.parse([(text, [(0, len(text))])])
    assert texts(sentences[0], text) == ["Taxes fell", "wages rose"]


@pytest.mark.parametrize("text", ["The plan, however, failed.", "They can do it however they like."])
def test_however_inside_one_statement_cuts_nothing(any_parser: Parser, text: str) -> None:
    (sentences,) = any_parser.parse([(text, [(0, len(text))])])
    assert len(clauses_of(sentences[0])) == 1
