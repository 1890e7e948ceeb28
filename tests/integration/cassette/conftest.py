from __future__ import annotations

import pytest

from ledgers import sqlite_ledger


@pytest.fixture(params=["sqlite"])
def store(request, tmp_path):
    with sqlite_ledger(tmp_path) as opened:
        yield opened
