"""What a keystroke costs in an editor: the CPU of `planvow lsp` for one edit with its diagnostics, against one reading.

    python bench/lsp.py [--keystrokes N] [--json FILE]

Gate: at most twice the CPU of parsing the file once. The server is the real one over stdio with pygls's client; each
edit leaves the text right, so that all of it is read and looked at, and waits for its diagnostics, so that none is
left out. Texts: the tea domain a hundred times over (tasks, methods and actions renamed), the same with orderings to
look at, and a problem of 5 MB beside its domain.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests/lab"), str(ROOT / "src")]

from editors import over_stdio  # noqa: E402
from planvow.hddl import parse_domain, parse_problem  # noqa: E402

GATE = 2.0
COPIES = 100
ROOMS = 170_000
NAMES = (
    "serve fetch go bring-a-cup already-served in-hand from-the-shelf there next-door open-first by-way-of "
    "move open take fill give"
)
TEA = (ROOT / "examples/hddl/tea-domain.hddl").read_text("utf-8")


def many(text: str) -> str:
    """Return the tea domain with its tasks, methods and actions a hundred times over."""
    start = text.index("  (:task serve")
    head, body = text[:start], text[start : text.rindex(")")]
    for word in NAMES.split():
        body = (
            body.replace(f"({word} ", f"({word}@ ")
            .replace(f" {word}\n", f" {word}@\n")
            .replace(f" {word} :", f" {word}@ :")
        )
    return head + "\n".join(body.replace("@", f"-{number}") for number in range(COPIES)) + ")\n"


def large() -> str:
    """Return a problem of more than five megabytes."""
    facts = "\n".join(f"  (door r{number} r{number + 1})" for number in range(ROOMS))
    rooms = " ".join(f"r{number}" for number in range(ROOMS + 1))
    return f"(define (problem big) (:domain tea-round)\n(:objects {rooms} - room)\n(:init\n{facts}))\n"


def cpu_of(process: int) -> float:
    """Return the CPU seconds that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def reading_s(read: Callable[[], object], repeat: int) -> float:
    """Return the CPU of one reading, the median of a few."""
    times = []
    for _ in range(repeat):
        begun = time.process_time()
        read()
        times.append(time.process_time() - begun)
    return statistics.median(times)


async def keystroke_s(name: str, text: str, word: str, keystrokes: int) -> float:
    """Return the server's CPU for one edit, from its arrival to the diagnostics."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "domain.hddl").write_text(TEA, "utf-8")
        uri = (Path(folder) / f"{name}.hddl").as_uri()
        async with over_stdio(Path(folder)) as editor:
            editor.open(uri, text)
            await editor.diagnostics(uri)
            process = editor.client._server.pid
            begun = cpu_of(process)
            for number in range(keystrokes):
                old, new = (word, word + "x") if number % 2 == 0 else (word + "x", word)
                editor.edit(uri, old, new)
                await editor.diagnostics(uri)
            return (cpu_of(process) - begun) / keystrokes


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keystrokes", type=int, default=6)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    tea, problem = parse_domain(TEA), large()
    domain = many(TEA)
    loose = domain.replace(":ordered-subtasks", ":subtasks")
    cases = {
        "domain, in sequence": (domain, "(domain tea-round", lambda: parse_domain(domain)),
        "domain, unordered": (loose, "(domain tea-round", lambda: parse_domain(loose)),
        "problem of 5 MB": (problem, "(problem big", lambda: parse_problem(problem, tea)),
    }
    report = {}
    for name, (text, word, read) in cases.items():
        once = reading_s(read, 3)
        stroke = asyncio.run(keystroke_s("text", text, word, given.keystrokes))
        ratio = stroke / once
        report[name] = {
            "bytes": len(text),
            "reading_s": once,
            "keystroke_s": stroke,
            "ratio": ratio,
            "ok": ratio <= GATE,
        }
        word = "pass" if ratio <= GATE else "FAIL"
        print(
            f"{name:22} {len(text):9,} characters  reading {once:.3f} s  keystroke {stroke:.3f} s  {ratio:.2f}x  {word}"
        )
    if given.json:
        given.json.write_text(json.dumps(report, indent=1))
    return 0 if all(case["ok"] for case in report.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
