"""Which domain it was: its name, and a hash over the source files it is made of.

The files are those of the modules in which its functions were written and of everything these modules use, outside
installed packages. A domain that was typed in, compiled, or made by a program has no source: it is `unknown`.
"""

from __future__ import annotations

import hashlib
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from types import FunctionType, MethodType, ModuleType
from typing import Any

from planvow.canonical import full_hash
from planvow.contract.checking.verdict import UNKNOWN
from planvow.kernel.domain.domain import Domain

_OWN = Path(__file__).resolve().parents[2]


def domain_identity(domain: Domain) -> dict[str, str]:
    """Return a domain's name and the hash of its source, or `unknown`."""
    return {"name": domain.name, "source": _source(domain)}


def _source(domain: Domain) -> str:
    if domain.text is not None:
        return full_hash(domain.text, tag="domain-text/1")
    worlds: dict[int, Mapping[str, Any]] = {}
    for function in _functions(domain):
        written = _written(function)
        if written is None:
            return UNKNOWN
        worlds[id(written.__globals__)] = written.__globals__
    files = _files(list(worlds.values()))
    if not files or None in files.values():
        return UNKNOWN
    return full_hash(sorted((Path(name).name, str(digest)) for name, digest in files.items()), tag="domain-source/1")


def _functions(domain: Domain) -> Iterator[Any]:
    for command in domain.commands.values():
        yield command.model
        yield from (part for part in (command.runtime, command.cost, command.duration) if callable(part))
    for method in domain.methods():
        yield method.function
        if callable(method.cost):
            yield method.cost


def _written(function: Any) -> FunctionType | None:
    """Return the plain function behind a method, a partial call or a decorator."""
    for _ in range(100):  # wrappers around wrappers, but not for ever
        if isinstance(function, partial):
            function = function.func
        elif isinstance(function, MethodType):
            function = function.__func__
        elif hasattr(function, "__wrapped__"):
            function = function.__wrapped__
        elif isinstance(function, FunctionType):
            return function
        else:
            function = vars(type(function)).get("__call__")
    return None


def _files(worlds: list[Mapping[str, Any]]) -> dict[str, str | None]:
    """Return the files of modules and of what they use, with their hashes; None for one that cannot be read."""
    found: dict[str, str | None] = {}
    seen = {id(world) for world in worlds}
    for world in worlds:  # grows while it is walked
        name = world.get("__file__")
        if isinstance(name, str) and (name in found or _is_installed(name)):
            continue  # what is installed has a version of its own
        if not isinstance(name, str) or not name.endswith(".py"):
            found[str(world.get("__name__"))] = None  # typed in, or compiled
            continue
        found[name] = _digest(name)
        for used in _used_by(world):
            if id(used) not in seen:
                seen.add(id(used))
                worlds.append(used)
    return found


def _used_by(world: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the modules whose names, functions or classes a module has in hand."""
    for value in list(world.values()):
        module = value if isinstance(value, ModuleType) else None
        if module is None and (isinstance(value, FunctionType | type) or hasattr(value, "__module__")):
            home = getattr(value, "__module__", None)
            module = sys.modules.get(home) if isinstance(home, str) else None
        if module is not None and isinstance(getattr(module, "__file__", None), str):
            yield vars(module)


@cache
def _installed() -> tuple[Path, ...]:
    paths = sysconfig.get_paths()
    homes = (paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib"))
    standard = str(Path(hashlib.__file__).parent)  # which may be an archive beside the folder of that name
    return tuple(Path(home).resolve() for home in (*homes, standard))


@cache
def _is_installed(name: str) -> bool:
    path = Path(name).resolve()
    return any(home in path.parents for home in (*_installed(), _OWN)) or "site-packages" in path.parts


def _digest(name: str) -> str | None:
    try:
        return hashlib.sha256(Path(name).read_bytes()).hexdigest()
    except OSError:
        return None
