"""SQL lives in files; this finds it by name.

`queries.sql` holds the reads and plain inserts that both databases understand, with `:name` parameters. Statements are
constants: values reach the database only as bound parameters. A line that ends in `-- if given` is a filter that may be
left out; each choice of filters is a statement of its own, so that the database sees at once which index serves it
(`:x IS NULL OR x = :x` would make it read the whole table).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import combinations

_HEADING = re.compile(r"^-- name: (\w+)$", re.M)
_PARAMETER = re.compile(r"(?<!:):([a-z][a-z0-9_]*)")
_FILTER = re.compile(r"^.*-- if given\n?", re.M)


@dataclass(frozen=True, kw_only=True)
class Migration:
    """One numbered step of the schema's history, with the hash that is recorded when it is applied."""

    version: int
    name: str
    sql: str

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.sql.encode("utf-8")).hexdigest()


@dataclass(frozen=True, kw_only=True)
class Statement:
    """A statement as PostgreSQL wants it: with numbers for libpq, with names for psycopg's cursors."""

    parameters: tuple[str, ...]
    numbered: str
    named: str


@cache
def named_statements(file: str) -> Mapping[str, str]:
    """Return the statements of one SQL file by name, with `:name` parameters."""
    parts = _HEADING.split(_read(file))[1:]
    found: dict[str, str] = {}
    for name, text in zip(parts[::2], parts[1::2], strict=True):
        filters = dict.fromkeys(_PARAMETER.findall("".join(_FILTER.findall(text))))
        for count in range(len(filters) + 1):
            for given in combinations(filters, count):
                found[filtered_name(name, given)] = _with_filters(text, given).strip().rstrip(";")
    return found


def filtered_name(name: str, given: Iterable[str]) -> str:
    """Return the name of a statement with these of its filters."""
    return "+".join((name, *sorted(given)))


def _with_filters(text: str, given: tuple[str, ...]) -> str:
    def kept(line: re.Match[str]) -> str:
        return line[0].replace("-- if given", "") if set(_PARAMETER.findall(line[0])) <= set(given) else ""

    return _FILTER.sub(kept, text)


@cache
def postgres_statements(file: str) -> Mapping[str, Statement]:
    """Return the statements of one SQL file by name, with parameters as PostgreSQL and its driver want them."""
    return {name: _for_postgres(text) for name, text in named_statements(file).items()}


def _for_postgres(text: str) -> Statement:
    parameters = tuple(dict.fromkeys(_PARAMETER.findall(text)))
    return Statement(
        parameters=parameters,
        numbered=_PARAMETER.sub(lambda found: f"${parameters.index(found[1]) + 1}", text),
        named=_PARAMETER.sub(r"%(\1)s", text),
    )


@cache
def migrations(dialect: str) -> tuple[Migration, ...]:
    """Return the migrations of a dialect in order."""
    folder = files("planvow.cassette") / "sql" / dialect
    names = sorted(item.name for item in folder.iterdir() if item.name.endswith(".sql"))
    found = [Migration(version=int(name[:4]), name=name[5:-4], sql=_read(f"{dialect}/{name}")) for name in names]
    return tuple(found)


def _read(file: str) -> str:
    return (files("planvow.cassette") / "sql" / file).read_text("utf-8")
