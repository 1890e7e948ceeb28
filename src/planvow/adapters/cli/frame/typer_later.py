"""The names of typer that commands are declared with, recorded; typer itself is imported when it is needed.

    from planvow.adapters.cli.frame import typer_later as typer

A line that is plainly right is read by `quick`, which asks this record alone. Help, completion and everything that is
wrong or unusual goes to typer, made from the same record: it stays the one that says what is right.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, TypeVar, get_args, get_type_hints

Function = TypeVar("Function", bound=Callable[..., Any])


class Exit(SystemExit):
    """The end of a command, with its exit code."""


class Context:
    """Stands for typer's context in the signature of a function."""

    invoked_subcommand: str | None


class PlainGroup:
    """Stands for `groups.PlainGroup`: a group whose help says what each command is for in a whole sentence."""


class Parameter:
    """An option or an argument as it was declared."""

    def __init__(self, kind: str, names: tuple[str, ...], settings: dict[str, Any]) -> None:
        self.kind, self.names, self.settings = kind, names, settings

    def made(self) -> Any:
        """Return it as typer has it."""
        import typer

        return getattr(typer, self.kind)(*self.names, **self.settings)


def Option(*names: str, **settings: Any) -> Any:
    """Declare an option, as `typer.Option` does."""
    return Parameter("Option", names, settings)


def Argument(**settings: Any) -> Any:
    """Declare an argument, as `typer.Argument` does."""
    return Parameter("Argument", (), settings)


class Command:
    """A function with the name and the settings it is a command by."""

    def __init__(self, callback: Callable[..., Any], name: str | None, settings: dict[str, Any]) -> None:
        self.callback, self.settings = callback, settings
        self.name = name or callback.__name__.lower().replace("_", "-")
        self._is_named = name is not None

    def add_to(self, application: Any) -> None:
        """Make it a command of a typer application."""
        name = self.name if self._is_named else None
        application.command(name, **self.settings)(with_typer(self.callback))


class Group:
    """Commands below a name of their own."""

    def __init__(self, typer_instance: Typer, name: str) -> None:
        self.typer_instance, self.name = typer_instance, name


class Typer:
    """Commands that belong together, as `typer.Typer` takes them."""

    def __init__(self, **settings: Any) -> None:
        self.settings = settings
        self.registered_commands: list[Command] = []
        self.registered_groups: list[Group] = []
        self.registered_callback: Command | None = None

    def command(self, name: str | None = None, **settings: Any) -> Callable[[Function], Function]:
        """Make a function a command."""

        def declare(function: Function) -> Function:
            self.registered_commands.append(Command(function, name, settings))
            return function

        return declare

    def callback(self, **settings: Any) -> Callable[[Function], Function]:
        """Make a function what runs before the commands."""

        def declare(function: Function) -> Function:
            self.registered_callback = Command(function, None, settings)
            return function

        return declare

    def add_typer(self, other: Typer, *, name: str) -> None:
        """Put commands below a name."""
        self.registered_groups.append(Group(other, name))

    def quick(self, words: list[str]) -> Callable[[], Any] | None:
        """Return the call that the words ask for when they are plainly right, else None."""
        from planvow.adapters.cli.frame.quick import quick_call

        return quick_call(self, words)

    def full(self) -> Any:
        """Return the application of typer."""
        import typer

        settings = dict(self.settings)
        if settings.get("cls") is PlainGroup:
            from planvow.adapters.cli.frame import groups

            settings["cls"] = groups.PlainGroup
        made = typer.Typer(**settings)
        if self.registered_callback is not None:
            made.callback(**self.registered_callback.settings)(with_typer(self.registered_callback.callback))
        for group in self.registered_groups:
            made.add_typer(group.typer_instance.full(), name=group.name)
        for command in self.registered_commands:
            command.add_to(made)
        return made


def with_typer(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function with typer's own values in the place of recorded ones; the record stays as it is."""
    from inspect import signature

    hints = {name: _of_typer(hint) for name, hint in get_type_hints(function, include_extras=True).items()}
    formal = signature(function)  # which a decorator may have put together: typer asks it first

    @wraps(function)
    def command(*given: Any, **named: Any) -> Any:
        return function(*given, **named)

    own = [each.replace(annotation=hints[name]) for name, each in formal.parameters.items()]
    command.__annotations__ = hints
    command.__signature__ = formal.replace(parameters=own)  # type: ignore[attr-defined]
    return command


def _of_typer(hint: Any) -> Any:
    import typer

    if hint is Context:
        return typer.Context
    declared = [part for part in getattr(hint, "__metadata__", ()) if isinstance(part, Parameter)]
    return Annotated[(get_args(hint)[0], *(part.made() for part in declared))] if declared else hint
