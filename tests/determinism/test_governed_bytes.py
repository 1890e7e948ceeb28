"""The same request gives the same bytes in every process, whatever its hash seed."""

from __future__ import annotations

import os
import subprocess
import sys

SCRIPT = """
import sys
from pathlib import Path
from planvow.canonical import canonical_json
from planvow.governed import Planner
from planvow.governed.substrate.index import build_index
from planvow.governed.substrate.symbols import add_symbol, find_section
from planvow.governed.substrate.working_tree import open_working_tree

root = Path(sys.argv[1])
for kind in ("sqlite", "jsonl"):
    with open_working_tree(root, kind=kind, data_folder=Path(sys.argv[2]), writable=True) as tree:
        build_index(root, tree.sections)
        section = find_section(tree.sections, "b.md", ("B",))
        add_symbol(tree.symbols, tree.sections, tree.text, symbol_id="@DOC/b", section_id=section.section_id,
                   default_slice="head(1)", now="t")
    path = Path(sys.argv[2]) / ("index.db" if kind == "sqlite" else "index")
    request = {"run_id": "r", "request_id": "q", "intent": "implement_feature", "budgets": {"max_steps": 30},
               "inputs": {"symbols": ["@DOC/b"], "files": ["a.md", "c/d.py"], "notes": ["x", "y"],
                          "ops": [{"op": "WRITE_FILE", "refs": {"file_path": n, "content": n}} for n in "pqr"]
                          + [{"op": "RUN_TEST", "refs": {"test_name": "unit"}}]}}
    print(canonical_json(Planner(root, path).plan_request(request, substrate=kind)))
"""


def test_plans_are_the_same_bytes_over_processes_and_hash_seeds(tmp_path, tmp_path_factory):
    (tmp_path / "a.md").write_text("# A\n\n## C\n")
    (tmp_path / "b.md").write_text("x\n# B\n")
    (tmp_path / "c").mkdir()
    (tmp_path / "c/d.py").write_text("def f(): ...\n")
    printed = set()
    for seed in ("0", "1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, str(tmp_path), str(tmp_path_factory.mktemp("data"))],
            env=environment, capture_output=True, text=True, timeout=120, check=True,
        )  # fmt: skip
        printed.update(done.stdout.splitlines())
    assert len(printed) == 1
