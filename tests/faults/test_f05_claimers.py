"""F5: sixty-four claimers on PostgreSQL take each step exactly once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import psycopg

from ledgers import independent, post
from postgres_server import postgres_ledger, running_server

CLAIMER = Path(__file__).parents[1] / "lab/fault_claimer.py"
PROCESSES, THREADS = 8, 8


def claim_all(schema: str, *, naive: bool = False) -> list[tuple[str, str, int]]:
    task = {"conninfo": running_server().conninfo, "schema": schema, "threads": THREADS, "naive": naive}
    line, gate = os.pipe()
    pipes = {"stdin": line, "stdout": subprocess.PIPE}
    processes = [
        subprocess.Popen([sys.executable, str(CLAIMER), json.dumps({**task, "number": n})], **pipes)
        for n in range(PROCESSES)
    ]
    os.close(line)
    for process in processes:
        assert process.stdout.readline() == b"ready\n"
    os.close(gate)
    answers = [process.communicate()[0] for process in processes]
    assert [process.returncode for process in processes] == [0] * PROCESSES
    return [tuple(entry) for answer in answers for entry in json.loads(answer)]


def doubles(claims: list[tuple[str, str, int]]) -> int:
    return sum(count - 1 for count in Counter((job, n) for _, job, n in claims).values())


def test_f5_sixty_four_claimers_take_three_thousand_steps_once_each(fault_table):
    with postgres_ledger("claimers") as store:
        for number in range(30):
            post(store, independent(100, request_id=f"q{number}"))
        claims = claim_all("claimers")
        missed = 3000 - len({(job, n) for _, job, n in claims})
        leased = sum(job.leased for job in store.jobs())
    per_claimer = Counter(name for name, _, _ in claims)
    share = f"{min(per_claimer.values())} to {max(per_claimer.values())} each"
    done = f"{PROCESSES * THREADS} claimers, {len(claims)} claims, {share}"
    fault_table.add("F5 claimers on PostgreSQL", done, double_claims=doubles(claims), missed=missed)
    assert (doubles(claims), missed, leased) == (0, 0, 3000)


def test_control_a_queue_that_reads_before_it_takes_is_caught():
    with psycopg.connect(running_server().conninfo, autocommit=True) as connection:
        connection.execute("CREATE TABLE public.toy_queue (n int PRIMARY KEY, owner text)")
        connection.execute("INSERT INTO public.toy_queue SELECT generate_series(1, 500), NULL")
    assert doubles(claim_all("public", naive=True)) > 0
