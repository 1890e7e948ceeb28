"""Where two argue, "he", "my opponent" and a title are the other, as long as nobody else was named."""

import pytest

from open_references import left_open, plainly_open
from planvow.debate.analysis.reading import ParsedLanguage
from planvow.debate.readers.read import read_transcript
from planvow.debate.words.words import Parser

BEFORE = """MODERATOR: Welcome. Mr. Orr, is the harbour safe? Senator Orr? Senator Orr.
TOM ORR: The harbour is safe, and the harbour earned 3 million dollars last year.
"""


def texts(parser: Parser, talk: str) -> list[str]:
    readings = list(ParsedLanguage(parser).read(read_transcript(talk)))
    return [claim.standalone_text for claim in readings[-1].claims]


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("He voted against the harbour in 2019.", "Tom Orr voted against the harbour in 2019"),
        ("His harbour lost 3 million dollars in 2019.", "Tom Orr's harbour lost 3 million dollars in 2019"),
        ("My opponent voted against the harbour in 2019.", "Tom Orr voted against the harbour in 2019"),
        ("My opponent's harbour lost 3 million dollars.", "Tom Orr's harbour lost 3 million dollars"),
        ("The senator voted against the harbour in 2019.", "Tom Orr voted against the harbour in 2019"),
    ],
)
def test_the_only_opponent_is_meant(any_parser: Parser, said: str, written: str) -> None:
    found = texts(any_parser, f"{BEFORE}BEN KANE: {said}\n")
    assert [text.replace("Senator Orr", "Tom Orr") for text in found] == [written]  # either name will do


@pytest.mark.parametrize(
    "said",
    [
        "Peter Lund built the pier in 1990. He voted against the harbour in 2019.",
        "The pier belongs to Zoltan Vrabel. He voted against the harbour in 2019.",
        "Bin Vrabel built the pier in 1990. He voted against the harbour in 2019.",
        "She voted against the harbour in 2019.",
        "The senator from Ohio voted against the harbour in 2019.",
        "The governor voted against the harbour in 2019.",
    ],
)
def test_nobody_is_named_where_another_may_be_meant(any_parser: Parser, said: str) -> None:
    assert "Orr" not in texts(any_parser, f"{BEFORE}BEN KANE: {said}\n")[-1]


def test_with_three_who_argue_no_role_is_the_opponent(any_parser: Parser) -> None:
    third = "LENA MOE: The harbour fee rose by 40 percent in 2018.\n"
    assert texts(any_parser, f"{BEFORE}{third}BEN KANE: My opponent voted against the harbour in 2019.\n") == [
        "Ben Kane's opponent voted against the harbour in 2019"
    ]


def test_what_is_left_open_is_what_a_reader_of_the_claim_alone_cannot_tell() -> None:
    assert left_open("He voted against it in 2019") == ["He", "it"]
    assert left_open("Orr said he would resign", {"orr"}) == []
    assert left_open("It is important that the harbour pays") == []
    assert left_open("my opponent sold the harbour") == ["my opponent"]
    assert left_open("That was a loss of 3 million") == ["That"]
    assert left_open("You sold the harbour") == ["You"]
    assert plainly_open("Orr said he would resign")
    assert not plainly_open("The harbour lost 3 million")
