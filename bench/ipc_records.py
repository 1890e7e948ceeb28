"""What `ipc.py` measured so far: a line of JSON for every run, reused by a rerun as long as plans are the same.

A line is added when a run ends, so nothing is lost when a bench is stopped; of two lines for one run the later counts.
Lines of other versions of the planner (which moves when plans do) stay in the file and are passed over.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from planvow.contract.plan.hddl_steps import VERSION

Result = dict[str, Any]


class Records:
    """Results by key, kept in a file where one is given. Those whose key matches `again` count as not there."""

    def __init__(self, file: Path | None, again: str | None = None) -> None:
        self._file = file
        self.results: dict[str, Result] = {}
        for line in file.read_text("utf-8").splitlines() if file is not None and file.exists() else ():
            record: Result = json.loads(line)
            key = record.pop("key")
            if record.pop("version") == VERSION and (again is None or not re.search(again, key)):
                self.results[key] = record

    def __contains__(self, key: str) -> bool:
        return key in self.results

    def add(self, key: str, result: Result) -> None:
        """Keep a result, in the file at once."""
        self.results[key] = result
        if self._file is not None:
            with self._file.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"key": key, "version": VERSION, **result}, sort_keys=True) + "\n")
