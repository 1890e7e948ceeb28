"""Time that is worked out when it matters, and no further than it does.

Durations alone never contradict each other, so as long as nothing limits the time, a search only takes note: the
schedule of a plan is worked out when somebody asks for it. From the first deadline on, the earliest times are kept
(`earliest`), which is one pass. The network comes into being with the first thing that only it can take: a relation, an
entity, a fixed time, and a deadline that is not kept, since it says why. Everything so far and all that follows goes
into it then.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Any

from planvow.kernel.domain.metadata import duration_of
from planvow.kernel.domain.propagator import Visit
from planvow.kernel.time.earliest import NOTHING_SAID, Earliest, Spans, latest_spans, said_of
from planvow.kernel.time.links import STATED_ORDER
from planvow.kernel.time.report import ALLOCATIONS, CAUSAL, KEYS, VISITS, TimeAllocation, allocation
from planvow.kernel.world.reason import Unspoken

if TYPE_CHECKING:
    from planvow.kernel.time.network import HowTimed, TimeNetwork
    from planvow.kernel.time.objectives import Judged


class DeferredNetwork:
    """The times of one run, in the cheapest way that will do."""

    def __init__(self, timing: HowTimed) -> None:
        self._timing = timing
        self._network: TimeNetwork | None = None
        self._earliest: Earliest | None = None
        self._kept: list[Visit] = []
        self.allowed: int | None = None
        # How many nodes there were when a mark was made → the mark of what keeps the times there.
        self._places: dict[int, object] = {}
        if timing.horizon is not None:
            self._earliest = _earliest(timing)

    def push(self, visit: Visit) -> str | Unspoken | None:
        """Take a node in; return why it does not fit, if it does not."""
        if self._network is not None:
            return self._network.push(visit)
        said = NOTHING_SAID if not visit.metadata and not visit.constraints else said_of(visit)
        if said is None:
            return self._built().push(visit)
        if self._earliest is None:
            if not said.is_limit:
                if visit.duration is not None or said.has_duration:
                    duration_of(said.duration if said.has_duration else visit.duration, is_command=True)  # may raise
                self._kept.append(visit)
                return None
            self._earliest = self._caught_up()
        if self._earliest is None or not self._earliest.push(visit, said):
            return self._built().push(visit)
        self._kept.append(visit)
        return None

    def _caught_up(self) -> Earliest | None:
        """Return the earliest times of everything so far; None if only the network can tell."""
        earliest = _earliest(self._timing)
        for place, visit in enumerate(self._kept):
            if place in self._places:
                self._places[place] = earliest.mark()
            if not earliest.push(visit, said_of(visit) or NOTHING_SAID):
                return None
        self._places[len(self._kept)] = earliest.mark()
        return earliest

    def _built(self) -> TimeNetwork:
        """Return the network; put everything so far into it, if it is new."""
        if self._network is not None:
            return self._network
        network = self._network = _network(self._timing)
        network.allowed = self.allowed
        for place, earlier in enumerate(self._kept):
            if place in self._places:
                self._places[place] = network.mark()
            network.push(earlier)
        self._places[len(self._kept)] = network.mark()
        return network

    @property
    def gave_up(self) -> bool:
        """Whether something was not looked at."""
        return self._network is not None and self._network.gave_up

    @property
    def spent(self) -> int:
        return 0 if self._network is None else self._network.spent

    def judge(self, names: Sequence[str]) -> dict[str, Judged]:
        """See `TimeNetwork.judge`."""
        return self._built().judge(names)

    def keep_bounds(self) -> None:
        """See `TimeNetwork.keep_bounds`: a schedule that is made better matters from the start."""
        self._built().keep_bounds()

    def least(self, name: str) -> int:
        """See `TimeNetwork.least`."""
        return self._built().least(name)

    def mark(self) -> object:
        if self._network is not None:
            return self._network.mark()
        self._places[len(self._kept)] = None if self._earliest is None else self._earliest.mark()
        return len(self._kept)

    def undo(self, mark: Any) -> None:
        if self._network is not None:
            self._network.undo(self._places[mark] if isinstance(mark, int) else mark)
            return
        if self._earliest is not None:
            self._earliest.undo(self._places[mark])
        del self._kept[mark:]

    def fingerprint(self) -> Hashable:
        """The same for every node of a path, as with the network itself."""
        return ()

    def report(self) -> Mapping[str, object]:
        """The schedule, to be worked out when somebody asks."""
        if self._network is not None:
            return self._network.report()
        return _LaterReport(self._timing, tuple(self._kept), None if self._earliest is None else self._earliest.spans())


def _network(timing: HowTimed, **options: Any) -> TimeNetwork:
    from planvow.kernel.time.network import TimeNetwork  # most plans never need one

    return TimeNetwork(timing, **options)


def _earliest(timing: HowTimed, *, goes_back: bool = True) -> Earliest:
    return Earliest(
        floor=timing.start_time, limit=timing.horizon, is_causal=timing.ordering == CAUSAL, goes_back=goes_back
    )


class _LaterReport(Mapping[str, object]):
    """The report of a plan that needed no network. Each part is made from the nodes when it is asked for."""

    def __init__(self, timing: HowTimed, visits: tuple[Visit, ...], spans: Spans | None) -> None:
        """`spans` are the times of the commands, where a limit has had them worked out already."""
        self._timing, self._visits, self._spans = timing, visits, spans
        self._made: Mapping[str, object] | None = None
        self._allocations: tuple[TimeAllocation, ...] | None = None

    def __getitem__(self, key: str) -> object:
        if key == VISITS:
            return self._visits if self._timing.ordering == CAUSAL else ()
        if key == STATED_ORDER:
            return ()
        if key == ALLOCATIONS:
            if self._allocations is None:
                self._allocations = self._in_one_pass()
            if self._allocations is not None:
                return self._allocations
        if self._made is None:
            network = _network(self._timing, goes_back=False)
            for visit in self._visits:
                network.push(visit)
            self._made = network.report()
        return self._made[key]

    def _in_one_pass(self) -> tuple[TimeAllocation, ...] | None:
        """Return when each command runs and could run; None if only the network can tell."""
        timing, visits = self._timing, self._visits
        latest: Iterator[tuple[int | None, int | None]] = repeat((None, None))
        spans = self._spans
        if spans is not None:
            if not spans.is_mirrored:
                return None
            latest = latest_spans(visits, timing.horizon, is_causal=timing.ordering == CAUSAL)
        else:
            earliest = _earliest(timing, goes_back=False)
            if not all(earliest.push(visit, said_of(visit) or NOTHING_SAID) for visit in visits):
                return None
            spans = earliest.spans()
        commands = [visit for visit in visits if visit.kind == "command"]
        return tuple(
            [
                allocation(visit.node_id, visit.item, start, end, *bounds)
                for visit, start, end, bounds in zip(commands, spans.starts, spans.ends, latest, strict=False)
            ]
        )

    def __iter__(self) -> Iterator[str]:
        return iter(KEYS)

    def __len__(self) -> int:
        return len(KEYS)

    def __contains__(self, key: object) -> bool:
        return key in KEYS

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and dict(self) == dict(other)

    __hash__ = None  # type: ignore[assignment]
