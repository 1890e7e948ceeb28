"""Bounded pieces of a text: `lines[a:b]`, `chars[a:b]`, `head(n)`, `tail(n)` and nothing else.

Ranges are 0-based and half-open with a < b, and b must lie within the text: a slice that would quietly give less than
it says is refused. head and tail count lines, n ≥ 1, and are clamped to the text. `ALL`, in any case, is refused
with its own error (seed 002, Symbol Bounds Enforcement; ruling 10).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from planvow.governed.errors import SliceAllForbiddenError, SliceError
from planvow.governed.sections.text import lines_of, text_hash

_RANGE = re.compile(r"(lines|chars)\[([0-9]{1,10}):([0-9]{1,10})\]")
_END = re.compile(r"(head|tail)\(([0-9]{1,10})\)")
_FORMS = "lines[a:b], chars[a:b], head(n) or tail(n)"


@dataclass(frozen=True, kw_only=True)
class Slice:
    """One bounded form. `start` and `stop` for ranges; `stop` alone, the count, for head and tail."""

    kind: str
    start: int
    stop: int

    def __str__(self) -> str:
        if self.kind in ("head", "tail"):
            return f"{self.kind}({self.stop})"
        return f"{self.kind}[{self.start}:{self.stop}]"


@dataclass(frozen=True, kw_only=True)
class SlicedText:
    """What a slice gave: the text, its hash, the slice as written canonically, and how much of the text it took."""

    content: str
    content_hash: str
    slice: str | None
    lines_applied: int
    chars_applied: int
    bytes_applied: int


@lru_cache(maxsize=4096)
def parse_slice(written: str) -> Slice:
    """Read a slice, or raise SliceError saying what is allowed."""
    word = written.strip()
    if word.upper() == "ALL":
        raise SliceAllForbiddenError(
            "slice=ALL is forbidden: a governed read is bounded",
            hint="leave the slice out to use the symbol's default_slice, or name one such as head(40)",
        )
    if found := _RANGE.fullmatch(word):
        kind, start, stop = found[1], int(found[2]), int(found[3])
        if start >= stop:
            raise SliceError(f"slice {word!r} is empty: the first number must be smaller than the second")
        return Slice(kind=kind, start=start, stop=stop)
    if found := _END.fullmatch(word):
        if int(found[2]) < 1:
            raise SliceError(f"slice {word!r} takes nothing: n is at least 1")
        return Slice(kind=found[1], start=0, stop=int(found[2]))
    raise SliceError(f"{word[:60]!r} is not a slice", hint=f"write {_FORMS}, with plain digits")


def apply_slice(text: str, piece: Slice | None) -> SlicedText:
    """Cut a normalised text; None takes all of it, which only a direct `get` may ask for."""
    if piece is None:
        content = text
    elif piece.kind == "chars":
        _check_bound(piece, len(text))
        content = text[piece.start : piece.stop]
    else:
        content = _cut_lines(lines_of(text), piece)
    return SlicedText(
        content=content,
        content_hash=text_hash(content),
        slice=None if piece is None else str(piece),
        lines_applied=content.count("\n") + (not content.endswith("\n") and content != ""),
        chars_applied=len(content),
        bytes_applied=len(content.encode("utf-8")),
    )


def _cut_lines(lines: list[str], piece: Slice) -> str:
    if piece.kind == "head":
        return "".join(lines[: piece.stop])
    if piece.kind == "tail":
        return "".join(lines[-piece.stop :])
    _check_bound(piece, len(lines))
    return "".join(lines[piece.start : piece.stop])


def _check_bound(piece: Slice, length: int) -> None:
    if piece.stop > length:
        raise SliceError(
            f"slice {piece} reaches beyond the text, which has {length} {piece.kind}",
            hint=f"the second number is at most {length}",
            details={"slice": str(piece), "length": length},
        )
