"""What people say at counters, hearings and seminars: plain facts, concepts, limits of evidence, remarks, feelings."""

import pytest
from tests.unit.debate_language.test_reading import reading

from planvow.debate.claims.attitudes import judgements
from planvow.debate.claims.claim_types import classify
from planvow.debate.claims.everyday.plain import LIKELY
from planvow.debate.claims.everyday.remarks import is_remark
from planvow.debate.claims.modality import modality_cues
from planvow.debate.claims.unasserted import is_of_the_talk
from planvow.debate.readers.read import read_transcript
from planvow.debate.words.lite import read_words
from planvow.debate.words.sentences import split_sentences
from planvow.debate.words.words import Parser

DOUBTED = 0.1  # of being a fact, by the weights


def kind(text: str, p_factual: float = DOUBTED) -> str:
    words = read_words(text, 0, len(text))
    return classify(words, p_factual, 0.36, modality_cues(words)).claim_type


@pytest.mark.parametrize(
    "text",
    [
        "The old mill leaks every spring",
        "Half the lamps in that lane stay dark",
        "My daughter works in the bakery here",
        "I live next door to a quarry",
        "The kettle is on the lower shelf",
        "The tea is warmer now",
        "Half the lamps of that lane stay dark",
        "Owls hunt by sound",
    ],
)
def test_what_a_look_would_settle_is_a_fact(text: str) -> None:
    assert kind(text) == "empirical"
    assert kind(text, LIKELY / 2) == "unclassified"


@pytest.mark.parametrize(
    "text",
    [
        "Hope lives in every street",  # nothing to look at
        "You find a kettle on the lower shelf",  # nobody in particular
        "It leaks every spring",  # nobody knows what
        "The kettle seems wonderful to everybody here",
        "I never live next door to a quarry",
        "The lane to the mill is long",  # as one takes it
        "Car parks, to be precise",  # nothing is said of them
        "Our lamps, our kettles, our shelves",  # nor of them
        "The baker sells them in spring",  # what?
        "That makes the lane wet",  # what does?
        "The baker keeps this for the winter",
        "The lamps in the lane are plentiful",  # as one takes it
        "The baker spends every winter in silence",  # nothing to look at
        "Without lamps the lane leaks at night",  # one must know why
        "I have learned a lot in the bakery",  # no daily life
    ],
)
def test_what_no_look_would_settle_is_no_plain_fact(text: str) -> None:
    assert kind(text) != "empirical"


def test_of_the_business_of_state_the_weights_know_better() -> None:
    assert kind("The senate sits in the old mill", 0.35) == "unclassified"
    assert kind("The baker sits in the old mill", 0.35) == "empirical"


@pytest.mark.parametrize(
    "text",
    [
        "A forecast is not a promise",
        "Silence isn't consent",
        "A debt that nobody collects is a present",
        "When lawyers say nuisance they mean noise and smells",
        "What you call a discount is really a lower price",
        "Folklore covers more than old songs",
        "Pottery has nothing to do with age",
        "Strictly speaking, a lodger is not a tenant",
    ],
)
def test_concepts_are_told_apart(text: str) -> None:
    assert kind(text) == "conceptual"


@pytest.mark.parametrize("text", ["The mill is not a museum", "Our forecast is not a promise", "A mill is not cheap"])
def test_what_is_said_of_one_thing_is_no_concept(text: str) -> None:
    assert kind(text) != "conceptual"


@pytest.mark.parametrize(
    "text",
    [
        "To understand is to forgive",
        "Whatever begins can also end",
        "Grief without love is nothing",
        "Nobody is guilty of what they could not have prevented",
        "You cannot step outside your own mind",
        "Blame does not need knowledge",
    ],
)
def test_thoughts_about_everybody_are_philosophical(text: str) -> None:
    assert kind(text) == "philosophical"


def test_a_thought_that_another_voiced_is_a_report() -> None:
    assert kind("Anna says that nobody is guilty of what they could not have prevented") == "empirical"


@pytest.mark.parametrize(
    "text",
    [
        "You can't learn what people want from a leaflet",
        "It only tells you what the regulars think",
        "That doesn't prove that the pill works",
        "Two villages is not enough to conclude anything",
        "The number comes from the firm that makes the filter",
        "You only counted the cars that stopped",
        "They surveyed passengers who were already on the train",
        "She measured the noise on a Sunday",
        "Nobody kept a record of it",
        "You chose the one year in which it snowed",
        "The sensor was switched off at night",
        "The two counts are not like for like",
        "It could just as easily be the weather",
        "He is generalising from his own family",
    ],
)
def test_what_evidence_cannot_carry_is_told_by_its_construction(text: str) -> None:
    assert kind(text) == "methodological"


