"""Governed requests: how long an index takes to build and to follow changes, and how many requests a second compile.

A tree of 10,000 files is made from hashes. "Reading" is the floor: walk it, read every file, take its SHA-256. CPU
seconds of this process, the least and the median of several repeats. Aims (issue 5): 1,000 requests a second against a
5,000-section index; a build within a few times of reading; an incremental build proportional to what changed. Gates:
an incremental build of 10 changed files costs at most a quarter of a full one, and both substrates give the same bytes.

    python bench/governed.py [--files N] [--json FILE]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from planvow.adapters.machine.system_clock import SystemClock
from planvow.canonical import canonical_json
from planvow.governed import RequestPlanner
from planvow.governed.substrate.index import build_index, check_index
from planvow.governed.substrate.interface import default_path, open_substrate
from planvow.governed.substrate.symbols import add_symbol
from planvow.governed.substrate.working_tree import WorkingTree

AIM_REQUESTS_PER_SECOND = 1000
GATE_INCREMENTAL_SHARE = 0.25
SECTIONS_WANTED = 5000
REQUESTS = 1000
REPEATS = 5
WORDS = [
    "plan",
    "step",
    "budget",
    "ledger",
    "worker",
    "claim",
    "receipt",
    "section",
    "symbol",
    "slice",
    "proof",
    "fence",
]


def number(*key: object) -> int:
    return int.from_bytes(hashlib.sha256(repr(key).encode()).digest()[:4], "big")


def prose(key: object, lines: int) -> str:
    return "".join(" ".join(WORDS[number(key, i, j) % len(WORDS)] for j in range(9)) + ".\n" for i in range(lines))


def markdown(i: int) -> str:
    parts = [f"## Part {k} of {i}\n\n{prose((i, k), 6)}\n" for k in range(4)]
    return f"# Page {i}\n\n{prose(i, 3)}\n" + "".join(parts)


def python(i: int) -> str:
    functions = [f'def f{k}(x):\n    """{prose((i, k), 1).strip()}"""\n    return [x, {k}, {i}]\n' for k in range(6)]
    return f'"""Module {i}."""\n\n\n' + "\n\n".join(functions)


def make_tree(root: Path, files: int) -> None:
    for i in range(files):
        folder = root / f"d{i % 100:02}"
        folder.mkdir(exist_ok=True)
        name, text = (f"p{i}.md", markdown(i)) if i % 2 else (f"m{i}.py", python(i))
        (folder / name).write_text(text, encoding="utf-8")


def cpu(action: Callable[[], Any]) -> tuple[float, Any]:
    begin = time.process_time()
    answer = action()
    return time.process_time() - begin, answer


def measured(figures: dict[str, Any], name: str, action: Callable[[], Any]) -> Any:
    """Note the least and the median CPU seconds of several calls and return the last answer."""
    runs = [cpu(action) for _ in range(REPEATS)]
    figures[f"{name}_s"] = min(seconds for seconds, _ in runs)
    figures[f"{name}_median_s"] = statistics.median(seconds for seconds, _ in runs)
    return runs[-1][1]


def read_everything(root: Path) -> int:
    total = 0
    for path in sorted(root.rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            hashlib.sha256(data).hexdigest()
            total += len(data)
    return total


class LaterClock:
    """The real clock, ten seconds ahead: files written just now count as settled."""

    def now_ms(self) -> int:
        return SystemClock().now_ms() + 10_000


def touch(root: Path, count: int, mark: str) -> None:
    pages = sorted(root.rglob("*.md"))
    for path in pages[:: len(pages) // count][:count]:
        path.write_text(path.read_text("utf-8") + f"\n## Added {mark}\n", encoding="utf-8")


def index_figures(root: Path, data: Path) -> dict[str, float]:
    figures: dict[str, float] = {}
    figures["tree_megabytes"] = read_everything(root) / 1e6
    measured(figures, "reading", lambda: read_everything(root))
    for kind in ("sqlite", "jsonl"):
        substrate = open_substrate(kind, default_path(data, kind), writable=True)

        def build(*, incremental: bool = True, substrate: Any = substrate) -> Any:
            return build_index(root, substrate, incremental=incremental, clock=LaterClock())

        measured(figures, f"{kind}_full", lambda build=build: build(incremental=False))
        measured(figures, f"{kind}_unchanged", build)
        for count in (1, 10, 100, min(1000, len(list(root.rglob("*.md"))))):
            touch(root, count, f"{kind}{count}")
            figures[f"{kind}_{count}_changed_s"], report = cpu(build)
            assert report.extracted == count, report
        figures[f"{kind}_sections"] = report.section_count
        figures[f"{kind}_verify_s"], check = cpu(lambda s=substrate: check_index(root, s))
        assert check.holds
        substrate.close()
    return figures


def requests(root: Path, count: int) -> list[dict[str, Any]]:
    files = sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())
    made = []
    for i in range(count):
        symbols = [f"@DOC/s{number('symbol', i, k) % 500}" for k in range(3)]
        inputs = {
            "symbols": symbols,
            "files": [files[number("file", i, k) % len(files)] for k in range(2)],
            "notes": [prose(("note", i), 1).strip()],
            "ops": [{"op": "WRITE_FILE", "refs": {"file_path": f"out/{i}.txt", "content": prose(("out", i), 3)}}],
        }
        budgets = {"max_steps": 20, "max_bytes": 1_000_000, "max_symbols": 5}
        made.append({"run_id": "bench", "request_id": f"q{i}", "intent": "look", "inputs": inputs, "budgets": budgets})
    return made


def compile_figures(root: Path, data: Path) -> tuple[dict[str, float], bool]:
    plans: dict[str, list[str]] = {}
    figures: dict[str, float] = {}
    asked = requests(root, REQUESTS)
    for kind in ("sqlite", "jsonl"):
        path = default_path(data, kind)
        substrate = open_substrate(kind, path, writable=True)
        figures["sections"] = build_index(root, substrate).section_count
        tree = WorkingTree(root, substrate)
        parts = [section for section in substrate.sections() if section.heading_path]
        for i in range(500):
            add_symbol(substrate, substrate, tree.text, symbol_id=f"@DOC/s{i}", default_slice="head(5)", now="t",
                       section_id=parts[number("part", i) % len(parts)].section_id)  # fmt: skip
        tree.close()
        with RequestPlanner(root, path) as planner:

            def compile_all(planner: RequestPlanner = planner, kind: str = kind) -> list[Any]:
                return [planner.plan_request(request, substrate=kind) for request in asked]

            first, _ = cpu(compile_all)
            made = measured(figures, f"{kind}_{REQUESTS}_requests", compile_all)
        figures[f"{kind}_first_requests_per_s"] = REQUESTS / first
        figures[f"{kind}_requests_per_s"] = REQUESTS / figures[f"{kind}_{REQUESTS}_requests_median_s"]
        plans[kind] = [canonical_json(plan) for plan in made]
    return figures, plans["sqlite"] == plans["jsonl"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root, small, data = (Path(folder) / name for name in ("tree", "small", "data"))
        root.mkdir()
        small.mkdir()
        make_tree(root, options.files)
        make_tree(small, SECTIONS_WANTED // 6)
        figures: dict[str, Any] = {"files": options.files, **index_figures(root, data / "tree")}
        compiled, same = compile_figures(small, data / "small")
        figures.update(compiled)
    figures["full_build_times_reading"] = figures["sqlite_full_s"] / figures["reading_s"]
    figures["share_of_full_for_10_changed"] = figures["sqlite_10_changed_s"] / figures["sqlite_full_s"]
    for name, value in figures.items():
        print(f"{name:36} {value:12.4f}")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    rate = figures["sqlite_requests_per_s"]
    passed = same and figures["share_of_full_for_10_changed"] <= GATE_INCREMENTAL_SHARE
    print(
        f"{'PASS' if passed else 'FAIL'}: {rate:.0f} requests/s (aim {AIM_REQUESTS_PER_SECOND}), "
        f"build {figures['full_build_times_reading']:.1f}x reading, "
        f"10 changed files {100 * figures['share_of_full_for_10_changed']:.0f} % of a full build, "
        f"substrates {'agree' if same else 'DIFFER'}"
    )
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
