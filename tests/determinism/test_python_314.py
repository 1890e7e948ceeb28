"""Plans, certificates and documents have the same bytes on Python 3.14, which Pyodide brings as a package of npm.

Whatever of the golden corpus needs nothing but the standard library and rfc8785 is made there, in node, from the wheel.
What a browser's Python has not (threads, processes, sockets, pipes, compiled packages) is told apart, case by case.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from golden.corpus import CASES

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/website"))
NODE = shutil.which("node")
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600), pytest.mark.skipif(NODE is None, reason="needs node")]
ANSWERED_OTHERWISE = {"doors/batch"}  # its questions are read with pydantic, so its lines say that it is missing
WHOLE = ("values/", "htn/", "schedules/", "hddl/", "proofs/", "cellar/", "goals/", "trade/")
OF_SERVICES = "htn/book_trip."  # an example that opens sockets when it is loaded
OF_SOLVERS = ".sat"  # found by a compiled package


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    from playground import wheels
    from vendored import PYODIDE, fetched

    built = ",".join(map(str, wheels(tmp_path_factory.mktemp("wheels"))))
    command = [NODE, str(ROOT / "tests/lab/pyodide_corpus.mjs"), str(fetched(PYODIDE)), built, str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=560, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


def test_no_byte_of_the_corpus_differs_on_python_3_14(told):
    assert told["python"].startswith("3.14.")
    assert {name: said for name, said in told["differing"].items() if name not in ANSWERED_OTHERWISE} == {}


def test_plans_certificates_and_proofs_are_covered_whole_and_the_rest_nearly(told):
    lacking = [name for name in told["lacking"] if name.startswith(WHOLE) and not name.startswith(OF_SERVICES)]
    assert [name for name in lacking if not name.endswith(OF_SOLVERS)] == []
    every = {case.name for case in CASES}
    assert {*told["same"], *told["differing"], *told["lacking"]} == every
    assert len(told["same"]) > 0.9 * len(every), told["lacking"]
