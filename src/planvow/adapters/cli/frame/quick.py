"""Reading a command line that is plainly right, without typer.

What is read here means to typer the same, which a test holds for every command. Whatever is not sure is left to it: an
option that is unknown, repeated or in another form, a value that does not fit, a word that is missing or too many,
a declaration that says more than what is known here.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from inspect import Parameter as Formal
from inspect import signature
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from planvow.adapters.cli.frame.typer_later import Command, Parameter, Typer

_KNOWN = {"help", "metavar", "autocompletion", "show_default", "min", "max", "envvar"}
_VALUES = {str, int, float, Path}
_SPELLED_OUT = "*?[~$%" if os.name == "nt" else ""
"""Where the shell leaves patterns, home folders and variables to the program, typer spells them out."""


class _Unsure(Exception):
    """The words are not plainly right."""


class _Declared:
    """A parameter of a command: how it is written, what it holds, what it is when it is not given."""

    def __init__(self, name: str, hint: Any, default: Any) -> None:
        found = [part for part in getattr(hint, "__metadata__", ()) if isinstance(part, Parameter)]
        if len(found) != 1 or not found[0].settings.keys() <= _KNOWN:
            raise _Unsure
        self.name, self.default, self.settings = name, default, found[0].settings
        self.is_argument = found[0].kind == "Argument"
        kind = _without_none(get_args(hint)[0])
        self.is_list = get_origin(kind) is list
        self.kind = get_args(kind)[0] if self.is_list else kind
        self.names = found[0].names or (f"--{name.replace('_', '-')}",)
        self.is_flag = kind is bool and bool(found[0].names) and default is False
        if (kind is not bool and self.kind not in _VALUES) or any("/" in each for each in self.names):
            raise _Unsure

    def read(self, word: str) -> Any:
        """Return the value that a word holds."""
        if not word or self.kind is bool or (word.startswith("-") and word != "-"):
            raise _Unsure
        try:
            value = self.kind(word)
        except ValueError:
            raise _Unsure from None
        least, most = self.settings.get("min"), self.settings.get("max")
        if (least is not None and not value >= least) or (most is not None and not value <= most):
            raise _Unsure
        return value

    def absent(self) -> Any:
        """Return what it is when it is not given."""
        named = self.settings.get("envvar")
        if named is not None and named in os.environ:
            if self.is_list:
                raise _Unsure
            return self.read(os.environ[named])
        if self.default is Formal.empty or (self.is_list and self.default is not None):
            raise _Unsure
        return self.default


def quick_call(application: Typer, words: list[str]) -> Callable[[], Any] | None:
    """Return the call that the words ask for, or None when that is not sure."""
    if any(sign in word for word in words for sign in _SPELLED_OUT):
        return None
    try:
        command, rest = _found(application, words)
        values = read_line(command, rest)
    except _Unsure:
        return None
    return lambda: command.callback(**values)


def read_line(command: Command, words: list[str]) -> dict[str, Any]:
    """Return the values of a command's parameters as the words give them."""
    if not command.settings.keys() <= {"epilog", "help"}:
        raise _Unsure
    hints = get_type_hints(command.callback, include_extras=True)
    declared = [
        _Declared(name, hints[name], formal.default) for name, formal in signature(command.callback).parameters.items()
    ]
    options = {name: each for each in declared if not each.is_argument for name in each.names}
    values: dict[str, Any] = {}
    left = _options(options, words, values)
    _arguments([each for each in declared if each.is_argument], left, values)
    return {each.name: values[each.name] if each.name in values else each.absent() for each in declared}


def _found(application: Typer, words: list[str]) -> tuple[Command, list[str]]:
    if application.registered_callback is not None or not application.settings.keys() <= _HARMLESS:
        raise _Unsure
    if len(application.registered_commands) == 1 and not application.registered_groups:
        return application.registered_commands[0], words
    for command in application.registered_commands:
        if words and command.name == words[0]:
            return command, words[1:]
    for group in application.registered_groups:
        if words and group.name == words[0]:
            return _found(group.typer_instance, words[1:])
    raise _Unsure


_HARMLESS = {"cls", "help", "no_args_is_help", "pretty_exceptions_enable", "rich_markup_mode", "context_settings"}


def _options(options: dict[str, _Declared], words: list[str], values: dict[str, Any]) -> list[str]:
    """Read the options out of the words and return the others."""
    left: list[str] = []
    waiting = iter(words)
    for word in waiting:
        if not word.startswith("-") or word == "-":
            left.append(word)
            continue
        name, equals, given = word.partition("=") if word.startswith("--") else (word, "", "")
        option = options.get(name)
        if option is None or (option.name in values and not option.is_list):
            raise _Unsure
        if option.is_flag and not equals:
            values[option.name] = True
            continue
        value = option.read(given if equals else next(waiting, ""))
        values[option.name] = [*values.get(option.name, []), value] if option.is_list else value
    return left


def _arguments(arguments: list[_Declared], words: list[str], values: dict[str, Any]) -> None:
    """Give the words to the arguments in their order; one that takes several gets what the others leave."""
    several = [each for each in arguments if each.is_list]
    if len(several) > 1 or (several and arguments[-1] is not several[0]):
        raise _Unsure
    for argument, word in zip(arguments, words):
        values[argument.name] = [argument.read(word)] if argument.is_list else argument.read(word)
    over = words[len(arguments) :]
    if over and not several:
        raise _Unsure
    if over:
        values[several[0].name] += [several[0].read(word) for word in over]


def _without_none(hint: Any) -> Any:
    """Return what a hint allows besides None."""
    if get_origin(hint) in (Union, UnionType):
        kinds = [kind for kind in get_args(hint) if kind is not NoneType]
        if len(kinds) == 1:
            return kinds[0]
    return hint
