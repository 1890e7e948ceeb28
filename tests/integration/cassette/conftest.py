from __future__ import annotations

import itertools

import pytest

from in_memory import tmp_path
from ledgers import sqlite_ledger
from postgres_server import postgres_ledger

__all__ = ["open_store", "store", "tmp_path"]


@pytest.fixture(params=["sqlite", "postgres"])
def open_store(request, tmp_path):
    """A function that opens one and the same ledger, once on each database."""
    if request.param == "sqlite":
        return lambda: sqlite_ledger(tmp_path)
    schema = f"shared_{next(_numbers)}"
    return lambda: postgres_ledger(schema)


@pytest.fixture
def store(open_store):
    """An empty ledger, once on each database."""
    with open_store() as opened:
        yield opened


_numbers = itertools.count(1)
