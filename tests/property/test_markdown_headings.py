"""Our heading finder agrees with a CommonMark parser on texts made of everything that looks like a heading."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planvow.governed.sections.markdown import headings
from planvow.governed.sections.text import lines_of

markdown_it = pytest.importorskip("markdown_it")
PARSER = markdown_it.MarkdownIt("commonmark")

LINES = [
    "# A", "## B b", "### C ###", "Title", "more words", "===", "---", "--", "```", "```py", "~~~", "    code", "",
    "<!-- c", "-->", "<!-- c -->", "#nospace", "####### seven", "***", "  ## D", "   # E", "\t# tab", "* * *",
    "## ##", "#", "text # no", "`a`",
]  # fmt: skip


@given(st.lists(st.sampled_from(LINES), min_size=1, max_size=12))
@settings(max_examples=400, deadline=None)
def test_headings_are_those_of_commonmark(lines):
    text = "x\n\n" + "\n".join(lines) + "\n"  # the first lines keep front matter, which CommonMark lacks, out of it
    expected = [
        (token.map[0], int(token.tag[1]))
        for token in PARSER.parse(text)
        if token.type == "heading_open" and not token.level
    ]
    assert [(h.line, h.level) for h in headings(lines_of(text))] == expected
