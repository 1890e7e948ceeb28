"""Intents with a method: the HTN engine expands the intent of a request into operations (spec 002, rule 5).

An intent has at most one method, and the method gives one decomposition: governed planning never substitutes an
alternative (seed 002, NOT Autonomy; ruling 13). A method sees the request as facts and returns items:

    ("symbols",) ("files",) ("notes",) ("ops",)        what the request itself asks for
    ("RUN_TEST", {"test_name": "unit"}, {options})     an operation with its refs; options as in `inputs.ops`

or the name of a further task of the same collection. What the method leaves out of the request is added after it, so
nothing that was asked for is lost. Operations run in the order given, group by group: reads and notes, writes, tests.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from planvow.budgets import Budgets
from planvow.canonical import to_jsonable
from planvow.errors import InputError, NotCanonicalError
from planvow.governed.compile.request import Operation, PlanRequest, read_operation
from planvow.governed.compile.schemas import PLAN_REQUEST
from planvow.governed.compile.shape import check_shape
from planvow.governed.errors import IntentError, InvalidRequestError
from planvow.governed.operation_kinds import OPERATIONS, Turn, turn_of
from planvow.kernel import Domain, Result, State, plan
from planvow.trace import TraceRecorder

MAX_ITERATIONS = 100_000  # an expansion is a handful of items; this only ends one that calls itself for ever
TEST_NAMESPACE = "@TEST/"
_OP_SCHEMA = PLAN_REQUEST["properties"]["inputs"]["properties"]["ops"]["items"]
_REQUESTED = ("symbols", "files", "notes", "ops")

Method = Callable[[Any], Any]


@dataclass(frozen=True, kw_only=True)
class Intent:
    """A method for an intent, or for a further task that methods of the same collection use."""

    name: str
    method: Method
    is_task: bool = False
    is_data: bool = False
    """Comes from a table, so it cannot give another answer the second time."""


class Intents:
    """A collection of intents, each with its one method.

    >>> intents = Intents()
    >>> @intents.method("review")
    ... def review(state):
    ...     return [("files",)]
    >>> "review" in intents.names
    True
    """

    def __init__(self, *collections: Intents) -> None:
        self._intents: dict[str, Intent] = {}
        self._built: Domain | None = None
        for collection in collections:
            self._intents.update(collection._intents)  # a repository's own definition stands above the shipped one

    @property
    def names(self) -> tuple[str, ...]:
        """The intents that have a method, sorted."""
        return tuple(sorted(name for name, intent in self._intents.items() if not intent.is_task))

    def method(self, intent: str) -> Callable[[Method], Method]:
        """Declare the method of an intent; a second one is refused."""
        return lambda function: self._declare(Intent(name=intent, method=function))

    def task(self, name: str) -> Callable[[Method], Method]:
        """Declare the method of a task that other methods of this collection can name."""
        return lambda function: self._declare(Intent(name=name, method=function, is_task=True))

    def expand(self, request: PlanRequest) -> Sequence[Operation]:
        """Return all operations of a request, in the order of its intent's method if there is one."""
        intent = self._intents.get(request.intent)
        if intent is None or intent.is_task:
            return request.operations
        result = self._run(request)
        if not all(known.is_data for known in self._intents.values()) and self._run(request).plan != result.plan:
            raise IntentError(
                "its method gives other steps the second time",
                place=f"intent {request.intent}",
                hint="a method looks at the request only: no clock, no chance, no order of sets",
            )
        return _operations(request, result)

    def _declare(self, intent: Intent) -> Method:
        if intent.name in self._intents:
            raise IntentError(
                f"{intent.name!r} has a method already", hint="an intent has one method and no alternatives"
            )
        if intent.name in OPERATIONS or (intent.is_task and intent.name in _REQUESTED):
            raise IntentError(f"{intent.name!r} has a meaning of its own and cannot be defined")
        if inspect.isgeneratorfunction(intent.method):
            raise IntentError(
                f"the method of {intent.name!r} yields alternatives",
                hint="return one list; governed plans have no other",
            )
        self._intents[intent.name] = intent
        self._built = None
        return intent.method

    def _run(self, request: PlanRequest) -> Result:
        """Let the engine expand the intent, or raise IntentError with the method's own reason."""
        todo = [(f"intent {request.intent}",)]
        state, domain = _facts(request), self._domain()
        budgets = Budgets(max_iterations=MAX_ITERATIONS)
        try:
            result = plan(domain, state, todo, budgets=budgets)
            if result.success:
                return result
            trace = TraceRecorder(capacity=1000)
            plan(domain, state, todo, budgets=budgets, trace=trace)
        except InputError as error:
            place = f"intent {request.intent}" + (f", {error.place}" if error.place else "")
            raise IntentError(error.message, place=place, hint=error.hint, details=error.details) from None
        refusals = [event.data["reason"] for event in trace.events if "reason" in event.data]
        raise IntentError(
            f"the intent {request.intent!r} cannot be expanded: {refusals[0] if refusals else result.reason}",
            place="intent",
        )

    def _domain(self) -> Domain:
        if self._built is None:
            domain = Domain("intents")
            domain.command(name="requested")(_requested_model)
            for op in OPERATIONS:
                domain.command(name=op)(_operation_model)
            for kind in _REQUESTED:
                domain.method(task=kind, name=kind)(partial(_requested, kind=kind))
            for intent in self._intents.values():
                task = intent.name if intent.is_task else f"intent {intent.name}"
                domain.method(task=task, name=intent.name)(intent.method)
            self._built = domain
        return self._built


