"""Seed 000 as written: its own classes, names and example methods, run against planvow.

The method classes of section 14 stand here in the seed's style: registered with the bare `@method`, no kind declared.
"""

from __future__ import annotations

import inspect
import json
from dataclasses import fields
from enum import Enum
from typing import get_type_hints

import pytest

import planvow.debate as debate
from planvow.clock import LogicalClock
from planvow.debate import (
    ArgumentFrame,
    AtomicClaim,
    BudgetStatus,
    ClaimType,
    DiagnosticArtifact,
    DiscourseState,
    Entity,
    EntityMention,
    HTNPlanner,
    OpenReference,
    OperatorResult,
    OperatorStatus,
    PlannerBudgets,
    PlannerResult,
    PlannerStats,
    ResolutionStatus,
    Route,
    Scope,
    ScopeType,
    SpeakerTurn,
    Task,
    TentativeResolution,
    TraceRecorder,
    analyse,
    canonical_hash,
    canonical_hash_short,
    canonicalize_text,
    claim_dedup_key,
    entity_dedup_key,
    get_methods_for_task,
    llm_cache_key,
    method,
    public_result,
    read_transcript,
    route_of,
)
from planvow.kernel.perform.method import PerformDomain
from scripted_debate import Scripted

SAMPLE = """ALICE: Taxes fell by 5% in 2019. We should cut them again because growth was 3%.

BOB: But taxes rose by 2% in 2020. He is wrong about growth.
"""


def state_of(text: str) -> DiscourseState:
    transcript = read_transcript(text)
    return DiscourseState(
        transcript_id=transcript.transcript_id,
        transcript_text=transcript.text,
        speaker_turns=list(transcript.turns),
    )


@pytest.fixture(scope="module")
def analysed() -> PlannerResult:
    return analyse(read_transcript(SAMPLE), Scripted())


# Section 2.1


def test_task_has_the_fields_and_defaults_of_the_seed():
    task = Task(task_id="t", task_type="X", params={}, span=(0, 1))
    assert (task.parent_task_id, task.parent_artifact_id, task.depth, task.budget_ms, task.dedup_key) == (
        None,
        None,
        0,
        1000,
        None,
    )


def test_create_inherits_context_from_the_parent():
    parent = Task.create(task_type="P", params={}, span=(0, 9))
    child = Task.create("C", {"a": 1}, (1, 2), parent=parent, parent_artifact_id="x", budget_ms=5, dedup_key="k")
    assert (child.parent_task_id, child.depth) == (parent.task_id, 1)
    assert (child.parent_artifact_id, child.budget_ms, child.dedup_key) == ("x", 5, "k")
    assert child.task_id.startswith("C_")


def test_dedup_key_depends_on_type_span_and_params_and_on_nothing_else():
    one = Task.create("A", {"x": 1, "y": 2}, (0, 5))
    same = Task.create("A", {"y": 2, "x": 1}, (0, 5), parent=one, budget_ms=7)
    assert one.compute_dedup_key() == same.compute_dedup_key()
    assert len(one.compute_dedup_key()) == 24
    others = [Task.create("B", {"x": 1, "y": 2}, (0, 5)), Task.create("A", {"x": 1, "y": 2}, (0, 6))]
    others.append(Task.create("A", {"x": 1}, (0, 5)))
    assert len({t.compute_dedup_key() for t in [one, *others]}) == 4
    assert Task.create("A", {}, (0, 1), dedup_key="mine").compute_dedup_key() == "mine"


# Section 2.2


def test_operator_status_and_result_are_the_seeds():
    assert [status.name for status in OperatorStatus] == ["SUCCESS", "FAILED", "BLOCKED", "SKIPPED"]
    result = OperatorResult(status=OperatorStatus.SUCCESS, artifacts_emitted=None, state_mutations=None)
    assert (result.artifacts_emitted, result.state_mutations, result.error) == ([], [], None)


def test_method_protocol_has_the_four_functions_and_four_attributes():
    names = ("preconditions", "cost", "decompose", "execute")
    assert all(inspect.isfunction(getattr(debate.Method, name)) for name in names)
    assert set(get_type_hints(debate.Method)) == {"_method_name", "_task_type", "_base_cost", "_requires_llm"}


