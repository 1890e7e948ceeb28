"""Files below a root, and nothing else.

A path is first checked as text: relative, "/" between names, no ".", "..", empty, hidden control or backslash parts.
Then it is opened name by name, each relative to the directory before it and never through a symbolic link, so nothing
can be exchanged between the check and the use: there is no check, only the use. What is opened at the end must be a
regular file (not a pipe, a device or a directory) and no larger than the reader allows.

A write goes to a temporary name that carries the caller's token, is synchronised, then renamed over the target:
readers see the old file or the new one, and two attempts never share a temporary file.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import unicodedata
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from planvow.cassette.errors import FileChangedError, PathRefusedError, StorageError
from planvow.cassette.files import system
from planvow.cassette.files.protected import protected_name

MAX_PATH_BYTES = 4096
MAX_NAME_BYTES = 200  # file systems allow 255; a temporary name is longer than its target
WRITES_NEED = "steps that write files need Linux or macOS; planning, proving and the ledger work here"
DEFAULT_MAX_BYTES = 10_000_000  # seed 002: the default of max_bytes

_FOLDER = os.O_RDONLY | system.DIRECTORY | system.NOFOLLOW | system.CLOEXEC
_FILE = os.O_RDONLY | system.NOFOLLOW | system.NONBLOCK | system.CLOEXEC  # NONBLOCK: opening a pipe must not wait
_DISK_TROUBLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | system.NOFOLLOW | system.CLOEXEC


@dataclass(frozen=True, kw_only=True)
class Written:
    """What a write changed: hashes of the content before (None: there was no file) and after."""

    path: str
    before_sha256: str | None
    after_sha256: str
    size: int


def checked_parts(path: str) -> tuple[str, ...]:
    """Return the names of a relative path, or raise PathRefusedError saying what is wrong with it."""
    if not isinstance(path, str) or not path:
        raise PathRefusedError("a path is a text that is not empty")
    if not path.isprintable():
        raise PathRefusedError("a path contains no control or invisible characters", place=ascii(path)[:100])
    try:
        size = len(path.encode("utf-8"))
    except UnicodeEncodeError:
        raise PathRefusedError("a path contains no lone surrogates", place=ascii(path)[:100]) from None
    if size > MAX_PATH_BYTES:
        raise PathRefusedError(f"a path has at most {MAX_PATH_BYTES} bytes")
    if path.startswith("/") or "\\" in path or (len(path) > 1 and path[1] == ":"):
        raise PathRefusedError('a path is relative to the root and uses "/" only', place=path[:100])
    if unicodedata.normalize("NFC", path) != path:
        raise PathRefusedError("a path is written in Unicode normal form C", place=path[:100])
    parts = tuple(path.split("/"))
    for part in parts:
        if part in ("", ".", ".."):
            raise PathRefusedError(f"a path has no {part!r} part", place=path[:100])
        if len(part.encode("utf-8")) > MAX_NAME_BYTES:
            raise PathRefusedError(f"a name has at most {MAX_NAME_BYTES} bytes", place=path[:100])
    return parts


class Root:
    """An open directory below which files are read and written, but for the protected names and `closed` paths."""

    def __init__(self, path: str | Path, *, closed: Collection[str] = ()) -> None:
        self.path = Path(path)
        self._closed = tuple(closed)
        self._fd = -1
        if not system.HAS_FOLDERS and self.path.is_dir():
            return
        try:
            self._fd = os.open(self.path, os.O_RDONLY | system.DIRECTORY | system.CLOEXEC)
        except OSError as error:
            raise PathRefusedError(f"the root cannot be opened: {error.strerror}", place=str(path)) from None

    def __enter__(self) -> Root:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def read(self, path: str, *, max_bytes: int = DEFAULT_MAX_BYTES) -> bytes:
        """Return a file's content; a file larger than `max_bytes` is refused before it is read."""
        parts = checked_parts(path)
        if not system.HAS_FOLDERS:
            return self._read_by_name(parts, path, max_bytes)
        with self.folder(parts, path) as folder:
            return _read_regular(folder, parts[-1], path, max_bytes)

    def _read_by_name(self, parts: tuple[str, ...], path: str, max_bytes: int) -> bytes:
        """Read where nothing can be opened relative to a folder: links are looked for first, one name after another."""
        place = self.path
        for name in parts:
            place = place / name
            if place.is_symlink():
                raise PathRefusedError("a symbolic link is not followed", place=path)
        return _read_regular(None, str(place), path, max_bytes)

    def write(self, path: str, data: bytes, *, token: str, make_folders: bool = True) -> Written:
        """Replace or create a file atomically. `token` is unique to this attempt and fit for a file name."""
        return self.change(path, lambda _old: data, token=token, make_folders=make_folders, may_create=True)

    def change(
        self,
        path: str,
        new_content: Callable[[bytes], bytes],
        *,
        token: str,
        expected_sha256: str | None = None,
        may_create: bool = False,
        make_folders: bool = False,
        max_bytes: int = DEFAULT_MAX_BYTES,
    ) -> Written:
        """Replace a file by a function of its content, atomically; raise FileChangedError if it is not as expected."""
        parts = checked_parts(path)
        self.check_open(path)
        with self.folder(parts, path, make=make_folders) as folder:
            old, mode = _present(folder, parts[-1], path, max_bytes)
            if old is None and not may_create:
                raise FileChangedError("there is no such file", place=path)
            before = None if old is None else hashlib.sha256(old).hexdigest()
            if expected_sha256 is not None and before != expected_sha256:
                raise FileChangedError(f"the file's hash is {before}, expected {expected_sha256}", place=path)
            data = new_content(old or b"")
            try:
                _replace(folder, parts[-1], data, token, mode)
            except OSError as error:
                raise _not_written(error, path) from error
        return Written(path=path, before_sha256=before, after_sha256=hashlib.sha256(data).hexdigest(), size=len(data))

    def check_open(self, path: str) -> None:
        """Raise PathRefusedError for a path that is protected by name, or is or lies below a closed one."""
        found = protected_name(checked_parts(path))
        if found is None:
            plain = path.casefold()  # a file system may not tell case apart; a database's journal is part of it
            closed = ((name, name.casefold()) for name in self._closed)
            found = next((name for name, c in closed if plain == c or plain.startswith((f"{c}/", f"{c}-"))), None)
        if found is not None:
            raise PathRefusedError(f"nothing is written to {found}, nor below it", place=path)

    @contextmanager
    def folder(self, parts: tuple[str, ...], path: str, *, make: bool = False) -> Iterator[int]:
        """Open the directory that holds the last name."""
        if not system.HAS_FOLDERS:
            raise PathRefusedError(
                "this system cannot keep writers below a folder, so nothing is written", place=path, hint=WRITES_NEED
            )
        fd = os.dup(self._fd)
        try:
            for name in parts[:-1]:
                try:
                    deeper = _open_folder(fd, name, make=make)
                except OSError as error:
                    raise _not_written(error, path) from None
                os.close(fd)
                fd = deeper
            yield fd
        finally:
            os.close(fd)


