"""Which files `planvow debate` reads and where each answer goes, settled before anything is analysed."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from planvow.errors import InputError

SUFFIXES = (".txt", ".md", ".srt", ".vtt", ".json", ".html", ".htm")
STDIN = "-"


@dataclass(frozen=True, kw_only=True)
class Source:
    """One transcript to read."""

    name: str
    """As the user would write it: a path, or - for standard input."""
    within: Path
    """Its path below the folder it was found in; just the file name when it was named itself."""

    @property
    def title(self) -> str:
        """A name for people."""
        return "Debate" if self.name == STDIN else Path(self.name).stem

    def place_in(self, folder: Path, extension: str) -> Path:
        """Where the answer goes in a folder of answers, laid out like the folder of transcripts."""
        return folder / self.within.with_name(f"{self.within.name}.{extension}")


def find_sources(given: Sequence[str], answers: Sequence[Path | None] = ()) -> tuple[list[Source], bool]:
    """Return the transcripts to read, folders opened, and whether the answer is about several.

    What lies where answers go is no transcript, or a second run would analyse the first one's answers.
    """
    own = [place.resolve() for place in answers if place is not None]
    sources: list[Source] = []
    is_many = len(given) > 1
    for name in given:
        folder = Path(name)
        if name != STDIN and folder.is_dir():
            is_many = True
            sources += [
                Source(name=str(path), within=path.relative_to(folder)) for path in _transcripts_in(folder, own)
            ]
        else:
            sources.append(Source(name=name, within=Path("stdin" if name == STDIN else folder.name)))
    if not sources:
        raise InputError(f"no transcript in {', '.join(given)}", hint=f"looked for {', '.join(SUFFIXES)}")
    if sum(source.name == STDIN for source in sources) > 1:
        raise InputError("standard input can be read only once", hint="name - one time")
    return sources, is_many


def _transcripts_in(folder: Path, own: Sequence[Path]) -> list[Path]:
    """Return the transcripts of a folder in the order of their names; hidden files and folders are passed over."""

    def refuse(error: OSError) -> None:
        raise InputError(f"this folder cannot be read: {error.strerror}", place=str(error.filename))

    found: list[Path] = []
    for at, folders, files in os.walk(folder, onerror=refuse):
        folders[:] = [name for name in folders if not name.startswith(".") and Path(at, name).resolve() not in own]
        found += [Path(at, name) for name in files if not name.startswith(".")]
    named = [path for path in found if path.suffix.lower() in SUFFIXES]
    return sorted(
        path for path in named if path.is_file() or not path.exists()
    )  # a link to nowhere is told, not hidden


def check_places(sources: Sequence[Source], folder: Path, extension: str) -> None:
    """Refuse a folder of answers that cannot be one, and answers that would overwrite each other."""
    if folder.exists() and not folder.is_dir():
        raise InputError("several transcripts need a folder to go to, and this is a file", place=str(folder))
    taken: dict[Path, str] = {}
    for source in sources:
        place = source.place_in(folder, extension)
        if place in taken:
            raise InputError(
                f"{taken[place]} and {source.name} would both be written there",
                place=str(place),
                hint="name the folder that holds both, or analyse them one by one",
            )
        taken[place] = source.name


def check_place(place: Path) -> None:
    """Refuse a place for one answer that is a folder: better now than after the analysis."""
    if place.is_dir():
        raise InputError("this is a folder, a file was expected", place=str(place), hint="name the file to write")


def read_source(source: Source, max_bytes: int) -> bytes:
    """Read at most one byte more than allowed: enough to know that it is too much."""
    try:
        if source.name == STDIN:
            return sys.stdin.buffer.read(max_bytes + 1)
        with Path(source.name).open("rb") as file:
            return file.read(max_bytes + 1)
    except FileNotFoundError:
        raise InputError("there is no such file", place=source.name) from None
    except (OSError, ValueError) as error:
        told = getattr(error, "strerror", None) or error
        raise InputError(f"cannot be read: {told}", place=source.name) from None
