"""What a task must find and what it may change, read off its methods and actions, for any problem of the domain.

A fact about a task's surroundings is a predicate over the task's own parameters and constants; `ANY` stands for objects
that the task chooses. `adds` and `deletes` say what may change: nothing else does. `needs` says what has to hold when
the task begins: without it no method gets through. What is not sure is left out.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from planvow.hddl.language.formula import And, Atom, Equal, Formula, Not
from planvow.hddl.language.model import Action, HddlDomain, HddlMethod, Subtask, Task, TaskNetwork

ANY = "_"
MOST_SUBTASKS = 100
"""Larger networks are not looked into: what is said of them takes the square of their size."""
_MOST_ALIKE = 24


class Fact(NamedTuple):
    """A predicate (or `=`) over terms, or that it does not hold."""

    predicate: str
    terms: tuple[str, ...]
    positive: bool = True

    def __str__(self) -> str:
        text = f"({' '.join((self.predicate, *self.terms))})"
        return text if self.positive else f"(not {text})"


def literals(formula: Formula) -> Iterator[Fact]:
    """Yield what a condition asks for whatever else it asks for: the literals of its outermost conjunction."""
    match formula:
        case Atom(predicate=predicate, arguments=arguments):
            yield Fact(predicate, arguments)
        case Equal(left=left, right=right):
            yield Fact("=", (left, right))
        case Not(part=Atom() | Equal() as inner):
            (fact,) = literals(inner)
            yield fact._replace(positive=False)
        case And(parts=parts):
            for part in parts:
                yield from literals(part)


class Summary:
    """Needs, additions and deletions of every task and action of a domain."""

    def __init__(self, domain: HddlDomain) -> None:
        self.domain = domain
        named: list[Task | Action] = [*domain.tasks, *domain.actions]
        self.parameters = {each.name: tuple(parameter.name for parameter in each.parameters) for each in named}
        self._callers: dict[str, list[tuple[HddlMethod, Subtask]]] = defaultdict(list)
        for method in domain.methods:
            for subtask in method.network.subtasks:
                self._callers[subtask.task].append((method, subtask))

    @cached_property
    def adds(self) -> dict[str, frozenset[Fact]]:
        """What each task may make true."""
        return self._changes(is_delete=False)

    @cached_property
    def deletes(self) -> dict[str, frozenset[Fact]]:
        """What each task may make false."""
        return self._changes(is_delete=True)

    @cached_property
    def ends(self) -> set[str]:
        """The tasks and actions that can come to an end."""
        return self._ending()

    @cached_property
    def needs(self) -> dict[str, frozenset[Fact]]:
        """What each task must find."""
        return self._needed()

    def bound(self, facts: Iterable[Fact], subtask: Subtask) -> list[Fact]:
        """Return facts about a task as facts over the arguments that a subtask gives it."""
        terms = dict(zip(self.parameters[subtask.task], subtask.arguments))
        return [_renamed(fact, terms) for fact in facts]

    def _changes(self, *, is_delete: bool) -> dict[str, frozenset[Fact]]:
        found: dict[str, set[Fact]] = {name: set() for name in self.parameters}
        crowded: dict[str, set[str]] = defaultdict(set)
        for action in self.domain.actions:
            for effect in action.effects:
                if effect.is_delete == is_delete:
                    hidden = {parameter.name for parameter in effect.parameters}
                    terms = tuple(ANY if term in hidden else term for term in effect.atom.arguments)
                    found[action.name].add(Fact(effect.atom.predicate, terms))
        waiting = deque(name for name, facts in found.items() if facts)
        queued = set(waiting)
        while waiting:
            name = waiting.popleft()
            queued.discard(name)
            for method, subtask in self._callers[name]:
                outside = self._outside(method)
                given = zip(self.parameters[name], subtask.arguments)
                above = {formal: outside.get(term, _any(term)) for formal, term in given}
                more = {_renamed(fact, above) for fact in found[name]}
                if _merge(found[method.task], more, crowded[method.task]) and method.task not in queued:
                    queued.add(method.task)
                    waiting.append(method.task)
        return {name: frozenset(facts) for name, facts in found.items()}

    def _outside(self, method: HddlMethod) -> dict[str, str]:
        """Return what a method's arguments are called by its task."""
        return dict(zip(method.arguments, self.parameters[method.task]))

    def _ending(self) -> set[str]:
        """Return what can come to an end: actions, and tasks that some method leads to such things alone."""
        left = {id(method): len(method.network.subtasks) for method in self.domain.methods}
        done = {action.name for action in self.domain.actions}
        done |= {method.task for method in self.domain.methods if not left[id(method)]}
        waiting = deque(done)
        while waiting:
            for method, _ in self._callers[waiting.popleft()]:
                left[id(method)] -= 1
                if not left[id(method)] and method.task not in done:
                    done.add(method.task)
                    waiting.append(method.task)
        return done

    def finishes(self, method: HddlMethod) -> bool:
        """Whether all that a method asks for can come to an end."""
        return all(subtask.task in self.ends for subtask in method.network.subtasks)

    def _needed(self) -> dict[str, frozenset[Fact]]:
        """Begin with everything (None) and take away what does not hold for all methods, until nothing goes."""
        needs: dict[str, frozenset[Fact] | None] = {task.name: None for task in self.domain.tasks}
        for action in self.domain.actions:
            needs[action.name] = frozenset(literals(action.precondition))
        waiting = deque(task.name for task in self.domain.tasks)
        queued = set(waiting)
        while waiting:
            name = waiting.popleft()
            queued.discard(name)
            ways = [self._needs_of(method, needs) for method in self.domain.methods_for[name] if self.finishes(method)]
            known = [way for way in ways if way is not None]
            common = frozenset.intersection(*known) if known else None
            if common != needs[name]:
                needs[name] = common
                above = [method.task for method, _ in self._callers[name] if method.task not in queued]
                waiting.extend(dict.fromkeys(above))
                queued.update(above)
        return {name: found or frozenset() for name, found in needs.items()}

    def _needs_of(self, method: HddlMethod, needs: Mapping[str, frozenset[Fact] | None]) -> frozenset[Fact] | None:
        """Return what a method needs, over its task's parameters; None: it leads only to what is not known yet."""
        found = set(literals(method.precondition))
        subtasks = method.network.subtasks
        later = followers(method.network) if len(subtasks) <= MOST_SUBTASKS else []
        for index, after in enumerate(later):
            own = needs[subtasks[index].task]
            if own is None:
                return None
            others = [other.task for place, other in enumerate(subtasks) if place != index and place not in after]
            made = {(fact.predicate, True) for other in others for fact in self.adds[other]}
            made |= {(fact.predicate, False) for other in others for fact in self.deletes[other]}
            found |= {fact for fact in self.bound(own, subtasks[index]) if (fact.predicate, fact.positive) not in made}
        outside = self._outside(method)
        terms = {term: outside.get(term, _any(term)) for fact in found for term in fact.terms}
        return frozenset(fact for fact in (_renamed(each, terms) for each in found) if ANY not in fact.terms)


