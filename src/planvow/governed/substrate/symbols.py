"""Symbols: stable names for sections (seed 002, Phase 2).

`@NAMESPACE/name` points at one section by its content-addressed id and carries the slice that bounds its reading. An
edit makes the target stale; planning then fails and names the command that moves the symbol, because nobody but a
person should decide that the new text is still what the name means. The anchor (file and heading) lets that command
find it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from planvow.errors import did_you_mean
from planvow.governed.errors import (
    PlannerError,
    StaleSymbolError,
    SymbolError,
    UnboundedSymbolError,
    UnknownSymbolError,
)
from planvow.governed.sections.sections import Section
from planvow.governed.sections.slices import apply_slice, parse_slice
from planvow.governed.substrate.interface import Substrate, build_hint
from planvow.governed.substrate.lookup import find_section, meant_section, named_section
from planvow.governed.substrate.nearest import nearest_hint
from planvow.governed.substrate.records import TARGET_SECTION, Symbol

NAMESPACES = ("CANON", "CODE", "CONTRACTS", "DOC", "SKILLS", "TEST", "TOOLS")
_SYMBOL_ID = re.compile(r"@([A-Z][A-Z0-9_]*)/([A-Za-z0-9_][A-Za-z0-9_.\-/]*)")
MAX_SYMBOL_LENGTH = 200

ReadText = Callable[[Section], str]


@dataclass(frozen=True, kw_only=True)
class SymbolFault:
    """A registered symbol that cannot be planned with, and why."""

    symbol_id: str
    code: str
    message: str
    hint: str | None = None


def check_symbol_id(symbol_id: str, *, place: str | None = None) -> str:
    """Return a well-formed symbol id, or raise SymbolError."""
    found = _SYMBOL_ID.fullmatch(symbol_id) if len(symbol_id) <= MAX_SYMBOL_LENGTH else None
    if found is None:
        raise SymbolError(
            f"{symbol_id[:80]!r} is not a symbol", place=place, hint="write @NAMESPACE/name, for example @DOC/intro"
        )
    return symbol_id


def check_namespace(symbol_id: str, own: Sequence[str] = ()) -> str:
    """Return the id of a symbol to be registered, or raise SymbolError: new ones need a namespace that is known.

    Names that are registered are not asked again, so a namespace that is taken out of planvow.toml breaks no plan.
    """
    namespace = check_symbol_id(symbol_id)[1:].partition("/")[0]
    known = sorted({*NAMESPACES, *own})
    if namespace not in known:
        near = did_you_mean(namespace, known) or f"known are {', '.join(known)}"
        raise SymbolError(
            f"{symbol_id} is in no known namespace",
            place=symbol_id,
            hint=f"{near}; one of your own is declared in planvow.toml: [symbols] namespaces = [{namespace!r}]",
        )
    return symbol_id


def add_symbol(
    symbols: Substrate,
    sections: Substrate,
    read_text: ReadText,
    *,
    symbol_id: str,
    section_id: str,
    default_slice: str | None,
    now: str,
    heading: tuple[str, ...] | None = None,
    namespaces: Sequence[str] = (),
) -> Symbol:
    """Register a symbol on a section that exists, with a slice that fits its real text.

    `namespaces` are those that the repository declares itself. A file that is one heading from its first line to its
    last has one id for both; `heading` says which of them is meant, because they part as soon as the file grows.
    """
    check_namespace(symbol_id, namespaces)
    section = named_section(sections, section_id, place=symbol_id)
    symbol = Symbol(
        symbol_id=symbol_id,
        target_type=TARGET_SECTION,
        target_ref=section_id,
        default_slice=_fitting_slice(default_slice, read_text(section)),
        anchor_file=section.file_path,
        anchor_heading=section.heading_path if heading is None else heading,
        created_at=now,
        updated_at=now,
    )
    symbols.add_symbol(symbol)
    return symbol


def find_symbol(symbols: Substrate, symbol_id: str, *, place: str | None = None) -> Symbol:
    """Return a registered symbol, or raise UnknownSymbolError naming the nearest one."""
    check_symbol_id(symbol_id, place=place)
    symbol = symbols.symbol(symbol_id)
    if symbol is None:
        known = [s.symbol_id for s in symbols.symbols()]
        register = f"planvow cortex symbols add {symbol_id} --section SECTION --default-slice 'head(40)'"
        otherwise = register if known or symbols.exists else build_hint(symbols)
        raise UnknownSymbolError(
            f"{symbol_id} is not registered", place=place, hint=nearest_hint(symbol_id, known, otherwise)
        )
    return symbol


def target_of(symbol: Symbol, sections: Substrate, *, place: str | None = None) -> Section:
    """Return the section a symbol points at, or raise StaleSymbolError naming the command that moves it."""
    section = sections.section(symbol.target_ref)
    if section is None:
        anchor = " # ".join([symbol.anchor_file, " / ".join(symbol.anchor_heading)]).removesuffix(" # ")
        raise StaleSymbolError(
            f"{symbol.symbol_id} points at section {symbol.target_ref[:12]}, which is not in the index any more",
            place=place,
            hint=f"it was {anchor}; look at the new text, then: planvow cortex symbols rebind {symbol.symbol_id}",
            details={"symbol_id": symbol.symbol_id, "section_id": symbol.target_ref},
        )
    return section


def bounding_slice(symbol: Symbol, *, place: str | None = None) -> str:
    """Return the slice a symbol is read with when none is named, or raise UnboundedSymbolError."""
    if symbol.default_slice is None:
        raise UnboundedSymbolError(
            f"{symbol.symbol_id} has no default_slice and none is named",
            place=place,
            hint=f"planvow cortex symbols rebind {symbol.symbol_id} --default-slice 'head(40)'",
        )
    return symbol.default_slice


def rebind_symbol(
    symbols: Substrate,
    sections: Substrate,
    read_text: ReadText,
    symbol_id: str,
    *,
    to: str | None = None,
    default_slice: str | None = None,
    now: str,
) -> Symbol:
    """Move a symbol to the section now at its anchor, or to one that is named, and check its slice against that text.

    `to` is an id, `FILE` or `FILE # HEADING`.
    """
    symbol = find_symbol(symbols, symbol_id)
    section = (
        meant_section(sections, to, place=symbol_id)
        if to
        else find_section(sections, symbol.anchor_file, symbol.anchor_heading, place=symbol_id)
    )
    written = default_slice if default_slice is not None else symbol.default_slice
    moved = replace(
        symbol,
        target_ref=section.section_id,
        default_slice=_fitting_slice(written, read_text(section)),
        anchor_file=section.file_path,
        anchor_heading=section.heading_path if to else symbol.anchor_heading,
        updated_at=now,
    )
    symbols.replace_symbol(moved)
    return moved


def check_symbols(symbols: Substrate, sections: Substrate, read_text: ReadText) -> list[SymbolFault]:
    """Return every symbol that cannot be planned with, in order of its name."""
    faults = []
    for symbol in symbols.symbols():
        try:
            check_symbol_id(symbol.symbol_id)
            text = read_text(target_of(symbol, sections))
            apply_slice(text, parse_slice(bounding_slice(symbol)))
        except PlannerError as error:
            faults.append(
                SymbolFault(symbol_id=symbol.symbol_id, code=error.code, message=error.message, hint=error.hint)
            )
    return faults


def _fitting_slice(written: str | None, text: str) -> str | None:
    """Return a slice in its canonical spelling, checked against the real text."""
    if written is None:
        return None
    piece = parse_slice(written)
    apply_slice(text, piece)
    return str(piece)
