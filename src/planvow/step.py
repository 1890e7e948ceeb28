"""One step of a plan, from the planner that made it to the receipt that ends it.

Planners, the contract, the ledger and workers speak of this value and no other. Where a seed spells another shape it is
a view: seed 002 says `op` and `payload` for what seed 004 calls `skill` and `params`. What varies between calls (times,
tokens, cost) never stands in a step.

Seed 004, "Plan Structure Contract" and "Optional Fields"; seed 002, Phase 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from planvow.canonical import to_jsonable

DEFAULT_RETRY_COUNT = 3  # seed 004, "Optional Fields"


class OnError(StrEnum):
    """What the executor does when a step has failed for good.

    >>> Step(step_id="a", skill="mail", params={}, on_error=OnError.CONTINUE).on_error.value
    'continue'
    """

    ABORT = "abort"
    CONTINUE = "continue"
    RETRY = "retry"


@dataclass(frozen=True, kw_only=True)
class Step:
    """One skill to run. `output_key` None means the output is stored under the step's id.

    >>> Step(step_id="a", skill="echo", params={"message": "hi"}).retry_count
    3
    """

    step_id: str
    skill: str
    params: Mapping[str, Any]
    depends_on: tuple[str, ...] = ()
    on_error: OnError = OnError.ABORT
    retry_count: int = DEFAULT_RETRY_COUNT
    output_key: str | None = None

    @property
    def key(self) -> str:
        """The name later steps use for this step's output."""
        return self.output_key or self.step_id

    @property
    def op(self) -> str:
        """The skill under seed 002's name: the operation a worker has a function for."""
        return self.skill

    @property
    def payload(self) -> Mapping[str, Any]:
        """The parameters under seed 002's name."""
        return self.params

    def as_dict(self) -> dict[str, Any]:
        """Return the step as JSON data with every default written out."""
        return {
            "step_id": self.step_id,
            "skill": self.skill,
            "params": to_jsonable(self.params),
            "depends_on": list(self.depends_on),
            "on_error": self.on_error.value,
            "retry_count": self.retry_count,
            "output_key": self.key,
        }
