"""Throw generated calls at every registered planner and measure the contract's own costs.

    python bench/contract.py [--calls 100000] [--planner ID] [--json FILE]

Gate: no call raises, none ends in PLANNER_INTERNAL (the planner behind a broken model excepted), and every plan that
comes out is valid. Figures are CPU time of this process.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests/lab"))

from generated_calls import assert_keeps_contract, generated_calls, planner_for_calls
from planvow.canonical import canonical_bytes
from planvow.contract import StubPlanner, default_registry, plan_hash, validate_plan


def thrown_at(planner_id: str, calls: int) -> dict[str, float | int | str]:
    """Make the calls; return how many gave a plan, an error, or broke the contract."""
    planner = planner_for_calls(planner_id)
    counts = {"plan": 0, "error": 0, "broken": 0}
    first = ""
    start = time.process_time()
    for number, call in enumerate(generated_calls(calls, planner_id)):
        try:
            counts[assert_keeps_contract(planner, call)] += 1
        except Exception as error:
            counts["broken"] += 1
            first = first or f"call {number}: {type(error).__name__}: {str(error)[:300]}"
    return {**counts, "first": first, "cpu_s": round(time.process_time() - start, 2)}


def per_call_us(action: object, repeat: int) -> float:
    start = time.process_time()
    for _ in range(repeat):
        action()  # type: ignore[operator]
    return round((time.process_time() - start) / repeat * 1e6, 1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=100_000)
    parser.add_argument("--planner", action="append", help="Only this planner; may be given several times.")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()

    figures: dict[str, object] = {"calls": options.calls, "planners": {}}
    broken = 0
    for planner_id in options.planner or [*default_registry().ids(), "memo:stub"]:
        row = thrown_at(planner_id, options.calls)
        figures["planners"][planner_id] = row  # type: ignore[index]
        broken += int(row["broken"])
        print(f"{planner_id:12} plans {row['plan']:>7}  errors {row['error']:>7}  broken {row['broken']}  "
              f"{row['cpu_s']} s CPU  {row['first']}")  # fmt: skip

    stub = StubPlanner()
    plan = stub.plan("a", "summarize the page").plan
    long = {"steps": [{"step_id": f"s{n}", "skill": "x", "params": {"n": n}, "depends_on": [f"s{n - 1}"] if n else []}
                      for n in range(2000)]}  # fmt: skip
    figures["microseconds"] = {
        "stub.plan, 3 steps": per_call_us(lambda: stub.plan("a", "summarize the page"), 2000),
        "canonical_bytes, 3 steps": per_call_us(lambda: canonical_bytes(plan), 5000),
        "validate_plan, 2000 steps": per_call_us(lambda: validate_plan(long), 20),
        "plan_hash, 2000 steps": per_call_us(lambda: plan_hash(long), 20),
    }
    for name, value in figures["microseconds"].items():  # type: ignore[attr-defined]
        print(f"{name:28} {value:>10} µs")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2))
    print("PASS: no planner threw" if not broken else f"FAIL: {broken} calls broke the contract")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