# Sections 2.3, 5 and 14: the seed's own example methods


@method(name="SeedDecomposeTranscript", task="SEED_DECOMPOSE_TRANSCRIPT", base_cost=1.0)
class SeedDecomposeTranscript:
    def preconditions(self, state, task):
        return len(state.speaker_turns) > 0

    def cost(self, state, task):
        return self._base_cost

    def decompose(self, state, task):
        subtasks = []
        for i, turn in enumerate(state.speaker_turns):
            subtasks.append(
                Task.create(
                    task_type="SEED_PROCESS_TURN",
                    params={"turn_index": i, "speaker": turn.speaker},
                    span=turn.span,
                    parent=task,
                )
            )
        return subtasks

    def execute(self, state, task):
        raise NotImplementedError("Compound method")


@method(name="SeedProcessTurn", task="SEED_PROCESS_TURN")
class SeedProcessTurn:
    def preconditions(self, state, task):
        return True

    def cost(self, state, task):
        return self._base_cost

    def decompose(self, state, task):
        start, end = task.span
        if end - start < 20:
            return []  # a compound with nothing to do
        params = {"span": [start, end], "parent_frame_id": "frame_1"}
        return [Task.create("SEED_EXTRACT_CLAIM", params, task.span, parent=task)]

    def execute(self, state, task):
        raise NotImplementedError("Compound methods should not have execute() called")


@method(name="SeedExtractAtomicClaim", task="SEED_EXTRACT_CLAIM", base_cost=5.0)
class SeedExtractAtomicClaim:
    def preconditions(self, state, task):
        span = task.params.get("span")
        return span is not None and span[1] > span[0]

    def cost(self, state, task):
        span = task.params.get("span", (0, 0))
        return self._base_cost + ((span[1] - span[0]) / 100)

    def decompose(self, state, task):
        return []  # Primitive: signals execute()

    def execute(self, state, task):
        span = task.params["span"]
        text = state.transcript_text[span[0] : span[1]]
        claim = AtomicClaim(
            artifact_id=f"claim_{claim_dedup_key(text, span)}",
            text=text,
            span=span,
            parent_frame_id=task.params.get("parent_frame_id"),
            scope_id=state.current_scope_id,
            confidence=0.8,
        )
        state.emit_artifact(claim)
        state.claims.append(claim)
        return OperatorResult(
            status=OperatorStatus.SUCCESS,
            artifacts_emitted=[claim.artifact_id],
            state_mutations=[f"Added claim {claim.artifact_id}"],
        )


def test_the_decorator_registers_with_the_seeds_attributes():
    assert get_methods_for_task("SEED_EXTRACT_CLAIM") == [SeedExtractAtomicClaim]
    cls = SeedProcessTurn
    assert (cls._method_name, cls._task_type, cls._base_cost, cls._requires_llm) == (
        "SeedProcessTurn",
        "SEED_PROCESS_TURN",
        10.0,
        False,
    )
    assert get_methods_for_task("NEVER_HEARD_OF") == []


def test_the_seeds_example_methods_run_as_written():
    state = state_of("ALICE: Taxes fell by five percent in one year.\nBOB: No.\n")
    planner = HTNPlanner()
    result = planner.run(Task.create("SEED_DECOMPOSE_TRANSCRIPT", {}, (0, 10)), state)
    assert result.success
    assert result.stats.backtracks == 0  # an empty compound in the seed's style is no failure
    assert [claim.text for claim in state.claims] == ["Taxes fell by five percent in one year."]
    assert state.get_artifact(state.claims[0].artifact_id) is state.claims[0]
    assert state.collect_artifacts() == state.claims


def test_a_compound_with_a_notimplemented_execute_in_the_seeds_style_counts_as_done():
    state = state_of("ALICE: No.\n")
    result = HTNPlanner().run(Task.create("SEED_PROCESS_TURN", {}, (7, 10)), state)
    assert result.success
    assert result.diagnostics == ()


# Section 3


