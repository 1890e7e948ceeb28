"""Commands that are imported when they are called, not when the program starts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, NamedTuple

from planvow.adapters.cli.frame.typer_later import PlainGroup, Typer

__all__ = ["Entry", "PlainGroup", "Program", "examples"]


class Entry(NamedTuple):
    """A command as the table of the program lists it: the module below `planvow.adapters.cli`, and what it is for."""

    module: str
    line: str


class Program:
    """A program whose commands stand in a table: section → name → entry."""

    def __init__(self, sections: Mapping[str, Mapping[str, Entry]], make: Callable[[], Any]) -> None:
        self._commands = {name: entry for section in sections.values() for name, entry in section.items()}
        self.full = make

    def quick(self, words: list[str]) -> Callable[[], Any] | None:
        """Return the call that the words ask for when they are plainly right, else None."""
        entry = self._commands.get(words[0]) if words else None
        if entry is None:
            return None
        return declared(entry).quick(words[1:])


def declared(entry: Entry) -> Typer:
    """Import the module of a command and return what it declares."""
    application: Typer = import_module(f"planvow.adapters.cli.{entry.module}").app
    return application


def examples(*commands: str) -> str:
    """Return the text below a command's help: calls that work in a checkout, one a line."""
    return "\b\nExamples:\n" + "\n".join(f"  {command}" for command in commands)
