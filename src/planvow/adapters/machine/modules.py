"""Loading a user's Python file and finding the domain or the problem in it."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from planvow.errors import InputError, did_you_mean
from planvow.kernel.domain.domain import Domain
from planvow.kernel.search.problem import Problem, make_problem


def load_module(path: Path) -> ModuleType:
    """Import a Python file; what its own code raises is reported with file and line."""
    if path.is_dir():
        raise InputError("this is a folder, a file was expected", place=str(path))
    if not path.is_file():
        raise InputError("there is no such file", place=str(path))
    name = f"planvow_user_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InputError("this is not a Python file", place=str(path), hint="expected a name that ends in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up by name
    own = str(spec.origin)
    sys.path.insert(0, str(path.resolve().parent))
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # a script that ends itself would end the command with its exit code
        raise fault_in(path, own, error) from error
    finally:
        sys.path.pop(0)
    return module


def fault_in(path: Path, own: str, error: BaseException) -> InputError:
    """Return what a user's file raised as an error of ours, with the last line of that file that was running."""
    if isinstance(error, InputError) and error.place is not None:
        return error
    frame = error.__traceback__
    line = 0
    while frame is not None:
        if frame.tb_frame.f_code.co_filename == own:
            line = frame.tb_lineno
        frame = frame.tb_next
    if isinstance(error, SyntaxError):
        line = error.lineno or 0
    hint = "put what is to run below if __name__ == '__main__':" if isinstance(error, SystemExit) else None
    message = f"{type(error).__name__}: {error}"
    if isinstance(error, InputError):
        message, hint = error.message, error.hint
    return InputError(message, place=f"{path}:{line}" if line else str(path), hint=hint)


def load_domain(path: Path) -> Domain:
    """Return the domain a Python file declares: the one named `domain`, or the only one there is."""
    module = load_module(path)
    named = getattr(module, "domain", None)
    if isinstance(named, Domain):
        return named
    found = {id(value): value for value in vars(module).values() if isinstance(value, Domain)}
    if len(found) != 1:
        raise InputError(
            f"expected one planvow.Domain, found {len(found)}",
            place=str(path),
            hint="name the one that counts `domain`",
        )
    return next(iter(found.values()))


def load_problem(path: Path, name: str = "problem") -> Problem:
    """Return the problem a Python file declares: a Problem, a tuple (domain, state, agenda), or a function of none."""
    return problem_in(load_module(path), path, name)


def named_problem(target: str) -> Problem:
    """Return the problem of `MODULE.py` or `MODULE.py:name`."""
    path, _, name = target.partition(":") if not Path(target).is_file() else (target, "", "")
    return load_problem(Path(path), name or "problem")


def problem_in(module: ModuleType, path: Path, name: str = "problem") -> Problem:
    """Return the problem that a loaded Python file declares."""
    value = getattr(module, name, None)
    if value is None:
        known = [key for key, held in vars(module).items() if isinstance(held, Problem) and key[:1] != "_"]
        listed = f"there are {', '.join(known)}: planvow plan {path}:{known[0]}" if known else None
        raise InputError(
            f"there is no {name!r} in this file",
            place=str(path),
            hint=did_you_mean(name, known) or listed or f"write {name} = make_problem(domain, state, [task, …])",
        )
    try:
        if callable(value):
            value = value()
        if isinstance(value, tuple) and len(value) == 3:
            value = make_problem(*value)
    except (Exception, SystemExit) as error:
        raise fault_in(path, str(module.__file__), error) from error
    if not isinstance(value, Problem):
        raise InputError(
            f"{name!r} is a {type(value).__name__}, not a problem",
            place=str(path),
            hint=f"write {name} = make_problem(domain, state, [task, …])",
        )
    return value
