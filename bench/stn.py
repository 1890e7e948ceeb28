"""The temporal network against the same question asked from scratch.

A network of 200 points grows by one constraint at a time; after each the question is "still consistent?". Three ways
answer it in one run: ours (incremental), Floyd–Warshall from scratch in Python, scipy's shortest paths from scratch.
CPU seconds of this process; ratios are what counts. Gates: at least 50 times cheaper per constraint than
Floyd–Warshall and 4 times cheaper than scipy at 200 points.

    python bench/stn.py [--json FILE]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from pathlib import Path

from planvow.temporal import ORIGIN, Stn

POINTS = 200
GATE_FLOYD, GATE_SCIPY = 50.0, 4.0


def rows(points: int, extra: int) -> list[tuple[str, str, int, int]]:
    """A chain of tasks with durations, and further constraints between near neighbours; all derived from a hash."""

    def number(*key: object) -> int:
        return int.from_bytes(hashlib.sha256(repr(key).encode()).digest()[:4], "big")

    names = [ORIGIN, *(f"p{i}" for i in range(1, points))]
    chain = [(names[i], names[i + 1], 1 + number("lo", i) % 9, 20 + number("hi", i) % 9) for i in range(points - 1)]
    cross = []
    for k in range(extra):
        i = number("at", k) % (points - 12)
        j = i + 2 + number("to", k) % 10
        cross.append((names[i], names[j], (j - i) * (4 + number("low", k) % 9), (j - i) * 18 + number("width", k) % 40))
    return [*chain, *cross]


def ours(data: list[tuple[str, str, int, int]], last: int) -> float:
    stn = Stn()
    for start, end, lo, hi in data[:-last]:
        assert stn.add(start, end, lo, hi) is None
    begin = time.process_time()
    for start, end, lo, hi in data[-last:]:
        assert stn.add(start, end, lo, hi) is None
    return (time.process_time() - begin) / last


def edges(data: list[tuple[str, str, int, int]]) -> dict[tuple[str, str], int]:
    best: dict[tuple[str, str], int] = {}
    for start, end, lo, hi in data:
        best[start, end] = min(hi, best.get((start, end), hi))
        best[end, start] = min(-lo, best.get((end, start), -lo))
    return best


def floyd_warshall(data: list[tuple[str, str, int, int]]) -> float:
    begin = time.process_time()
    names = sorted({p for row in data for p in row[:2]})
    index = {p: i for i, p in enumerate(names)}
    size, infinity = len(names), float("inf")
    d = [[infinity] * size for _ in range(size)]
    for i in range(size):
        d[i][i] = 0
    for (u, v), w in edges(data).items():
        d[index[u]][index[v]] = w
    for k in range(size):
        row_k = d[k]
        for i in range(size):
            via, row_i = d[i][k], d[i]
            if via == infinity:
                continue
            for j in range(size):
                if via + row_k[j] < row_i[j]:
                    row_i[j] = via + row_k[j]
    assert all(d[i][i] >= 0 for i in range(size))
    return time.process_time() - begin


def scipy_shortest_paths(data: list[tuple[str, str, int, int]], repeat: int) -> float:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import bellman_ford

    names = sorted({p for row in data for p in row[:2]})
    index = {p: i for i, p in enumerate(names)}
    begin = time.process_time()
    for _ in range(repeat):
        best = edges(data)
        matrix = csr_array(
            ([float(w) for w in best.values()], ([index[u] for u, _ in best], [index[v] for _, v in best])),
            shape=(len(names), len(names)),
        )
        bellman_ford(matrix, indices=index[ORIGIN])  # raises on a negative cycle; one source is the least it can do
    return (time.process_time() - begin) / repeat


def planned(commands: int) -> float:
    """A plan of so many commands one after the other, each with a duration and a common horizon, and its windows."""
    begin = time.process_time()
    stn = Stn()
    horizon = commands * 60
    previous = ORIGIN
    for i in range(commands):
        assert stn.add(previous, f"{i}.start", 0, None) is None
        assert stn.add(f"{i}.start", f"{i}.end", 10, 50) is None
        assert stn.add(ORIGIN, f"{i}.end", None, horizon) is None
        previous = f"{i}.end"
    windows = stn.windows()
    assert windows[previous][0] == commands * 10
    return time.process_time() - begin


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    data = rows(POINTS, extra=400)
    per_add = ours(data, last=200)
    floyd = floyd_warshall(data)
    scipy = scipy_shortest_paths(data, repeat=20)
    figures = {
        "points": POINTS,
        "ours_ms_per_constraint": per_add * 1e3,
        "floyd_warshall_ms": floyd * 1e3,
        "scipy_ms": scipy * 1e3,
        "times_cheaper_than_floyd_warshall": floyd / per_add,
        "times_cheaper_than_scipy": scipy / per_add,
        "plan_500_commands_s": planned(500),
        "plan_2000_commands_s": planned(2000),
    }
    for name, value in figures.items():
        print(f"{name:36} {value:12.4f}")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    passed = floyd / per_add >= GATE_FLOYD and scipy / per_add >= GATE_SCIPY
    print(f"{'PASS' if passed else 'FAIL'}: {floyd / per_add:.0f}x Floyd-Warshall, {scipy / per_add:.1f}x scipy")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
