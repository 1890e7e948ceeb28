"""Planners by id: lazy, unique, sorted, with a default."""

from __future__ import annotations

import subprocess
import sys

import pytest

from planvow.contract import PLANNER_REGISTRY, MemoPlanner, StubPlanner, default_registry
from planvow.contract.errors import DuplicatePlannerError, PlannerUnavailableError, UnknownPlannerError
from planvow.contract.interface.interface import DeterminismMode, is_semantic_version
from planvow.contract.planners.registry import PlannerEntry, Registry


def entry(planner_id, target="planvow.contract.planners.stub:StubPlanner", **fields):
    return PlannerEntry(planner_id=planner_id, target=target, **fields)


def test_the_built_in_table_has_the_form_the_seed_gives():
    assert PLANNER_REGISTRY["stub"]["class"] == "planvow.contract.planners.stub.StubPlanner"
    assert PLANNER_REGISTRY["stub"]["determinism"] == "full"
    assert PLANNER_REGISTRY["stub"]["cost_model"] == {"base_cents": 0, "per_call_cents": 0}
    assert PLANNER_REGISTRY["claude"]["determinism"] == "structural"
    assert PLANNER_REGISTRY["claude"]["cost_model"] == {"base_cents": 0, "per_token_cents": 0.003}


def test_the_first_registered_planner_is_the_default_until_one_is_set():
    registry = Registry([entry("zeta"), entry("alpha")])
    assert registry.default_id == "zeta"
    registry.set_default("alpha")
    assert registry.default_id == "alpha"
    assert isinstance(default_registry().create(), StubPlanner)


def test_listing_is_sorted_and_imports_nothing():
    registry = Registry([entry("zeta", "no.such.module:X"), entry("alpha", "no.such.module:Y")])
    assert registry.ids() == ("alpha", "zeta")
    assert [e.planner_id for e in registry.entries()] == ["alpha", "zeta"]


def test_an_id_belongs_to_one_planner():
    with pytest.raises(DuplicatePlannerError, match=r"'stub' is claimed by .*theirs"):
        Registry([entry("stub"), entry("stub", "other:Planner", distribution="theirs")])


class Versioned(StubPlanner):
    planner_id = "versioned"
    version = "one"


def test_what_the_registry_hands_out_is_called_so_and_has_a_semantic_version():
    with pytest.raises(PlannerUnavailableError, match="registered as 'mine' and calls itself 'stub'"):
        Registry([entry("mine")]).create("mine")
    registry = Registry([entry("versioned", f"{__name__}:Versioned")])
    with pytest.raises(PlannerUnavailableError, match="no semantic version"):
        registry.create("versioned")


@pytest.mark.parametrize(
    ("version", "is_one"),
    [
        ("0.0.4", True), ("1.2.3-alpha.1+build.5", True), ("1.0.0+rules.0f", True), ("10.20.30", True),
        ("one", False), ("1.0", False), ("01.0.0", False), ("1.0.0 ", False), ("v1.0.0", False), ("1.0.٣", False),
        (1, False), (None, False),
    ],
)  # fmt: skip
def test_semantic_versions_are_known(version, is_one):
    assert is_semantic_version(version) is is_one


def test_an_unknown_id_is_an_error_with_a_hint():
    with pytest.raises(UnknownPlannerError, match="did you mean 'stub'"):
        default_registry().create("stbu")
    with pytest.raises(UnknownPlannerError, match="no planner is registered"):
        Registry([]).create()


@pytest.mark.parametrize(
    "target",
    [
        "no.such.module:X",
        "planvow.contract.planners.stub:Nobody",
        "planvow.contract.plan.plan:Plan",
        "builtins:dict",
        "x",
    ],
)
def test_a_planner_that_cannot_be_loaded_is_named_with_the_reason(target):
    with pytest.raises(PlannerUnavailableError, match="mine"):
        Registry([entry("mine", target)]).create("mine")


def test_the_module_itself_gives_installed_planners():
    from planvow.contract import registry

    assert registry.get("stub").planner_id == registry.get().planner_id == "stub"
    assert registry.ids() == default_registry().ids()


def test_memo_wraps_any_planner():
    planner = default_registry().create("memo:stub")
    assert isinstance(planner, MemoPlanner)
    assert planner.planner_id == "memo:stub"
    with pytest.raises(UnknownPlannerError):
        default_registry().create("memo:nobody")


def test_a_described_entry_learns_what_the_class_says():
    registry = Registry([entry("mine", distribution="theirs", distribution_version="3.1")])
    assert registry.entry("mine").determinism is None
    described = registry.described("mine")
    assert described.determinism is DeterminismMode.FULL
    assert (described.distribution, described.distribution_version) == ("theirs", "3.1")


def test_a_planner_without_a_known_mode_is_named_with_the_reason(monkeypatch):
    monkeypatch.setattr("planvow.contract.planners.stub.StubPlanner.determinism", "sometimes")
    with pytest.raises(PlannerUnavailableError, match=r"mine: .*'sometimes'"):
        Registry([entry("mine")]).described("mine")


def test_entry_points_of_other_distributions_are_found(tmp_path, monkeypatch):
    info = tmp_path / "their_planner-2.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their-planner\nVersion: 2.0\n")
    (info / "entry_points.txt").write_text("[planvow.planners]\ntheirs = their_planner:TheirPlanner\n")
    (tmp_path / "their_planner.py").write_text(
        "from planvow.contract import StubPlanner\nclass TheirPlanner(StubPlanner):\n    planner_id = 'theirs'\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    default_registry.cache_clear()
    try:
        found = default_registry().entry("theirs")
        assert (found.distribution, found.distribution_version) == ("their-planner", "2.0")
        assert default_registry().create("theirs").plan("a", "echo x").metadata["planner"] == "theirs"
        assert default_registry().default_id == "stub"
    finally:
        default_registry.cache_clear()


def test_importing_the_contract_and_listing_planners_needs_no_sdk():
    code = (
        "import sys; from planvow.contract import default_registry, StubPlanner; default_registry().entries()\n"
        "print(sorted({'anthropic', 'pydantic', 'typer', 'httpx2'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
