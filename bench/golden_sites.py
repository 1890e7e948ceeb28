"""Where in `src` bytes are tagged, ordered, listed and rounded: the places that `golden_mutants.py` breaks.

Every Python file below `src/planvow` is read as a syntax tree. What counts, and nothing is taken out by hand:

**tag**: a text that is a versioned name or the end of one ("plan/1", "/1", "application/….v1+json"), and the prefix
that `derived_id` is given, which is a tag and the beginning of an id at once. Mutant: the next number, another prefix.

**order**: every call of `sorted` and `.sort`, and every `min` and `max` with a `key`. Mutant: the other way round.

**fields**: what says which fields a document or a hash has, that is
  - a constant of a module or class that is called `…FIELDS` or `…COLUMNS`, or that is a text of names in snake case;
  - a display of two or more constant keys that is part of what is hashed or serialised (an argument of one of
    `HASHING`), or of what a function returns that is annotated with a dictionary of texts, or that is given the
    annotation of one, or that has a name which the function then hashes, serialises or returns;
  - a list of two or more values that is hashed or serialised.
  Mutant: without its last entry.

**rounding**: `round`, a number of decimals in a format, a rounding mode of `decimal`, and a digest that is cut short
(a slice from the beginning of something whose name has hash, digest or sha256 in it). Mutant: one digit less, down
where it was up, cut one earlier.

Four kinds of places make no document and are passed over, by rule:
  - words for people: what stands inside a `raise`, a text that is put together (an f-string), a call of something
    that is named `…Error`, of `did_you_mean` or `get_close_matches`, or has a name that is only used in such places
    and in conditions; what a function named `__dir__`, `__repr__` or `__str__` says;
  - `planvow.adapters`, which carries documents and makes none, but for its tags;
  - `planvow.cassette.contained`, which starts processes and makes no document, but for its tags: what it lets
    through is held by `tests/integration/test_contained_requests.py`;
  - the ledger's store on PostgreSQL, but for its tags: it needs a server, and `tests/integration/cassette` holds every
    hash that PostgreSQL makes against SQLite's.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

TAG = re.compile(r"^(?:[a-z][a-z-]*)?/(\d+)$|\.v(\d+)\+json$")
HASHING = frozenset({
    "full_hash", "content_hash", "derived_id", "canonical_bytes", "canonical_json", "to_jsonable", "list_hash",
    "sha256_text", "dumps",
})  # fmt: skip
FIELD_NAMES = re.compile(r"(FIELDS|COLUMNS)$")
SNAKE_LIST = re.compile(r"\s*(?:[a-z][a-z0-9]*(?:_[a-z0-9]+)*\s+){3,}[a-z][a-z0-9_]*\s*")
DIGEST = re.compile(r"hash|digest|sha256", re.IGNORECASE)
DECIMALS = re.compile(r"\.(\d+)([f%])$")
SPOKEN = frozenset({"__dir__", "__repr__", "__str__"})
HINTS = frozenset({"did_you_mean", "get_close_matches"})
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Site:
    """One place, and the text that replaces it in the mutant."""

    kind: str
    path: str
    """The file, below `src`."""
    line: int
    start: int
    """Offsets into the file's bytes."""
    end: int
    replacement: str
    where: str
    """The innermost named function or class around it, and where that begins; "" for a module's own level."""
    first_line: int
    text: str

    @property
    def key(self) -> str:
        """A name that outlives a move of the file: what is broken, in which function."""
        return f"{self.kind} {self.where or Path(self.path).stem}: {self.text}"


def all_sites(source: Path) -> list[Site]:
    """Return every site below a folder, in the order of files and lines."""
    found = [site for path in sorted(source.rglob("*.py")) for site in _Finder(source, path).sites()]
    return sorted(found, key=lambda site: (site.path, site.start, site.kind))


_NO_DOCUMENTS = ("planvow/adapters/", "planvow/cassette/contained/")


