"""How every command answers: results on stdout, everything else on stderr, errors with code, place and hint.

Whatever reaches a terminal goes through here, and with it through `visible`; a file or a pipe gets results byte for
byte.
"""

from __future__ import annotations

import errno
import json
import os
import sys
from contextlib import suppress
from typing import Any, TextIO

from planvow.adapters.cli.frame.terminal import IN_ASCII, fitted, plain_characters, terminal_width
from planvow.adapters.cli.frame.visible import visible, without_passwords
from planvow.canonical import to_jsonable
from planvow.errors import InputError, PlanvowError

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
    """Write a result for people to stdout: whole lines, no wider than a terminal, drawn with what it can show."""
    stream = results_stream()
    if stream is not None and plain_characters(stream):
        text = text.translate(IN_ASCII)
    width = terminal_width(stream)
    print_document(text if width is None else fitted(text, width))


def print_document(text: str) -> None:
    """Write a document to stdout as it is, as whole lines: JSON, a plan in its own language, a text to copy."""
    print_exactly(text if text.endswith("\n") else text + "\n")


def results_stream() -> TextIO | None:
    """Return where results go, also while what users' code prints is sent elsewhere."""
    return _kept[0] if _kept and sys.stdout is sys.stderr else sys.stdout


def failure_line(answer: Any) -> str:
    """Return the status and the reason of an answer without a plan, and neither of them twice."""
    reason = answer.reason.removeprefix("there is no plan: ").removeprefix(f"{answer.status} ")
    return f"{answer.status}: {reason}"


def print_exactly(text: str) -> None:
    """Write a result to stdout and nothing else, not even an end of line."""
    stream = results_stream()
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
    print_document(visible(json.dumps(to_jsonable(value), ensure_ascii=False, indent=2, sort_keys=True)))


def note(text: str) -> None:
    """Write a remark for people to stderr, no wider than a terminal; when nobody reads there, the work goes on."""
    try:
        told, width = visible(without_passwords(text)), terminal_width(sys.stderr)
        told = (told if width is None else fitted(told, width)) + "\n"
        sys.stderr.write(told.translate(IN_ASCII) if plain_characters(sys.stderr) else told)
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
