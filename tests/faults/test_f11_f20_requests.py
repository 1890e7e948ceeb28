"""F11, F20: any request is planned or refused, never anything else; budgets hold; a refusal writes nothing."""

from __future__ import annotations

import copy
import json
import random
import resource
import string
import tempfile
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ledgers import sqlite_ledger
from planvow.adapters.cli.governed.cortex import app as cortex
from planvow.cassette import StoredPlan
from planvow.contract import Step
from planvow.errors import PlanvowError
from planvow.governed import RequestPlanner, post_request_and_plan

FUZZED = 20_000
BUDGETED = 3_000
SECTION = "# Title\n\n" + "\n".join(f"line {n}" for n in range(40)) + "\n"

GOOD = {
    "run_id": "run",
    "request_id": "q",
    "intent": "look",
    "inputs": {
        "symbols": ["@DOC/one", {"symbol_id": "@DOC/two", "slice": "lines[0:3]"}],
        "files": ["a.md", "b.py"],
        "notes": ["careful"],
        "ops": [
            {"op": "WRITE_FILE", "refs": {"file_path": "out.txt", "content": "x"}},
            {"op": "NOTE", "refs": {"message": "done"}},
        ],
    },
    "budgets": {"max_steps": 20, "max_bytes": 5000, "max_symbols": 5},
}

JUNK = [
    None, True, False, 0, -1, 1, 2**53, 2**63, 10**400, 0.5, -0.0, float("nan"), float("inf"), "", "\x00", "\ud800",
    "ALL", "slice=ALL", "lines[0:3]", "lines[3:0]", "head(-1)", "../../etc/passwd", "/etc/passwd", "a.md", "@DOC/one",
    "@doc/one", "@", "💥", "e\u0301", "x" * 5000, [], {}, [[]], {"": {}}, {"a": {"b": {"c": {}}}}, ["@DOC/one"] * 99,
    "READ_SECTION", "RUN_TEST", "'; DROP TABLE cassette_messages; --", "{{input.x}}", "chars[0:1]", "tail(1)", b"bytes",
    {1: 2}, {None: 1}, object, set(),
]  # fmt: skip


def make_repository(root: Path, *, substrate: str = "sqlite") -> Path:
    (root / "a.md").write_text(SECTION)
    (root / "b.py").write_text("def f():\n    return 1\n")
    for words in (
        ["sections", "build"],
        ["symbols", "add", "@DOC/one", "--file", "a.md", "--default-slice", "lines[0:5]"],
        ["symbols", "add", "@DOC/two", "--file", "a.md", "--default-slice", "lines[5:9]"],
    ):
        where = ["--repo-root", str(root), "--substrate", substrate]
        done = CliRunner().invoke(cortex.full(), [*words, *where], catch_exceptions=False)
        assert done.exit_code == 0, done.output
    return root


@pytest.fixture(scope="module")
def repo():
    with tempfile.TemporaryDirectory() as folder:
        yield make_repository(Path(folder))


def mutated(chance: random.Random) -> object:
    """Change a good request in one to four places: exchange, drop, add, duplicate, wrap or deepen a value."""
    request = copy.deepcopy(GOOD)
    for _ in range(chance.randint(1, 4)):
        holder, key = chance.choice(places(request))
        kind = chance.randrange(6)
        junk = copy.copy(chance.choice(JUNK))
        if kind == 0 and isinstance(holder, dict):
            holder["".join(chance.choices(string.ascii_letters + "_. ", k=4))] = junk
        elif kind == 1:
            del holder[key]
        elif kind == 2 and isinstance(holder, list):
            holder.extend([holder[key]] * chance.randint(1, 30))
        elif kind == 3:
            value = holder[key]
            for _ in range(chance.choice([1, 5, 300])):
                value = [value] if chance.random() < 0.5 else {"x": value}
            holder[key] = value
        else:
            holder[key] = junk
        if not places(request):
            return request
    return request if chance.random() < 0.97 else chance.choice(JUNK)


def places(value: object) -> list[tuple]:
    """Every (container, key) inside a value, without descending into deep nests."""
    found, todo = [], [(value, 0)]
    while todo:
        node, depth = todo.pop()
        if depth > 6 or not isinstance(node, dict | list):
            continue
        keys = list(node) if isinstance(node, dict) else range(len(node))
        for key in keys:
            found.append((node, key))
            todo.append((node[key], depth + 1))
    return found


def fuzz(planner, count: int, seconds: list[float] | None = None) -> tuple[int, int, list[str]]:
    """Plan mutated requests; return how many were planned, refused, and what escaped; note the CPU time of each."""
    chance = random.Random(11)
    planned = refused = 0
    uncaught: list[str] = []
    for _ in range(count):
        request = mutated(chance)
        begin = time.process_time()
        try:
            plan = planner.plan_request(request)
            json.dumps(plan)
            planned += 1
        except PlanvowError:
            refused += 1
        except Exception as error:
            uncaught.append(f"{type(error).__name__}: {error} for {request!r:.300}")
        if seconds is not None:
            seconds.append(time.process_time() - begin)
    return planned, refused, uncaught


