"""What is declared once: an operation with its question, its answer, its function and the right it needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from planvow.service.declare.setting import Setting
from planvow.spans import span

COMMAND_LINE, HTTP, MCP = "command line", "http", "mcp"
DOORS = (COMMAND_LINE, HTTP, MCP)


class Right(StrEnum):
    """What somebody must be allowed to do for a call."""

    READ = "read"
    PLAN = "plan"
    OPERATE = "operate"
    APPROVE = "approve"


@dataclass(frozen=True, kw_only=True, eq=False)
class Answer:
    """What an operation answers: the published document, and for callers in the same process what it was made from."""

    output: Any
    whole: Any = None
    """The library's own value: pictures, explanations and certificates come from it."""
    documents: Mapping[tuple[str, str], Callable[[], Any]] = field(default_factory=dict)
    """What can be read afterwards, by scheme and name."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Operation:
    """Something that can be asked of planvow, declared once for every way in."""

    name: str
    summary: str
    """What it is for and when to use it: what a person and a model read."""
    question: type
    output: type
    run: Callable[[Any, Setting], Answer]
    right: Right
    read_only: bool = True
    is_long: bool = False
    """Whether it tells its progress and can be interrupted."""
    commands: tuple[str, ...] = ()
    """The commands that call it: `planvow plan`."""
    advanced: frozenset[str] = frozenset()
    """Arguments that a short list of tools leaves out; they are taken all the same."""
    missing: Mapping[str, str] = field(default_factory=dict)
    """Ways in that do not have it, and why."""

    def __call__(self, question: Any, setting: Setting) -> Answer:
        """Answer a question, and keep what can be read afterwards."""
        answer = self.answered(question, setting)
        for (scheme, name), make in answer.documents.items():
            setting.shelf.keep(scheme, name, make)
        return answer

    def answered(self, question: Any, setting: Setting) -> Answer:
        """Answer a question, told as a span unless it only reads: what plans is `gen_ai.operation.name` plan."""
        if self.right is Right.READ:  # asked over and over by those who watch
            return self.run(question, setting)
        planner = getattr(question, "planner", "") or self.name
        name = f"plan {planner}" if self.right is Right.PLAN else self.name
        kind = "plan" if self.right is Right.PLAN else ""
        with span(name, {"gen_ai.operation.name": kind, "planvow.operation": self.name}, parent=setting.trace) as told:
            answer = self.run(question, setting)
            output, counted = answer.output, getattr(answer.whole, "statistics", None)
            told.set(
                {
                    "planvow.planner": getattr(output, "planner", ""),
                    "planvow.status": getattr(output, "status", "") or "",
                    "planvow.plan_hash": getattr(output, "plan_hash", "") or "",
                    "planvow.nodes": getattr(counted, "iterations", None),
                    "planvow.backtracks": getattr(counted, "backtracks", None),
                    "planvow.refusal": getattr(getattr(output, "refusal", None), "code", ""),
                }
            )
        return answer
