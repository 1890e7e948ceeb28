"""F3: what a power failure can leave of an SQLite ledger, and whether the ledger still holds what it acknowledged.

A real worker runs under `strace`, which writes down every change of the ledger's files with its bytes, every
synchronisation and every acknowledgement, in order. From that record the states are built that a disk may show after
the power went: what was synchronised is there; of the rest anything between all and nothing, torn at sectors of 512
bytes, with garbage where a file had grown. Each state is opened with the real ledger and checked.

Assumed is that a completed `fsync` is honoured and that a write damages no bytes outside its range.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fault_lab import fast_folder, with_tests_on_path
from planvow.cassette import SqliteStore
from planvow.cassette.proof.verify import verify_ledger
from planvow.errors import PlanvowError

WORKER = Path(__file__).with_name("fault_power_worker.py")
SESSIONS = (1, 2, 3)
SECTOR = 512
MODES = ("everything", "synced", "subset", "torn", "reordered")
CALLS = "write,pwrite64,fsync,fdatasync,ftruncate,openat,mkdir,unlink,rename,writev,pwritev,fallocate,sync_file_range"


@dataclass(frozen=True)
class Event:
    """One thing the worker did: a change of a file or folder, a synchronisation, or something it said."""

    kind: str
    path: str = ""
    offset: int = 0
    data: bytes = b""


def sqlite_drivers() -> list[str]:
    """The SQLite libraries that are installed: the older one keeps a rollback journal, the sound one a log."""
    return ["sqlite3", *(["pysqlite3"] if importlib.util.find_spec("pysqlite3") else [])]


def record(folder: Path, driver: str, *, steps: int, synchronous: str | None = None) -> list[Event]:
    """Let the worker run its sessions in a new folder below `folder`, and return everything it did there.

    With 72 steps a write-ahead log grows so long that it is written back while the first session works.
    """
    home = Path(tempfile.mkdtemp(dir=folder))
    events: list[Event] = []
    known: set[str] = set()
    for session in SESSIONS:
        task = {"path": str(home / "new/cassette.db"), "driver": driver, "synchronous": synchronous,
                "session": session, "steps": max(4, steps // session**2)}  # fmt: skip
        trace = folder / f"trace-{home.name}-{session}"
        command = ["strace", "-f", "--seccomp-bpf", "-y", "-xx", "-s", "10000000", "-e", f"trace={CALLS}",
                   "-e", "signal=none", "-o", str(trace), sys.executable, str(WORKER), json.dumps(task)]  # fmt: skip
        done = subprocess.run(command, stdout=subprocess.DEVNULL, env=with_tests_on_path())
        if done.returncode not in (0, -signal.SIGKILL, 128 + signal.SIGKILL):
            raise AssertionError(f"the worker ended with {done.returncode}")
        with trace.open("rb") as lines:
            events += _parsed(lines, str(home), known)
        trace.unlink()
    return events


_CALL = re.compile(rb"(\w+)\((.*)\) = (-?\d+)")
_FD = re.compile(rb"^\d+<((?:\\x[0-9a-f]{2})+)>")
_TEXT = re.compile(rb'"((?:\\x[0-9a-f]{2})*)"')


def _parsed(lines: Any, home: str, known: set[str]) -> Iterator[Event]:
    for line in lines:
        call = _CALL.search(line)
        if call is None or int(call[3]) < 0:
            continue
        name, arguments = call[1].decode(), call[2]
        text = _TEXT.search(arguments)
        said = _unhex(text[1]) if text else b""
        if name == "write" and arguments.startswith(b"1<"):
            yield Event("said", data=said)
            continue
        on = _FD.match(arguments)
        path = (_unhex(on[1]) if on else said).decode("utf-8", "replace")
        if name == "openat":
            path = said.decode("utf-8", "replace")
        if not f"{path}/".startswith(f"{home}/") or path.endswith(
            (".lock", "-shm")
        ):  # locks and caches mean nothing later
            continue
        path = path[len(home) + 1 :]
        if name == "openat":
            if b"O_CREAT" in arguments and path not in known:
                known.add(path)
                yield Event("create", path)
        elif name == "pwrite64":
            yield Event("write", path, int(arguments.rsplit(b",", 1)[1]), said[: int(call[3])])
        elif name == "ftruncate":
            yield Event("truncate", path, int(arguments.rsplit(b",", 1)[1]))
        elif name in ("fsync", "fdatasync"):
            yield Event("sync", path)
        elif name in ("mkdir", "unlink"):
            known.discard(path)
            yield Event(name, path)
        else:
            raise AssertionError(f"the recorder does not understand {name} on {path}")


def _unhex(text: bytes) -> bytes:
    return bytes.fromhex(text.replace(b"\\x", b"").decode("ascii"))


@dataclass(eq=False)
class File:
    """A file's content on the disk, and the changes that the disk has not promised yet."""

    durable: bytearray = field(default_factory=bytearray)
    pending: list[Event] = field(default_factory=list)

    def synchronise(self) -> None:
        self.durable = self.after_crash("everything", random.Random(0))
        self.pending = []

    def after_crash(self, mode: str, chance: random.Random) -> bytearray:
        content = bytearray(self.durable)
        likely = chance.choice((0.1, 0.5, 0.9))
        garbage = chance.random() < 0.5
        for number, event in enumerate(self.pending):
            share = likely if mode != "reordered" else (number + 1) / (len(self.pending) + 1)
            if mode == "synced":
                break
            if event.kind == "truncate":
                if mode == "everything" or chance.random() < share:
                    _resize(content, event.offset, chance if garbage else None)
            elif mode in ("everything", "subset"):
                if mode == "everything" or chance.random() < share:
                    _overwrite(content, event.offset, event.data, chance if garbage else None)
            else:
                for start, piece in _sectors(event.offset, event.data):
                    if chance.random() < share:
                        _overwrite(content, start, piece, chance if garbage else None)
        return content


