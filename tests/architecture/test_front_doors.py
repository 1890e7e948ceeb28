"""The front doors of the packages: few names each, and one object behind a name wherever it is exported.

A seed spells some names that another seed spells differently, or that are ours elsewhere. Those are aliases of classes
with names of their own, and stand in `SEED_WORDS` with the seed's section.
"""

from __future__ import annotations

import inspect
import pkgutil
from collections import defaultdict
from importlib import import_module

import pytest

import planvow

DOORS = ["planvow"] + [
    f"planvow.{found.name}"
    for found in pkgutil.iter_modules(planvow.__path__)
    if found.ispkg and found.name != "adapters"
]
MOST_NAMES = 30
SEED_WORDS = {  # (name, package of the alias): where the seed spells it, and the class behind it
    ("Method", "planvow.debate"): ("seed 000, 2.2", "PerformMethod"),
    ("PlannerResult", "planvow.debate"): ("seed 000, 6", "DebateResult"),
    ("PlannerResult", "planvow.kernel"): ("seed 001, 5.2", "Result"),
    ("Planner", "planvow.governed"): ("seed 002, API reference", "RequestPlanner"),
    ("PlannerError", "planvow.governed"): ("seed 002, API reference", "GovernedError"),
    ("Goal", "planvow.goals"): ("seed 003, 3.1", "ToolGoal"),
    ("Plan", "planvow.goals"): ("seed 003, 4.2", "GoalPlan"),
}


def names_of(package: str) -> dict[str, object]:
    """Return every public name of a package, those that only its namespace or its `__all__` has included."""
    door = import_module(package)
    named = {name: getattr(door, name) for name in {*dir(door), *getattr(door, "__all__", ())}}
    return {name: value for name, value in named.items() if not (name.startswith("_") or inspect.ismodule(value))}


def clashes(doors: dict[str, dict[str, object]], allowed=SEED_WORDS) -> list[str]:
    """Return the names with more than one object behind them. Classes may not differ by capitals alone either."""
    found = defaultdict(dict)
    for package, names in doors.items():
        for name, value in names.items():
            if (name, package) not in allowed:
                found[name][id(value)] = f"{package}.{name}"
                if inspect.isclass(value):
                    found[f"class {name.casefold()}"][id(value)] = f"{package}.{name}"
    return sorted({" ≠ ".join(sorted(spelt.values())) for spelt in found.values() if len(spelt) > 1})


def test_a_public_name_means_one_thing_in_every_package():
    assert clashes({package: names_of(package) for package in DOORS}) == []


def test_control_a_second_meaning_and_a_second_spelling_would_be_found():
    mine, other = type("Thing", (), {}), type("THING", (), {})
    assert clashes({"a": {"Thing": mine}, "b": {"Thing": mine}}) == []
    assert clashes({"a": {"Thing": mine}, "b": {"Thing": other}}) == ["a.Thing ≠ b.Thing"]
    assert clashes({"a": {"Thing": mine}, "b": {"THING": other}}) == ["a.Thing ≠ b.THING"]


@pytest.mark.parametrize(("name", "package"), SEED_WORDS)
def test_a_seeds_word_that_means_something_else_elsewhere_is_an_alias(name, package):
    _, own = SEED_WORDS[name, package]
    assert names_of(package)[name].__name__ == own
    without = {pair: words for pair, words in SEED_WORDS.items() if pair != (name, package)}
    if name != "PlannerResult":  # two seeds spell it, and each is allowed because of the other
        assert clashes({door: names_of(door) for door in DOORS}, without)


@pytest.mark.parametrize("package", DOORS)
def test_a_front_door_shows_at_most_thirty_names(package):
    assert len(getattr(import_module(package), "__all__", ())) <= MOST_NAMES
