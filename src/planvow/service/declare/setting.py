"""What a way in gives to every call besides the question: domains, the ledger, limits, and who looks on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from planvow.hooks import hook
from planvow.service.declare.shelf import Shelf

if TYPE_CHECKING:
    from planvow.kernel.domain.domain import Domain
    from planvow.kernel.search.problem import Problem


@dataclass(frozen=True, kw_only=True, eq=False)
class Setting:
    """Where a call happens. The question says what is wanted, the setting what there is to work with."""

    domains: Mapping[str, Problem | Domain] = field(default_factory=dict)
    """Python domains by name, alone or with the problem they come with."""
    ledger: str | None = None
    """Where the ledger is; None for the one of the current folder."""
    lend: Callable[[], AbstractContextManager[Any]] | None = None
    """Lends that ledger to whoever writes, where the way in keeps it open from call to call."""
    root: Path | None = None
    """Root of the repository that governed requests are about."""
    data: Path | None = None
    """Its data folder; None for the one its settings name."""
    intents: Any = None
    called: Mapping[str, str] = field(default_factory=dict)
    """What texts of the question are called in messages: the files they were read from."""
    interrupt: Callable[[], bool] | None = None
    """Asked now and then; the call ends early when it says so."""
    progress: Callable[[float, str], None] | None = None
    """Told how far a long call is."""
    limited: Callable[[], AbstractContextManager[Any]] = nullcontext
    """Entered around what may take much memory."""
    goal_config: Any = None
    planner: Any = None
    """The planner that a question names, where the way in has made it with options of its own."""
    anchors: Mapping[str, str] = field(default_factory=dict)
    """Folders that wishes speak of, by name."""
    debate: Any = None
    """What an analysis works with (`operations.debates.Means`)."""
    paid_planners: frozenset[str] | None = None
    """Planners that cost money and may be named; None: all of them."""
    accepts_unauthenticated: frozenset[str] = frozenset()
    """Operations that may run on an approval of which nobody knows who gave it; `*` for all."""
    knows_callers: bool = True
    """Whether who asks was let in by name or token; where not, a plan cannot be posted past a person's approval."""
    says_why: bool = True
    """Whether a refusal says what stood in the way, which takes a second search."""
    client: str = ""
    """Who asks: by token or in its own words."""
    origin: str = ""
    """From where, for calls that come from outside: what they change in the ledger is noted with it."""
    trace: str | None = None
    """The span of another process below which the call stands."""
    shelf: Shelf = field(default_factory=Shelf)

    def open_ledger(self, *, looking: bool = True, must_exist: bool = True) -> Any:
        """Open the ledger, to look at unless something is to be written."""
        if self.lend is not None and not looking:
            return self.lend()
        return hook("open_ledger")(self.ledger, must_exist=must_exist, looking=looking)

    def deadline(self, max_seconds: float | None) -> Callable[[], bool] | None:
        """Return what ends a call early: the time that the question allows, or whoever interrupts."""
        late: Callable[[], bool] | None = None if max_seconds is None else hook("deadline")(max_seconds)
        stop = self.interrupt
        if late is None or stop is None:
            return late or stop
        return lambda: late() or stop()
