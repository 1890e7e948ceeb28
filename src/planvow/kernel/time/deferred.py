"""Time that is worked out when it matters: as long as nothing limits it, a search only takes note.

Durations alone never contradict each other, so without a deadline, a relation, an entity or a horizon no branch can
fail for its times. Until something of that kind comes up, nodes are just kept, and the schedule of a plan is worked out
when somebody asks for it. From the first limit on, everything so far and all that follows goes into the network.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from planvow.kernel.domain.metadata import duration_of
from planvow.kernel.domain.propagator import Visit
from planvow.kernel.time.report import KEYS
from planvow.kernel.world.reason import Unspoken

if TYPE_CHECKING:
    from planvow.kernel.time.network import TimeNetwork
    from planvow.kernel.time.objectives import Judged


class DeferredNetwork:
    """A time network that comes into being with the first limit."""

    def __init__(self, make: Callable[..., TimeNetwork]) -> None:
        self._make = make
        self._network: TimeNetwork | None = None
        self._kept: list[Visit] = []
        self.allowed: int | None = None
        self._places: dict[int, Any] = {}  # how many nodes there were when a mark was made → the network's mark there

    def push(self, visit: Visit) -> str | Unspoken | None:
        """Take a node in; return why it does not fit, if it does not."""
        if self._network is not None:
            return self._network.push(visit)
        if not visit.metadata and not visit.constraints:
            if visit.duration is not None:
                duration_of(visit.duration, is_command=True)  # raises if it makes no sense
            self._kept.append(visit)
            return None
        return self._built().push(visit)

    def _built(self) -> TimeNetwork:
        """Return the network; put everything so far into it, if it is new."""
        if self._network is not None:
            return self._network
        network = self._network = self._make()
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

    def mark(self) -> Any:
        if self._network is not None:
            return self._network.mark()
        self._places[len(self._kept)] = None
        return len(self._kept)

    def undo(self, mark: Any) -> None:
        if self._network is None:
            del self._kept[mark:]
        else:
            self._network.undo(self._places[mark] if isinstance(mark, int) else mark)

    def fingerprint(self) -> Hashable:
        """The same for every node of a path, as with the network itself."""
        return ()

    def report(self) -> Mapping[str, Any]:
        """The schedule, to be worked out when somebody asks."""
        if self._network is not None:
            return self._network.report()
        return _LaterReport(self._make, tuple(self._kept))


class _LaterReport(Mapping[str, Any]):
    """The report of a plan whose times nothing limits."""

    def __init__(self, make: Callable[..., TimeNetwork], visits: tuple[Visit, ...]) -> None:
        self._make, self._visits = make, visits
        self._made: Mapping[str, Any] | None = None

    def __getitem__(self, key: str) -> Any:
        if self._made is None:
            network = self._make(goes_back=False)
            for visit in self._visits:
                network.push(visit)
            self._made = network.report()
        return self._made[key]

    def __iter__(self) -> Iterator[str]:
        return iter(KEYS)

    def __len__(self) -> int:
        return len(KEYS)

    def __contains__(self, key: object) -> bool:
        return key in KEYS

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and dict(self) == dict(other)

    __hash__ = None  # type: ignore[assignment]
