"""A whole transcript is read turn by turn, with every span in its place."""

import pytest

from planvow.debate.analysis.reading import ParsedLanguage
from planvow.debate.readers.read import read_transcript
from planvow.debate.relations.linking import one_way
from planvow.debate.terms.language import ClaimKey, RelationReading, TurnReading, resolution_status
from planvow.debate.terms.transcript import Transcript
from planvow.debate.words.lite import LiteParser
from planvow.debate.words.words import Parser

TALK = (
    "MODERATOR: Good evening and welcome. Mr. Orr, what about the harbour?\n"
    "PAUL ORR: The harbour cost 40 million dollars in 1994, and traffic fell by 12 percent. "
    "We should close it because it loses money.\n"
    "IDA BRANDT: But that is wrong. His figures come from one year. "
    "Traffic rose by 30 percent between 1995 and 1999. I think we can do better.\n"
)


def reading(parser: Parser, text: str = TALK) -> tuple[Transcript, list[TurnReading]]:
    transcript = read_transcript(text)
    return transcript, list(ParsedLanguage(parser).read(transcript))


def test_every_turn_is_read_and_every_word_lies_in_a_sentence(any_parser: Parser) -> None:
    transcript, readings = reading(any_parser)
    assert [r.turn_index for r in readings] == [turn.turn_index for turn in transcript.turns]
    for turn, found in zip(transcript.turns, readings, strict=True):
        left = list(turn.text)
        for sentence in found.sentences:
            left[slice(*sentence.span)] = " " * (sentence.span[1] - sentence.span[0])
        assert "".join(left).strip() == ""


def test_claims_have_exact_spans_types_and_scores(any_parser: Parser) -> None:
    transcript, readings = reading(any_parser)
    claims = {transcript.turns[r.turn_index].text[slice(*c.span)]: c for r in readings for c in r.claims}
    assert claims["Traffic rose by 30 percent between 1995 and 1999"].claim_type == "empirical"
    assert claims["We should close it"].claim_type == "normative"
    assert claims["it loses money"].role == "PREMISE"
    assert all(0 <= c.confidence <= 1 and 0 <= c.check_worthiness <= 1 and c.reasons for c in claims.values())


def test_questions_and_housekeeping_are_not_claims(any_parser: Parser) -> None:
    _, readings = reading(any_parser)
    assert readings[0].claims == ()
    assert "question" in [sentence.kind for sentence in readings[0].sentences]


PRESIDED = (
    "KAY: Good evening and welcome to the debate. I am Ida Kay from the Harbour Post. Each candidate has two minutes. "
    "We will begin with the harbour. The fee rose by 12 percent last year. Mr. Orr, would you keep it?\n"
    "ORR: I would cut the fee, because families are leaving the town. The harbour lost 40 million dollars in 1995. "
    "The mill closed in the same year, and four hundred people lost their jobs. My opponent voted for all of it. "
    "A town that charges its own children for crossing a bridge has lost its way. The council knew the figures, and it "
    "hid them for two years. I found the report in a drawer, and I published it. That is how the fee became known.\n"
    "KAY: Thank you. Mr. Bell, your response?\n"
    "BELL: The mill was old. Nobody wanted to buy what it made, and the council paid for it for eleven years. "
    "We must keep the fee, because the roads are bad. Traffic rose by 30 percent between 1995 and 1999.\n"
    "KAY: We are out of time. Thank you both.\n"
)


def test_of_whoever_presides_only_what_can_be_checked_is_a_claim(any_parser: Parser) -> None:
    transcript, readings = reading(any_parser, PRESIDED)
    said = {(transcript.turns[r.turn_index].speaker, c.standalone_text) for r in readings for c in r.claims}
    assert [text for speaker, text in said if speaker == "KAY"] == ["The fee rose by 12 percent last year"]
    assert ("BELL", "The mill was old") in said


def test_few_words_show_who_presides_when_most_of_them_run_the_talk(any_parser: Parser) -> None:
    turns = PRESIDED.splitlines()
    short = "KAY: Good evening. Each side has two minutes. The mill was old."
    _, readings = reading(any_parser, "\n".join([short, turns[1], turns[2], turns[3]]))
    assert readings[0].claims == ()
    idle = "KAY: Taxes are too high. The harbour is old. The mill was older. Would you keep it?"
    _, readings = reading(any_parser, "\n".join([idle, turns[1], turns[3]]))
    assert len(readings[0].claims) == 3