def _open_folder(parent: int, name: str, *, make: bool) -> int:
    if make:
        try:
            os.mkdir(name, 0o777, dir_fd=parent)
        except FileExistsError:
            pass
        else:
            os.fsync(parent)
    return os.open(name, _FOLDER, dir_fd=parent)


def _present(folder: int, name: str, path: str, max_bytes: int) -> tuple[bytes | None, int]:
    """Return the content and mode of what stands at the target, or None for nothing."""
    try:
        found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None, 0o666 & ~_umask()
    return _read_regular(folder, name, path, max_bytes), stat.S_IMODE(found.st_mode) & 0o777


def _read_regular(folder: int | None, name: str, path: str, max_bytes: int) -> bytes:
    try:
        fd = os.open(name, _FILE, dir_fd=folder)
    except OSError as error:
        raise _refusal(error, path) from None
    try:
        facts = os.fstat(fd)
        if not stat.S_ISREG(facts.st_mode):
            raise PathRefusedError("not a regular file", place=path)
        if facts.st_size > max_bytes:
            raise PathRefusedError(f"the file has {facts.st_size} bytes, at most {max_bytes} are read", place=path)
        chunks: list[bytes] = []
        left = max_bytes + 1  # one more, to notice a file that grows while it is read
        while left > 0 and (chunk := os.read(fd, min(left, 1 << 20))):
            chunks.append(chunk)
            left -= len(chunk)
        if left <= 0:
            raise PathRefusedError(f"the file grew beyond {max_bytes} bytes while it was read", place=path)
        return b"".join(chunks)
    finally:
        os.close(fd)


def _replace(folder: int, name: str, data: bytes, token: str, mode: int) -> None:
    temporary = f".{name}.{hashlib.sha256(token.encode('utf-8')).hexdigest()[:12]}.tmp"
    with suppress(FileNotFoundError):
        os.unlink(temporary, dir_fd=folder)  # an earlier attempt with this token was killed half-way
    fd = os.open(temporary, _NEW, mode, dir_fd=folder)
    try:
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(fd, view) :]
            os.fchmod(fd, mode)
            os.fsync(fd)
        finally:
            os.close(fd)
        os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(temporary, dir_fd=folder)
        raise
    os.fsync(folder)


def _refusal(error: OSError, path: str) -> PathRefusedError:
    if error.errno in (errno.ELOOP, errno.EMLINK):
        return PathRefusedError("a symbolic link is not followed", place=path)
    if error.errno == errno.ENOTDIR:
        return PathRefusedError("a part of the path is a symbolic link or not a folder", place=path)
    if error.errno == errno.ENXIO:
        return PathRefusedError("not a regular file", place=path)
    return PathRefusedError(f"cannot be opened: {error.strerror}", place=path)


def _not_written(error: OSError, path: str) -> PathRefusedError | StorageError:
    if error.errno in _DISK_TROUBLE:
        return StorageError(f"cannot be written: {error.strerror}", place=path)
    return _refusal(error, path)


def _umask() -> int:
    """Return the process's umask without changing it where the system says it."""
    try:
        for line in Path("/proc/self/status").read_text("ascii").splitlines():
            if line.startswith("Umask:"):
                return int(line.split()[1], 8)
    except OSError:
        pass
    return 0o022
