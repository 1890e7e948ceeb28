"""Symbols: registered once, always bounded, stale after an edit, moved only by command."""

from __future__ import annotations

from dataclasses import replace

import pytest

from planvow.governed.errors import (
    AmbiguousAnchorError,
    BrokenIndexError,
    DuplicateExpansionError,
    DuplicateSymbolError,
    PlannerError,
    SliceError,
    StaleSectionError,
    StaleSymbolError,
    SymbolError,
    UnboundedSymbolError,
    UnknownSectionError,
    UnknownSymbolError,
)
from planvow.governed.substrate.index import build_index
from planvow.governed.substrate.resolver import resolve
from planvow.governed.substrate.symbols import add_symbol, check_symbol_id, check_symbols, find_section, rebind_symbol
from planvow.governed.substrate.working_tree import open_working_tree


def register(tree, name="@DOC/install", file="docs/guide.md", heading=("Guide", "Install"), piece="head(3)"):
    section = find_section(tree.sections, file, heading)
    return add_symbol(
        tree.symbols,
        tree.sections,
        tree.text,
        symbol_id=name,
        section_id=section.section_id,
        default_slice=piece,
        now="t",
    )


def edit(tree, old="Run it.", new="Run it now."):
    location = tree.root / "docs/guide.md"
    location.write_text(location.read_text().replace(old, new))


@pytest.mark.parametrize("name", ["@DOC/a", "@CODE/a.b-c/d_1", "@TEST/0"])
def test_well_formed_symbols_pass(name):
    assert check_symbol_id(name) == name


@pytest.mark.parametrize("name", ["", "DOC/a", "@doc/a", "@DOC", "@DOC/", "@DOC/a b", "@DOC//", "@DOC/" + "a" * 300])
def test_ill_formed_symbols_are_refused(name):
    with pytest.raises(SymbolError):
        check_symbol_id(name)


def test_a_symbol_is_stored_with_its_anchor_and_read_back(tree):
    symbol = register(tree)
    assert tree.symbols.symbol("@DOC/install") == symbol
    assert (symbol.anchor_file, symbol.anchor_heading) == ("docs/guide.md", ("Guide", "Install"))
    assert symbol.target_type == "SECTION"


def test_a_duplicate_is_rejected_and_the_first_one_stays(tree):
    first = register(tree)
    with pytest.raises(DuplicateSymbolError) as refused:
        register(tree, piece="head(1)")
    assert "cortex symbols rebind @DOC/install" in refused.value.hint
    assert tree.symbols.symbol("@DOC/install") == first


def test_the_default_slice_is_checked_against_the_real_section(tree):
    with pytest.raises(SliceError, match="beyond"):
        register(tree, piece="lines[0:99]")
    with pytest.raises(SliceError):
        register(tree, piece="ALL")
    assert tree.symbols.symbols() == []


def test_a_symbol_on_an_unknown_section_is_refused(tree):
    with pytest.raises(UnknownSectionError):
        add_symbol(tree.symbols, tree.sections, tree.text, symbol_id="@DOC/x", section_id="0" * 64,
                   default_slice=None, now="t")  # fmt: skip


def test_the_list_is_sorted_and_filtered_by_prefix(tree):
    for name in ("@DOC/b", "@CODE/z", "@DOC/a"):
        register(tree, name)
    assert [s.symbol_id for s in tree.symbols.symbols()] == ["@CODE/z", "@DOC/a", "@DOC/b"]
    assert [s.symbol_id for s in tree.symbols.symbols("@DOC/")] == ["@DOC/a", "@DOC/b"]


def test_an_unknown_symbol_names_the_nearest_one(tree):
    register(tree)
    with pytest.raises(UnknownSymbolError, match="nearest: @DOC/install"):
        tree.symbol_target("@DOC/instal")


def test_an_edit_makes_a_symbol_stale_and_the_error_names_the_command(tree):
    register(tree)
    edit(tree)
    with pytest.raises(StaleSectionError, match="sections build"):
        resolve(tree, "@DOC/install", run_id="r")
    build_index(tree.root, tree.sections)
    with pytest.raises(StaleSymbolError, match="planvow cortex symbols rebind @DOC/install"):
        resolve(tree, "@DOC/install", run_id="r")


def test_rebind_moves_a_symbol_to_the_new_section_at_its_anchor(tree):
    before = register(tree)
    edit(tree)
    build_index(tree.root, tree.sections)
    moved = rebind_symbol(tree.symbols, tree.sections, tree.text, "@DOC/install", now="u")
    assert moved.target_ref != before.target_ref
    assert (moved.created_at, moved.updated_at) == ("t", "u")
    assert "Run it now." in resolve(tree, "@DOC/install", run_id="r").payload


def test_rebind_never_guesses(tree):
    register(tree)
    edit(tree, "## Install", "## Set up")
    build_index(tree.root, tree.sections)
    with pytest.raises(AmbiguousAnchorError, match="Set up"):
        rebind_symbol(tree.symbols, tree.sections, tree.text, "@DOC/install", now="u")
    edit(tree, "## Use", "## Set up")
    build_index(tree.root, tree.sections)
    twins = [s for s in tree.sections.sections("docs/guide.md") if s.heading_path == ("Guide", "Set up")]
    assert len(twins) == 2
    moved = rebind_symbol(tree.symbols, tree.sections, tree.text, "@DOC/install", to=twins[1].section_id, now="u")
    assert moved.anchor_heading == ("Guide", "Set up")
    with pytest.raises(AmbiguousAnchorError, match="2 sections"):
        rebind_symbol(tree.symbols, tree.sections, tree.text, "@DOC/install", now="v")


