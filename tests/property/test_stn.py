"""The incremental network against Floyd–Warshall from scratch."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from planvow.temporal import ORIGIN, Stn

POINTS = [ORIGIN, "a", "b", "c", "d", "e"]
bound = st.integers(-9, 9)


@st.composite
def constraints(draw, max_size=14):
    rows = []
    for i in range(draw(st.integers(0, max_size))):
        start, end = draw(st.sampled_from(POINTS)), draw(st.sampled_from(POINTS))
        lo, width = draw(st.none() | bound), draw(st.none() | st.integers(0, 9))
        hi = None if width is None else (lo if lo is not None else draw(bound)) + width
        rows.append((start, end, lo, hi, f"c{i}"))
    return rows


def edges_of(rows):
    for start, end, lo, hi, name in rows:
        if hi is not None:
            yield start, end, hi, name
        if lo is not None:
            yield end, start, -lo, name


def floyd_warshall(rows):
    """All-pairs distances, or None when there is a negative cycle."""
    infinity = float("inf")
    names = sorted({p for row in rows for p in row[:2]} | {ORIGIN})
    d = {(p, q): (0 if p == q else infinity) for p in names for q in names}
    for u, v, w, _ in edges_of(rows):
        d[u, v] = min(d[u, v], w)
    for k in names:
        for i in names:
            for j in names:
                d[i, j] = min(d[i, j], d[i, k] + d[k, j])
    if any(d[p, p] < 0 for p in names):
        return None
    return {pair: (None if w == infinity else w) for pair, w in d.items()}


@settings(max_examples=400, deadline=None)
@given(constraints())
def test_distances_equal_floyd_warshall_from_scratch(rows):
    stn, accepted = Stn(), []
    for row in rows:
        *bounds, name = row
        conflict = stn.add(*bounds, name=name)
        assert (conflict is None) == (floyd_warshall([*accepted, row]) is not None)
        if conflict is None:
            accepted.append(row)
    expected = floyd_warshall(accepted)
    assert expected is not None
    assert {pair: stn.distance(*pair) for pair in expected} == expected
    for point, (earliest, latest) in stn.windows().items():
        back = expected[point, ORIGIN]
        assert (earliest, latest) == (None if back is None else -back, expected[ORIGIN, point])
    times = stn.schedule()
    assert all(times[v] - times[u] <= w for u, v, w, _ in stn.bounds())


@settings(max_examples=300, deadline=None)
@given(constraints(), constraints(max_size=8))
def test_undo_restores_the_network(first, second):
    stn, same = Stn(), Stn()
    for *bounds, name in first:
        stn.add(*bounds, name=name)
        same.add(*bounds, name=name)
    mark = stn.snapshot()
    for *bounds, name in second:
        stn.add(*bounds, name=name)
    stn.restore(mark)
    assert stn == same
    assert stn.windows() == same.windows()


@settings(max_examples=300, deadline=None)
@given(constraints(max_size=12))
def test_a_conflict_names_a_contradicting_chain_of_which_nothing_can_be_left_out(rows):
    stn, accepted = Stn(), []
    for row in rows:
        *bounds, name = row
        conflict = stn.add(*bounds, name=name)
        if conflict is None:
            accepted.append(row)
            continue
        assert name in conflict.names
        sides = [(link.name, link.is_limit) for link in conflict.links]
        assert len(set(sides)) == len(sides)
        assert sum(link.bound for link in conflict.links) == -conflict.excess < 0
        named = [(r, is_limit) for r in [*accepted, row] for is_limit in (True, False) if (r[4], is_limit) in sides]
        assert floyd_warshall(_sides(named)) is None, "the named bounds alone do not contradict each other"
        for place in range(len(named)):
            rest = _sides(named[:place] + named[place + 1 :])
            assert floyd_warshall(rest) is not None, "one of the named bounds could be left out"
        return


def _sides(named):
    return [(r[0], r[1], None if is_limit else r[2], r[3] if is_limit else None, r[4]) for r, is_limit in named]


@settings(max_examples=300, deadline=None)
@given(constraints(), constraints(max_size=8))
def test_a_conflict_is_told_the_same_whatever_happens_to_the_network_afterwards(first, second):
    """The chain is kept as it was when the conflict was found, and walked through only when somebody asks."""
    early, late = Stn(), Stn()
    start = late.snapshot()
    told, found = [], []
    for *bounds, name in first:
        told.append(str(early.add(*bounds, name=name)))
        found.append(late.add(*bounds, name=name))
    late.restore(start)
    for *bounds, name in second:
        late.add(*bounds, name=name)
    assert [str(conflict) for conflict in found] == told
