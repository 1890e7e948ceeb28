"""From the transcript to its turns, and from a turn to the work it needs (seed 000, section 14)."""

from __future__ import annotations

from planvow.debate.methods.base import Compound, compound, reading_of
from planvow.debate.relations.arguments import group_arguments
from planvow.debate.state.discourse import DiscourseState
from planvow.debate.terms.transcript import UNKNOWN_SPEAKER
from planvow.kernel.perform.task import Task


@compound(name="DecomposeTranscript", task="DECOMPOSE_TRANSCRIPT", base_cost=1.0)
class DecomposeTranscript(Compound):
    """One task per turn."""

    def preconditions(self, state: DiscourseState, task: Task) -> bool:
        return len(state.speaker_turns) > 0

    def decompose(self, state: DiscourseState, task: Task) -> list[Task]:
        return [
            Task.create(
                "PROCESS_TURN",
                {"turn_index": index, "speaker": turn.speaker, "fact_check": task.params.get("fact_check", False)},
                turn.span,
                task,
            )
            for index, turn in enumerate(state.speaker_turns)
        ]


@compound(name="SkipPreamble", task="PROCESS_TURN", base_cost=0.5)
class SkipPreamble(Compound):
    """Headings and lists of participants are read and shown, but nobody argues in them."""

    def preconditions(self, state: DiscourseState, task: Task) -> bool:
        turn_index: int = task.params["turn_index"]
        return state.speaker_turns[turn_index].is_preamble

    def decompose(self, state: DiscourseState, task: Task) -> list[Task]:
        reading_of(state, task)  # the back-end reads every turn, in order
        return []


@compound(name="ProcessTurn", task="PROCESS_TURN", base_cost=1.0)
class ProcessTurn(Compound):
    """Everything one turn needs: scope, arguments with their claims, relations, references, fact-checks."""

    def decompose(self, state: DiscourseState, task: Task) -> list[Task]:
        turn_index = task.params["turn_index"]
        turn = state.speaker_turns[turn_index]
        reading = reading_of(state, task)
        here = {"turn_index": turn_index}
        subtasks: list[Task] = []

        def add(task_type: str, **params: object) -> None:
            subtasks.append(Task.create(task_type, {**here, **params}, turn.span, task))

        if turn.speaker != UNKNOWN_SPEAKER:
            add("REGISTER_SPEAKER_ENTITY")
        add("PUSH_SCOPE", scope_type="TURN", span=list(turn.span))
        for inner in reading.scopes:
            span = list(turn.raw_span(*inner.span))
            add("PUSH_SCOPE", scope_type=inner.kind, span=span)
            add("POP_SCOPE", span=span)
        if reading.mentions:
            add("REGISTER_MENTIONS")
        arguments = group_arguments(reading)
        for number, argument in enumerate(arguments):
            claims = {"head": argument.head, "supporters": list(argument.supporters)}
            add("BUILD_ARGUMENT_FRAME", argument=number, **claims)
            add("EXTRACT_CLAIMS_FROM_SEGMENT", argument=number, **claims)
        for number in range(len(reading.relations) + len(reading.possible)):
            add("DETECT_DIALECTIC_RELATION", relation=number)
        for number, argument in enumerate(arguments):
            add("FINALIZE_FRAME", argument=number, head=argument.head, supporters=list(argument.supporters))
        if reading.references:
            add("DETECT_REFERENCES")
        if arguments:
            add("FACT_CHECK_TURN_CLAIMS", enabled=bool(task.params.get("fact_check")))
        add("POP_SCOPE", span=list(turn.span))
        return subtasks
