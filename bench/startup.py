"""What starting costs: importing planvow, asking for help, a plan for a small problem, installing it.

    python bench/startup.py [--install] [--json FILE]

Gate: a plain `planvow plan`, of an HDDL problem and of a Python one, costs at most three times the CPU of a Python that
imports a few modules of its standard library, in the same environment and run (medians of alternating runs, bytecode
compiled before as an installer does it). Aims: such a plan ≤ 0.15 s; import ≤ 60 ms above bare Python; `planvow
--help` ≤ 0.35 s CPU. With --install, a fresh virtual environment is
made and `pip install .` run in it. Gates: ≤ 35 MB and ≤ 16 distributions beyond pip's own. CPU times are medians of
child processes.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
IMPORT_AIM_MS = 60
HELP_AIM_S = 0.35
SIZE_GATE_MB = 35
DISTRIBUTIONS_GATE = 16
REPEAT = 11
PLAN_GATE = 3.0
PLAN_AIM_S = 0.15
BARE = ("-I", "-c", "import json, re, argparse, dataclasses, hashlib, pathlib")
PLANS = {
    "hddl": ("plan", str(ROOT / "examples/hddl/tea-domain.hddl"), str(ROOT / "examples/hddl/tea-problem.hddl")),
    "python": ("plan", str(ROOT / "examples/travel.py")),
}
COMPILED = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def child_cpu_s(*command: str) -> float:
    """CPU time of one child process, user and system."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=COMPILED)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)


def median_cpu_s(*command: str) -> float:
    child_cpu_s(*command)  # the first run compiles
    return statistics.median(child_cpu_s(*command) for _ in range(REPEAT))


def plans(program: tuple[str, ...]) -> dict[str, float]:
    """Return the CPU time of a few imports and of each plain plan: medians of runs that alternate."""
    commands = {"bare": (sys.executable, *BARE), **{name: (*program, *words) for name, words in PLANS.items()}}
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for turn in range(REPEAT + 1):
        for name, command in commands.items():
            seconds = child_cpu_s(*command)
            if turn:  # the first run compiles
                taken[name].append(seconds)
    return {name: round(statistics.median(each), 3) for name, each in taken.items()}


def installed() -> dict[str, float | int | list[str]]:
    """Install into a fresh environment; return its size and distributions beyond pip's own."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder) / "bin/python")
        site = next(Path(folder).glob("lib/python*/site-packages"))
        before, own = size_bytes(site), names(python)
        subprocess.run([python, "-m", "pip", "install", "-q", str(ROOT)], check=True)
        added = sorted(set(names(python)) - set(own))
        return {
            "megabytes": round((size_bytes(site) - before) / 1e6, 1),
            "distributions": len(added),
            "names": added,
            "import_ms_above_python": round(
                (median_cpu_s(python, "-c", "import planvow") - median_cpu_s(python, "-c", "pass")) * 1000, 1
            ),
            "help_cpu_s": round(median_cpu_s(str(Path(folder) / "bin/planvow"), "--help"), 3),
        }


def size_bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def names(python: str) -> list[str]:
    done = subprocess.run([python, "-m", "pip", "list", "--format=json"], capture_output=True, check=True)
    return [row["name"] for row in json.loads(done.stdout)]


def verdict(met: bool) -> str:
    return "met" if met else "missed"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--install", action="store_true", help="Also install into a fresh environment (needs an index)."
    )
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()

    bare = median_cpu_s(sys.executable, "-c", "pass")
    figures: dict[str, object] = {
        "import_ms_above_python": round((median_cpu_s(sys.executable, "-c", "import planvow") - bare) * 1000, 1),
        "help_cpu_s": round(median_cpu_s(sys.executable, "-m", "planvow", "--help"), 3),
    }
    plan_s = figures["plan_cpu_s"] = plans((str(Path(sys.executable).with_name("planvow")),))
    ratios = {name: round(plan_s[name] / plan_s["bare"], 2) for name in PLANS}
    figures["plan_ratios"] = ratios
    is_quick = max(ratios.values()) <= PLAN_GATE
    is_small = True
    if options.install:
        found = installed()
        figures["install"] = found
        is_small = found["megabytes"] <= SIZE_GATE_MB and found["distributions"] <= DISTRIBUTIONS_GATE  # type: ignore[operator]
    measured = figures.get("install", figures)
    import_ms, help_s = measured["import_ms_above_python"], measured["help_cpu_s"]  # type: ignore[index]
    print(json.dumps(figures, indent=2))
    print(f"import {import_ms} ms above bare Python, aim {IMPORT_AIM_MS}: {verdict(import_ms <= IMPORT_AIM_MS)}")
    print(f"--help {help_s} s CPU, aim {HELP_AIM_S}: {verdict(help_s <= HELP_AIM_S)}")
    for name, ratio in ratios.items():
        is_aim = verdict(plan_s[name] <= PLAN_AIM_S)
        print(f"plan ({name}) {plan_s[name]} s CPU, aim {PLAN_AIM_S}: {is_aim}; {ratio} times bare")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2))
    if not is_small:
        print(f"FAIL: at most {SIZE_GATE_MB} MB and {DISTRIBUTIONS_GATE} distributions")
    if not is_quick:
        print(f"FAIL: a plain plan may cost {PLAN_GATE} times the CPU of bare Python with a few imports")
    if is_small and is_quick:
        print("PASS: gates met")
    return 0 if is_small and is_quick else 1


if __name__ == "__main__":
    sys.exit(main())
