"""planvow is imported and plans on systems without POSIX: no module needs `fcntl` and the like but those listed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

NEEDS_POSIX = {
    "planvow.cassette.contained.launch": "is the first program of a contained command: it lowers its own limits",
}

ELSEWHERE = """
import builtins, os, signal, sys
UNKNOWN = {"fcntl", "resource", "pwd", "grp", "termios"}
import asyncio, shutil, subprocess, tempfile, selectors  # these ask which system it is, and it stays this one
real = builtins.__import__
def imported(name, globals=None, *rest, **named):
    if name.partition(".")[0] in UNKNOWN and str((globals or {}).get("__name__")).startswith("planvow"):
        raise ImportError(f"no module named {name}")
    return real(name, globals, *rest, **named)
builtins.__import__ = imported
for name in ("O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "getuid", "geteuid", "getgid", "killpg", "fork",
             "fchmod", "pidfd_open", "setsid", "getpgid", "sched_getaffinity", "mkfifo", "register_at_fork",
             "chown", "setuid", "setgid", "getppid", "waitid", "memfd_create", "openpty", "statvfs", "getloadavg"):
    delattr(os, name)
for name in ("SIGKILL", "SIGPROF", "SIGALRM", "SIGHUP", "SIGUSR1", "ITIMER_PROF", "setitimer", "pidfd_send_signal",
             "pthread_kill", "pthread_sigmask"):
    delattr(signal, name)
"""


def elsewhere(code, *words, cwd=None):
    """Run code where the modules and flags of POSIX are missing."""
    return subprocess.run(
        [sys.executable, "-c", ELSEWHERE + code, *map(str, words)], cwd=cwd, capture_output=True, text=True, check=False
    )


def test_every_module_is_imported_but_those_that_truly_need_posix():
    code = """
import importlib, json, pkgutil, planvow
failed = {}
for found in pkgutil.walk_packages(planvow.__path__, "planvow."):
    if not found.name.endswith("__main__"):
        try:
            importlib.import_module(found.name)
        except Exception as error:
            failed[found.name] = f"{type(error).__name__}: {error}"
print(json.dumps(failed))
"""
    done = elsewhere(code)
    assert done.returncode == 0, done.stderr
    failed = json.loads(done.stdout.splitlines()[-1])
    assert set(failed) == set(NEEDS_POSIX), failed


def test_control_a_module_of_planvow_that_needs_it_would_be_found(tmp_path):
    code = "exec(compile('import fcntl', 'x', 'exec'), {'__name__': 'planvow.x'})"
    done = elsewhere(code)
    assert done.returncode == 1
    assert "no module named fcntl" in done.stderr


def test_the_same_plan_certificate_and_ledger_come_out(tmp_path):
    code = """
import sys, json
from pathlib import Path
from planvow.adapters.machine.modules import load_problem
from planvow.kernel import solve
from planvow.cassette.databases.sqlite import SqliteStore
from planvow.cassette.jobs.htn_jobs import post_htn_plan
from planvow.cassette.proof.verify import verify_ledger
result = solve(load_problem(Path(sys.argv[1])))
certificate = result.certificate()
assert certificate.verify().accepted
with SqliteStore(Path(sys.argv[2])) as store:
    post_htn_plan(store, "tea", result, request_id="tea", payload={})
    assert verify_ledger(store).accepted
print(json.loads(certificate.canonical_bytes())["hash"])
"""
    words = (ROOT / "examples/robot_tea.py", tmp_path / "cassette.db")
    there = elsewhere(code, *words)
    here = subprocess.run(
        [sys.executable, "-c", code, str(words[0]), str(tmp_path / "here.db")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert there.returncode == 0, there.stderr
    assert there.stdout == here.stdout


def test_what_needs_posix_says_so(tmp_path):
    (tmp_path / "a.txt").write_text("tea")
    code = """
import sys
from planvow.cassette.files.below_root import Root
from planvow.cassette.contained.run import Order, run_contained
from planvow.cassette.contained.tree import Tree
from planvow.errors import PlanvowError
with Root(sys.argv[1]) as root:
    print(root.read("a.txt").decode())
    try:
        root.write("b.txt", b"x", token="t")
    except PlanvowError as error:
        print(error.message, "|", error.hint)
try:
    run_contained(None)
except PlanvowError as error:
    print(error.code, error.message)
"""
    done = elsewhere(code, tmp_path)
    assert done.returncode == 0, done.stderr
    read, written, run = done.stdout.splitlines()
    assert read == "tea"
    assert "nothing is written | steps that write files need Linux or macOS" in written
    assert "commands of plans need Linux or macOS" in run
    assert not (tmp_path / "b.txt").exists()


WINDOWS = """
import types, sys
msvcrt = types.ModuleType("msvcrt")  # as Windows has it, on the record locks of this system: they keep processes apart
msvcrt.LK_NBLCK, msvcrt.LK_UNLCK = 2, 0
def locking(fd, mode, size):
    os.lockf(fd, os.F_TLOCK if mode == 2 else os.F_ULOCK, size)
msvcrt.locking = locking
sys.modules["msvcrt"] = msvcrt
from pathlib import Path
from planvow.cassette.files import system
from planvow.cassette.files.file_lock import FileLock, LifeLock
assert system._fcntl is None and system._msvcrt is msvcrt
"""


def test_the_lock_of_windows_keeps_processes_apart_and_proves_a_death(tmp_path):
    holder = (
        WINDOWS
        + """
life = LifeLock.taken(Path(sys.argv[1]) / "life")
turn = FileLock(Path(sys.argv[1]) / "turn")
turn.acquire()
print("held", flush=True)
sys.stdin.readline()
turn.release()
life.release()
print("gone", flush=True)
"""
    )
    other = (
        WINDOWS
        + """
fd = os.open(Path(sys.argv[1]) / "turn", os.O_RDWR)
print(LifeLock.is_free(Path(sys.argv[1]) / "life"), system.lock(fd, wait=False))
"""
    )
    with subprocess.Popen(
        [sys.executable, "-c", ELSEWHERE + holder, str(tmp_path)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout.readline() == "held\n"
        assert elsewhere(other, tmp_path).stdout == "False False\n"
        process.stdin.write("\n")
        process.stdin.flush()
        assert process.stdout.readline() == "gone\n"
    assert elsewhere(other, tmp_path).stdout == "None True\n"
