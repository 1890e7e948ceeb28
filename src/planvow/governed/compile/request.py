"""A plan request as a value: checked, and every input turned into one uniform list of operations.

Reading a request decides nothing about the repository; it only says no to what cannot be a request. The order of the
operations is the request's own: symbols, files, notes, ops (spec 002, which request yields which steps).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from planvow.canonical import to_jsonable
from planvow.errors import NotCanonicalError
from planvow.governed.compile.schemas import DEFAULT_MAX_BYTES, DEFAULT_MAX_SYMBOLS, PLAN_REQUEST
from planvow.governed.compile.shape import check_shape
from planvow.governed.errors import InvalidRequestError, RequestOrderError
from planvow.governed.operation_kinds import OPERATIONS

MAX_REQUEST_BYTES = 1 << 20
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_OP_ID = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


@dataclass(frozen=True, kw_only=True)
class Operation:
    """One thing that is wanted. `after` None means the default order, an empty tuple means: waits for nothing.

    `group` is set where an intent's method gives the order: an operation without `after` then waits for the group
    before its own.
    """

    op: str
    refs: Mapping[str, Any]
    place: str
    name: str | None = None
    after: tuple[str, ...] | None = None
    constraints: Mapping[str, Any] = field(default_factory=dict)
    expected_outputs: Mapping[str, Any] = field(default_factory=dict)
    group: int | None = None


@dataclass(frozen=True, kw_only=True)
class PlanBudgets:
    """Hard limits of one plan. Only the last two have defaults."""

    max_steps: int
    max_bytes: int = DEFAULT_MAX_BYTES
    max_symbols: int = DEFAULT_MAX_SYMBOLS


@dataclass(frozen=True, kw_only=True)
class PlanRequest:
    """A request that has the right shape."""

    run_id: str
    request_id: str
    intent: str
    operations: tuple[Operation, ...]
    budgets: PlanBudgets
    inputs: Mapping[str, Any]


def read_request(written: Any) -> PlanRequest:
    """Return a request as a value, or raise InvalidRequestError with the place of the first fault."""
    try:
        plain = to_jsonable(written)
    except NotCanonicalError as error:
        raise InvalidRequestError(error.message, place=error.place, hint=error.hint) from None
    check_shape(plain, PLAN_REQUEST, "")
    for name in ("run_id", "request_id", "intent"):
        if _CONTROL.search(plain[name]):
            raise InvalidRequestError("contains a control character", place=name)
    size = len(json.dumps(plain, ensure_ascii=False, separators=(",", ":")).encode("utf-8"))
    if size > MAX_REQUEST_BYTES:
        raise InvalidRequestError(f"the request has {size} bytes, at most {MAX_REQUEST_BYTES} are allowed")
    inputs = plain.get("inputs", {})
    operations = tuple(_operations(inputs))
    _check_names(operations)
    return PlanRequest(
        run_id=plain["run_id"],
        request_id=plain["request_id"],
        intent=plain["intent"],
        operations=operations,
        budgets=PlanBudgets(**plain["budgets"]),
        inputs=inputs,
    )


def read_operation(written: Mapping[str, Any], place: str) -> Operation:
    """Return one entry of `inputs.ops` as a value."""
    refs = written["refs"]
    kind = OPERATIONS[written["op"]]
    for field_name in kind.required:
        if field_name not in refs:
            raise InvalidRequestError(f"{kind.name} needs it", place=f"{place}.refs.{field_name}")
    for field_name in refs:
        if field_name not in kind.refs:
            raise InvalidRequestError(
                f"{kind.name} does not take it",
                place=f"{place}.refs.{field_name}",
                hint=f"it takes {', '.join(kind.refs)}",
            )
    if kind.exactly_one_of and sum(field_name in refs for field_name in kind.exactly_one_of) != 1:
        raise InvalidRequestError(f"{kind.name} takes either {' or '.join(kind.exactly_one_of)}", place=f"{place}.refs")
    name = written.get("id")
    if name is not None and not _OP_ID.fullmatch(name):
        raise InvalidRequestError(
            f"{name!r} is not a name", place=f"{place}.id", hint="letters, digits, _ and -, starting with a letter"
        )
    return Operation(
        op=written["op"],
        refs=refs,
        place=place,
        name=name,
        after=tuple(written["after"]) if "after" in written else None,
        constraints=written.get("constraints", {}),
        expected_outputs=written.get("expected_outputs", {}),
    )


def _operations(inputs: Mapping[str, Any]) -> Iterator[Operation]:
    for position, symbol in enumerate(inputs.get("symbols", ())):
        refs = {"symbol_id": symbol} if isinstance(symbol, str) else symbol
        yield Operation(op="READ_SYMBOL", refs=refs, place=f"inputs.symbols[{position}]", name=refs["symbol_id"])
    for position, file_path in enumerate(inputs.get("files", ())):
        place = f"inputs.files[{position}]"
        yield Operation(op="READ_SECTION", refs={"file_path": file_path}, place=place, name=file_path)
    for position, message in enumerate(inputs.get("notes", ())):
        yield Operation(op="NOTE", refs={"message": message}, place=f"inputs.notes[{position}]")
    for position, written in enumerate(inputs.get("ops", ())):
        yield read_operation(written, f"inputs.ops[{position}]")


def _check_names(operations: tuple[Operation, ...]) -> None:
    """Refuse an op id that is used twice or that is also a file of the request: links must mean one thing."""
    seen: dict[str, Operation] = {}
    for operation in operations:
        if operation.name is None:
            continue
        earlier = seen.setdefault(operation.name, operation)
        if earlier is not operation and operation.place.startswith("inputs.ops"):
            raise RequestOrderError(
                f"{operation.name!r} names something else already, at {earlier.place}", place=f"{operation.place}.id"
            )
