"""Readers: who finds the parts of a file. Markdown and Python are read here, other languages by what offers them.

A repository names its readers (`[sections] readers` in planvow.toml), so what is installed never decides what an index
holds: a reader that is named and missing stops the build. Each has an id with a version, which stands in every section
it made and so in the index hash. Files of other types are one section each, made by the reader of whole files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from planvow.errors import InputError, did_you_mean
from planvow.governed.sections.markdown import markdown_parts
from planvow.governed.sections.parts import Part
from planvow.governed.sections.python_definitions import definitions
from planvow.hooks import hook

FindParts = Callable[[str, list[str]], Iterable[Part]]


@dataclass(frozen=True, kw_only=True)
class Reader:
    """One way to find parts: its id, the endings of the files it reads, the function, and what joins the names."""

    reader_id: str
    suffixes: tuple[str, ...]
    find: FindParts
    joint: str = "."


class Offered(Protocol):
    """A language that somebody offers: which files it reads, and the reader once it is wanted."""

    @property
    def suffixes(self) -> tuple[str, ...]: ...

    def reader(self) -> Reader:
        """Return the reader, or raise MissingExtraError."""
        ...


WHOLE_FILES = Reader(reader_id="file/1", suffixes=(), find=lambda text, lines: ())
MARKDOWN = Reader(
    reader_id="markdown/1", suffixes=(".md", ".markdown"), find=lambda text, lines: markdown_parts(lines), joint=" / "
)
PYTHON = Reader(reader_id="python/2", suffixes=(".py",), find=definitions)
OWN = {"markdown": MARKDOWN, "python": PYTHON}
DEFAULT_READERS = tuple(OWN)


class Readers:
    """The readers of one repository; the first whose ending fits reads a file."""

    def __init__(self, readers: Iterable[Reader]) -> None:
        self._readers = tuple(readers)

    def reader_of(self, file_path: str) -> Reader:
        """Return who reads a file."""
        lowered = file_path.lower()
        return next((r for r in self._readers if lowered.endswith(r.suffixes)), WHOLE_FILES)


@cache
def readers_named(names: tuple[str, ...] = DEFAULT_READERS) -> Readers:
    """Return the readers with these names, or raise MissingExtraError when one of them is not installed."""
    return Readers(OWN[name] if name in OWN else _offered()[name].reader() for name in names)


def suffixes_named(names: Sequence[str], place: str) -> tuple[str, ...]:
    """Return the endings that these readers read, needing none of them to be installed; an unknown one is refused."""
    found: list[str] = []
    for name in names:
        reader = OWN.get(name) or _offered().get(name)
        if reader is None:
            known = sorted({*OWN, *_offered()})
            hint = did_you_mean(name, known) or f"known are {', '.join(known)}"
            raise InputError(f"there is no reader {name!r:.80}", place=place, hint=hint)
        found += reader.suffixes
    return tuple(found)


def joint_of(reader_id: str) -> str:
    """Return what stands between the names of a section that this reader made."""
    return MARKDOWN.joint if reader_id.startswith("markdown/") else PYTHON.joint


def _offered() -> Mapping[str, Offered]:
    found: Mapping[str, Offered] = hook("section_languages")()
    return found