@pytest.mark.parametrize(
    "text", ["She chose the best colour", "They asked the baker for bread", "The bread comes from the mill in Holm"]
)
def test_the_same_verbs_of_other_things_speak_of_no_evidence(text: str) -> None:
    assert kind(text, 0.5) == "empirical"


@pytest.mark.parametrize(
    "text",
    [
        "That's a very good question",
        "Let's park that for now",
        "I'm coming to that",
        "There are two sides to this",
        "You're quite right",
        "My colleague has already covered most of it",
    ],
)
def test_remarks_on_the_talk_are_no_claims(any_parser: Parser, text: str) -> None:
    assert is_remark([word.text.lower() for word in read_words(text, 0, len(text))])
    _, readings = reading(any_parser, f"ORR: The mill closed in 1994.\nBELL: {text}.")
    assert readings[1].claims == ()


@pytest.mark.parametrize(
    "text",
    [
        "That's a good bridge",
        "You were right to close the mill",
        "My colleague has covered the roof with tin",
        "Let us stop the noise at night",
    ],
)
def test_what_looks_like_a_remark_and_says_more_is_none(text: str) -> None:
    assert not is_remark([word.text.lower() for word in read_words(text, 0, len(text))])


def test_a_saying_has_no_type(any_parser: Parser) -> None:
    assert kind("The ball is in their court", 0.7) == "unclassified"
    assert kind("The ball is in their garden", 0.7) == "empirical"


@pytest.mark.parametrize("text", ["Ask a man in a cast how he is.", "If you doubt it, stand there in November."])
def test_what_the_hearer_is_told_to_do_on_the_spot_is_no_claim(any_parser: Parser, text: str) -> None:
    _, readings = reading(any_parser, f"ORR: The mill closed in 1994.\nBELL: {text}")
    assert readings[1].claims == ()


@pytest.mark.parametrize("text", ["Imagine, they closed the mill in 1994", "Remember that the mill closed in 1994"])
def test_what_the_hearer_is_reminded_of_is_said(text: str) -> None:
    assert not is_of_the_talk(read_words(text, 0, len(text)))


def test_figures_outweigh_talk_of_what_evidence_can_carry() -> None:
    assert kind("The rise began two years before the law did", 0.8) == "empirical"
    assert kind("The rise began two years before the law did", 0.7) == "methodological"


def test_a_demand_in_the_same_form_stays_one() -> None:
    words = read_words("Close the lane to lorries at night", 0, 34)
    assert not is_of_the_talk(words)
    assert kind("Close the lane to lorries at night") == "normative"


@pytest.mark.parametrize(
    "text",
    [
        "It makes me uneasy to see it",
        "My heart sank at that",
        "I'm against the new road",
        "I don't accept that figure",
        "I find it hard to believe",
        "I have no sympathy with them",
        "We were heartbroken when it closed",
        "I dread the next vote",
    ],
)
def test_feelings_and_stands_are_told_by_their_construction(text: str) -> None:
    assert kind(text) == "introspective"


@pytest.mark.parametrize("text", ["It makes me a cake", "I find that mills close"])
def test_not_every_me_feels(text: str) -> None:
    assert kind(text) != "introspective"


@pytest.mark.parametrize(
    "text",
    ["The lady was wrong", "They were wrong about the mill", "There are two mills, to be fair", "It is all right"],
)
def test_who_is_mistaken_is_not_judged(text: str) -> None:
    words = read_words(text, 0, len(text))
    assert list(judgements(words, [word.text.lower() for word in words])) == []


@pytest.mark.parametrize("text", ["The vote was wrong", "She was wrong to close the mill", "The rule is unfair"])
def test_what_is_wrong_to_do_is_judged(text: str) -> None:
    assert kind(text) == "normative"


@pytest.mark.parametrize("text", ["Bakers need stronger wrists", "A loan you never have to pay back is a gift"])
def test_what_a_kind_of_thing_needs_is_no_demand(text: str) -> None:
    assert kind(text) != "normative"


