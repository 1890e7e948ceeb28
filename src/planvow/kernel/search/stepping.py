"""One node at a time: an item is done, or broken down by the next of its methods that applies.

What an item comes to is asked of the domain's functions and of whatever else has a say (`conditions`). Where that leads
nowhere, the answer is no, and the loop (`kernel.search.loop`) goes back.
"""

from __future__ import annotations

import inspect
from collections.abc import Collection, Sequence
from types import GeneratorType
from typing import Any

from planvow.errors import InputError
from planvow.kernel.domain.domain import Command, Refusal
from planvow.kernel.domain.multigoals import unmet
from planvow.kernel.domain.propagator import is_constraint
from planvow.kernel.domain.terms import Annotated, Check, item_text, normal_item
from planvow.kernel.errors import MethodWroteError, MutableValueError, WrongReturnError
from planvow.kernel.search.agenda import Agenda
from planvow.kernel.search.backjumping import Jumper
from planvow.kernel.search.choice import Choice, choice_at
from planvow.kernel.search.learning import NOGOOD
from planvow.kernel.search.loop_guard import LOOP, SUSPECT, SUSPECTED
from planvow.kernel.search.standing import Standing
from planvow.kernel.search.table import (
    CHECK,
    COMMAND,
    MULTIGOAL,
    SEQUENCE,
    TASK,
    Alternatives,
    Entry,
    amount,
    arguments,
    as_goal,
)
from planvow.kernel.search.watcher import NO_METHOD, NO_OFFER, NO_REASON, SATISFIED
from planvow.kernel.world.noting import noted
from planvow.kernel.world.reason import Unspoken, in_words
from planvow.kernel.world.state import State
from planvow.kernel.world.variable import undo_to
from planvow.temporal import Relation


