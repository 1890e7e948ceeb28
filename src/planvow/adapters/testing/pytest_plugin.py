"""The determinism kit for tests, loaded by pytest through the entry point `planvow`.

`assert_replays` runs a planner (or any function) in fresh interpreters under several PYTHONHASHSEED values and
compares canonical bytes; `assert_refuses` does so for what shall be refused. `recorded_planner` wraps a planner so
that tests answer from recordings; a marker sets which hash seeds are used:

    @pytest.mark.deterministic(hash_seeds=(0, 1, 99))
    def test_same_request_gives_same_bytes(assert_replays):
        assert_replays("planvow.contract.planners.stub:StubPlanner", goal="echo hello")

Nothing of planvow is imported before a test asks for a fixture.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest


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
    seeds = _seeds(request)

    def check(target: str, **inputs: Any) -> bytes:
        documents = _replayed(target, inputs, seeds, request.config.rootpath)
        if isinstance(documents, dict) and "error" in documents:
            error = documents["error"]
            pytest.fail(
                f"{target} gave no plan: {error['code']}: {error['message']}\n"
                "a planner that only errs shows no determinism; assert_refuses is for answers that shall be errors",
                pytrace=False,
            )
        return _bytes(documents)

    return check


@pytest.fixture
def assert_refuses(request: pytest.FixtureRequest) -> Callable[..., bytes]:
    """Return a function like `assert_replays` for what a planner shall refuse: an error of this code, every time."""
    seeds = _seeds(request)

    def check(target: str, code: str, **inputs: Any) -> bytes:
        document = _replayed(target, inputs, seeds, request.config.rootpath)
        said = document.get("error", {}).get("code") if isinstance(document, dict) else None
        if said != code:
            pytest.fail(f"{target} shall refuse with {code}, it answers {said or 'with a plan'}", pytrace=False)
        return _bytes(document)

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


def _seeds(request: pytest.FixtureRequest) -> Sequence[int]:
    from planvow.adapters.testing.fresh import DEFAULT_HASH_SEEDS

    marker = request.node.get_closest_marker("deterministic")
    seeds: Sequence[int] = marker.kwargs.get("hash_seeds", DEFAULT_HASH_SEEDS) if marker else DEFAULT_HASH_SEEDS
    return seeds


def _bytes(document: Any) -> bytes:
    from planvow.canonical import canonical_bytes

    return canonical_bytes(document)


def _replayed(target: str, inputs: dict[str, Any], seeds: Sequence[int], root: Path) -> Any:
    """Return what the target answers in every interpreter; fail when a promise is broken or two answers differ."""
    from planvow.adapters.testing.fresh import trials
    from planvow.contract.plan.difference import first_difference
    from planvow.contract.promise.report import Conditions, first_broken

    said = trials(target, [inputs], hash_seeds=seeds, folder=root)
    for trial in said:
        if "failed" in trial:
            pytest.fail(f"{target} failed in a fresh interpreter:\n{trial['failed']}", pytrace=False)
    if "returned" not in said[0]:  # a planner: the checks of `planvow certify-planner`
        broken = first_broken(said, Conditions(target=target, questions=[inputs], hash_seeds=seeds))
        if broken is not None:
            pytest.fail(f"{target} breaks a promise: {broken.promise}: {broken.detail}", pytrace=False)
    documents = [_only_answer(trial) for trial in said]
    for seed, document in zip(seeds[1:], documents[1:], strict=True):
        difference = first_difference(documents[0], document)
        if difference is not None:
            pytest.fail(f"{target}: PYTHONHASHSEED={seeds[0]} and {seed} differ at {difference}", pytrace=False)
    return documents[0]


def _only_answer(trial: dict[str, Any]) -> Any:
    if "returned" in trial:
        return trial["returned"]
    (document,) = trial["questions"][0]["answers"].values()
    return document
