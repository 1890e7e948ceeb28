"""One mutant at a time, tried on the golden corpus in a process of its own: what `golden_mutants.py` asks.

A bench holds a copy of `src` from which the whole corpus is imported once. For each mutant its file is broken in the
copy and a child is forked. In the child the function around the site gets its new code; where there is none (a constant
of a module) or no case is seen to call it, all of planvow is imported again. Then the cases are made and compared,
those first that call the function. Starting Python and importing planvow each time would take much longer.
"""

from __future__ import annotations

import ast
import gc
import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from golden_sites import Site

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src"
TIMEOUT_S = 280


class Bench:
    """A copy of the source, and the corpus imported from it. There can be one in a process."""

    def __init__(self, folder: Path) -> None:
        self.source = folder / "src"
        shutil.copytree(SOURCE, self.source, ignore=shutil.ignore_patterns("__pycache__"))
        os.chdir(ROOT)
        # A mutant and what it replaces can be alike in size and second: nothing compiled may be kept, here neither.
        sys.dont_write_bytecode = True
        os.environ |= {"PYTHONPATH": str(self.source), "PYTHONDONTWRITEBYTECODE": "1"}
        sys.path[:0] = [str(self.source), str(ROOT / "tests"), str(ROOT / "tests/lab")]
        self._cases = _corpus()
        self._seconds: dict[str, float] = {}
        self._callers: dict[str, list[str]] = {}
        profile = json.loads(_in_a_child(self._profile))
        self._seconds, self._callers = profile["seconds"], profile["callers"]

    def killer(self, site: Site | None) -> str | None:
        """Return the case that differs in the mutant, or None; without a site, in the source as it is."""
        if site is None:
            return _in_a_child(lambda: self._first_differing(sorted(self._cases))) or None
        path = self.source / site.path
        whole = path.read_bytes()
        path.write_bytes(whole[: site.start] + site.replacement.encode() + whole[site.end :])
        try:
            return _in_a_child(lambda: self._tried(site, whole)) or None
        finally:
            path.write_bytes(whole)

    def _tried(self, site: Site, whole: bytes) -> str:
        name = _function_at(whole, site.line)
        callers = self._callers.get(f"{site.path}:{name}", [])
        others = self._of_module(site.path)
        if name is None or not callers or not self._exchanged(site, whole, name):
            for module in [module for module in sys.modules if module.split(".")[0] in ("planvow", "golden")]:
                del sys.modules[module]
            self._cases = _corpus()
        firsts = [*self._quickest(callers), *self._quickest(others)]
        return self._first_differing(list(dict.fromkeys([*firsts, *self._quickest(self._cases)])))

    def _exchanged(self, site: Site, whole: bytes, name: str) -> bool:
        """Give a function the code that it has in the mutant; say whether there was one."""
        path = str(self.source / site.path)
        old, new = (_code(compile(text, path, "exec"), name) for text in (whole, Path(path).read_bytes()))
        found = [f for f in gc.get_objects() if isinstance(f, FunctionType) and f.__code__ == old]
        for function in found:
            function.__code__ = new  # type: ignore[assignment]
        return bool(found)

    def _first_differing(self, names: list[str]) -> str:
        from golden.corpus.case import Kept

        for name in names:
            try:
                if self._cases[name].body() != Kept.read(self._cases[name].path).body:
                    return f"{name} has other bytes"
            except Exception as error:
                return f"{name}: {type(error).__name__}: {error}".replace("\n", " ")[:200]
        return ""

    def _quickest(self, names: Any) -> list[str]:
        return sorted(names, key=lambda name: (self._seconds.get(name, 0), name))

    def _of_module(self, path: str) -> set[str]:
        return {case for place, cases in self._callers.items() if place.startswith(f"{path}:") for case in cases}

    def _profile(self) -> str:
        """Return which cases call which function, and how long each takes."""
        source, seconds, callers = f"{self.source}/", {}, {}
        for name, case in self._cases.items():
            called = set()

            def note(frame: Any, event: str, _: Any, called: set[CodeType] = called) -> None:
                if event == "call":
                    called.add(frame.f_code)

            start = time.process_time()
            sys.setprofile(note)
            try:
                case.body()
            finally:
                sys.setprofile(None)
            seconds[name] = time.process_time() - start
            for code in called:
                if code.co_filename.startswith(source):
                    place = f"{code.co_filename.removeprefix(source)}:{code.co_qualname.partition('.<locals>')[0]}"
                    callers.setdefault(place, set()).add(name)
        return json.dumps({"seconds": seconds, "callers": {place: sorted(callers[place]) for place in callers}})


def _corpus() -> dict[str, Any]:
    from golden.corpus import CASES

    return {case.name: case for case in CASES if not case.lacking()}


def _in_a_child(work: Callable[[], str]) -> str:
    """Do something in a fork and return what it says; a child that ends otherwise says so."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        signal.setitimer(signal.ITIMER_PROF, TIMEOUT_S)  # of its own CPU: a busy machine kills no mutant
        signal.alarm(10 * TIMEOUT_S)
        quiet = os.open(os.devnull, os.O_RDWR)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        try:
            said = work()
        except BaseException as error:
            said = f"{type(error).__name__}: {error}".replace("\n", " ")[:200]
        with os.fdopen(writing, "w") as pipe:
            pipe.write(said)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        said = pipe.read()
    _, status = os.waitpid(child, 0)
    return said or (f"it ended with status {status}" if status else "")


def _function_at(text: bytes, line: int) -> str | None:
    """Return the name of the outermost function around a line, with its classes; None where there is none."""
    names: list[str] = []
    body: list[Any] = ast.parse(text).body
    while (node := next(_around(body, line), None)) is not None and isinstance(node, ast.ClassDef):
        names.append(node.name)
        body = node.body
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or line < node.body[0].lineno:
        return None  # what stands in a decorator or a default is made with the module
    return ".".join([*names, node.name])


def _around(body: list[Any], line: int) -> Iterator[Any]:
    return (node for node in body if node.lineno <= line <= node.end_lineno)


def _code(module: CodeType, name: str) -> CodeType | None:
    for part in module.co_consts:
        if isinstance(part, CodeType):
            if part.co_qualname == name:
                return part
            if name.startswith(f"{part.co_qualname}."):
                return _code(part, name)
    return None
