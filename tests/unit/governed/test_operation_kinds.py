"""The table of operations is complete: what is declared is described, published, planned, performed and documented."""

from __future__ import annotations

from pathlib import Path

import pytest

from planvow.errors import ContractViolation
from planvow.governed.compile.schemas import PLAN_REQUEST, PLAN_STEP
from planvow.governed.operation_kinds import OPERATIONS, REFS, OperationKind, Turn
from planvow.governed.run import operations

ROOT = Path(__file__).resolve().parents[3]


def test_the_published_schemas_know_exactly_the_declared_operations_and_refs():
    asked = PLAN_REQUEST["properties"]["inputs"]["properties"]["ops"]["items"]["properties"]
    for schema in (asked, PLAN_STEP["properties"]):
        assert schema["op"]["enum"] == list(OPERATIONS)
        assert list(schema["refs"]["properties"]) == list(REFS)


def test_every_ref_belongs_to_an_operation():
    assert {name for kind in OPERATIONS.values() for name in kind.refs} == set(REFS)


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operation_has_a_handler_that_speaks_of_it_and_a_line_in_the_guide(name):
    assert name in (operations.OPERATIONS_BY_NAME[name].__doc__ or "")
    page = "docs/howto/governed-request.md"
    told = f"`{name}`" in (ROOT / page).read_text("utf-8")
    assert told, f"a row for it is missing in {page}"


def test_every_function_with_the_form_of_a_handler_is_declared():
    written = {name for name, value in vars(operations).items() if getattr(value, "__annotations__", {}).get("step")}
    assert {name for name in written if not name.startswith("_")} - {"perform"} == {
        kind.handler for kind in OPERATIONS.values()
    }


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_that_changes_or_runs_something_is_held_to_the_policy_it_was_planned_under(name):
    """Nobody has to remember a second list: a new kind of write is governed by its turn."""
    assert (name in operations.GOVERNED_BY_POLICY) == (OPERATIONS[name].turn in (Turn.WRITE, Turn.TEST))
    assert {"WRITE_FILE", "PATCH_FILE", "RUN_TEST"} <= operations.GOVERNED_BY_POLICY


def test_a_declaration_that_cannot_work_is_refused():
    with pytest.raises(ContractViolation, match="'colour'"):
        OperationKind(name="PAINT", turn=Turn.ANY, handler="note", required=("colour",))
    with pytest.raises(ContractViolation, match="file_path"):
        OperationKind(name="ERASE", turn=Turn.WRITE, handler="note")
