"""How far one ledger goes: a simulation with measured service times, up to a billion steps a day.

    python bench/scaling.py                      # with the measured figures beside this file
    python bench/scaling.py --measure [--cycles 600] --inputs FILE.json      # measure anew first (minutes)
    python bench/scaling.py --json FILE --picture FILE.svg      # what was found, and a drawing of it

First it says what 1, 2 and 4 workers should do, beside what real ones did in each measurement, with two jobs for each
and all on one job, on one machine. Gate: no rate further off than a third, which is what the page promises; aim: 15 %.
It wants a machine that does nothing else. Then it says what other loads need, from the first measurement. Same inputs,
same output.
"""

from __future__ import annotations

import argparse
import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

from scaling_model import Costs, Load, Run

INPUTS = sorted(Path(__file__).with_name("scaling_inputs").glob("*.json"))
GATE, AIM = 1 / 3, 0.15
A_DAY = 86_400
LOADS = (10**5, 10**6, 10**7, 10**8, 10**9)
CORES = (1, 2, 4, 8, 16, 32, 64)
BUSY_AT_MOST = 0.7
WORK = 0.010
BEGUN_WITHIN = 1.0
CONNECTIONS_A_WORKER = 2  # one for its steps, one for its checkpoints
FREEZE_AT, IDS = 200e6, 2**31  # autovacuum_freeze_max_age as PostgreSQL has it, and where its numbers go round


def costs_of(inputs: dict[str, Any]) -> Costs:
    """Return what a step costs where cores are free."""
    sizes, worker = inputs["sizes"], inputs["worker"]
    log = sizes["entries_a_step"] * sizes["entry_ms"]
    one, hundred = inputs["post_of_one"]["server_ms"], inputs["post_of_100"]["server_ms"]
    each = max(0.0, hundred - one) / 99
    flushing = inputs.get("flush_cpu_ms", 0.0)  # the first measurements did not tell it apart
    return Costs(
        client=worker["client_ms"] / 1000,
        server=(worker["server_ms"] - log - flushing) / 1000,  # a whole worker makes its checkpoints too
        flush=inputs["flush_ms"] / 1000,
        flush_cpu=flushing / 1000,
        flushes=tuple(inputs.get("flush_shares", ())),
        post=each / 1000,
        post_once=max(0.0, one - each - flushing) / 1000,
        entry=sizes["entry_ms"] / 1000,
        entries=sizes["entries_a_step"],
        vacuum=sizes["vacuum_ms_a_step"] / 1000,
    )


def reproduced(inputs: dict[str, Any]) -> list[dict[str, Any]]:
    """Return measured and simulated rates: workers, server and disk on one machine that does nothing else.

    The first measurements have one length of flushes for all runs, measured apart; later ones that of each run.
    """
    found = []
    for kind in ("spread", "one_job"):
        for seen in inputs[kind]:
            flushing = seen.get("flush_cpu_ms", 0.0)
            costs = Costs(
                client=seen["client_ms"] / 1000,
                server=(seen["server_ms"] - flushing * seen.get("flushes", 0) / seen["steps"]) / 1000,
                flush=(seen.get("server_flush_ms", inputs["flush_ms"]) - flushing) / 1000,
                flush_cpu=flushing / 1000,
                flushes=tuple(seen.get("flush_shares", ())),
                others=seen["others_ms"] / 1000,
            )
            jobs = 1 if kind == "one_job" else 2 * seen["workers"]
            load = Load(workers=seen["workers"], cores=inputs["cores"], jobs=jobs, steps=5000, at_home=True)
            run = Run(load, costs)
            error = run.rate / seen["rate"] - 1
            found.append({"kind": kind, **seen, "predicted": run.rate, "error": error})
    return found