def test_rebind_checks_the_slice_against_the_new_text(tree):
    register(tree, piece="lines[0:5]")
    edit(tree, "Run it.\nTwice.\n\n", "")
    build_index(tree.root, tree.sections)
    with pytest.raises(SliceError):
        rebind_symbol(tree.symbols, tree.sections, tree.text, "@DOC/install", now="u")
    moved = rebind_symbol(tree.symbols, tree.sections, tree.text, "@DOC/install", default_slice="head(1)", now="u")
    assert moved.default_slice == "head(1)"


def test_verify_reports_every_symbol_that_cannot_be_planned_with(tree):
    register(tree)
    register(tree, "@DOC/use", heading=("Guide", "Use"))
    register(tree, "@DOC/unbounded", heading=("Guide", "Use"), piece=None)
    edit(tree)
    build_index(tree.root, tree.sections)
    faults = check_symbols(tree.symbols, tree.sections, tree.text)
    # Every later line of the file moved none, so the section below the edit is still there.
    assert [(f.symbol_id, f.code) for f in faults] == [
        ("@DOC/install", "STALE_SYMBOL"),
        ("@DOC/unbounded", "UNBOUNDED_SYMBOL"),
    ]


def test_resolving_is_remembered_per_run_and_per_slice(tree):
    register(tree)
    first = resolve(tree, "@DOC/install", run_id="r")
    assert (first.cache_hit, first.payload) == (False, "## Install\n\nRun it.\n")
    assert resolve(tree, "@DOC/install", run_id="r").cache_hit
    assert not resolve(tree, "@DOC/install", "head(1)", run_id="r").cache_hit
    assert not resolve(tree, "@DOC/install", run_id="other").cache_hit
    assert resolve(tree, "@DOC/install", run_id=None).cache_hit is None


def test_a_symbol_without_a_slice_is_not_resolved(tree):
    register(tree, piece=None)
    with pytest.raises(UnboundedSymbolError):
        resolve(tree, "@DOC/install", run_id="r")


def test_the_cache_is_append_only(tree, kind):
    register(tree)
    resolve(tree, "@DOC/install", run_id="r")
    section = find_section(tree.sections, "docs/guide.md", ("Guide", "Install"))
    known = tree.symbols.expansion(("r", "@DOC/install", "head(3)", section.content_hash))
    with pytest.raises(DuplicateExpansionError):
        tree.symbols.append_expansion(known)
    if kind == "sqlite":
        for statement in ("DELETE FROM expansions", "UPDATE expansions SET record = ''"):
            with pytest.raises(Exception, match="append-only"):
                tree.symbols._connection.execute(statement)


def test_a_substrate_opened_for_reading_refuses_to_write(tree, kind):
    from planvow.governed.substrate.interface import default_path, open_substrate

    symbol = register(tree)
    reading = open_substrate(kind, default_path(tree.root / ".planvow", kind))
    with pytest.raises(BrokenIndexError):
        reading.replace_symbol(symbol)
    reading.close()


def test_two_writers_do_not_lose_each_others_symbols(tree, kind):
    from planvow.governed.substrate.interface import default_path, open_substrate

    other = open_substrate(kind, default_path(tree.root / ".planvow", kind), writable=True)
    assert other.symbols() == []
    first = register(tree, "@DOC/a")
    with pytest.raises(DuplicateSymbolError):
        other.add_symbol(first)
    other.add_symbol(replace(first, symbol_id="@DOC/b"))
    register(tree, "@DOC/c")
    assert [s.symbol_id for s in other.symbols()][:2] == ["@DOC/a", "@DOC/b"]
    other.close()
    again = open_substrate(kind, default_path(tree.root / ".planvow", kind))
    assert [s.symbol_id for s in again.symbols()] == ["@DOC/a", "@DOC/b", "@DOC/c"]
    again.close()


def test_an_index_of_the_other_kind_is_named_in_the_hint(tree, root, kind):
    other = {"sqlite": "jsonl", "jsonl": "sqlite"}[kind]
    with open_working_tree(root, kind=other, data_folder=root / ".planvow") as empty:
        for ask in (
            lambda: empty.section("0" * 64),
            lambda: empty.file_section("calc.py"),
            lambda: empty.symbol_target("@DOC/x"),
        ):
            with pytest.raises(PlannerError) as refused:
                ask()
            assert refused.value.hint == f"the index here is of the other kind: add --substrate {kind}"


def test_a_new_symbol_needs_a_namespace_that_is_known_or_declared(tree):
    section = find_section(tree.sections, "calc.py", ("add",))
    words = {"section_id": section.section_id, "default_slice": "head(1)", "now": "t"}
    with pytest.raises(SymbolError, match="no known namespace") as refused:
        add_symbol(tree.symbols, tree.sections, tree.text, symbol_id="@BILLING/add", **words)
    assert "[symbols] namespaces = ['BILLING']" in refused.value.hint
    add_symbol(tree.symbols, tree.sections, tree.text, symbol_id="@BILLING/add", namespaces=("BILLING",), **words)
    assert tree.symbol_target("@BILLING/add")[1] == section
    assert check_symbols(tree.symbols, tree.sections, tree.text) == []
