"""Ten thousand mixed problems, the same bytes three times: `python bench/batch_mixed.py [--inputs 10000] [--keep DIR]`.

Tasks of a Python domain, HDDL problems, wishes, governed requests and transcripts, solvable or not, shuffled by a hash
into one file, go through `planvow batch` as people run it: on one process, on eight, and on a Ray cluster of three
nodes of which one is killed once a third of the answers is there. Gate: the answers and the manifests are the same
bytes, and the node was lost before the end. Prints what each form took; rates of a busy machine are no measure.

Ray needs the extra [cluster]; it listens on loopback only.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/lab"))

from mixed_batch import GIVEN, PLANVOW, prepare, three_nodes  # noqa: E402

LOST_AT = 1 / 3


def command(out: str, *more: str) -> list[str]:
    return [*PLANVOW, "batch", *GIVEN, "-o", out, "--chunk", "32", *more]


def finished(process: subprocess.Popen[bytes], name: str, start: float) -> None:
    _, told = process.communicate()
    if process.returncode not in (0, 1):  # 1: some inputs have no plan, as they should not
        raise SystemExit(f"{name}: exit code {process.returncode}\n{told.decode()}")
    print(f"{name:<44} {time.monotonic() - start:7.1f} s", flush=True)


def on_processes(folder: Path, count: int) -> str:
    start, out = time.monotonic(), f"processes-{count}.jsonl"
    words = command(out, "--workers", str(count))
    finished(subprocess.Popen(words, cwd=folder, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL), out, start)
    return out


def on_a_cluster(folder: Path, count: int) -> str:
    """Kill a node once a third of the lines is written."""
    out, part = "cluster.jsonl", folder / "cluster.jsonl.part"
    with three_nodes() as cluster:
        start = time.monotonic()
        words = command(out, "--ray", cluster.address)
        run = subprocess.Popen(words, cwd=folder, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
        while run.poll() is None and lines_in(part) < count * LOST_AT:
            time.sleep(0.05)
        cluster.remove_node(cluster.extra[0], allow_graceful=False)
        if (folder / out).exists():
            raise SystemExit("the node was lost after the end: ask for more inputs")
        print(f"a node was killed after {lines_in(part)} of {count} answers", flush=True)
        finished(run, "cluster that lost a node", start)
    return out


def lines_in(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def told(folder: Path, name: str) -> None:
    counts = Counter()
    for line in (folder / name).read_text().splitlines():
        answer = json.loads(line)
        counts[answer["id"].partition("-")[0], answer["status"]] += 1
    for (kind, status), count in sorted(counts.items()):
        print(f"  {kind:<8} {status:<16} {count:6}")


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--inputs", type=int, default=10_000)
    asked.add_argument("--keep", type=Path, help="an empty folder that keeps inputs and answers")
    options = asked.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = options.keep or Path(place)
        prepare(folder, options.inputs)
        names = [on_processes(folder, 1), on_processes(folder, 8), on_a_cluster(folder, options.inputs)]
        told(folder, names[0])
        same = all(
            len({hashlib.sha256((folder / f"{name}{ending}").read_bytes()).digest() for name in names}) == 1
            for ending in ("", ".manifest.json")
        )
    print(f"{options.inputs} inputs, three forms: {'the same bytes' if same else 'THE BYTES DIFFER'}")
    return 0 if same else 1


if __name__ == "__main__":
    raise SystemExit(main())
