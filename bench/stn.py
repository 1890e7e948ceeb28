"""The temporal network against the same question asked from scratch, and timed plans against their own growth.

A network of 200 points grows by one constraint at a time; after each the question is "still consistent?". Three ways
answer it in one run: ours (incremental), Floyd–Warshall from scratch in Python, scipy's shortest paths from scratch.
Gates: at least 50 times cheaper per constraint than Floyd–Warshall and 4 times cheaper than scipy at 200 points.

Plans are chains of commands of which each reads what the one before wrote, below one deadline that they just keep, or
miss by a tick. Gates: a step at 10,000 costs at most 3 times one at 300, kept and missed alike; telling why a deadline
is missed costs at most 5 times finding it out; a plan with durations costs at most 15 times the same without: with its
schedule unread, read, below a deadline that it just keeps, and both. That is asked of commands that follow one another
(`count_to`) and of commands that all run at once (`mark_all`).
CPU seconds of this process, the best of several; ratios are what counts.

    python bench/stn.py [--json FILE]
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import json
import sys
import time
from pathlib import Path

from planvow import Domain, State, plan
from planvow.kernel import attach_metadata
from planvow.temporal import ORIGIN, Stn

POINTS = 200
GATE_FLOYD, GATE_SCIPY = 50.0, 4.0
SHORT, LONG, TAKES = 300, 10_000, 10
GATE_GROWTH, GATE_EXPLAIN, GATE_TIMED, AIM_TIMED = 3.0, 5.0, 15.0, 8.0


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


def chain(duration: int | None) -> Domain:
    """Commands that count: each reads what the one before wrote, so they follow one another."""
    domain = Domain("chain")

    @domain.command(duration=duration)
    def count(state, _):
        state.done["so far"] += 1
        return state

    @domain.command(duration=duration)
    def mark(state, number):
        state.done[number] = True
        return state

    @domain.method(task="count_to")
    def one_by_one(state, number):
        return [("count", k) for k in range(number)]

    @domain.method(task="mark_all")
    def each(state, number):
        return [("mark", k) for k in range(number)]

    return domain


def best(measured, times: int = 5) -> float:
    seconds = []
    for _ in range(times):
        gc.collect()
        begin = time.process_time()
        measured()
        seconds.append(time.process_time() - begin)
    return min(seconds)


def per_step(domain: Domain, steps: int, short_by: int) -> float:
    """CPU seconds per step of a plan below a deadline that it keeps, or misses by some ticks."""
    todo = [attach_metadata(("count_to", steps), {"deadline": TAKES * steps - short_by})]
    start = State(done={"so far": 0})
    assert plan(domain, start, todo).success == (short_by == 0)
    return best(lambda: plan(domain, start, todo), times=9 if steps == SHORT else 3) / steps


def explaining(domain: Domain, steps: int) -> float:
    """How many times as long it takes to tell why a deadline is missed as to find it out."""
    todo = [attach_metadata(("count_to", steps), {"deadline": TAKES * steps - 1})]
    start = State(done={"so far": 0})
    finding = best(lambda: plan(domain, start, todo), times=3)
    results = iter([plan(domain, start, todo) for _ in range(3)])
    telling = best(lambda: next(results).explain_text(), times=3)
    assert "too late for: deadline of count_to" in plan(domain, start, todo).explain_text()
    return telling / finding


def timed_against_untimed(task: str, takes: int, steps: int) -> dict[str, float]:
    """How many times as much a plan with durations costs as the same without, in four ways; the best of both each."""
    timed, untimed = chain(TAKES), chain(None)
    start, todo = State(done={"so far": 0}), [(task, steps)]
    limited = [attach_metadata(todo[0], {"deadline": takes})]

    def with_times(agenda: list[object], *, is_read: bool) -> None:
        result = plan(timed, start, agenda)
        if is_read:
            assert max(allocation.end for allocation in result.time_allocations) == takes

    without = best(lambda: plan(untimed, start, todo), times=9)
    ways = {"timed": (todo, False), "read": (todo, True), "limited": (limited, False), "limited_read": (limited, True)}
    return {
        f"{way}_against_untimed_{task}": best(lambda asked=asked: with_times(asked[0], is_read=asked[1])) / without
        for way, asked in ways.items()
    }


def growth_figures() -> dict[str, float]:
    domain = chain(TAKES)
    figures: dict[str, float] = {}
    for name, short_by in (("kept", 0), ("missed", 1)):
        short, long = per_step(domain, SHORT, short_by), per_step(domain, LONG, short_by)
        figures[f"deadline_{name}_us_per_step_at_{SHORT}"] = short * 1e6
        figures[f"deadline_{name}_us_per_step_at_{LONG}"] = long * 1e6
        figures[f"deadline_{name}_growth"] = long / short
    figures["explaining_against_finding"] = explaining(domain, LONG)
    figures |= timed_against_untimed("count_to", 3_000 * TAKES, 3_000)
    figures |= timed_against_untimed("mark_all", TAKES, 3_000)
    return figures


def judged(figures: dict[str, float]) -> list[tuple[str, float, float]]:
    """What is gated: name, value, at most."""
    return [
        ("deadline_kept_growth", figures["deadline_kept_growth"], GATE_GROWTH),
        ("deadline_missed_growth", figures["deadline_missed_growth"], GATE_GROWTH),
        ("explaining_against_finding", figures["explaining_against_finding"], GATE_EXPLAIN),
        *((name, value, GATE_TIMED) for name, value in figures.items() if "_against_untimed_" in name),
    ]


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
        **growth_figures(),
    }
    for name, value in figures.items():
        print(f"{name:48} {value:12.4f}")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    passed = floyd / per_add >= GATE_FLOYD and scipy / per_add >= GATE_SCIPY
    print(f"{'PASS' if passed else 'FAIL'}: {floyd / per_add:.0f}x Floyd-Warshall, {scipy / per_add:.1f}x scipy")
    for name, value, at_most in judged(figures):
        print(f"{'PASS' if value <= at_most else 'FAIL'}: {name} {value:.2f}, at most {at_most:g}")
        passed = passed and value <= at_most
    slowest = max(value for name, value in figures.items() if "_against_untimed_" in name)
    print(f"aim: a plan with durations costs at most {AIM_TIMED:g} times the same without; at worst {slowest:.1f}")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
