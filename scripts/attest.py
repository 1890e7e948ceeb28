"""Write down what the migrations make of a real PostgreSQL: what `cassette verify` holds ledgers against.

    python scripts/attest.py

Run it after a change to a migration; a test compares the file with a fresh ledger.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests" / "lab")]

from planvow.cassette.databases import attested  # noqa: E402
from planvow.cassette.ledger.statements import migrations  # noqa: E402
from postgres_server import postgres_ledger  # noqa: E402


def attestation() -> dict[str, object]:
    with postgres_ledger() as store:
        return {
            "migrations": [migration.sha256 for migration in migrations("postgres")],
            "callable": sorted(row["routine"] for row in store.rows("callable")),
            "rules": attested.hashed_rules(store.rows("live_schema")),
        }


def main() -> None:
    target = ROOT / "src" / "planvow" / "cassette" / attested.FILE
    target.write_text(json.dumps(attestation(), indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
