"""What people give an agent, in the forms they give it: a planner, secrets, and no name for a run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from planvow.agent.record.jobs import FORMAT, is_known
from planvow.canonical import content_hash
from planvow.cassette.ledger.store import Store
from planvow.contract.interface.interface import PlannerInterface
from planvow.contract.planners.registry import default_registry
from planvow.errors import InputError
from planvow.hooks import hook


def planner_of(given: Any) -> PlannerInterface:
    """Return a planner that keeps the contract, by itself or by its name in the registry."""
    if isinstance(given, str):
        return default_registry().create(given)
    if not isinstance(given, PlannerInterface) or isinstance(given, type):
        what = given.__name__ if isinstance(given, type) else type(given).__name__
        hint = "give a Domain, the name of a planner (`planvow planners`), or an object with the contract's plan()"
        raise InputError(f"an agent needs a domain or a planner, got {what}", place="domain", hint=hint)
    return given


def secret_reader(given: Any) -> Callable[[str], str | None]:
    if given is None:
        return lambda name: hook("read_secret")(name)
    if callable(given):
        return given  # type: ignore[no-any-return]
    held = dict(given)
    return lambda name: held.get(name)


def fresh_id(store: Store, name: str, asked: Any) -> str:
    """Return an id that no run has: the domain's name, a hash of what is asked, and a number."""
    stem = name[:100]
    if asked is not None:
        stem += f"-{content_hash([asked.asked, asked.facts], tag=FORMAT)[:8]}"
    last, step = 0, 1
    while is_known(store, f"{stem}-{last + step}"):
        last, step = last + step, step * 2
    while step > 1:  # between `last`, which is taken, and `last + step`, which is not
        step //= 2
        if is_known(store, f"{stem}-{last + step}"):
            last += step
    return f"{stem}-{last + 1}"
