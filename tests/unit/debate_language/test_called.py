"""Who is called by name, and what is said to them, in talks of people who know one another."""

import pytest

from planvow.debate.analysis.reading import ParsedLanguage
from planvow.debate.readers.read import read_transcript
from planvow.debate.references.presiding import presiding_speakers
from planvow.debate.words.lite import LiteParser
from planvow.debate.words.sentences import split_sentences
from planvow.debate.words.words import Parser

CALLED = {
    "They closed the harbour in May, Denise.": "They closed the harbour in May",
    "We don't set the fares, Martin.": "We don't set the fares",
    "The ferry lost 40 million in 2019, Tom.": "The ferry lost 40 million in 2019",
}
NOT_CALLED = [
    "The ferry was steered by his brother, Tom.",
    "The prize went to Anna, Carl and Peter.",
    "They sold it to the mayor, Susan.",
    "Traffic fell in Hull, Virginia.",
]


def claims(parser: Parser, text: str) -> list[tuple[str, str]]:
    """The words and the stand-alone text of each claim."""
    transcript = read_transcript(text)
    return [
        (transcript.turns[found.turn_index].text[slice(*claim.span)], claim.standalone_text)
        for found in ParsedLanguage(parser).read(transcript)
        for claim in found.claims
    ]


@pytest.mark.parametrize("said", CALLED)
def test_a_first_name_called_at_the_end_is_no_part_of_the_claim(any_parser: Parser, said: str) -> None:
    assert CALLED[said] in [claim for claim, _ in claims(any_parser, f"IDA: {said}")]


@pytest.mark.parametrize("said", NOT_CALLED)
def test_a_name_at_the_end_of_a_list_or_that_says_who_is_meant_stays(any_parser: Parser, said: str) -> None:
    name = said.split()[-1].rstrip(".")
    assert all(name in claim for claim, _ in claims(any_parser, f"IDA: {said}"))


TALK = """CHAIR: Good morning. {said}
HELEN MARSH: We regret that.
CARL ORR: I agree.
"""


def test_what_follows_a_call_at_once_is_said_of_who_is_called(any_parser: Parser) -> None:
    said = "Ms Marsh, your company dumped 40 tons of oil into the harbour in 2019."
    assert "Helen Marsh's company dumped 40 tons of oil into the harbour in 2019" in [
        text for _, text in claims(any_parser, TALK.format(said=said))
    ]


@pytest.mark.parametrize(
    "said", ["Ms Marsh, you need a ticket that costs 40 dollars.", "The ferry sank, and your company costs 40 dollars."]
)
def test_what_is_true_of_anybody_or_said_without_a_call_is_not(any_parser: Parser, said: str) -> None:
    assert all("Helen" not in text for _, text in claims(any_parser, TALK.format(said=said)))


def test_a_verb_after_i_agrees_with_the_name_even_where_the_tagger_does_not_know_it() -> None:
    said = "ANNA BELL: I agree that the buses have to come first."
    assert [text for _, text in claims(LiteParser(), said)] == ["Anna Bell agrees that the buses have to come first"]


def types(parser: Parser, text: str) -> list[str]:
    return [claim.claim_type for found in ParsedLanguage(parser).read(read_transcript(text)) for claim in found.claims]


def test_a_name_with_a_noble_word_in_it_values_nothing(any_parser: Parser) -> None:
    assert types(any_parser, "ANNA: I am a member of the Rivers Trust.") != ["normative"]


def presiding(said: str) -> frozenset[str]:
    """Who presides where Carl says this and two others say much."""
    others = "".join(f"{name}: {'The harbour lost money in 2019. ' * 12}\n" for name in ("ANNA", "BOB"))
    turns = read_transcript(f"CARL: {said}\n{others}").turns
    return presiding_speakers(turns, [split_sentences(turn.text) for turn in turns])


def test_who_holds_one_speech_and_asks_nothing_does_not_preside() -> None:
    speech = "Thank you, Chair. We come to the next topic. The debate was long. Thank you all."
    assert presiding(speech) == frozenset()
    assert presiding(f"{speech} What did it cost, Anna?") == {"CARL"}


def test_who_counts_reasons_and_says_what_the_question_is_does_not_preside() -> None:
    speech = "Why? Second, it sank. The question here is not whether it floats. Thank you. It sank. It lay there."
    assert presiding(speech) == frozenset()
    assert presiding("Why? The second question. Whose question is it? Thank you. It sank. It lay there.") == {"CARL"}
