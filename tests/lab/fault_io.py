"""F4: each write, truncation and synchronisation fails in turn, with "no space" or "I/O error".

`strace` counts the calls of one undisturbed run and then makes the N-th one fail, for every N. The worker must hear of
it as one of the ledger's own errors, may do the same again, and whatever it was told is done must be in the ledger.
Some failures are rightly kept quiet by SQLite (it could not tidy up a log that is still valid); they are counted apart.
"""

from __future__ import annotations

import importlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fault_lab import fast_folder, with_tests_on_path
from planvow.cassette import SqliteStore
from planvow.cassette.proof.verify import verify_ledger

WORKER = Path(__file__).with_name("fault_io_worker.py")
LEDGER_CALLS = ("pwrite64", "fdatasync,fsync", "ftruncate", "unlink")
FILE_CALLS = ("write", "fsync", "mkdir,mkdirat", "rename,renameat")
ERRORS = ("ENOSPC", "EIO")


@dataclass
class IoRun:
    """What was made to fail, and what came of it."""

    injected: int = 0
    reported: int = 0
    quiet: int = 0
    unsynced: int = 0
    uncaught: int = 0
    lost: int = 0
    unusable: int = 0
    findings: int = 0
    torn_files: int = 0
    examples: list[str] = field(default_factory=list)
    kept_quiet: list[str] = field(default_factory=list)

    @property
    def wrong(self) -> dict[str, int]:
        return {
            "uncaught": self.uncaught,
            "lost_acks": self.lost,
            "acks_on_a_failed_sync": self.unsynced,
            "unusable": self.unusable,
            "verify_findings": self.findings,
            "torn_files": self.torn_files,
        }


@dataclass(frozen=True)
class Scene:
    """A folder with a ledger in it, or none yet, from which each failure starts anew."""

    driver: str
    booted: bool
    files: bool
    careless: bool = False

    def task(self, home: Path) -> dict[str, Any]:
        root = home / "root"
        if self.files:
            root.mkdir()
            (root / "old.txt").write_text("old content\n")
        return {"path": str(home / "cassette.db"), "driver": self.driver, "careless": self.careless,
                "root": str(root) if self.files else None}  # fmt: skip


