"""`cassette workers` and `requeue`: who is at work, and what the dead left."""

from __future__ import annotations

from typing import Annotated

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.output import print_json, print_result
from planvow.adapters.cli.frame.paragraphs import counted
from planvow.adapters.cli.frame.table import Column, table, terminal_width
from planvow.adapters.cli.ledger.decide import By, this_person
from planvow.adapters.cli.ledger.moments import moment_text
from planvow.adapters.cli.options.ledger import AsJson, RepoRoot, StoreLocation, looked_at, opened
from planvow.adapters.cli.options.working_tree import HERE
from planvow.cassette.operate.requeue import requeue_dead
from planvow.cassette.work.attendance import Life, life_of

COLUMNS = (
    Column(name="worker"),
    Column(name="life"),
    Column(name="machine", weight=2),
    Column(name="seen", weight=1),
    Column(name="at work on"),
)


def workers(
    everybody: Annotated[bool, typer.Option("--all", help="Also those that have ended, of the last week.")] = False,
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
    as_json: AsJson = False,
) -> None:
    """List the workers: where they run, whether they live, when they were last heard of, and what they are at."""
    with looked_at(repo_root, store) as ledger:
        folder = ledger.meeting_folder()
        now_ms = ledger.now_ms()
        busy = {lease.worker_id: lease for lease in ledger.leases()}
        found = [(worker, life_of(worker, folder)) for worker in ledger.workers()]
    found = [pair for pair in found if everybody or pair[1] is not Life.ENDED]
    if as_json:
        steps = {worker_id: vars(lease) for worker_id, lease in busy.items()}
        listed = [{**vars(worker), "life": life, "step": steps.get(worker.worker_id)} for worker, life in found]
        print_json({"workers": listed})
        return
    rows = []
    for worker, life in found:
        lease = busy.get(worker.worker_id)
        at_work = "·" if lease is None else f"{lease.op} {lease.job_id[:12]}/{lease.ordinal}"
        ago = max(0, now_ms - worker.seen_at) // 1000
        rows.append((worker.worker_id, life.value, worker.machine, f"{ago} s ago", at_work))
    print_result(table(COLUMNS, rows, terminal_width()) if rows else "no workers")


def requeue(by: By = None, repo_root: RepoRoot = HERE, store: StoreLocation = None, as_json: AsJson = False) -> None:
    """Put back the steps of dead workers now, and say of every other leased step why it stays."""
    with opened(repo_root, store) as ledger:
        done = requeue_dead(ledger, by if by is not None else this_person())
    if as_json:
        left = [{**vars(one.lease), "why": one.why} for one in done.left]
        count = done.expired + len(done.put_back)
        document = {"expired": done.expired, "put_back": [vars(one) for one in done.put_back], "left": left}
        print_json({"requeued": count, **document})
        return
    print_result(f"put back or given up after the end of their lease: {counted(done.expired, 'step')}")
    for one in done.put_back:
        print_result(f"{one.job_id}/{one.ordinal} of {one.worker_id}, which is dead: {one.became}")
    for kept in done.left:
        lease = kept.lease
        until = moment_text(lease.lease_expires_at)
        print_result(f"{lease.job_id}/{lease.ordinal} stays leased to {lease.worker_id} until {until}: {kept.why}")
