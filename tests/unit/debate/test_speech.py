"""Speech without marks: sentences, capitals and questions are put back, and every place stays what it was."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from planvow.debate import analyse, public_result, read_transcript
from planvow.debate.analysis.reading import ParsedLanguage
from planvow.debate.speech.boundaries import _rules, _weights, gap_features, gap_scores
from planvow.debate.speech.case import Case, case_of, with_capitals
from planvow.debate.speech.restore import LONGEST, heard
from planvow.debate.words.lite import LiteParser
from renderings import CHOSEN, JUDGED, SPEECH, agreement, bare, claims, plain, talk

LITE = ParsedLanguage(LiteParser())
FORMS = list(SPEECH)


def sentences(text):
    return [hearing.text[slice(*span)] for hearing in heard(read_transcript(text).turns) for span in hearing.spans]


@pytest.mark.long
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("names", [CHOSEN, JUDGED], ids=["chosen", "judged"])
def test_bare_speech_gives_most_claims_of_the_clean_text(form, names):
    found = [agreement(claims(SPEECH[form](talk(name)), LITE), claims(plain(talk(name)), LITE)) for name in names]
    assert sum(found) / len(found) >= LEAST[names]


LEAST = {CHOSEN: 0.75, JUDGED: 0.7}


@pytest.mark.parametrize("name", [*CHOSEN, *JUDGED])
def test_a_restored_turn_is_as_long_as_the_given_one(name):
    turns = read_transcript(plain(bare(talk(name)))).turns
    for turn, hearing in zip(turns, heard(turns), strict=True):
        assert hearing.text.lower() == turn.text.lower()
        assert " ".join(hearing.text[slice(*span)] for span in hearing.spans).split() == hearing.text.split()


def test_text_with_marks_is_left_alone():
    turns = read_transcript(plain(talk("ferry"))).turns
    assert all(hearing.text == turn.text and not hearing.confidences for turn, hearing in zip(turns, heard(turns)))


def test_no_sentence_of_bare_speech_is_longer_than_people_speak():
    words = ["the", "old", "red", "house", "at", "the", "corner", "of", "a", "street"] * 40
    assert all(len(sentence.split()) <= LONGEST for sentence in sentences("ANN: " + " ".join(words)))


def test_a_number_in_words_is_never_cut():
    said = "the last mayor promised it in two thousand and twelve and then the money went to the stadium and now we pay"
    assert sum("two thousand and twelve" in sentence for sentence in sentences(f"ANN: {said} for it every day")) == 1


def test_every_claim_says_how_sure_its_ends_are():
    result = public_result(analyse(read_transcript(plain(bare(talk("ferry")))), LITE))
    sure = [claim["boundary_confidence"] for claim in result["claims"]]
    assert min(sure) < 0.9
    assert all(0 < confidence <= 1 for confidence in sure)
    clean = public_result(analyse(read_transcript(plain(talk("ferry"))), LITE))
    assert {claim["boundary_confidence"] for claim in clean["claims"]} == {1.0}


def test_text_is_as_given_and_only_the_stand_alone_text_has_capitals():
    text = "ANN: germany burned more coal in may and i think the wind was low it was the worst year since 1990"
    claims = public_result(analyse(read_transcript(text), LITE))["claims"]
    assert all(text[slice(*claim["span"])] == claim["text"] and claim["text"].islower() for claim in claims)
    assert any(claim["standalone_text"].startswith("Germany burned more coal in May") for claim in claims)


@pytest.mark.parametrize(
    ("said", "restored"),
    [
        ("i met anna in march", "I met Anna in March"),
        ("we may march on", "We may march on"),
        ("it fell. it rose.", "It fell. It rose."),
        ("i'm from france", "I'm from France"),
    ],
)
def test_capitals(said, restored):
    capitals = with_capitals(said)
    assert capitals[:1].upper() + capitals[1:] == restored


def test_how_a_transcript_is_written():
    words = "the ferry lost three million dollars last year"
    assert case_of([words]) is Case.LOWER
    assert case_of([words.upper()]) is Case.UPPER
    assert case_of([words.capitalize() + ". No One Denies It."]) is Case.MIXED


def test_capitals_of_captions_become_words():
    text = "ANN: THE FERRY LOST 3 MILLION DOLLARS LAST YEAR. GERMANY PAID FOR IT.\nBOB: THAT IS NOT TRUE AT ALL."
    result = public_result(analyse(read_transcript(text), LITE))
    assert "Germany paid for it" in [claim["standalone_text"] for claim in result["claims"]]
    assert all(text[slice(*claim["span"])] == claim["text"] for claim in result["claims"])


@pytest.mark.parametrize("asked", ["why should the ferry stay", "did they", "who says that", "so do you believe him"])
def test_questions_are_told_by_the_order_of_words(asked):
    rest = "the ferry lost 3 million dollars last year and nobody denies it"
    turns = read_transcript(f"ANN: {asked}\nBOB: {rest}\nANN: {rest}").turns
    assert [hearing.questions for hearing in heard(turns)] == [frozenset({0}), frozenset(), frozenset()]


def test_a_pause_ends_a_sentence():
    def cue(number, start, end, words):
        return f"{number}\n00:00:{start:02},000 --> 00:00:{end:02},000\n{words}\n"

    def cuts(gap):
        first = "they sold the old house with the big garden"
        text = "\n".join([cue(1, 1, 4, first), cue(2, 4 + gap, 9, "in the north one school has no teacher")])
        return [re.sub(r"\s+", " ", sentence) for sentence in sentences(text)]

    assert not any(sentence.endswith("garden") for sentence in cuts(0))
    assert any(sentence.endswith("garden") for sentence in cuts(3))


@pytest.mark.parametrize(
    "words",
    [
        "I'm not going to say to him, I'll give you more flexibility.",
        "I'm not going to tell people, stop eating eggs in this country.",
        "He told me, we will cut every pension in this country.",
        'She said, "Taxes will rise by 40 percent."',
    ],
)
def test_the_words_of_others_are_nobodys_claim(words):
    result = public_result(analyse(read_transcript(f"ROMNEY: {words}\nANN: Fees rose by 3 percent."), LITE))
    own = [claim["text"] for claim in result["claims"] if claim["speaker"] == "ROMNEY"]
    assert not any(text.startswith(("I'll", "I'm", "we will", "Taxes", "stop")) for text in own)


def test_one_sentence_without_its_full_stop_stays_one():
    said = "he is a man who has been accused of a serious crime and nobody asked where it ends"
    [hearing] = heard(read_transcript(f"ANN: {said}").turns)
    assert [hearing.text[start:end].lower() for start, end in hearing.spans] == [said]


def test_a_relative_clause_stays_with_the_noun_before_it_in_speech_without_marks():
    turns = read_transcript(
        "ann: we have a mayor who has been accused of a serious crime\nbob: the ferry lost 3 million dollars last year"
    ).turns
    assert heard(turns)[0].spans == [(0, len(turns[0].text))]


def test_turns_that_open_small_are_cut_after_full_stops_though_names_have_capitals():
    turns = read_transcript(
        "[12/03/24, 18:02] Maya: footfall is not sales. my uncle Toby lost a third\n"
        "[12/03/24, 18:03] Ines: page 9. sales were flat. neither up nor down\n"
        "[12/03/24, 18:04] Maya: who paid for it\n[12/03/24, 18:05] Ines: the Chamber did\n"
        "[12/03/24, 18:06] Maya: fair enough\n"
    ).turns
    assert [len(hearing.spans) for hearing in heard(turns)] == [2, 3, 1, 1, 1]


@pytest.mark.parametrize(
    "said",
    [
        "berlin tried it | listings fell by half within a year",
        "i drive the school bus | kids get off at mill street at half past three",
        "poor families cannot pay that | the state pays for 80 percent of bridges",
        "if we close it the islanders will lose their only doctor",
        "she's a nurse | how is she supposed to pay that",
        "you don't need a degree to see the problem | supply is the whole story",
    ],
)
def test_a_sentence_ends_where_a_new_subject_has_its_verb_and_not_inside_a_phrase(said: str) -> None:
    wanted = said.split(" | ")
    turns = read_transcript(f"A: {' '.join(wanted)}\nB: well they know it and nobody denies it\n").turns
    text, spans = turns[0].text, heard(turns)[0].spans
    assert [text[start:end] for start, end in spans] == wanted


def test_what_speaks_for_a_gap_is_rounded_once_whatever_the_python():
    text = "so we sold the van and the mill closed in the year when my father got ill it was a long winter"
    words = LiteParser().parse([(text, [(0, len(text))])])
    spoken = next(iter(words))[0]
    weights = _weights()
    exact = [float(sum(Fraction(weights.get(name, 0.0)) for name in features)) for features in gap_features(spoken)]
    scores = [weights["bias"] + known + _rules(spoken, gap) for gap, known in enumerate(exact, start=1)]
    assert gap_scores(spoken) == [0.0, *scores]
