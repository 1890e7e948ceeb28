"""What starting costs: importing planvow, asking for help, installing it.

    python bench/startup.py [--install] [--json FILE]

Aims: import ≤ 60 ms above bare Python; `planvow --help` ≤ 0.35 s CPU. With --install, a fresh virtual environment is
made and `pip install .` run in it. Gates: ≤ 35 MB and ≤ 16 distributions beyond pip's own. CPU times are medians of
child processes.
"""

from __future__ import annotations

import argparse
import json
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


def child_cpu_s(*command: str) -> float:
    """CPU time of one child process, user and system."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)


def median_cpu_s(*command: str) -> float:
    child_cpu_s(*command)  # the first run compiles
    return statistics.median(child_cpu_s(*command) for _ in range(REPEAT))


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
    met = True
    if options.install:
        found = installed()
        figures["install"] = found
        met = found["megabytes"] <= SIZE_GATE_MB and found["distributions"] <= DISTRIBUTIONS_GATE  # type: ignore[operator]
    measured = figures.get("install", figures)
    import_ms, help_s = measured["import_ms_above_python"], measured["help_cpu_s"]  # type: ignore[index]
    print(json.dumps(figures, indent=2))
    print(f"import {import_ms} ms above bare Python, aim {IMPORT_AIM_MS}: {verdict(import_ms <= IMPORT_AIM_MS)}")
    print(f"--help {help_s} s CPU, aim {HELP_AIM_S}: {verdict(help_s <= HELP_AIM_S)}")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2))
    print("PASS: gates met" if met else f"FAIL: at most {SIZE_GATE_MB} MB and {DISTRIBUTIONS_GATE} distributions")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
