"""What a batch leaves: lines in the order of the inputs, and a manifest; and how far it came when it is stopped.

While a batch runs its lines stand in `OUT.part`, beside the manifest's beginning in `OUT.begun.json`. Both are there
whole lines at a time, so whatever ends the process, `--resume` goes on after the last whole line. Where it is over the
lines take the place of `OUT`, and `OUT.manifest.json` says what they are. Answers in files of their own: `folder.py`.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from planvow.adapters.machine.files import read_json, write_text
from planvow.cassette.files import system
from planvow.errors import FileAccessError, InputError
from planvow.service.batch.answering import Line
from planvow.service.batch.items import Item

FORMAT = "planvow-batch/2"
MOST_FAILURES = 1000
"""Failures the manifest names one by one; their number it always tells."""


def finished(path: Path, about: Mapping[str, Any], items: Iterable[Item]) -> dict[str, Any] | None:
    """Return the manifest of a batch that is over and was started with the same; None where there is none.

    The inputs are read only where there is one.
    """
    _, part, _, held = paths_of(path)
    if not (path.exists() and held.exists()) or part.exists():  # a folder is there before it is over
        return None
    manifest: dict[str, Any] = read_json(held)
    _same(manifest, {"format": FORMAT, **about}, held)
    asked = hashlib.sha256()
    for each in items:
        asked.update(bytes.fromhex(each.input_hash))
    if asked.hexdigest() != manifest.get("inputs_sha256"):
        hint = "the inputs changed since, or others are named: start anew into another file"
        raise InputError("it is over, and it answers other inputs", place=str(path), hint=hint)
    return manifest


def paths_of(path: Path) -> tuple[Path, Path, Path, Path]:
    """Return every file that a batch writes: the answers, its lines under way, its beginning, and the manifest."""
    part, begun, manifest = (path.with_name(path.name + end) for end in (".part", ".begun.json", ".manifest.json"))
    return path, part, begun, manifest


def _same(begun: Mapping[str, Any], about: Mapping[str, Any], place: Path) -> None:
    for name in about:
        if begun.get(name) != about[name]:
            hint = "resume with what it was started with, or start anew into another file"
            was, now = json.dumps(begun.get(name)), json.dumps(about[name])
            raise InputError(f"it was started with {name} {was}, not {now}", place=str(place), hint=hint)


class Output:
    """The file of a batch that is under way."""

    where = "beside"
    """Where the answers are kept until it is over."""

    def __init__(self, path: Path, about: Mapping[str, Any], *, resume: bool) -> None:
        self.path = path
        _, self._part, self._begun, self._manifest = paths_of(path)
        self._about = {"format": FORMAT, **about}
        self.done = self.failed = 0
        self._statuses: Counter[str] = Counter()
        self._failures: list[dict[str, str]] = []
        self._inputs, self._bytes = hashlib.sha256(), hashlib.sha256()
        self._file = self._open(resume=resume)

    def _open(self, *, resume: bool) -> BinaryIO:
        self._check_free()
        if self._part.exists() and not resume:
            hint = f"go on with --resume, or remove {self._part.name}"
            raise InputError("an unfinished batch is here", place=str(self._part), hint=hint)
        file = self._ours()
        try:
            if self._is_empty():
                write_text(self._begun, _text(self._about))
            else:
                _same(read_json(self._begun), self._about, self._begun)
        except BaseException:
            file.close()
            raise
        file.seek(0)
        return file

    def _check_free(self) -> None:
        """Refuse a place that is taken by something else."""
        if self.path.exists():
            hint = "name another file with -o, or move it away"
            raise InputError("it is there already", place=str(self.path), hint=hint)

    def _is_empty(self) -> bool:
        """Say whether no answer is written yet; those that are must be of the same batch."""
        return not self._part.stat().st_size

    def _ours(self) -> BinaryIO:
        """Open the lines for this call alone: what two wrote at once would be whole for neither."""
        try:
            self._part.parent.mkdir(parents=True, exist_ok=True)
            file = self._part.open("a+b")
        except OSError as error:
            raise unwritten(self._part, error) from None
        if not system.lock(file.fileno(), wait=False):
            file.close()
            hint = "wait until it is over, or end it and go on with --resume"
            raise InputError("another call is at work on this batch", place=str(self._part), hint=hint)
        return file

    def skip_done(self, items: Iterator[Item]) -> Iterator[Item]:
        """Pass over the inputs that are answered already, holding each against its answer; return the others.

        What was half written goes.
        """
        end = 0
        for number, line in enumerate(self._file, start=1):
            if not line.endswith(b"\n"):
                break
            self._passed_over(next(items, None), line, f"{self._part}:{number}")
            end += len(line)
        self._file.truncate(end)
        self._file.seek(end)
        return items

    def _passed_over(self, asked: Item | None, line: bytes, place: str) -> None:
        """Count an answer that was written before, if it answers this input."""
        said = read_answer(line, place)
        if asked is None or said["input_hash"] != asked.input_hash or said["id"] != asked.name:
            raise changed(place)
        code = (said.get("refusal") or (said.get("answer") or {}).get("refusal") or {}).get("code", "")
        self._count(asked, Line(written=line, status=said["status"], code=code))

    def add(self, items: Sequence[Item], lines: Sequence[Line]) -> None:
        """Write the answers of a chunk."""
        try:
            self._file.write(b"".join(line.written for line in lines))
            self._file.flush()
        except OSError as error:  # a full disk
            raise unwritten(self._part, error) from None
        for asked, line in zip(items, lines, strict=True):
            self._count(asked, line)

    def _count(self, asked: Item, line: Line) -> None:
        self.done += 1
        self._statuses[line.status] += 1
        self.failed += bool(line.code)
        if line.code and len(self._failures) < MOST_FAILURES:
            self._failures.append({"id": asked.name, "status": line.status, "code": line.code})
        self._inputs.update(bytes.fromhex(asked.input_hash))
        self._bytes.update(line.written)

    def finish(self) -> dict[str, Any]:
        """Put the lines in their place and write the manifest, which says nothing of when, where or how fast."""
        self._bring_to_disk()
        self._file.close()
        manifest = {
            **self._about,
            "inputs": self.done,
            "inputs_sha256": self._inputs.hexdigest(),
            "output_sha256": self._bytes.hexdigest(),
            "statuses": dict(sorted(self._statuses.items())),
            "failed": self.failed,
            "failures": self._failures,
        }
        write_text(self._manifest, _text(manifest))
        self._put_in_place()
        self._begun.unlink()
        return manifest

    def _bring_to_disk(self) -> None:
        os.fsync(self._file.fileno())

    def _put_in_place(self) -> None:
        self._part.replace(self.path)

    def close(self) -> None:
        """Leave it for a later `--resume`; where nothing is answered yet there is nothing to leave."""
        with suppress(OSError):  # what a full disk did not take it does not take now
            self._file.close()
        if self._part.exists() and self._is_empty():
            self._part.unlink(missing_ok=True)
            self._begun.unlink(missing_ok=True)


def read_answer(line: bytes, place: str) -> dict[str, Any]:
    """Return what a line says."""
    try:
        said: dict[str, Any] = json.loads(line)
        said["input_hash"], said["id"], said["status"]
    except (ValueError, KeyError, TypeError):
        raise InputError("this is no line of a batch", place=place, hint="remove it and start anew") from None
    return said


def changed(place: str) -> InputError:
    """Return the error that an answer is to another input than the one whose turn it is."""
    hint = "the inputs changed since: start anew into another place"
    return InputError("this line answers another input", place=place, hint=hint)


def unwritten(path: Path, error: OSError) -> FileAccessError:
    """Return the error that the system does not take what is written."""
    return FileAccessError(f"cannot be written: {error.strerror}", place=str(path))


def _text(data: Mapping[str, Any]) -> str:
    return json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
