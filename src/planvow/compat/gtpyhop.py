"""GTPyhop's interface over planvow's engine: `from planvow.compat import gtpyhop`, and the file stays as it is.

There is a current domain, and what is declared goes into it. `find_plan` gives a list, or False. What differs, differs
for the better: the search always backtracks, whatever strategy was set; a goal method that misses its goal is a dead
end and no exception; goals are always verified. `standing_in()` lets files that say `import gtpyhop` get this module.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from planvow.budgets import Budgets
from planvow.compat import harness
from planvow.compat.domains import errors_of_functions, kernel_domain, steps_that_change
from planvow.compat.harness import check_result, pause
from planvow.compat.sessions import ExecutionResult, PlanningTimeoutError, PlanResult, Sessions
from planvow.compat.states import Multigoal, State, planned, say, sealed_item, show
from planvow.compat.states import split_multigoal as m_split_multigoal
from planvow.kernel.answer.planning import plan as _plan
from planvow.kernel.answer.result import Result
from planvow.kernel.domain.domain import Domain as KernelDomain

__version__ = "2.0.2"
"""The version of GTPyhop whose interface this is."""

verbose = 1
current_domain: Domain | None = None
_domains: list[Domain] = []
_strategy: bool | str | None = False
_verify_goals = True
STRATEGIES = ("recursive_dfs", "iterative_greedy", "iterative_irrevocable_commitment", "iterative_dfs_backtracking")


class Domain:
    """Actions, commands and methods. A new one becomes the current domain."""

    def __init__(self, domain_name: str) -> None:
        global current_domain
        self.__name__ = domain_name
        self._action_dict: dict[str, Any] = {}
        self._command_dict: dict[str, Any] = {}
        self._task_method_dict: dict[str, list[Any]] = {}
        self._unigoal_method_dict: dict[str, list[Any]] = {}
        self._multigoal_method_list: list[Any] = []
        _domains.append(self)
        current_domain = self

    def __str__(self) -> str:
        return f"<Domain {self.__name__}>"

    __repr__ = __str__

    def copy(self, new_name: str | None = None) -> Domain:
        """Return a domain with the same functions; the current domain stays what it was."""
        before = current_domain
        copied = Domain(new_name or f"{self.__name__}_copy")
        globals()["current_domain"] = before
        copied._action_dict = dict(self._action_dict)
        copied._command_dict = dict(self._command_dict)
        copied._task_method_dict = {task: list(methods) for task, methods in self._task_method_dict.items()}
        copied._unigoal_method_dict = {name: list(methods) for name, methods in self._unigoal_method_dict.items()}
        copied._multigoal_method_list = list(self._multigoal_method_list)
        return copied

    def display(self) -> None:
        """Print the domain's actions, commands and methods."""
        print_domain(self)

    def as_kernel(self) -> KernelDomain:
        """Return the domain as planvow has it: for `planvow.plan`, certificates and explanations."""
        return kernel_domain(
            self.__name__,
            actions=self._action_dict,
            tasks=self._task_method_dict,
            goals=self._unigoal_method_dict,
            multigoals=[(function, None) for function in self._multigoal_method_list],
        )


def _current(domain: Domain | None = None) -> Domain:
    chosen = domain if domain is not None else current_domain
    if chosen is None:
        raise Exception("there is no domain yet: make one with Domain(name)")
    return chosen


def set_current_domain(domain: Domain) -> None:
    """Make a domain the one that is declared into and planned with."""
    global current_domain
    if not isinstance(domain, Domain):
        raise TypeError(f"a Domain is expected, got {type(domain).__name__}")
    current_domain = domain


def get_current_domain() -> Domain | None:
    return current_domain


def find_domain_by_name(domain_name: str) -> Domain | None:
    return next((domain for domain in _domains if domain.__name__ == domain_name), None)


def is_domain_created(domain_name: str) -> bool:
    return find_domain_by_name(domain_name) is not None


def print_domain_names() -> None:
    names = ", ".join(domain.__name__ for domain in _domains)
    say(f"-- Domain names: {names}" if names else "-- There are no domains --")