def needed(steps_a_day: int, inputs: dict[str, Any]) -> dict[str, float]:
    """Return what so many steps a day need, in one ledger, when each takes ten milliseconds outside of it."""
    costs, sizes, rate = costs_of(inputs), inputs["sizes"], steps_a_day / A_DAY
    server = a_step(costs) + costs.post_once / 100
    cores = next((count for count in CORES if rate * server <= BUSY_AT_MOST * count), CORES[-1])
    load = Load(workers=1, cores=cores, rate=rate, work=WORK)
    workers, run = 1, Run(load, costs)
    while run.delay(0.95) > BEGUN_WITHIN:  # they do not keep up
        workers = math.ceil(workers * 1.2)
        run = Run(replace(load, workers=workers), costs)
    gigabytes = steps_a_day / 1e9
    return {
        "steps_a_day": steps_a_day,
        "rate": rate,
        "cores": cores,
        "busy_cores": run.cores.busy / run.seconds,
        "workers": workers,
        "connections": CONNECTIONS_A_WORKER * workers,
        "half_begun_ms": 1000 * run.delay(0.5),
        "most_begun_ms": 1000 * run.delay(0.95),
        "commits_a_flush": run.wal.commits / max(1, run.wal.flushes),
        "log_busy": rate * costs.entries * costs.entry,
        "vacuum_cores": rate * costs.vacuum,
        "freezes_a_day": steps_a_day * sizes["transactions_a_step"] / FREEZE_AT,
        "days_to_wrap": IDS / (steps_a_day * sizes["transactions_a_step"]),
        "wal_gb": gigabytes * (sizes["wal_bytes_a_step"] + sizes["log_wal_bytes_a_step"]),
        "kept_gb": gigabytes * (sizes["bytes_a_step"] + sizes["log_bytes_a_step"]),
        "archived_gb": gigabytes * sizes["log_bytes_a_step"],
        "sqlite_gb": gigabytes * inputs["sqlite_bytes_a_step"],
        "server_cpu_hours": steps_a_day * server / 3600,
        "client_cpu_hours": steps_a_day * costs.client / 3600,
    }


def a_step(costs: Costs) -> float:
    """Return the server's CPU for a step that shares no flush, with its post and its places in the log."""
    return costs.server + costs.flush_cpu + costs.vacuum + costs.post + costs.entries * costs.entry


def limits(inputs: dict[str, Any]) -> dict[str, float]:
    """Return what one of each can do at most, in a second."""
    costs, ray = costs_of(inputs), inputs["ray"]
    return {
        "steps of one job": Run(Load(workers=16, jobs=1), costs).rate,
        "steps of one worker": Run(Load(workers=1), costs).rate,
        "steps of a core of the server": 1 / a_step(costs),
        "steps of one log (one checkpoint at a time)": 1 / (costs.entries * costs.entry),
        "chunks of one driver on Ray": 1000 / ray["driver_ms"],
        "chunks of one core of Ray's head": 1000 / ray["head_ms"],
        "inputs of one core that plans": 1000 * ray["inputs"] / ray["planning_ms"],
    }


def unexplained(found: list[dict[str, Any]]) -> float:
    """Return the longest time a worker waited for a step beyond what was predicted, in milliseconds."""
    return max(1000 * one["workers"] * (1 / one["rate"] - 1 / one["predicted"]) for one in found)


def table(rows: list[dict[str, float]]) -> str:
    """Return the table of the documentation."""
    lines = ["| steps a day | " + " | ".join(f"10^{len(str(row['steps_a_day'])) - 1}" for row in rows) + " |"]
    lines.append("|---|" + "---:|" * len(rows))
    for name, text in (
        ("rate", "steps a second"), ("busy_cores", "cores of the server, busy"), ("cores", "… that it should have"),
        ("workers", "workers, steps of 10 ms"), ("connections", "connections"),
        ("half_begun_ms", "half of the steps begin within, ms"), ("most_begun_ms", "95 of 100 begin within, ms"),
        ("commits_a_flush", "commits for each flush"), ("log_busy", "the log's one process, busy"),
        ("vacuum_cores", "vacuum, cores"), ("freezes_a_day", "freezing, times a day"),
        ("days_to_wrap", "days until transaction numbers go round"), ("wal_gb", "write-ahead log, GB a day"),
        ("kept_gb", "ledger, GB a day"), ("archived_gb", "… after archiving"), ("sqlite_gb", "the same on SQLite"),
        ("server_cpu_hours", "CPU hours a day, server"), ("client_cpu_hours", "CPU hours a day, workers"),
    ):  # fmt: skip
        lines.append(f"| {text} | " + " | ".join(figure(row[name]) for row in rows) + " |")
    return "\n".join(lines)


