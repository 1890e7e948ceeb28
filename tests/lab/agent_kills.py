"""Kills an agent with -9 at random moments, starts it again until its run ends, and looks at what it left."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from planvow.adapters.databases.opening import is_postgres, open_ledger
from planvow.agent.record.jobs import read_run
from planvow.agent.record.view import numbered
from planvow.agent.record.why import why_run, why_step
from planvow.agent.run.settle import open_doubts, settle
from planvow.cassette.proof.verify import verify_ledger
from planvow.cassette.work.values import new_worker_id

VICTIM = Path(__file__).with_name("agent_victim.py")
ONCE = ("send", "carry")
"""Tools whose declaration does not allow a second call for one step."""
LONGEST_LIFE = 0.5


@dataclass
class Account:
    """What happened to one run."""

    kills: int = 0
    lives: int = 0
    answers: int = 0
    ending: str = ""
    faults: list[str] = field(default_factory=list)


def hunt(ledger: str, folder: Path, run_id: str, *, mode: str, kills: int, seed: int, parcels: int = 9) -> Account:
    """Kill a run so many times unless it ends before, let it come to its end, and check everything about it."""
    chance = random.Random(seed)
    account = Account()
    effects = folder / f"{run_id}.effects"
    concurrency = chance.choice([1, 3])
    command = [sys.executable, str(VICTIM), ledger, run_id, str(effects), mode, str(parcels), str(concurrency)]
    while account.lives < kills + 60:
        account.lives += 1
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        with process:
            assert process.stdout is not None
            assert process.stderr is not None
            if process.stdout.readline().strip() != "ready":
                account.faults.append(f"it did not start: {process.stderr.read()[-2000:]}")
                return account
            if account.kills < kills and _killed(process, chance.uniform(0, LONGEST_LIFE)):
                account.kills += 1
                _answer(ledger, run_id, effects, account)
                continue
            ending = process.stdout.read().strip()
            if process.wait() != 0 or not ending:
                account.faults.append(f"it broke: {process.stderr.read()[-2000:]}")
                return account
        account.ending = ending
        if not ending.startswith("blocked"):
            break
        _answer(ledger, run_id, effects, account)
    _judge(ledger, folder, run_id, effects, account)
    return account


def _killed(process: subprocess.Popen[str], life: float) -> bool:
    """Kill a process after some time, unless it ends by itself before."""
    try:
        process.wait(life)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return True
    return False


def _answer(ledger: str, run_id: str, effects: Path, account: Account) -> None:
    """Be the person who looks whether a call happened, and says so."""
    with open_ledger(ledger) as store:
        if not store.rows("message_by_key", run_id=run_id, idempotency_key="agent"):
            return
        for doubt in open_doubts(store, run_id):
            step = doubt.step
            if step.command[0] != "carry":
                continue
            line = f"{step.command[0]} {step.command[1]} {step.job_id}.{step.ordinal}"
            happened = effects.exists() and line in effects.read_text().splitlines()
            said = {"happened": happened, "by": "ann", "note": "looked", "output": None}
            settle(store, run_id, step.number, worker_id=new_worker_id(), **said)
            account.answers += 1


def _judge(ledger: str, folder: Path, run_id: str, effects: Path, account: Account) -> None:
    status = account.ending.split(" ", 1)[0]
    if status not in ("solved", "no_plan", "budget_exceeded", "rejected", "no_capability"):
        account.faults.append(f"it did not end: {account.ending!r}")
    written = [line.split() for line in effects.read_text().splitlines()] if effects.exists() else []
    for (name, _, key), times in Counter(map(tuple, written)).items():
        if name in ONCE and times > 1:
            account.faults.append(f"{name} ran {times} times for step {key}")
    place = ledger
    if not is_postgres(ledger):  # a copy, as somebody would have it who never saw the run
        place = str(folder / f"{run_id}.copy.db")
        shutil.copy(ledger, place)
    with open_ledger(place) as store:
        for entry in numbered(store, read_run(store, run_id)):
            text = why_step(store, run_id, entry.step.number)
            placed = "It is there for" in text or "It stands in the agenda itself" in text
            if not placed or not text.startswith(f"Step {entry.step.number} is"):
                account.faults.append(f"why says nothing about step {entry.step.number}: {text}")
        if "The run is" not in why_run(store, run_id):
            account.faults.append("why says nothing about the run")
        verdict = verify_ledger(store)
        account.faults += [str(fault) for fault in verdict.faults]
    if status == "solved":
        delivered = {parcel for name, parcel, _ in written if name in ONCE}
        with open_ledger(place) as store:
            wanted = {data[1] for data in read_run(store, run_id)[0].dossier.asked["agenda"]}
        if delivered != wanted:
            account.faults.append(f"solved, but {sorted(wanted - delivered)} was never delivered")


def report(accounts: list[Account]) -> str:
    """Return one line about many runs."""
    kills = sum(account.kills for account in accounts)
    endings = Counter(account.ending.split(" ", 1)[0] for account in accounts)
    answers = sum(account.answers for account in accounts)
    words = ", ".join(f"{count} {word}" for word, count in sorted(endings.items()))
    return f"{kills} kills in {len(accounts)} runs: {words}; {answers} questions answered"
