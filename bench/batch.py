"""What a batch costs beside the planning: `python bench/batch.py [--rounds 5] [--inputs 2000] [--long] [--json FILE]`.

Three figures, each of real `planvow.adapters.batch` parts, with rounds that take turns within one run:

- **Ray**: inputs a second through `RayWorkers` and the output file, against the very same chunks given to a bare Ray
  task of the same function and collected in order. Gate: at most 35 % fewer; aim 20 %.
- **processes**: the same through `Processes` on two cores, against two processes that hold half of the chunks each and
  only answer them: nothing is handed over. Aim: at most 15 % fewer.
- **memory**: the peak of the process that drives `planvow batch`, with many inputs against few. Gate: at most 20 MB
  more for a hundred times as many (`--long`: 10^6 against 10^4; else 10^5 against 10^3).

Ray needs the extra [cluster]; it listens on loopback only.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import pickle
import statistics
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/lab"))

from batches import DOMAIN, PROBLEM  # noqa: E402
from planvow.adapters.batch.cluster import RayWorkers  # noqa: E402
from planvow.adapters.batch.drive import _chunks, drive  # noqa: E402
from planvow.adapters.batch.output import Output  # noqa: E402
from planvow.adapters.batch.pools import Processes, Workers  # noqa: E402
from planvow.service.batch.answering import Means, answer_chunk, versions  # noqa: E402
from planvow.service.batch.items import Item, item  # noqa: E402
from planvow.service.declare.setting import Setting  # noqa: E402

CORES = 2
CHUNK = 16
RAY_GATE, RAY_AIM, POOL_AIM = 0.65, 0.80, 0.85
MEMORY_GATE_MB = 20
MEANS = Means(make_setting=pickle.dumps(Setting), versions=versions())


def questions(count: int) -> list[Item]:
    """Return so many small HDDL problems, of one to forty tasks."""
    found = []
    for number in range(count):
        lamps = [f"l{k}" for k in range(number % 40 + 1)]
        tasks = " ".join(f"(light {lamp})" for lamp in lamps)
        problem = PROBLEM.format(n=number, lamps=" ".join(lamps), tasks=tasks)
        found.append(item(f"p{number}", "hddl", {"domain": DOMAIN, "problem": problem}))
    return found


def driven(items: list[Item], workers: Workers, folder: Path) -> None:
    """Answer a batch as the command does."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        output = Output(Path(place) / "out.jsonl", {}, resume=False)
        drive(iter(items), workers, output, chunk=CHUNK)
        output.finish()


def seconds(work: Callable[[], None]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def bare_ray(workers: RayWorkers, chunks: list[bytes]) -> None:
    """Give chunks to a Ray task and collect the answers in order, with as many under way as a batch has."""
    ray = workers._ray
    task, means, todo = ray.remote(num_cpus=1)(answer_chunk), ray.put(MEANS), iter(chunks)
    under_way = deque(task.remote(means, chunk) for chunk in islice(todo, workers.at_once))
    while under_way:
        ray.get(under_way.popleft())
        under_way.extend(task.remote(means, chunk) for chunk in islice(todo, 1))


class Bare:
    """Two processes that have their chunks already, and answer them when they are told."""

    def __init__(self, chunks: list[bytes]) -> None:
        context = multiprocessing.get_context("spawn")
        self._go, self._done = context.Queue(), context.Queue()
        self._people = [
            context.Process(target=_answer_own, args=(chunks[number::CORES], self._go, self._done), daemon=True)
            for number in range(CORES)
        ]
        for each in self._people:
            each.start()

    def run(self) -> None:
        for _ in self._people:
            self._go.put(True)
        for _ in self._people:
            self._done.get()

    def end(self) -> None:
        for _ in self._people:
            self._go.put(False)
        for each in self._people:
            each.join()


def _answer_own(chunks: list[bytes], go: Any, done: Any) -> None:
    while go.get():
        for chunk in chunks:
            answer_chunk(MEANS, chunk)
        done.put(True)


def compared(plain: Callable[[], None], ours: Callable[[], None], rounds: int) -> list[float]:
    """Return our rate as a share of the plain one, round by round, after one round that does not count."""
    plain(), ours()
    return [seconds(plain) / seconds(ours) for _ in range(rounds)]


def on_ray(items: list[Item], chunks: list[bytes], rounds: int, folder: Path) -> list[float]:
    workers = RayWorkers(MEANS, "auto")
    try:
        return compared(lambda: bare_ray(workers, chunks), lambda: driven(items, workers, folder), rounds)
    finally:
        workers.close()


def on_processes(items: list[Item], chunks: list[bytes], rounds: int, folder: Path) -> list[float]:
    workers, bare = Processes(MEANS, CORES), Bare(chunks)
    try:
        return compared(bare.run, lambda: driven(items, workers, folder), rounds)
    finally:
        workers.close()
        bare.end()


def peak_mb(count: int, folder: Path) -> float:
    """Return the peak of the process that drives a batch of inputs that are answered at once: of no known kind."""
    asked, out = folder / f"asked{count}.jsonl", folder / f"out{count}.jsonl"
    with asked.open("w") as file:
        file.writelines(f'{{"kind": "none", "wish": "open page {n}"}}\n' for n in range(count))
    words = ["batch", "goal", str(asked), "-o", str(out), "--workers", "1", "--chunk", "256"]
    code = (
        "import re, sys; from planvow.__main__ import run\n"
        "try: run()\n"
        "except SystemExit: pass\n"
        "print(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
    for path in (asked, *folder.glob(f"out{count}*")):
        path.unlink()
    return int(done.stderr.split()[-1]) / 1024


def told(name: str, shares: list[float], gate: float | None, aim: float) -> bool:
    middle = statistics.median(shares)
    verdict = f"aim {aim:.0%}" if gate is None else f"gate {gate:.0%}, aim {aim:.0%}"
    holds = gate is None or middle >= gate
    spread = f"(from {min(shares):.1%} to {max(shares):.1%})"
    print(f"{name:<40} {middle:6.1%} {spread}; {verdict}: {'ok' if holds else 'MISSED'}")
    return holds


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--rounds", type=int, default=5)
    asked.add_argument("--inputs", type=int, default=2000)
    asked.add_argument("--long", action="store_true")
    asked.add_argument("--json", type=Path)
    options = asked.parse_args()
    items = questions(options.inputs)
    chunks = [data for _, data in _chunks(iter(items), CHUNK)]
    many, few = (10**6, 10**4) if options.long else (10**5, 10**3)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        ray = on_ray(items, chunks, options.rounds, folder)
        pool = on_processes(items, chunks, options.rounds, folder)
        more = peak_mb(many, folder) - peak_mb(few, folder)
    fine = [told("Ray, of its bare rate", ray, RAY_GATE, RAY_AIM), told("processes, of ideal", pool, None, POOL_AIM)]
    fine.append(more <= MEMORY_GATE_MB)
    print(f"{'memory':<40} {more:+.1f} MB at {many:,} inputs; gate +{MEMORY_GATE_MB}: {'ok' if fine[-1] else 'MISSED'}")
    if options.json is not None:
        options.json.write_text(json.dumps({"ray": ray, "processes": pool, "memory_mb": more}, indent=2) + "\n")
    return 0 if all(fine) else 1


if __name__ == "__main__":
    raise SystemExit(main())
