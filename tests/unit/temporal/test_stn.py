"""The network on cases small enough to check by eye."""

from __future__ import annotations

import pytest

from planvow.errors import InputError
from planvow.temporal import (
    ORIGIN,
    Stn,
    before,
    during,
    equals,
    finishes,
    format_ticks,
    meets,
    overlaps,
    parse_duration,
    within,
)
from planvow.temporal import starts as starts_together


def test_an_empty_network_is_consistent_and_knows_only_the_origin():
    stn = Stn()
    assert len(stn) == 1
    assert stn.window(ORIGIN) == (0, 0)


def test_a_single_constraint_gives_the_window():
    stn = Stn()
    assert stn.add(ORIGIN, "a", 5, 9) is None
    assert stn.window("a") == (5, 9)


def test_a_second_constraint_on_a_pair_intersects():
    stn = Stn()
    stn.add(ORIGIN, "a", 0, 10)
    stn.add(ORIGIN, "a", 4, 20)
    assert stn.window("a") == (4, 10)


def test_an_empty_intersection_is_a_conflict_and_changes_nothing():
    stn = Stn()
    stn.add(ORIGIN, "a", 0, 3, name="early")
    before_adding = dict(stn.windows())
    conflict = stn.add(ORIGIN, "a", 5, 9, name="late")
    assert conflict is not None
    assert conflict.names == ("late", "early")
    assert conflict.excess == 2
    assert stn.windows() == before_adding


def test_a_long_cycle_is_named_by_its_constraints():
    stn = Stn()
    stn.add("a", "b", 3, None, name="cook")
    stn.add("b", "c", 4, None, name="serve")
    stn.add("x", "a", 1, None, name="unrelated")
    conflict = stn.add("a", "c", None, 6, name="deadline")
    assert conflict is not None
    assert set(conflict.names) == {"deadline", "cook", "serve"}
    assert conflict.excess == 1


def test_snapshots_nest():
    stn = Stn()
    stn.add(ORIGIN, "a", 0, 10)
    outer = stn.snapshot()
    stn.add("a", "b", 1, 2)
    inner = stn.snapshot()
    stn.add("b", "c", 1, 2)
    stn.restore(inner)
    assert len(stn) == 3
    stn.restore(outer)
    assert len(stn) == 2
    assert stn.window("a") == (0, 10)


def test_zero_is_a_legal_time():
    stn = Stn()
    assert stn.add(ORIGIN, "a", 0, 0) is None
    assert stn.window("a") == (0, 0)
    assert stn.add(ORIGIN, "a", 1, None) is not None


def test_a_shared_oven_pushes_the_second_dish_back():
    stn = Stn()
    for dish, minutes in (("bread", 40), ("pie", 30)):
        stn.add(f"{dish}.start", f"{dish}.end", minutes, minutes, name=f"bake {dish}")
        stn.add(ORIGIN, f"{dish}.start", 0, None)
    stn.add("bread.end", "pie.start", 0, None, name="one oven")
    assert stn.window("pie.start")[0] == 40
    assert stn.add(ORIGIN, "pie.end", None, 69, name="dinner") is not None
    assert stn.add(ORIGIN, "pie.end", None, 70, name="dinner") is None


def points(activity, side):
    return f"{activity}.{side}"


def times_satisfying(relation, a, b):
    """Whether the relation holds of two activities at fixed times."""
    stn = Stn()
    for name, (begin, end) in (("a", a), ("b", b)):
        stn.add(ORIGIN, f"{name}.start", begin, begin)
        stn.add(ORIGIN, f"{name}.end", end, end)
    return all(stn.add_constraint(c) is None for c in relation.constraints(points))


@pytest.mark.parametrize(
    ("relation", "holds", "fails"),
    [
        (before("a", "b"), ((0, 2), (2, 5)), ((0, 3), (2, 5))),
        (before("a", "b", gap=1), ((0, 2), (3, 5)), ((0, 2), (2, 5))),
        (meets("a", "b"), ((0, 2), (2, 5)), ((0, 2), (3, 5))),
        (overlaps("a", "b"), ((0, 3), (2, 5)), ((2, 5), (0, 3))),
        (during("a", "b"), ((1, 2), (0, 5)), ((0, 5), (1, 2))),
        (starts_together("a", "b"), ((0, 2), (0, 5)), ((0, 5), (0, 2))),
        (finishes("a", "b"), ((3, 5), (0, 5)), ((0, 5), (3, 5))),
        (equals("a", "b"), ((0, 5), (0, 5)), ((0, 5), (0, 4))),
    ],
    ids=lambda value: getattr(value, "kind", None),
)
def test_relations_have_the_right_signs(relation, holds, fails):
    assert times_satisfying(relation, *holds)
    assert not times_satisfying(relation, *fails)


ALLEN = {
    before: lambda a, b: a[1] <= b[0],
    meets: lambda a, b: a[1] == b[0],
    overlaps: lambda a, b: a[0] <= b[0] <= a[1] <= b[1],
    during: lambda a, b: b[0] <= a[0] and a[1] <= b[1],
    starts_together: lambda a, b: a[0] == b[0] and a[1] <= b[1],
    finishes: lambda a, b: a[1] == b[1] and b[0] <= a[0],
    equals: lambda a, b: a == b,
}


@pytest.mark.parametrize("relation", ALLEN, ids=lambda relation: relation.__name__)
def test_a_relation_holds_of_exactly_the_times_it_speaks_of(relation):
    spans = [(begin, end) for begin in range(4) for end in range(begin, 4)]
    for a in spans:
        for b in spans:
            assert times_satisfying(relation("a", "b"), a, b) == ALLEN[relation](a, b), (a, b)


def test_within_ties_an_activity_to_the_clock():
    stn = Stn()
    stn.add("a.start", "a.end", 5, 5)
    for constraint in within("a", start=10, end=20).constraints(points):
        assert stn.add_constraint(constraint) is None
    assert stn.window("a.start") == (10, 15)


@pytest.mark.parametrize(
    ("text", "ticks"),
    [
        ("PT1S", 1_000_000),
        ("PT1H30M", 5_400_000_000),
        ("P2D", 172_800_000_000),
        ("PT0.5S", 500_000),
        ("-PT1S", -1_000_000),
        ("P1W", 604_800_000_000),
    ],
)
def test_iso_durations_are_read_exactly(text, ticks):
    assert parse_duration(text) == ticks
    assert parse_duration(format_ticks(ticks)) == ticks


@pytest.mark.parametrize("text", ["PTxyz", "P", "PT", "", "P1Y", "P1M", "1h", "PT0.0000001S", None, 1.5, True])
def test_what_is_no_duration_is_refused(text):
    with pytest.raises(InputError):
        parse_duration(text)
