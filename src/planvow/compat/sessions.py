"""GTPyhop's planner sessions: a domain, a level of verbosity and a strategy that are put in place for a while."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from planvow.compat.domains import steps_that_change


class PlanningTimeoutError(Exception):
    """A limit ended planning."""


@dataclass
class PlanResult:
    """What a session's `find_plan` gives; true when there is a plan. `result` is planvow's own."""

    success: bool
    plan: list[Any] | None = None
    error: str | None = None
    stats: dict[str, Any] = field(default_factory=dict)
    logs: list[Any] = field(default_factory=list)
    session_id: str | None = None
    trace: Any = None
    result: Any = None

    def __bool__(self) -> bool:
        return self.success


@dataclass
class ExecutionResult:
    """What a session's `run_lazy_lookahead` gives; true when nothing is left to do."""

    success: bool
    final_state: Any = None
    executed_actions: list[Any] = field(default_factory=list)
    tries_used: int = 0
    error: str | None = None
    stats: dict[str, Any] = field(default_factory=dict)
    logs: list[Any] = field(default_factory=list)
    session_id: str | None = None

    def __bool__(self) -> bool:
        return self.success


class Sessions:
    """The sessions of one front module, whose settings they put in place."""

    def __init__(self, front: ModuleType) -> None:
        self._front: Any = front
        self._held: dict[str, Any] = {}

    def PlannerSession(self, session_id: str | None = None, **settings: Any) -> Session:
        """Return a session: `domain`, `verbose`, `strategy` or `recursive` are its settings."""
        return Session(self._front, session_id or f"session_{len(self._held) + 1}", self._held, **settings)

    create = PlannerSession

    def get(self, session_id: str | None = None) -> Session:
        """Return a session by its name, making it if there is none."""
        return self._held.get(session_id or "default") or self.PlannerSession(session_id or "default")

    def destroy(self, session_id: str) -> bool:
        return self._held.pop(session_id, None) is not None

    def names(self) -> list[str]:
        return list(self._held)


class Session:
    """Plans and acts with its own settings, and leaves those of the module as they were."""

    def __init__(
        self,
        front: Any,
        session_id: str,
        held: dict[str, Any],
        *,
        domain: Any = None,
        verbose: int = 0,
        strategy: str | None = None,
        recursive: bool = False,
        verify_goals: bool | None = None,
        **_: Any,
    ) -> None:
        self._front, self.session_id, self._held = front, session_id, held
        self.domain, self.verbose = domain if domain is not None else front.current_domain, verbose
        self.strategy: bool | str = strategy if strategy is not None else recursive
        held[session_id] = self

    @property
    def recursive(self) -> bool:
        return self.strategy in (True, "recursive_dfs")

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self._held.pop(self.session_id, None)

    @contextmanager
    def isolated_execution(self, **_: Any) -> Iterator[Session]:
        """Put this session's settings in place for a while."""
        front = self._front
        before = front.current_domain, front.verbose, front._strategy
        front.current_domain, front.verbose, front._strategy = self.domain, self.verbose, self.strategy
        try:
            yield self
        finally:
            front.current_domain, front.verbose, front._strategy = before

    def find_plan(
        self,
        state: Any,
        todo_list: Any,
        *,
        timeout_ms: int | None = None,
        max_expansions: int | None = None,
        trace: bool = False,
        trace_state: bool = False,
        interrupt: Callable[[], bool] | None = None,
    ) -> PlanResult:
        """Plan. `max_expansions` bounds the search; time is the caller's (`interrupt`): no plan depends on a clock."""
        with self.isolated_execution():
            try:
                result = self._front.planned_result(state, todo_list, max_expansions, interrupt)
            except Exception as error:
                return PlanResult(success=False, error=f"Planning error: {error}", session_id=self.session_id)
        stats = {"expansions": result.statistics.iterations, "strategy": self.strategy}
        if not result.success:
            reason = f"No plan found: {result.reason}"
            return PlanResult(success=False, error=reason, stats=stats, session_id=self.session_id, result=result)
        steps = steps_that_change(result)
        return PlanResult(success=True, plan=steps, stats=stats, session_id=self.session_id, result=result)

    def run_lazy_lookahead(
        self, state: Any, todo_list: Any, *, max_tries: int = 10, timeout_ms: int | None = None
    ) -> ExecutionResult:
        """Plan and act."""
        with self.isolated_execution():
            try:
                executed, end, _, tries = self._front.act(state, todo_list, max_tries)
            except Exception as error:
                why = f"Execution error: {error}"
                return ExecutionResult(success=False, final_state=state, error=why, session_id=self.session_id)
        return ExecutionResult(
            success=True, final_state=end, executed_actions=executed, tries_used=tries, session_id=self.session_id
        )
