"""Each type has its signs, and nothing is EMPIRICAL by default."""

import pytest

from planvow.debate.claims.claim_types import classify, type_readings
from planvow.debate.claims.modality import modality_cues
from planvow.debate.words.lite import read_words


def kind(text: str, p_factual: float = 0.1) -> str:
    words = read_words(text, 0, len(text))
    return classify(words, p_factual, 0.36, modality_cues(words)).claim_type


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I believe in this town", "introspective"),
        ("We hope for a good year", "introspective"),
        ("We should close the plant", "normative"),
        ("That decision was wrong", "normative"),
        ("Fees will rise", "predictive"),
        ("The sample was never controlled", "methodological"),
        ("Poverty is defined as want of means", "conceptual"),
        ("Free will is an illusion", "philosophical"),
        ("The right wing of the house stood there", "unclassified"),
    ],
)
def test_signs_decide_where_nothing_is_checkable(text: str, expected: str) -> None:
    assert kind(text) == expected


def test_a_checkable_statement_is_empirical() -> None:
    assert kind("The mill closed in 1994", 0.9) == "empirical"


def test_a_promise_stays_one_unless_the_figures_dominate() -> None:
    assert kind("We will spend 5 million on it", 0.45) == "predictive"
    assert kind("We will have spent 5 million by 1994", 0.8) == "empirical"


def test_every_answer_has_reasons_and_a_confidence_in_range() -> None:
    for text in ("I feel fine", "Go away", "", "It is."):
        words = read_words(text, 0, len(text))
        reading = classify(words, 0.2, 0.36, modality_cues(words))
        assert reading.reasons
        assert 0 <= reading.confidence <= 1


def test_what_speaks_for_another_type_is_kept_as_a_dearer_reading() -> None:
    text = "We will spend 5 million on it"
    words = read_words(text, 0, len(text))
    readings = type_readings(words, 0.45, 0.36, modality_cues(words))
    assert [reading.claim_type for reading in readings] == ["predictive", "empirical", "unclassified"]
    assert [reading.sign for reading in readings] == ["outlook", "fact", "none"]
    costs = [reading.cost for reading in readings]
    assert costs == sorted(costs)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A tariff is a tax on goods from abroad", "conceptual"),
        ("The fee is a tax on the poor", "normative"),
        ("Education is the key to success", "unclassified"),
        ("He used the word crisis", "unclassified"),
        ("There is a difference between debt and deficit", "conceptual"),
        ("That does not prove that the cameras did it", "methodological"),
        ("You are counting the same people twice", "methodological"),
        ("Consciousness cannot be explained by physics alone", "philosophical"),
        ("Our freedom is on the ballot today", "normative"),
        ("My fear is that nobody will listen", "introspective"),
        ("Cutting the club would be a disgrace", "normative"),
        ("Bees need two million flowers", "empirical"),
        ("The harvest is likely to shrink", "predictive"),
    ],
)
def test_definitions_method_and_thought_are_told_from_what_only_sounds_like_them(text: str, expected: str) -> None:
    assert kind(text) == expected


def test_a_demand_that_is_reported_is_a_fact() -> None:
    assert kind("You said we should not have a timeline") == "empirical"
    assert kind("They demanded that every nurse should work Sundays") == "empirical"


@pytest.mark.parametrize(
    "text",
    [
        "the result is interest costs that have never been seen before",
        "when I hear the governor say he is a coal man, I mean, keep in mind what he did",
        "it's referred to as a weapon ban",
        "strict conservation measures, not yield to the interest groups, and use coal only as a last resort",
        "right now, because of the problems in the north, we are on shaky ground",
        "we not only ask the wealthiest to pay their share",
    ],
)
def test_a_fact_that_only_sounds_like_a_definition_or_like_method_goes_to_fact_checkers(text: str) -> None:
    assert kind(text, 0.45) == "empirical"


@pytest.mark.parametrize(
    "text",
    [
        "They only asked people who were at home",
        "You cannot tell that from a single visit",
        "Nobody has checked those numbers",
        "The survey comes from people who volunteered",
        "Just because it came later does not mean the law did it",
        "The two years can't be compared",
    ],
)
def test_what_evidence_cannot_carry_is_talk_about_method(text: str) -> None:
    assert kind(text, 0.45) == "methodological"