def _facts(request: PlanRequest) -> State:
    """Return what a method may look at: the request's ids and its inputs."""
    inputs = request.inputs
    symbols = tuple(s if isinstance(s, str) else s["symbol_id"] for s in inputs.get("symbols", ()))
    return State(
        {
            "request": {"run_id": request.run_id, "request_id": request.request_id, "intent": request.intent},
            "inputs": {
                "symbols": symbols,
                "files": tuple(inputs.get("files", ())),
                "notes": tuple(inputs.get("notes", ())),
                "tests": tuple(s.removeprefix(TEST_NAMESPACE) for s in symbols if s.startswith(TEST_NAMESPACE)),
            },
            "positions": {
                kind: tuple(i for i, o in enumerate(request.operations) if o.place.startswith(f"inputs.{kind}["))
                for kind in _REQUESTED
            },
        }
    )


def _requested_model(state: Any, position: int) -> Any:
    return state


def _operation_model(state: Any, refs: Any, options: Any = None) -> Any:
    return state


def _requested(state: Any, kind: str) -> list[Any]:
    return [("requested", position) for position in state.positions[kind]]


def _operations(request: PlanRequest, result: Result) -> list[Operation]:
    """Return the engine's commands as operations, what the method left out last, in groups that follow each other."""
    placed: list[Operation] = []
    taken: set[int] = set()
    for number, (name, *arguments) in enumerate(result.plan, start=1):
        if name == "requested":
            if arguments[0] not in taken:
                taken.add(arguments[0])
                placed.append(request.operations[arguments[0]])
            continue
        placed.append(_made(name, arguments, f"intent {request.intent}, step {number}"))
    rest = [operation for position, operation in enumerate(request.operations) if position not in taken]
    return _grouped([*placed, *rest])


def _made(op: str, arguments: Sequence[Any], place: str) -> Operation:
    refs, options = (*arguments, None)[:2]
    try:
        written = to_jsonable({"op": op, "refs": refs, **(options or {})})  # the engine holds frozen values
        check_shape(written, _OP_SCHEMA, place)
        return read_operation(written, place)
    except (InvalidRequestError, NotCanonicalError) as error:
        raise IntentError(error.message, place=error.place, hint=error.hint) from None


def _grouped(operations: Sequence[Operation]) -> list[Operation]:
    """Number the groups of like operations; each waits for the group before it, unless it has `after` links."""
    found: list[Operation] = []
    group = 0
    for operation in operations:
        if found and _class(found[-1]) != _class(operation):
            group += 1
        found.append(replace(operation, group=group))
    return found


def _class(operation: Operation) -> Turn:
    turn = turn_of(operation.op)
    return Turn.READ if turn is Turn.ANY else turn  # what waits for nothing stands beside the reads


def intents_from(definitions: Mapping[str, Any]) -> Intents:
    """Return the intents of a parsed TOML table `[intents]`; see `intent_tables`."""
    from planvow.governed.compile.intent_tables import method_of

    found = Intents()
    for name, definition in definitions.items():
        found._declare(Intent(name=name, method=method_of(name, definition), is_data=True))
    return found