def test_f11_twenty_thousand_mutated_requests_are_planned_or_refused(repo, fault_table):
    with RequestPlanner(repo) as planner:
        fuzz(planner, 500)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        planned, refused, uncaught = fuzz(planner, FUZZED)
        growth_mb = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024
    done = f"{FUZZED} requests: {planned} planned, {refused} refused, {growth_mb} MB more"
    fault_table.add("F11 fuzzed requests", done, uncaught=len(uncaught))
    assert uncaught[:3] == []
    assert planned > 100
    assert growth_mb <= 50


def test_f11_the_ledger_takes_or_refuses_anything(tmp_path, fault_table):
    chance = random.Random(12)
    uncaught = []
    taken = 0
    with sqlite_ledger(tmp_path) as store:
        pick = lambda: copy.copy(chance.choice(JUNK))  # noqa: E731
        some = lambda usual: usual if chance.random() < 0.93 else pick()  # noqa: E731
        for _ in range(3_000):
            try:
                steps = tuple(
                    Step(
                        step_id=some(f"s{n}"), skill=some("NOTE"), params=some({"a": 1}), depends_on=some(()),
                        on_error=some("abort"), retry_count=some(0), output_key=some(None),
                    )
                    for n in range(chance.randint(0, 3))
                )  # fmt: skip
                plan = StoredPlan(
                    planner_id=some("p"), planner_version="1", plan_hash="h", plan=some({"a": []}), steps=steps,
                    request_id=some(f"q{chance.randrange(50)}"), budgets=some({"max_bytes": some(9)}), intent=some(""),
                    max_attempts=some({"s0": some(3)}),
                )  # fmt: skip
                store.post(some("run"), some({"q": 1}), plan, idempotency_key=some(None))
                taken += 1
                claim = store.claim(some("w"))
                if claim is not None:
                    store.complete(claim, some("SUCCESS"), some({"x": pick()}), bytes_used=some(0))
            except PlanvowError:
                continue
            except Exception as error:
                uncaught.append(f"{type(error).__name__}: {error}")
    fault_table.add("F11 fuzzed ledger calls", f"3000 posts and completions, {taken} taken", uncaught=len(uncaught))
    assert uncaught[:3] == []
    assert taken > 20


def test_control_an_exception_of_another_kind_is_counted(repo):
    with RequestPlanner(repo) as planner:
        plain = planner.plan_request

        def careless(request):
            return plain(request) if isinstance(request, dict) and "budgets" in request else request["budgets"]

        planner.plan_request = careless
        assert fuzz(planner, 300)[2] != []


def budget_request(chance: random.Random, number: int) -> dict:
    some = lambda items: chance.sample(items, chance.randint(0, len(items)))  # noqa: E731
    symbols = ["@DOC/one", "@DOC/two", {"symbol_id": "@DOC/one", "slice": f"head({chance.randint(1, 40)})"}]
    return {
        "run_id": "run",
        "request_id": f"q{number}",
        "intent": "look",
        "inputs": {"symbols": some(symbols), "files": some(["a.md", "b.py"]), "notes": some(["x", "y", "z"])},
        "budgets": {
            "max_steps": chance.randint(1, 8),
            "max_bytes": chance.choice([0, 20, 60, 400, 10_000]),
            "max_symbols": chance.randint(0, 3),
        },
    }


def broken_laws(store, planner, repo, count: int, measure, *, seed: int = 20) -> tuple[int, int, int]:
    """Post random requests; return how many were accepted, exceeded a budget, and wrote although refused."""
    chance = random.Random(seed)
    accepted = exceeded = wrote = 0
    for number in range(count):
        request = budget_request(chance, number)
        before = store.rows("row_counts")
        try:
            posted = post_request_and_plan("run", request, store=store, planner=planner, repo_root=repo)
        except PlanvowError:
            wrote += store.rows("row_counts") != before
            continue
        accepted += 1
        (record,) = store.plans(job_id=posted.job_id)
        exceeded += measure(record.plan, request["budgets"])
    return accepted, exceeded, wrote


def over_budget(plan, budgets) -> bool:
    """Add up a plan from its steps alone."""
    reads = {(s["refs"]["section_id"], s["refs"].get("slice")): s["expected_outputs"]["bytes"]
             for s in plan["steps"] if s["op"].startswith("READ")}  # fmt: skip
    symbols = {s["refs"]["symbol_id"] for s in plan["steps"] if s["op"] == "READ_SYMBOL"}
    return (
        len(plan["steps"]) > budgets["max_steps"]
        or sum(reads.values()) > budgets["max_bytes"]
        or len(symbols) > budgets["max_symbols"]
    )


def test_f20_what_is_accepted_is_within_its_budgets_and_what_is_refused_writes_nothing(repo, tmp_path, fault_table):
    with sqlite_ledger(tmp_path) as store, RequestPlanner(repo) as planner:
        accepted, exceeded, wrote = broken_laws(store, planner, repo, BUDGETED, over_budget)
    done = f"{BUDGETED} random requests, {accepted} accepted"
    fault_table.add("F20 budget laws", done, over_budget=exceeded, rows_after_refusal=wrote)
    assert 100 < accepted < BUDGETED
    assert (exceeded, wrote) == (0, 0)


def test_control_a_plan_over_its_budget_is_counted(repo, tmp_path):
    tighter = lambda plan, budgets: over_budget(plan, {**budgets, "max_steps": len(plan["steps"]) - 1})  # noqa: E731
    with sqlite_ledger(tmp_path) as store, RequestPlanner(repo) as planner:
        assert broken_laws(store, planner, repo, 50, tighter)[1] > 0
