"""Definitions of a text through a tree-sitter grammar: one walk over a query's matches, whatever the language.

The reader's id names the versions of tree-sitter and of the grammar, because both decide what is found; so two
installations that might read a file differently never make the same index. Nodes are never asked for their parents or
siblings, which takes the longer the more of them there are: a file of one long line must not cost the square of it.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, NamedTuple

from planvow.errors import MissingExtraError
from planvow.governed.sections.parts import MAX_DEPTH, Part
from planvow.governed.sections.readers import Reader

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Query

    from planvow.adapters.code.languages import Language

CORE = "tree-sitter"
_BETWEEN = frozenset(b" \t\r\n\f\v;,")


class _Span(NamedTuple):
    """Where a node stands, in bytes and in lines. Nodes themselves are not kept: they are the parser's memory."""

    start: int
    end: int
    line_start: int
    line_end: int


class _Match(NamedTuple):
    """One definition of the tree: where it stands with what wraps it, its names, whether a namesake goes on with it."""

    outer: _Span
    names: tuple[str, ...]
    is_part: bool


class _Found(NamedTuple):
    """What a query found in a text: definitions, and what may stand before one, by the byte where it ends."""

    data: bytes
    matches: list[_Match]
    comments: dict[int, _Span]
    decorators: dict[int, _Span]


def reader_of(language: Language) -> Reader:
    """Make the reader of one language, or raise MissingExtraError naming the extra."""
    try:
        import tree_sitter

        grammar = tree_sitter.Language(language.grammar())
        versions = f"{CORE} {version(CORE)}, {language.package} {version(language.package)}"
    except (ImportError, PackageNotFoundError):
        raise MissingExtraError(language.package, extra="code", purpose=f"reading {language.name} sections") from None
    parser, query = tree_sitter.Parser(grammar), tree_sitter.Query(grammar, _whole_query(language))
    return Reader(
        reader_id=f"{language.name}/{language.version} ({versions})",
        suffixes=language.suffixes,
        find=lambda text, lines: _parts(_look(text, language, parser, query)),
    )


def _whole_query(language: Language) -> str:
    kinds = {"comment": language.comments, "before": language.before, "around": language.around}
    return language.query + "".join(f"({kind}) @{name}\n" for name, each in kinds.items() for kind in each)


def _parts(found: _Found) -> list[Part]:
    """Return the definitions in order of their first lines, each below those that contain it."""
    parts: list[Part] = []
    open_ends: dict[tuple[int, tuple[str, ...]], int] = {}  # parts that a namesake may go on with, by end and path
    above: list[tuple[int, tuple[str, ...]]] = []  # definitions that are not over: where they end, their names
    for outer, names, is_part in found.matches:
        while above and above[-1][0] <= outer.start:
            above.pop()
        if len(above) >= MAX_DEPTH:
            continue
        path = (above[-1][1] if above else ()) + names
        above.append((outer.end, path))
        first, gap_start = _led_by(outer, found)
        place = open_ends.get((gap_start, path))
        if place is None:
            place = len(parts)
            parts.append(Part(path, first.line_start, outer.line_end))
        else:
            parts[place] = parts[place]._replace(line_end=outer.line_end)
        if is_part:
            open_ends[_before(outer.end, found.data), path] = place
    return parts


def _look(text: str, language: Language, parser: Parser, query: Query) -> _Found:
    """Run the query; every definition comes once, outer ones before those they contain."""
    from tree_sitter import QueryCursor

    data = text.removeprefix("\ufeff").encode("utf-8")
    tree = parser.parse(data)
    found: dict[int, _Match] = {}
    wrapper_of: dict[int, tuple[int, _Span]] = {}
    comments: dict[int, _Span] = {}
    decorators: dict[int, _Span] = {}
    for _, captured in QueryCursor(query).matches(tree.root_node):
        if "around" in captured:
            _note_wrapper(captured["around"][0], language, wrapper_of)
        elif "comment" in captured:
            comments[captured["comment"][0].end_byte] = _span(captured["comment"][0])
        elif "before" in captured:
            decorators[captured["before"][0].end_byte] = _span(captured["before"][0])
        else:
            node = captured["definition"][0]
            names = tuple(map(_words, (*captured.get("owner", ()), captured["name"][0])))
            is_part = "part" in captured or (node.id in found and found[node.id].is_part)
            found[node.id] = _Match(_span(node), names, is_part)
    matches = [match._replace(outer=_wrapped(node, match.outer, wrapper_of)) for node, match in found.items()]
    matches.sort(key=lambda match: (match.outer.start, -match.outer.end))
    return _Found(data, matches, comments, decorators)


def _span(node: Node) -> _Span:
    end = node.end_point
    return _Span(node.start_byte, node.end_byte, node.start_point.row, end.row + (end.column > 0))


def _note_wrapper(around: Node, language: Language, wrapper_of: dict[int, tuple[int, _Span]]) -> None:
    """Remember a node that wraps one other and nothing else."""
    inside = [child for child in around.named_children if child.type not in (*language.comments, *language.before)]
    if len(inside) == 1:
        wrapper_of[inside[0].id] = around.id, _span(around)


def _wrapped(node: int, span: _Span, wrapper_of: dict[int, tuple[int, _Span]]) -> _Span:
    while node in wrapper_of:
        node, span = wrapper_of[node]
    return span


def _led_by(outer: _Span, found: _Found) -> tuple[_Span, int]:
    """Return the first of what stands before a definition and belongs to it, and where all before that ends."""
    first, position = outer, outer.start
    while True:
        position = _before(position, found.data)
        if position in found.decorators:
            first = found.decorators[position]
            position = first.start
        elif position in found.comments:
            position = found.comments[position].start
        else:
            return first, position


def _before(position: int, data: bytes) -> int:
    while position and data[position - 1] in _BETWEEN:
        position -= 1
    return position


def _words(node: Node) -> str:
    """Return a name as it is written, on one line and without quotes."""
    written = " ".join((node.text or b"").decode("utf-8", "replace").split())
    return written[1:-1] if node.type == "string" else written
