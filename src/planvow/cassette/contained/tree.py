"""The tree a command works in: what in it may not be opened, what may not be written, and what came up meanwhile.

Mounts can only protect what is there. What gets a protected name while the command runs (a new `.git` with its hooks,
say) is found afterwards and taken out of the tree, into quarantine: nothing is lost, and nothing runs it by accident.
Links are never followed: the target of a link with a protected name is protected in its own place.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from planvow.cassette.errors import PathRefusedError
from planvow.cassette.files.protected import CREDENTIALS, OWN, PROTECTED, is_one_of

HIDDEN_NAMES = OWN | CREDENTIALS


class Identity(NamedTuple):
    """What a path stands for: another file under the same name has another one."""

    device: int
    inode: int
    kind: int
    link_to: str | None


@dataclass(frozen=True, kw_only=True)
class Tree:
    """A folder, and the caller's own rules on top of the names that are always protected.

    `hidden` and `closed` are real paths, in the tree or not: the first cannot be opened, the second only be read.
    `protects` is asked with each path below the root, folders ending in a slash; `allows`, where given, says what may
    be written.
    """

    root: Path
    hidden: tuple[Path, ...] = ()
    closed: tuple[Path, ...] = ()
    protects: Callable[[str], bool] = lambda _path: False
    allows: Callable[[str], bool] | None = None


@dataclass(frozen=True, kw_only=True)
class Survey:
    """What a look at a tree found, as paths below its root."""

    guarded: dict[str, Identity] = field(default_factory=dict)
    hidden: set[str] = field(default_factory=set)
    read_only: set[str] = field(default_factory=set)
    writable: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def closed_paths(self) -> frozenset[str]:
        """Return what may not be written although its own name does not say so: targets of links, mostly."""
        return frozenset(self.hidden | self.read_only)


def survey(tree: Tree) -> Survey:
    """Look at every name below the root; raise PathRefusedError where that tree cannot be protected."""
    found = _look(tree)
    if found.faults:
        raise PathRefusedError(f"this tree cannot be protected: {found.faults[0]}")
    return found


def _look(tree: Tree, *, mend: bool = False) -> Survey:
    """Look at every name below the root; `mend` opens folders that were shut meanwhile."""
    found = Survey()
    linked: dict[tuple[int, int], bool] = {}
    pending = [("", False)]
    while pending:
        prefix, writable = pending.pop()
        for entry in _entries(found, tree.root, prefix, mend):
            path = prefix + entry.name
            is_folder = entry.is_dir(follow_symlinks=False)
            asked = f"{path}/" if is_folder else path
            hide = is_one_of(entry.name, HIDDEN_NAMES)
            if hide or is_one_of(entry.name, PROTECTED) or tree.protects(asked):
                _guard(found, tree.root, entry, path, hide=hide, linked=linked)
                continue
            may_write = writable or (tree.allows is not None and tree.allows(asked))
            if may_write and not writable and not entry.is_symlink():
                found.writable.append(path)
            if is_folder:
                pending.append((f"{path}/", may_write))
            elif not entry.is_file(follow_symlinks=False) and not entry.is_symlink():
                found.hidden.add(path)  # a socket or a pipe, behind which somebody outside may listen
    if linked:
        _other_names(found, tree.root, linked)
    return found


def settle(tree: Tree, before: Survey, quarantine: Path) -> list[str]:
    """Take out what got a protected name since the survey, put back links that are gone; say what was wrong."""
    after = _look(tree, mend=True)
    known = set(before.guarded.values())
    wrong = sorted(path for path, identity in after.guarded.items() if before.guarded.get(path) != identity)
    for number, path in enumerate(wrong):
        if after.guarded[path] not in known:  # else a folder above it was renamed: it is what it was
            quarantine.mkdir(parents=True, exist_ok=True)
            shutil.move(tree.root / path, quarantine / f"{number}-{path.rpartition('/')[2]}")
    for path, identity in sorted(before.guarded.items()):
        place = tree.root / path
        if identity.link_to is not None and not os.path.lexists(place) and place.parent.is_dir():
            os.symlink(identity.link_to, place)
            wrong.append(path)
    return [*wrong, *after.faults]


def _entries(found: Survey, root: Path, prefix: str, mend: bool) -> list[os.DirEntry[str]]:
    folder = os.path.join(root, prefix)
    try:
        if mend and not os.access(folder, os.R_OK | os.X_OK):
            os.chmod(folder, 0o700)
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        if not _is_not_ours(folder):  # else a command with our rights cannot open it either
            found.faults.append(f"{prefix or '.'} cannot be looked into: {error.strerror}")
        return []


def _is_not_ours(folder: str) -> bool:
    try:
        return os.lstat(folder).st_uid != os.geteuid()
    except FileNotFoundError:
        return True  # removed while we looked
    except OSError:
        return False


def _guard(
    found: Survey, root: Path, entry: os.DirEntry[str], path: str, *, hide: bool, linked: dict[tuple[int, int], bool]
) -> None:
    status = entry.stat(follow_symlinks=False)
    link_to = os.readlink(entry.path) if entry.is_symlink() else None
    found.guarded[path] = Identity(status.st_dev, status.st_ino, stat.S_IFMT(status.st_mode), link_to)
    if link_to is None:
        (found.hidden if hide else found.read_only).add(path)
        if stat.S_ISREG(status.st_mode) and status.st_nlink > 1:
            linked[status.st_dev, status.st_ino] = hide
        return
    real_root, target = os.path.realpath(root), os.path.realpath(entry.path)
    if os.path.commonpath([real_root, target]) == target:
        found.faults.append(f"{path} is a link that leads to the root or above it")
    elif target.startswith(real_root.rstrip(os.sep) + os.sep) and os.path.lexists(target):
        (found.hidden if hide else found.read_only).add(os.path.relpath(target, real_root))


def _other_names(found: Survey, root: Path, linked: dict[tuple[int, int], bool]) -> None:
    """Close every other name of protected files that have several: one content, many ways to it."""
    for folder, _, names in os.walk(root):
        for name in names:
            status = os.lstat(os.path.join(folder, name))
            hide = linked.get((status.st_dev, status.st_ino))
            if hide is not None:
                path = os.path.relpath(os.path.join(folder, name), root)
                (found.hidden if hide else found.read_only).add(path)
