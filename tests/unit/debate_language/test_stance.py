"""Who agrees does not rebut, even when the sentence that says so is no claim; who denies does."""

import pytest

import stances
from planvow.debate.analysis.reading import ParsedLanguage
from planvow.debate.readers.read import read_transcript
from planvow.debate.relations.stance import agrees_with, stance_of, towards
from planvow.debate.terms.language import RelationReading
from planvow.debate.words.words import Parser
from stances import Pair


def answers(parser: Parser, pair: Pair) -> list[RelationReading]:
    """The relations from the second speaker's words to the first one's, those that are only possible as well."""
    transcript = read_transcript(f"ANNA: {pair.said}\nBEN: {pair.answer}\n")
    readings = ParsedLanguage(parser).read(transcript)
    found = [relation for reading in readings for relation in (*reading.relations, *reading.possible)]
    return [relation for relation in found if relation.target.turn_index == 0 != relation.source.turn_index]


def rebutted(parser: Parser, pairs: list[Pair]) -> float:
    kinds = [{relation.kind for relation in answers(parser, pair)} for pair in pairs]
    return sum("REBUTTAL" in kind for kind in kinds) / len(pairs)


@pytest.mark.long
@pytest.mark.parametrize(
    "name", ["AGREEMENTS_DEVELOPED", "AGREEMENTS_SECOND", "AGREEMENTS_HELD_OUT", "AGREEMENTS_LATER"]
)
def test_at_most_one_agreement_in_twenty_is_a_rebuttal(any_parser: Parser, name: str) -> None:
    assert rebutted(any_parser, getattr(stances, name)) <= 0.05


@pytest.mark.parametrize(
    ("name", "least"), [("DENIALS_DEVELOPED", 22 / 24), ("DENIALS_SECOND", 20 / 24), ("DENIALS_HELD_OUT", 15 / 20)]
)
def test_denials_are_rebuttals(any_parser: Parser, name: str, least: float) -> None:
    assert rebutted(any_parser, getattr(stances, name)) >= least


def test_an_agreement_that_is_no_claim_makes_what_follows_a_support(any_parser: Parser) -> None:
    pair = Pair("The euro is stable.", "She's right. The euro has kept its value for twenty years.")
    (found,) = answers(any_parser, pair)
    assert found.kind == "SUPPORT"
    assert found.reasons[0] == 'agrees with the other speaker: "she\'s right"'


def test_who_shows_no_stance_argues_neither_for_nor_against(any_parser: Parser) -> None:
    pair = Pair("The euro is stable.", "The euro was introduced in twelve countries in 2002.")
    assert answers(any_parser, pair) == []


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("He's right.", "agree"),
        ("Well, I agree with that.", "agree"),
        ("I don't disagree.", "agree"),
        ("I couldn't agree more.", "agree"),
        ("Yes, but it costs too much.", "agree"),
        ("It did.", "agree"),
        ("I do not agree.", "deny"),
        ("She is not right.", "deny"),
        ("That’s simply false.", "deny"),
        ("No, it doesn't.", "deny"),
        ("If that is right, we lose.", ""),
        ("Is that right?", ""),
        ("The right to vote is sacred.", ""),
        ("It is right to help them.", ""),
        ("The market is right.", ""),
        ("We turned right at the mill.", ""),
    ],
)
def test_a_sentence_takes_a_stance_or_none(sentence: str, kind: str) -> None:
    assert stance_of(sentence).kind == kind


@pytest.mark.parametrize(("sentence", "kind"), [("Of course they can.", "deny"), ("No, they can't.", "agree")])
def test_an_echo_of_a_denial_turns_round(sentence: str, kind: str) -> None:
    assert towards(stance_of(sentence), is_denial=True).kind == kind
    assert towards(stance_of(sentence), is_denial=False).kind != kind
    assert towards(stance_of("I agree."), is_denial=True).kind == "agree"


def test_agreement_is_with_whoever_is_named_or_spoke_before() -> None:
    assert agrees_with(stance_of("I agree with Anna."), "ANNA BELL", before="CARL")
    assert agrees_with(stance_of("I agree."), "CARL", before="CARL")
    assert not agrees_with(stance_of("I agree with Anna."), "DORA", before="CARL")


def test_agreement_ends_where_it_turns(any_parser: Parser) -> None:
    talk = "You are right. The fee rose by 12 percent. But the fee does not pay for the harbour, and families leave."
    kinds = {r.source.claim_index: r.kind for r in answers(any_parser, Pair("The fee pays for the harbour.", talk))}
    assert "REBUTTAL" in kinds.values()
    assert kinds.get(0) != "REBUTTAL"
