"""What all tests share: the guard against tests that quietly do not run.

With `--strict-skips` (as CI runs) the session fails when a test is skipped for a reason that does not hold on this
machine. Only one reason is ever expected: the evaluation data is not beside the project.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("PLANVOW_SHARED", ROOT.parent / "shared"))
ABSENT_DATA = "shared data absent"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--strict-skips", action="store_true", help="Fail when a test that should run is skipped.")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of evaluation data; tests that need it skip where it is absent."""
    data = SHARED / "data"
    if not data.is_dir():
        pytest.skip(f"{ABSENT_DATA}: set PLANVOW_SHARED to the folder that holds data/")
    return data


_skips: list[tuple[str, str]] = []


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        _skips.append((report.nodeid, reason))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    if not session.config.getoption("--strict-skips"):
        return
    data_is_here = (SHARED / "data").is_dir()
    wrong = [(node, why) for node, why in _skips if data_is_here or ABSENT_DATA not in why]
    for node, why in wrong:
        print(f"\nskipped, but should have run: {node}: {why}")
    if wrong and session.exitstatus == 0:
        session.exitstatus = 1
