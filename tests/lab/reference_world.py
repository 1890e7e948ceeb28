"""What the examples in the docstrings of public names may use: every name of their package, and a small world.

`travel`, `start`, `todo` and `result` are those of the README; `domain_text`, `problem_text` and `plan_text` are a
small HDDL problem and its plan; `tools` is a list of one tool; `output` is what the stub planner says to "say hello".
For the ledger there is a `store` with a job of one step, `posted`; for debates `found`, what came of two turns; for
governed requests an indexed folder and a `request` to read its file.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from planvow import Budgets, Domain, State, plan, refuse

DOMAIN = """(define (domain walks)
  (:predicates (at ?p))
  (:task go :parameters (?p))
  (:method on-foot :parameters (?p) :task (go ?p) :ordered-subtasks (walk ?p))
  (:action walk :parameters (?p) :effect (at ?p)))
"""
PROBLEM = """(define (problem to-the-park)
  (:domain walks)
  (:objects park)
  (:htn :ordered-subtasks (go park))
  (:init)
  (:goal (at park)))
"""
PLAN = "==>\n0 walk park\nroot 1\n1 go park -> on-foot 0\n<==\n"

travel = Domain("travel")


@travel.command
def walk(state: Any, who: str, there: str) -> Any:
    state.at[who] = there
    return state


@travel.method(task="travel")
def on_foot(state: Any, who: str, there: str) -> Any:
    return [("walk", who, there)] if state.km[there] < 3 else refuse("too far to walk")


def world(door: str) -> dict[str, Any]:
    """Return the names that the examples of a package may use."""
    from planvow.contract import StubPlanner, unwrap
    from planvow.tools import read_tools

    start = State(at={"ann": "home"}, km={"park": 2, "sea": 90})
    todo = [("travel", "ann", "park")]
    schema = {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}
    module = import_module(door)
    return {
        **{name: getattr(module, name) for name in module.__all__},
        "State": State,
        "Budgets": Budgets,
        "plan": plan,
        "travel": travel,
        "start": start,
        "todo": todo,
        "result": plan(travel, start, todo),
        "domain_text": DOMAIN,
        "problem_text": PROBLEM,
        "plan_text": PLAN,
        "tools": read_tools([{"name": "find_flight", "description": "Find a flight.", "inputSchema": schema}]),
        "output": unwrap(StubPlanner().plan("agent-1", "say hello")),
        **_more(door),
    }


def _more(door: str) -> dict[str, Any]:
    if door == "planvow.cassette":
        from planvow.cassette import SqliteStore, StoredPlan
        from planvow.contract import Step

        steps = (Step(step_id="a", skill="NOTE", params={"message": "hi"}),)
        facts: dict[str, Any] = {"planner_id": "demo", "planner_version": "1", "plan_hash": "0" * 64, "plan": {}}
        store = SqliteStore("ledger.db")
        return {"store": store, "posted": store.post("run-1", {}, StoredPlan(request_id="tea", steps=steps, **facts))}
    if door == "planvow.debate":
        from planvow.adapters.language.choice import load_language
        from planvow.debate import analyse, read_transcript

        said = "ANN: Taxes fell by ten percent in 2019, because wages rose. BOB: We should build more homes."
        return {"found": analyse(read_transcript(said.replace(" BOB", "\nBOB")), load_language("lite"))}
    if door == "planvow.governed":
        from planvow.governed.substrate.index import build_index
        from planvow.governed.substrate.working_tree import open_working_tree

        root = Path("notes")
        root.mkdir()
        (root / "plan.md").write_text("# Plan\n\nOne thing.\n", encoding="utf-8")
        with open_working_tree(root, data_folder=root / ".planvow", writable=True) as tree:
            build_index(root, tree.sections)
        asked = {"run_id": "r1", "request_id": "q1", "intent": "read_plan", "inputs": {"files": ["plan.md"]}}
        return {"request": {**asked, "budgets": {"max_steps": 2}}}
    return {}
