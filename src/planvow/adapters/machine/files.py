"""A user's files: read with an error that says what is wrong with them, written whole or not at all."""

from __future__ import annotations

import errno
import json
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from planvow.errors import FileAccessError, InputError, PlanvowError

_FILE_FAULTS = frozenset({
    errno.EACCES, errno.EDQUOT, errno.EEXIST, errno.EISDIR, errno.ELOOP, errno.ENAMETOOLONG, errno.ENOSPC,
    errno.ENOTDIR, errno.EPERM, errno.EROFS,
})  # fmt: skip


def file_fault(error: OSError) -> PlanvowError | None:
    """Return what the system says about a user's file or folder as an error with a place, None for anything else."""
    if error.errno not in _FILE_FAULTS or error.filename is None:
        return None
    return FileAccessError(f"cannot be used: {error.strerror}", place=str(error.filename))


def read_text(path: Path) -> str:
    """Read a UTF-8 file, `-` for standard input, or raise InputError saying what is wrong with it."""
    try:
        return sys.stdin.buffer.read().decode("utf-8") if str(path) == "-" else path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError("there is no such file", place=str(path)) from None
    except IsADirectoryError:
        raise InputError("this is a folder, a file was expected", place=str(path)) from None
    except PermissionError:
        raise InputError("this file may not be read", place=str(path)) from None
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 text: byte {error.start} is {error.reason}", place=str(path)) from None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {error}", place=str(path)) from None


def read_json(path: Path) -> Any:
    """Read a JSON file, or raise InputError with the line and column of the fault."""
    return parse_json(read_text(path), place=str(path))


def parse_json(text: str, *, place: str, line: int = 1) -> Any:
    """Parse JSON text, or raise InputError with the line and column of the fault. A key given twice is a fault.

    `line` is where the text begins in what it stands in.
    """

    def without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise InputError(f"the key {twice!r:.80} stands twice in one object", place=place)
        return found

    try:
        return json.loads(text, object_pairs_hook=without_repeats)
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON: {error.msg}", place=f"{place}:{error.lineno + line - 1}:{error.colno}") from None
    except RecursionError:
        raise InputError("JSON is nested too deeply", place=place) from None
    except ValueError as error:  # a number of thousands of digits
        raise InputError(f"not usable as JSON: {error}", place=place) from None


def write_text(path: Path, text: str, *, parents: bool = False) -> None:
    """Write a UTF-8 file, with `parents` its folder too, or raise InputError saying why it cannot be written."""
    write_bytes(path, text.encode("utf-8", "replace"), parents=parents)


def write_bytes(path: Path, data: bytes, *, parents: bool = False) -> None:
    """Write a file whole or not at all, or raise InputError saying why it cannot be written."""
    with replacing(path, parents=parents) as draft, draft.open("wb") as file:
        file.write(data)
        file.flush()
        if draft != path:
            os.fsync(file.fileno())  # a full disk must show before the old file is gone


@contextmanager
def replacing(path: Path, *, parents: bool = False) -> Iterator[Path]:
    """Yield a draft in the same folder that takes the file's place when the block ends well, and vanishes when not.

    A link stays a link to the new content, a file keeps its permissions, a pipe or a device is written as it is.
    """
    draft: Path | None = None
    try:
        final = path.resolve() if path.is_symlink() else path
        if parents:
            final.parent.mkdir(parents=True, exist_ok=True)
        if final.exists() and not final.is_file():
            yield path
            return
        import secrets  # with all of chance behind it; most commands write no file

        draft = final.with_name(f".{secrets.token_hex(8)}.part")
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
        if final.exists():
            if not os.access(final, os.W_OK):
                raise PermissionError("this file may not be written")
            draft.chmod(stat.S_IMODE(final.stat().st_mode))
        yield draft
        draft.replace(final)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be written: {getattr(error, 'strerror', None) or error}", place=str(path)) from None
    finally:
        if draft is not None:
            with suppress(OSError):
                draft.unlink()