def declare_actions(*actions: Any) -> dict[str, Any]:
    """Add actions to the current domain."""
    table = _current()._action_dict
    table.update({action.__name__: action for action in actions})
    return table


def declare_commands(*commands: Any) -> dict[str, Any]:
    """Add commands, `c_<action>`, which run instead of the action when acting."""
    table = _current()._command_dict
    table.update({command.__name__: command for command in commands})
    return table


def declare_task_methods(task_name: str, *methods: Any) -> dict[str, list[Any]]:
    """Add methods for a task, after those it has."""
    table = _current()._task_method_dict
    _extend(table.setdefault(task_name, []), methods)
    return table


def declare_unigoal_methods(state_var_name: str, *methods: Any) -> dict[str, list[Any]]:
    """Add methods for goals of one state variable, after those it has."""
    table = _current()._unigoal_method_dict
    _extend(table.setdefault(state_var_name, []), methods)
    return table


def declare_multigoal_methods(*methods: Any) -> list[Any]:
    """Add methods for multigoals, after those there are."""
    table = _current()._multigoal_method_list
    _extend(table, methods)
    return table


def _extend(held: list[Any], methods: Any) -> None:
    held.extend(method for method in methods if method not in held)


declare_operators, declare_methods = declare_actions, declare_task_methods


def print_actions(domain: Domain | None = None) -> None:
    _print_names("Actions", _current(domain)._action_dict, "actions")


def print_commands(domain: Domain | None = None) -> None:
    _print_names("Commands", _current(domain)._command_dict, "commands")


def print_methods(domain: Domain | None = None) -> None:
    held = _current(domain)
    for kind, table in (("Task name", held._task_method_dict), ("State var name", held._unigoal_method_dict)):
        say(f"\n{kind + ':':<19}Relevant methods:")
        for name, methods in table.items():
            say(f"{name:<19}{', '.join(method.__name__ for method in methods)}")
    _print_names("Multigoal methods", [method.__name__ for method in held._multigoal_method_list], "multigoal methods")


def _print_names(title: str, names: Any, kind: str) -> None:
    say(f"-- {title}: {', '.join(names)}" if names else f"-- There are no {kind} --")


def print_domain(domain: Domain | None = None) -> None:
    """Print a domain's actions, commands and methods."""
    say(f"\nDomain name: {_current(domain).__name__}")
    print_actions(domain)
    print_commands(domain)
    print_methods(domain)


print_operators = print_actions
print_state = print_multigoal = show


def get_type(thing: Any) -> str:
    return type(thing).__name__


def set_verbose_level(level: int) -> None:
    global verbose
    verbose = level


def get_verbose_level() -> int:
    return verbose


def set_recursive_planning(strategy: bool | str, verbose_output: bool = False) -> None:
    """Remember a strategy. The search is the same under each: depth first, with backtracking and without recursion."""
    global _strategy
    if not isinstance(strategy, bool) and strategy not in STRATEGIES:
        raise ValueError(f"unknown strategy {strategy!r}; known: {', '.join(STRATEGIES)}")
    _strategy = strategy


def get_recursive_planning() -> bool:
    return _strategy in (True, "recursive_dfs")


def reset_planning_strategy() -> None:
    global _strategy
    _strategy = None


def set_verify_goals(value: bool) -> bool:
    """Remember the setting and return the one before. Goals are verified whatever it says."""
    global _verify_goals
    before, _verify_goals = _verify_goals, bool(value)
    return before


def get_verify_goals() -> bool:
    return _verify_goals


def planned_result(state: Any, todo_list: Any, max_iterations: int | None = None, interrupt: Any = None) -> Result:
    """Plan, and return planvow's own result: status, reason, tree, explanation, certificate."""
    options: dict[str, Any] = {} if max_iterations is None else {"budgets": Budgets(max_iterations=max_iterations)}
    todo = [sealed_item(item) for item in todo_list]
    with errors_of_functions():
        return _plan(_current().as_kernel(), planned(state), todo, interrupt=interrupt, **options)


