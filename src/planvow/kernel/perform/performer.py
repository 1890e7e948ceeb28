"""Perform mode: an agenda of tasks worked off depth-first over a live blackboard.

For each task the cheapest applicable method is taken (ties: registered first). A compound one puts its subtasks on
the stack; a primitive one acts. What a failing method changed is rolled back through the blackboard's journal
before the next cheapest method of the same task is tried, so a failure leaves nothing behind. Hard limits end or
trim the work and always say so; soft limits are reported once. Every selection and every execution is traced.

Unlike `search.py` nothing is searched for and nothing is planned ahead: operators act at once and the result is
what they left on the board (seed 000, section 5, with the rulings of spec/000 section 3).
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

from planvow.clock import Clock
from planvow.errors import InputError
from planvow.kernel.perform.budgets import BudgetStatus, PlannerBudgets
from planvow.kernel.perform.journal import Blackboard, Journal
from planvow.kernel.perform.method import (
    DEFAULT_DOMAIN,
    MethodKind,
    OperatorResult,
    OperatorStatus,
    PerformDomain,
    PerformMethod,
    kind_of,
)
from planvow.kernel.perform.result import Diagnostic, ParkedTask, PerformResult, PlannerStats, Severity
from planvow.kernel.perform.task import Task, adopt_children
from planvow.status import Status
from planvow.trace import TraceRecorder


class HTNPlanner:
    """Runs tasks of one domain. Each `run` starts afresh; the planner can be used again.

    >>> HTNPlanner(PlannerBudgets(max_tasks=10)).budgets.max_tasks
    10
    """

    def __init__(
        self,
        budgets: PlannerBudgets | None = None,
        *,
        domain: PerformDomain = DEFAULT_DOMAIN,
        clock: Clock | None = None,
        interrupt: Callable[[], bool] | None = None,
        on_task: Callable[[Task], None] | None = None,
    ) -> None:
        self.budgets = budgets or PlannerBudgets()
        self.domain = domain
        self._clock = clock
        self._interrupt = interrupt
        self._on_task = on_task
        self._methods: dict[type, PerformMethod] = {}
        self._reset()

    def _reset(self) -> None:
        self.task_stack: list[Task] = []
        self.seen_dedup_keys: set[str] = set()
        self.start_time_ms = self._clock.now_ms() if self._clock else 0
        self.task_count = 0
        self.backtrack_count = 0
        self.trace = TraceRecorder(clock=self._clock)
        self._diagnostics: list[Diagnostic] = []
        self._parked: list[ParkedTask] = []
        self._reported: set[str] = set()
        self._dedup_skips = 0
        self._undone = 0
        self._cut = BudgetStatus.OK

    def run(self, root_task: Task, state: Any) -> PerformResult:
        """Work off `root_task` on a blackboard; what it leaves there stays, however the run ends."""
        if not isinstance(getattr(state, "journal", None), Journal):
            raise InputError(
                f"a {type(state).__name__} has no undo journal, so a failed operator could not be taken back",
                hint=f"derive the class from {Blackboard.__module__}.Blackboard",
            )
        self._reset()
        self.task_stack.append(root_task)
        while self.task_stack:
            stopped_by = self._check_hard_budgets()
            if stopped_by is not BudgetStatus.OK:
                self._stop(stopped_by)
                break
            task = self.task_stack.pop()
            if self._on_task:
                self._on_task(task)
            if not self._is_duplicate(task):
                self.task_count += 1
                self._perform(state, task)
                state.journal.forget()  # a finished task is never undone: only methods of one task replace each other
        return self._collect_results(state)

    def _is_duplicate(self, task: Task) -> bool:
        if not self.domain.is_deduplicated(task):
            return False
        key = task.compute_dedup_key()
        if key in self.seen_dedup_keys:
            self._dedup_skips += 1
            self._log("DEDUP_SKIP", task, {"task": task.task_type, "key": key})
            return True
        self.seen_dedup_keys.add(key)
        return False

    def _perform(self, state: Any, task: Task) -> None:
        """Try the applicable methods, cheapest first, until one does not fail."""
        candidates = self._applicable(state, task)
        if not candidates:
            self._handle_no_method(task)
            return
        inherited = task.method_path
        failures: list[str] = []
        for rank, (cost, candidate) in enumerate(candidates):
            name = candidate._method_name
            task.method_path = (*inherited, name)
            self._log("METHOD_SELECTED", task, {"task": task.task_type, "cost": cost, "rank": rank}, name)
            mark = state.journal.mark()
            error = self._attempt(state, task, candidate)
            if error is None:
                return
            self._undone += state.journal.rollback(mark)
            failures.append(f"{name}: {error}")
            self.backtrack_count += 1
            if rank + 1 < len(candidates) and not self._may_backtrack(task):
                break
        self._diagnose(
            "OPERATOR_FAILED",
            f"{task.task_type} failed: " + "; ".join(failures),
            task,
            {"task_type": task.task_type, "failures": failures},
        )

    def _applicable(self, state: object, task: Task) -> list[tuple[float, PerformMethod]]:
        """Return (cost, method) of all that apply, cheapest first; sorting is stable, so ties keep their order."""
        found: list[tuple[float, PerformMethod]] = []
        for cls in self.domain.methods_for(task.task_type):
            candidate = self._methods.get(cls)
            if candidate is None:
                candidate = self._methods[cls] = cls()
            if candidate._requires_llm and not self._may_call_llm(state, task):
                continue
            try:
                if candidate.preconditions(state, task):
                    found.append((candidate.cost(state, task), candidate))
            except Exception as error:
                self._report_exception(task, candidate._method_name, error)
        found.sort(key=lambda entry: entry[0])
        return found

    def _attempt(self, state: object, task: Task, candidate: PerformMethod) -> str | None:
        """Let one method take the task; return why it failed, or None."""
        kind = kind_of(candidate)
        if kind is not MethodKind.PRIMITIVE:
            try:
                subtasks = list(candidate.decompose(state, task) or ())
            except Exception as error:
                return self._trace_exception(task, candidate._method_name, error)
            if subtasks or kind is MethodKind.COMPOUND:
                self._enqueue(task, subtasks, candidate._method_name)
                return None
        return self._operate(state, task, candidate)

    def _enqueue(self, task: Task, subtasks: list[Task], method_name: str) -> None:
        kept = self._enforce_child_budgets(task, subtasks)
        self._log("TASK_DECOMPOSED", task, {"subtasks": len(kept), "asked": len(subtasks)}, method_name)
        self.task_stack.extend(reversed(adopt_children(task, kept)))

    def _operate(self, state: Any, task: Task, candidate: PerformMethod) -> str | None:
        name = candidate._method_name
        mark = state.journal.mark()
        started = self._clock.now_ms() if self._clock else None
        result = self._execute_operator(state, task, candidate)
        if isinstance(result, str):
            return result
        if self._clock and started is not None and self._clock.now_ms() - started > task.budget_ms:
            self._log("SOFT_BUDGET_TASK_TIME", task, {"budget_ms": task.budget_ms}, name)
        outcome = {"status": result.status.name, "artifacts": result.artifacts_emitted, "error": result.error}
        if result.status is OperatorStatus.FAILED:
            self._log("OPERATOR_FAILED", task, outcome, name)
            return result.error or "failed without a reason"
        self._log("OPERATOR_EXECUTED", task, outcome, name)
        if result.status is not OperatorStatus.SUCCESS:
            self._undone += state.journal.rollback(mark)
        if result.status is OperatorStatus.BLOCKED:
            reason = result.error or "waits for something outside"
            self._parked.append(
                ParkedTask(task_id=task.task_id, task_type=task.task_type, span=task.span, reason=reason)
            )
            self._diagnose("BLOCKED", f"{task.task_type} is parked: {reason}", task, severity=Severity.WARNING)
        return None

    def _execute_operator(self, state: object, task: Task, candidate: PerformMethod) -> OperatorResult | str:
        """Call the operator, its preconditions checked once more; a string is why it could not be called properly."""
        try:
            if not candidate.preconditions(state, task):
                return OperatorResult(status=OperatorStatus.SKIPPED, error="Preconditions invalidated before execution")
            result = candidate.execute(state, task)
        except NotImplementedError as error:
            if kind_of(candidate) is None:  # ruling 9: a compound in the seed's style with nothing to do
                return OperatorResult(status=OperatorStatus.SUCCESS)
            return self._trace_exception(task, candidate._method_name, error)
        except Exception as error:
            return self._trace_exception(task, candidate._method_name, error)
        if not isinstance(result, OperatorResult):
            return f"execute() must return an OperatorResult, got {type(result).__name__}"
        return result

    def _enforce_child_budgets(self, parent: Task, subtasks: list[Task]) -> list[Task]:
        limit = self.budgets.max_children_per_task
        if limit is not None and len(subtasks) > limit:
            self._trim(parent, "max_children_per_task", limit, len(subtasks), BudgetStatus.CHILD_LIMIT)
            subtasks = subtasks[:limit]
        limit = self.budgets.max_depth
        if limit is not None and subtasks and parent.depth + 1 > limit:
            self._trim(parent, "max_depth", limit, len(subtasks), BudgetStatus.DEPTH_EXCEEDED)
            subtasks = []
        limit = self.budgets.max_tasks
        if limit is not None and len(subtasks) > limit - self.task_count:
            left = max(0, limit - self.task_count)
            self._trim(parent, "max_tasks", limit, len(subtasks), BudgetStatus.TASK_LIMIT)
            subtasks = subtasks[:left]
        return subtasks

    def _trim(self, parent: Task, budget: str, limit: int, asked: int, cut: BudgetStatus) -> None:
        """Trimming is allowed here, but never silent (spec/000 ruling e)."""
        self._cut = cut
        context = {"budget": budget, "limit": limit, "asked": asked, "task_type": parent.task_type}
        self._log("BUDGET_TRIM_CHILDREN", parent, context)
        self._diagnose(
            cut.name,
            f"{budget} = {limit} left out part of the {asked} subtasks of {parent.task_type}; raise it to cover them",
            parent,
            context,
        )

    def _check_hard_budgets(self) -> BudgetStatus:
        if self.budgets.max_tasks is not None and self.task_count >= self.budgets.max_tasks:
            return BudgetStatus.TASK_LIMIT
        limit = self.budgets.global_time_budget_ms
        if self._clock and limit is not None and self._clock.now_ms() - self.start_time_ms >= limit:
            return BudgetStatus.TIME_EXCEEDED
        if self._interrupt and self._interrupt():
            return BudgetStatus.INTERRUPTED
        return BudgetStatus.OK

    def _stop(self, stopped_by: BudgetStatus) -> None:
        self._cut = stopped_by
        task = self.task_stack[-1]
        limits = {BudgetStatus.TASK_LIMIT: "max_tasks", BudgetStatus.TIME_EXCEEDED: "global_time_budget_ms"}
        budget = limits.get(stopped_by)
        limit = getattr(self.budgets, budget) if budget else None
        context = {
            "reason": stopped_by.name,
            "budget": budget,
            "limit": limit,
            "tasks_done": self.task_count,
            "tasks_left": len(self.task_stack),
        }
        self._log("HARD_BUDGET_EXCEEDED", task, context)
        why = (
            f"{budget} = {limit} was reached; raise {budget} to cover the rest" if budget else "the caller interrupted"
        )
        left = f"{self.task_count} tasks done, {len(self.task_stack)} left open"
        self._diagnose(stopped_by.name, f"stopped: {why} ({left})", task, context)

    def _may_backtrack(self, task: Task) -> bool:
        limit = self.budgets.max_backtracks_global
        return self._within("SOFT_BUDGET_BACKTRACKS", "max_backtracks_global", limit, self.backtrack_count, task)

    def _may_call_llm(self, state: object, task: Task) -> bool:
        calls, tokens = getattr(state, "llm_calls", 0), getattr(state, "llm_tokens_used", 0)
        limit = self.budgets.max_llm_calls_per_transcript
        within = self._within("SOFT_BUDGET_LLM_CALLS", "max_llm_calls_per_transcript", limit, calls + 1, task)
        limit = self.budgets.max_llm_tokens
        return within and self._within("SOFT_BUDGET_LLM_TOKENS", "max_llm_tokens", limit, tokens + 1, task)

    def _within(self, event: str, budget: str, limit: int | None, wanted: int, task: Task) -> bool:
        if limit is None or wanted <= limit:
            return True
        if event not in self._reported:
            self._reported.add(event)
            context = {"budget": budget, "limit": limit}
            self._log(event, task, context)
            message = f"{budget} = {limit} is used up; the work goes on without more"
            kind = BudgetStatus.BACKTRACK_LIMIT.name if event == "SOFT_BUDGET_BACKTRACKS" else event
            self._diagnose(kind, message, task, context, severity=Severity.WARNING)
        return False

    def _handle_no_method(self, task: Task) -> None:
        known = len(self.domain.methods_for(task.task_type))
        self._log("NO_METHOD", task, {"task": task.task_type, "methods": known})
        why = f"none of its {known} methods applies" if known else "no method is registered for it"
        self._diagnose("NO_METHOD", f"{task.task_type}: {why}", task, {"task_type": task.task_type})

    def _trace_exception(self, task: Task, method_name: str, error: Exception) -> str:
        frames = traceback.extract_tb(error.__traceback__)
        place = f"{frames[-1].filename.rpartition('/')[2]}:{frames[-1].lineno}" if frames else "?"
        text = f"{type(error).__name__}: {error} ({place})"
        self._log("OPERATOR_EXCEPTION", task, {"error": text}, method_name)
        return text

    def _report_exception(self, task: Task, method_name: str, error: Exception) -> None:
        text = self._trace_exception(task, method_name, error)
        self._diagnose("METHOD_EXCEPTION", f"{method_name} could not be considered: {text}", task)

    def _diagnose(
        self,
        diagnostic_type: str,
        message: str,
        task: Task,
        context: dict[str, object] | None = None,
        *,
        severity: Severity = Severity.ERROR,
    ) -> None:
        self._diagnostics.append(
            Diagnostic(
                diagnostic_type=diagnostic_type,
                message=message,
                severity=severity,
                context={**(context or {}), "span": list(task.span)},
                method_path=task.method_path,
            )
        )

    def _log(self, event: str, task: Task, data: dict[str, Any], method_name: str | None = None) -> None:
        self.trace.log(event, data, task_id=task.task_id, method_name=method_name, depth=task.depth)

    def _collect_results(self, state: object) -> PerformResult:
        return PerformResult(
            status=_status(self._cut, self._diagnostics, self._parked),
            budget_status=self._cut,
            truncated=self._cut is not BudgetStatus.OK,
            diagnostics=tuple(self._diagnostics),
            parked=tuple(self._parked),
            stats=PlannerStats(
                tasks_executed=self.task_count,
                llm_calls=getattr(state, "llm_calls", 0),
                llm_tokens=getattr(state, "llm_tokens_used", 0),
                backtracks=self.backtrack_count,
                elapsed_ms=self._clock.now_ms() - self.start_time_ms if self._clock else 0,
                dedup_skips=self._dedup_skips,
                undone_changes=self._undone,
            ),
            trace=self.trace.events,
        )


def _status(cut: BudgetStatus, diagnostics: list[Diagnostic], parked: list[ParkedTask]) -> Status:
    if cut in (BudgetStatus.TIME_EXCEEDED, BudgetStatus.INTERRUPTED):
        return Status.INTERRUPTED
    if cut is not BudgetStatus.OK:
        return Status.BUDGET_EXCEEDED
    if any(found.severity is Severity.ERROR for found in diagnostics):
        return Status.PARTIAL
    return Status.BLOCKED if parked else Status.SOLVED
