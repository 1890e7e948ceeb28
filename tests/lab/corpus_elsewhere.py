"""The golden corpus on another Python: every case whose parts can be had there is made and compared with its file."""

from __future__ import annotations

import json
import pkgutil
import socket
import sys
import traceback
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

MACHINE = {  # what a browser has not, and how it says so
    "threads": "can't start new thread",
    "threads, as the heartbeat says": "cannot join thread before it is started",
    "pipes": "has no attribute 'mkfifo'",
    "an extra": "MissingExtraError",
    "processes": "emscripten does not support processes",
    "sockets": "no sockets here",
}
FOLDER = Path(__file__).resolve().parents[1] / "golden/corpus"


def report() -> str:
    """Return as JSON which cases came out the same, which did not, and what the others lack here."""
    socket.socket = _no_socket  # type: ignore[assignment,misc]  # asking for one ends the interpreter here
    modules = _modules()
    from golden.corpus.case import Kept, first_difference

    same, differing, lacking = [], {}, {name: found for name, found in modules.items() if isinstance(found, str)}
    for case in (case for found in modules.values() for case in getattr(found, "CASES", ())):
        if (missed := case.lacking()) is not None:
            lacking[case.name] = missed
            continue
        try:
            made = case.body()
        except ImportError as error:
            lacking[case.name] = str(error.name)
        except Exception:
            told = traceback.format_exc()
            machine = next((word for word, sign in MACHINE.items() if sign in told), None)
            if machine is None:
                differing[case.name] = told[-1500:]
            else:
                lacking[case.name] = machine
        else:
            kept = Kept.read(case.path).body
            if made == kept:
                same.append(case.name)
            else:
                differing[case.name] = first_difference(kept, made)
    return json.dumps({"python": sys.version.split()[0], "same": same, "differing": differing, "lacking": lacking})


def _no_socket(*given: object, **named: object) -> None:
    raise OSError("no sockets here")


def _modules() -> dict[str, Any]:
    """Import the corpus module by module; where one lacks a package, its name stands in the module's place."""
    package = ModuleType("golden.corpus")  # its own __init__ imports all of them or none
    package.__path__ = [str(FOLDER)]
    sys.modules["golden.corpus"] = package
    found: dict[str, Any] = {}
    for module in pkgutil.iter_modules(package.__path__):
        try:
            found[module.name] = import_module(f"golden.corpus.{module.name}")
        except ImportError as error:
            found[module.name] = str(error.name)
    return found
