"""HDDL files → models: the one place in this package that reads files."""

from __future__ import annotations

import re
from functools import partial
from itertools import islice
from pathlib import Path

from planvow.errors import InputError
from planvow.hddl.language.model import HddlDomain, HddlProblem
from planvow.hddl.language.plan_format import HddlPlan, parse_plan
from planvow.hddl.language.reader import MAX_CHARACTERS
from planvow.hddl.parsing.text import parse_domain, parse_problem

_PIECE = 2**20
_LONE_RETURN = re.compile(r"\r(?!\n)")


def load_domain(path: Path | str) -> HddlDomain:
    """Read a domain file.

    >>> load_domain("examples/hddl/tea-domain.hddl").name
    'tea-round'
    """
    return parse_domain(read_file(path), file=str(path))


def load_problem(domain: Path | str, problem: Path | str) -> HddlProblem:
    """Read a domain file and a problem file; the problem has the domain in it.

    >>> load_problem("examples/hddl/tea-domain.hddl", "examples/hddl/tea-problem.hddl").name
    'two-guests'
    """
    return parse_problem(read_file(problem), load_domain(domain), file=str(problem))


def load_plan(path: Path | str) -> HddlPlan:
    """Read a file in the IPC-2020 plan format.

    >>> from pathlib import Path
    >>> _ = Path("go.plan").write_text(plan_text)
    >>> load_plan("go.plan").roots
    (1,)
    """
    return parse_plan(read_file(path), file=str(path))


def read_file(path: Path | str) -> str:
    """Return the text of a file, or raise InputError. A file beyond the size limit is refused before it is read.

    Text that is not UTF-8 is read as Latin-1: older files have authors' names in their comments in it. A carriage
    return alone ends a line, as very old files have it; else a comment would go on to the end of the file.
    """
    path = Path(path)
    try:
        size = path.stat().st_size
        if size > 4 * MAX_CHARACTERS:
            raise InputError(f"the file has {size} bytes, the limit is {4 * MAX_CHARACTERS}", place=str(path))
        with path.open("rb") as stream:
            # In pieces: one read of the limit would set aside that much memory, and a pipe has no size to go by.
            data = b"".join(islice(iter(partial(stream.read, _PIECE), b""), 4 * MAX_CHARACTERS // _PIECE + 1))
    except FileNotFoundError:
        raise InputError("there is no such file", place=str(path)) from None
    except IsADirectoryError:
        raise InputError("this is a folder, a file was expected", place=str(path)) from None
    except PermissionError:
        raise InputError("this file may not be read", place=str(path)) from None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {error}", place=str(path)) from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return _LONE_RETURN.sub("\n", text) if "\r" in text else text
