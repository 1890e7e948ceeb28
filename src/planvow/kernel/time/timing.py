"""How a plan is timed: what people give to `plan(..., time=Timing(...))`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from planvow.errors import InputError
from planvow.kernel.domain.entities import Entity, read_entities
from planvow.kernel.domain.metadata import time_at
from planvow.kernel.time.deferred import DeferredNetwork
from planvow.kernel.time.report import CAUSAL

if TYPE_CHECKING:
    from planvow.kernel.time.network import TimeNetwork

SEQUENTIAL, CONCURRENT = "sequential", "concurrent"
"""How commands are ordered in time, besides `causal`; `concurrent` is another word for that."""


@dataclass(frozen=True, kw_only=True)
class Timing:
    """How a plan is timed. Give it to `plan(..., time=Timing(...))`; it makes a fresh network for every run."""

    ordering: str = CAUSAL
    start_time: Any = 0
    horizon: Any = None
    """Everything must have ended by then."""
    entities: tuple[Entity, ...] = ()

    def __post_init__(self) -> None:
        if self.ordering not in (CAUSAL, SEQUENTIAL, CONCURRENT):
            raise InputError(f"ordering is {CAUSAL!r} or {SEQUENTIAL!r}, not {self.ordering!r}", place="ordering")
        if self.ordering == CONCURRENT:
            object.__setattr__(self, "ordering", CAUSAL)
        object.__setattr__(self, "start_time", time_at("start_time", self.start_time))
        object.__setattr__(self, "horizon", None if self.horizon is None else time_at("horizon", self.horizon))
        object.__setattr__(self, "entities", read_entities(self.entities))

    @property
    def needs_accesses(self) -> bool:
        """Whether a search has to note what is read and written."""
        return self.ordering == CAUSAL

    def __call__(self) -> TimeNetwork | DeferredNetwork:
        return self._network() if self.horizon is not None else DeferredNetwork(self._network)

    def _network(self, **options: Any) -> TimeNetwork:
        from planvow.kernel.time.network import TimeNetwork  # most plans never need one

        return TimeNetwork(self, **options)
