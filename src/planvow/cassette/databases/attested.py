"""What the migrations make of an empty database, as hashes by name: what `verify` holds a ledger's rules against.

SQLite makes it anew in memory. PostgreSQL cannot do that for a reader, so `scripts/attest.py` applies the migrations to
a real server and keeps the answer beside them, with the hashes of the migrations it belongs to.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from planvow.cassette.errors import MigrationError
from planvow.cassette.ledger.chain import sha256_text
from planvow.cassette.ledger.statements import migrations

FILE = "sql/postgres/attested.json"


@dataclass(frozen=True, kw_only=True)
class AttestedSchema:
    """The rules after all migrations, and which functions may be called by others than the owner."""

    rules: Mapping[str, str]
    callable: frozenset[str]


def hashed_rules(rows: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return rules by name, each as the hash of its definition."""
    return {row["name"]: sha256_text(row["definition"]) for row in rows}


@cache
def attested_postgres() -> AttestedSchema:
    """Return what was found on a real server; refuse it when it belongs to other migrations."""
    found = json.loads((files("planvow.cassette") / FILE).read_text("utf-8"))
    if found["migrations"] != [migration.sha256 for migration in migrations("postgres")]:
        raise MigrationError("the list of rules belongs to other migrations", hint="run scripts/attest.py")
    return AttestedSchema(rules=found["rules"], callable=frozenset(found["callable"]))


def excess(right: Mapping[str, str], callable_functions: frozenset[str]) -> bool:
    """Say whether a right of somebody other than the owner goes further than any part in the ledger needs."""
    held = (right["kind"], right["privilege"])
    if held == ("function", "EXECUTE"):
        return right["role"] == "everybody" or right["object"] not in callable_functions
    return held not in (("table", "SELECT"), ("schema", "USAGE"))
