"""Resolving a symbol to its bounded text, remembered per run (seed 002, Phase 2 SymbolResolver).

The order is fixed: symbol, section, slice, cache, else expand and append. The key holds the section's content hash,
so a cached expansion can never be served for other text. The cache only grows.
"""

from __future__ import annotations

from dataclasses import dataclass

from planvow.governed.sections.sections import Section
from planvow.governed.sections.slices import parse_slice
from planvow.governed.substrate.records import Expansion
from planvow.governed.substrate.symbols import bounding_slice
from planvow.governed.substrate.working_tree import WorkingTree


@dataclass(frozen=True, kw_only=True)
class Resolution:
    """The bounded text of a symbol; `cache_hit` is None when no run asked for it to be remembered."""

    symbol_id: str
    section_id: str
    slice: str
    payload: str
    payload_hash: str
    cache_hit: bool | None


def resolve(tree: WorkingTree, symbol_id: str, slice_text: str | None = None, *, run_id: str | None) -> Resolution:
    """Return a symbol's bounded text. With a run id the tree must be writable: a miss is appended to the cache."""
    symbol, section = tree.symbol_target(symbol_id)
    written = str(parse_slice(slice_text if slice_text is not None else bounding_slice(symbol)))
    known = None
    if run_id is not None:
        known = tree.symbols.expansion((run_id, symbol_id, written, section.content_hash))
    if known is None:
        known = _expanded(tree, symbol_id, section, written, run_id or "")
        if run_id is not None:
            tree.symbols.append_expansion(known)
        cache_hit = None if run_id is None else False
    else:
        cache_hit = True
    return Resolution(
        symbol_id=symbol_id,
        section_id=section.section_id,
        slice=written,
        payload=known.payload,
        payload_hash=known.payload_hash,
        cache_hit=cache_hit,
    )


def _expanded(tree: WorkingTree, symbol_id: str, section: Section, written: str, run_id: str) -> Expansion:
    piece = tree.expand(section, written)
    return Expansion(
        run_id=run_id,
        symbol_id=symbol_id,
        slice=written,
        section_hash=section.content_hash,
        payload=piece.content,
        payload_hash=piece.content_hash,
    )
