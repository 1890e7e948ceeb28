"""F4: each write, truncation and synchronisation fails in turn, with "no space" or "I/O error".

`strace` counts the calls of one undisturbed run and then makes the N-th one fail, for every N. What runs is `planvow
cassette work` (and, for the first boot, a script that makes a ledger and posts). It must name the trouble as one of the
ledger's own errors; whatever it said was recorded must be in the ledger; and the same command again, undisturbed, must
finish the work. Some failures are rightly kept quiet by SQLite (it could not tidy up a log that is still valid); they
are counted apart.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fault_command import Command
from fault_lab import fast_folder, with_tests_on_path
from ledgers import plan_of, post, step
from planvow.cassette import SqliteStore
from planvow.contract import Step
from planvow.errors import PlanvowError
from planvow.governed.sections.policy import Policy

BOOT = Path(__file__).with_name("fault_io_worker.py")
LEDGER_CALLS = ("pwrite64", "fdatasync,fsync", "ftruncate", "unlink")
FILE_CALLS = ("write", "fsync", "mkdir,mkdirat", "rename,renameat")
SYNCS = "fdatasync,fsync"
ERRORS = ("ENOSPC", "EIO")
NEW = "new content\n" * 2000
REST = {"expected_outputs": {}, "constraints": {}, "policy_hash": Policy().policy_hash}
FILES = ("old.txt", "deeper/folder/new.txt")


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

    def blame(self, what: str, why: str) -> None:
        setattr(self, what, getattr(self, what) + 1)
        self.examples.append(why)


@dataclass(frozen=True)
class Scene:
    """What runs while calls fail, and on which SQLite: `boot`, `work`, or `files` (work whose steps write files)."""

    kind: str
    driver: str = "sqlite3"
    sabotage: str | None = None

    def make(self, home: Path) -> None:
        """Lay out the folder from which each failure starts anew."""
        (home / "root").mkdir(parents=True)
        (home / "root" / "old.txt").write_text("old content\n")
        hidden = home / "hidden"
        hidden.mkdir()
        if self.driver == "sqlite3":  # the command takes the other one where it is installed
            (hidden / "pysqlite3.py").write_text("raise ImportError('not in this scene')\n")
        if self.kind == "boot":
            return
        with SqliteStore(home / "cassette.db", driver=importlib.import_module(self.driver)) as store:
            post(store, plan_of(step("a"), step("b"), step("c", "a", "b")) if self.kind == "work" else _files_plan())

    def command(self, home: Path) -> Command:
        path, driver = home / "cassette.db", importlib.import_module(self.driver)
        return Command(
            str(path), lambda: SqliteStore(path, driver=driver), home / "root", workers=1, lease_seconds=0.1,
            environment=_with_first_on_path(home / "hidden"), task={"sabotage": self.sabotage},
        )  # fmt: skip

    def words(self, command: Command, home: Path) -> list[str]:
        if self.kind == "boot":
            task = {"path": str(home / "cassette.db"), "driver": self.driver}
            return [sys.executable, "-B", str(BOOT), json.dumps(task)]
        return command.words


def _files_plan() -> Any:
    """The operation WRITE_FILE, twice: a file that is there, and one in a folder that is not."""
    return plan_of(
        *(
            Step(
                step_id=f"s{number}",
                skill="WRITE_FILE",
                params={"refs": {"file_path": name, "content": NEW}, **REST},
                on_error="continue",
            )
            for number, name in enumerate(FILES)
        )
    )


def _with_first_on_path(folder: Path) -> dict[str, str]:
    environment = with_tests_on_path()
    return {**environment, "PYTHONPATH": os.pathsep.join([str(folder), environment["PYTHONPATH"]])}


def fail_each(scene: Scene, *, calls: tuple[str, ...], at_most: int | None = None) -> IoRun:
    """Run the scene once for every call and error, or for `at_most` of them spread evenly over each kind of call."""
    run = IoRun()
    with _stage(scene) as stage:
        for names in calls:
            count = len(stage.calls(stage.play(names, None, run), names))
            step = 1 if at_most is None else max(1, count // at_most)
            for number in range(1 + (count - 1) % step // 2, count + 1, step):
                errors = ERRORS if at_most is None else (ERRORS[number % 2],)
                for error in errors:
                    stage.play(names, f"error={error}:when={number}", run)
    return run


def fail_the_first_sync_after_an_acknowledgement(scene: Scene) -> IoRun:
    """Let fail what a completion that is told of too early still needs, wherever that stands in the order of calls."""
    run = IoRun()
    with _stage(scene) as stage:
        trace = stage.play(SYNCS, None, run)
        told = next(number for number, line in enumerate(trace) if _tells(line))
        number = len(stage.calls(trace[:told], SYNCS)) + 1
        stage.play(SYNCS, f"error=EIO:when={number}", run)
    return run


class _stage:
    """A folder as it is before each run."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._folder = tempfile.TemporaryDirectory(dir=fast_folder())

    def __enter__(self) -> _stage:
        self._scene.make(Path(self._folder.name) / "made")
        return self

    def __exit__(self, *_error: object) -> None:
        self._folder.cleanup()

    @staticmethod
    def calls(trace: list[str], names: str) -> list[str]:
        begins = re.compile(rf"^\d+ +({names.replace(',', '|')})\(")
        return [line for line in trace if begins.match(line)]

    def play(self, names: str, fault: str | None, run: IoRun) -> list[str]:
        """Let the scene run, with one fault or none, judge what came of it, and return its calls."""
        folder = Path(self._folder.name)
        home, trace = folder / "home", folder / "trace"
        shutil.copytree(folder / "made", home)
        command = self._scene.command(home)
        watched = ["strace", "-f", "--seccomp-bpf", "-y", "-s", "12", "-e", f"trace={names},write",
                   "-e", "signal=none", "-o", str(trace)]  # fmt: skip
        if fault is not None:
            watched += ["-e", f"inject={names}:{fault}"]
        with command.said.open("ab") as said:
            done = subprocess.run(
                [*watched, *self._scene.words(command, home)], stdout=subprocess.DEVNULL, stderr=said,
                env=command.environment,
            )  # fmt: skip
        calls = trace.read_text().splitlines()
        hit = [line for line in calls if "INJECTED" in line]
        if fault is None:
            assert done.returncode == 0, command.said.read_text()
        if hit:
            where = f"{names} {fault}: {hit[0][:120]}"
            _judge(self._scene, command, done.returncode, where, run)
            if _acknowledged_unsynced(calls, hit[0]):
                run.blame("unsynced", f"{where}: acknowledged all the same")
        shutil.rmtree(home)
        return calls


