"""Debates taken apart: claims with exact spans, arguments and lineage."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from planvow.debate.analysis.pipeline import analyse, budgets_for
from planvow.debate.analysis.public import public_result
from planvow.debate.analysis.result import DebateResult
from planvow.debate.export.formats import Selection, select
from planvow.debate.readers.read import MAX_BYTES, read_transcript
from planvow.debate.state.helpers import Assistant
from planvow.debate.terms.language import Language
from planvow.debate.terms.taxonomy import ClaimType, Route
from planvow.errors import InputError, did_you_mean
from planvow.hooks import hook
from planvow.kernel.perform.budgets import PlannerBudgets
from planvow.service.declare.document import document
from planvow.service.declare.operation import Answer, Operation, Right
from planvow.service.declare.setting import Setting

LONGEST_SECONDS = 1e9
"""What a longer time comes to: some thirty years, which can be counted in milliseconds."""


@document
class TranscriptQuestion:
    """A transcript as text, and which claims are wanted."""

    transcript: str
    """Lines like "ANN: taxes rose by 3 percent.", subtitles, JSON or HTML."""
    speakers: list[str] | None = None
    types: list[str] | None = None
    """empirical, normative, …"""
    routes: list[str] | None = None
    """fact_check, …"""
    top: int | None = None
    """Only the most check-worthy claims."""
    min_score: float = 0.0
    language: Literal["auto", "spacy", "lite"] = "auto"
    name: str = ""
    """File name, where the form is in doubt."""
    max_tasks: int | None = None
    max_seconds: float | None = None


@document
class TranscriptAnswer:
    """What the analysis found."""

    claims: list[dict[str, Any]]
    relations: list[dict[str, Any]]
    diagnostics: list[Any]
    stats: dict[str, Any]
    truncated: bool
    """Whether a limit cut it short."""


@dataclass(frozen=True, kw_only=True)
class Means:
    """What an analysis works with besides the transcript: back-ends, checkers and limits of whoever runs it."""

    language: Language
    assistant: Assistant | None = None
    fact_checker: Any = None
    max_fact_checks: int | None = None
    max_bytes: int = MAX_BYTES
    max_llm_calls: int = 0
    max_llm_tokens: int = 0
    data: bytes | None = None
    """The transcript as it is on the disk, where it does not come as text."""
    advance: Callable[[int, int], None] | None = None


def decompose_transcript(asked: TranscriptQuestion, setting: Setting) -> Answer:
    """Analyse a transcript and return the claims that are wanted."""
    selection = selected(asked)
    result = analysed(asked, setting)
    public = select(public_result(result), selection)
    output = TranscriptAnswer(
        claims=public["claims"],
        relations=public["relations"],
        diagnostics=public["diagnostics"],
        stats=public["stats"],
        truncated=result.truncated,
    )
    return Answer(output=output, whole=result)


def analysed(asked: TranscriptQuestion, setting: Setting) -> DebateResult:
    """Analyse a transcript and return everything that was found."""
    means: Means = setting.debate or Means(language=hook("load_language")(asked.language))
    source = asked.transcript if means.data is None else means.data
    try:
        transcript = read_transcript(source, name=asked.name, max_bytes=means.max_bytes)
    except InputError as error:
        error.place = ": ".join(part for part in (asked.name, error.place) if part) or None
        raise
    tell = setting.progress
    advance = means.advance
    if advance is None and tell is not None:
        advance = lambda done, total: tell(done, f"{done} of {total} turns")  # noqa: E731
    return analyse(
        transcript,
        means.language,
        budgets=_budgets(budgets_for(transcript), asked, means),
        assistant=means.assistant,
        fact_checker=means.fact_checker,
        max_fact_checks=means.max_fact_checks,
        clock=hook("system_clock")(),
        interrupt=setting.interrupt,
        progress=advance,
    )


def selected(asked: TranscriptQuestion) -> Selection:
    """Return which claims are wanted; an unknown word is an error with the nearest one."""
    return Selection(
        speakers=tuple(asked.speakers or ()),
        types=_known(asked.types, [kind.value for kind in ClaimType], "type"),
        routes=_known(asked.routes, [kind.value for kind in Route], "route"),
        min_score=asked.min_score,
        top=asked.top,
    )


def _known(given: list[str] | None, words: list[str], what: str) -> tuple[str, ...]:
    found = []
    for word in given or ():
        plain = word.strip().lower().replace("-", "_")
        if plain not in words:
            hint = did_you_mean(plain, words) or f"one of {', '.join(words)}"
            raise InputError(f"unknown {what} {word!r}", hint=hint)
        found.append(plain)
    return tuple(found)


def _budgets(scaled: PlannerBudgets, asked: TranscriptQuestion, means: Means) -> PlannerBudgets:
    seconds = asked.max_seconds
    return PlannerBudgets(
        max_tasks=asked.max_tasks or scaled.max_tasks,
        max_depth=scaled.max_depth,
        max_children_per_task=scaled.max_children_per_task,
        global_time_budget_ms=scaled.global_time_budget_ms
        if seconds is None
        else round(min(seconds, LONGEST_SECONDS) * 1000),
        max_backtracks_global=scaled.max_backtracks_global,
        max_llm_calls_per_transcript=means.max_llm_calls,
        max_llm_tokens=means.max_llm_tokens,
    )


DECOMPOSE_TRANSCRIPT = Operation(
    name="decompose_transcript",
    summary="Take a debate apart: claims with exact spans, speaker and type, what to check, who argues against whom.",
    question=TranscriptQuestion,
    output=TranscriptAnswer,
    run=decompose_transcript,
    right=Right.PLAN,
    is_long=True,
    advanced=frozenset(("name", "language", "max_tasks", "speakers")),
    commands=("planvow debate",),
)
