"""Which planners there are: a small built-in table, and entry points of the group `planvow.planners`.

Nothing is imported until a planner is asked for. An id belongs to one planner; a second claim is an error, never a
silent replacement. `memo:<id>` wraps any planner so that it answers from recordings.

To add a built-in planner, add one line to `PLANNER_REGISTRY`. Other packages declare, in their own metadata,

    [project.entry-points."planvow.planners"]
    mine = "my_package.planner:MyPlanner"

Seed 004, "Planner Registry".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from planvow._version import __version__
from planvow.contract.errors import DuplicatePlannerError, PlannerUnavailableError, UnknownPlannerError
from planvow.contract.interface.interface import DeterminismMode, PlannerInterface
from planvow.contract.planners.memo import MemoPlanner
from planvow.contract.running.cost import CostModel
from planvow.errors import PlanvowError, did_you_mean, shown

GROUP = "planvow.planners"
MEMO_PREFIX = "memo:"

_FREE = {"base_cents": 0, "per_call_cents": 0}

PLANNER_REGISTRY: Mapping[str, Mapping[str, Any]] = {
    "stub": {"class": "planvow.contract.planners.stub.StubPlanner", "determinism": "full", "cost_model": _FREE},
    "htn": {"class": "planvow.contract.planners.htn.HtnPlanner", "determinism": "full", "cost_model": _FREE},
    "hddl": {"class": "planvow.contract.planners.hddl.HddlPlanner", "determinism": "full", "cost_model": _FREE},
    "goal": {
        "class": "planvow.goals.plan.contract_planner.RegisteredGoalPlanner",
        "determinism": "full",
        "cost_model": _FREE,
    },
    "governed": {
        "class": "planvow.governed.compile.contract_planner.GovernedPlanner",
        "determinism": "full",
        "cost_model": _FREE,
    },
    "claude": {
        "class": "planvow.adapters.models.anthropic_client.ClaudeAdapter",
        "determinism": "structural",
        "cost_model": {"base_cents": 0, "per_token_cents": 0.003},
    },
}
"""The planners that come with planvow, in the seed's own form. The first one is the default."""


@dataclass(frozen=True, kw_only=True)
class PlannerEntry:
    """A planner that can be asked for. `determinism` and `cost_model` are None until the class was loaded."""

    planner_id: str
    target: str
    determinism: DeterminismMode | None = None
    cost_model: CostModel | None = None
    distribution: str = "planvow"
    distribution_version: str = __version__


