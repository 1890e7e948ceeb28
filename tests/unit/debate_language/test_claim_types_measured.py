"""M16 at sample size: all eight types on own sentences, on the half no rule was chosen on (`bench/debate_types.py`)."""

import pytest

from claim_types import TYPES, agreed, by_type, everything, later, types_of
from planvow.debate.words.lite import LiteParser

GATE = 0.4


@pytest.fixture(scope="module")
def judged() -> dict[str, float]:
    half = [row for row in agreed() if not row.is_for_tuning]
    found = types_of(LiteParser(), [row.sentence for row in half])
    return by_type(list(zip(found, [row.first for row in half], strict=True)))


@pytest.mark.parametrize("kind", TYPES)
def test_every_type_is_found_in_sentences_no_rule_was_chosen_on(judged: dict[str, float], kind: str) -> None:
    assert judged[kind] >= GATE


def test_the_sentences_were_labelled_twice_and_nearly_alike() -> None:
    rows = everything()
    assert len(rows) >= 300
    assert len({row.sentence for row in rows}) == len(rows)
    assert sum(row.first == row.second for row in rows) == 332


@pytest.mark.parametrize("written", ["last", "newest"])
def test_most_sentences_written_apart_from_the_rules_are_read_as_meant(written: str) -> None:
    rows = later(written)
    found = types_of(LiteParser(), [sentence for _, sentence in rows])
    assert sum(kind == wanted for kind, (wanted, _) in zip(found, rows, strict=True)) >= 0.6 * len(rows)
