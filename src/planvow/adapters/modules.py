"""Loading a user's Python file and finding the domain in it."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from planvow.errors import InputError
from planvow.kernel.domain import Domain


def load_module(path: Path) -> ModuleType:
    """Import a Python file; what its own code raises is reported with file and line."""
    if not path.is_file():
        raise InputError("there is no such file", place=str(path))
    name = f"planvow_user_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InputError("this is not a Python file", place=str(path), hint="expected a name that ends in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up by name
    sys.path.insert(0, str(path.resolve().parent))
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        frame = error.__traceback__
        line = 0
        while frame is not None:
            if frame.tb_frame.f_code.co_filename == str(path):
                line = frame.tb_lineno
            frame = frame.tb_next
        if isinstance(error, SyntaxError):
            line = error.lineno or 0
        raise InputError(f"{type(error).__name__}: {error}", place=f"{path}:{line}") from error
    finally:
        sys.path.pop(0)
    return module


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
