"""Trials of a planner in fresh interpreters, one for each value of PYTHONHASHSEED."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from planvow.errors import InputError

DEFAULT_HASH_SEEDS = (0, 1, 4242)
_CHILD = "from planvow.adapters.testing.fresh_child import main; main()"
_LAST_WORDS = 2_000


def trials(
    target: str,
    questions: Sequence[Mapping[str, Any]],
    *,
    hash_seeds: Sequence[int] = DEFAULT_HASH_SEEDS,
    calls: int = 1,
    threads: int = 0,
    bad: bool = False,
    max_seconds: float | None = None,
    max_memory_mb: int | None = None,
    folder: Path | None = None,
) -> list[dict[str, Any]]:
    """Return what each interpreter noted; one that did not end well is `{"failed": why}`."""
    order = {
        "target": target, "questions": list(questions), "calls": calls, "threads": threads, "bad": bad,
        "max_memory_mb": max_memory_mb,
    }  # fmt: skip
    asked = json.dumps(order).encode()
    return [{**_trial(asked, seed, max_seconds, folder), "hash_seed": seed} for seed in hash_seeds]


def _trial(asked: bytes, seed: int, max_seconds: float | None, folder: Path | None) -> dict[str, Any]:
    search = os.pathsep.join(path for path in sys.path if path)  # so that the asker's own modules can be the target
    try:
        done = subprocess.run(
            [sys.executable, "-c", _CHILD],
            input=asked,
            capture_output=True,
            cwd=folder,
            env={**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": search},
            timeout=max_seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return {"failed": f"it had not ended after {max_seconds:g} seconds"}
    if done.returncode != 0:
        return {"failed": done.stderr.decode(errors="replace").strip()[-_LAST_WORDS:] or f"exit {done.returncode}"}
    try:
        said: dict[str, Any] = json.loads(done.stdout)
    except ValueError:  # a planner that leaves by os._exit(0) leaves no word
        return {"failed": "its process ended before all questions were answered"}
    if "absent" in said:
        target = json.loads(asked)["target"]
        raise InputError(said["absent"], place=target, hint="a target is package.module:Class, file.py:Class or an id")
    return said
