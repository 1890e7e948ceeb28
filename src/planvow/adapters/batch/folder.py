"""The answers of a batch in a folder, each in a file of its own: the line it would be, and a plan of HDDL beside it.

Files appear whole, in the order of the inputs: written under another name, then renamed. So whatever ends the process,
the answers that are there are the first ones, and `--resume` goes on after them. `OUT.part` stays empty here; it says
that the batch is under way, and whoever works on it holds its lock.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from planvow.adapters.batch.inputs import QUESTIONS, SUFFIXES
from planvow.adapters.batch.output import Output, changed, finished, read_answer, unwritten
from planvow.errors import InputError
from planvow.service.batch.answering import Line
from planvow.service.batch.items import Item

DIGITS = 6
LONGEST_NAME = 48
"""Characters of an input's name that its file keeps: with four bytes for each, any file system takes it."""
_FILE = re.compile(r"(?P<draft>\.)?[a-z]?(?P<number>\d{6,})-.+\.(?P<end>json|plan)(?(draft)\.part)")
_ENDINGS = {ending.removeprefix(".") for ending in (*QUESTIONS, ".py", *chain.from_iterable(SUFFIXES.values()))}
_ENDING = re.compile(rf"\.(?:{'|'.join(sorted(_ENDINGS))})(?=:|$)")
ANOTHER = "name another folder with -o, or move this one away"


class _Found(NamedTuple):
    path: Path
    number: int
    end: str
    is_draft: bool

    @property
    def is_answer(self) -> bool:
        return self.end == "json" and not self.is_draft


def folder_asked(out: str) -> Path | None:
    """Return the folder that `-o` names: with a slash at its end, or one that exists; None where it names a file."""
    if not (out.endswith(("/", os.sep)) or os.path.isdir(out)):
        return None
    path = Path(os.path.abspath(out)) if Path(out).name in ("", "..") else Path(out)
    if not path.name:
        raise InputError("beside this folder there is no place for a manifest", place=out, hint="name one in it")
    return path


def file_name(number: int, name: str) -> str:
    """Return what the answer to an input is called: sorted by name, answers stand in the order of the inputs."""
    digits = str(number)
    more = len(digits) - DIGITS  # from a million on a letter comes first, one for each further digit
    last = next((part for part in reversed(name.split("/")) if part), "")
    known_as = re.sub(r"[^\w.-]+", "-", _ENDING.sub("", last)).strip("-.")[:LONGEST_NAME]
    return f"{chr(ord('a') + more - 1) if more > 0 else ''}{digits:0>{DIGITS}}-{known_as or 'input'}.json"


def answers_in(folder: Path) -> str:
    """Return the answers of a folder as the lines they would be in one file."""
    found = sorted(_answers(folder))
    if not found:
        raise InputError("no answers of a batch are in this folder", place=str(folder))
    return "".join(path.read_text(encoding="utf-8") for path in found)


def finished_in(folder: Path, about: Mapping[str, Any], items: Iterable[Item]) -> dict[str, Any] | None:
    """Return the manifest of a batch that is over, if its answers are all there; see `finished`."""
    manifest = finished(folder, about, items)
    if manifest is None:
        return None
    count = sum(1 for _ in _answers(folder))
    if count != manifest["inputs"]:
        hint = "bring back what was there, or start anew into another folder"
        told = f"it is over with {manifest['inputs']:,} answers, and {count:,} are there"
        raise InputError(told, place=str(folder), hint=hint)
    return manifest


def _answers(folder: Path) -> Iterator[Path]:
    return (each.path for each in _files_in(folder) if isinstance(each, _Found) and each.is_answer)


def _files_in(folder: Path) -> Iterator[_Found | Path]:
    """Yield what lies in a folder: what a batch wrote, and the bare paths of all else."""
    with os.scandir(folder) as entries:
        for entry in entries:
            known, path = _FILE.fullmatch(entry.name), Path(entry.path)
            if known is None or not entry.is_file(follow_symlinks=False):
                yield path
            else:
                yield _Found(path, int(known["number"]), known["end"], bool(known["draft"]))


