"""What `assert_replays` runs in a fresh interpreter: one call, its canonical bytes on stdout."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from typing import Any

from planvow.canonical import canonical_bytes
from planvow.contract.interface.interface import PlannerInterface, PlannerOutput
from planvow.contract.planners.registry import default_registry


def main() -> None:
    """Read {"target", "inputs"} from stdin and write what the target answers, as canonical bytes."""
    question = json.loads(sys.stdin.buffer.read())
    sys.stdout.buffer.write(canonical_bytes(answer(question["target"], question["inputs"])))


def answer(target: str, inputs: dict[str, Any]) -> Any:
    """Return the plan of a planner, or what a function returns. A planner's error counts as its answer."""
    module_name, colon, name = target.partition(":")
    if not colon or module_name == "memo":
        made: Any = default_registry().create(target)
    else:
        found = getattr(import_module(module_name), name)
        if not isinstance(found, type):
            return found(**inputs)
        made = found()
    if not isinstance(made, PlannerInterface):
        return made
    said = made.plan(**{"agent_id": "test", **inputs})
    return said.plan if isinstance(said, PlannerOutput) else {"error": said.as_dict()}
