"""Where every end of a command becomes an exit code and, for failures, a readable message.

Exit codes: 0 done; 1 no plan, verification failed or refused; 2 invalid input or usage; 3 internal; 130 interrupted;
141 when nobody reads the result any more, as for a program that a closed pipe ends.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from planvow.adapters.cli.frame.output import note, print_error
from planvow.adapters.machine.files import file_fault
from planvow.errors import EXIT_DONE, MemoryLimitError, PlanvowError, UsageError

EXIT_INTERRUPTED = 130
EXIT_PIPE_CLOSED = 141
HELP_OPTIONS = {"help_option_names": ["-h", "--help"]}


def guarded(application: Any) -> None:
    """Run a program (what `typer_later.Typer` declares) and end the process with its exit code."""
    debug = "--debug" in sys.argv
    if debug:  # allowed anywhere on the line, whichever command follows
        sys.argv = [sys.argv[0], *(word for word in sys.argv[1:] if word != "--debug")]
    if sys.stderr is None:  # closed by whoever started us: remarks go nowhere, results still count
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # help texts on a terminal without their characters
    try:
        code = _run(application, debug=debug)
    except KeyboardInterrupt:
        code = EXIT_INTERRUPTED
    except BrokenPipeError:
        code = EXIT_PIPE_CLOSED
    raise SystemExit(code)


def _run(application: Any, *, debug: bool) -> int:
    try:
        code = _called(application)
    except SystemExit as ended:
        if isinstance(ended.__context__, BrokenPipeError):  # which the command line library answers with 1
            return EXIT_PIPE_CLOSED
        raise
    except BrokenPipeError:
        raise
    except Exception as error:
        if type(error).__name__ == "Abort":  # what the command line library makes of an interrupt
            return EXIT_INTERRUPTED
        if type(error).__name__ == "NoArgsIsHelpError":
            error.show()  # type: ignore[attr-defined]
            return UsageError.exit_code
        told = _told(error)
        if debug and not isinstance(told, UsageError):
            note(_traceback(error))
        print_error(told)
        return told.exit_code
    return code if isinstance(code, int) else EXIT_DONE


def _traceback(error: Exception) -> str:
    """Return where it happened, for `--debug`; its words may be anybody's, so they are shown like any others."""
    import traceback  # only now: no other end of a command needs it

    return "".join(traceback.format_exception(error)).rstrip("\n")


def _called(application: Any) -> Any:
    """Call what the words ask for: at once where they are plainly right, else through the command line library."""
    is_completion = any(name.startswith("_") and name.endswith("_COMPLETE") for name in os.environ)
    call = None if is_completion else application.quick(sys.argv[1:])
    if call is not None:
        return call()
    return application.full()(standalone_mode=False)


def _told(error: Exception) -> PlanvowError:
    """Return any failure as an error of ours, with code, place and hint."""
    if isinstance(error, PlanvowError):
        return error
    if isinstance(error, MemoryError):
        return MemoryLimitError()
    if isinstance(error, OSError) and (fault := file_fault(error)) is not None:
        return fault
    if isinstance(error, UnicodeEncodeError) and any(map(_is_no_text, sys.argv)):
        return UsageError("a word of the command is no text: it has bytes that are not UTF-8")
    if hasattr(error, "format_message"):  # the library's own; where that class lives differs between its versions
        return _wrong_usage(error)
    hint = "run again with --debug to see where this happened"
    return PlanvowError(f"{type(error).__name__}: {error}", hint=hint)


def _is_no_text(word: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in word)


def _wrong_usage(error: Any) -> UsageError:
    message = " ".join(error.format_message().split()).removesuffix(".").replace(": Value error, ", ": ", 1)
    other = getattr(getattr(error, "param", None), "secondary_opts", None)
    if other and message.startswith("Missing option"):
        message += f" or {other[0]!r}"
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else None
    hint = f"{path} --help shows what it takes" if path else None
    return UsageError(message[:1].lower() + message[1:], place=path, hint=hint)
