"""Does a test die with the clause it is named for? Break each clause that has a mutant and run the tests of its row.

    python bench/conformance_mutants.py                    every mutant of docs/conformance, two at a time
    python bench/conformance_mutants.py 000-5 002-budget   the rows whose id starts so
    python bench/conformance_mutants.py --every 25         a sample: every 25th mutant

A mutant is one text of one module, replaced in a copy of the repository; the working tree is not touched. It is killed
when a test of the row fails. A run that cannot start (a module that does not parse, a test that is not there) kills
nothing. Ends with 1 when a mutant survives, or when a test fails without any.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
from conformance import Mutant, Row, place, seeds  # noqa: E402 - a script, not a package

COPIED = ("src", "tests", "bench", "scripts", "docs", "examples", "requirements")
SECONDS = 120


def trials(starts: list[str], every: int) -> list[tuple[Row, Mutant]]:
    """Return the mutants to try: of rows whose id starts so (all without a start), every so manieth."""
    rows = [row for seed in seeds() for row in seed.rows if not starts or row.id.startswith(tuple(starts))]
    return [(row, mutant) for row in rows for mutant in row.mutants][::every]


def copy_of_the_repository(folder: Path) -> Path:
    """Copy what tests may look at; times are kept, so compiled modules stay valid."""
    for name in COPIED:
        shutil.copytree(ROOT / name, folder / name)
    for path in ROOT.iterdir():
        if path.is_file():
            shutil.copy2(path, folder)
    return folder


def verdict(copy: Path, row: Row, mutant: Mutant) -> str:
    """Break one clause in a copy, run its row's tests, mend the copy: killed, survived, or why there was no trial."""
    original = place(mutant.file)
    target = copy / original.relative_to(ROOT)
    text = original.read_text("utf-8")
    if text.count(mutant.find) != 1:
        return f"no trial: the text stands {text.count(mutant.find)} times in {mutant.file}"
    for compiled in target.parent.glob(f"__pycache__/{target.stem}.*.pyc"):
        compiled.unlink()
    target.write_text(text.replace(mutant.find, mutant.replace), encoding="utf-8")
    try:
        done = run_tests(copy, row.tests)
    finally:
        shutil.copy2(original, target)
    return {0: "survived", 1: "killed"}.get(done.returncode, f"no trial: {done.stdout[-1500:]}{done.stderr[-500:]}")


def run_tests(copy: Path, tests: Iterable[str]) -> subprocess.CompletedProcess[str]:
    """Run tests of a copy on the copy's own modules."""
    paths = [str(copy / "src"), *filter(None, [os.environ.get("PYTHONPATH")])]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"}
    options = ["-x", "-q", "--no-header", "--tb=line", "-p", "no:cacheprovider", f"--timeout={SECONDS}"]
    command = [sys.executable, "-m", "pytest", *options, *tests]
    return subprocess.run(command, cwd=copy, env=env, capture_output=True, text=True, check=False)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("starts", nargs="*", metavar="id", help="rows whose id starts so")
    parser.add_argument("--every", type=int, default=1, help="try every N-th mutant only")
    parser.add_argument("--jobs", type=int, default=2, help="how many at a time")
    chosen = parser.parse_args()
    todo = trials(chosen.starts, chosen.every)
    copies: SimpleQueue[Path] = SimpleQueue()

    def one(trial: tuple[Row, Mutant]) -> str:
        copy = copies.get()
        try:
            return verdict(copy, *trial)
        finally:
            copies.put(copy)

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(chosen.jobs) as pool:
        for job in range(chosen.jobs):
            copies.put(copy_of_the_repository(Path(folder) / str(job)))
        whole = run_tests(Path(folder) / "0", dict.fromkeys(test for row, _ in todo for test in row.tests))
        if whole.returncode:
            print(f"tests fail on unbroken code:\n{whole.stdout[-3000:]}{whole.stderr[-1000:]}")
            return 1
        verdicts = []
        for (row, mutant), found in zip(todo, pool.map(one, todo), strict=True):
            verdicts.append(found)
            print(f"{row.id}: {found}" + ("" if found == "killed" else f"\n    {mutant}"), flush=True)
    killed = verdicts.count("killed")
    print(f"{killed} of {len(verdicts)} mutants killed, over {len({row.id for row, _ in todo})} rows")
    return int(killed < len(verdicts) or not verdicts)


if __name__ == "__main__":
    sys.exit(main())
