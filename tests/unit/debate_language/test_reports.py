"""That somebody said a thing can be checked; words that are only imagined are nobody's claim."""

import pytest

from planvow.debate.analysis.reading import ParsedLanguage
from planvow.debate.readers.read import read_transcript
from planvow.debate.terms.language import ClaimReading
from planvow.debate.words.words import Parser


def claims(parser: Parser, sentence: str) -> list[tuple[str, ClaimReading]]:
    transcript = read_transcript(f"BELL: The fee fell by 12 percent in 1994.\nORR: {sentence}\n")
    reading = list(ParsedLanguage(parser).read(transcript))[1]
    return [(transcript.turns[1].text[slice(*claim.span)], claim) for claim in reading.claims]


@pytest.mark.parametrize(
    "sentence",
    [
        "You said we should not have a timeline.",
        "The senator said that we must raise taxes.",
        "He promised he would cut the fee in half.",
        "My opponent told the union that he will close the mine.",
        "They have said that we should sell the harbour.",
    ],
)
def test_a_report_of_a_demand_or_promise_can_be_checked(any_parser: Parser, sentence: str) -> None:
    ((text, claim),) = claims(any_parser, sentence)
    assert (f"{text}.", claim.claim_type, claim.scope) == (sentence, "empirical", "TURN")


@pytest.mark.parametrize(
    "sentence",
    [
        "We should not have a timeline because it helps the enemy.",
        "I say we should close the harbour because it loses money.",
        "If he said we should close the harbour, we should not listen.",
        "People say we should close the harbour because it loses money.",
        "As he said, we should close the harbour because it loses money.",
    ],
)
def test_a_demand_of_ones_own_stays_one(any_parser: Parser, sentence: str) -> None:
    found = claims(any_parser, sentence)
    assert found
    assert found[0][1].claim_type != "empirical" or not any("reports" in reason for reason in found[0][1].reasons)


@pytest.mark.parametrize(
    "sentence",
    [
        "I'm not going to say to him, I'll give you more flexibility after the election in 2012.",
        "I will never tell the workers, you will lose your jobs in 2012 because the mine is closed.",
        "He would not say to them, we will raise the fee by 12 percent in 2012.",
    ],
)
def test_words_that_are_not_said_are_nobodys_claim(any_parser: Parser, sentence: str) -> None:
    speech = sentence.split(", ")[1][:12]
    assert all(claim.scope != "TURN" for text, claim in claims(any_parser, sentence) if speech in text)


@pytest.mark.parametrize(
    ("sentence", "scopes"),
    [
        ("I'll tell you, we will raise the fee by 12 percent in 2012.", {"TURN"}),
        ("I would say to him, we raised the fee by 12 percent in 2012.", {"TURN"}),
        ("As she said, we raised the fee by 12 percent in 2012.", {"TURN"}),
    ],
)
def test_what_is_said_in_earnest_is_the_speakers_claim(any_parser: Parser, sentence: str, scopes: set[str]) -> None:
    assert {claim.scope for _, claim in claims(any_parser, sentence)} == scopes
