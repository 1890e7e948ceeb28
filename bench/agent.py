"""What a step of a durable agent costs: CPU of the whole loop beside DBOS and LangGraph, in one run.

    python bench/agent.py [--steps 100] [--runs 5] [--json FILE]

The same errand for all: so many calls of one tool, one after the other, each result on the disk before the next call
begins, and all results in hand at the end. `planvow.Agent` plans them, stores plan, certificate and reasons, runs them
through the ledger and returns the run; DBOS runs a workflow of as many steps; LangGraph goes round a graph of one node
with its SQLite checkpointer and durability "sync", the results in its state. `langgraph-last` keeps the last result
only: it is shown, and no part of the gate, as its agent has one result at the end. No tool has a time limit, which the
others do not have by default. Each contestant has a process and an SQLite
file of its own with synchronous=FULL; the settings each really has are printed. CPU time of the process with all its
threads, without imports and the making of tables; rounds in turn, of which the cheapest counts for each. The tool is
called as a function and as a coroutine. Gate: in either form cheaper than both others.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import operator
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, TypedDict

ROUNDS = 3
PAGE = "x" * int(os.environ.get("PAGE_CHARACTERS", "1000"))
"""What a call gives back: about as much as a short page."""
SYNCHRONOUS = {0: "OFF", 1: "NORMAL", 2: "FULL", 3: "EXTRA"}
RUNNER = asyncio.Runner()  # one loop for all runs: DBOS keeps using the first it has seen
Turn = Callable[[int, int], None]
"""Does one run of so many steps under a number."""


def fetch(number: int) -> dict[str, Any]:
    return {"page": number, "text": PAGE}


async def fetch_later(number: int) -> dict[str, Any]:
    return {"page": number, "text": PAGE}


def ours(folder: Path, is_async: bool) -> tuple[Turn, str]:
    from planvow import Agent, Domain, State
    from planvow.adapters.databases.opening import open_ledger
    from planvow.agent import tool

    domain = Domain("pages")

    @domain.command
    def get(state, number):
        state.fetched[number] = True
        return state

    @domain.method(task="get all")
    def one_by_one(state, count):
        return [("get", number) for number in range(count)]

    place = str(folder / "planvow.db")
    unlimited = tool(fetch_later if is_async else fetch, timeout_seconds=None)  # as the others are by default
    agent = Agent(domain, tools={"get": unlimited}, ledger=place).__enter__()  # the others keep theirs open too

    def turn(steps: int, number: int) -> None:
        asked = {"todo": [("get all", steps)], "state": State(fetched={}), "run_id": f"run-{number}"}
        run = RUNNER.run(agent.arun(**asked)) if is_async else agent.run(**asked)
        assert run.success, run.reason
        assert len(run.done) == steps

    turn(2, 0)
    with open_ledger(place) as store:
        setting = settings(store._connection)
    return turn, setting


def dbos(folder: Path, is_async: bool) -> tuple[Turn, str]:
    from dbos import DBOS, SetWorkflowID

    logging.disable(logging.WARNING)
    DBOS(config={"name": "bench", "system_database_url": f"sqlite:///{folder / 'dbos.db'}", "log_level": "ERROR"})

    get, get_later = DBOS.step()(fetch), DBOS.step()(fetch_later)

    @DBOS.workflow()
    def get_all(count: int) -> int:
        return len([get(number) for number in range(count)])

    @DBOS.workflow()
    async def get_all_later(count: int) -> int:
        return len([await get_later(number) for number in range(count)])

    DBOS.launch()

    def turn(steps: int, number: int) -> None:
        with SetWorkflowID(f"run-{number}"):
            done = RUNNER.run(get_all_later(steps)) if is_async else get_all(steps)
        assert done == steps

    turn(2, 0)
    from dbos._dbos import _get_dbos_instance

    with _get_dbos_instance()._sys_db.engine.connect() as connection:
        setting = settings(connection.connection.dbapi_connection)
    return turn, setting


class Pages(TypedDict):
    """Everything that was fetched, as an agent's messages are kept."""

    left: int
    results: Annotated[list[dict[str, Any]], operator.add]


class LastPage(TypedDict):
    """The last result alone: the others have to be looked for among old checkpoints."""

    left: int
    results: list[dict[str, Any]]


def langgraph(folder: Path, is_async: bool) -> tuple[Turn, str]:
    return _langgraph(folder, is_async, Pages)


def langgraph_last(folder: Path, is_async: bool) -> tuple[Turn, str]:
    return _langgraph(folder, is_async, LastPage)


