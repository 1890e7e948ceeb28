"""Groups of commands for typer, and a program whose commands are imported when they are called.

Listing the commands (`--help`, completion) needs only their names and one line each, so those stand in a
table. This keeps `planvow --help` fast and free of optional dependencies.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from planvow.adapters.cli.frame.lazy import Entry, declared
from planvow.errors import UsageError, did_you_mean, shown

_LONGEST_NAME = 15


class PlainGroup(TyperGroup):
    """A group whose help says what each command is for in a whole sentence, however long."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        commands = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        with formatter.section("Commands"):
            rows = [(name, command.get_short_help_str(limit=200)) for name, command in commands if command is not None]
            formatter.write_dl(rows, col_max=_LONGEST_NAME)


def lazy_group(sections: Mapping[str, Mapping[str, Entry]]) -> type[TyperGroup]:
    """Return a group class that knows these commands (section → name → entry) and loads each on its first use."""
    commands = {name: entry for section in sections.values() for name, entry in section.items()}

    class LazyGroup(TyperGroup):
        def list_commands(self, ctx: Any) -> list[str]:
            return list(commands)

        def get_command(self, ctx: Any, cmd_name: str) -> Any:
            entry = commands.get(cmd_name)
            return None if entry is None else TyperCommand(name=cmd_name, help=entry.line)

        def format_commands(self, ctx: Any, formatter: Any) -> None:
            for title, section in sections.items():
                with formatter.section(title):
                    formatter.write_dl([(name, entry.line) for name, entry in section.items()], col_max=_LONGEST_NAME)

        def resolve_command(self, ctx: Any, args: list[str]) -> Any:
            if args and args[0] not in commands and not args[0].startswith("-"):
                hint = did_you_mean(args[0], commands) or f"{ctx.command_path} --help lists the commands"
                raise UsageError(f"there is no command {shown(args[0])}", place=ctx.command_path, hint=hint)
            name, command, rest = super().resolve_command(ctx, args)
            if command is not None:
                command = _load(commands[str(name)])
                command.name = name
            return name, command, rest

    return LazyGroup


def _load(entry: Entry) -> Any:
    """Import a command's module and return its command (or its group, when it has several)."""
    application = declared(entry).full()
    application._add_completion = False  # completion belongs to the program, not to each of its commands
    application.rich_markup_mode = None  # plain help, as the program's own
    return typer.main.get_command(application)
