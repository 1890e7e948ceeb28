"""Whom "you" means: somebody called by name, or the only opponent just answered; else nobody."""

import pytest

from planvow.debate.analysis.reading import ParsedLanguage
from planvow.debate.readers.read import read_transcript
from planvow.debate.words.words import Parser

BEFORE = """MODERATOR: Welcome. Ms. Orr, is the harbour safe?
ANNA ORR: The harbour is safe, and the harbour earned 3 million dollars last year.
"""


def texts(parser: Parser, talk: str) -> list[str]:
    readings = list(ParsedLanguage(parser).read(read_transcript(talk)))
    return [f"{claim.standalone_text}." for claim in readings[-1].claims]  # a claim ends before the mark


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("You voted against the harbour in 2019.", "Anna Orr voted against the harbour in 2019."),
        ("You said we should not have a timeline.", "Anna Orr said we should not have a timeline."),
        ("You have raised the harbour fee by 40 percent.", "Anna Orr has raised the harbour fee by 40 percent."),
        ("Your record shows a loss of 3 million dollars.", "Anna Orr's record shows a loss of 3 million dollars."),
    ],
)
def test_the_only_opponent_just_answered_is_meant(any_parser: Parser, said: str, written: str) -> None:
    assert texts(any_parser, f"{BEFORE}BEN KANE: {said}\n") == [written]


@pytest.mark.parametrize(
    "said",
    [
        "If you raised the harbour fee by 40 percent, the harbour lost 3 million dollars.",
        "You know the harbour lost 3 million dollars in 2019.",
        "You need 3 million dollars for a harbour of this size.",
        "Your children pay 40 percent more for the harbour.",
    ],
)
def test_what_is_said_to_everybody_stays(any_parser: Parser, said: str) -> None:
    (written,) = texts(any_parser, f"{BEFORE}BEN KANE: {said}\n")
    assert "Orr" not in written


def test_among_three_only_who_is_called_is_meant(any_parser: Parser) -> None:
    third = "CARL MOOR: The harbour lost 2 million dollars in 2018.\n"
    said = "You voted against the harbour in 2019."
    assert texts(any_parser, f"{BEFORE}{third}BEN KANE: {said}\n") == [said]
    called = texts(any_parser, f"{BEFORE}{third}BEN KANE: Ms. Orr, you voted against the harbour in 2019.\n")
    assert called == ["Anna Orr voted against the harbour in 2019."]


def test_who_asked_in_between_is_not_taken_for_the_opponent(any_parser: Parser) -> None:
    asked = "MODERATOR: Mr. Kane, what do you say?\n"
    said = "You raised the harbour fee by 40 percent in 2019."
    assert texts(any_parser, f"{BEFORE}{asked}BEN KANE: {said}\n") == [said]