def fail_each(scene: Scene, *, calls: tuple[str, ...], at_most: int | None = None) -> IoRun:
    """Run the scene once for every call and error, or for `at_most` of them spread evenly over each kind of call."""
    run = IoRun()
    with tempfile.TemporaryDirectory(dir=fast_folder()) as folder:
        made = Path(folder) / "made"
        made.mkdir()
        if scene.booted:
            SqliteStore(made / "cassette.db", driver=importlib.import_module(scene.driver)).close()
        for names in calls:
            count = _attempt(scene, made, Path(folder), names, None, run)
            step = 1 if at_most is None else max(1, count // at_most)
            for number in range(1 + (count - 1) % step // 2, count + 1, step):
                errors = ERRORS if at_most is None else (ERRORS[number % 2],)
                for error in errors:
                    _attempt(scene, made, Path(folder), names, f"error={error}:when={number}", run)
    return run


def _attempt(scene: Scene, made: Path, folder: Path, names: str, fault: str | None, run: IoRun) -> int:
    """Let the worker run, with one fault or none; return how many of these calls it made."""
    home = folder / "home"
    shutil.copytree(made, home)
    trace = folder / "trace"
    task = scene.task(home)
    command = ["strace", "-f", "--seccomp-bpf", "-y", "-s", "12", "-e", f"trace={names},writev", "-e", "signal=none"]
    if fault is not None:
        command += ["-e", f"inject={names}:{fault}"]
    command += ["-o", str(trace), sys.executable, "-B", str(WORKER), json.dumps(task)]
    done = subprocess.run(command, capture_output=True, text=True, env=with_tests_on_path())
    calls = trace.read_text().splitlines()
    said = [json.loads(line) for line in done.stdout.splitlines()]
    hit = [line for line in calls if "INJECTED" in line]
    if fault is None:
        assert done.returncode == 0, done.stderr
        assert not [words for words in said if words[0] in ("error", "uncaught")]
    if hit:
        _judge(scene, task, said, done, f"{names} {fault}: {hit[0][:120]}", run)
        if _acknowledged_unsynced(calls, hit[0]):
            run.unsynced += 1
            run.examples.append(f"{names} {fault}: acknowledged after {hit[0]}")
    shutil.rmtree(home)
    return sum("(" in line and "writev(" not in line and "resumed" not in line for line in calls)


def _acknowledged_unsynced(calls: list[str], failed: str) -> bool:
    """Say whether something was told as done after a failed synchronisation of a file that was not made up for.

    A failed synchronisation of a folder is not counted: SQLite does not ask for its outcome.
    """
    target = re.search(r"f(?:data)?sync\(\d+<(.*?cassette\.db[^>]*)>", failed)
    if target is None:
        return False
    for line in calls[calls.index(failed) + 1 :]:
        if f"<{target[1]}>) = 0" in line:
            return False
        if r'"[\"post\"' in line or r'"[\"ack\"' in line:
            return True
    return False


def _judge(scene: Scene, task: dict[str, Any], said: list[Any], done: Any, where: str, run: IoRun) -> None:
    kinds = Counter(words[0] for words in said)
    failed_steps = [words for words in said if words[0] == "receipt" and words[2] == "FAILURE"]
    run.injected += 1
    run.reported += bool(kinds["error"] or failed_steps)
    if not (kinds["error"] or failed_steps or kinds["uncaught"]):
        run.quiet += 1
        run.kept_quiet.append(where)
    if kinds["uncaught"] or "Traceback" in done.stderr:
        run.uncaught += 1
        run.examples.append(f"{where}: {[w for w in said if w[0] == 'uncaught'][:1]} {done.stderr[-300:]}")
    driver = importlib.import_module(scene.driver)
    with SqliteStore(task["path"], driver=driver) as store:
        receipts = {(r.job_id, r.ordinal, r.fence) for job in store.jobs() for r in store.receipts(job.job_id)}
        missing = [words for words in said if words[0] == "ack" and tuple(words[1:4]) not in receipts]
        missing += [words for words in said if words[0] == "post" and words[1] not in {j.job_id for j in store.jobs()}]
        findings = len(verify_ledger(store).faults) + (store.integrity_check() != "ok")
        open_steps = store.has_open_steps()
    run.lost += bool(missing)
    run.findings += bool(findings)
    run.unusable += bool(done.returncode != 0 or open_steps)
    if missing or findings or done.returncode != 0 or open_steps:
        run.examples.append(f"{where}: lost {missing}, {findings} findings, exit {done.returncode}, {said[-3:]}")
    if scene.files:
        torn = _torn_files(Path(task["root"]), said)
        run.torn_files += bool(torn)
        run.examples += [f"{where}: {what}" for what in torn]


def _torn_files(root: Path, said: list[Any]) -> list[str]:
    """A file is the old one or the new one, the new one if its step was committed; nothing else is left behind."""
    new = "new content\n" * 2000
    wrong = []
    committed = {words[1] for words in said if words[0] == "receipt" and words[2] == "SUCCESS"}
    for path in (p for p in root.rglob("*") if p.is_file()):
        name = path.relative_to(root).as_posix()
        if name.startswith(".planvow/"):
            continue
        if name.endswith(".tmp"):
            wrong.append(f"{name} was left behind")
        elif path.read_text() != new and (name != "old.txt" or path.read_text() != "old content\n"):
            wrong.append(f"{name} is neither old nor new")
        elif name in committed and path.read_text() != new:
            wrong.append(f"{name} is old although its step was committed")
    wrong += [f"{name} is missing although its step was committed" for name in committed if not (root / name).exists()]
    return wrong