class Registry:
    """Planners by id. Reading it imports none of them."""

    def __init__(self, entries: Iterable[PlannerEntry], *, default: str | None = None) -> None:
        self._entries: dict[str, PlannerEntry] = {}
        self._default = default
        for entry in entries:
            self.register(entry)

    def register(self, entry: PlannerEntry) -> None:
        """Add a planner; raise DuplicatePlannerError when its id is taken. The first one is the default."""
        taken = self._entries.get(entry.planner_id)
        if taken is not None:
            raise DuplicatePlannerError(
                f"{entry.planner_id!r} is claimed by {taken.target} ({taken.distribution}) and by {entry.target} "
                f"({entry.distribution})",
                place=entry.planner_id,
            )
        self._entries[entry.planner_id] = entry

    @property
    def default_id(self) -> str:
        """The planner used when none is named: the one set as default, else the first registered."""
        if self._default is not None:
            return self._default
        for planner_id in self._entries:
            return planner_id
        raise UnknownPlannerError("no planner is registered")

    def set_default(self, planner_id: str) -> None:
        """Make a registered planner the default."""
        self._default = self.entry(planner_id).planner_id

    def ids(self) -> tuple[str, ...]:
        """Return every id, sorted."""
        return tuple(sorted(self._entries))

    def entries(self) -> tuple[PlannerEntry, ...]:
        """Return every entry, sorted by id."""
        return tuple(self._entries[planner_id] for planner_id in self.ids())

    def entry(self, planner_id: str) -> PlannerEntry:
        """Return the entry of an id; raise UnknownPlannerError with the nearest one as a hint."""
        found = self._entries.get(planner_id) if isinstance(planner_id, str) else None
        if found is None:
            raise UnknownPlannerError(
                f"no planner is called {shown(planner_id)}",
                hint=did_you_mean(shown(planner_id).strip("'"), self._entries) or f"known: {', '.join(self.ids())}",
            )
        return found

    def load(self, planner_id: str) -> Callable[..., PlannerInterface]:
        """Import what makes a planner (a class or a function) and return it."""
        entry = self.entry(planner_id)
        try:
            make: Callable[..., PlannerInterface] = _import_target(entry.target)
        except PlanvowError:
            raise
        except (Exception, SystemExit) as error:
            raise PlannerUnavailableError(
                f"{entry.target} cannot be loaded: {type(error).__name__}: {error}", place=planner_id
            ) from error
        return make

    def create(self, planner_id: str | None = None, **options: Any) -> PlannerInterface:
        """Make a planner by id, the default one when no id is given.

        `memo:<id>` makes a planner that answers from recordings around the planner `<id>`.
        """
        wanted = self.default_id if planner_id is None else planner_id
        if isinstance(wanted, str) and wanted.startswith(MEMO_PREFIX):
            return MemoPlanner(self.create(wanted.removeprefix(MEMO_PREFIX)), **options)
        make = self.load(wanted)
        try:
            planner = make(**options)
        except PlanvowError:
            raise
        except (Exception, SystemExit) as error:
            raise PlannerUnavailableError(
                f"{self.entry(wanted).target} cannot be made: {type(error).__name__}: {error}", place=wanted
            ) from error
        if not isinstance(planner, PlannerInterface):
            raise PlannerUnavailableError(f"{self.entry(wanted).target} does not keep the interface", place=wanted)
        return planner

    def described(self, planner_id: str) -> PlannerEntry:
        """Return the entry with determinism and cost model filled in, loading the class if that is needed."""
        entry = self.entry(planner_id)
        if entry.determinism is not None:
            return entry
        made = self.load(planner_id)
        rates = getattr(made, "cost_model", None)
        try:
            mode = DeterminismMode(self.create(planner_id).get_determinism_mode())
        except (ValueError, TypeError) as error:
            raise PlannerUnavailableError(
                f"{entry.target} names no determinism mode: {error}", place=planner_id
            ) from error
        return PlannerEntry(
            planner_id=entry.planner_id,
            target=entry.target,
            determinism=mode,
            cost_model=rates if isinstance(rates, CostModel) else CostModel.read(rates or {}),
            distribution=entry.distribution,
            distribution_version=entry.distribution_version,
        )


def get(planner_id: str | None = None, **options: Any) -> PlannerInterface:
    """Make an installed planner by id, the default one when no id is given."""
    return default_registry().create(planner_id, **options)


def ids() -> tuple[str, ...]:
    """Return the ids of the installed planners, sorted."""
    return default_registry().ids()


@cache
def default_registry() -> Registry:
    """Return the planners installed in this environment: the built-in ones first, then entry points by name."""
    builtin = [
        PlannerEntry(
            planner_id=planner_id,
            target=row["class"],
            determinism=DeterminismMode(row["determinism"]),
            cost_model=CostModel.read(row["cost_model"]),
        )
        for planner_id, row in PLANNER_REGISTRY.items()
    ]
    found = sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value))  # independent of disk order
    return Registry([*builtin, *(_from_entry_point(point) for point in found)])


def _from_entry_point(point: EntryPoint) -> PlannerEntry:
    return PlannerEntry(
        planner_id=point.name,
        target=point.value,
        distribution=point.dist.name if point.dist else "unknown",
        distribution_version=point.dist.version if point.dist else "0",
    )


def _import_target(target: str) -> Any:
    module_name, colon, attribute = target.partition(":")
    if not colon:
        module_name, _, attribute = target.rpartition(".")
    found: Any = import_module(module_name)
    for name in attribute.split("."):
        found = getattr(found, name)
    return found