def doubted(inputs: dict[str, Any], longer: float) -> str:
    """Return the table of the documentation that says what changes where a flush takes so many milliseconds longer."""
    each = [inputs, {**inputs, "flush_ms": inputs["flush_ms"] + longer}]
    days = {steps: [needed(steps, one) for one in each] for steps in LOADS[-2:]}
    most = [limits(one) for one in each]
    rows = [
        (f"{name}, at most a second", *(one[name] for one in most))
        for name in ("steps of one job", "steps of one worker")
    ]
    for name, text in (
        ("cores", "cores"),
        ("workers", "workers"),
        ("most_begun_ms", "95 of 100 begin within, ms"),
    ):
        rows += [
            (f"10^{len(str(steps)) - 1} a day: {text}", *(one[name] for one in both)) for steps, both in days.items()
        ]
    lines = [f"| | as above | every flush {longer:.2f} ms longer |", "|---|---:|---:|"]
    return "\n".join([*lines, *(f"| {text} | {figure(here)} | {figure(there)} |" for text, here, there in rows)])


def agreement(found: list[list[dict[str, Any]]]) -> str:
    """Return the table of the documentation that holds the simulation against each measurement."""
    names = ("first, seen before", "second, judges", "third, judges")
    lines = ["| workers | " + " | ".join(f"{name}: predicted ÷ measured | error | cores busy" for name in names) + " |"]
    lines.append("|---|" + "---:|" * (3 * len(names)))
    for rows in zip(*found, strict=True):
        where = "two jobs for each" if rows[0]["kind"] == "spread" else "one job"
        cells = [
            f"{one['predicted']:,.0f} ÷ {one['rate']:,.0f} | {one['error']:+.1%} | {cores_busy(one):.2f}"
            for one in rows
        ]
        lines.append(f"| {rows[0]['workers']}, {where} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def cores_busy(seen: dict[str, Any]) -> float:
    """Return how many cores were busy while workers shared steps; where all were, CPU alone decides the rate."""
    return float(seen["rate"] * (seen["client_ms"] + seen["server_ms"] + seen["others_ms"]) / 1000)


SHARES: tuple[tuple[str, str, Any], ...] = (
    ("16 cores of the server", "#0072b2", lambda row: row["busy_cores"] / 16),
    ("100 connections", "#d55e00", lambda row: row["connections"] / 100),
    ("the log's one process", "#009e73", lambda row: row["log_busy"]),
    ("freezing once a day", "#cc79a7", lambda row: row["freezes_a_day"]),
    ("1 TB a day", "#e69f00", lambda row: row["kept_gb"] / 1000),
)


def picture(rows: list[dict[str, float]]) -> str:
    """Return a drawing of how much of each limit is used, both ways on scales of tens."""
    low, high = -4, 1

    def across(steps: float) -> float:
        return 70 + 110 * (math.log10(steps) - 5)

    def up(share: float) -> float:
        return 20 + 50 * (high - max(low, math.log10(share)))

    drawn = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 680 320" font-family="sans-serif" font-size="12">']
    drawn.append('<rect width="680" height="320" fill="#ffffff"/>')
    for power in range(low, high + 1):
        at, label = up(10**power), f"{10**power:.0%}" if power > -3 else f"{10.0 ** (power + 2):g}%"
        weight = ' stroke-width="2" stroke="#333333"' if power == 0 else ' stroke="#dddddd"'
        drawn.append(f'<line x1="70" x2="510" y1="{at:.1f}" y2="{at:.1f}"{weight}/>')
        drawn.append(f'<text x="62" y="{at + 4:.1f}" text-anchor="end" fill="#333333">{label}</text>')
    for row in rows:
        label = f"10^{round(math.log10(row['steps_a_day']))}"
        at = across(row["steps_a_day"])
        drawn.append(f'<text x="{at:.1f}" y="290" text-anchor="middle" fill="#333333">{label}</text>')
    drawn.append('<text x="290" y="310" text-anchor="middle" fill="#333333">steps a day</text>')
    for number, (name, colour, share) in enumerate(SHARES):
        points = " ".join(f"{across(row['steps_a_day']):.1f},{up(share(row)):.1f}" for row in rows)
        drawn.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        drawn.append(f'<text x="525" y="{40 + 22 * number}" fill="{colour}">{name}</text>')
    return "\n".join([*drawn, "</svg>"]) + "\n"


def figure(value: float) -> str:
    """Return a number as people read it: three digits, no more."""
    if value >= 100:
        return f"{round(value, 3 - len(str(int(value)))):,.0f}"
    if value < 0.001:
        return "< 0.001"
    return f"{value:.3g}"


def told(inputs: dict[str, Any]) -> list[dict[str, Any]]:
    """Print what one measurement and the simulation say of the same workers."""
    found = reproduced(inputs)
    for one in found:
        where = "two jobs for each" if one["kind"] == "spread" else "one job"
        rates = f"predicted {one['predicted']:6.1f} a second, measured {one['rate']:6.1f}, error {one['error']:+6.1%}"
        cpu = f"CPU {one['client_ms']:.2f} + {one['server_ms']:.2f} ms a step, {cores_busy(one):.2f} cores busy"
        print(f"{one['workers']} workers, {where:<18} {rates}; {cpu}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--cycles", type=int, default=600)
    parser.add_argument("--inputs", type=Path, nargs="+", default=INPUTS)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--picture", type=Path)
    options = parser.parse_args()
    if options.measure:
        if options.inputs is INPUTS:
            parser.error("--measure writes to a file of yours: --inputs FILE.json")
        from scaling_measure import LEAST_CYCLES, TooFewSteps, measured

        if options.cycles < LEAST_CYCLES:
            parser.error(f"--cycles {options.cycles} are too few steps for each worker: at least {LEAST_CYCLES}")
        try:
            found = measured(options.cycles)
        except TooFewSteps as error:
            parser.error(str(error))
        options.inputs[0].write_text(json.dumps(found, indent=1) + "\n")
    again = []
    for number, path in enumerate(options.inputs, 1):
        print(f"measurement {number}")
        again += told(json.loads(path.read_text()))
    off = [abs(one["error"]) for one in again]
    fine = max(off) <= GATE
    print(f"{sum(error <= GATE for error in off)} of {len(off)} within {GATE:.0%}: {'yes' if fine else 'NO'}")
    print(f"{sum(error <= AIM for error in off)} of {len(off)} within {AIM:.0%} (aim)\n")
    inputs = json.loads(options.inputs[0].read_text())
    most = limits(inputs)
    for name, a_second in most.items():
        print(f"{name:<46} {a_second:10,.0f} a second, {figure(a_second * A_DAY / 1e6)} million a day")
    rows = [needed(steps, inputs) for steps in LOADS]
    print("\n" + table(rows))
    print("\n" + doubted(inputs, unexplained(again)))
    if options.json is not None:
        options.json.write_text(json.dumps({"reproduced": again, "limits": most, "needed": rows}, indent=1) + "\n")
    if options.picture is not None:
        options.picture.write_text(picture(rows))
    return 0 if fine else 1


if __name__ == "__main__":
    raise SystemExit(main())
