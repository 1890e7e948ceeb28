"""A claim can be read alone: the speaker is named, asides go, the rest stays."""

import pytest

from planvow.debate.readers.read import read_transcript
from planvow.debate.references.standalone import standalone, third_person
from planvow.debate.references.voices import Voice, speaker_name, voices_of
from planvow.debate.words.lite import read_words

IDA = Voice("Ida Brandt", "female")


def alone(text: str, speaker: Voice | None = IDA, replacements: dict[int, str] | None = None) -> str:
    words = read_words(text, 0, len(text))
    return standalone(text, words, 0, len(words), speaker, replacements or {})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I have a plan", "Ida Brandt has a plan"),
        ("I'm sure of it", "Ida Brandt is sure of it"),
        ("I don't agree", "Ida Brandt doesn't agree"),
        ("I went home and my brother called me", "Ida Brandt went home and her brother called her"),
        ("I told Paul that my plan works", "Ida Brandt told Paul that Ida Brandt's plan works"),
        ("I think that fees are too high", "fees are too high"),
        ("I think that's a mistake", "that's a mistake"),
        ("the fee, I have to say, is fair", "the fee, is fair"),
        ("she said, I want to work", "she said, I want to work"),
        ("I think fees are too high", "fees are too high"),
        ("we must, you know, pay for it", "we must, pay for it"),
        ("we raised the fee", "we raised the fee"),
        ("if the -- if the fee falls, we lose", "if the fee falls, we lose"),
        ("it -- it -- he did call it a loss", "it -- he did call it a loss"),
        ("the the fee is very, very high", "the fee is very, very high"),
        ("we told you, Governor, that it fails", "we told you that it fails"),
        ("the fee, Senator Orr said, is high", "the fee, Senator Orr said, is high"),
    ],
)
def test_the_first_person_becomes_the_speaker(text: str, expected: str) -> None:
    assert alone(text) == expected


def test_without_a_known_speaker_the_first_person_stays() -> None:
    assert alone("I have a plan", speaker=None) == "I have a plan"


def test_a_name_that_tells_no_pronoun_is_written_again() -> None:
    assert alone("I paid my fee", speaker=Voice("Senator Orr")) == "Senator Orr paid Senator Orr's fee"


def test_the_first_person_of_a_quotation_stays() -> None:
    text = 'he told me: "I paid my fee"'
    words = read_words(text, 0, len(text))
    quoted = {at for at, word in enumerate(words) if word.start > text.index('"')}
    assert standalone(text, words, 0, len(words), IDA, {}, quoted) == 'he told Ida Brandt: "I paid my fee"'


def test_a_role_is_written_with_its_article() -> None:
    voices = voices_of(read_transcript("MODERATOR: Good evening.\nQUESTION: I have two jobs.\nORR: Yes.\n"))
    assert [voice.name for voice in voices.values()] == ["the moderator", "the questioner", "Orr"]
    assert alone("I have two jobs", speaker=voices["QUESTION"]) == "The questioner has two jobs"


@pytest.mark.parametrize(
    ("heard", "gender"),
    [("Thank you, Mr. Orr.", "male"), ("Anna Orr's plan.", "female"), ("Mr. Orr and Anna Orr.", ""), ("Orr.", "")],
)
def test_how_others_call_a_speaker_tells_the_pronoun_unless_they_disagree(heard: str, gender: str) -> None:
    assert voices_of(read_transcript(f"ORR: I agree.\nBELL: {heard}\n"))["ORR"].gender == gender


def test_committed_references_are_put_in() -> None:
    assert alone("he raised the fee", replacements={0: "Paul Orr"}) == "Paul Orr raised the fee"


def test_labels_in_capitals_read_as_names() -> None:
    assert speaker_name("SENATOR  ORR") == "Senator Orr"
    assert speaker_name("Ida Brandt") == "Ida Brandt"


@pytest.mark.parametrize(
    ("form", "tag", "expected"),
    [("go", "VBP", "goes"), ("try", "VBP", "tries"), ("went", "VBD", "went"), ("'ll", "MD", "will")],
)
def test_verbs_agree_with_a_name(form: str, tag: str, expected: str) -> None:
    assert third_person(form, tag) == expected