def _sectors(offset: int, data: bytes) -> Iterator[tuple[int, bytes]]:
    start = offset
    while start < offset + len(data):
        end = min((start // SECTOR + 1) * SECTOR, offset + len(data))
        yield start, data[start - offset : end - offset]
        start = end


def _overwrite(content: bytearray, offset: int, data: bytes, garbage: random.Random | None) -> None:
    if offset > len(content):
        _resize(content, offset, garbage)
    content[offset : offset + len(data)] = data


def _resize(content: bytearray, size: int, garbage: random.Random | None) -> None:
    missing = size - len(content)
    if missing > 0:
        content += garbage.randbytes(missing) if garbage is not None else bytes(missing)
    del content[size:]


class Disk:
    """What the worker sees, and what is certain to be there after a crash."""

    def __init__(self) -> None:
        self.seen: dict[str, File] = {}
        self.names: dict[str, File | None] = {"": None}
        self.pending_names: list[tuple[str, File | None, bool]] = []
        self.said: list[Any] = []

    def do(self, event: Event) -> None:
        if event.kind == "said":
            self.said.append(json.loads(event.data))
        elif event.kind in ("create", "mkdir"):
            file = File() if event.kind == "create" else None
            if file is not None:
                self.seen[event.path] = file
            self.pending_names.append((event.path, file, True))
        elif event.kind == "unlink":
            self.pending_names.append((event.path, self.seen.pop(event.path), False))
        elif event.kind != "sync":
            self.seen[event.path].pending.append(event)
        elif event.path in self.seen:
            self.seen[event.path].synchronise()
        else:
            self._synchronise_folder(event.path)

    def _synchronise_folder(self, folder: str) -> None:
        here = [change for change in self.pending_names if os.path.dirname(change[0]) == folder]
        self.pending_names = [change for change in self.pending_names if change not in here]
        for path, file, made in here:
            if made:
                self.names[path] = file
            else:
                self.names.pop(path, None)

    def after_crash(self, mode: str, chance: random.Random) -> dict[str, bytearray]:
        """Return the files somebody finds who comes back: only those all of whose folders are there."""
        names = dict(self.names)
        for path, file, made in self.pending_names:
            if mode == "everything" or (mode != "synced" and chance.random() < 0.5):
                if made:
                    names[path] = file
                else:
                    names.pop(path, None)
        return {
            path: file.after_crash(mode, chance)
            for path, file in names.items()
            if file is not None and os.path.dirname(path) in names
        }


@dataclass
class PowerRun:
    """How many states were looked at, and how many were not as promised."""

    journal: str
    events: int = 0
    states: int = 0
    corrupt: int = 0
    lost: int = 0
    unusable: int = 0
    examples: list[str] = field(default_factory=list)

    @property
    def wrong(self) -> dict[str, int]:
        return {"corrupt": self.corrupt, "with_lost_acks": self.lost, "unusable": self.unusable}


def crash_everywhere(events: list[Event], driver: str, *, states: int, seed: int = 3) -> PowerRun:
    """Cut the power at every place in turn, or at places spread evenly when there are more places than states.

    Half of the states, and one at each place at least where there is room, hold everything written so far: these are
    all the prefixes. The rest are drawn: nothing that was not synchronised, subsets, torn and reordered ones.
    """
    chance = random.Random(seed)
    modes = Counter[tuple[int, str]]()
    prefixes = min(len(events), states // 2)
    for number in range(prefixes):
        modes[number * len(events) // prefixes, "everything"] += 1
    for _ in range(states - prefixes):
        modes[chance.randrange(len(events)), chance.choice(MODES[1:])] += 1
    places = {place: [(m, n) for (p, m), n in modes.items() if p == place] for place in {p for p, _ in modes}}
    journal = next(json.loads(event.data)[1] for event in events if event.kind == "said")
    run = PowerRun(journal=journal, events=len(events))
    disk = Disk()
    module = importlib.import_module(driver)
    with tempfile.TemporaryDirectory(dir=fast_folder()) as folder:
        for place, event in enumerate(events):
            disk.do(event)
            for mode, count in places.get(place, ()):
                for _ in range(count):
                    home = Path(folder) / str(run.states)
                    _lay_out(home, disk.after_crash(mode, chance))
                    _examine(home / "new/cassette.db", module, disk.said, run, f"event {place}, {mode}")
                    shutil.rmtree(home)
    return run


def _lay_out(home: Path, files: dict[str, bytearray]) -> None:
    for name, content in files.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _examine(path: Path, driver: Any, said: list[Any], run: PowerRun, where: str) -> None:
    run.states += 1
    try:
        with SqliteStore(path, driver=driver) as store:
            damage = store.integrity_check()
            findings = verify_ledger(store).faults if damage == "ok" else (damage,)
            if findings:
                run.corrupt += 1
                run.examples.append(f"{where}: {findings[0]}")
                return
            missing = _missing(store, said)
            if missing:
                run.lost += 1
                run.examples.append(f"{where}: {missing[0]} of {len(missing)} is lost")
            claim = store.claim("after-the-crash")
            if claim is not None:
                store.complete(claim, "ABORTED")
    except (PlanvowError, driver.Error) as error:
        damaged = getattr(error, "code", "") == "TAMPERED"
        run.corrupt += damaged
        run.unusable += not damaged
        run.examples.append(f"{where}: {error}")


def _missing(store: SqliteStore, said: list[Any]) -> list[Any]:
    jobs = {job.job_id for job in store.jobs()}
    receipts = {(r.job_id, r.ordinal, r.fence, r.sha256) for job in jobs for r in store.receipts(job)}
    seals = {row["merkle_root"] for run in SESSIONS for row in store.rows("rows_seals", run_id=f"run {run}")}
    there = {"post": jobs, "seal": seals}
    acks = [words for words in said if words[0] == "ack" and tuple(words[1:]) not in receipts]
    return acks + [words for words in said if words[0] in there and words[-1] not in there[words[0]]]
