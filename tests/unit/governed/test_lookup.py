"""Looking for sections: ids, the names people write, and the nearest ones where there is none."""

from __future__ import annotations

import pytest

from planvow.governed.errors import AmbiguousAnchorError, UnknownSectionError
from planvow.governed.substrate.index import build_index
from planvow.governed.substrate.lookup import find_section, meant_section, named_section
from planvow.governed.substrate.nearest import nearest


@pytest.fixture
def twice(tree):
    (tree.root / "shop.py").write_text(
        "class Cart:\n    def add(self): ...\n\n    def total(self): ...\n\nclass Cart:\n    def add(self): ...\n"
    )
    build_index(tree.root, tree.sections)
    return tree


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("calc.py", ("calc.py", ())),
        ("calc.py#", ("calc.py", ())),
        ("calc.py#add", ("calc.py", ("add",))),
        ("docs/guide.md # Guide / Install", ("docs/guide.md", ("Guide", "Install"))),
        ("shop.py#Cart.total", ("shop.py", ("Cart", "total"))),
    ],
)
def test_a_name_stands_for_the_section_it_names(twice, written, expected):
    found = meant_section(twice.sections, written)
    assert (found.file_path, found.heading_path) == expected
    assert meant_section(twice.sections, found.section_id).section_id == found.section_id


def test_of_several_sections_with_one_name_each_has_a_number(twice):
    with pytest.raises(AmbiguousAnchorError, match=r"2 sections of shop\.py have the heading Cart\.add") as refused:
        find_section(twice.sections, "shop.py", ("Cart.add",))
    assert "Cart.add[1]" in refused.value.hint
    assert len(refused.value.details["candidates"]) == 2
    lines = [find_section(twice.sections, "shop.py", (f"Cart.add[{n}]",)).line_start for n in (1, 2)]
    assert lines == [1, 6]
    with pytest.raises(AmbiguousAnchorError, match="no section"):
        find_section(twice.sections, "shop.py", ("Cart.add[3]",))


def test_the_hint_names_the_nearest_sections_of_the_file(twice):
    with pytest.raises(AmbiguousAnchorError) as refused:
        find_section(twice.sections, "shop.py", ("Cart", "totl"))
    assert refused.value.hint.startswith("nearest: shop.py # Cart.total")


def test_where_the_file_has_nothing_near_the_hint_names_sections_of_others(twice):
    with pytest.raises(AmbiguousAnchorError) as refused:
        find_section(twice.sections, "docs/guide.md", ("Cart.total",))
    assert refused.value.hint.startswith("nearest: shop.py # Cart.total")


def test_an_unknown_file_names_the_nearest_files(twice):
    with pytest.raises(UnknownSectionError) as refused:
        twice.file_section("doc/guide.md")
    assert refused.value.hint.startswith("nearest: docs/guide.md; run: planvow")


def test_the_beginning_of_an_id_names_the_sections_that_begin_so(twice):
    section = find_section(twice.sections, "calc.py", ("add",))
    with pytest.raises(UnknownSectionError) as refused:
        named_section(twice.sections, section.section_id[:12])
    assert f"{section.section_id} (calc.py # add)" in refused.value.hint


def test_a_plan_holds_ids_and_no_names(twice):
    with pytest.raises(UnknownSectionError) as refused:
        twice.section("calc.py#add")
    assert refused.value.hint.startswith("nearest: calc.py#add")


def test_the_nearest_names_do_not_depend_on_the_order_they_are_known_in():
    known = [f"module{n}/Class{n % 7}.method{n}" for n in range(3000)]
    assert nearest("module12/Class5.methd12", known) == nearest("module12/Class5.methd12", reversed(known))
    assert nearest("module12/Class5.methd12", known)[0] == "module12/Class5.method12"
    assert nearest("qqqq", known) == []
