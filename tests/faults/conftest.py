"""All tests here are faults; at the end the table of what was tried is printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from fault_lab import TABLE

HERE = Path(__file__).parent
PATIENCE_SECONDS = 1200  # a hundred processes are started one after the other; a busy machine takes its time


def pytest_collection_modifyitems(items):
    for item in items:
        if HERE in Path(item.fspath).parents:
            item.add_marker(pytest.mark.faults)
            item.add_marker(pytest.mark.timeout(PATIENCE_SECONDS))


def pytest_terminal_summary(terminalreporter):
    if TABLE.rows:
        terminalreporter.section("faults")
        for line in TABLE.lines():
            terminalreporter.write_line(line)


@pytest.fixture
def fault_table():
    """Where a fault test writes what it did and what went wrong."""
    return TABLE
