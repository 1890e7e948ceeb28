"""A planner around any planner that gives the same answer to the same input, for good.

The first plan for an input is recorded and then repeated byte for byte, whatever the inner planner would say now:
full determinism around a model. Only plans are recorded. Errors are not: a rate limit or an interruption says
nothing about the input.

Seed 004, mode `full` ("cached/memoized planners"); spec 004, "Replay" and hole k.
"""

from __future__ import annotations

from typing import Any

from planvow.contract.interface.inputs import PlannerInputs
from planvow.contract.interface.interface import Answer, DeterminismMode, PlannerInterface, PlannerOutput
from planvow.contract.interface.keeping import keeps_contract, safe_plan
from planvow.contract.replaying.recordings import (
    MemoryRecordings,
    Recording,
    RecordingMode,
    RecordingStore,
    keep,
    known,
)
from planvow.errors import chosen


class MemoPlanner:
    """Answers from recordings; asks the inner planner only where the mode allows it.

    >>> memo = MemoPlanner(StubPlanner())
    >>> memo.plan("agent-1", "say hello") == memo.plan("agent-1", "say hello")
    True
    """

    def __init__(
        self,
        inner: PlannerInterface,
        *,
        recordings: RecordingStore | None = None,
        mode: RecordingMode | str = RecordingMode.AUTO,
    ) -> None:
        self._inner = inner
        self._mode = chosen(RecordingMode, mode, place="mode")
        self.recordings: RecordingStore = MemoryRecordings() if recordings is None else recordings

    @property
    def planner_id(self) -> str:
        return f"memo:{self._inner.planner_id}"

    @property
    def version(self) -> str:
        return self._inner.version

    def get_determinism_mode(self) -> str:
        return DeterminismMode.FULL

    @keeps_contract
    def plan(self, inputs: PlannerInputs) -> Answer:
        """Return the recorded plan for these inputs, or record the inner planner's."""
        asked: dict[str, Any] = {
            "maker": self._inner.planner_id,
            "maker_version": self._inner.version,
            "request": inputs.as_dict(),
        }
        kept = known(self.recordings, self._mode, **asked)
        if kept is None:
            answer = safe_plan(self._inner, **inputs.as_arguments())
            if not isinstance(answer, PlannerOutput):
                return answer
            kept = keep(self.recordings, self._mode, Recording(**asked, answer=answer.as_dict()))
        return _replayed(kept)


def _replayed(recording: Recording) -> PlannerOutput:
    answer = recording.answer
    return PlannerOutput(
        plan=answer["plan"], metadata={**answer["metadata"], "recording": recording.key}, deterministic=True
    )