@pytest.mark.parametrize("label", ["MODERATOR", "QUESTION", "HOST"])
def test_a_role_for_a_name_tells_who_presides(any_parser: Parser, label: str) -> None:
    text = f"{label}: I want to move on to the harbour.\nORR: I want to cut the fee because families are leaving.\n"
    _, readings = reading(any_parser, text)
    assert [len(r.claims) > 0 for r in readings] == [False, True]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Could you tell us what the harbour cost.", "question"),
        ("Mr. Orr, what did you do with the money.", "question"),
        ("He actually got --", "filler"),
        ("We ran the --", "filler"),
        ("We're --", "filler"),
    ],
)
def test_questions_without_a_mark_and_broken_starts_claim_nothing(any_parser: Parser, text: str, kind: str) -> None:
    _, readings = reading(any_parser, f"ORR: The fee fell by 12 percent in 1994.\nBELL: {text}\n")
    assert [(r.kind, readings[1].claims) for r in readings[1].sentences] == [(kind, ())]


def test_figures_rank_above_opinions(any_parser: Parser) -> None:
    transcript, readings = reading(any_parser)
    worth = {
        transcript.turns[r.turn_index].text[slice(*c.span)]: c.check_worthiness for r in readings for c in r.claims
    }
    assert worth["Traffic rose by 30 percent between 1995 and 1999"] > worth["We should close it"]


def test_his_in_the_next_turn_points_to_the_speaker_before(any_parser: Parser) -> None:
    _, readings = reading(any_parser, "PAUL ORR: The harbour is old.\nIDA BRANDT: His view is narrow.\n")
    his = next(reference for reference in readings[1].references if reference.surface == "His")
    assert his.candidates[0].text == "Paul Orr"
    assert his.candidates[0].score >= 0.7


def test_this_points_to_the_claim_before_it(any_parser: Parser) -> None:
    _, readings = reading(any_parser, "PAUL ORR: The harbour lost 40 million dollars in 1994. This was a scandal.\n")
    this = next(reference for reference in readings[0].references if reference.surface == "This")
    assert this.kind == "DEMONSTRATIVE"
    assert this.candidates[0].kind == "CLAIM"
    assert this.candidates[0].text == "The harbour lost 40 million dollars in 1994"
    assert resolution_status([c.score for c in this.candidates]) == "TENTATIVE"


def test_relations_point_to_claims_already_read(any_parser: Parser) -> None:
    _, readings = reading(any_parser)
    counts = {r.turn_index: len(r.claims) for r in readings}
    relations = [relation for r in readings for relation in r.relations]
    assert relations
    for relation in relations:
        assert relation.source.claim_index < counts[relation.source.turn_index]
        assert relation.target.claim_index < counts[relation.target.turn_index]
        assert relation.target.turn_index <= relation.source.turn_index
        assert relation.source != relation.target


def test_the_reason_supports_what_it_is_given_for(spacy_parser: Parser) -> None:
    _, readings = reading(spacy_parser, "PAUL ORR: We should close the harbour because it loses money every year.\n")
    (relation,) = readings[0].relations
    assert relation.kind == "SUPPORT"
    assert (relation.source.claim_index, relation.target.claim_index) == (1, 0)


def test_a_quotation_and_a_supposition_are_marked(any_parser: Parser) -> None:
    quoted = '"The harbour lost 40 million dollars in 1994."'
    text = f"PAUL ORR: {quoted} Suppose the harbour had lost 80 million dollars in 1994.\n"
    _, readings = reading(any_parser, text)
    assert [claim.scope for claim in readings[0].claims] == ["QUOTE", "HYPOTHETICAL"]


def test_a_quotation_lasts_until_its_closing_mark(any_parser: Parser) -> None:
    text = (
        'PAUL ORR: A nurse told me, "I lost 40 percent of my pension in 1994. I have three jobs in two towns." '
        "I cut the fee by 12 percent in 1996.\n"
    )
    _, readings = reading(any_parser, text)
    found = [(claim.scope, claim.standalone_text) for claim in readings[0].claims]
    assert ("QUOTE", "I have three jobs in two towns") in [(scope, said.strip('".')) for scope, said in found]
    assert found[-1] == ("TURN", "Paul Orr cut the fee by 12 percent in 1996")