@pytest.mark.parametrize("text", ["This town needs a baker", "Families need help", "USA needs a plan"])
def test_what_people_here_need_is_one(text: str) -> None:
    assert kind(text) == "normative"


def test_what_somebody_cannot_afford_is_no_demand() -> None:
    assert kind("She can't afford to live here") != "normative"
    assert kind("We can't afford to wait") == "normative"


def test_what_would_come_of_something_is_foretold_whatever_its_figures() -> None:
    assert kind("If we broke it, we'd owe them 19 million", 0.9) == "predictive"
    assert kind("If they close the mill, the baker goes") == "predictive"
    assert kind("If it rains, you get wet") != "predictive"


def test_a_quotation_of_several_sentences_stays_whole(any_parser: Parser) -> None:
    said = 'The clerk told us in 2019, "Watch the gate. It sticks in winter." And the mill closed in 2020.'
    transcript, readings = reading(any_parser, f"ORR: {said}")
    texts = [transcript.turns[0].text[slice(*claim.span)] for claim in readings[0].claims if claim.scope == "TURN"]
    assert texts == ['The clerk told us in 2019, "Watch the gate. It sticks in winter."', "the mill closed in 2020"]
    assert readings[0].claims[0].standalone_text == texts[0]


def test_a_quotation_that_goes_on_for_long_does_not(any_parser: Parser) -> None:
    much = "It sticks in winter when the frost is hard. " * 6
    transcript, readings = reading(any_parser, f'ORR: The clerk told us in 2019, "Watch the gate. {much}" It was sold.')
    first = transcript.turns[0].text[slice(*readings[0].claims[0].span)]
    assert first.startswith("The clerk told us")
    assert "winter" not in first


def test_a_month_keeps_its_stop_before_a_figure_only() -> None:
    said = "It came from Jan. The mill closed. It closed on Jan. 14 and burned."
    assert [said[a:b] for a, b in split_sentences(said)] == [
        "It came from Jan.",
        "The mill closed.",
        "It closed on Jan. 14 and burned.",
    ]


PHONE_IN = (
    "KAY: Good evening. First up is Ann in Holm. Ann, can you hear me? What did you want to say?\n"
    "ANN: Oh, hello, yes. Thank you for having me. My husband goes there three times a week, and it costs us "
    "eight pounds every time. A lane isn't a car park. We sold the van. What sort of people are we?\n"
    "KAY: Oh, Ann. Thank you. Next is Tim in Wick. Tim, do you disagree with her?\n"
    "TIM: I drive a van for the mill. The lane floods in spring. The council sold the car park to a friend in "
    "1994. Nobody asked the people who live there, and nobody told them what it would cost. The new owner put "
    "up a gate.\n"
    "KAY: Did he? What happened then? We are running out of time, so quickly, please. Thanks, everybody. It "
    "seems to me that lanes and gates bring out the best and the worst in people everywhere, and perhaps they "
    "always should, whatever towns may decide about them and whoever sits on the council when they do, for "
    "better or for worse.\n"
)


def test_a_host_who_says_much_presides_and_a_caller_who_thanks_does_not(any_parser: Parser) -> None:
    transcript, readings = reading(any_parser, PHONE_IN)
    claimed = {(transcript.turns[r.turn_index].speaker, c.standalone_text) for r in readings for c in r.claims}
    assert ("ANN", "A lane isn't a car park") in claimed
    assert not any("best and the worst" in text for _, text in claimed)


def test_a_verb_agrees_with_who_is_addressed(any_parser: Parser) -> None:
    _, readings = reading(
        any_parser,
        "PAUL ORR: The mill closed in 1994.\nBELL: Mr. Orr, you disagree with what the council said in 1994.",
    )
    assert [claim.standalone_text for claim in readings[1].claims] == [
        "Paul Orr disagrees with what the council said in 1994"
    ]


def test_an_article_is_small_inside_a_sentence(any_parser: Parser) -> None:
    talk = "THE FIRST MINISTER: The quota was set by the commission in 2014, not by me.\nORR: The mill closed in 1994."
    _, readings = reading(any_parser, talk)
    said = "The quota was set by the commission in 2014, not by the First Minister"
    assert [claim.standalone_text for claim in readings[0].claims] == [said]


def test_the_text_of_a_transcript_is_still_exact() -> None:
    transcript = read_transcript(PHONE_IN)
    assert all(PHONE_IN[slice(*turn.span)] == turn.text for turn in transcript.turns)
