"""Files, folders and patterns as the inputs of a batch, one after the other and never all in memory.

What a name ends with says how it is read: `.jsonl` holds a question on each line, `.json` one question or a list of
them. Other files are what their kind reads: an HDDL problem beside its domain, a list of wishes, a request, a
transcript.
"""

from __future__ import annotations

import glob
import json
import os
import sys
from codecs import BOM_UTF8
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import nullcontext
from functools import lru_cache
from pathlib import Path
from typing import Any

from planvow.adapters.batch.domains import domain_of, is_domain
from planvow.adapters.machine.files import parse_json, read_text
from planvow.errors import InputError
from planvow.hddl.parsing.files import read_file
from planvow.service.batch.items import Item, faulty, item, spelled

SUFFIXES = {
    "plan": (),
    "hddl": (".hddl",),
    "goal": (".txt",),
    "govern": (),
    "debate": (".txt", ".srt", ".vtt", ".md", ".html", ".htm"),
}
"""What is taken from a folder, besides questions in JSON. A file that is named is taken whatever its name."""
QUESTIONS = (".jsonl", ".json")


def check_inputs(given: Iterable[str]) -> None:
    """Refuse a name that stands for nothing before the first input is answered, not after the last before it."""
    for target in given:
        if target != "-" and not os.path.exists(target) and next(glob.iglob(target, recursive=True), None) is None:
            raise InputError("there is no such file, folder or pattern", place=target)


def read_inputs(kind: str, given: Sequence[str], *, written: Collection[Path] = ()) -> Iterator[Item]:
    """Yield the inputs in the order they are named, folders in the order of their names; what is wrong stands in it.

    Files in `written`, or in a folder there, are what the batch itself writes: among the inputs they are none.
    """
    own = {os.path.realpath(path) for path in written}
    names = {os.path.basename(path) for path in own}
    folder_of = lru_cache(maxsize=64)(os.path.realpath)
    for path, known_as in _files(kind, given):
        in_own = known_as != "-" and folder_of(path.parent) in own
        if in_own or (path.name in names and os.path.realpath(path) in own):
            continue
        try:
            yield from _items(kind, path, known_as)
        except InputError as error:
            yield faulty(known_as, kind, error)


def _files(kind: str, given: Sequence[str]) -> Iterator[tuple[Path, str]]:
    for target in given:
        found = [target] if os.path.exists(target) or target == "-" else sorted(glob.glob(target, recursive=True))
        if not found:
            raise InputError("there is no such file, folder or pattern", place=target)
        for name in found:
            yield from _below(kind, Path(name)) if os.path.isdir(name) else [(Path(name), name)]


def _below(kind: str, folder: Path) -> Iterator[tuple[Path, str]]:
    wanted = (*QUESTIONS, *SUFFIXES[kind])
    for at, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if name.endswith(wanted) and not name.startswith("."):
                path = Path(at, name)
                yield path, path.as_posix()


def _items(kind: str, path: Path, name: str) -> Iterator[Item]:
    if path.suffix == ".jsonl" or name == "-" or (kind == "goal" and path.suffix != ".json"):
        yield from _each(kind, path, name)
    elif path.suffix == ".json" and kind != "debate":
        yield from _listed(kind, name, parse_json(read_text(path), place=name))
    elif kind == "hddl":
        text = read_file(path)
        if not is_domain(path, text):  # a domain comes with its problems
            yield item(name, kind, {"domain": domain_of(path, text), "problem": text})
    elif kind == "debate":
        yield item(name, kind, {"transcript": read_text(path), "name": spelled(path.name)})
    else:
        hint = "questions stand in .jsonl or .json files; planvow schema lists their forms"
        raise InputError(f"this is no input of kind {kind}", place=name, hint=hint)


def _each(kind: str, path: Path, name: str) -> Iterator[Item]:
    """Yield what the lines of a file ask: questions in JSON, or wishes. A line at fault takes no other with it."""
    is_wishes = kind == "goal" and path.suffix != ".jsonl" and name != "-"
    for place, line in _lines(path, name):
        try:
            text = line.decode("utf-8").strip()
            if text:
                yield (
                    item(place, kind, {"wish": text})
                    if is_wishes
                    else _named(kind, place, parse_json(text, place=place))
                )
        except UnicodeDecodeError as error:
            fault = InputError(f"not UTF-8 text: byte {error.start} is {error.reason}", place=place)
            yield faulty(place, kind, fault)
        except InputError as error:
            yield faulty(place, kind, error)


def _lines(path: Path, name: str) -> Iterator[tuple[str, bytes]]:
    """Yield the lines of a file with their places; the mark that some editors begin a file with is none of its text."""
    try:
        with nullcontext(sys.stdin.buffer) if name == "-" else path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                yield f"{name}:{number}", line.removeprefix(BOM_UTF8) if number == 1 else line
    except OSError as error:
        raise InputError(f"cannot be read: {error}", place=name) from None


def _listed(kind: str, name: str, held: Any) -> Iterator[Item]:
    if not isinstance(held, list):
        yield _named(kind, name, held)
        return
    for number, question in enumerate(held, start=1):
        yield _named(kind, f"{name}:{number}", question)


def _named(kind: str, place: str, question: Any) -> Item:
    """Return a question in JSON, called as its field `id` says, or after its place."""
    if kind == "govern" and isinstance(question, dict) and "request" not in question:
        question = {"request": question}
    if not isinstance(question, dict) or "id" not in question:
        return item(place, kind, question)
    name = question["id"]
    known = name if isinstance(name, str) else json.dumps(name)
    return item(known, kind, {key: value for key, value in question.items() if key != "id"})