def test_discourse_state_has_the_seeds_fields():
    names = {f.name for f in fields(DiscourseState)}
    assert names >= {
        "transcript_id", "transcript_text", "speaker_turns", "entities", "entity_mentions", "scope_stack",
        "current_scope_id", "open_references", "resolved_references", "argument_frames", "claims",
        "_emitted_artifacts", "_artifact_index", "task_count", "llm_calls", "llm_tokens_used",
    }  # fmt: skip


def test_emitting_an_artifact_twice_keeps_one():
    state = state_of(SAMPLE)
    claim = AtomicClaim(artifact_id="c", text="x", span=(0, 1))
    assert state.emit_artifact(claim) == state.emit_artifact(claim) == "c"
    assert state.collect_artifacts() == [claim]
    assert state.get_artifact("nothing") is None


def test_registering_an_entity_again_adds_its_mentions():
    state = state_of(SAMPLE)
    first = state.register_entity(Entity(canonical="The Report", mention_spans=[(0, 3)]))
    again = state.register_entity(Entity(canonical="the  report", mention_spans=[(9, 12)], aliases={"it"}))
    assert first == again == entity_dedup_key("The Report")
    assert state.entities[first].mention_spans == [(0, 3), (9, 12)]
    assert state.entities[first].matches("IT")
    assert state.entities[first].first_mention_span == (0, 3)


def test_scope_push_and_pop_restore_speaker_and_keep_what_was_salient():
    state = state_of(SAMPLE)
    outer = Scope(scope_id="a", scope_type=ScopeType.TURN, span=(0, 9), speaker="ALICE")
    state.push_scope(outer)
    state.push_scope(Scope(scope_id="b", scope_type=ScopeType.QUOTE, span=(1, 5), speaker="BOB", parent_id="a"))
    entity_id = state.register_entity(Entity(canonical="Carol"))
    assert (state.current_scope_id, state.current_speaker) == ("b", "BOB")
    assert state.pop_scope().scope_id == "b"
    assert (state.current_scope_id, state.current_speaker) == ("a", "ALICE")
    assert state.salience["a"].entity_ids == [entity_id]
    assert state.pop_scope() is outer
    assert state.global_salience.entity_ids == [entity_id]
    assert (state.current_scope_id, state.pop_scope()) == (None, None)


def test_a_resolved_reference_is_no_longer_open():
    state = state_of(SAMPLE)
    for name in ("r1", "r2"):
        state.register_open_reference(
            OpenReference(ref_id=name, reference_type="PRONOUN", surface_form="he", span=(0, 2))
        )
    found = TentativeResolution(
        artifact_id="r1", source_span=(0, 2), source_text="he", status=ResolutionStatus.COMMITTED, winner="Bob"
    )
    state.resolve_reference("r1", found)
    assert [ref.ref_id for ref in state.open_references] == ["r2"]
    assert state.resolved_references["r1"].winner == "Bob"


def test_mentions_are_written_with_their_scope():
    state = state_of(SAMPLE)
    state.push_scope(Scope(scope_id="a", scope_type=ScopeType.TURN, span=(0, 9)))
    entity_id = state.register_entity(Entity(canonical="Carol"))
    state.mention(entity_id, (3, 8), "Carol")
    assert list(state.entity_mentions) == [
        EntityMention(entity_id=entity_id, span=(3, 8), surface_form="Carol", scope_id="a")
    ]


# Section 4


def test_budgets_have_the_seeds_names_and_defaults():
    budgets = PlannerBudgets()
    assert (budgets.max_tasks, budgets.max_depth, budgets.max_children_per_task) == (1000, 12, 50)
    assert budgets.global_time_budget_ms == 60_000
    assert (budgets.max_backtracks_global, budgets.max_llm_calls_per_transcript, budgets.max_llm_tokens) == (
        20,
        100,
        50_000,
    )
    assert {"OK", "DEPTH_EXCEEDED", "TASK_LIMIT", "TIME_EXCEEDED", "BACKTRACK_LIMIT"} <= set(BudgetStatus.__members__)


# Section 6


