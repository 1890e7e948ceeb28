"""Namespaces by bubblewrap: whether they can be made here, and the arguments that say what a command sees.

Inside there is the system's software, read-only, fresh `/tmp`, `/dev` and `/proc`, and the tree at its own path.
User, process, network, host name and IPC namespaces are the command's own, so it has a loopback and nothing else,
sees no process but its own, and when its first process ends the kernel ends all others. It has no capabilities,
whoever the worker is.

What must not be opened is covered: a folder by an empty one without permissions, a file by a device on a mount where
devices are dead.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from planvow.cassette.contained.limits import MEBIBYTE, Limits
from planvow.cassette.contained.tree import Survey, Tree

NAME = "bubblewrap"
HOME = "/tmp/home"
PROBE_SECONDS = 30

_NAMESPACES = (
    "--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try",
    "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv",
)  # fmt: skip
_SOFTWARE = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store")
_SETTINGS = (
    "alternatives", "group", "hosts", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "mime.types",
    "nsswitch.conf", "passwd", "protocols", "services", "ssl/certs", "timezone",
)  # fmt: skip


class Containment(NamedTuple):
    """The program that contains, or None and why there is none."""

    program: str | None
    reason: str = ""


def containment(root: Path) -> Containment:
    """Say whether commands can be contained here; a program that lies in the tree itself is not believed."""
    real_root = os.path.realpath(root)
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        program = shutil.which("bwrap", path=folder) if os.path.isabs(folder) else None
        if program is not None and not _is_below(os.path.realpath(program), [real_root]):
            return _probed(program)
    return Containment(None, "bubblewrap (bwrap) is not installed")


@cache
def _probed(program: str) -> Containment:
    """Make the namespaces once for nothing: installed is not the same as allowed."""
    cover = ("--perms", "0000", "--size", str(MEBIBYTE), "--tmpfs", "/tmp", "--remount-ro", "/tmp")
    command = [program, *_NAMESPACES, "--ro-bind", "/", "/", *_processes(), "--dev", "/dev", *cover, "true"]
    try:
        done = subprocess.run(command, capture_output=True, timeout=PROBE_SECONDS, check=False)
    except (OSError, subprocess.SubprocessError) as error:
        return Containment(None, f"bubblewrap cannot be started: {error}")
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines() or [f"exit code {done.returncode}"]
        return Containment(None, f"bubblewrap cannot make namespaces: {said[0][:200]}")
    return Containment(program)


def arguments(
    tree: Tree, found: Survey, *, readable: Iterable[str], environment: Mapping[str, str], limits: Limits
) -> list[str]:
    """Return what bubblewrap is told, in order: later mounts lie upon earlier ones."""
    root = os.path.realpath(tree.root)
    scratch = ("--size", str(limits.scratch_mb * MEBIBYTE), "--tmpfs")
    words = [*_NAMESPACES, *_processes(), "--dev", "/dev", *scratch, "/dev/shm", "--remount-ro", "/dev"]
    words += [*scratch, "/tmp", *scratch, "/var/tmp", "--dir", HOME]
    words += _software()
    seen = [folder for folder in (*own_software(), *readable) if os.path.isdir(folder)]
    for folder in seen:
        words += ["--ro-bind", folder, folder]
    words += ["--bind" if tree.allows is None else "--ro-bind", root, root]
    if tree.allows is not None:
        words += _mounts("--bind", (os.path.join(root, path) for path in found.writable))
    visible = [*map(os.path.realpath, seen), root]
    closed = (path for path in map(os.path.realpath, tree.closed) if _is_below(path, [root]))
    words += _mounts("--ro-bind", sorted({*closed, *(os.path.join(root, path) for path in found.read_only)}))
    hidden = (path for path in map(os.path.realpath, tree.hidden) if _is_below(path, visible))
    words += _covers(sorted({*hidden, *(os.path.join(root, path) for path in found.hidden)}))
    for name, value in sorted({**environment, "HOME": HOME, "TMPDIR": "/tmp"}.items()):
        words += ["--setenv", name, value]
    return [*words, "--remount-ro", "/", "--chdir", root]


def own_software() -> list[str]:
    """Return where the Python that runs this lives, as far as that is not among the system's software."""
    places = dict.fromkeys((sys.base_prefix, sys.prefix))
    return [place for place in places if not _is_below(place, _SOFTWARE) and place != "/"]


def _processes() -> Iterator[str]:
    """Yield a `/proc` of its own, in which the machine's settings (`/proc/sys` …) can only be read.

    They belong to root and ask for no capability: a command of a worker that is root could write them, and with them
    which program the kernel starts when a process crashes.
    """
    yield from ("--proc", "/proc")
    for entry in os.scandir("/proc"):
        if entry.name.isdigit() or entry.is_symlink():
            continue
        if entry.is_dir() or entry.stat().st_mode & 0o222:
            yield from ("--ro-bind", entry.path, entry.path)


def _software() -> Iterator[str]:
    for place in _SOFTWARE:
        if os.path.islink(place):
            yield from ("--symlink", os.readlink(place), place)
        elif os.path.isdir(place):
            yield from ("--ro-bind", place, place)
    for name in _SETTINGS:
        yield from ("--ro-bind-try", f"/etc/{name}", f"/etc/{name}")


def _mounts(kind: str, paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        yield from (kind, path, path)


def _covers(paths: Iterable[str]) -> Iterator[str]:
    covered: list[str] = []
    for path in paths:
        if _is_below(path, covered):
            continue
        covered.append(path)
        if os.path.isdir(path):
            yield from ("--perms", "0000", "--tmpfs", path, "--remount-ro", path)
        elif os.path.lexists(path):
            yield from ("--ro-bind", "/dev/null", path)


def _is_below(path: str, folders: Iterable[str]) -> bool:
    return any(path == folder or path.startswith(folder.rstrip("/") + "/") for folder in folders)