class _Finder:
    def __init__(self, source: Path, path: Path) -> None:
        self._path = path.relative_to(source).as_posix()
        self._text = path.read_bytes()
        self._tree = ast.parse(self._text)
        self._lines = [0]
        for line in self._text.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))
        self._above: dict[ast.AST, ast.AST] = {}
        for node in ast.walk(self._tree):
            for child in ast.iter_child_nodes(node):
                self._above[child] = node

    def sites(self) -> Iterator[Site]:
        carries_only = self._path.startswith(_NO_DOCUMENTS) or self._needs_a_server()
        for node in ast.walk(self._tree):
            yield from self._tags(node)
            if not carries_only:
                yield from self._orders(node)
                yield from self._fields(node)
                yield from self._roundings(node)

    def _needs_a_server(self) -> bool:
        """Whether this is a part of the ledger's store on PostgreSQL: by its name."""
        return self._path.startswith("planvow/cassette/databases/postgres")

    # Tags

    def _tags(self, node: ast.AST) -> Iterator[Site]:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and not self._is_docstring(node):
            found = TAG.search(node.value)
            if found and not isinstance(self._above[node], ast.JoinedStr):
                group = 1 if found[1] else 2
                number = int(found[group])
                value = node.value[: found.start(group)] + str(number + 1) + node.value[found.end(group) :]
                yield self._site("tag", node, repr(value))
        if isinstance(node, ast.Call) and _name(node.func) == "derived_id" and isinstance(node.args[0], ast.Constant):
            yield self._site("tag", node.args[0], repr(f"{node.args[0].value}x"))

    # Orders

    def _orders(self, node: ast.AST) -> Iterator[Site]:
        if not isinstance(node, ast.Call):
            return
        name = _name(node.func)
        keywords = {keyword.arg: keyword.value for keyword in node.keywords}
        if isinstance(node.func, ast.Name) and name in ("min", "max") and "key" in keywords:
            if not self._is_spoken(node):
                yield self._site("order", node.func, "max" if name == "min" else "min", shown=node)
        elif (isinstance(node.func, ast.Name) and name == "sorted") or (
            isinstance(node.func, ast.Attribute) and name == "sort" and not _is_super(node.func)
        ):
            if self._is_spoken(node):
                return
            if "reverse" in keywords:
                value = keywords["reverse"]
                yield self._site("order", value, f"(not ({self._source(value)}))", shown=node)
                return
            yield self._reversed(node)

    def _reversed(self, call: ast.Call) -> Site:
        """Add `reverse=True` behind the last argument; a generator that stands alone becomes a list first."""
        if len(call.args) == 1 and isinstance(call.args[0], ast.GeneratorExp) and not call.keywords:
            return self._site("order", call, f"sorted([{self._inside(call)}], reverse=True)")
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        if not given:
            return self._insertion(
                "order", call, self._offset(call.end_lineno, call.end_col_offset) - 1, "reverse=True"
            )
        last = max(self._offset(part.end_lineno, part.end_col_offset) for part in given)
        return self._insertion("order", call, last, ", reverse=True")

    # Fields

    def _fields(self, node: ast.AST) -> Iterator[Site]:
        if isinstance(node, ast.Assign | ast.AnnAssign) and self._function(node) is None:
            yield from self._constant_fields(node)
        if isinstance(node, ast.Dict) and self._keys(node) >= 2 and self._is_document(node):
            yield from self._without_last(node, node.keys, node.values)
        if isinstance(node, ast.List | ast.Tuple) and len(node.elts) >= 2 and self._is_hashed_list(node):
            yield from self._without_last(node, node.elts, node.elts)

    def _constant_fields(self, node: ast.Assign | ast.AnnAssign) -> Iterator[Site]:
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        name = target.id if isinstance(target, ast.Name) else ""
        for part in ast.walk(node.value) if node.value is not None else ():
            if isinstance(part, ast.Tuple | ast.List | ast.Set | ast.Dict) and FIELD_NAMES.search(name):
                entries = part.values if isinstance(part, ast.Dict) else part.elts
                firsts = part.keys if isinstance(part, ast.Dict) else part.elts
                if len(entries) >= 2 and part is _outermost(node.value):
                    yield from self._without_last(part, firsts, entries)
            text = part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else ""
            if "_" in text and SNAKE_LIST.fullmatch(text):
                yield self._site("fields", part, repr(" ".join(text.split()[:-1])))

    def _without_last(self, node: ast.expr, firsts: list, lasts: list) -> Iterator[Site]:
        """Drop the last entry, from the end of the one before it; an entry `**other` is no field of its own."""
        at = len(lasts) - 1
        if isinstance(node, ast.Dict):
            named = [i for i, key in enumerate(node.keys) if isinstance(key, ast.Constant)]
            at = named[-1]
        first = firsts[at] if firsts[at] is not None else lasts[at]
        start = self._offset(first.lineno, first.col_offset)
        end = self._offset(lasts[at].end_lineno, lasts[at].end_col_offset)
        rest = self._text[end:].lstrip()
        if rest.startswith(b","):
            end = self._text.index(b",", end) + 1
        yield Site("fields", self._path, first.lineno, start, end, "", *self._place(node), self._shown(node))

    def _keys(self, node: ast.Dict) -> int:
        return sum(isinstance(key, ast.Constant) and isinstance(key.value, str) for key in node.keys)

    def _is_document(self, node: ast.Dict) -> bool:
        if self._is_spoken(node):
            return False
        child: ast.AST = node
        for above in self._ancestors(node):
            if isinstance(above, ast.Call) and _name(above.func) in HASHING and child is not above.func:
                return True
            if isinstance(above, ast.Return | ast.Yield) and self._is_data_function(node):
                return True
            if isinstance(above, ast.AnnAssign) and "dict[str" in self._source(above.annotation):
                return self._function(node) is not None
            if isinstance(above, ast.Assign) and self._function(node) is not None:
                return self._is_passed_on(above)
            if isinstance(above, ast.stmt):
                return False
            child = above
        return False

    def _is_hashed_list(self, node: ast.expr) -> bool:
        if isinstance(getattr(node, "ctx", None), ast.Store) or self._is_spoken(node):
            return False
        above = self._above[node]
        if isinstance(above, ast.List) and self._is_hashed_list(above):
            return False
        return isinstance(above, ast.Call) and _name(above.func) in HASHING and node in above.args

    def _is_data_function(self, node: ast.AST) -> bool:
        function = self._function(node)
        return function is not None and function.returns is not None and "dict[str" in self._source(function.returns)

    def _is_passed_on(self, assigned: ast.Assign) -> bool:
        target = assigned.targets[0]
        function = self._function(assigned)
        if not isinstance(target, ast.Name) or function is None:
            return False
        for node in ast.walk(function):
            if isinstance(node, ast.Name) and node.id == target.id and isinstance(node.ctx, ast.Load):
                for above in self._ancestors(node):
                    if isinstance(above, ast.Call) and _name(above.func) in HASHING:
                        return True
                    if isinstance(above, ast.Return):
                        return "dict[str" in self._source(function.returns) if function.returns else False
                    if isinstance(above, ast.stmt):
                        break
        return False

    # Roundings

    def _roundings(self, node: ast.AST) -> Iterator[Site]:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "round":
            if len(node.args) == 2:
                yield self._site("rounding", node.args[1], f"({self._source(node.args[1])}) - 1", shown=node)
            else:
                yield self._site("rounding", node.func, "int", shown=node)
        if isinstance(node, ast.FormattedValue) and isinstance(node.format_spec, ast.JoinedStr):
            yield from self._decimals(node)
        if isinstance(node, ast.keyword) and node.arg == "rounding":
            yield self._site("rounding", node.value, '"ROUND_FLOOR"', shown=self._above[node])
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice) and not self._is_spoken(node):
            cut = node.slice
            if cut.lower is None and cut.upper is not None and DIGEST.search(self._source(node.value)):
                yield self._site("rounding", cut.upper, f"({self._source(cut.upper)}) - 1", shown=node)

    def _decimals(self, node: ast.FormattedValue) -> Iterator[Site]:
        """The decimals of an f-string; the tree does not say where they stand, so they are looked for in the text."""
        if self._is_spoken(self._above[node]):
            return
        spec = "".join(part.value for part in node.format_spec.values if isinstance(part, ast.Constant))
        found = DECIMALS.search(spec)
        whole = self._above[node]
        text = self._source(whole)
        if found and text.count(f":{spec}}}") == 1:
            changed = spec.replace(f".{found[1]}", f".{max(0, int(found[1]) - 1) if found[1] != '0' else 1}")
            yield self._site("rounding", whole, text.replace(f":{spec}}}", f":{changed}}}"))

    # The tree

    def _ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        while node in self._above:
            node = self._above[node]
            yield node

    def _function(self, node: ast.AST) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
        return next((above for above in self._ancestors(node) if isinstance(above, FUNCTIONS)), None)

    def _is_spoken(self, node: ast.AST) -> bool:
        """Whether what stands here is for people to read and goes into no document."""
        function = self._function(node)
        if function is not None and function.name in SPOKEN:
            return True
        for above in self._ancestors(node):
            if isinstance(above, ast.Raise | ast.JoinedStr) or (isinstance(above, ast.Call) and _speaks(above)):
                return True
            if isinstance(above, ast.Assign | ast.AnnAssign) and function is not None:
                target = above.targets[0] if isinstance(above, ast.Assign) else above.target
                return isinstance(target, ast.Name) and self._is_only_said(target.id, function)
            if isinstance(above, ast.For):
                return node in ast.walk(above.iter) and isinstance(above.body[0], ast.Raise)
            if isinstance(above, ast.stmt):
                return False
        return False

    def _is_only_said(self, name: str, function: ast.AST) -> bool:
        uses = [
            n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load)
        ]
        return bool(uses) and all(self._is_said_or_asked(use) for use in uses)

    def _is_said_or_asked(self, node: ast.AST) -> bool:
        child = node
        for above in self._ancestors(node):
            if isinstance(above, ast.Raise | ast.JoinedStr) or (isinstance(above, ast.Call) and _speaks(above)):
                return True
            if isinstance(above, ast.If | ast.IfExp) and child is above.test:
                return True
            if isinstance(above, ast.stmt):
                return False
            child = above
        return False

    def _is_docstring(self, node: ast.Constant) -> bool:
        return isinstance(self._above[node], ast.Expr)

    # Texts and places

    def _offset(self, line: int | None, column: int | None) -> int:
        assert line is not None
        assert column is not None
        return self._lines[line - 1] + column

    def _source(self, node: ast.AST) -> str:
        start = self._offset(node.lineno, node.col_offset)
        return self._text[start : self._offset(node.end_lineno, node.end_col_offset)].decode("utf-8")

    def _inside(self, call: ast.Call) -> str:
        text = self._source(call)
        return text[text.index("(") + 1 : -1]

    def _shown(self, node: ast.AST) -> str:
        return " ".join(self._source(node).split())[:110]

    def _place(self, node: ast.AST) -> tuple[str, int]:
        function = self._function(node)
        if function is None:
            return "", 0
        first = min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])
        return function.name, first

    def _site(self, kind: str, node: ast.AST, replacement: str, shown: ast.AST | None = None) -> Site:
        start, end = self._offset(node.lineno, node.col_offset), self._offset(node.end_lineno, node.end_col_offset)
        return Site(
            kind, self._path, node.lineno, start, end, replacement, *self._place(node), self._shown(shown or node)
        )

    def _insertion(self, kind: str, node: ast.AST, at: int, inserted: str) -> Site:
        return Site(kind, self._path, node.lineno, at, at, inserted, *self._place(node), self._shown(node))


def _name(function: ast.expr) -> str:
    return (
        function.id if isinstance(function, ast.Name) else function.attr if isinstance(function, ast.Attribute) else ""
    )


def _speaks(call: ast.Call) -> bool:
    name = _name(call.func)
    return name.endswith("Error") or name in HINTS


def _is_super(attribute: ast.Attribute) -> bool:
    return isinstance(attribute.value, ast.Call) and _name(attribute.value.func) == "super"


def _outermost(value: ast.expr | None) -> ast.expr | None:
    """The display itself, or that inside `frozenset({...})`."""
    if isinstance(value, ast.Call) and len(value.args) == 1:
        return value.args[0]
    return value
