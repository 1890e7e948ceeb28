"""`planvow cassette work` as people run it, while it is disturbed, and the judgement of what is left.

What the command says is recorded (one line on stderr for each completion) is held against the ledger afterwards, never
a worker's own belief. The command is started again, as an operator would do, when it ends before the work does.
"""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from psycopg.conninfo import conninfo_to_dict

from ledgers import independent, post
from planvow.adapters.databases.opening import open_ledger
from planvow.cassette import SqliteStore, Store
from planvow.cassette.proof.verify import verify_ledger

LAB = Path(__file__).parent
ACKNOWLEDGED = re.compile(r"^(job_\w+) step (\d+) \S+ ([A-Z]+) (\w+)")
KILLED = "was killed by signal 9"
LOOK_SECONDS = 0.02


@dataclass(frozen=True)
class Ack:
    """One completion of which the command has said that it is recorded."""

    job_id: str
    ordinal: int
    outcome: str
    receipt_id: str

    @property
    def receipt(self) -> str | tuple[str, int, int]:
        """The receipt's id; of a mere promise the lease whose receipt there should be."""
        _, promised, fence = self.receipt_id.partition("promised_")
        return (self.job_id, self.ordinal, int(fence)) if promised else self.receipt_id


@dataclass(frozen=True)
class Verdict:
    """How much was disturbed, and what was wrong in the end."""

    kills: int
    acks: int
    refused: int
    lost: int
    doubled: int
    unfinished: int
    findings: int
    shared_tokens: int

    @property
    def wrong(self) -> dict[str, int]:
        return {
            "lost_acks": self.lost,
            "double_completions": self.doubled,
            "unfinished": self.unfinished,
            "verify_findings": self.findings,
            "shared_tokens": self.shared_tokens,
        }


