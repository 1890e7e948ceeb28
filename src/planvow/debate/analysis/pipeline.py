"""The whole analysis: transcript in, result out.

Budgets grow with the transcript, so a full debate is always covered; whoever sets smaller ones gets a truncated
analysis that says so. Nothing outside is called unless a helper was passed in (seed 000, Overview; DESIGN ruling
7).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from planvow.canonical import derived_id
from planvow.clock import Clock
from planvow.debate.analysis.result import DebateResult
from planvow.debate.artifacts import ArgumentRelation, DiagnosticArtifact, FactCheck, TentativeResolution
from planvow.debate.methods import DEBATE
from planvow.debate.relations.arguments import asserted_claims
from planvow.debate.state.discourse import DiscourseState
from planvow.debate.state.helpers import Assistant, FactChecker, Readings
from planvow.debate.terms.language import Language
from planvow.debate.terms.transcript import Transcript
from planvow.kernel.perform.budgets import PlannerBudgets
from planvow.kernel.perform.performer import HTNPlanner
from planvow.kernel.perform.result import Diagnostic, PerformResult
from planvow.kernel.perform.task import Task

_TASKS_PER_CHARACTER = 2  # a claim of a few words costs three tasks, a pronoun one: never near this
_MS_PER_CHARACTER = 20

Progress = Callable[[int, int], None]
"""Called with (turns begun, turns in all)."""


def budgets_for(transcript: Transcript) -> PlannerBudgets:
    """Return budgets that cover a transcript of this length, time included.

    >>> budgets_for(read_transcript("ANN: Taxes fell.")).max_tasks
    1032
    """
    size = len(transcript.text)
    seed = PlannerBudgets()
    return PlannerBudgets(
        max_tasks=(seed.max_tasks or 0) + _TASKS_PER_CHARACTER * size,
        max_children_per_task=(seed.max_children_per_task or 0) + size,
        global_time_budget_ms=(seed.global_time_budget_ms or 0) + _MS_PER_CHARACTER * size,
        max_backtracks_global=(seed.max_backtracks_global or 0) + size // 100,
    )


def analyse(
    transcript: Transcript,
    language: Language,
    *,
    budgets: PlannerBudgets | None = None,
    assistant: Assistant | None = None,
    fact_checker: FactChecker | None = None,
    max_fact_checks: int | None = None,
    clock: Clock | None = None,
    interrupt: Callable[[], bool] | None = None,
    progress: Progress | None = None,
) -> DebateResult:
    """Take a debate apart.

    >>> from planvow.adapters.language.choice import load_language
    >>> said = read_transcript("ANN: Taxes fell by ten percent in 2019.")
    >>> [claim.text for claim in analyse(said, load_language("lite")).claims]
    ['Taxes fell by ten percent in 2019']
    """
    state = DiscourseState(
        transcript_id=transcript.transcript_id,
        transcript_text=transcript.text,
        speaker_turns=transcript.turns,
        readings=Readings(language, transcript),
        assistant=assistant,
        fact_checker=fact_checker,
        fact_checks_left=max_fact_checks,
    )
    planner = HTNPlanner(
        budgets or budgets_for(transcript),
        domain=DEBATE,
        clock=clock,
        interrupt=interrupt,
        on_task=_progress_of(progress, len(transcript.turns)),
    )
    root = Task.create("DECOMPOSE_TRANSCRIPT", {"fact_check": fact_checker is not None}, (0, len(transcript.text)))
    performed = planner.run(root, state)
    state.task_count = performed.stats.tasks_executed
    _emit_diagnostics(state, transcript, performed)
    return _result(state, transcript, language, performed)


def _progress_of(progress: Progress | None, turns: int) -> Callable[[Task], None] | None:
    if progress is None:
        return None

    def on_task(task: Task) -> None:
        if task.task_type == "PROCESS_TURN":
            progress(task.params["turn_index"] + 1, turns)

    return on_task


def _emit_diagnostics(state: DiscourseState, transcript: Transcript, performed: PerformResult) -> None:
    found: Sequence[Diagnostic] = performed.diagnostics
    for number, diagnostic in enumerate(found):
        artifact = DiagnosticArtifact(
            artifact_id=derived_id("diagnostic", [number, diagnostic.diagnostic_type, diagnostic.message]),
            diagnostic_type=diagnostic.diagnostic_type,
            message=diagnostic.message,
            context=dict(diagnostic.context),
            severity=diagnostic.severity.value,
            method_path=diagnostic.method_path,
        )
        state.emit_artifact(artifact)
    remarks = [("READER_NOTE", note) for note in transcript.notes]
    if state.fact_checks_left_out:
        remarks.append(("FACT_CHECK_BUDGET", f"{state.fact_checks_left_out} claims were not fact-checked: budget"))
    if state.relations_left_out:
        unlisted = f"relations not listed, as an end of them is quoted or supposed: {state.relations_left_out}"
        remarks.append(("RELATIONS_LEFT_OUT", unlisted))
    for kind, message in remarks:
        state.emit_artifact(
            DiagnosticArtifact(
                artifact_id=derived_id("diagnostic", [kind, message]),
                diagnostic_type=kind,
                message=message,
                severity="info" if kind == "RELATIONS_LEFT_OUT" else "warning",
            )
        )


def _result(
    state: DiscourseState, transcript: Transcript, language: Language, performed: PerformResult
) -> DebateResult:
    readings = state.readings
    relations = state.artifacts_of(ArgumentRelation)
    unasserted = 0
    if readings is not None:
        read = [readings.turn(index) for index in range(readings.turns_read)]
        unasserted = sum(len(reading.claims) - len(asserted_claims(reading)) for reading in read)
    return DebateResult(
        success=performed.success,
        artifacts=state.collect_artifacts(),
        argument_frames=list(state.argument_frames),
        claims=list(state.claims),
        resolved_references=list(state.resolved_references.values()),
        unresolved_references=list(state.open_references),
        trace=performed.trace,
        stats=performed.stats,
        status=performed.status,
        truncated=performed.truncated,
        diagnostics=state.artifacts_of(DiagnosticArtifact),
        relations=[relation for relation in relations if relation.is_shown],
        possible_relations=[relation for relation in relations if not relation.is_shown],
        fact_checks=state.artifacts_of(FactCheck),
        resolutions=state.artifacts_of(TentativeResolution),
        entities=list(state.entities.values()),
        scopes=list(state.scopes),
        unasserted=unasserted,
        transcript=transcript,
        language=language.name,
        language_version=language.version,
    )
