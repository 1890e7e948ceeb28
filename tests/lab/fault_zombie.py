"""A worker for F7 and F8 that does what each line tells it: post, claim, or complete, and says what came of it."""

from __future__ import annotations

import json
import sys
from dataclasses import replace

from ledgers import independent, post
from planvow.adapters.databases.opening import open_ledger
from planvow.cassette.errors import LeaseError


def open_store(location: dict):
    if location["kind"] == "sqlite":
        return open_ledger(location["path"])  # with the SQLite that the command takes
    import psycopg

    from planvow.cassette.databases.postgres import PostgresStore

    return PostgresStore(location["conninfo"], driver=psycopg, schema=location["schema"])


def main() -> None:
    claim = None
    with open_store(json.loads(sys.argv[1])) as store:
        for line in sys.stdin:
            order = json.loads(line)
            if order["do"] == "post":
                answer = post(store, independent(1))
            elif order["do"] == "claim":
                claim = store.claim(order.get("as", "zombie"), lease_ms=order["lease_ms"])
                answer = claim.ordinal if claim is not None else None
            else:
                token = replace(claim, **order.get("forged", {}))
                try:
                    how = order.get("how", {"outcome": "SUCCESS"})
                    store.complete(token, body={"output": "zombie"}, **how)
                    answer = "accepted"
                except LeaseError as error:
                    answer = error.code
            print(json.dumps(answer), flush=True)


main()
