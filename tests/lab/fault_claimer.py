"""One process of claimers for F5: eight threads, each with a connection of its own, claim until nothing is left.

`naive` claims in the way that breaks: read which row is free, then take it.
"""

from __future__ import annotations

import json
import sys
import threading

import psycopg

from planvow.cassette.databases.postgres import PostgresStore


def through_the_ledger(task: dict, name: str, claimed: list, line: threading.Barrier) -> None:
    with PostgresStore(task["conninfo"], driver=psycopg, schema=task["schema"]) as store:
        line.wait()
        line.wait()
        while (claim := store.claim(name, spread=True)) is not None:
            claimed.append([name, claim.job_id, claim.ordinal])


def naive(task: dict, name: str, claimed: list, line: threading.Barrier) -> None:
    with psycopg.connect(task["conninfo"], autocommit=True) as connection:
        line.wait()
        line.wait()
        while True:
            free = connection.execute(
                "SELECT n FROM public.toy_queue WHERE owner IS NULL ORDER BY n LIMIT 1"
            ).fetchone()
            if free is None:
                return
            connection.execute("UPDATE public.toy_queue SET owner = %s WHERE n = %s", (name, free[0]))
            claimed.append([name, "toy", free[0]])


def main() -> None:
    task = json.loads(sys.argv[1])
    work = naive if task["naive"] else through_the_ledger
    claimed: list = []
    line = threading.Barrier(task["threads"] + 1)
    threads = [
        threading.Thread(target=work, args=(task, f"c{task['number']}-{n}", claimed, line))
        for n in range(task["threads"])
    ]
    for thread in threads:
        thread.start()
    line.wait()  # all are connected
    print("ready", flush=True)
    sys.stdin.read()  # one pipe for all processes: they start together when it is closed
    line.wait()
    for thread in threads:
        thread.join()
    json.dump(claimed, sys.stdout)


main()