def find_plan(state: Any, todo_list: Any) -> Any:
    """Return a plan as a list of actions, without those that change nothing; False when there is none."""
    if verbose >= 1:
        say(f"FP> find_plan, verbose={verbose}:\n    state = {state.__name__}\n    todo_list = {_told(todo_list)}")
    result = planned_result(state, todo_list)
    answer = steps_that_change(result) if result.success else False
    if verbose >= 3:
        say(result.explain_text())
    if verbose >= 1:
        say(f"FP> result = {answer}\n")
    return answer


pyhop = find_plan


def run_lazy_lookahead(state: Any, todo_list: Any, max_tries: int = 10) -> Any:
    """Plan and run commands, and plan again until there is nothing left to do or the tries are used up."""
    _, state, is_done, _ = act(state, todo_list, max_tries)
    _tell("RLL> Empty plan => success." if is_done else "RLL> Too many tries, giving up.")
    return state


def act(state: Any, todo_list: Any, max_tries: int) -> tuple[list[Any], Any, bool, int]:
    """Return the commands that were run, the state they led to, whether nothing is left to do, and the plans made."""
    domain, executed, state = _current(), list[Any](), state.copy()
    for tries in range(1, max_tries + 1):
        _tell(f"RLL> call {tries} to find_plan:")
        steps = find_plan(state, todo_list)
        if steps is False:
            raise Exception("run_lazy_lookahead: find_plan has failed")
        if not steps:
            return executed, state, True, tries
        for step in steps:
            _tell(f"RLL> Command: {[f'c_{step[0]}', *step[1:]]}")
            function = domain._command_dict.get(f"c_{step[0]}") or domain._action_dict[step[0]]
            answer = function(state.copy(state.__name__), *step[1:])
            if not isinstance(answer, State):
                _tell(f"RLL> WARNING: command c_{step[0]} failed; will call find_plan.")
                break
            state = answer
            executed.append(step)
    return executed, state, False, max_tries


def _tell(text: str) -> None:
    if verbose >= 1:
        say(text)


def _told(todo_list: Any) -> str:
    return f"[{', '.join(str(item) for item in todo_list)}]"


def validate_plan_from_goal(initial_state: Any, plan: Any, key_string: str = "", goal_dict: Any = None) -> bool:
    """Run a plan's actions; say whether all apply and, if asked, one variable has the values given in the end."""
    state, domain = initial_state.copy(), _current()
    for step in plan:
        state = domain._action_dict[step[0]](state, *step[1:]) if step[0] in domain._action_dict else None
        if not isinstance(state, State):
            return False
    held = getattr(state, key_string, {}) if key_string else {}
    return all(held.get(key) == value for key, value in (goal_dict or {}).items())


test_harness = harness
_sessions = Sessions(sys.modules[__name__])
PlannerSession = _sessions.PlannerSession
create_session, get_session = _sessions.create, _sessions.get
destroy_session, list_sessions = _sessions.destroy, _sessions.names


@contextmanager
def standing_in() -> Iterator[ModuleType]:
    """Let `import gtpyhop` give this module, for files that are run or imported meanwhile."""
    names = {"gtpyhop": sys.modules[__name__], "gtpyhop.test_harness": harness}
    before = {name: sys.modules.get(name) for name in names}
    sys.modules.update(names)
    try:
        yield names["gtpyhop"]
    finally:
        for name, module in before.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module


__all__ = [
    "Domain", "ExecutionResult", "Multigoal", "PlanResult", "PlannerSession", "PlanningTimeoutError", "State",
    "check_result", "create_session", "current_domain", "declare_actions", "declare_commands", "declare_methods",
    "declare_multigoal_methods", "declare_operators", "declare_task_methods", "declare_unigoal_methods",
    "destroy_session", "find_domain_by_name", "find_plan", "get_current_domain", "get_recursive_planning",
    "get_session", "get_type", "get_verbose_level", "get_verify_goals", "is_domain_created", "list_sessions",
    "m_split_multigoal", "pause", "planned_result", "print_actions", "print_commands", "print_domain",
    "print_domain_names", "print_methods", "print_multigoal", "print_operators", "print_state", "pyhop",
    "reset_planning_strategy", "run_lazy_lookahead", "set_current_domain", "set_recursive_planning",
    "set_verbose_level", "set_verify_goals", "standing_in", "test_harness", "validate_plan_from_goal", "verbose",
]  # fmt: skip
