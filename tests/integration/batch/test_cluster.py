"""A batch on a real Ray cluster of three nodes, one of which is lost in the middle: the bytes of one process."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from batches import DOMAIN, PROBLEM
from command_line import planvow

pytestmark = pytest.mark.slow
pytest.importorskip("ray", reason="needs the extra [cluster]")
COUNT = 400


@pytest.fixture
def cluster(monkeypatch):
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")

    here = {"num_cpus": 1, "node_ip_address": "127.0.0.2"}
    made = Cluster(initialize_head=True, head_node_args={**here, "include_dashboard": False})
    made.extra = [made.add_node(**here) for _ in range(2)]
    made.wait_for_nodes()
    yield made
    made.shutdown()


def problems(folder: Path) -> None:
    """Write problems that take some milliseconds each, so that the loss falls into the middle of the batch."""
    lines = []
    for number in range(COUNT):
        lamps = [f"l{k}" for k in range(60 + number % 7)]
        tasks = " ".join(f"(light {lamp})" for lamp in lamps)
        problem = PROBLEM.format(n=number, lamps=" ".join(lamps), tasks=tasks)
        lines.append({"id": f"p{number}", "domain": DOMAIN, "problem": problem})
    (folder / "in.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_a_cluster_that_loses_a_node_makes_the_same_bytes(tmp_path, cluster):
    problems(tmp_path)
    command = [sys.executable, "-m", "planvow", "batch", "hddl", "in.jsonl", "-o", "far.jsonl", "--chunk", "4"]
    run = subprocess.Popen([*command, "--ray", cluster.address], cwd=tmp_path, stderr=subprocess.PIPE)
    part = tmp_path / "far.jsonl.part"
    end = time.monotonic() + 180
    while run.poll() is None and time.monotonic() < end and not (part.exists() and part.stat().st_size):
        time.sleep(0.01)
    assert run.poll() is None, run.stderr.read().decode()
    cluster.remove_node(cluster.extra[0], allow_graceful=False)
    assert not (tmp_path / "far.jsonl").exists(), "the node was lost after the end"
    _, told = run.communicate(timeout=300)
    assert run.returncode == 0, told.decode()
    near = planvow(tmp_path, "batch", "hddl", "in.jsonl", "-o", "near.jsonl", "--workers", 2)
    assert near.returncode == 0, near.stderr
    assert (tmp_path / "far.jsonl").read_bytes() == (tmp_path / "near.jsonl").read_bytes()
    manifests = [(tmp_path / f"{name}.jsonl.manifest.json").read_text() for name in ("far", "near")]
    assert manifests[0] == manifests[1]


def test_a_cluster_that_is_not_there_is_an_error_with_its_address(tmp_path):
    (tmp_path / "in.jsonl").write_text("{}\n")
    done = planvow(tmp_path, "batch", "hddl", "in.jsonl", "-o", "out.jsonl", "--ray", "127.0.0.1:1")
    assert done.returncode == 2
    assert "127.0.0.1:1" in done.stderr
