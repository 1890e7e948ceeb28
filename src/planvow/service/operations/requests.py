"""Governed requests, compiled and not stored."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any, Literal

from planvow.errors import InputError, PlanvowError
from planvow.governed.compile.planner import RequestPlanner
from planvow.governed.sections.config import CONFIG_NAME, load_config
from planvow.governed.substrate.interface import KINDS, default_path, open_substrate
from planvow.service.declare.document import document
from planvow.service.declare.operation import Answer, Operation, Right
from planvow.service.declare.setting import Setting


@document
class RequestQuestion:
    """A plan request (schema://plan_request)."""

    request: Any
    """The request: intent, targets, budgets; see schema://plan_request."""
    allow_unresolved: bool = False
    """Let unknown references through, marked."""
    substrate: Literal["sqlite", "jsonl"] = "sqlite"


@document
class RequestAnswer:
    """The plan that the request compiles to."""

    plan_hash: str
    plan_output: dict[str, Any]
    """Steps, budgets used and hashes; see schema://plan_output."""


def compile_request(asked: RequestQuestion, setting: Setting) -> Answer:
    """Compile a request against the repository's index; nothing is written."""
    with request_planner(setting, asked.substrate) as planner:
        found = planner.plan_request(asked.request, substrate=asked.substrate, allow_unresolved=asked.allow_unresolved)
    name = found["plan_hash"]
    stored = {"plan": found, "plan_hash": name, "planner": "governed", "planner_version": found["planner_version"]}
    output = RequestAnswer(plan_hash=name, plan_output=found)
    return Answer(output=output, whole=found, documents={("plan", name): lambda: stored})


def request_planner(setting: Setting, substrate: str) -> RequestPlanner:
    """Return the planner of the repository that the setting names."""
    root = setting.root or Path.cwd()
    if not root.is_dir():
        raise InputError("there is no such folder", place=str(root))
    folder = setting.data or load_config(root).data_in(root)
    return RequestPlanner(root, default_path(folder, substrate), intents=setting.intents)


def repository_state(setting: Setting) -> tuple[str, ...]:
    """Return what two machines must agree on to compile alike: the repository's settings and its indexes.

    What cannot be read says so in its place: whether that matters, the request that needs it will tell.
    """
    root = setting.root or Path.cwd()
    if not root.is_dir():
        return ()
    settings = root / CONFIG_NAME
    found = [settings.read_text("utf-8", "replace") if settings.is_file() else ""]
    try:
        folder = setting.data or load_config(root).data_in(root)
        for kind in KINDS:
            with closing(open_substrate(kind, default_path(folder, kind))) as index:
                found.append(index.meta().index_hash)
    except PlanvowError as error:
        found.append(error.code)
    return tuple(found)


COMPILE_REQUEST = Operation(
    name="compile_request",
    summary="Compile a governed request into hashed, budgeted steps: a dry run, nothing is stored.",
    question=RequestQuestion,
    output=RequestAnswer,
    run=compile_request,
    right=Right.PLAN,
    advanced=frozenset(("substrate",)),
    commands=("cortex plan --dry-run",),
)
