"""The file tools of the goal planner, confined to one folder.

Every path of a plan is absolute text; only what lies below the workspace is touched, name by name and never through a
symbolic link (`cassette/files/below_root.py`). Nothing is destroyed: what is deleted moves to a trash folder inside the
workspace. Each tool looks just before it acts whether what it should bring about is true already, and then does
nothing.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from planvow.cassette.errors import FileChangedError, PathRefusedError
from planvow.cassette.files.below_root import Root, checked_parts
from planvow.cassette.files.protected import protected_name
from planvow.goals.run.copying import copy_content
from planvow.goals.run.idempotence import DONE_BEFORE, append_once, taking_turns

DATA_FOLDER = ".planvow"
TRASH = "trash"
STAGING = "staging"
SKIPPED = {"status": "skipped", "reason": "already true"}
Args = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """A try at a call: a name no other try has, and the name of the call itself."""

    token: str
    step: str


class Workspace:
    """One folder and what the file tools may do in it."""

    def __init__(self, root: Path, *, closed: Iterable[Path] = ()) -> None:
        self.root = root.resolve()
        self._prefix = str(self.root).rstrip("/") + "/"
        self._closed = tuple(str(path.resolve()) for path in closed)
        """Files that decide what a worker does: no goal touches them."""

    def run(self, tool: str, args: Args, token: str, *, step: str | None = None) -> dict[str, Any]:
        """Carry out one tool call; return what happened, or raise with the path and the reason.

        `token` names this attempt, `step` what all attempts at this call share; without it there is only one attempt.
        """
        with Root(self.root) as root:
            return _TOOLS[tool](self, root, args, Attempt(token=token, step=step or token))

    def check(self, tool: str, args: Args) -> None:
        """Refuse a call whose paths lead out of the workspace, without touching anything."""
        for name in ("path", "destination"):
            if name in args and not (tool == "files.list" and self._is_root(args[name])):
                self.relative(args[name])

    def _is_root(self, path: str) -> bool:
        return path.rstrip("/") == self._prefix.rstrip("/")

    def relative(self, path: str) -> str:
        """Return a path as it is below the workspace, or refuse it."""
        if not path.startswith(self._prefix):
            raise PathRefusedError(
                "outside the workspace; only what lies below --workspace is touched", place=path[:100]
            )
        inner = path[len(self._prefix) :].rstrip("/")
        closed = protected_name(checked_parts(inner))
        if closed is not None:
            raise PathRefusedError(f"{closed} is not for goals", place=path[:100])
        whole = str((self.root / inner).resolve())
        if any(held == whole or held.startswith(f"{whole}/") for held in self._closed):
            raise PathRefusedError("it decides what this worker does and is not for goals", place=path[:100])
        return inner

    def _create_folder(self, root: Root, args: Args, attempt: Attempt) -> dict[str, Any]:
        path = self.relative(args["path"])
        if _kind(root, path) == "folder":
            return dict(SKIPPED)
        if _kind(root, path) is not None:
            raise FileChangedError("a file of this name is in the way", place=path)
        parts = checked_parts(path)
        with root.folder(parts, path, make=bool(args.get("parents", True))) as parent:
            try:
                os.mkdir(parts[-1], dir_fd=parent)
            except FileExistsError:
                raise FileChangedError("something of this name appeared just now", place=path) from None
        return {"status": "done", "created": path}

    def _create_file(self, root: Root, args: Args, attempt: Attempt) -> dict[str, Any]:
        path, data = self.relative(args["path"]), str(args.get("content", "")).encode()
        if _kind(root, path) == "file":
            if not data or root.read(path) == data:
                return dict(SKIPPED)
            raise FileChangedError("the file exists with other content", place=path)
        written = root.write(path, data, token=attempt.token, make_folders=bool(args.get("create_parents", True)))
        return {"status": "done", "created": path, "sha256": written.after_sha256}

    def _write(self, root: Root, args: Args, attempt: Attempt) -> dict[str, Any]:
        path, data = self.relative(args["path"]), str(args["content"]).encode()
        if _kind(root, path) == "file" and root.read(path) == data:
            return dict(SKIPPED)
        return {"status": "done", "sha256": root.write(path, data, token=attempt.token).after_sha256}

    def _append(self, root: Root, args: Args, attempt: Attempt) -> dict[str, Any]:
        path, data = self.relative(args["path"]), str(args["content"]).encode()
        sha256 = append_once(root, path, data, step=attempt.step, token=attempt.token)
        return dict(DONE_BEFORE) if sha256 is None else {"status": "done", "sha256": sha256}

    def _read(self, root: Root, args: Args, attempt: Attempt) -> dict[str, Any]:
        text = root.read(self.relative(args["path"]), max_bytes=262_144).decode("utf-8", "replace")
        return {"status": "done", "content": text}

    def _list(self, root: Root, args: Args, attempt: Attempt) -> dict[str, Any]:
        path = None if self._is_root(args["path"]) else self.relative(args["path"])
        with _folder(root, path) as folder:
            names = set(os.listdir(folder)) - ({DATA_FOLDER} if path is None else set())  # ours, not the user's
            return {"status": "done", "names": sorted(names)}

    def _delete_file(self, root: Root, args: Args, attempt: Attempt) -> dict[str, Any]:
        path = self.relative(args["path"])
        kind = _kind(root, path)
        if kind == "folder":
            raise FileChangedError("a folder, not a file", place=path)
        return dict(SKIPPED) if kind is None else self._to_trash(root, path, attempt.token)

    def _delete_folder(self, root: Root, args: Args, attempt: Attempt) -> dict[str, Any]:
        path = self.relative(args["path"])
        kind = _kind(root, path)
        if kind is None:
            return dict(SKIPPED)
        if kind != "folder":
            raise FileChangedError("a file, not a folder", place=path)
        with _folder(root, path) as folder:
            if os.listdir(folder) and not args.get("recursive"):
                raise FileChangedError("the folder is not empty and recursive was not asked for", place=path)
        return self._to_trash(root, path, attempt.token)

    def _to_trash(self, root: Root, path: str, token: str) -> dict[str, Any]:
        kept = f"{DATA_FOLDER}/{TRASH}/{token}/{checked_parts(path)[-1]}"
        _move(root, path, kept)
        return {"status": "done", "moved_to": kept}

    def _rename(self, root: Root, args: Args, attempt: Attempt) -> dict[str, Any]:
        path = self.relative(args["path"])
        return _moved(root, path, lambda: "/".join((*checked_parts(path)[:-1], args["new_name"])), attempt.step)

    def _move(self, root: Root, args: Args, attempt: Attempt) -> dict[str, Any]:
        path = self.relative(args["path"])
        return _moved(root, path, lambda: self._target(root, path, args["destination"]), attempt.step)

    def _copy(self, root: Root, args: Args, attempt: Attempt) -> dict[str, Any]:
        path = self.relative(args["path"])
        if _kind(root, path) == "folder":
            return self._copy_folder(root, path, args["destination"], attempt.step)
        there = self._target(root, path, args["destination"])
        data = root.read(path)
        if _kind(root, there) == "file":
            if root.read(there) == data:
                return dict(SKIPPED)
            raise FileChangedError("a file of this name is there already", place=there)
        made = root.write(there, data, token=attempt.token)
        return {"status": "done", "copied_to": there, "sha256": made.after_sha256}

    def _copy_folder(self, root: Root, path: str, destination: str, step: str) -> dict[str, Any]:
        """Copy into a place of our own first, then move: a folder is there as a whole or not at all."""
        staged = f"{DATA_FOLDER}/{STAGING}/{step}"
        with taking_turns(root, step) as note:
            if note.is_left() and _kind(root, staged) is None:
                return dict(DONE_BEFORE)
            there = self._target(root, path, destination)
            if f"{there}/".startswith(f"{path}/"):
                raise PathRefusedError("a folder does not go into itself", place=there)
            if _kind(root, there) is not None:
                raise FileChangedError("something of this name is there already", place=there)
            note.take_back()  # what an earlier attempt staged may be out of date
            _clear(root, staged)
            try:
                with _folder(root, path) as source, _folder(root, staged, make=True) as copy:
                    count = copy_content(source, copy, path)
                note.leave()
                _move(root, staged, there)
            except BaseException:
                if _kind(root, staged) is not None:
                    note.take_back()
                    _clear(root, staged)
                raise
        return {"status": "done", "copied_to": there, "entries": count}

    def _target(self, root: Root, path: str, destination: str) -> str:
        """A destination that is a folder takes the thing in; any other name is its new path."""
        there = self.relative(destination)
        return f"{there}/{checked_parts(path)[-1]}" if _kind(root, there) == "folder" else there


def _moved(root: Root, path: str, target: Callable[[], str], step: str) -> dict[str, Any]:
    with taking_turns(root, step) as note:
        if note.is_left() and _kind(root, path) is None:
            return dict(DONE_BEFORE)
        there = target()
        if _kind(root, path) is None and _kind(root, there) is not None:
            return dict(SKIPPED)
        if _kind(root, there) is not None:
            raise FileChangedError("something of this name is there already", place=there)
        if _kind(root, path) is not None:
            note.leave()
        _move(root, path, there)
    return {"status": "done", "moved_to": there}


def _clear(root: Root, staged: str) -> None:
    """Remove what was staged: by name in an open folder, links not followed."""
    parts = checked_parts(staged)
    with suppress(PathRefusedError), root.folder(parts, staged) as folder:
        shutil.rmtree(parts[-1], dir_fd=folder, ignore_errors=True)


def _folder(root: Root, path: str | None, *, make: bool = False) -> AbstractContextManager[int]:
    """Open a folder below the root, or the root itself."""
    parts = () if path is None else checked_parts(path)
    return root.folder((*parts, "."), path or ".", make=make)


def _kind(root: Root, path: str) -> str | None:
    """Return what stands at a path: file, folder, other, or None for nothing."""
    parts = checked_parts(path)
    try:
        with root.folder(parts, path) as folder:
            mode = os.stat(parts[-1], dir_fd=folder, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return None
    except PathRefusedError as error:
        if isinstance(error.__context__, FileNotFoundError):  # a folder on the way is not there either
            return None
        raise
    return "folder" if stat.S_ISDIR(mode) else "file" if stat.S_ISREG(mode) else "other"


def _move(root: Root, path: str, there: str) -> None:
    parts, new = checked_parts(path), checked_parts(there)
    with root.folder(parts, path) as source, root.folder(new, there, make=True) as target:
        try:
            _rename_onto_nothing(parts[-1], new[-1], source, target)
        except FileNotFoundError:
            raise FileChangedError("there is no such file", place=path) from None
        except OSError as error:
            raise FileChangedError(f"cannot be moved: {error.strerror}", place=there) from None


def _rename_onto_nothing(old: str, new: str, source: int, target: int) -> None:
    """Rename without ever replacing a file that appeared meanwhile; a folder never replaces one that holds anything."""
    if not stat.S_ISDIR(os.stat(old, dir_fd=source, follow_symlinks=False).st_mode):
        try:
            os.link(old, new, src_dir_fd=source, dst_dir_fd=target, follow_symlinks=False)
        except OSError as error:
            if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.EMLINK):
                raise
        else:
            os.unlink(old, dir_fd=source)
            return
    os.rename(old, new, src_dir_fd=source, dst_dir_fd=target)


_TOOLS: dict[str, Callable[[Workspace, Root, Args, Attempt], dict[str, Any]]] = {
    "files.create_folder": Workspace._create_folder,
    "files.create_file": Workspace._create_file,
    "files.delete_folder": Workspace._delete_folder,
    "files.delete_file": Workspace._delete_file,
    "files.rename": Workspace._rename,
    "files.move": Workspace._move,
    "files.copy": Workspace._copy,
    "files.read": Workspace._read,
    "files.write": Workspace._write,
    "files.append": Workspace._append,
    "files.list": Workspace._list,
}
FILE_TOOLS = tuple(_TOOLS)
