"""How a command that failed in the world is treated: tried again, kept out for a while, given another chance.

A command that failed is kept out of the next plans, so that acting does not run into the same wall again and again
(seed 001, section 2.2). But what fails once may work later: a ban ends after some plans, or when there is no plan
without the command. What has failed `chances` times stays out for the rest of the run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from planvow.errors import InputError
from planvow.execution import Decision, Reaction
from planvow.kernel.domain.terms import Item, normal_item
from planvow.kernel.search.table import item_key
from planvow.retry import Failure
from planvow.step import Step


@dataclass(frozen=True, kw_only=True)
class Patience:
    """How much acting puts up with.

    `Patience(chances=1)` keeps out for good what failed once; `Patience(retries=2)` runs a command up to three times
    before it counts as failed; `Patience(plans_banned=0, chances=None)` never keeps anything out.

    >>> run_lazy_lookahead(travel, start, todo, patience=Patience(retries=2)).tries
    1
    """

    retries: int = 0
    """How often a command that fails is run again at once."""
    plans_banned: int | None = None
    """Out of how many of the next plans a failed command is kept; None: of all, while there is one without it."""
    chances: int | None = 2
    """How many failures it takes until a command stays out for good; None: no number does."""

    def __post_init__(self) -> None:
        for name, least in (("retries", 0), ("plans_banned", 0), ("chances", 1)):
            value = getattr(self, name)
            is_number = isinstance(value, int) and not isinstance(value, bool) and value >= least
            if not is_number and (value is not None or name == "retries"):
                raise InputError(f"{name} is a whole number of at least {least}, got {value!r:.60}", place=name)

    def judge(self, step: Step, failure: Failure, attempt: int) -> Decision:
        """Say what follows from a failed attempt: another one, or the end of the plan."""
        is_over = attempt > self.retries
        return Decision(reaction=Reaction.STOP_PLAN if is_over else Reaction.RETRY, reason=failure.message)


DEFAULT_PATIENCE = Patience()


class Bans:
    """The commands that are kept out of plans, and for how long."""

    def __init__(self, patience: Patience, always: Iterable[Item] = ()) -> None:
        self._patience = patience
        self._always = [normal_item(item) for item in always]
        self._failures: Counter[object] = Counter()
        self._left: dict[object, int | None] = {}  # command -> in how many plans more it is kept out; None: no end
        self._can_be_lifted = False

    def for_next_plan(self) -> list[Any]:
        """Return what may not be in the next plan; this counts as one plan for every ban."""
        for_good = self._for_good()
        for_now = [command for command in self._left if command not in for_good]
        self._can_be_lifted = bool(for_now)
        self._left = {c: left and left - 1 for c, left in self._left.items() if left is None or left > 1}
        return [*self._always, *for_good, *for_now]

    def add(self, command: object) -> None:
        """Take note that a command failed."""
        command = item_key(command)
        self._failures[command] += 1
        if self._patience.plans_banned != 0:
            self._left[command] = self._patience.plans_banned

    def lift(self) -> bool:
        """There was no plan: lift the bans that need not last; say whether that leaves anything to be tried."""
        self._left.clear()
        return self._can_be_lifted

    def _for_good(self) -> dict[object, None]:
        chances = self._patience.chances
        return {command: None for command, count in self._failures.items() if chances is not None and count >= chances}