@dataclass
class Command:
    """Where the command works, how it is set up, and what it has said so far."""

    store: str
    opened: Callable[[], Store]
    folder: Path
    workers: int = 4
    lease_seconds: float = 1.0
    environment: dict[str, str] | None = None
    task: dict[str, Any] = field(default_factory=dict)
    inside: list[str] = field(default_factory=list)
    """What stands before the command's own words, for one that runs elsewhere."""

    @classmethod
    def on_sqlite(cls, folder: Path, **more: Any) -> Command:
        """The command for a ledger in a file, opened with the SQLite that the command itself takes."""
        path = str(folder / "cassette.db")
        return cls(path, lambda: open_ledger(path), folder, **more)

    @classmethod
    def on_postgres(cls, conninfo: str, folder: Path, **more: Any) -> Command:
        """The command for the ledger of a database."""
        words = conninfo_to_dict(conninfo)
        where = f"postgresql:///{words.pop('dbname')}?{urlencode(words)}"
        return cls(where, lambda: open_ledger(where), folder, **more)

    def post(self, *, jobs: int, steps: int) -> None:
        with self.opened() as store:
            for number in range(jobs):
                post(store, independent(steps, request_id=f"q{number}"))

    def __post_init__(self) -> None:
        self.said = self.folder / "said"
        self.said.touch()
        self._heard = 0
        self._rest = ""
        self.acks: list[Ack] = []
        self.kills = self.refused = 0
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def words(self) -> list[str]:
        return [*self.inside, sys.executable, "-m", "planvow", "cassette", "work", "--store", self.store,
                "--repo-root", str(self.folder), "--operations", str(self._operations()), "--workers",
                str(self.workers), "--lease-seconds", str(self.lease_seconds), "--spread", "--json"]  # fmt: skip

    def _operations(self) -> Path:
        task = {"folder": str(self.folder), **self.task}
        path = self.folder / "operations.py"
        path.write_text(
            f"import json, sys\nsys.path.insert(0, {str(LAB)!r})\nfrom fault_operations import operations\n"
            f"HANDLERS = operations(json.loads({json.dumps(task)!r}))\n"
        )
        return path

    @contextmanager
    def started(self) -> Iterator[subprocess.Popen[bytes]]:
        """Start the command; at the end of the block wait for it."""
        process = self.process = self.start()
        try:
            yield process
        except BaseException:
            process.terminate()
            raise
        finally:
            self.end(process)

    def start(self) -> subprocess.Popen[bytes]:
        with self.said.open("ab") as said, (self.folder / "answer").open("wb") as answer:
            return subprocess.Popen(self.words, stdout=answer, stderr=said, env=self._surroundings())

    def end(self, process: subprocess.Popen[bytes]) -> None:
        """Wait for the command's end and hear what it had still to say."""
        process.wait()
        self.listen()
        with suppress(json.JSONDecodeError):
            self.refused += json.loads((self.folder / "answer").read_text()).get("lost", 0)

    def _surroundings(self) -> dict[str, str]:
        """Let processes share their compiled modules: hundreds are started, and starting is most of what they do."""
        kept = {"PYTHONPYCACHEPREFIX": str(self.folder / "compiled"), "PYTHONDONTWRITEBYTECODE": ""}
        return {**(os.environ if self.environment is None else self.environment), **kept}

    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def listen(self) -> None:
        """Read what was said since the last time; what has no end of line yet was not said."""
        with self.said.open("rb") as said:
            said.seek(self._heard)
            new = said.read()
        whole = new[: new.rfind(b"\n") + 1]
        self._heard += len(whole)
        for line in whole.decode("utf-8", "replace").splitlines():
            if found := ACKNOWLEDGED.match(line):
                self.acks.append(Ack(found[1], int(found[2]), found[3], found[4]))
            self.kills += KILLED in line

    def at_work(self) -> list[int]:
        """Return the processes that have begun a step: those still loading hold nothing and are not worth a kill."""
        pids = [int(path.stem.partition("-")[2]) for path in self.folder.glob("attempts-*.log") if path.stat().st_size]
        return [pid for pid in pids if _is_alive(pid) and self._is_ours(pid)]

    def _is_ours(self, pid: int) -> bool:
        """Say whether a process works for this command: the id of a dead worker may belong to anybody by now."""
        with suppress(OSError):
            return str(self.folder).encode() in Path(f"/proc/{pid}/cmdline").read_bytes()
        return False

    def calm_down(self) -> None:
        (self.folder / "calm").touch()

    def open_steps(self) -> bool:
        with self.opened() as store:
            return store.has_open_steps()

    def begun(self) -> int:
        """Return how many attempts were begun."""
        return len(self._attempts())

    def verdict(self) -> Verdict:
        """Hold what was said, and the names of all attempts, against the ledger."""
        self.listen()
        with self.opened() as store:
            receipts = {r.receipt_id: r for job in store.jobs() for r in store.receipts(job.job_id)}
            unfinished = sum(job.steps - job.committed for job in store.jobs())
            damage = isinstance(store, SqliteStore) and store.integrity_check() != "ok"
            faults = [fault.message for fault in verify_ledger(store).faults]
            own = [message for message in faults if message.startswith("trigger commits_")]  # see fault_commit
            findings = len(faults) - len(own) + int(damage)
        known = {*receipts, *((r.job_id, r.ordinal, r.fence) for r in receipts.values())}
        successes = Counter((r.job_id, r.ordinal) for r in receipts.values() if r.outcome == "SUCCESS")
        told = Counter((ack.job_id, ack.ordinal) for ack in self.acks if ack.outcome == "SUCCESS")
        return Verdict(
            kills=self.kills,
            acks=len(self.acks),
            refused=self.refused,
            lost=sum(ack.receipt not in known for ack in self.acks),
            doubled=sum(count > 1 for count in (*successes.values(), *told.values())),
            unfinished=unfinished,
            findings=findings,
            shared_tokens=self._wrong_names(),
        )

    def _wrong_names(self) -> int:
        """Count attempts that share a name, and steps that have none of their own."""
        attempts = self._attempts()
        tokens = Counter(token for *_, token, _key in attempts)
        keys = {(job, ordinal): key for job, ordinal, _fence, _token, key in attempts}
        again = sum(keys[job, ordinal] != key for job, ordinal, _fence, _token, key in attempts)
        return sum(count > 1 for count in tokens.values()) + again + len(keys) - len(set(keys.values()))

    def _attempts(self) -> list[Any]:
        return [json.loads(line) for log in self.folder.rglob("attempts-*.log") for line in _whole_lines(log)]


def combined(commands: list[Command], folder: Path) -> Verdict:
    """Judge commands that worked on one ledger, in folders below this one, as if they were one."""
    for command in commands:
        command.listen()
    whole = replace(commands[0], folder=folder)
    whole.acks = [ack for command in commands for ack in command.acks]
    whole.kills, whole.refused = (sum(getattr(c, what) for c in commands) for what in ("kills", "refused"))
    return whole.verdict()


def work_off(
    command: Command,
    *,
    min_kills: int = 0,
    seed: int = 1,
    disturb: Callable[[Command], bool] = lambda _command: False,
) -> Verdict:
    """Run the command until no step is open, killing workers at work from outside as well until `min_kills` are dead.

    `disturb` is called now and then and says whether it wants to be called still; when it does not and enough are dead,
    the rest is done in peace.
    """
    chance = random.Random(seed)
    busy = True
    while command.open_steps():
        with command.started() as process:
            while process.poll() is None:
                time.sleep(LOOK_SECONDS)
                command.listen()
                busy = busy and disturb(command)
                if command.kills >= min_kills:
                    if not busy:
                        command.calm_down()
                elif chance.random() < 0.1 and (victims := command.at_work()):
                    with suppress(ProcessLookupError):
                        os.kill(chance.choice(victims), signal.SIGKILL)
    return command.verdict()


def _is_alive(pid: int) -> bool:
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    return False


def _whole_lines(log: Path) -> list[str]:
    return [line for line in log.read_text().split("\n")[:-1] if line]