def test_stand_alone_text_names_the_speaker(any_parser: Parser) -> None:
    _, readings = reading(any_parser, "PAUL ORR: I built 40 houses in 1994.\n")
    assert readings[0].claims[0].standalone_text == "Paul Orr built 40 houses in 1994"


@pytest.mark.parametrize("text", ["A: .\nB: ?!\n", "A: 😀 😀\nB: مرحبا بالعالم.\n", "A: " + "x" * 5000 + "\n"])
def test_odd_words_are_read_without_complaint(any_parser: Parser, text: str) -> None:
    transcript, readings = reading(any_parser, text)
    assert len(readings) == len(transcript.turns)


def test_reading_twice_gives_equal_values(any_parser: Parser) -> None:
    assert reading(any_parser)[1] == reading(any_parser)[1]


def test_the_back_end_names_itself() -> None:
    language = ParsedLanguage(LiteParser())
    assert language.name == "lite"
    assert "weights" in language.version


def test_he_is_not_resolved_to_a_woman_or_to_a_plural_thing(any_parser: Parser) -> None:
    _, readings = reading(any_parser, "MARY ORR: Taxes fell last year.\nTOM BELL: His figures are wrong.")
    (his,) = (reference for reference in readings[1].references if reference.surface == "His")
    assert his.candidates == ()


def test_but_turns_against_what_the_other_speaker_said(any_parser: Parser) -> None:
    text = "ANN: Taxes fell by 2% last year.\nBOB: Those figures are wrong. But taxes rose by 2%."
    _, readings = reading(any_parser, text)
    found = [r for r in readings[1].relations if r.source == (1, 1)]
    assert [(r.kind, r.target) for r in found] == [("REBUTTAL", (0, 0))]


ANSWERED = "ORR: The harbour lost 40 million dollars in 1995. The bridge was old.\nBELL: {}\n"


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("No, the harbour earned 12 million dollars in 1995.", "REBUTTAL"),
        ("That is not what the harbour lost in 1995.", "REBUTTAL"),
        ("There is no doubt that taxes rose in 1990.", None),
        ("If that was wrong, taxes rose in 1990.", None),
        ("Taxes rose by 30 percent in 1990.", None),
    ],
)
def test_only_words_show_that_one_speaker_answers_another(any_parser: Parser, answer: str, kind: str | None) -> None:
    _, readings = reading(any_parser, ANSWERED.format(answer))
    across = [relation for relation in readings[1].relations if relation.target.turn_index == 0]
    assert [(relation.kind, relation.target) for relation in across] == ([(kind, (0, 0))] if kind else [])


def test_whoever_presides_is_nobodys_opponent(any_parser: Parser) -> None:
    text = (
        "MODERATOR: The harbour lost 40 million dollars in 1995.\nORR: The harbour earned 12 million dollars in 1995.\n"
    )
    _, readings = reading(any_parser, text)
    assert [len(r.claims) for r in readings] == [1, 1]
    assert readings[1].relations == ()


@pytest.mark.parametrize("text", ["But the plan is cheap.", "Taxes are too high.", "The bridge closes every winter."])
def test_a_short_plain_statement_is_a_claim(any_parser: Parser, text: str) -> None:
    _, readings = reading(any_parser, f"ANN: We need a plan.\nBOB: {text}")
    assert len(readings[1].claims) == 1


def test_no_two_claims_argue_for_each_other() -> None:
    def relation(source: int, target: int, confidence: float) -> RelationReading:
        ends = {"source": ClaimKey(0, source), "target": ClaimKey(0, target)}
        return RelationReading(kind="SUPPORT", confidence=confidence, **ends)

    kept = one_way(
        [relation(0, 1, 0.4), relation(1, 0, 0.6), relation(2, 0, 0.3), relation(3, 4, 0.5), relation(4, 3, 0.5)]
    )
    assert [(r.source.claim_index, r.target.claim_index) for r in kept] == [(1, 0), (2, 0), (4, 3)]
