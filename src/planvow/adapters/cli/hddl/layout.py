"""`planvow hddl format`: files in the common layout, printed, written or only compared."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.output import print_error, print_exactly, print_result
from planvow.adapters.machine.files import read_text, write_bytes
from planvow.errors import EXIT_REFUSED, InputError, PlanvowError
from planvow.hddl.format.layout import format_text
from planvow.hddl.parsing.files import read_file

_BOM = b"\xef\xbb\xbf"


def format_files(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Domains and problems; - for standard input.")],
    check: Annotated[
        bool, typer.Option("--check", help="Only name the files that would change; exit 1 if any.")
    ] = False,
    write: Annotated[bool, typer.Option("--write", help="Write the files instead of printing them.")] = False,
) -> None:
    """Bring HDDL files into one layout. Comments stay, and so does every word: only space moves."""
    if check and write:
        raise InputError("either the files are checked or they are written", place="--check")
    if write and Path("-") in files:
        raise InputError("standard input cannot be written", place="--write")
    if len(files) > 1 and not (check or write):
        raise InputError("one file is printed at a time", place="FILE", hint="give --write or --check for several")
    outcomes = [_format(path, check=check, write=write) for path in files]
    if None in outcomes:
        raise typer.Exit(InputError.exit_code)
    if check and any(outcomes):
        raise typer.Exit(EXIT_REFUSED)


def _format(path: Path, *, check: bool, write: bool) -> bool | None:
    """Do what is asked with one file and return whether it changes; of several, a broken one does not stop the rest."""
    try:
        text = read_text(path) if str(path) == "-" else read_file(path)
        made = format_text(text, file=str(path))
    except PlanvowError as error:
        if not (check or write):
            raise
        print_error(error)
        return None
    if not (check or write):
        print_exactly(made)
    elif made != text:
        if write:
            write_bytes(path, _as_before(path, made))
        print_result(str(path))
    return made != text


def _as_before(path: Path, text: str) -> bytes:
    """Return a text in the encoding of the file that it replaces."""
    data = path.read_bytes()
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return text.encode("latin-1")
    return (_BOM if data.startswith(_BOM) else b"") + text.encode("utf-8")
