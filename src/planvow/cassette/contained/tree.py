"""The tree a command works in: what in it may not be opened, what may not be written, and what came up meanwhile.

Mounts can only protect what is there. What gets a protected name while the command runs (a new `.git` with its hooks,
say) is found afterwards and taken out of the tree, into quarantine: nothing is lost, and nothing runs it by accident.
Links are never followed: where one with a protected name leads, or one inside something protected, is protected in its
own place, and so is what a `.git` names elsewhere. Such places are reached through folders that may be written, so a
link that leads elsewhere than before is taken out, too.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from planvow.cassette.contained.repository import named_by
from planvow.cassette.errors import PathRefusedError
from planvow.cassette.files.protected import CREDENTIALS, OWN, PROTECTED, is_one_of

HIDDEN_NAMES = OWN | CREDENTIALS
GIT = frozenset({".git"})
UPWARD, OUTSIDE, NOWHERE = "up", "out", "nowhere"
CONTENT = frozenset({"objects", "lfs"})  # of a repository: large, named by hashes, never run


class Identity(NamedTuple):
    """What a path stands for: another file under the same name has another one."""

    device: int
    inode: int
    kind: int
    link_to: str | None
    leads: str | tuple[int, int] | None = None
    """Where a link leads: a device and inode below the root, or in words where there is none."""


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
    awaited: set[str] = field(default_factory=set)
    """What would be protected if it were there."""
    writable: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def closed_paths(self) -> frozenset[str]:
        """Return what may not be written although its own name does not say so: targets of links, mostly."""
        return frozenset(self.hidden | self.read_only | self.awaited)


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


class Settled(NamedTuple):
    """What was wrong with a tree, and whether all of it could be taken out."""

    wrong: list[str]
    is_done: bool


def settle(tree: Tree, before: Survey, quarantine: Path, *, is_later: bool = False) -> Settled:
    """Take out what got a protected name since the survey, put back links that are gone; say what was wrong.

    `is_later` says that people may have been there since: what stands in the root itself, which no command can rename
    or replace, is theirs if it was there before.
    """
    after = _look(tree, mend=True)
    known, faults = set(before.guarded.values()), [*after.faults]
    wrong = sorted(path for path, identity in after.guarded.items() if before.guarded.get(path) != identity)
    if is_later:
        wrong = [path for path in wrong if "/" in path or path not in before.guarded]
    for number, path in enumerate(wrong):
        # One that is known is what it was: a folder above it was renamed.
        if after.guarded[path] not in known and os.path.lexists(tree.root / path):
            fault = _taken_out(tree.root / path, quarantine / f"{number}-{path.rpartition('/')[2]}")
            faults += [] if fault is None else [f"{path} cannot be taken out: {fault}"]
    for path, identity in sorted(before.guarded.items()):
        place = tree.root / path
        if identity.link_to is not None and not os.path.lexists(place) and place.parent.is_dir():
            _put_back(tree.root, place, identity.link_to, identity)
            wrong.append(path)
    return Settled([*faults, *dict.fromkeys(wrong)], not faults)


def _taken_out(place: Path, to: Path) -> str | None:
    """Move something out of the tree, also where its folders were shut meanwhile; return why that is not possible."""
    try:
        to.parent.mkdir(parents=True, exist_ok=True)
        _open_up(place.parent)
        if not place.is_symlink() and place.is_dir():
            _open_up(place)
            for folder, folders, _ in os.walk(place):
                for name in folders:
                    _open_up(Path(folder, name))
        shutil.move(place, to)
    except OSError as error:
        return error.strerror or str(error)
    return None


def _open_up(folder: Path) -> None:
    if not folder.is_symlink() and not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        os.chmod(folder, 0o700)


def _put_back(root: Path, place: Path, link_to: str, identity: Identity) -> None:
    """Make a link anew, unless it would lead elsewhere by now."""
    os.symlink(link_to, place)
    if _leads_to(root, str(place)) != identity.leads:
        place.unlink()


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
    if entry.is_symlink():
        identity = _guard_link(found, root, path, hide=hide)
        if identity.leads == UPWARD:
            found.faults.append(f"{path} is a link that leads to the root or above it")
        return
    found.guarded[path] = Identity(status.st_dev, status.st_ino, stat.S_IFMT(status.st_mode), None)
    (found.hidden if hide else found.read_only).add(path)
    if stat.S_ISREG(status.st_mode) and status.st_nlink > 1:
        linked[status.st_dev, status.st_ino] = hide
    if is_one_of(entry.name, GIT):
        for place in named_by(os.path.join(root, path)):
            _guard_place(found, root, place)
    if entry.is_dir(follow_symlinks=False) and not is_one_of(entry.name, OWN):
        for inner, several in _inside(root, path):
            if several is not None:
                linked[several] = hide
            elif not (_below(root, os.path.join(root, inner)) or "").startswith(f"{path}/"):
                _guard_link(found, root, inner, hide=hide)


def _guard_link(found: Survey, root: Path, path: str, *, hide: bool) -> Identity:
    """Remember a link and where it leads, and protect that place, if it is below the root."""
    place = os.path.join(root, path)
    status, target = os.lstat(place), _below(root, place)
    leads = _leads_to(root, place)
    identity = Identity(status.st_dev, status.st_ino, stat.S_IFMT(status.st_mode), os.readlink(place), leads)
    found.guarded[path] = identity
    if target is not None:
        there = found.hidden if hide else found.read_only
        (there if isinstance(leads, tuple) else found.awaited).add(target)
    return identity


def _guard_place(found: Survey, root: Path, place: str) -> None:
    """Protect what a `.git` names as if its name said so."""
    path = _below(root, place)
    if path is None or path in found.guarded:
        return
    if not os.path.lexists(os.path.join(root, path)):
        found.awaited.add(path)
        return
    status = os.lstat(os.path.join(root, path))
    found.guarded[path] = Identity(status.st_dev, status.st_ino, stat.S_IFMT(status.st_mode), None)
    found.read_only.add(path)


def _inside(root: Path, path: str) -> Iterator[tuple[str, tuple[int, int] | None]]:
    """Yield the links in a protected folder, and the files that have other names: with device and inode."""
    for folder, folders, names in os.walk(os.path.join(root, path)):
        for name in (*folders, *names):
            place = os.path.join(folder, name)
            status = os.lstat(place)
            if stat.S_ISLNK(status.st_mode):
                yield os.path.relpath(place, root), None
            elif stat.S_ISREG(status.st_mode) and status.st_nlink > 1:
                yield os.path.relpath(place, root), (status.st_dev, status.st_ino)
        folders[:] = sorted(set(folders) - CONTENT)


def _leads_to(root: Path, link: str) -> str | tuple[int, int]:
    """Return where a link leads, so that two looks at it can be compared."""
    real_root, target = os.path.realpath(root), os.path.realpath(link)
    if os.path.commonpath([real_root, target]) == target:
        return UPWARD
    if _below(root, link) is None:
        return OUTSIDE
    try:
        status = os.stat(target)
    except OSError:
        return NOWHERE
    return status.st_dev, status.st_ino


def _below(root: Path, place: str) -> str | None:
    """Return the real path of a place below the root, None where it is not below it."""
    real_root, real = os.path.realpath(root), os.path.realpath(place)
    return os.path.relpath(real, real_root) if real.startswith(real_root.rstrip(os.sep) + os.sep) else None


def _other_names(found: Survey, root: Path, linked: dict[tuple[int, int], bool]) -> None:
    """Close every other name of protected files that have several: one content, many ways to it."""
    for folder, _, names in os.walk(root):
        for name in names:
            status = os.lstat(os.path.join(folder, name))
            hide = linked.get((status.st_dev, status.st_ino))
            if hide is not None:
                path = os.path.relpath(os.path.join(folder, name), root)
                (found.hidden if hide else found.read_only).add(path)
