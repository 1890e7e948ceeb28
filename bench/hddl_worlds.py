"""Worlds of our own: HDDL domains and growing problems that no competition has, and how far `auto` comes on them.

    python bench/hddl_worlds.py [--only PATTERN] [--sizes 5] [--accelerated] [--records FILE] [--keep]

Twenty-two kinds, five sizes each (`hddl_world_kinds.py`, `hddl_world_more.py`, `worlds/*.hddl`). They were split before
anything was measured:

* looked at and tuned on: storm (recovery, many vehicles), patience (cards with free cells), towers (several arms, the
  method that ends the work listed last), bar (two hands, a bad author's order), joinery (production, partial order),
  post (wide and shallow; added later, when census had shown that such problems grow badly), county (recognising what
  was done, large when grounded), harbour (cranes that reach part of the stacks), mills (what is made of what);
* judged only: flood (recovery, partial order), sidings (wagons, `:goal` beside tasks), gallery (`forall` at the end),
  stage (wiring, left recursion), kitchen (shared pans, partial order), convoy (plans of thousands of actions, left
  recursion listed first), census (wide and shallow), lockers (no plan), valley (recovery, partial order, fuel),
  solitaire (cards, many ways to fill in a method), loom (machines that are set up, partial order), quarry (hundreds of
  places, plans of thousands of actions), doors (keys behind doors).

One process per problem, 30 s of CPU time scaled by a calibration loop and 4 GB each, every plan verified; the curve of
a kind ends with the first size that is not solved. `worlds/solved.txt` lists what is solved without the accelerator
in half of that time. The exit code is 1 when one of these is lost, a plan is invalid, or a verdict is wrong (a proof
where there is a plan, or the other way round). `--keep` writes that list anew.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from hddl_world_kinds import JUDGED, NO_PLAN, SIZES, TUNED  # noqa: E402
from hddl_world_more import MORE_JUDGED, MORE_TUNED  # noqa: E402
from ipc_sample import CPU_SECONDS, How, Job, calibration, measure  # noqa: E402

WORLDS = HERE / "worlds"
SOLVED = WORLDS / "solved.txt"
Result = dict[str, Any]
GROUPS = {"looked at": TUNED | MORE_TUNED, "judged": JUDGED | MORE_JUDGED}
KINDS = GROUPS["looked at"] | GROUPS["judged"]


def main() -> int:
    """Measure, print the curves and say what was lost."""
    options = _options()
    kinds = [kind for kind in KINDS if re.search(options.only, kind)]
    found: dict[str, Result] = {}
    with tempfile.TemporaryDirectory() as folder:
        for kind in kinds:
            for size, result in _curve(kind, Path(folder), options):
                key = f"{kind} {size + 1}"
                found[key] = result
                print(f"{key:12} {_line(result)}", flush=True)
                if options.records:
                    with Path(options.records).open("a") as file:
                        file.write(json.dumps({"key": key, **result}) + "\n")
    for title, group in GROUPS.items():
        _print_curves(title, [kind for kind in kinds if kind in group], found)
    if options.keep:
        right = [key for key, result in found.items() if is_right(key, result)]
        soon = [key for key in right if found[key]["cpu_s"] < options.seconds / 2]
        SOLVED.write_text("".join(f"{key}\n" for key in soon))
    return _verdict(kinds, options.sizes, found)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="only kinds that match this pattern")
    parser.add_argument("--sizes", type=int, default=SIZES, help="how many sizes of each kind, the smallest first")
    parser.add_argument("--seconds", type=float, default=CPU_SECONDS, help="CPU seconds for each problem")
    parser.add_argument("--accelerated", action="store_true", help="with planvow-accelerator, if it is installed")
    parser.add_argument("--records", default="", help="a file that takes every result as a line of JSON")
    parser.add_argument("--keep", action="store_true", help="write down what is solved in half of the time")
    return parser.parse_args()


def job_of(kind: str, size: int, folder: Path) -> Job:
    """Write a problem into a folder and return it as a job."""
    problem = folder / f"{kind}-{size + 1}.hddl"
    problem.write_text(KINDS[kind](size).text(), encoding="utf-8")
    return Job("worlds", kind, str(size + 1), WORLDS / f"{kind}.hddl", problem)


def is_right(key: str, result: Result) -> bool:
    """Whether a result is what the problem has: a verified plan, or that there is none."""
    if key.split()[0] in NO_PLAN:
        return bool(result["status"] == "no_plan")
    return bool(result["status"] == "solved" and result["verified"])


def _curve(kind: str, folder: Path, options: argparse.Namespace) -> Iterator[tuple[int, Result]]:
    for size in range(options.sizes):
        scale = calibration()
        how = How("auto", is_accelerated=options.accelerated)
        result = measure(job_of(kind, size, folder), how, options.seconds * scale)
        result["cpu_s"] = round(result["cpu_s"] / scale, 2)
        yield size, result
        if not is_right(f"{kind} {size}", result):
            return


def _line(result: Result) -> str:
    counts = result.get("statistics", {})
    mark = {True: "verified", False: "INVALID"}.get(result.get("verified", ""), "")
    length, effort, ended = result.get("length") or "-", counts.get("effort", "-"), result.get("ended", "")
    return (
        f"{result['status']:12} {result['cpu_s']:7.2f} s {result['peak_mb']:5} MB {length:>6} actions "
        f"{effort:>9} effort {mark} {result.get('search', '')} {ended}"
    )


def _print_curves(title: str, kinds: list[str], found: dict[str, Result]) -> None:
    print(f"\n{title}: CPU seconds by size, – where not solved")
    for kind in kinds:
        row = [(f"{kind} {size + 1}", found.get(f"{kind} {size + 1}")) for size in range(SIZES)]
        cells = [f"{result['cpu_s']:8.2f}" if result and is_right(key, result) else f"{'–':>8}" for key, result in row]
        print(f"{kind:10}{''.join(cells)}")


def _verdict(kinds: list[str], sizes: int, found: dict[str, Result]) -> int:
    before = SOLVED.read_text().splitlines() if SOLVED.exists() else []
    asked = [key for key in before if key.split()[0] in kinds and int(key.split()[1]) <= sizes]
    lost = [key for key in asked if key not in found or not is_right(key, found[key])]
    wrong = [
        key
        for key, result in found.items()
        if result.get("verified") is False or result["status"] == ("solved" if key.split()[0] in NO_PLAN else "no_plan")
    ]
    print(f"\nlost: {', '.join(lost) or 'nothing'}; wrong: {', '.join(wrong) or 'nothing'}")
    return 1 if lost or wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
