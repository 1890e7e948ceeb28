"""IPyHOP's interface over planvow's engine: `from planvow.compat import ipyhop`, and the file stays as it is.

`IPyHOP(methods, actions).plan(state, tasks)` gives a list; `replan(state, fail_node_id)` goes on after a failure with
what was done behind it. What differs, differs for the better: a node closed by an empty list is reconsidered, what a
failed branch removed is back, unknown tasks are errors. `result` is planvow's own, with status and explanation: it
tells "no plan" from "nothing to do", which both are an empty list here. `standing_in()` lets `import ipyhop` give this
module.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from types import ModuleType
from typing import Any

from planvow.compat.domains import errors_of_functions, kernel_domain
from planvow.compat.states import Multigoal as MultiGoal
from planvow.compat.states import State, opened, planned, say, sealed_item
from planvow.compat.states import split_multigoal as mgm_split_multigoal
from planvow.errors import RefusedError
from planvow.kernel.answer.drawing import text_tree
from planvow.kernel.answer.graph import SolutionGraph
from planvow.kernel.answer.planning import plan as _plan
from planvow.kernel.answer.result import Result
from planvow.kernel.repair.lookahead import simulate
from planvow.kernel.repair.replan import replan as _replan
from planvow.kernel.world.in_place_changes import call


class Actions:
    """The actions of a domain, with what they cost and how likely they are to work."""

    def __init__(self) -> None:
        self.action_dict: dict[str, Any] = {}
        self.action_prob: dict[str, Any] = {}
        self.action_cost: dict[str, float] = {}

    def declare_actions(self, action_list: list[Any]) -> None:
        """Add actions; each is sure to work and costs 1 until `declare_action_models` says otherwise."""
        for action in action_list:
            self.action_dict[action.__name__] = action
            self.action_prob[action.__name__] = [1, 0]
            self.action_cost[action.__name__] = 1.0

    def declare_action_models(self, act_prob_dict: Mapping[str, Any], act_cost_dict: Mapping[str, float]) -> None:
        """Say how likely actions are to work, and what they cost."""
        self.action_prob.update(act_prob_dict)
        self.action_cost.update(act_cost_dict)

    def __str__(self) -> str:
        return f"\nACTIONS: {', '.join(self.action_dict)}"

    __repr__ = __str__


class Methods:
    """The methods of a domain. Declaring those of a task or goal again replaces them."""

    def __init__(self) -> None:
        self.task_method_dict: dict[str, list[Any]] = {}
        self.goal_method_dict: dict[str, list[Any]] = {}
        self.multigoal_method_dict: dict[str | None, list[Any]] = {None: []}

    def declare_task_methods(self, task_name: str, method_list: list[Any]) -> None:
        self.task_method_dict[task_name] = method_list

    def declare_goal_methods(self, goal_name: str, method_list: list[Any]) -> None:
        self.goal_method_dict[goal_name] = method_list

    def declare_multigoal_methods(self, multigoal_tag: str | None, method_list: list[Any]) -> None:
        self.multigoal_method_dict[multigoal_tag] = method_list

    def __str__(self) -> str:
        tables: tuple[tuple[str, Mapping[Any, list[Any]]], ...] = (
            ("TASK", self.task_method_dict),
            ("GOAL", self.goal_method_dict),
            ("MULTIGOAL", self.multigoal_method_dict),
        )
        return "\n".join(
            f"\n{title + ':':<30}METHODS:"
            + "".join(f"\n{name!s:<30}{', '.join(m.__name__ for m in methods)}" for name, methods in table.items())
            for title, table in tables
        )

    __repr__ = __str__


class SolutionTree:
    """planvow's solution graph, read as the peer's users read theirs: nodes with attributes, by id."""

    def __init__(self, graph: SolutionGraph) -> None:
        self.graph = graph
        self.nodes = {
            node.node_id: {
                "info": ("root",) if node.kind == "root" else node.item,
                "type": _TYPES.get(node.kind, "T"),
                "status": "NA" if node.kind == "root" else "C",
                "selected_method": node.method,
                "tag": node.tag,
            }
            for node in graph
        }

    def successors(self, node_id: int) -> Iterator[int]:
        return iter(self.graph[node_id].children)

    def predecessors(self, node_id: int) -> Iterator[int]:
        parent_id = self.graph[node_id].parent_id
        return iter(() if parent_id is None else (parent_id,))

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[int]:
        return iter(self.nodes)


_TYPES = {"root": "D", "command": "A", "goal": "G", "satisfied": "G", "multigoal": "M", "check": "VG"}


class IPyHOP:
    """Plans with methods and actions, and repairs what it planned."""

    def __init__(self, methods: Methods, actions: Actions) -> None:
        self.methods, self.actions = methods, actions
        self.blacklist: set[Any] = set()
        self.sol_plan: list[Any] = []
        self.state: Any = None
        self.task_list: list[Any] = []
        self.iterations: int | None = None
        self.result: Result | None = None
        """What planvow says: status, reason, solution graph, explanation."""

    def plan(
        self,
        state: Any,
        task_list: Any,
        methods: Methods | None = None,
        actions: Actions | None = None,
        verbose: int | None = 0,
    ) -> list[Any]:
        """Return a plan as a list of actions; an empty one when nothing is to be done, or nothing can be."""
        self.methods, self.actions = methods or self.methods, actions or self.actions
        self.state, self.task_list = state, list(task_list)
        todo = [sealed_item(item) for item in task_list]
        with errors_of_functions():
            result = _plan(self._domain(), planned(state), todo, blacklist=self.blacklist)
        return self._take(result, verbose)

    def replan(self, state: Any, fail_node_id: int, verbose: int | None = 0) -> list[Any]:
        """Go on after a node of `sol_tree` failed, from the state that was reached; return what is left to do."""
        before = self._planned()
        banned = before.problem.blacklist | frozenset(self.blacklist)
        previous = replace(before, problem=replace(before.problem, blacklist=banned))
        with errors_of_functions():
            result = _replan(previous, planned(state), fail_node_id, blacklist=False)
        self.state = state
        return self._take(result, verbose)

    def simulate(self, state: Any, start_ind: int = 0) -> list[Any]:
        """Return the states that the plan leads through."""
        return [opened(reached) for reached in simulate(self._planned(), planned(state), start_ind).states]

    def blacklist_command(self, command: Any) -> None:
        """Keep an action with these arguments out of every later plan."""
        self.blacklist.add(tuple(command))

    @property
    def sol_tree(self) -> SolutionTree:
        """The derivation tree: `sol_tree.nodes[id]["info"]`, `sol_tree.successors(id)`; 0 is the root."""
        return SolutionTree(self._planned().solution_graph)

    def _planned(self) -> Result:
        if self.result is None:
            raise RefusedError("nothing was planned yet", hint="call plan(state, tasks) first")
        return self.result

    def _take(self, result: Result, verbose: int | None) -> list[Any]:
        self.result, self.iterations = result, result.statistics.iterations
        self.sol_plan = [tuple(step) for step in result.plan]
        if verbose:
            say(f"**IPyHOP, verbose = {verbose}: **\n\tstate = {self.state.__name__}\n\ttasks = {self.task_list}.")
            say(f"\t{result.explain_text() if verbose > 1 else result.reason}")
        return self.sol_plan

    def _domain(self) -> Any:
        tagged = [(method, tag) for tag, methods in self.methods.multigoal_method_dict.items() for method in methods]
        tasks = self.methods.task_method_dict
        return kernel_domain(
            "ipyhop",
            actions={name: action for name, action in self.actions.action_dict.items() if name not in tasks},
            tasks=tasks,
            goals=self.methods.goal_method_dict,
            multigoals=tagged,
            costs=self.actions.action_cost,
        )


class MonteCarloExecutor:
    """Runs a plan's actions on a state. Chance is the caller's: `works(action)` says whether one works this time."""

    def __init__(self, actions: Actions, seed: int = 10, *, works: Any = lambda action: True) -> None:
        self.actions, self.exec_list, self._works = actions, list[Any](), works

    def execute(self, state: Any, plan: Any, actions: Actions | None = None) -> list[tuple[Any, Any]]:
        """Return (action, state after it) from the start on, up to the first that fails, whose state is None."""
        table = (actions or self.actions).action_dict
        self.exec_list = [(None, state.copy())]
        for action in plan:
            reached = planned(self.exec_list[-1][1]).journaled()
            answer = call(table[action[0]], reached, *action[1:]) if self._works(action) else None
            self.exec_list.append((action, opened(answer) if isinstance(answer, type(reached)) else None))
            if self.exec_list[-1][1] is None:
                break
        return self.exec_list


def planar_plot(sol_tree: SolutionTree, *_: Any, **__: Any) -> None:
    """Print the tree as text; pictures are made by `result.to_svg()`."""
    say(text_tree(sol_tree.graph))


@contextmanager
def standing_in() -> Iterator[ModuleType]:
    """Let `import ipyhop` give this module, for files that are run or imported meanwhile."""
    before = sys.modules.get("ipyhop")
    sys.modules["ipyhop"] = sys.modules[__name__]
    try:
        yield sys.modules[__name__]
    finally:
        if before is None:
            del sys.modules["ipyhop"]
        else:
            sys.modules["ipyhop"] = before


__all__ = [
    "Actions", "IPyHOP", "Methods", "MonteCarloExecutor", "MultiGoal", "State", "mgm_split_multigoal", "planar_plot",
    "standing_in",
]  # fmt: skip
