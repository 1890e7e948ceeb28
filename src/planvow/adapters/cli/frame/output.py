"""How every command answers: results on stdout, everything else on stderr, errors with code, place and hint.

Whatever reaches a terminal goes through here, and with it through `visible`; a file or a pipe gets results byte for
byte.
"""

from __future__ import annotations

import errno
import json
import os
import secrets
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO

from planvow.adapters.cli.frame.visible import visible, without_passwords
from planvow.canonical import to_jsonable
from planvow.errors import FileAccessError, InputError, PlanvowError

_kept: list[TextIO] = []
_answered = False


def keep_stdout_for_results() -> None:
    """Send what a user's own code prints from now on to stderr; `print_result` still reaches stdout.

    That holds for what it starts and for what writes to the descriptor itself, too.
    """
    if sys.stdout is sys.stderr:
        return
    _kept[:] = [_apart(sys.stdout)]
    sys.stdout = sys.stderr


def _apart(stream: TextIO) -> TextIO:
    """Return a stream to where stdout led, and let its descriptor lead to stderr; a stand-in stays as it is."""
    try:
        stream.flush()
        if stream.fileno() != 1:
            return stream
        kept = os.fdopen(os.dup(1), "w", encoding=stream.encoding, errors=stream.errors)
        os.dup2(2, 1)
    except (OSError, ValueError, AttributeError):  # closed, or never opened
        return stream
    return kept


def print_result(text: str) -> None:
    """Write a result to stdout as whole lines, whatever the terminal's encoding can show."""
    print_exactly(text if text.endswith("\n") else text + "\n")


def failure_line(answer: Any) -> str:
    """Return the status and the reason of an answer without a plan, and that there is none only once."""
    return f"{answer.status}: {answer.reason.removeprefix('there is no plan: ')}"


def print_exactly(text: str) -> None:
    """Write a result to stdout and nothing else, not even an end of line."""
    stream = _kept[0] if _kept and sys.stdout is sys.stderr else sys.stdout
    if stream is None:
        raise InputError("the result cannot be written: it is closed", place="standard output")
    try:
        _write_whole(stream, visible(text) if stream.isatty() else text)
    except OSError as error:
        _abandon(stream)
        if isinstance(error, BrokenPipeError):
            raise
        raise InputError(f"the result cannot be written: {error.strerror or error}", place="standard output") from None
    global _answered
    _answered = True


def _write_whole(stream: TextIO, text: str) -> None:
    """Write all of a text: an unbuffered stream writes what fits and says nothing of the rest."""
    stream.flush()
    if not hasattr(stream, "buffer"):  # a stand-in without bytes
        stream.write(text)
        return
    try:
        left = memoryview(text.encode(stream.encoding or "utf-8"))
    except UnicodeEncodeError:
        left = memoryview(text.encode("utf-8", "replace"))
    while left:
        written = stream.buffer.write(left)
        if not written:
            raise OSError(errno.EAGAIN, "it takes no more")
        left = left[written:]
    stream.buffer.flush()


def _abandon(stream: TextIO) -> None:
    """Let what a stream still holds go nowhere, or the interpreter would fail on it once more at its end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def print_json(value: Any) -> None:
    """Write exactly one JSON document to stdout."""
    print_result(visible(json.dumps(to_jsonable(value), ensure_ascii=False, indent=2, sort_keys=True)))


def note(text: str) -> None:
    """Write a remark for people to stderr; when nobody reads there, the work goes on."""
    try:
        sys.stderr.write(visible(without_passwords(text)) + "\n")
        sys.stderr.flush()
    except OSError:
        _abandon(sys.stderr)


def print_error(error: PlanvowError) -> None:
    """Write an error for people to stderr: code, place, message, hint; for programs, with `--json`, to stdout."""
    place = f"{error.place}: " if error.place else ""
    note(f"planvow: {error.code} {place}{error.message}")
    if error.hint:
        note(f"  hint: {error.hint}")
    note(f"  more: planvow explain-error {error.code}")
    if "--json" in sys.argv[1:] and not _answered:
        told = {"message": error.message, "place": error.place, "hint": error.hint, "details": error.details}
        print_json({"error": {"code": error.code, "retryable": error.retryable, **told}})


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


def parse_json(text: str, *, place: str) -> Any:
    """Parse JSON text, or raise InputError with the line and column of the fault. A key given twice is a fault."""

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
        raise InputError(f"not JSON: {error.msg}", place=f"{place}:{error.lineno}:{error.colno}") from None
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
