"""A batch on a real Ray cluster of three nodes, one of which is lost in the middle: the bytes of one process."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path

import pytest

from batches import DOMAIN, PROBLEM
from command_line import planvow
from mixed_batch import GIVEN, PLANVOW, prepare, three_nodes

pytestmark = pytest.mark.slow
pytest.importorskip("ray", reason="needs the extra [cluster]")
MIXED, SLOW = 60, 340


@pytest.fixture
def cluster(monkeypatch):
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    with three_nodes() as made:
        yield made


def add_slow_problems(questions: Path) -> None:
    """Add problems that take some milliseconds each, so that the loss falls into the middle of the batch."""
    with questions.open("a") as file:
        for number in range(SLOW):
            lamps = [f"l{k}" for k in range(60 + number % 7)]
            tasks = " ".join(f"(light {lamp})" for lamp in lamps)
            problem = PROBLEM.format(n=number, lamps=" ".join(lamps), tasks=tasks)
            file.write(json.dumps({"id": f"p{number}", "kind": "hddl", "domain": DOMAIN, "problem": problem}) + "\n")


def test_a_cluster_that_loses_a_node_makes_the_same_bytes(tmp_path, cluster):
    """Also of what is found from the folder the batch was started in: a Python domain, and a repository's index."""
    prepare(tmp_path, MIXED)
    add_slow_problems(tmp_path / "in.jsonl")
    command = [*PLANVOW, "batch", *GIVEN, "-o", "far.jsonl", "--chunk", "4", "--ray", cluster.address]
    run = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE)
    part = tmp_path / "far.jsonl.part"
    end = time.monotonic() + 180
    while run.poll() is None and time.monotonic() < end and not (part.exists() and part.stat().st_size):
        time.sleep(0.01)
    assert run.poll() is None, run.stderr.read().decode()
    cluster.remove_node(cluster.extra[0], allow_graceful=False)
    assert not (tmp_path / "far.jsonl").exists(), "the node was lost after the end"
    _, told = run.communicate(timeout=300)
    assert run.returncode == 1, told.decode()  # some have no plan
    near = planvow(tmp_path, "batch", *GIVEN, "-o", "near.jsonl", "--workers", 2)
    assert near.returncode == 1, near.stderr
    assert (tmp_path / "far.jsonl").read_bytes() == (tmp_path / "near.jsonl").read_bytes()
    manifests = [(tmp_path / f"{name}.jsonl.manifest.json").read_text() for name in ("far", "near")]
    assert manifests[0] == manifests[1]
    words = ["batch", *GIVEN, "-o", "apart/", "--chunk", "4", "--ray", cluster.address]
    assert planvow(tmp_path, *words).returncode == 1  # on the nodes that are left
    assert (
        b"".join(path.read_bytes() for path in sorted((tmp_path / "apart").glob("*.json")))
        == (tmp_path / "near.jsonl").read_bytes()
    )
    solved = {line["kind"] for line in map(json.loads, (tmp_path / "far.jsonl").open()) if line["status"] == "solved"}
    assert solved == {"plan", "hddl", "govern", "debate"}


def test_a_cluster_that_is_not_there_is_an_error_with_its_address(tmp_path):
    (tmp_path / "in.jsonl").write_text("{}\n")
    done = planvow(tmp_path, "batch", "hddl", "in.jsonl", "-o", "out.jsonl", "--ray", "127.0.0.1:1")
    assert done.returncode == 2
    assert "127.0.0.1:1" in done.stderr
