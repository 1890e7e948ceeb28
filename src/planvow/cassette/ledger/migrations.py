"""Which migrations a ledger still needs, decided under a lock by whoever comes first.

History is forward-only. A recorded hash that differs from the shipped file, or a version this program does not know,
stops everything before the first write: guessing would damage records that are meant to last.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from planvow.cassette.errors import MigrationError
from planvow.cassette.ledger.statements import Migration


def outstanding(shipped: Sequence[Migration], recorded: Sequence[Mapping[str, Any]]) -> tuple[Migration, ...]:
    """Return the migrations to apply, in order; raise MigrationError when the ledger's history is not ours."""
    known = {migration.version: migration for migration in shipped}
    for row in recorded:
        migration = known.get(row["version"])
        if migration is None:
            raise MigrationError(
                f"the ledger has schema version {row['version']}, this planvow knows up to {max(known)}",
                hint="update planvow",
            )
        if migration.sha256 != row["sha256"]:
            raise MigrationError(
                f"migration {row['version']} ({row['name']}) was recorded with another hash than the one shipped",
                hint="restore the ledger or the installation from a known state",
            )
    done = {row["version"] for row in recorded}
    return tuple(migration for migration in shipped if migration.version not in done)
