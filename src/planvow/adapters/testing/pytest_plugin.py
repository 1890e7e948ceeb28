"""The determinism kit for tests, loaded by pytest through the entry point `planvow`.

`assert_replays` runs a planner (or any function) in fresh interpreters under several PYTHONHASHSEED values and
compares canonical bytes. `recorded_planner` wraps a planner so that tests answer from recordings; a marker sets which
hash seeds are used:

    @pytest.mark.deterministic(hash_seeds=(0, 1, 99))
    def test_same_request_gives_same_bytes(assert_replays):
        assert_replays("planvow.contract.planners.stub:StubPlanner", goal="echo hello")

Nothing of planvow is imported before a test asks for a fixture.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

DEFAULT_HASH_SEEDS = (0, 1, 4242)
_CHILD = "from planvow.adapters.testing.replay_child import main; main()"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("planvow", "recorded and deterministic plans")
    group.addoption("--planvow-record", action="store_true", help="Ask the real planners and replace the recordings.")
    group.addoption("--planvow-replay", action="store_true", help="Answer from recordings only; a miss is an error.")
    parser.addini("planvow_recordings", "Folder of the recordings.", default="tests/recordings")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "deterministic(hash_seeds): run assert_replays under these values of PYTHONHASHSEED"
    )
    if config.getoption("--planvow-record") and config.getoption("--planvow-replay"):
        raise pytest.UsageError("--planvow-record and --planvow-replay exclude each other")


@pytest.fixture
def assert_replays(request: pytest.FixtureRequest) -> Callable[..., bytes]:
    """Return a function that runs a target in fresh interpreters and fails unless all give the same bytes.

    The target is `module:name` of a planner class or function, or a registered planner's id; keyword arguments are its
    inputs. The bytes are returned.
    """
    marker = request.node.get_closest_marker("deterministic")
    seeds: Sequence[int] = marker.kwargs.get("hash_seeds", DEFAULT_HASH_SEEDS) if marker else DEFAULT_HASH_SEEDS

    def check(target: str, **inputs: Any) -> bytes:
        from planvow.contract.plan.difference import first_difference

        answers = [_in_fresh_interpreter(target, inputs, seed, request.config.rootpath) for seed in seeds]
        for seed, answer in zip(seeds[1:], answers[1:], strict=True):
            if answer != answers[0]:
                difference = first_difference(json.loads(answers[0]), json.loads(answer))
                pytest.fail(f"{target}: PYTHONHASHSEED={seeds[0]} and {seed} differ at {difference}", pytrace=False)
        return answers[0]

    return check


@pytest.fixture
def recorded_planner(request: pytest.FixtureRequest) -> Callable[[Any], Any]:
    """Return a function that wraps a planner: known inputs answer from recordings, as the options say."""

    def wrap(planner: Any) -> Any:
        from planvow.adapters.models.recording_files import DirectoryRecordings
        from planvow.contract.planners.memo import MemoPlanner

        folder = request.config.rootpath / str(request.config.getini("planvow_recordings"))
        return MemoPlanner(planner, recordings=DirectoryRecordings(folder), mode=_mode(request.config))

    return wrap


def _mode(config: pytest.Config) -> str:
    if config.getoption("--planvow-record"):
        return "record"
    return "replay" if config.getoption("--planvow-replay") else "auto"


def _in_fresh_interpreter(target: str, inputs: dict[str, Any], hash_seed: int, root: Path) -> bytes:
    search = os.pathsep.join(path for path in sys.path if path)  # so that the test's own modules can be the target
    done = subprocess.run(
        [sys.executable, "-c", _CHILD],
        input=json.dumps({"target": target, "inputs": inputs}).encode(),
        capture_output=True,
        cwd=root,
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": search},
        check=False,
    )
    if done.returncode != 0:
        pytest.fail(f"{target} failed in a fresh interpreter:\n{done.stderr.decode(errors='replace')}", pytrace=False)
    return done.stdout