def _any(term: str) -> str:
    """Return a constant as it is, and for a variable of the method that it may be any object."""
    return ANY if term.startswith("?") else term


def _renamed(fact: Fact, terms: Mapping[str, str]) -> Fact:
    return Fact(fact.predicate, tuple([terms.get(term, term) for term in fact.terms]), fact.positive)


def _merge(found: set[Fact], more: set[Fact], crowded: set[str]) -> bool:
    """Add facts and return whether that says more; too many of one predicate become one about any objects."""
    fresh = {fact for fact in more - found if fact.predicate not in crowded}
    found |= fresh
    for predicate, arity in {fact.predicate: len(fact.terms) for fact in fresh}.items():
        alike = {fact for fact in found if fact.predicate == predicate}
        if len(alike) > _MOST_ALIKE:
            crowded.add(predicate)
            found -= alike
            found.add(Fact(predicate, (ANY,) * arity))
    return bool(fresh)


def followers(network: TaskNetwork) -> list[set[int]]:
    """Return for each subtask those that must come after it."""
    after: list[set[int]] = [set() for _ in network.subtasks]
    direct: list[list[int]] = [[] for _ in network.subtasks]
    for first, second in network.ordering:
        direct[first].append(second)
    for index in reversed(network.topological_order):
        for second in direct[index]:
            after[index] |= {second} | after[second]
    return after
