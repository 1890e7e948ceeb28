"""SQL lives in files; this finds it by name.

`queries.sql` holds the reads and plain inserts that both databases understand, with `:name` parameters. Statements are
constants: values reach the database only as bound parameters.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_HEADING = re.compile(r"^-- name: (\w+)$", re.M)
_PARAMETER = re.compile(r"(?<!:):([a-z][a-z0-9_]*)")


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
    return {name: text.strip().rstrip(";") for name, text in zip(parts[::2], parts[1::2], strict=True)}


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
