"""What can be wrong with HDDL files and plans. Each says where, what was expected and what was found."""

from __future__ import annotations

from planvow.errors import InputError
from planvow.hddl.language.source import Source


class HddlError(InputError):
    """An HDDL file cannot be used.

    The message gives file, line and column, what was expected there and what was found, and shows the line.
    """

    code = "HDDL_INVALID"

    def __init__(
        self,
        message: str,
        *,
        source: Source,
        at: int,
        context: tuple[str, ...] = (),
        hint: str | None = None,
    ) -> None:
        place = source.place(at)
        inside = f" (in {', '.join(context)})" if context else ""
        super().__init__(
            f"{message}{inside}\n{source.excerpt(at)}",
            place=str(place),
            hint=hint,
            details={"file": place.file, "line": place.line, "column": place.column, "problem": message},
        )
        self.summary = message


class HddlSyntaxError(HddlError):
    """The text of an HDDL file does not have the form HDDL asks for.

    Usually a parenthesis is missing or too many, or a section has another shape. The message shows the place and
    what was expected there.
    """

    code = "HDDL_SYNTAX"


class HddlNameError(HddlError):
    """An HDDL file uses a type, predicate, task, object or variable that is not declared, or declares one twice.

    The message names the word and, where one is near, the declared word that was probably meant.
    """

    code = "HDDL_NAME"


class HddlMeaningError(HddlError):
    """An HDDL file is well formed but contradicts itself.

    For example: a predicate used with the wrong number of arguments, types that are below themselves, an ordering
    that runs in a circle.
    """

    code = "HDDL_MEANING"


class HddlUnsupportedError(HddlError):
    """An HDDL file uses a part of the language that planvow does not plan with.

    Durative actions, derived predicates, numeric conditions and task insertion are refused rather than ignored, because
    a plan made without them could be wrong.
    """

    code = "HDDL_UNSUPPORTED"


class HddlLimitError(HddlError):
    """An HDDL file is larger or nested more deeply than the reader accepts.

    The limits keep memory bounded whatever is given. The message names the limit; a real domain stays far below it.
    """

    code = "HDDL_TOO_LARGE"


class PlanFormatError(HddlError):
    """A plan file does not have the form of the IPC-2020 hierarchical plan format.

    Expected: a line `==>`, one line `ID action arguments` for each action in the order of execution, a line
    `root ID…`, one line `ID task arguments -> method ID…` for each decomposition, and a line `<==`.
    """

    code = "PLAN_FORMAT"