def _langgraph(folder: Path, is_async: bool, shape: type) -> tuple[Turn, str]:
    from langgraph.checkpoint.sqlite import SqliteSaver
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
    from langgraph.graph import END, START, StateGraph

    def get(state: Any) -> Any:
        return {"left": state["left"] - 1, "results": [fetch(state["left"])]}

    async def get_later(state: Any) -> Any:
        return {"left": state["left"] - 1, "results": [await fetch_later(state["left"])]}

    builder = StateGraph(shape)
    builder.add_node("get", get_later if is_async else get)
    builder.add_edge(START, "get")
    builder.add_conditional_edges("get", lambda state: "get" if state["left"] else END)
    place = str(folder / "langgraph.db")
    connection = sqlite3.connect(place, check_same_thread=False)
    SqliteSaver(connection).setup()

    def asked(steps: int, number: int) -> tuple[Any, dict[str, Any]]:
        config = {"configurable": {"thread_id": f"run-{number}"}, "recursion_limit": steps + 10}
        return {"left": steps, "results": []}, config

    async def turn_later(steps: int, number: int) -> Any:
        async with AsyncSqliteSaver.from_conn_string(place) as saver:
            return await builder.compile(saver).ainvoke(*asked(steps, number), durability="sync")

    graph = builder.compile(SqliteSaver(connection))

    def turn(steps: int, number: int) -> None:
        if is_async:
            end = RUNNER.run(turn_later(steps, number))
        else:
            end = graph.invoke(*asked(steps, number), durability="sync")
        assert (end["left"], len(end["results"])) == (0, steps if shape is Pages else 1)

    turn(2, 0)
    return turn, f"{settings(connection)}, durability=sync"


def settings(connection: Any) -> str:
    """Say how a connection writes to the disk."""
    said = {}
    for name in ("journal_mode", "synchronous"):
        row = connection.execute(f"PRAGMA {name}").fetchone()
        said[name] = row[name] if isinstance(row, dict) else row[0]
    return f"journal_mode={said['journal_mode']}, synchronous={SYNCHRONOUS[said['synchronous']]}"


CONTESTANTS = {"planvow": ours, "dbos": dbos, "langgraph": langgraph, "langgraph-last": langgraph_last}
_GRAPH = ["langgraph", "langgraph-checkpoint-sqlite"]
PACKAGES = {"planvow": ["planvow"], "dbos": ["dbos"], "langgraph": _GRAPH, "langgraph-last": _GRAPH}


def one(name: str, is_async: bool, steps: int, runs: int) -> None:
    """Measure one contestant in this process and print what it took."""
    with tempfile.TemporaryDirectory(prefix="planvow-bench-") as folder:
        turn, setting = CONTESTANTS[name](Path(folder), is_async)
        before = time.process_time()
        for number in range(1, runs + 1):
            turn(steps, number)
        spent = (time.process_time() - before) * 1000 / (runs * steps)
        print(json.dumps({"ms": spent, "setting": setting}), flush=True)
    os._exit(0)  # threads of the contestants would keep the process


def measured(name: str, form: str, asked: argparse.Namespace) -> dict[str, Any]:
    command = [sys.executable, __file__, "--one", name, "--form", form]
    command += ["--steps", str(asked.steps), "--runs", str(asked.runs)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{name} failed: {done.stderr[-3000:]}")
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--one", choices=CONTESTANTS, help=argparse.SUPPRESS)
    parser.add_argument("--form", choices=["function", "coroutine"], help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        one(asked.one, asked.form == "coroutine", asked.steps, asked.runs)
    best: dict[str, dict[str, float]] = {}
    said = {}
    for form in ("function", "coroutine"):
        for _ in range(asked.rounds):
            for name in CONTESTANTS:
                found = measured(name, form, asked)
                best.setdefault(form, {}).setdefault(name, found["ms"])
                best[form][name] = min(best[form][name], found["ms"])
                said[name] = found["setting"]
    for name, setting in said.items():
        versions = ", ".join(f"{package} {version(package)}" for package in PACKAGES[name])
        print(f"{name:15} {setting} ({versions})")
    print(f"CPU in ms per step, {asked.steps} steps a run, {asked.runs} runs, cheapest of {asked.rounds} rounds")
    for form, figures in best.items():
        print(f"{form:10} " + ", ".join(f"{name} {ms:.2f}" for name, ms in figures.items()))
    if asked.json:
        asked.json.write_text(json.dumps({"settings": said, "ms_per_step": best}, indent=1))
    met = all(figures["planvow"] < min(figures["dbos"], figures["langgraph"]) for figures in best.values())
    print("gate met: cheaper than both" if met else "GATE MISSED: not cheaper than both")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
