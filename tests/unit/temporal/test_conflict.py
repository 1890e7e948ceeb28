"""A conflict in the words of people."""

import pytest

from planvow.temporal import ORIGIN, Conflict, Stn
from planvow.temporal.durations import ticks_in_words


def conflict_of(*rows) -> Conflict:
    stn = Stn()
    for row in rows:
        found = stn.add(*row[:4], name=row[4], is_implied="implied" in row[5:])
        if found is not None:
            return found
    raise AssertionError("the times fit")


def test_implied_bounds_without_length_are_left_out_and_stated_ones_are_not():
    rows = [
        (ORIGIN, "a", 0, None, "from the start", "implied"),
        ("a", "b", 3_000_000, None, "cook"),
        ("b", "c", 0, None, "cook before serve"),
        ("c", "d", 4_000_000, None, "serve"),
        ("d", "e", 0, None, "inside", "implied"),
        (ORIGIN, "e", None, 5_000_000, "deadline"),
    ]
    found = conflict_of(*rows)
    assert found.for_people() == (
        "at least 2 seconds too late for: deadline (PT5S)\n    cook (PT3S)\n    cook before serve\n    serve (PT4S)"
        "\n    together PT7S"
    )
    assert set(found.names) == {row[4] for row in rows}


@pytest.mark.parametrize("stated_first", [True, False])
def test_what_was_stated_is_named_where_an_implied_bound_says_the_same(stated_first):
    same = [("a", "b", 0, None, "order", "implied"), ("a", "b", 0, None, "stated")]
    rows = [(ORIGIN, "a", 7, None, "late"), *(reversed(same) if stated_first else same)]
    assert conflict_of(*rows, (ORIGIN, "b", None, 5, "deadline")).names == ("deadline", "stated", "late")


def test_going_back_brings_the_implied_bound_back():
    stn = Stn()
    stn.add("a", "b", 0, None, name="order", is_implied=True)
    mark = stn.snapshot()
    stn.add("a", "b", 0, None, name="stated")
    stn.restore(mark)
    assert [row[3] for row in stn.bounds()] == ["order"]


@pytest.mark.parametrize(
    ("ticks", "words"),
    [
        (60_000_000, "1 minute"),
        (5_400_000_000, "1 hour 30 minutes"),
        (172_801_500_000, "2 days 1.5 seconds"),
        (1_000_000, "1 second"),
        (0, "0 seconds"),
        (-120_000_000, "minus 2 minutes"),
    ],
)
def test_ticks_are_said_in_words(ticks, words):
    assert ticks_in_words(ticks) == words
