"""What runs in a fresh interpreter: a trial of one planner, or one call of a function, written to stdout as JSON.

Whatever the target prints is counted, not mixed into the answer: the real standard output is put aside first.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

from planvow.adapters.machine.modules import load_module
from planvow.canonical import canonical_bytes
from planvow.contract.interface.interface import PlannerInterface
from planvow.contract.planners.registry import default_registry
from planvow.contract.promise.trial import trial_of


class Absent(Exception):
    """Nothing stands where the target should be."""


def main() -> None:
    """Read an order from stdin: {"target", "questions", "calls", "threads", "bad", "max_memory_mb"}."""
    order = json.loads(sys.stdin.buffer.read())
    answers = os.dup(1)
    with tempfile.TemporaryFile() as printed:
        os.dup2(printed.fileno(), 1)
        _limit_memory(order["max_memory_mb"])
        said = answer(order)
        sys.stdout.flush()
        said["printed"] = os.fstat(printed.fileno()).st_size
    with open(answers, "wb") as stream:
        stream.write(canonical_bytes(said))


def answer(order: dict[str, Any]) -> dict[str, Any]:
    """Return the trial of a planner, or what a function returned."""
    try:
        made = target_of(order["target"])
    except Absent as error:
        return {"absent": str(error)}
    if not isinstance(made, PlannerInterface):
        return {"returned": made(**order["questions"][0]) if callable(made) else made}
    return trial_of(made, order["questions"], calls=order["calls"], threads=order["threads"], bad=order["bad"])


def target_of(target: str) -> Any:
    """Return the planner of an id, of `module:Class` or of `file.py:Class`; anything else is returned as it is."""
    module_name, colon, name = target.rpartition(":")
    if not colon or module_name == "memo":
        return default_registry().create(target)
    try:
        found: Any = load_module(Path(module_name)) if module_name.endswith(".py") else import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module_name}.".startswith(f"{error.name}."):
            raise  # it is there, and lacks something itself
        raise Absent(f"there is no module {error.name}") from None
    for part in name.split("."):
        if not hasattr(found, part):
            raise Absent(f"{module_name} has no {name}")
        found = getattr(found, part)
    return found() if isinstance(found, type) else found


def _limit_memory(megabytes: int | None) -> None:
    if megabytes is not None and sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (megabytes * 2**20, megabytes * 2**20))
