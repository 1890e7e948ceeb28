"""What all tests share: the guard against tests that quietly do not run.

With `--strict-skips` (as CI runs) the session fails when a test is skipped for a reason that is not expected, does not
hold on this machine, or is given more often than expected. `EXPECTED_SKIPS` is the whole list.

A quick test, one that `scripts/check` runs, finds only the programs that every machine has (`basic_programs.py`), so
that a forgotten mark `long` is noticed also where the Debian packages are installed.

Property tests try the same examples in every run, however busy the machine is; `--hypothesis-profile explore` looks
for new ones.
"""

from __future__ import annotations

import atexit
import gc
import importlib.util
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from basic_programs import basic_path
from commits import has_history

settings.register_profile("explore", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.register_profile("steady", settings.get_profile("explore"), derandomize=True, database=None)
settings.load_profile("steady")

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("PLANVOW_SHARED", ROOT.parent / "shared"))
ABSENT_DATA = "shared data absent"
QUICK = (ROOT / "tests/architecture", ROOT / "tests/unit")
NOT_QUICK = ("long", "slow", "faults", "browser")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--strict-skips", action="store_true", help="Fail when a test that should run is skipped.")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of evaluation data; tests that need it skip where it is absent."""
    data = SHARED / "data"
    if not data.is_dir():
        pytest.skip(f"{ABSENT_DATA}: set PLANVOW_SHARED to the folder that holds data/")
    return data


def is_quick(item: pytest.Item) -> bool:
    """Return whether `scripts/check` runs this test."""
    inside = any(item.path.is_relative_to(folder) for folder in QUICK)
    return inside and not any(item.get_closest_marker(mark) for mark in NOT_QUICK)


@cache
def _basic_path() -> str:
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder)
    return basic_path(Path(folder))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    if not is_quick(item):
        return (yield)
    with pytest.MonkeyPatch.context() as changed:
        changed.setenv("PATH", _basic_path())
        return (yield)


def pytest_collection_finish() -> None:
    # What was collected stays to the end: the garbage collector need not walk it after every few tests.
    gc.collect()
    gc.freeze()


_skips: list[tuple[str, str]] = []


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        _skips.append((report.nodeid, reason))


def _no_namespaces() -> bool:
    from containment import NAMESPACES

    return NAMESPACES.program is None


def _no_hosts() -> bool:
    from fault_hosts import lacking

    return lacking() is not None


def _data_is_absent() -> bool:
    return not (SHARED / "data").is_dir()


def _history_is_absent() -> bool:
    return not has_history(ROOT)


# A pattern of the reason, how often it may be given, and whether it holds here.
EXPECTED_SKIPS = (
    (r"PLANVOW_SHARED", 1000, _data_is_absent),
    (r"no Python 3\.1[23] below|3\.1[23] with the dependencies is not here", 4, lambda: True),  # further interpreters
    (r"this Python's SQLite is sound", 4, lambda: True),  # the test is about an unsound one
    (r"only one SQLite library", 4, lambda: importlib.util.find_spec("pysqlite3") is None),
    (r"no whole history of commits", 1, _history_is_absent),  # a shallow clone, or an archive
    (r"no namespaces here, says planvow\.cassette\.contained", 100, _no_namespaces),
    (r"no network namespaces here", 2, _no_hosts),
    (r"nothing is forbidden to root", 1, lambda: os.geteuid() == 0),
    (r"no IPyHOP here: PLANVOW_IPYHOP", 1, lambda: "PLANVOW_IPYHOP" not in os.environ),  # it has no distribution
    (r"not solved within 2,000 expansions", 6, lambda: True),  # the mutation test takes what is solved quickly
)


def unexpected_skips(skips: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the skips that the list above does not cover."""
    left = {pattern: times for pattern, times, holds in EXPECTED_SKIPS if holds()}
    wrong = []
    for node, why in skips:
        pattern = next((known for known in left if re.search(known, why) and left[known] > 0), None)
        if pattern is None:
            wrong.append((node, why))
        else:
            left[pattern] -= 1
    return wrong


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    if not session.config.getoption("--strict-skips"):
        return
    wrong = unexpected_skips(_skips)
    for node, why in wrong:
        print(f"\nskipped, but should have run: {node}: {why}")
    if wrong and session.exitstatus == 0:
        session.exitstatus = 1
