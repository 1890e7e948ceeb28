"""The incremental network against Floyd–Warshall from scratch, and against enumeration of all cycles."""

from __future__ import annotations

from itertools import permutations

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


def fewest_edges_of_a_negative_cycle(rows):
    """By enumeration: the number of bounds in the shortest negative cycle."""
    best = {}
    for u, v, w, _ in edges_of(rows):
        best[u, v] = min(w, best.get((u, v), w))
    names = sorted({p for pair in best for p in pair})
    for size in range(1, len(names) + 1):
        for cycle in permutations(names, size):
            steps = list(zip(cycle, (*cycle[1:], cycle[0]), strict=True))
            if all(step in best for step in steps) and sum(best[step] for step in steps) < 0:
                return size
    return None


@settings(max_examples=300, deadline=None)
@given(constraints(max_size=12))
def test_a_conflict_names_a_shortest_contradicting_chain(rows):
    stn, accepted = Stn(), []
    for row in rows:
        *bounds, name = row
        conflict = stn.add(*bounds, name=name)
        if conflict is None:
            accepted.append(row)
            continue
        chain = [r for r in [*accepted, row] if r[4] in conflict.names]
        assert name in conflict.names
        assert floyd_warshall(chain) is None, "the named constraints alone do not contradict each other"
        shortest = fewest_edges_of_a_negative_cycle([*accepted, row])
        assert shortest is not None
        assert len(conflict.names) <= shortest
        return