def test_the_result_has_the_seeds_fields(analysed):
    names = {f.name for f in fields(PlannerResult)}
    assert names >= {
        "success", "artifacts", "argument_frames", "claims", "resolved_references", "unresolved_references", "trace",
        "stats",
    }  # fmt: skip
    assert {f.name for f in fields(PlannerStats)} >= {
        "tasks_executed",
        "llm_calls",
        "llm_tokens",
        "backtracks",
        "elapsed_ms",
    }
    assert analysed.success
    assert analysed.stats.tasks_executed > 10


# Sections 7 and 8


def test_artifact_type_is_set_from_the_class():
    made = [
        AtomicClaim(artifact_id="a", text="x", span=(0, 1)),
        ArgumentFrame(artifact_id="b", frame_type="CLAIM"),
        DiagnosticArtifact(artifact_id="c", diagnostic_type="D", message="m"),
    ]
    assert [a.artifact_type for a in made] == ["AtomicClaim", "ArgumentFrame", "DiagnosticArtifact"]
    assert made[0].claim_type is ClaimType.UNCLASSIFIED
    assert (made[0].confidence, made[1].spans, made[2].context) == (1.0, [], {})


def test_should_commit_needs_a_sure_tentative_resolution_that_may_commit():
    def resolution(**changes):
        values = {"status": ResolutionStatus.TENTATIVE, "confidence": 0.9, **changes}
        return TentativeResolution(artifact_id="r", source_span=(0, 2), source_text="he", **values)

    assert resolution().should_commit()
    assert not resolution(confidence=0.84).should_commit()
    assert resolution(confidence=0.84).should_commit(threshold=0.8)
    assert not resolution(allow_auto_commit=False).should_commit()
    assert not resolution(status=ResolutionStatus.AMBIGUOUS).should_commit()
    assert [status.name for status in ResolutionStatus] == ["TENTATIVE", "COMMITTED", "AMBIGUOUS", "UNRESOLVED"]


# Section 9


def test_canonical_text_and_keys():
    assert canonicalize_text("  The  GDP, grew! ") == "the gdp grew"
    assert canonical_hash("A b.") == canonical_hash("a  B")
    assert len(canonical_hash("x")) == 64
    assert canonical_hash_short("x", 10) == canonical_hash("x")[:10]
    assert entity_dedup_key("Smith") == canonical_hash("smith")[:24]
    assert claim_dedup_key("Same words.", (0, 5)) != claim_dedup_key("Same words.", (9, 14))
    assert llm_cache_key("1.5%", "1", "m") != llm_cache_key("15%", "1", "m")


# Section 10


def test_trace_events_have_the_seeds_fields_and_export_as_json():
    recorder = TraceRecorder(clock=LogicalClock(start_ms=7))
    recorder.log("METHOD_SELECTED", {"span": (1, 2), "kind": OperatorStatus.SUCCESS}, task_id="t", depth=2)
    event = recorder.events[0]
    assert (event.event_type, event.timestamp_ms, event.task_id, event.method_name, event.depth) == (
        "METHOD_SELECTED",
        7,
        "t",
        None,
        2,
    )
    assert json.loads(recorder.export_json())[0]["data"] == {"span": [1, 2], "kind": 1}


# Section 12: acceptance criteria


def test_sample_transcript_produces_argument_frames_with_claims(analysed):
    assert [claim.text for claim in analysed.claims][:2] == ["Taxes fell by 5% in 2019.", "We should cut them again"]
    by_id = {claim.artifact_id: claim for claim in analysed.claims}
    assert analysed.argument_frames
    for frame in analysed.argument_frames:
        assert frame.child_claim_ids
        assert all(by_id[claim_id].parent_frame_id == frame.artifact_id for claim_id in frame.child_claim_ids)
    assert {frame.frame_type for frame in analysed.argument_frames} == {"CLAIM", "SUPPORT", "REBUTTAL"}


