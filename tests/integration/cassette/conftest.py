from __future__ import annotations

import pytest

from ledgers import sqlite_ledger
from postgres_server import postgres_ledger


@pytest.fixture(params=["sqlite", "postgres"])
def store(request, tmp_path):
    """An empty ledger, once on each database."""
    opened = sqlite_ledger(tmp_path) if request.param == "sqlite" else postgres_ledger()
    with opened:
        yield opened
