"""Keeps every persona's beliefs apart from the facts and from each other.

The manager holds the one state of facts and the latest value of each persona. A persona plans on its beliefs, and on
public facts only about subjects it has sensed; nobody reads another's mind. Execution always runs against the
facts; what it shows comes back as observations. That loop is the feature: believe, plan, fail, observe, plan again.
Seed 001, section 4.2; rulings in the spec of seed 001.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from planvow.beliefs.persona import Belief, Persona
from planvow.errors import InputError, did_you_mean
from planvow.kernel.world.state import State

HIDDEN = "hidden"
"""The answer to anyone who asks for another persona's planning state."""

REINFORCEMENT = 0.1  # a consistent observation adds a tenth of its confidence (spec of seed 001)
HEARSAY = 0.8  # what was only told counts a little less than what was seen


class BeliefManager:
    """The facts of one world and the personas in it.

    >>> manager = BeliefManager(State(at={"key": "shed"}))
    >>> _ = manager.register(Persona(persona_id="ann"))
    >>> manager.sense("ann", "key").beliefs["key", "at"].value
    'shed'
    """

    def __init__(self, facts: State | None = None, *, threshold: float = 0.0) -> None:
        if facts is not None and not isinstance(facts, State):
            raise InputError(f"the facts must be a planvow State, got {type(facts).__name__}", place="facts")
        self.facts = (State() if facts is None else facts).draft()
        self.threshold = threshold
        self._personas: dict[str, Persona] = {}

    def register(self, persona: Persona) -> Persona:
        """Make a persona known; the same id twice is an error."""
        if not isinstance(persona, Persona):
            hint = "write register(Persona.human('ann'))"
            raise InputError(f"a Persona is registered, got {type(persona).__name__}", place="persona", hint=hint)
        if persona.persona_id in self._personas:
            raise InputError(f"persona {persona.persona_id!r} is registered already", place="persona_id")
        self._personas[persona.persona_id] = persona
        return persona

    def get(self, persona_id: str) -> Persona:
        """Return a persona as it is now; an unknown one comes into being as a basic one."""
        if persona_id not in self._personas:
            self._personas[persona_id] = Persona.basic(persona_id)
        return self._personas[persona_id]

    def personas(self) -> tuple[Persona, ...]:
        """Return all personas, by id."""
        return tuple(self._personas[key] for key in sorted(self._personas))

    def observe(self, persona_id: str, observation: Mapping[str, Any]) -> Persona:
        """Let a persona see something: `{subject, predicate, value, confidence, time, is_fact}`.

        What it sees becomes its belief; seeing the same again makes it surer; the subject counts as sensed. A fact
        (`is_fact`) is written into the world as well.
        """
        _check_keys(observation)
        subject, predicate, value = observation["subject"], observation["predicate"], observation["value"]
        time = observation.get("time", 0)
        seen = Belief(value=value, confidence=observation.get("confidence", 1.0), timestamp=time, source=persona_id)
        if observation.get("is_fact"):
            self.facts.set_predicate(subject, predicate, value, {"type": "fact", "timestamp": time})
        persona = self.get(persona_id).sensing(subject)
        held = persona.believes(subject, predicate)
        self._personas[persona_id] = persona.believing(subject, predicate, _merged(held, seen))
        return self._personas[persona_id]

    def believe(self, persona_id: str, subject: Any, predicate: str, belief: Belief | None) -> Persona:
        """Set, or with None drop, what a persona holds of one triple."""
        self._personas[persona_id] = self.get(persona_id).believing(subject, predicate, belief)
        return self._personas[persona_id]

    def sense(self, persona_id: str, subject: Any, *, time: int = 0) -> Persona:
        """Let a persona look at a subject: it learns every public fact about it, and drops what it wrongly held."""
        persona = self.get(persona_id).sensing(subject)
        facts = {p: v for p, s, v in State.triples(self.facts) if s == subject and self._is_public(s, p)}
        for held_subject, predicate in list(persona.beliefs):
            if held_subject == subject and predicate not in facts and self._is_public(subject, predicate):
                persona = persona.believing(subject, predicate, None)
        for predicate, value in facts.items():
            belief = Belief(value=value, timestamp=time, source=persona_id)
            persona = persona.believing(subject, predicate, belief)
        self._personas[persona_id] = persona
        return persona

    def communicate(self, sender: str, receiver: str, subject: Any, predicate: str, *, time: int = 0) -> Persona:
        """Let one persona tell another what it believes; the hearer trusts it less than its own eyes."""
        told = self.get(sender).believes(subject, predicate)
        if told is None:
            raise InputError(f"{sender!r} holds no belief about {predicate} of {subject!r}", place="communicate")
        heard = Belief(value=told.value, confidence=told.confidence * HEARSAY, timestamp=time, source=sender)
        persona = self.get(receiver)
        held = persona.believes(subject, predicate)
        if held is None or held.value == heard.value or heard.confidence > held.confidence:
            persona = persona.believing(subject, predicate, _merged(held, heard))
        self._personas[receiver] = persona
        return persona

    def planner_state(self, target: str, requester: str) -> State | str:
        """Return the state `target` plans on, or "hidden" when somebody else asks."""
        if target != requester:
            return HIDDEN
        persona = self.get(target)
        state = State(name=target)
        for predicate, subjects in vars(self.facts).items():
            if isinstance(subjects, dict):
                setattr(state, predicate, {})  # the words are common knowledge; what they say of whom is not
        for predicate, subject, value in State.triples(self.facts):
            if subject in persona.sensed and self._is_public(subject, predicate):
                state.set_predicate(subject, predicate, value, {"type": "fact"})
        for (subject, predicate), belief in persona.beliefs.items():
            if belief.confidence >= self.threshold and self._believed_over_fact(state, subject, predicate, belief):
                told = {
                    "type": "belief",
                    "confidence": belief.confidence,
                    "timestamp": belief.timestamp,
                    "source": belief.source or target,
                }
                state.set_predicate(subject, predicate, belief.value, told)
        return state

    def observe_failure(self, persona_id: str, subjects: Iterable[Any], *, time: int = 0) -> Persona:
        """After a command failed against the facts: the persona looks at what the command was about."""
        for subject in subjects:
            self.sense(persona_id, subject, time=time)
        return self.get(persona_id)

    def _is_public(self, subject: Any, predicate: str) -> bool:
        return bool(self.facts.get_metadata(subject, predicate).get("accessibility", "public") == "public")

    def _believed_over_fact(self, state: State, subject: Any, predicate: str, belief: Belief) -> bool:
        """A fact the persona can see stands unless the belief is newer than it."""
        if not State.has(state, subject, predicate):
            return True
        told_at: int = self.facts.get_metadata(subject, predicate).get("timestamp", 0)
        return belief.timestamp >= told_at


def _check_keys(observation: Mapping[str, Any]) -> None:
    needed, allowed = ("subject", "predicate", "value"), ("confidence", "time", "is_fact")
    lost = [key for key in needed if key not in observation]
    if lost:
        raise InputError(f"an observation needs {' and '.join(lost)}", place="observation")
    for key in observation:
        if key not in (*needed, *allowed):
            hint = did_you_mean(str(key), (*needed, *allowed)) or f"known: {', '.join((*needed, *allowed))}"
            raise InputError(f"an observation has no {key!r:.60}", place="observation", hint=hint)


def _merged(held: Belief | None, new: Belief) -> Belief:
    if held is None or held.value != new.value:
        return new
    confidence = min(1.0, held.confidence + REINFORCEMENT * new.confidence)
    return Belief(value=new.value, confidence=confidence, timestamp=new.timestamp, source=new.source)
