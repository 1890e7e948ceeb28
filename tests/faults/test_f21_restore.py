"""F21: what is backed up while workers write can be restored and worked on."""

from __future__ import annotations

import importlib
import tempfile
from pathlib import Path

import pytest

from fault_lab import fast_folder
from fault_power import sqlite_drivers
from fault_restore import copied, drill

DRILLS = 8


@pytest.mark.parametrize("name", sqlite_drivers())
def test_f21_backups_under_load_restore_to_sound_ledgers(fault_table, name):
    with tempfile.TemporaryDirectory(dir=fast_folder()) as folder:
        most, wrong = drill(Path(folder), drills=DRILLS, driver=importlib.import_module(name))
    fault_table.add(f"F21 restored backups with {name}", f"{DRILLS} backups under load, up to {most} receipts", **wrong)
    assert most > 0
    assert wrong == dict.fromkeys(wrong, 0)


def test_control_a_file_copied_under_load_is_found_wanting(tmp_path):
    """With a write-ahead log the file alone lacks what was committed last; without one it may be torn."""
    driver = importlib.import_module(sqlite_drivers()[-1])
    _, wrong = drill(tmp_path, drills=2, driver=driver, take=copied)
    assert wrong.total() > 0
