"""Statements about the same things that cannot both be so, and what is shown of the relations between claims."""

from dataclasses import replace

import pytest

from planvow.debate.analysis.reading import ParsedLanguage
from planvow.debate.readers.read import read_transcript
from planvow.debate.relations.contradiction import contradiction
from planvow.debate.relations.relations import Proposition, proposition
from planvow.debate.scoring.model import Table, shipped_table
from planvow.debate.terms.language import TurnReading
from planvow.debate.words.lite import LiteParser
from planvow.debate.words.words import Parser

TALK = "ANNA: {}\nBEN: {}\n"


def said(parser: Parser, text: str) -> Proposition:
    (sentences,) = parser.parse([(text, [(0, len(text))])])
    return proposition(sentences[0], role="CLAIM", speaker="", turn=0, sentence=0)


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        ("The bridge repair cost 40 million.", "The bridge repair cost 60 million.", "gives another number: 60"),
        ("The city repaired the bridge.", "The city never repaired the bridge.", "denies it"),
        ("Rents in the city are high.", "Rents in the city are low.", "says the opposite: 'low'"),
        ("The city has more nurses.", "The city has fewer nurses.", "says the opposite: 'fewer'"),
    ],
)
def test_what_cannot_both_be_so_contradicts(any_parser: Parser, one: str, other: str, reason: str) -> None:
    found = contradiction(said(any_parser, other), said(any_parser, one))
    assert found is not None
    assert reason in found.reason


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The bridge repair cost 40 million.", "The bridge repair took 3 years."),  # other things are counted
        ("The bridge repair cost 40 million.", "The bridge repair cost 40 million."),
        # money is no thing they speak of
        ("The city spent 14 million dollars on lanes.", "The line will cost 310 million dollars."),
        ("Rents in the city are low.", "Rents in the city are not high."),  # turned round twice
        ("The city repaired the bridge.", "The river is not deep."),  # about something else
        ("The city repaired the bridge.", "If the city had not repaired the bridge, it would be gone."),  # supposed
        ("The city repaired the bridge.", "The city repaired the old bridge in May."),
    ],
)
def test_what_can_both_be_so_does_not(any_parser: Parser, one: str, other: str) -> None:
    assert contradiction(said(any_parser, other), said(any_parser, one)) is None


def read(talk: str, table: Table | None = None) -> list[TurnReading]:
    return list(ParsedLanguage(LiteParser(), table).read(read_transcript(talk)))


def test_a_speaker_who_gives_another_number_rebuts() -> None:
    talk = TALK.format("The bridge repair cost 40 million.", "The bridge repair cost 60 million.")
    (found,) = read(talk)[1].relations
    assert found.kind == "REBUTTAL"
    assert "gives another number: 60 against 40 million" in found.reasons[0]


REASONED = "ANNA: We should close the harbour because the harbour lost 3 million dollars last year. The town is poor.\n"


def test_what_is_below_the_threshold_is_possible_and_no_more() -> None:
    table = shipped_table("lite")
    sure, unsure = (
        replace(table, models={**table.models, "supports": replace(table["supports"], threshold=threshold)})
        for threshold in (0.0, 1.1)
    )
    (shown,) = read(REASONED, sure)
    (hidden,) = read(REASONED, unsure)
    assert shown.relations
    assert not shown.possible
    assert not hidden.relations
    assert hidden.possible == shown.relations


def test_a_table_without_those_models_shows_all_it_draws() -> None:
    table = shipped_table("lite")
    older = replace(table, models={name: m for name, m in table.models.items() if name not in ("supports", "rebuts")})
    (found,) = read(REASONED, older)
    assert found.relations
    assert not found.possible
