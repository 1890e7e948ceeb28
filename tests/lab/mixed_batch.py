"""A batch of every kind at once: tasks of a Python domain, HDDL problems, wishes, governed requests and transcripts."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from batches import DOMAIN, PROBLEM

ROOT = Path(__file__).resolve().parents[2]
PLANVOW = [sys.executable, "-m", "planvow"]
GIVEN = ("plan", "in.jsonl", "--domain", "travel.py:problem")
"""What `planvow batch` is called with in a folder that `prepare` has filled."""
JOURNEYS = (("alice", "park"), ("bob", "park"), ("alice", "home_a"))
WISHES = (
    "open youtube and search nvidia",
    "create a folder named trip{n} on the desktop",
    "search for weather in town {n}",
    "do not open youtube {n}",
    "delete note{n}.txt tomorrow at 5pm",
)
SPEECH = """ANN: Unemployment fell by {n} percent last year because we cut the tax on wages.
BEN: That is not true. It rose by {more} percent, and I think the tax was a mistake.
ANN: He said himself that the budget of 2019 was balanced.
"""


def plan_question(n: int) -> dict[str, Any]:
    """A journey that is walked, ridden, already over, or impossible."""
    agenda = [["travel", *JOURNEYS[n % len(JOURNEYS)]]]
    return {"goal": json.dumps(agenda), "facts": {"cash": {"alice": n % 30, "bob": n % 9}}}


def hddl_question(n: int) -> dict[str, Any]:
    """As many lamps as forty, and now and then one that cannot be lit because it is lit already."""
    lamps = [f"l{k}" for k in range(n % 40 + 1)]
    tasks = " ".join(f"(light {lamp})" for lamp in [*lamps, *lamps[: n % 7 == 0]])
    return {"domain": DOMAIN, "problem": PROBLEM.format(n=n, lamps=" ".join(lamps), tasks=tasks)}


def goal_question(n: int) -> dict[str, Any]:
    return {"wish": WISHES[n % len(WISHES)].format(n=n)}


def govern_question(n: int) -> dict[str, Any]:
    """A file to write and another to read; every ninth asks for more steps than it has."""
    ops = [{"op": "WRITE_FILE", "refs": {"file_path": f"notes/{n}.txt", "content": f"note {n}\n"}}]
    budgets = {"max_steps": 1 if n % 9 == 0 else 10, "max_bytes": 4000, "max_symbols": 5}
    inputs = {"files": [f"file{n % 3}.md"], "ops": ops}
    return {
        "request": {"run_id": "mixed", "request_id": f"r{n}", "intent": "note", "inputs": inputs, "budgets": budgets}
    }


def debate_question(n: int) -> dict[str, Any]:
    return {"transcript": SPEECH.format(n=n % 50, more=n % 11), "language": "lite"}


KINDS: dict[str, tuple[int, Callable[[int], dict[str, Any]]]] = {
    "plan": (3, plan_question),
    "hddl": (3, hddl_question),
    "goal": (2, goal_question),
    "govern": (1, govern_question),
    "debate": (1, debate_question),
}
"""Of each ten inputs, how many are of which kind."""


def questions(count: int) -> list[str]:
    """Return the lines, in an order that hashes decide."""
    turns = [(kind, make) for kind, (share, make) in KINDS.items() for _ in range(share)]
    made = []
    for n in range(count):
        kind, make = turns[n % len(turns)]
        made.append(json.dumps({"id": f"{kind}-{n}", "kind": kind, **make(n)}) + "\n")
    return sorted(made, key=lambda line: hashlib.sha256(line.encode()).digest())


def prepare(folder: Path, count: int) -> None:
    """Fill a folder with so many questions, the Python domain and an indexed repository."""
    (folder / "in.jsonl").write_text("".join(questions(count)))
    (folder / "travel.py").write_text((ROOT / "examples/travel.py").read_text())
    for number in range(3):
        (folder / f"file{number}.md").write_text(f"# File {number}\n\nSomething to read.\n")
    subprocess.run([*PLANVOW, "cortex", "sections", "build"], cwd=folder, check=True, capture_output=True)


@contextmanager
def three_nodes() -> Iterator[Any]:
    """A Ray cluster of three nodes on loopback; `extra` holds the two that may be lost."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    from ray.cluster_utils import Cluster

    here = {"num_cpus": 1, "node_ip_address": "127.0.0.2"}
    cluster = Cluster(initialize_head=True, head_node_args={**here, "include_dashboard": False})
    try:
        cluster.extra = [cluster.add_node(**here) for _ in range(2)]
        cluster.wait_for_nodes()
        yield cluster
    finally:
        cluster.shutdown()
