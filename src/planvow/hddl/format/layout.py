"""The common layout of HDDL files.

What fits on a line stands on one, but a method and an action have a line for each of their parts, and a long section
has one for each fact, predicate or group of typed names. An empty line is kept where there was one.

The layout depends on the words, the comments and the empty lines alone, and leaves all three as they are: to
format twice is to format once, and the parser reads the same before and after.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from planvow.hddl.format.tree import Form, Item, Note, Word, tree_of

WIDTH = 120
_STEP = 2
_NAMED = (":action", ":method", ":task")
_PAIRED = (*_NAMED, ":htn")
_LINE_BY_LINE = (":predicates", ":init", ":action", ":method", ":htn")

Unit = list[Item]


def format_text(text: str, *, file: str = "<text>") -> str:
    """Return a domain or a problem in the common layout, or raise as the parser does where it is no HDDL text at all.

    Names need not be declared and sections may be unknown: it is enough that the parentheses match.

    >>> print(format_text("(define (domain tea) (:types cup   - object))"))
    (define (domain tea)
      (:types cup - object))
    <BLANKLINE>
    """
    page = _Page()
    _members(page, [[item] for item in tree_of(text, file=file)], 0)
    return page.text("\r\n" if "\r\n" in text else "\n")


class _Page:
    """Lines being written. After a comment the next thing is on a new line, whoever writes it."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._line: list[str] = []
        self.column = 0
        self._indent = 0
        self._ended = False

    def put(self, text: str, indent: int) -> None:
        """Write behind what stands there, or on a new line at an indent where a comment ended the last."""
        if self._ended:
            self.turn(indent)
        if not self._line:
            self._write(" " * self._indent)
        elif self._line[-1] != "(" and text != ")":
            self._write(" ")
        self._write(text)

    def comment(self, note: Note, indent: int) -> None:
        """Write a comment where its author had it: behind something, or alone."""
        if note.alone:
            self.turn(indent, gap=note.after_gap)
        self.put(note.text, indent)
        self._ended = True

    def turn(self, indent: int, *, gap: bool = False) -> None:
        """Begin a new line unless this one is new, after an empty one if so asked."""
        self.close()
        if gap and self._lines and self._lines[-1]:
            self._lines.append("")
        self._indent = indent

    def close(self) -> None:
        if self._line:
            self._lines.append("".join(self._line))
        self._line, self.column, self._ended = [], 0, False

    def text(self, newline: str) -> str:
        self.close()
        return "".join(line + newline for line in self._lines)

    def _write(self, text: str) -> None:
        self._line.append(text)
        self.column += len(text)


def _members(page: _Page, units: Iterable[Unit], indent: int) -> None:
    """Write each unit on a line of its own, a comment where its author had it."""
    for unit in units:
        first = unit[0]
        if not isinstance(first, Note):
            page.turn(indent, gap=first.after_gap)
        _unit(page, unit, indent)


def _unit(page: _Page, unit: Unit, indent: int) -> None:
    for place, item in enumerate(unit):
        within = indent + (_STEP if place else 0)
        if isinstance(item, Form) and not (place and isinstance(unit[place - 1], Note)):
            _form(page, item, indent)  # what is in it goes below the line, not below its parenthesis
        else:
            _in_line(page, item, within)


def _form(page: _Page, form: Form, indent: int) -> None:
    fits = form.width is not None and (page.column or indent) + form.width < WIDTH
    if (fits and not _always_broken(form)) or not form.items:
        page.put(_flat(form), indent)
        return
    page.put("(", indent)
    beside = _beside_head(form)
    for item in form.items[:beside]:
        _in_line(page, item, indent + _STEP)
    units = _units(form, beside)
    if form.head.startswith(":") or any(isinstance(item, Form) for item in form.items[beside:]):
        _members(page, units, indent + _STEP)
    else:
        _filled(page, units, indent + _STEP)
    page.put(")", indent)


def _always_broken(form: Form) -> bool:
    """Whether a form is written over several lines though it would fit on one."""
    if form.head == "define":
        return True
    return form.head in _LINE_BY_LINE and len(list(_units(form, _beside_head(form)))) > 1


def _beside_head(form: Form) -> int:
    """Return how many items stand on the first line of a broken form."""
    if form.head in ("define", "forall", "exists", *_NAMED):
        return 2 if len(form.items) > 1 and not isinstance(form.items[1], Note) else 1
    return 1 if form.items and form.head and (form.head[0] not in "?-") else 0


def _units(form: Form, start: int) -> Iterator[Unit]:
    """Split what follows a head into what belongs on a line: a part with its name, names with their type, one group."""
    paired = form.head in _PAIRED
    unit: Unit = []
    awaits_type = False
    for item in form.items[start:]:
        if unit and not awaits_type and _begins_another(item, unit, paired):
            yield unit
            unit = []
        if isinstance(item, Note) and not unit:
            yield [item]
            continue
        unit.append(item)
        if isinstance(item, Note):
            continue
        is_dash = isinstance(item, Word) and item.text == "-"
        is_type = awaits_type or (isinstance(item, Word) and item.text.startswith("-") and not is_dash)
        if (paired and len(unit) > 1) or (not paired and is_type):
            yield unit
            unit = []
        awaits_type = is_dash
    if unit:
        yield unit


def _begins_another(item: Item, unit: Unit, paired: bool) -> bool:
    if paired:
        return isinstance(item, Word) and item.text.startswith(":")
    return isinstance(item, Form) or (isinstance(item, Note) and item.alone and isinstance(unit[0], Form))


def _filled(page: _Page, units: Iterable[Unit], indent: int) -> None:
    """Write words one behind the other, with as many on a line as fit; a name and its type stay together."""
    for unit in units:
        width = sum(item.width or WIDTH for item in unit if not isinstance(item, Note)) + len(unit)
        if page.column + width >= WIDTH and page.column > indent:
            page.turn(indent)
        for item in unit:
            _in_line(page, item, indent)


def _in_line(page: _Page, item: Item, indent: int) -> None:
    if isinstance(item, Note):
        page.comment(item, indent)
    elif isinstance(item, Word):
        if page.column + item.width >= WIDTH and page.column > indent:
            page.turn(indent)
        page.put(item.text, indent)
    else:
        _form(page, item, indent)


def _flat(item: Item) -> str:
    if isinstance(item, Form):
        return f"({' '.join(map(_flat, item.items))})"
    return item.text
