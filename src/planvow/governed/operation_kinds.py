"""The operations of seed 002, each declared once: what it refers to, when it may run, who carries it out.

Everything else is made from this table: the published schemas and with them what a request may hold, which refs an
operation must and may have, what it waits for when nothing is said, and which function of `run/operations.py` a worker
calls. An operation that is declared here and not finished elsewhere stops at import or in
`tests/unit/governed/test_operation_kinds.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from planvow.errors import ContractViolation

MAX_NOTE_CHARACTERS = 4096


class Turn(StrEnum):
    """What an operation waits for by default, and what others wait for (seed 002, Determinism Rules)."""

    READ = "read"
    """Waits for nothing; identical ones are merged; its bytes are counted."""
    WRITE = "write"
    """Waits for every read, and for earlier writes to the same `file_path`."""
    TEST = "test"
    """Waits for every read and for every write before it."""
    ANY = "any"
    """Waits for nothing, and nothing waits for it."""


@dataclass(frozen=True, kw_only=True)
class Ref:
    """A field that refs may have: a text of at most `most` characters (None: any text), or a line number."""

    description: str
    most: int | None = 256
    is_line: bool = False


REFS: Mapping[str, Ref] = {
    "section_id": Ref(description="Section to read (READ_SECTION; filled in for READ_SYMBOL)", most=64),
    "symbol_id": Ref(description="@Symbol to resolve (READ_SYMBOL)", most=200),
    "slice": Ref(description="lines[a:b], chars[a:b], head(n) or tail(n); never ALL", most=64),
    "file_path": Ref(description="File to write or patch, relative to the root (WRITE_FILE, PATCH_FILE)", most=4096),
    "file_hash": Ref(description="SHA-256 the file must have before it is changed", most=64),
    "content": Ref(description="What to write (WRITE_FILE, PATCH_FILE)", most=None),
    "patch_start_line": Ref(description="First line to replace, from 1", is_line=True),
    "patch_end_line": Ref(description="Last line to replace, inclusive", is_line=True),
    "test_name": Ref(description="Test to run, by its name on the allow-list (RUN_TEST)"),
    "message": Ref(description="The note (NOTE)", most=MAX_NOTE_CHARACTERS),
}


@dataclass(frozen=True, kw_only=True)
class OperationKind:
    """One operation: its name, the refs it must have, may have, or has exactly one of, its turn, and its handler."""

    name: str
    turn: Turn
    handler: str
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    exactly_one_of: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        unknown = [name for name in self.refs if name not in REFS]
        if unknown:
            raise ContractViolation(f"{self.name} has the ref {unknown[0]!r}, which REFS does not describe")
        if self.turn is Turn.WRITE and "file_path" not in self.required:
            raise ContractViolation(f"{self.name} is a write, so it must name its file_path")

    @property
    def refs(self) -> tuple[str, ...]:
        """All refs the operation takes, in the order a hint lists them."""
        return (*self.required, *self.exactly_one_of, *self.optional)


OPERATIONS: Mapping[str, OperationKind] = {
    kind.name: kind
    for kind in (
        OperationKind(
            name="READ_SECTION",
            turn=Turn.READ,
            handler="read_piece",
            exactly_one_of=("section_id", "file_path"),
            optional=("slice",),
        ),
        OperationKind(
            name="READ_SYMBOL", turn=Turn.READ, handler="read_piece", required=("symbol_id",), optional=("slice",)
        ),
        OperationKind(
            name="WRITE_FILE",
            turn=Turn.WRITE,
            handler="write_file",
            required=("file_path", "content"),
            optional=("file_hash",),
        ),
        OperationKind(
            name="PATCH_FILE",
            turn=Turn.WRITE,
            handler="patch_file",
            required=("file_path", "patch_start_line", "patch_end_line", "content"),
            optional=("file_hash",),
        ),
        OperationKind(name="RUN_TEST", turn=Turn.TEST, handler="run_test", required=("test_name",)),
        OperationKind(name="NOTE", turn=Turn.ANY, handler="note", required=("message",)),
    )
}


def turn_of(op: str) -> Turn:
    """Return when an operation has its turn."""
    return OPERATIONS[op].turn
