"""Slices are bounded, exact, and refused otherwise."""

from __future__ import annotations

import pytest

from planvow.governed.errors import PlannerError, SliceAllForbiddenError, SliceError
from planvow.governed.sections.slices import apply_slice, parse_slice

TEXT = "one\ntwo\nthree ä\n"


@pytest.mark.parametrize(
    ("written", "content"),
    [
        ("lines[0:1]", "one\n"),
        ("lines[1:3]", "two\nthree ä\n"),
        ("chars[0:3]", "one"),
        ("chars[8:16]", "three ä\n"),
        ("head(2)", "one\ntwo\n"),
        ("head(99)", TEXT),
        ("tail(1)", "three ä\n"),
        ("tail(99)", TEXT),
        (" head(1) ", "one\n"),
    ],
)
def test_a_slice_cuts_what_it_says(written, content):
    assert apply_slice(TEXT, parse_slice(written)).content == content


def test_what_was_cut_is_counted_in_lines_characters_and_bytes():
    piece = apply_slice(TEXT, parse_slice("chars[4:15]"))
    assert (piece.lines_applied, piece.chars_applied, piece.bytes_applied) == (2, 11, 12)
    assert piece.slice == "chars[4:15]"


@pytest.mark.parametrize("written", ["ALL", "all", " All "])
def test_all_is_forbidden_with_its_own_error(written):
    with pytest.raises(SliceAllForbiddenError, match="forbidden"):
        parse_slice(written)


@pytest.mark.parametrize(
    "written",
    ["", "lines", "lines[1]", "lines[2:2]", "lines[3:1]", "lines[-1:2]", "lines[:2]", "chars[0:]", "head(0)", "head()",
     "tail(-1)", "HEAD(1)", "lines[0:1]x", "lines[ 0:1]", "lines[٣:٤]", "head(1e3)", "head(99999999999)", "*"],
)  # fmt: skip
def test_anything_else_is_refused(written):
    with pytest.raises(SliceError):
        parse_slice(written)


@pytest.mark.parametrize("written", ["lines[0:4]", "chars[0:17]"])
def test_a_slice_that_reaches_beyond_the_text_is_refused_not_shortened(written):
    with pytest.raises(SliceError, match="beyond"):
        apply_slice(TEXT, parse_slice(written))


def test_a_slice_error_is_a_planner_error():
    assert issubclass(SliceError, PlannerError)
