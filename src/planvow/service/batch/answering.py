"""A chunk of inputs in, lines out: the same bytes whichever process or machine answers.

A chunk names the versions of whoever asks, and the state of the repository that governed requests are about; a machine
with others refuses it, since its plans might have other bytes.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from planvow._version import __version__
from planvow.canonical import canonical_bytes
from planvow.contract.planners.registry import default_registry
from planvow.errors import InputError, MemoryLimitError, PlanvowError
from planvow.service.batch.items import KINDS, Item, unpacked
from planvow.service.declare.document import Refusal, data_of, refusal_of
from planvow.service.declare.reading import read_question
from planvow.service.declare.setting import Setting
from planvow.service.operations.requests import repository_state
from planvow.status import Status

OWN = ("governed", "goal", "hddl", "htn", "tools")
"""Planners whose versions say which bytes to expect; what others have installed changes no answer of a batch."""
GONE = Refusal(
    code="PLANNER_GENERATION_FAILED",
    reason="the process that worked on it ended, each time it was tried",
    change="ask for less: lower its limits, or raise --max-memory-mb",
)


@dataclass(frozen=True, kw_only=True)
class Line:
    """One answer: the line that is written, and what the manifest says of it."""

    written: bytes
    status: str
    code: str = ""
    """Why there is no plan."""
    plan: dict[str, Any] | None = None
    """What can be posted."""


@dataclass(frozen=True, kw_only=True)
class Means:
    """What every process of a batch needs: how it makes its setting, and which versions it must have."""

    make_setting: bytes
    """A pickled function without arguments."""
    versions: tuple[tuple[str, str], ...]
    repository: tuple[str, ...] | None = None
    """The state of the repository, where governed requests may come; None where nobody looked."""


@cache
def versions() -> tuple[tuple[str, str], ...]:
    """Return which bytes this installation makes: its own version, and those of its planners."""
    registry = default_registry()
    known = [(name, registry.create(name).version) for name in OWN if name in registry.ids()]
    return (("planvow", __version__), *known)


@lru_cache(maxsize=4)
def _setting(make_setting: bytes) -> Setting:
    made: Setting = pickle.loads(make_setting)()
    return made


@lru_cache(maxsize=4)
def _repository(make_setting: bytes) -> tuple[str, ...]:
    return repository_state(_setting(make_setting))


def answer_chunk(means: Means, chunk: bytes) -> list[Line]:
    """Answer every input of a chunk, in order."""
    if means.versions != versions():
        theirs = ", ".join(f"{name} {version}" for name, version in means.versions)
        ours = ", ".join(f"{name} {version}" for name, version in versions())
        hint = "install the same planvow on every machine"
        raise InputError(f"this machine has {ours}; the batch was started with {theirs}", place="versions", hint=hint)
    setting, items = _setting(means.make_setting), unpacked(chunk)
    governed = means.repository is not None and any(item.kind == "govern" for item in items)
    if governed and means.repository != _repository(means.make_setting):
        hint = "bring the same repository with its index to every machine, at the same place"
        raise InputError("this repository is not as the batch found it", place=str(setting.root), hint=hint)
    return [answered(item, setting) for item in items]


def answered(item: Item, setting: Setting) -> Line:
    """Answer one input; whatever is wrong with it stands in its line."""
    if item.fault is not None:
        return _refused(item, Status.REJECTED, item.fault)
    operation = KINDS[item.kind]
    try:
        with setting.limited():
            answer = operation.run(read_question(operation, item.question), setting)
            output = data_of(answer.output)
    except MemoryLimitError as error:
        return _refused(item, Status.INTERRUPTED, data_of(refusal_of(error)))
    except PlanvowError as error:
        return _refused(item, Status.REJECTED, data_of(refusal_of(error)))
    except Exception as error:  # one input must not end the others
        told = PlanvowError(f"{type(error).__name__}: {error}"[:500])
        return _refused(item, Status.INTERNAL, data_of(refusal_of(told)))
    status = str(output.get("status", Status.SOLVED))  # what has no word for it either answers or refuses
    code = str((output.get("refusal") or {}).get("code", ""))
    return Line(
        written=_line(item, status, answer=output),
        status=status,
        code=code,
        plan=next((make() for (scheme, _), make in answer.documents.items() if scheme == "plan"), None),
    )


def gone(item: Item) -> Line:
    """Return the line of an input whose process ended each time."""
    return _refused(item, Status.INTERNAL, data_of(GONE))


def _refused(item: Item, status: Status, refusal: dict[str, Any]) -> Line:
    return Line(written=_line(item, status, refusal=refusal), status=status, code=str(refusal["code"]))


def _line(item: Item, status: str, **held: Any) -> bytes:
    named = {"id": item.name, "kind": item.kind, "input_hash": item.input_hash, "status": status}
    return canonical_bytes({**named, **held}) + b"\n"
