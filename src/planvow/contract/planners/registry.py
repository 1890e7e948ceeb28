"""Which planners there are: the entry points of the group `planvow.planners`, ours and everybody's.

Nothing is imported until a planner is asked for. An id belongs to one planner; a second claim is an error, never a
silent replacement. `memo:<id>` wraps any planner so that it answers from recordings. To add a planner, declare it in
the metadata of the package it lives in,

    [project.entry-points."planvow.planners"]
    mine = "my_package.planner:MyPlanner"

and give the class `determinism` and `cost_model`, so that a list of planners need not make one to know them.

Seed 004, "Planner Registry".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from planvow._version import __version__
from planvow.contract.errors import DuplicatePlannerError, PlannerUnavailableError, UnknownPlannerError
from planvow.contract.interface.interface import DeterminismMode, PlannerInterface, is_semantic_version
from planvow.contract.planners.memo import MemoPlanner
from planvow.contract.running.cost import CostModel
from planvow.errors import PlanvowError, did_you_mean, shown

GROUP = "planvow.planners"
MEMO_PREFIX = "memo:"

DEFAULT = "stub"
"""The planner that is meant when none is named (seed 004)."""


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
    """Planners by id. Reading it imports none of them.

    >>> default_registry().create("stub").planner_id
    'stub'
    """

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
        self._check_identity(wanted, planner)
        return planner

    def _check_identity(self, planner_id: str, planner: PlannerInterface) -> None:
        """A plan names who made it and in which version: both must be true of what the registry hands out."""
        target = self.entry(planner_id).target
        if planner.planner_id != planner_id:
            raise PlannerUnavailableError(
                f"{target} is registered as {planner_id!r:.60} and calls itself {planner.planner_id!r:.60}",
                place=planner_id,
                hint="an entry point has the name of its planner_id",
            )
        if not is_semantic_version(planner.version):
            raise PlannerUnavailableError(
                f"{target} has the version {planner.version!r:.60}, which is no semantic version",
                place=planner_id,
                hint="a version looks like 1.0.0 (https://semver.org)",
            )

    def described(self, planner_id: str) -> PlannerEntry:
        """Return the entry with determinism and cost model filled in, loading the class if that is needed."""
        entry = self.entry(planner_id)
        if entry.determinism is not None:
            return entry
        made = self.load(planner_id)
        rates = getattr(made, "cost_model", None)
        try:
            mode = getattr(made, "determinism", None) or self.create(planner_id).get_determinism_mode()
            determinism = DeterminismMode(mode)
        except (ValueError, TypeError) as error:
            raise PlannerUnavailableError(
                f"{entry.target} names no determinism mode: {error}", place=planner_id
            ) from error
        cost_model = rates if isinstance(rates, CostModel) else CostModel.read(rates or {})
        return replace(entry, determinism=determinism, cost_model=cost_model)


class _SeedTable(Mapping[str, Mapping[str, Any]]):
    """The installed planners in the form seed 004 gives: id → class, determinism, cost_model. Read, never kept."""

    def __getitem__(self, planner_id: str) -> Mapping[str, Any]:
        registry = default_registry()
        if planner_id not in registry.ids():
            raise KeyError(planner_id)
        entry = registry.described(planner_id)
        return {
            "class": entry.target.replace(":", "."),
            "determinism": str(entry.determinism),
            "cost_model": getattr(registry.load(planner_id), "cost_model", {}),
        }

    def __iter__(self) -> Iterator[str]:
        return iter(default_registry().ids())

    def __len__(self) -> int:
        return len(default_registry().ids())


PLANNER_REGISTRY: Mapping[str, Mapping[str, Any]] = _SeedTable()
"""The registered planners by id, as seed 004 spells the table: looked up in `default_registry()`."""


def get(planner_id: str | None = None, **options: Any) -> PlannerInterface:
    """Make an installed planner by id, the default one when no id is given."""
    return default_registry().create(planner_id, **options)


def ids() -> tuple[str, ...]:
    """Return the ids of the installed planners, sorted."""
    return default_registry().ids()


@cache
def default_registry() -> Registry:
    """Return the planners installed in this environment: our own first, then the others by name.

    >>> "htn" in default_registry().ids()
    True
    """
    found = sorted(  # independent of the order on disk
        entry_points(group=GROUP),
        key=lambda point: (point.dist is None or point.dist.name != "planvow", point.name, point.value),
    )
    entries = [_from_entry_point(point) for point in found]
    return Registry(entries, default=DEFAULT if any(entry.planner_id == DEFAULT for entry in entries) else None)


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
