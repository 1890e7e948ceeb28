"""The compiler from a request to a governed plan: pure, bounded, all or nothing (seed 002).

It asks a view of the substrate and nothing else: no clock, no chance, no file is opened here. The same request
against the same index gives the same bytes. It runs nothing, invents nothing beyond the request (and its intent's
one method), and any budget that would be exceeded means that there is no plan at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from planvow.canonical import derived_id, full_hash
from planvow.governed.compile.order import Node, dependencies, ordered
from planvow.governed.compile.request import Operation, PlanRequest, read_request
from planvow.governed.errors import InvalidRequestError, PlanBudgetError, PlannerError, SectionError, SymbolError
from planvow.governed.operation_kinds import Turn, turn_of
from planvow.governed.sections.paths import check_target
from planvow.governed.sections.policy import Policy
from planvow.governed.sections.sections import Section
from planvow.governed.sections.slices import SlicedText, parse_slice
from planvow.governed.sections.text import text_hash
from planvow.governed.substrate.records import Symbol
from planvow.governed.substrate.symbols import bounding_slice

PLANNER_VERSION = "1.3"
PLAN_TAG = "plan/1"


class View(Protocol):
    """What the compiler may ask of a repository. Each question is answered or refused with an error at `place`."""

    def index_hash(self) -> str: ...
    def section(self, section_id: str, *, place: str | None = None) -> Section: ...
    def file_section(self, file_path: str, *, place: str | None = None) -> Section: ...
    def indexed_lines(self, file_path: str) -> int | None: ...
    def symbol_target(self, symbol_id: str, *, place: str | None = None) -> tuple[Symbol, Section]: ...
    def expand(self, section: Section, slice_text: str | None) -> SlicedText: ...


Expand = Callable[[PlanRequest], Sequence[Operation]]


class _Draft(NamedTuple):
    """A checked operation with its final refs and what to expect; for a read also how many bytes it delivers."""

    operation: Operation
    refs: Mapping[str, Any]
    expected_outputs: Mapping[str, Any]
    size: int = 0


def compile_request(
    written: Any,
    view: View,
    *,
    policy: Policy | None = None,
    expand: Expand | None = None,
    allow_unresolved: bool = False,
) -> dict[str, Any]:
    """Turn a request into plan_output, or raise PlannerError and give nothing.

    `policy` says what may be written. `expand` is the intent's method: it gets the request and returns all operations.
    `allow_unresolved` lets reads of unknown symbols and files through, marked; such a plan is for looking at, never for
    storing.
    """
    policy = policy or Policy()
    request = read_request(written)
    operations = request.operations if expand is None else tuple(expand(request))
    _check_counts(request, operations)
    drafts = [_drafted(operation, view, policy, allow_unresolved=allow_unresolved) for operation in operations]
    _check_patches(drafts, view)
    kept, nodes = _merged(drafts)
    steps = _steps(kept, nodes)
    usage = {
        "steps": len(steps),
        "bytes": sum(draft.size for draft in kept),
        "symbols": len({draft.refs["symbol_id"] for draft in kept if draft.operation.op == "READ_SYMBOL"}),
    }
    _check_budgets(request, usage)
    return {
        "run_id": request.run_id,
        "request_id": request.request_id,
        "planner_version": PLANNER_VERSION,
        "index_hash": view.index_hash(),
        "policy_hash": policy.policy_hash,
        "steps": steps,
        "plan_hash": plan_hash(request.run_id, request.request_id, steps),
        "usage": usage,
    }


def step_id(ordinal: int, op: str, refs: Any, constraints: Any) -> str:
    """Return `step_` and 16 hex digits: the tagged hash of what the step is and where it stands."""
    return derived_id("step", {"ordinal": ordinal, "op": op, "refs": refs, "constraints": constraints})


def plan_hash(run_id: str, request_id: str, steps: Sequence[Any]) -> str:
    """Return the hash over run, request and the ordered steps."""
    return full_hash({"run_id": run_id, "request_id": request_id, "steps": steps}, tag=PLAN_TAG)


def _check_counts(request: PlanRequest, operations: Sequence[Operation]) -> None:
    """Refuse on counts alone before anything is looked up: a request far too large costs nothing."""
    symbols = {o.refs["symbol_id"] for o in operations if o.op == "READ_SYMBOL"}
    if len(symbols) > request.budgets.max_symbols:
        raise PlanBudgetError("max_symbols", request.budgets.max_symbols, len(symbols))
    files = {o.refs["file_path"] for o in operations if o.op == "READ_SECTION" and "file_path" in o.refs}
    least = len(symbols) + len(files) + sum(turn_of(o.op) is not Turn.READ for o in operations)
    if least > request.budgets.max_steps:
        raise PlanBudgetError("max_steps", request.budgets.max_steps, least)


def _check_budgets(request: PlanRequest, usage: dict[str, int]) -> None:
    for name in ("steps", "symbols", "bytes"):
        limit = getattr(request.budgets, f"max_{name}")
        if usage[name] > limit:
            raise PlanBudgetError(f"max_{name}", limit, usage[name])


def _drafted(operation: Operation, view: View, policy: Policy, *, allow_unresolved: bool) -> _Draft:
    if turn_of(operation.op) is Turn.READ:
        try:
            return _read(operation, view)
        except (SymbolError, SectionError) as error:
            if not allow_unresolved:
                raise
            return _drafting(operation, unresolved=f"{error.code} {error.message}")
    if turn_of(operation.op) is Turn.WRITE:
        check_target(operation.refs["file_path"], policy, place=f"{operation.place}.refs.file_path")
    if operation.op == "WRITE_FILE":
        content = operation.refs["content"]
        return _drafting(operation, file_hash=text_hash(content), bytes=len(content.encode("utf-8")))
    return _drafting(operation)


def _drafting(operation: Operation, **known: Any) -> _Draft:
    """Draft an operation as it was written; what the planner knows stands above what the requester expects."""
    return _Draft(operation, operation.refs, {**operation.expected_outputs, **known})


def _read(operation: Operation, view: View) -> _Draft:
    """Resolve a read to its section and slice, and find out how many bytes it takes."""
    refs, place = operation.refs, operation.place
    written: str | None
    try:
        if operation.op == "READ_SYMBOL":
            if "slice" in refs:
                parse_slice(refs["slice"])  # slice=ALL is refused whatever the symbol is
            symbol, section = view.symbol_target(refs["symbol_id"], place=place)
            written = str(parse_slice(refs["slice"] if "slice" in refs else bounding_slice(symbol, place=place)))
            final = {"symbol_id": symbol.symbol_id, "section_id": section.section_id, "slice": written}
        else:
            section = (
                view.section(refs["section_id"], place=place)
                if "section_id" in refs
                else view.file_section(refs["file_path"], place=place)
            )
            written = str(parse_slice(refs["slice"])) if "slice" in refs else None
            final = {"section_id": section.section_id} | ({} if written is None else {"slice": written})
        piece = view.expand(section, written)
    except PlannerError as error:
        error.place = error.place or place
        raise
    known = {"file_path": section.file_path, "content_hash": piece.content_hash, "bytes": piece.bytes_applied}
    expected = {**operation.expected_outputs, **known}
    return _Draft(operation, final, expected, size=piece.bytes_applied)


def _check_patches(drafts: Sequence[_Draft], view: View) -> None:
    """Refuse a patch that ends before it starts, or beyond an indexed file that nothing earlier rewrites."""
    rewritten: set[str] = set()
    for operation in (draft.operation for draft in drafts if turn_of(draft.operation.op) is Turn.WRITE):
        if operation.op == "PATCH_FILE":
            first, last = operation.refs["patch_start_line"], operation.refs["patch_end_line"]
            length = (
                None if operation.refs["file_path"] in rewritten else view.indexed_lines(operation.refs["file_path"])
            )
            if first > last or (length is not None and last > length):
                raise InvalidRequestError(
                    f"lines {first} to {last} cannot be replaced in {operation.refs['file_path']}"
                    + ("" if length is None else f", which has {length}"),
                    place=f"{operation.place}.refs.patch_end_line",
                    hint="lines count from 1 and the last one is included",
                )
        rewritten.add(operation.refs["file_path"])


def _merged(drafts: Sequence[_Draft]) -> tuple[list[_Draft], list[Node]]:
    """Put identical reads together, under all their names; a read with `after` of its own is another read."""
    first_of: dict[tuple[Any, ...], int] = {}
    kept: list[_Draft] = []
    names: list[list[str]] = []
    for draft in drafts:
        operation = draft.operation
        key = (operation.op, frozenset(draft.refs.items())) if turn_of(operation.op) is Turn.READ else ()
        mergeable = bool(key) and operation.after is None and not operation.constraints
        position = first_of.get(key) if mergeable else None
        if position is None:
            if mergeable:
                first_of[key] = len(kept)
            position = len(kept)
            kept.append(draft)
            names.append([])
        if operation.name is not None:
            names[position].append(operation.name)
    taken: set[str] = set()
    nodes = []
    for draft, own in zip(kept, names, strict=True):
        nodes.append(Node(draft.operation, tuple(n for n in own if n not in taken)))
        taken.update(own)  # a symbol read with two slices is waited for under the first
    return kept, nodes


def _steps(drafts: Sequence[_Draft], nodes: Sequence[Node]) -> list[dict[str, Any]]:
    needs = dependencies(nodes)
    steps: list[dict[str, Any]] = []
    ids: dict[int, str] = {}
    order = ordered(nodes, needs)
    ordinals = {position: ordinal for ordinal, position in enumerate(order, start=1)}
    for position in order:
        ordinal = ordinals[position]
        operation, refs, expected_outputs, *_ = drafts[position]
        constraints = dict(operation.constraints)
        if needs[position]:
            constraints["after"] = [ids[other] for other in sorted(needs[position], key=ordinals.__getitem__)]
        ids[position] = step_id(ordinal, operation.op, refs, constraints)
        steps.append(
            {
                "step_id": ids[position],
                "ordinal": ordinal,
                "op": operation.op,
                "refs": dict(refs),
                "constraints": constraints,
                "expected_outputs": dict(expected_outputs),
            }
        )
    return steps
