"""How fast HDDL files are read, and how much memory hostile ones take.

Reads every shared IPC-2020 instance, the largest of them, and a made problem of several megabytes, in CPU seconds.
Gate: 1 MB/s on each. Then hostile texts, each in a process of its own: an answer within two gigabytes.

    python bench/hddl_reader.py [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

from planvow.hddl import parse_domain, parse_problem
from planvow.hddl.language.errors import HddlError

ROOT = Path(__file__).resolve().parents[1]
IPC = Path(os.environ.get("PLANVOW_SHARED", ROOT / "../shared")) / "data/ipc2020"
GATE_MB_PER_S = 1.0
GATE_MEMORY_MB = 2048

DOMAIN = "(define (domain d) (:predicates (on ?a ?b)))"
HOSTILE = {
    "20 MB of words": lambda: "(define (domain d) (:types " + "a " * 9_900_000 + "))",
    "20 MB of ()": lambda: "(define (domain d) (:predicates " + "()" * 9_900_000 + "))",
    "most words allowed": lambda: "(define (domain d) (:types " + " ".join(f"t{i}" for i in range(1_900_000)) + "))",
    "10^5 deep": lambda: "(define (domain d) " + "(" * 100_000,
    "100 MB": lambda: " " * 100_000_000,
    "one line of 19 MB": lambda: "(define (domain " + "x" * 19_000_000,
    "binary": lambda: bytes(range(256)).decode("latin-1") * 10_000,
}


def rate(texts: list[tuple[str, str]]) -> tuple[float, float]:
    """Return megabytes read and CPU seconds taken."""
    size = sum(len(domain) + len(problem) for domain, problem in texts)
    start = time.process_time()
    for domain, problem in texts:
        parse_problem(problem, parse_domain(domain))
    return size / 1e6, time.process_time() - start


def shared_texts() -> list[tuple[str, str]]:
    found = []
    for problem in sorted(IPC.rglob("*.hddl")):
        if "domain" in problem.stem or "plans" in problem.parts:
            continue
        own = problem.with_name(f"{problem.stem}-domain.hddl")
        domain = own if own.exists() else problem.with_name("domain.hddl")
        found.append((domain.read_text("utf-8"), problem.read_text("utf-8")))
    return found


def made_problem(facts: int) -> str:
    objects = " ".join(f"block{i}" for i in range(2_000))
    init = "\n".join(f"(on block{i % 2_000} block{i * 7 % 1_999})" for i in range(facts))
    return f"(define (problem p) (:domain d) (:objects {objects}) (:init {init}))"


def hostile(name: str) -> None:
    """Read one hostile text; print what came of it and the peak memory of the process, the text included."""
    text = HOSTILE[name]()
    try:
        parse_domain(text)
        answer = "read"
    except HddlError as error:
        answer = error.code
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(json.dumps({"answer": answer, "peak_mb": peak}))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--hostile", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.hostile:
        hostile(options.hostile)
        return 0
    groups = {"made, 250,000 facts": [(DOMAIN, made_problem(250_000))]}
    if IPC.is_dir():
        shared = shared_texts()
        groups["all shared instances"] = shared
        groups["the largest shared one"] = [max(shared, key=lambda pair: len(pair[1]))] * 5
    figures: dict[str, object] = {}
    passed = True
    for name, texts in groups.items():
        size, seconds = rate(texts)
        passed &= size / seconds >= GATE_MB_PER_S
        figures[name] = {"mb": round(size, 2), "cpu_s": round(seconds, 2), "mb_per_s": round(size / seconds, 2)}
        print(f"{name:26} {size:7.2f} MB {seconds:6.2f} s {size / seconds:6.2f} MB/s")
    for name in HOSTILE:
        command = [sys.executable, __file__, "--hostile", name]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        outcome = json.loads(done.stdout)
        passed &= outcome["peak_mb"] <= GATE_MEMORY_MB
        figures[name] = outcome
        print(f"{name:26} {outcome['answer']:18} {outcome['peak_mb']:5} MB")
    if options.json:
        options.json.write_text(json.dumps({"passed": passed, **figures}, indent=2) + "\n", encoding="utf-8")
    print("PASS" if passed else "FAIL")
    return 0 if passed else 1


if __name__ == "__main__":
    raise SystemExit(main())
