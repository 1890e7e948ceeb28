r"""Frames: the ways in which an order is said, kept in files (`NAME.frames`) and not in code.

    FIND = watch|see|read( up)?             a name for a pattern, which others use as {FIND}
    search {p} for {q} <-                   an order, with the parts that its frames name
      does {P} know (about )?(?P<q>\S.*?)   a frame: one way to say it

Patterns are regular expressions in which a bracket only groups. What is indented by four goes on with the line before;
a bar at the very end keeps a blank before it. A frame fits a whole sentence, in whatever case it is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files

_NAME = re.compile(r"\{([A-Z]+)\}")
_GROUP = re.compile(r"(\\.)|\((?!\?)")


@dataclass(frozen=True)
class Frames:
    """What a file holds: patterns by name, and frames in order, each with the order it amounts to."""

    patterns: dict[str, str]
    frames: tuple[tuple[str, re.Pattern[str]], ...]

    def fitting(self, sentence: str) -> Iterator[tuple[str, re.Match[str]]]:
        """Yield the orders a sentence amounts to, with the parts of it."""
        for order, frame in self.frames:
            match = frame.fullmatch(sentence)
            if match is not None:
                yield order, match


def read_frames(name: str, **given: str) -> Frames:
    """Read a file of frames; `given` are patterns that only the program knows."""
    return frames_of(files("planvow.goals.rephrase").joinpath(f"{name}.frames").read_text(encoding="utf-8"), **given)


def frames_of(text: str, **given: str) -> Frames:
    """Return the frames of a text."""
    patterns, frames, order = dict(given), [], ""
    for line in _lines(text):
        if line.endswith(" <-"):
            order = line.removesuffix(" <-")
        elif line.startswith("  "):
            frames.append((order, re.compile(_spelled_out(line.strip(), patterns), re.I)))
        else:
            key, _, pattern = line.partition(" =")
            patterns[key] = _spelled_out(pattern.lstrip().removesuffix("|"), patterns)
    return Frames(patterns, tuple(frames))


def _lines(text: str) -> Iterator[str]:
    """Yield the lines of a file without remarks, each with those that go on with it."""
    whole = re.sub(r"^(?:#.*)?\n", "", text, flags=re.M)
    return iter(re.sub(r"\n {4,}", "", whole).splitlines())


def _spelled_out(pattern: str, patterns: dict[str, str]) -> str:
    grouped = _GROUP.sub(lambda match: match[1] or "(?:", pattern)
    return _NAME.sub(lambda match: patterns[match[1]], grouped)