def _tells(line: str) -> bool:
    return "write(2<" in line and '"job_' in line


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
        if _tells(line):
            return True
    return False


def _judge(scene: Scene, command: Command, code: int, where: str, run: IoRun) -> None:
    said = command.said.read_text()
    command.listen()
    run.injected += 1
    reported = code != 0 or "planvow: " in said or any(ack.outcome == "FAILURE" for ack in command.acks)
    run.reported += reported
    run.quiet += not reported
    if "Traceback" in said or f"planvow: {PlanvowError.code} " in said or code not in (0, 1, 2, 3):
        run.blame("uncaught", f"{where}: exit {code}: {said[-300:]}")
    posted = re.findall(r"^(job_\w+) posted$", said, re.MULTILINE)
    with command.started() as again:
        pass
    verdict = command.verdict()
    with command.opened() as store:
        missing = {*posted} - {job.job_id for job in store.jobs()}
        failed = sum(job.failed for job in store.jobs())
        committed = {s.ordinal for job in store.jobs() for s in store.steps(job.job_id) if s.status == "COMMITTED"}
    if verdict.lost or missing:
        run.blame("lost", f"{where}: lost {verdict.lost} acknowledgements and {len(missing)} posts")
    if verdict.findings:
        run.blame("findings", f"{where}: {verdict.findings} findings")
    if again.returncode != 0 or verdict.unfinished > failed:
        run.blame("unusable", f"{where}: exit {again.returncode} the second time: {command.said.read_text()[-300:]}")
    for torn in _torn_files(command.folder, committed) if scene.kind == "files" else ():
        run.blame("torn_files", f"{where}: {torn}")


def _torn_files(root: Path, committed: set[int]) -> list[str]:
    """A file is the old one or the new one, the new one if its step was committed; nothing else is left behind."""
    wrong = [f"{path.name} was left behind" for path in root.rglob("*.tmp")]
    for ordinal, name in enumerate(FILES, start=1):
        text = (root / name).read_text() if (root / name).exists() else None
        if text != NEW and (ordinal in committed or text not in (None, "old content\n")):
            wrong.append(f"{name} is not what its step wrote")
    return wrong
