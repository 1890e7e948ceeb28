"""What is remembered of each step of a job while it is checked: a few bytes, for what steps have to do with others.

Whether a step waits for the right number of others and whether it was left out for a reason follows from its
dependencies. They point backwards, so one pass over them decides. The rule for steps that are left out is that of
`planvow.execution.next_steps`, which a test holds it against.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from planvow.cassette.ledger.chain import HashedList
from planvow.step import OnError
from planvow.verdict import Fault

Row = Mapping[str, Any]
NEVER = -1


class StepFacts:
    """The steps of one job, by number. `numbered` tells whether they are 1, 2, 3 … and nothing else."""

    def __init__(self, *, denied: bool = False) -> None:
        self.numbered = True
        self.reported = 0
        self._skipped = bytearray()
        self._gone_on = bytearray()  # failed, and the job went on without what needs it
        self._stopped = denied  # nothing that had not begun was to run
        self._waiting = array("q")
        self._committed_at = array("q")
        self._skipped_at = array("q")

    def add(self, step: Row | None, state: Row, events: Sequence[Row], reports: Sequence[Row]) -> None:
        """Remember one step."""
        self._waiting.append(state["waiting_for"] - state.get("questions", 0))
        self.numbered &= state["ordinal"] == len(self._waiting)
        failed = state["status"] in ("FAILED", "DEAD")
        goes_on = step is not None and step["on_error"] == OnError.CONTINUE
        self._skipped.append(state["status"] == "SKIPPED")
        self._gone_on.append(failed and goes_on)
        self._stopped |= failed and not goes_on
        last = events[-1] if events else None
        for moments, ends in ((self._committed_at, ("COMMITTED",)), (self._skipped_at, ("SKIPPED", "CANCELLED"))):
            moments.append(last["seq"] if last is not None and last["to_status"] in ends else NEVER)
        tokens = {event["fence"] for event in events if event["from_status"] == "LEASED"}
        self.reported += sum(report["fence"] in tokens for report in reports)

    def problems(self, job_id: str, dependencies: Iterable[Row], head: HashedList) -> Iterator[Fault]:
        """Yield what does not follow from the dependencies, which go into the hash of what was posted on the way."""
        size = len(self._waiting)
        unmet = array("q", bytes(8 * size))
        lost = bytearray(size)
        head.begin()
        for row in dependencies:
            later, earlier = row["ordinal"], row["needs_ordinal"]
            head.add([later, earlier])
            if not 1 <= earlier < later <= size:
                yield Fault(place=job_id, message=f"its steps have no order: step {later} needs step {earlier}")
                self.numbered = False
                continue
            done, skipped = self._committed_at[earlier - 1], self._skipped_at[later - 1]
            unmet[later - 1] += done == NEVER or NEVER < skipped < done
            lost[later - 1] |= lost[earlier - 1] | self._gone_on[earlier - 1]
        head.end()
        if not self.numbered:
            return
        for number in range(size):
            place = f"{job_id} step {number + 1}"
            if self._waiting[number] != unmet[number]:
                message = f"waits for {self._waiting[number]} steps, {unmet[number]} are not done"
                yield Fault(place=place, message=message)
            if self._skipped[number] and not (self._stopped or lost[number]):
                yield Fault(place=place, message="was skipped, though no failure asks for that")