class Stepping(Standing):
    """A search that can do or break down the item that is next."""

    __slots__ = ()

    def _meet(self, entry: Entry, item: object, told: object) -> bool:
        """Do or break down an item that more than one function decides on; return whether there is a way.

        A goal that holds is broken down into nothing.
        """
        agenda = self._agenda
        self._item, self._above = item, agenda[2]
        if self._learner is not None:
            self._learner.met(agenda[2])
        if entry.kind is COMMAND:
            return self._run_command(entry, item, told)
        if entry.kind is not TASK:
            settled = self._look(entry.kind, agenda[2], agenda[1] - 1, item, told)
            if settled is not None:
                return settled
        reason = self._guard.look(agenda, len(self.path) + 1, item)
        if reason is not None:
            if self._learner is not None:
                self._learner.cut(agenda[2])
            self._leave_circle(reason, agenda, item, told)
            return False
        if self._learner is not None and self._learner.knows(len(self._log)):
            if self.watcher is not None:
                self.watcher.dead_end(len(self.path) + 1, agenda[2], item, NOGOOD)
            return False
        choice = self._choice(entry, item, told, len(self._log))
        choice.alternatives = self._ordered(entry, item)
        if self.watcher is not None:
            for method, why in entry.set_aside:
                self.watcher.refused(choice.node_id, item, method, why)
        if self._has_conditions:
            choice.conditions_mark = self._conditions.mark()
        return self._break_down(choice, NOT_ASKED)

    def _run_command(self, entry: Entry, item: Any, told: object) -> bool:
        """Let a command change the state, if nobody objects; return whether it could."""
        command, mark, node_id, is_pushed = entry.how, len(self._log), len(self.path) + 1, False
        reason: str | Unspoken | None = entry.lacking
        _, index, parent_id, _, _, _ = self._agenda
        self._asked = command
        if reason is None and self._has_conditions:
            reason = self._conditions.before(command, node_id, parent_id, index - 1, told)
        if reason is None:
            try:
                answer = entry.model(*item[1:])
            except Exception as error:
                answer = self._call_again(error, entry, item, mark, parent_id)
            if answer is not self.state:
                reason = self._outcome(answer, command, mark)
            if reason is None and self._has_conditions:
                reason, is_pushed = self._conditions.after(self._agenda), True
        if self._may_jump and (reason is not None or self._jumper is not None):
            self._note(COMMAND, item, reason, is_own=not is_pushed)
        if reason is None:
            self.path.append(told, parent_id, command, mark)
            if self.watcher is not None:
                self.watcher.chose(node_id, parent_id, item, command, 0)
        elif self.watcher is not None:
            told_reason = in_words(reason)
            self.watcher.refused(node_id, item, command, told_reason)
            self.watcher.dead_end(node_id, parent_id, item, told_reason)
        return reason is None

    def _call_again(self, error: Exception, entry: Entry, item: Any, mark: int, parent_id: int) -> object:
        """Call a command that was refused a change inside a value in a way that allows it; raise any other error."""
        self._asked, self._item, self._above = entry.how, item, parent_id
        if entry.kind is not COMMAND or not isinstance(error, MutableValueError) or not error.is_change:
            raise error
        undo_to(self._log, mark)
        return self._table.loosen(entry)(*item[1:])

    def _choice(self, entry: Entry, item: object, told: object, mark: int) -> Choice:
        return choice_at(len(self.path) + 1, self._agenda, entry, item, told, mark)

    def _break_down(self, choice: Choice, answer: object) -> bool:
        """Ask the methods of a node that are left, one after the other, until one applies; return whether one does."""
        self._asked, self._item, self._above = choice.method, choice.item, choice.agenda[2]
        while True:
            source = choice.source
            if answer is not NOT_ASKED:
                pass
            elif source is not None:
                answer = next(source, NOT_ASKED)
                if answer is NOT_ASKED:
                    choice.source = None
                    self._refused(choice, NO_OFFER if choice.taken == 0 else None)
                    continue
                choice.taken += 1
                self.iterations += 1  # a generator may go on for ever without a turn of the loop
                if self.iterations >= self._alarm and self._must_stop(self.iterations):
                    return False
            elif choice.alternatives is not None:
                choice.method, function, choice.alternatives = choice.alternatives
                self._asked = choice.method
                answer = function(*(choice.item[1:] if choice.entry.kind is TASK else arguments(choice.item)))
            else:
                self._exhausted(choice)
                return False
            if len(self._log) != choice.mark:
                raise MethodWroteError(choice.method.name, path=self.place(choice.agenda[2]))
            if type(answer) is list or type(answer) is tuple:
                return self._take(choice, answer)
            if type(answer) is GeneratorType and source is None:
                choice.source, choice.taken = answer, 0
            else:
                self._refused(choice, _reason(answer, choice.method.name))
            answer = NOT_ASKED

    def _refused(self, choice: Choice, reason: str | None) -> None:
        """Tell those who follow that a method does not apply, or has no more to offer."""
        if self._jumper is not None:
            self._jumper.refused(choice, noted(self.state))
        if self.watcher is not None and reason is not None:
            self.watcher.refused(choice.node_id, choice.item, choice.method, reason)

    def _exhausted(self, choice: Choice) -> None:
        """Tell those who follow that no method is left."""
        if self._jumper is not None:
            self._jumper.exhausted(choice)
        if self._learner is not None:
            self._learner.exhausted(choice)
        if self.watcher is not None:
            self.watcher.dead_end(choice.node_id, choice.agenda[2], choice.item, NO_METHOD)

    def _take(self, choice: Choice, subtasks: Sequence[object]) -> bool:
        """Put a node that has been broken down on the path and its subtasks on the agenda, unless somebody objects."""
        watcher, node_id, method, kind = self.watcher, choice.node_id, choice.method, choice.entry.kind
        siblings, index, parent_id, depth, behind, items_behind = choice.agenda
        if choice.alternatives is not None or choice.source is not None:
            self._choices.append(choice)
        if self._conditions.propagators:
            subtasks, reason = self._conditions.decompose(subtasks, node_id, parent_id, index - 1, kind, choice.told)
            if self._may_jump:
                self._note(kind, choice.item, reason, is_own=False)
                if self._jumper is not None and (choice.alternatives is not None or choice.source is not None):
                    self._jumper.offers(node_id)
            if reason is not None:
                if watcher is not None:
                    watcher.refused(node_id, choice.item, method, in_words(reason))
                return False
        self.path.nodes.extend((choice.told, parent_id, method, choice.mark))
        ordinal = 0
        if choice.source is not None:
            ordinal = self.path.ordinals[node_id] = choice.taken - 1
        if watcher is not None:
            watcher.chose(node_id, parent_id, choice.item, method, ordinal, subtasks)
        if kind is not TASK and kind is not SEQUENCE:
            subtasks = (*subtasks, Check(as_goal(choice.item)))
        if index < len(siblings):
            behind = choice.agenda
            items_behind += len(siblings) - index
        self._agenda = subtasks, 0, node_id, depth + 1, behind, items_behind
        return len(subtasks) + items_behind <= self._max_stack or self._cut(
            "max_stack_size", self._max_stack, parent_id, choice.told, node_id
        )

    def _outcome(self, answer: object, command: Command, mark: int) -> str | None:
        """Make sense of a model's answer that is not the draft it was given."""
        self._asked = command
        if isinstance(answer, State):
            self.state.become(answer)
            return None
        if len(self._log) > mark:
            undo_to(self._log, mark)
        return _reason(answer, command.name)

    def _note(self, kind: str, item: object, reason: str | Unspoken | None, *, is_own: bool) -> None:
        """Let going back know that a node joins the path, or why it does not: its own no, or somebody's objection."""
        culprits = reason.culprits() if isinstance(reason, Unspoken) and reason.culprits is not None else None
        if self._jumper is None and culprits:
            self._jumper = Jumper(self.state, self.path)
        if self._jumper is None:
            return
        if reason is None:
            self._jumper.joined(self._conditions.visited)
        else:
            self._jumper.failed(kind, item, noted(self.state), () if is_own else culprits)

    def _unusual(self, told: object, parent_id: int) -> tuple[object, object, Entry]:
        """Return an item that is no tuple with a known name: bare, with its metadata, and how it is handled."""
        item = self._item = told
        self._asked = None
        if type(item) is Annotated:
            if not self._conditions.propagators:
                self._refuse_times(item.metadata, item.item, parent_id)
            item = item.item
            self._has_metadata = True
        elif is_constraint(item):  # where somebody listened, it would have been taken out of the decomposition
            self._refuse_times(("temporal",), item, parent_id)
        if type(item) is list or type(item) is dict:  # the forms an item has in JSON
            item = told = normal_item(item)
        return item, told, self._table.entry(item, self.place, parent_id)

    def _refuse_times(self, metadata: Collection[str], item: Any, parent_id: int) -> None:
        """Raise where an item says something about time and nobody would listen: a deadline must not pass unread."""
        said = [words for key, words in (("temporal", "times"), ("entity", "entities")) if key in metadata]
        if said:
            what = item.name if isinstance(item, Relation) else item_text(item)
            raise InputError(
                f"{what} speaks of {' and '.join(said)}, and this plan has no times",
                place=self.place(parent_id),
                hint="give a command a duration, or plan(..., time=Timing(...))",
            )

    def _look(self, kind: str, parent_id: int, position: int, item: Any, told: object) -> bool | None:
        """See whether a goal holds. True and False settle the node; None means that it must be worked for."""
        if kind is SEQUENCE:
            return None
        goals = item.goals if kind is CHECK else item.goals() if kind is MULTIGOAL else [as_goal(item)]
        reason: str | Unspoken | None
        reason, how = None, CHECK if kind is CHECK else SATISFIED
        if unmet(self.state, goals):
            if kind is not CHECK:
                return None
            reason = "the goal does not hold after what was done for it"
        elif self._conditions.propagators:
            reason = self._conditions.visit(len(self.path) + 1, parent_id, position, how, told)
        if self._may_jump:
            self._note(how, item, reason, is_own=isinstance(reason, str))
        if reason is None:
            self.path.append(told, parent_id, how, len(self._log))
            if self.watcher is not None:
                self.watcher.chose(len(self.path), parent_id, item, how, 0)
        elif self.watcher is not None:
            self.watcher.dead_end(len(self.path) + 1, parent_id, item, in_words(reason))
        return reason is None

    def _ordered(self, entry: Entry, item: object) -> Alternatives:
        """Return an entry's methods in the order in which they are tried here."""
        if self.problem.selection == "declared":
            return entry.alternatives
        if self.problem.selection == "learned":
            return self._table.linked(self.scores.ordered(entry.methods))
        # A stable sort: ties stay as declared.
        return self._table.linked(sorted(entry.methods, key=lambda method: amount(method.cost, self.state, item)))

    def _leave_circle(self, reason: str, agenda: Agenda, item: object, told: object) -> None:
        """Note that the search has been here before; from a suspected circle, go back to where that began."""
        path, parent_id = self.path, agenda[2]
        node_id = len(path) + 1
        if reason is SUSPECTED:
            reason = LOOP
            path.append(told, parent_id, SUSPECT, len(self._log))
            node_id = self._guard.index_path(path.lengths_behind(agenda)) or len(path)
            while self._choices and self._choices[-1].node_id >= node_id:
                self._choices.pop()
            parent_id, item, mark = path.parent(node_id), path.item(node_id), path.mark(node_id)
            self._jumper = None  # it does not follow there
            is_told = node_id < len(path)  # nobody was told of the suspect itself
            self._restore(node_id, mark)
            if self.watcher is not None and is_told:
                self.watcher.back(node_id)
        if self.watcher is not None:
            self.watcher.dead_end(node_id, parent_id, item, reason)


NOT_ASKED: object = object()


def _reason(answer: object, name: str) -> str:
    """Return the reason of a failure, or raise when the answer is not one."""
    if isinstance(answer, Refusal):
        return answer.reason
    if answer is None or answer is False:
        return NO_REASON
    if inspect.iscoroutine(answer):
        answer.close()  # nobody will wait for it, and Python need not say so once more
        raise WrongReturnError(
            f"{name} is async, and planning waits for nothing",
            hint="declare it with def; what has to wait stands in the function that really runs",
        )
    text = repr(answer)
    if " at 0x" in text:  # an address is another one in every process
        text = f"a {type(answer).__name__}"
    raise WrongReturnError(
        f"{name} returned {text:.80}",
        hint="a command returns the state; a method a list; None, False or refuse('reason') mean not applicable",
    )