def test_planner_respects_max_depth_and_global_time_budget_ms():
    transcript = read_transcript(SAMPLE * 20)
    shallow = analyse(transcript, Scripted(), budgets=PlannerBudgets(max_depth=1))
    assert shallow.truncated
    assert shallow.claims == []
    assert "DEPTH_EXCEEDED" in {d.diagnostic_type for d in shallow.diagnostics}
    hurried = analyse(
        transcript, Scripted(), budgets=PlannerBudgets(global_time_budget_ms=100), clock=LogicalClock(tick_ms=1)
    )
    assert hurried.truncated
    assert 0 < len(hurried.claims) < len(analyse(transcript, Scripted()).claims)
    assert "TIME_EXCEEDED" in {d.diagnostic_type for d in hurried.diagnostics}


def test_dedup_prevents_duplicate_task_execution():
    domain = PerformDomain("d")
    done = []

    @domain.method("Say", "SAY")
    class Say:
        def preconditions(self, state, task):
            return True

        def cost(self, state, task):
            return 1.0

        def decompose(self, state, task):
            return []

        def execute(self, state, task):
            done.append(task.params)
            return OperatorResult(status=OperatorStatus.SUCCESS)

    @domain.method("Twice", "TWICE")
    class Twice(Say):
        def decompose(self, state, task):
            return [Task.create("SAY", {"word": "hello"}, (0, 5), parent=task) for _ in range(2)]

    domain.deduplicate("SAY")
    planner = HTNPlanner(domain=domain)
    planner.run(Task.create("TWICE", {}, (0, 5)), state_of(SAMPLE))
    assert done == [{"word": "hello"}]
    assert [e.event_type for e in planner.trace].count("DEDUP_SKIP") == 1


def test_trace_captures_all_method_selections_and_operator_executions(analysed):
    kinds = [event.event_type for event in analysed.trace]
    assert kinds.count("METHOD_SELECTED") == analysed.stats.tasks_executed
    assert kinds.count("TASK_DECOMPOSED") + kinds.count("OPERATOR_EXECUTED") == analysed.stats.tasks_executed


def test_no_llm_calls_in_phase_1_flow(analysed):
    assert (analysed.stats.llm_calls, analysed.stats.llm_tokens) == (0, 0)


# Section 13


def test_only_empirical_claims_are_routed_to_fact_checking_and_the_default_is_unclassified():
    assert [kind.value for kind in ClaimType] == [
        "empirical", "methodological", "normative", "conceptual", "introspective", "predictive", "philosophical",
        "unclassified",
    ]  # fmt: skip
    assert issubclass(ClaimType, Enum)
    assert [kind for kind in ClaimType if route_of(kind) is Route.FACT_CHECK] == [ClaimType.EMPIRICAL]
    assert route_of(ClaimType.METHODOLOGICAL) is Route.LOGIC_CHECK
    assert route_of(ClaimType.PREDICTIVE) is Route.PREDICTION_TRACKER
    assert route_of(ClaimType.UNCLASSIFIED) is Route.REVIEW_QUEUE
    assert AtomicClaim(artifact_id="a", text="x", span=(0, 1)).route is Route.REVIEW_QUEUE


# Overview and appendix A: the boundary


def test_the_task_stream_does_not_cross_the_boundary(analysed):
    shown = json.dumps(public_result(analysed))
    task_ids = {event.task_id for event in analysed.trace}
    assert not any(task_id in shown for task_id in task_ids)
    assert "created_by_task" not in shown
    assert "METHOD_SELECTED" not in shown
    assert all(
        claim["method_path"] == ["DecomposeTranscript", "ProcessTurn", "ExtractClaimsFromSegment", "ExtractAtomicClaim"]
        for claim in public_result(analysed)["claims"]
    )


def test_the_file_idea_of_section_11_is_kept():
    for module in (
        "state.discourse", "state.entity", "state.scope", "state.reference", "artifacts.base", "artifacts.claim",
        "artifacts.frame", "artifacts.diagnostic", "methods.base", "methods.coref", "methods.decompose",
        "methods.claim",
    ):  # fmt: skip
        assert __import__(f"planvow.debate.{module}", fromlist=["x"])


def test_speaker_turn_has_speaker_text_span_and_index():
    turn = read_transcript(SAMPLE).turns[1]
    assert isinstance(turn, SpeakerTurn)
    assert (turn.speaker, turn.turn_index) == ("BOB", 1)
    assert SAMPLE[slice(*turn.span)] == turn.text
