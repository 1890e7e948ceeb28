"""One step of acting: what a command promises, what was seen, and in what the two differ.

Every loop that acts in a world of its own drives this: the belief loop, in which the world is the facts, and agents,
for which it is what their tools report. A command is called on the world; what it writes is what it promises. What is
seen afterwards stands above that promise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from planvow.kernel.domain.domain import Refusal
from planvow.kernel.world.in_place_changes import call
from planvow.kernel.world.recorder import ABSENT, RecordingState, Triple
from planvow.kernel.world.state import State, undo_to


@dataclass(frozen=True, kw_only=True)
class Promise:
    """What a command did to a world, or why it does not apply there."""

    writes: tuple[Triple, ...] = ()
    refusal: str | None = None


@dataclass(frozen=True, kw_only=True)
class Deviation:
    """A fact that was seen and is not as it should be."""

    seen: Triple
    expected: object
    """What stood there; ABSENT for nothing."""
    was_promised: bool
    """Whether the last command promised it: else somebody else changed the world, or it was never so."""

    def __str__(self) -> str:
        predicate, subject, value = self.seen
        where = f"{predicate}[{subject}]" if subject != "" else predicate
        return (
            f"{where} is {_word(value)}, {'promised' if self.was_promised else 'expected'} was {_word(self.expected)}"
        )


def act(world: RecordingState, function: Callable[..., object], command: tuple[object, ...]) -> Promise:
    """Call a command on a world and return what it wrote; a command that does not apply leaves no trace."""
    world.take()
    world._log.clear()  # what was done before stays done
    answer = call(function, world, *command[1:])
    if not isinstance(answer, State):
        undo_to(world._log, 0)
        world.take()
        return Promise(refusal=answer.reason if isinstance(answer, Refusal) else "it did not work")
    if answer is not world:
        world.become(answer)
    return Promise(writes=world.take()[2])


def see(world: State, facts: Iterable[Triple], promised: Iterable[Triple] = ()) -> tuple[Deviation, ...]:
    """Write what was seen into a world; return in what it differs from what stood there."""
    own = {(triple.predicate, triple.subject) for triple in promised}
    deviations = []
    for triple in facts:
        predicate, subject, value = triple
        held = world.get_predicate(subject, predicate) if world.has(subject, predicate) else ABSENT
        if held is value or (held is not ABSENT and value is not ABSENT and held == value):
            continue
        deviations.append(Deviation(seen=triple, expected=held, was_promised=(predicate, subject) in own))
        write(world, triple)
    return tuple(deviations)


def write(world: State, triple: Triple) -> None:
    """Write one triple into a world; an absent object removes it."""
    predicate, subject, value = triple
    if value is ABSENT:
        world.remove(subject, predicate)
    else:
        world.set_predicate(subject, predicate, value)


def _word(value: object) -> str:
    return "nothing" if value is ABSENT else repr(value)