class AnswerFolder(Output):
    """The folder of a batch that is under way."""

    where = "in"

    def _check_free(self) -> None:
        if self.path.exists() and not self.path.is_dir():
            raise InputError("this is a file, where a folder is wanted", place=str(self.path), hint=ANOTHER)
        if self._part.exists() and self._part.stat().st_size:
            hint = f"{ANOTHER}, or go on into the file {self.path.name}"
            raise InputError("an unfinished batch that writes one file is here", place=str(self._part), hint=hint)
        under_way = self._part.exists() and self._begun.exists()
        if under_way or self._is_empty():
            return
        if self._manifest.exists():
            raise InputError("it is there already", place=str(self.path), hint=ANOTHER)
        raise _foreign(Path(min(self.path.iterdir())))

    def _is_empty(self) -> bool:
        return not self.path.exists() or not any(self.path.iterdir())

    def skip_done(self, items: Iterator[Item]) -> Iterator[Item]:
        """Pass over the inputs that are answered already; see `Output`."""
        left, is_torn = items, False
        for asked in items:
            path = self._path_of(asked)
            held = path.read_bytes() if path.exists() else b""
            if not held.endswith(b"\n"):
                left, is_torn = chain([asked], items), path.exists()  # power was lost before it came to the disk
                break
            self._passed_over(asked, held, str(path))
            self._place_plan(asked, path, held)
        self._tidy(is_torn=is_torn)
        return left

    def _tidy(self, *, is_torn: bool) -> None:
        """Remove what was half written; refuse answers to other inputs, and what is no answer."""
        if self._is_empty():
            return
        foreign = min((each for each in _files_in(self.path) if isinstance(each, Path)), default=None)
        if foreign is not None:
            raise _foreign(foreign)
        found = (each for each in _files_in(self.path) if isinstance(each, _Found))
        later = sorted(each for each in found if each.is_draft or each.number > self.done)
        answer = next((each for each in later if each.is_answer), None)
        if answer is not None and not is_torn:
            raise changed(str(answer.path))
        for each in later:
            each.path.unlink()

    def _path_of(self, asked: Item) -> Path:
        """Return where the answer to the input goes whose turn it is."""
        return self.path / file_name(self.done + 1, asked.name)

    def add(self, items: Sequence[Item], lines: Sequence[Line]) -> None:
        """Write the answers of a chunk, each after its plan: where there is an answer, all of it is there."""
        for asked, line in zip(items, lines, strict=True):
            path = self._path_of(asked)
            self._place_plan(asked, path, line.written)
            self._place(path, line.written)
            self._count(asked, line)

    def _place_plan(self, asked: Item, path: Path, line: bytes) -> None:
        """Write the plan that an answer in HDDL holds in the IPC format, unless it is there."""
        answer = read_answer(line, str(path)).get("answer") if asked.kind == "hddl" else None
        text = (answer or {}).get("plan")
        beside = path.with_suffix(".plan")
        if text is not None and not (beside.exists() and beside.read_bytes() == text.encode()):
            self._place(beside, text.encode())

    def _place(self, path: Path, data: bytes) -> None:
        draft = path.with_name(f".{path.name}.part")
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            draft.write_bytes(data)
            draft.replace(path)
        except OSError as error:
            raise unwritten(path, error) from None

    def _bring_to_disk(self) -> None:
        self.path.mkdir(parents=True, exist_ok=True)  # where there were no inputs
        if hasattr(os, "sync"):
            os.sync()  # a flush for each of a million files would take hours

    def _put_in_place(self) -> None:
        self._part.unlink()


def _foreign(path: Path) -> InputError:
    hint = "move it away, or name another folder with -o"
    return InputError("this is no answer of the batch, and the folder takes nothing else", place=str(path), hint=hint)
