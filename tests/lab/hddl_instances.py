"""Where the shared IPC-2020 files are, for tests that use them; they skip when the folder is absent."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest

from planvow.hddl import HddlDomain, HddlProblem, parse_domain, parse_problem

SHARED = Path(os.environ.get("PLANVOW_SHARED", Path(__file__).resolve().parents[2] / "../shared"))
IPC = SHARED / "data/ipc2020"

needs_ipc = pytest.mark.skipif(not IPC.is_dir(), reason=f"the IPC-2020 files are not at {IPC}; set PLANVOW_SHARED")


def instances() -> Iterator[tuple[Path, Path]]:
    """Yield every domain with each of its problems."""
    for problem in sorted(IPC.rglob("*.hddl")):
        if "domain" in problem.stem or "plans" in problem.parts:
            continue
        own = problem.with_name(f"{problem.stem}-domain.hddl")
        yield (own if own.exists() else problem.with_name("domain.hddl")), problem


def sample(per_folder: int) -> list[tuple[Path, Path]]:
    """Return the first few instances of every folder."""
    chosen: dict[Path, list[tuple[Path, Path]]] = {}
    for domain, problem in instances():
        chosen.setdefault(problem.parent, []).append((domain, problem))
    return [pair for pairs in chosen.values() for pair in pairs[:per_folder]]


@lru_cache(maxsize=4)
def load_domain(path: Path) -> HddlDomain:
    return parse_domain(path.read_text("utf-8"), file=path.name)


@lru_cache(maxsize=4)
def load_problem(domain: Path, problem: Path) -> HddlProblem:
    return parse_problem(problem.read_text("utf-8"), load_domain(domain), file=problem.name)
