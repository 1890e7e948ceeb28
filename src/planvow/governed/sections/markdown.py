"""Headings of a Markdown text, as CommonMark sees them, without building a document tree.

Known: `#` headings, headings underlined with `=` or `-` (the whole paragraph above is the heading), code fences, front
matter, HTML comments and raw blocks (`pre`, `script`, `style`, `textarea`), none of which can contain a heading.
Headings inside list items and quotations are not section starts.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from planvow.governed.sections.parts import Part

_ATX = re.compile(r" {0,3}(#{1,6})(?=[ \t]|$)")
_UNDERLINE = re.compile(r" {0,3}(?:(=+)|-+)[ \t]*")
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")
_RAW_BLOCK = re.compile(r" {0,3}<(pre|script|style|textarea)(?=[\s>]|$)", re.IGNORECASE)
_TAG_ALONE = re.compile(r" {0,3}</?[A-Za-z][A-Za-z0-9-]*(?:[ \t][^<>]*)?/?>[ \t]*")
_BLANK = re.compile(r"^[ \t]*$")
_COMMENT = re.compile(r" {0,3}<!--")
_BREAK = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})")
_ITEM = re.compile(r" {0,3}(?:>|[-+*][ \t]+\S|1[.)][ \t]+\S)")  # starts a quotation or list even inside a paragraph
_ITEM_ALONE = re.compile(r" {0,3}(?:[-+*]|[0-9]{1,9}[.)])(?:[ \t]|$)")  # starts a list only where no paragraph is open


class Heading(NamedTuple):
    """One heading: the line it starts on (0-based), its level from 1 to 6, and its words."""

    line: int
    level: int
    title: str


def markdown_parts(lines: list[str]) -> list[Part]:
    """Return one part per heading, from its line to just before the next heading of the same or a higher level."""
    found = headings(lines)
    ends = [len(lines)] * len(found)
    paths: list[tuple[str, ...]] = []
    open_ones: list[int] = []
    for position, heading in enumerate(found):
        while open_ones and found[open_ones[-1]].level >= heading.level:
            ends[open_ones.pop()] = heading.line
        open_ones.append(position)
        paths.append(tuple(found[i].title for i in open_ones))
    return [Part(path, heading.line, end) for path, heading, end in zip(paths, found, ends, strict=True)]


def headings(lines: list[str]) -> list[Heading]:
    """Return the headings of a text, in order."""
    found: list[Heading] = []
    paragraph: int | None = None  # the line the open paragraph started on
    item_indent = 0  # inside a list item: how far its own lines are indented
    closing: re.Pattern[str] | None = None  # inside a fence or raw block: what ends it
    number = _after_front_matter(lines)
    while number < len(lines):
        line = lines[number]
        if closing is None and not item_indent and line[0].isalpha():
            paragraph = number if paragraph is None else paragraph  # no block starts with a letter: the common line
            number += 1
            continue
        line = line.rstrip("\n")
        if number == 0:
            line = line.removeprefix("\ufeff")
        if item_indent and closing is None and line.strip() and _indent(line) < item_indent:
            item_indent = 0
        if closing is not None:
            if closing.search(line):
                closing = None
        elif not line.strip():
            paragraph = None
        elif item_indent and _indent(line) >= item_indent:
            paragraph = None  # belongs to the list item, headings included
        elif atx := _ATX.match(line):
            found.append(Heading(number, len(atx[1]), _title(line[atx.end() :])))
            paragraph = None
        elif paragraph is not None and (under := _UNDERLINE.fullmatch(line)):
            words = " ".join(part.strip() for part in lines[paragraph:number])
            found.append(Heading(paragraph, 1 if under[1] else 2, words.removeprefix("\ufeff")))
            paragraph = None
        elif opened := _html_opened(line, in_paragraph=paragraph is not None) or _block_opened(line):
            closing = None if opened.search(line, _opening_length(line)) else opened
            paragraph = None
        elif _BREAK.fullmatch(line):
            paragraph = None
        elif _ITEM.match(line) or (paragraph is None and _ITEM_ALONE.match(line)):
            paragraph = None
            item_indent = _item_indent(line)
            number = _skip_lazy_lines(lines, number)
        elif paragraph is None and not line.startswith(("    ", "\t")):
            paragraph = number
        number += 1
    return found


def _title(words: str) -> str:
    """Return a heading's words without its closing `#` marks, which count only after a space."""
    words = words.strip()
    open_part = words.rstrip("#")
    return open_part.rstrip() if open_part[-1:] in ("", " ", "\t") else words


def _after_front_matter(lines: list[str]) -> int:
    if not lines or lines[0].rstrip() != "---":
        return 0
    for number, line in enumerate(lines[1:], start=1):
        if line.rstrip() in ("---", "..."):
            return number + 1
    return 0


def _html_opened(line: str, *, in_paragraph: bool) -> re.Pattern[str] | None:
    """Return what ends the HTML block that this line opens: the next blank line. It cannot interrupt a paragraph."""
    is_html = not in_paragraph and _TAG_ALONE.fullmatch(line) and not _RAW_BLOCK.match(line)
    return _BLANK if is_html else None


def _block_opened(line: str) -> re.Pattern[str] | None:
    """Return the pattern that closes the fence, comment or raw block this line opens, or None."""
    if fence := _FENCE.match(line):
        mark = fence[1]
        return re.compile(rf"^ {{0,3}}{re.escape(mark[0])}{{{len(mark)},}}[ \t]*$")
    if _COMMENT.match(line):
        return re.compile("-->")
    if raw := _RAW_BLOCK.match(line):
        return re.compile(rf"</{raw[1]}>", re.IGNORECASE)
    return None


def _opening_length(line: str) -> int:
    """Return where to look for the end of a block on its own first line; a fence never ends there."""
    return len(line) + 1 if _FENCE.match(line) else 1


def _indent(line: str) -> int:
    stripped = line.lstrip(" \t")
    return len(line[: len(line) - len(stripped)].expandtabs(4))


def _item_indent(line: str) -> int:
    """Return the column where a list item's own text starts, 0 for a quotation."""
    mark = _ITEM_ALONE.match(line)
    if mark is None:
        return 0
    text = line[mark.end() :].lstrip(" \t")
    return len(line) - len(text) if text else mark.end()


def _skip_lazy_lines(lines: list[str], number: int) -> int:
    """Return the last line that continues a list item or quotation without its mark ("lazy" in CommonMark).

    Such a line is no paragraph of its own, so an underline below it is a thematic break.
    """
    if lines[number].strip(" >0123456789.)-+*\t\n") == "":
        return number  # an empty item has no paragraph that could go on
    while number + 1 < len(lines):
        following = lines[number + 1].rstrip("\n")
        blank = not following.strip()
        if (
            blank
            or _BREAK.fullmatch(following)
            or _ITEM_ALONE.match(following)
            or _ATX.match(following)
            or _block_opened(following)
        ):
            return number
        number += 1
    return number
