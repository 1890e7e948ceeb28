"""A typer group whose commands are imported when they are called, not when the program starts.

Listing the commands (`--help`, completion) needs only their names and one line each, so those stand in a
table. This keeps `planvow --help` fast and free of optional dependencies.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

from planvow.errors import UsageError, did_you_mean, shown


class Entry(NamedTuple):
    """Where a command lives ("package.module:attribute", a Typer app) and what it is for, in one line."""

    target: str
    help: str


def lazy_group(entries: Mapping[str, Entry]) -> type[TyperGroup]:
    """Return a group class that knows these commands by name and loads each on its first use."""

    class LazyGroup(TyperGroup):
        def list_commands(self, ctx: Any) -> list[str]:
            return list(entries)

        def get_command(self, ctx: Any, cmd_name: str) -> Any:
            entry = entries.get(cmd_name)
            return None if entry is None else TyperCommand(name=cmd_name, help=entry.help)

        def resolve_command(self, ctx: Any, args: list[str]) -> Any:
            if args and args[0] not in entries and not args[0].startswith("-"):
                hint = did_you_mean(args[0], entries) or f"{ctx.command_path} --help lists the commands"
                raise UsageError(f"there is no command {shown(args[0])}", place=ctx.command_path, hint=hint)
            name, command, rest = super().resolve_command(ctx, args)
            if command is not None:
                command = load(entries[str(name)].target)
                command.name = name
            return name, command, rest

    return LazyGroup


def load(target: str) -> Any:
    """Import a Typer app and return its command (or its group, when it has several)."""
    module_name, _, attribute = target.partition(":")
    application = getattr(import_module(module_name), attribute)
    application._add_completion = False  # completion belongs to the program, not to each of its commands
    application.rich_markup_mode = None  # plain help, as the program's own
    return typer.main.get_command(application)
