"""What can be wrong with a domain, a state or an agenda. "No plan" is not here: it is a result."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection
from types import CodeType

from planvow.errors import InputError, did_you_mean


class DomainError(InputError):
    """A planning domain is not usable as it is written.

    The message names the function or the agenda item. `planvow check MODULE.py` finds most of these before planning.
    """

    code = "DOMAIN"


class UnknownItemError(DomainError):
    """An agenda item that no command, method or goal method of the domain handles. Usually a typing mistake.

    The place is the path of tasks that led to the item. Declare a command or a method for it, or mend its name.
    """

    code = "UNKNOWN_ITEM"

    def __init__(self, item: object, *, known: Collection[str], path: str) -> None:
        if isinstance(item, tuple) and item:
            name = str(item[0])
            message = f"no command, task method or goal method handles {name!r}"
            hint = did_you_mean(name, known) or "declare it in the domain"
        else:  # mostly one tuple where a list of tuples belongs, whose parts are then taken for items
            message = f"{item!r:.80} is not an item: an item is a tuple of a name and its arguments"
            hint = "write a list of items, also for a single one: [(name, argument, …)]"
        super().__init__(
            message,
            place=path,
            hint=hint,
            details={"item": repr(item)},
        )


class WrongArgumentsError(DomainError):
    """An item has another number of arguments than what handles it takes: a slip of whoever wrote the item.

    The place says whether it stands in the agenda or came out of a method. The function that could not be called is
    named with what it takes; it is not at fault.
    """

    code = "WRONG_ARGUMENTS"

    def __init__(self, item: tuple[object, ...], *, takes: str, place: str) -> None:
        given = len(item) - 1
        count = f"{given} argument{'' if given == 1 else 's'}"
        super().__init__(
            f"{item[0]!r} is given {count}, but takes {takes or 'none'}",
            place=place,
            hint=f"write ({', '.join(map(repr, (item[0],)))}{', ' if takes else ','}{takes})",
            details={"item": repr(item)},
        )


class DomainFunctionError(DomainError):
    """A function of your domain raised an exception while planning.

    It is reported with the file and line where it happened and never taken for "not applicable": return
    `refuse("reason")`, None or False to say that. Run with `--debug` to see the whole traceback.
    """

    code = "DOMAIN_FUNCTION_RAISED"

    def __init__(self, function: object, item: object, error: BaseException) -> None:
        name = getattr(function, "__qualname__", repr(function))
        super().__init__(
            f"{name} raised {type(error).__name__}: {error} while handling {item!r}", place=raised_at(function, error)
        )


class WrongReturnError(DomainError):
    """A command or a method returned something that has no meaning there.

    A command returns the state it was given, or None, False or refuse("reason"). A method returns a list of
    items (an empty one means "nothing to do"), or None, False or refuse("reason"), or yields such lists.
    """

    code = "WRONG_RETURN"


class MethodWroteError(DomainError):
    """A method changed the state. Methods only look; commands change.

    Move the change into a command and put that command into the list the method returns.
    """

    code = "METHOD_WROTE"

    def __init__(self, method: str, *, path: str) -> None:
        super().__init__(
            f"method {method!r} changed the state",
            place=path,
            hint="methods only look: move the change into a command and return that command in the list",
        )


class SealedStateError(DomainError):
    """A finished state was to be changed. States that planning has returned, and states used as keys, are values.

    Take `state.draft()` and change that, or `state.with_predicate(...)`, which returns a changed copy.
    """

    code = "SEALED_STATE"


class MutableValueError(DomainError):
    """A value inside a state was to be changed in place outside a command, or cannot be kept from such changes.

    Lists, dictionaries and sets given to a state are kept as read-only copies. A command may change them in place
    all the same; a method, and whoever builds a state, assigns a new value instead:
    `state.seen[x] = [*state.seen[x], y]`. Objects of your own need to be immutable and hashable (a frozen dataclass,
    a named tuple, an enumeration), or backtracking could not undo what happens inside them.
    """

    code = "MUTABLE_VALUE"
    is_change = False
    """Whether a value was to be changed in place, rather than put into a state."""
    value: object = None
    """The value that was to be changed."""


class NotReproducedError(DomainError):
    """A plan's functions answer differently when they are called again.

    A domain function that reads a clock, chance, a file or a global variable does that.
    `planvow check` finds such functions.
    """

    code = "NOT_REPRODUCED"


def arguments_taken(function: Callable[..., object], count: int) -> str | None:
    """Return what a function takes after the state, in words, if it cannot be called with so many arguments."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    try:
        signature.bind(None, *[None] * count)
    except TypeError:
        parts = [part for part in [*signature.parameters.values()][1:] if part.kind is not part.KEYWORD_ONLY]
        return ", ".join(str(part.replace(annotation=part.empty)) for part in parts)
    return None


def raised_at(function: object, error: BaseException) -> str:
    """Return "file:line" of the innermost frame that belongs to the function's own file."""
    code = getattr(function, "__code__", None)
    own = code.co_filename if isinstance(code, CodeType) else None
    frame, place = error.__traceback__, f"{own}:{code.co_firstlineno}" if isinstance(code, CodeType) else "domain"
    while frame is not None:
        if frame.tb_frame.f_code.co_filename == own:
            place = f"{own}:{frame.tb_lineno}"
        frame = frame.tb_next
    return place
