"""Folders in memory for tests whose ledgers commit by the thousand: each commit waits for a disk, and no test needs it.

What a cut of the power leaves is tried with disks of their own (`fault_power.py`).
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

MEMORY = Path("/dev/shm")
ENOUGH_BYTES = 2**30


@pytest.fixture
def tmp_path(tmp_path: Path) -> Iterator[Path]:
    """Return a folder in memory where there is room, else pytest's own."""
    if not os.access(MEMORY, os.W_OK) or shutil.disk_usage(MEMORY).free < ENOUGH_BYTES:
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(prefix="planvow-", dir=MEMORY, ignore_cleanup_errors=True) as folder:
        yield Path(folder)
