"""Sections: what is found, which id it gets, and what an edit does to it."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from planvow.canonical import canonical_json, full_hash
from planvow.governed.sections.python_definitions import definitions
from planvow.governed.sections.readers import readers_named
from planvow.governed.sections.sections import extract_sections, index_hash, section_json
from planvow.governed.sections.text import lines_of, normalised
from python_oracle import parsed_definitions

ROOT = Path(__file__).resolve().parents[3]


def found(text: str, path: str = "a.md") -> list[tuple[tuple[str, ...], int, int]]:
    return [(s.heading_path, s.line_start, s.line_end) for s in extract_sections(path, text)]


def test_a_markdown_file_has_one_section_per_heading_and_the_ranges_nest():
    text = "intro\n# A\na\n## B\nb\n### C\nc\n## D\nd\n# E\n"
    assert found(text) == [
        ((), 0, 10),
        (("A",), 1, 9),
        (("A", "B"), 3, 7),
        (("A", "B", "C"), 5, 7),
        (("A", "D"), 7, 9),
        (("E",), 9, 10),
    ]


def test_underlined_headings_start_at_their_first_line():
    assert found("Long\ntitle\n=====\ntext\n\nPart\n---\nx\n") == [
        ((), 0, 8),
        (("Long title",), 0, 8),
        (("Long title", "Part"), 5, 8),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "```\n# no\n```\n",
        "~~~~ python\n# no\n~~~\n# no\n~~~~\n",
        "````\n```\n# no\n````\n",
        "    # no\n",
        "<!--\n# no\n-->\n",
        "<pre>\n# no\n</pre>\n",
        "---\ntitle: no\n---\n",
        "- item\n---\n",
        "> quoted\n---\n",
        "- item\n\n  # no\n",
        "#no\n",
        "####### no\n",
        "***\n\n---\n",
    ],
)
def test_what_is_no_heading_is_no_section(text):
    assert found(text) == [((), 0, len(lines_of(text)))]


def test_an_unclosed_fence_hides_everything_below_it():
    assert found("# A\n```\n# no\n") == [((), 0, 3), (("A",), 0, 3)]


def test_closing_marks_are_not_part_of_a_title():
    assert [path for path, *_ in found("## A ##\n## B#\n## C \\#\n## ##\n")][1:] == [("A",), ("B#",), ("C \\#",), ("",)]


def test_python_functions_and_classes_are_sections_with_their_decorators():
    text = (
        'x = """\ndef no():\n    pass\n"""\n\n@a(\n    1\n)\n@b\ndef f(\n    y,\n) -> int:\n    return 1\n\n\n'
        "# about C\nclass C:\n    def m(self): ...\n\nasync def g(): pass\n"
    )
    assert found(text, "m.py")[1:] == [(("f",), 5, 13), (("C",), 16, 18), (("C", "m"), 17, 18), (("g",), 19, 20)]


def test_nested_definitions_are_named_by_what_contains_them():
    text = (
        "class QuerySet:\n    x = 1\n\n    @decorator\n    def filter(self):\n        def inner():\n            pass\n"
        "        return inner  # the end\n\n    class Meta:\n        def f(self): ...\n    # not part of it\n\n"
        "if x:\n\tdef late():\n\t\treturn (\n1)\n"
    )
    assert found(text, "m.py")[1:] == [
        (("QuerySet",), 0, 11),
        (("QuerySet", "filter"), 3, 8),
        (("QuerySet", "filter", "inner"), 5, 7),
        (("QuerySet", "Meta"), 9, 11),
        (("QuerySet", "Meta", "f"), 10, 11),
        (("late",), 14, 17),
    ]
    assert extract_sections("m.py", text)[2].name == "m.py # QuerySet.filter"


def test_overloads_and_the_parts_of_a_property_are_one_section():
    text = (
        "@overload\ndef f(a: int): ...\n@typing.overload\ndef f(a: str): ...\n\n# this one runs\ndef f(a): return a\n"
        "class C:\n    @property\n    def x(self): ...\n    @x.setter\n    def x(self, v): ...\n    def y(self): ...\n"
        "    @x.deleter\n    def x(self): ...\n"
    )
    assert found(text, "m.py")[1:] == [
        (("f",), 0, 7),
        (("C",), 7, 15),
        (("C", "x"), 8, 12),
        (("C", "y"), 12, 13),
        (("C", "x"), 13, 15),  # apart from the others: a section of its own
    ]


def test_two_functions_of_one_name_are_two_sections():
    assert found("def f(): ...\ndef f(): ...\n", "m.py")[1:] == [(("f",), 0, 1), (("f",), 1, 2)]


def test_what_is_nested_too_deep_is_no_section():
    text = "".join(f"{' ' * n}def f{n}():\n" for n in range(40)) + " " * 40 + "pass\n"
    assert [path[-1] for path, *_ in found(text, "m.py")[1:]] == [f"f{n}" for n in range(20)]


@pytest.mark.long
@pytest.mark.parametrize("path", sorted((ROOT / "src/planvow").rglob("*.py"))[::7], ids=lambda p: p.name)
def test_python_definitions_are_those_of_the_real_parser(path):
    text = path.read_text("utf-8")
    assert [tuple(d) for d in definitions(text, lines_of(text))] == parsed_definitions(text)


@pytest.mark.parametrize("text", ["def f(): pass\n", "@a\ndef f(): pass\n", "class C: pass\n"])
def test_a_byte_order_mark_hides_no_definition(text):
    assert definitions("\ufeff" + text, lines_of("\ufeff" + text)) == definitions(text, lines_of(text))


@pytest.mark.parametrize("rest", ["", "# the end\n", "y = ''\n", "g()\n"])
def test_a_bracket_that_is_never_closed_continues_to_the_end_of_the_text(rest):
    text = "def f(): pass\nx = (\ndef g(): pass\nclass C: pass\n" + rest
    assert [d.path for d in definitions(text, lines_of(text))] == [("f",)]


def test_a_file_of_another_type_is_one_section():
    assert found("# A\n", "a.txt") == [((), 0, 1)]


def test_an_empty_file_is_one_empty_section():
    assert found("") == [((), 0, 0)]


def test_the_id_is_the_hash_of_path_range_and_content():
    section = extract_sections("d/a.md", "x\n# A\ny\n")[1]
    content_hash = hashlib.sha256(b"# A\ny\n").hexdigest()
    assert section.content_hash == content_hash
    assert section.section_id == hashlib.sha256(f"d/a.md:1:3:{content_hash}".encode()).hexdigest()


def test_other_line_ends_give_the_same_ids():
    unix, windows, old = b"# A\nb\n", b"# A\r\nb\r\n", b"# A\rb\r"
    ids = [[s.section_id for s in extract_sections("a.md", normalised(data))] for data in (unix, windows, old)]
    assert ids[0] == ids[1] == ids[2]


def test_an_edit_changes_the_ids_of_what_contains_it_and_of_nothing_else():
    before = {s.heading_path: s.section_id for s in extract_sections("a.md", "# A\na\n# B\nb\n")}
    after = {s.heading_path: s.section_id for s in extract_sections("a.md", "# A\na\n# B\nc\n")}
    assert before[()] != after[()]
    assert before[("B",)] != after[("B",)]
    assert before[("A",)] == after[("A",)]


def test_a_file_that_is_one_heading_is_one_section_with_two_names():
    whole, heading = extract_sections("a.md", "# A\nb\n")
    assert whole.section_id == heading.section_id
    assert (whole.heading_path, heading.heading_path) == ((), ("A",))


def test_records_are_canonical_json_and_the_index_hash_is_the_tagged_hash_over_them():
    sections = sorted(extract_sections("ä/b.md", 'x\n# "É"\u2028\n## \U0001f600\n'), key=lambda s: s.section_id)
    assert [section_json(s) for s in sections] == [canonical_json(s) for s in sections]
    assert index_hash([section_json(s) for s in sections]) == full_hash(sections, tag="index/2")


def test_every_section_says_which_reader_made_it():
    made_by = {
        path: {s.reader for s in extract_sections(path, "# A\ndef f(): ...\n")} for path in ("a.md", "a.py", "a.txt")
    }
    assert made_by == {"a.md": {"markdown/1"}, "a.py": {"python/2"}, "a.txt": {"file/1"}}


def test_a_repository_may_do_without_a_reader():
    assert [s.reader for s in extract_sections("a.py", "def f(): ...\n", readers_named(("markdown",)))] == ["file/1"]
