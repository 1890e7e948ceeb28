"""Write down the public interface: every name at the front doors with its signature.

    python scripts/api.py

A test holds the file against the code, so a change of the interface is seen in review.
"""

from __future__ import annotations

import enum
import inspect
import pkgutil
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "tests/architecture/public_api.txt"
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")
_MODULE = re.compile(r"<module '([\w.]+)'[^>]*>")  # where a module lies on this machine is no part of the interface


def doors() -> list[str]:
    """Return the packages whose `__all__` is public."""
    planvow = import_module("planvow")
    inner = [found.name for found in pkgutil.iter_modules(planvow.__path__) if found.ispkg and found.name != "adapters"]
    return ["planvow", *(f"planvow.{name}" for name in sorted(inner))]


def interface() -> str:
    """Return the public interface as text, one name a line."""
    return "\n".join(line for door in doors() for line in _door(door)) + "\n"


def _door(door: str) -> Iterator[str]:
    module = import_module(door)
    for name in sorted(getattr(module, "__all__", ())):
        yield from _lines(f"{door}.{name}", getattr(module, name))


def _lines(name: str, value: object) -> Iterator[str]:
    if inspect.ismodule(value):
        yield f"{name} (module)"
    elif inspect.isclass(value) and issubclass(value, enum.Enum):
        yield f"{name} (one of {', '.join(value.__members__)})"
    elif inspect.isclass(value):
        yield f"{name}{_signature(value)}"
        for part, held in sorted(vars(value).items()):
            if not part.startswith("_"):
                yield f"  .{part}{_signature(held.__func__ if isinstance(held, classmethod | staticmethod) else held)}"
    elif callable(value):
        yield f"{name}{_signature(value)}"
    else:
        yield f"{name} ({type(value).__name__})"


def _signature(value: object) -> str:
    if not callable(value):
        return ""
    try:
        return _MODULE.sub(r"\1", _ADDRESS.sub("", str(inspect.signature(value))))
    except (TypeError, ValueError):  # made in C, or of no fixed form
        return "(...)"


if __name__ == "__main__":
    FILE.write_text(interface(), encoding="utf-8")
    print(f"wrote {FILE.relative_to(ROOT)}", file=sys.stderr)
