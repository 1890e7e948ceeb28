"""A migration that replaces a function repeats it whole: what a later copy leaves out was left out on purpose."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

from planvow.cassette.ledger.statements import Migration, migrations

LEFT_OUT = Path(__file__).parent / "left_out_of_copies.txt"
_FUNCTION = re.compile(r"^CREATE (?:OR REPLACE )?FUNCTION (\w+)\(.*?(?:\$\$;|\$\$ LANGUAGE [^;]*;)$", re.M | re.S)


def copies() -> dict[str, list[tuple[int, str]]]:
    """Return the functions of the PostgreSQL migrations by name, each copy with its migration."""
    found: dict[str, list[tuple[int, str]]] = {}
    for migration in _postgres():
        for function in _FUNCTION.finditer(migration.sql):
            found.setdefault(function[1], []).append((migration.version, function[0]))
    return found


def left_out() -> str:
    """Return, for each copy, the lines of the one before that it does not have."""
    told = []
    for name, made in sorted(copies().items()):
        for (_, before), (version, after) in pairwise(made):
            kept = {" ".join(line.split()) for line in after.splitlines()}
            gone = [line for line in (" ".join(line.split()) for line in before.splitlines()) if line not in kept]
            told += [f"{version:04} {name}", *(f"  {line}" for line in gone)]
    return "\n".join(told) + "\n"


def test_a_later_copy_of_a_function_has_every_line_of_the_one_before_but_those_that_are_listed():
    """Whoever copies an older text by mistake loses what came between; the list shows it. It may be written anew:

    python -c "import test_migration_copies as t; t.LEFT_OUT.write_text(t.left_out())"
    """
    assert left_out() == LEFT_OUT.read_text("utf-8")


def test_every_function_is_made_once_and_replaced_afterwards():
    for name, made in copies().items():
        firsts = [version for version, text in made if not text.startswith("CREATE OR REPLACE")]
        remade = [version for version in firsts if f"DROP FUNCTION {name}(" in _sql(version)]
        assert made[0][0] in firsts, name
        assert len(firsts) - len(remade) <= 1, f"{name} is made in {firsts}"


def _sql(version: int) -> str:
    return next(migration.sql for migration in _postgres() if migration.version == version)


def test_no_function_of_the_migrations_is_overlooked():
    heads = [re.findall(r"^CREATE (?:OR REPLACE )?FUNCTION cassette_", each.sql, re.M) for each in _postgres()]
    assert sum(len(texts) for texts in copies().values()) == sum(map(len, heads))


def _postgres() -> tuple[Migration, ...]:
    return migrations("postgres")
