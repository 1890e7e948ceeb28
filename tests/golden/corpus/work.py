"""What workers do and put into receipts: the file tools of goals, launches, and the operations of governed plans."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from golden.corpus.case import Case, as_json
from golden.corpus.governed import REQUESTS, index_path, repository
from golden.corpus.ledger import diamond, ledger
from planvow import PlanvowError
from planvow.cassette import Worker, WorkerOptions, WorkReport
from planvow.contract import Step
from planvow.goals import WorldState
from planvow.goals.run.handlers import goal_handlers
from planvow.goals.run.workspace import Workspace
from planvow.governed import RequestPlanner, post_request_and_plan
from planvow.governed.run.operations import Workshop, governed_handlers

LAUNCHER = "system.apps.launch.shell"
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("files.create_folder", {"path": "a/b", "parents": True, "exist_ok": True}),
    ("files.create_folder", {"path": "a/b"}),
    ("files.create_file", {"path": "a/b/one.txt", "content": "one é\n", "create_parents": True}),
    ("files.create_file", {"path": "a/two.txt", "content": ""}),
    ("files.write", {"path": "a/two.txt", "content": "two\n"}),
    ("files.append", {"path": "a/two.txt", "content": "more\n"}),
    ("files.read", {"path": "a/two.txt"}),
    ("files.copy", {"path": "a/two.txt", "destination": "a/b"}),
    ("files.copy", {"path": "a/b", "destination": "c"}),
    ("files.list", {"path": "c"}),
    ("files.rename", {"path": "a/two.txt", "new_name": "three.txt"}),
    ("files.move", {"path": "a/three.txt", "destination": "c"}),
    ("files.delete_file", {"path": "c/one.txt"}),
    ("files.delete_folder", {"path": "a", "recursive": True}),
)


def worked(calls: Any, root: Path, *, dry_run: bool) -> str:
    """Store the calls as one job, let a worker do them, and return what it put into the receipts."""

    def below_root(args: Mapping[str, Any]) -> dict[str, Any]:
        return {name: f"{root}/{args[name]}" if name in ("path", "destination") else args[name] for name in args}

    steps = [
        Step(
            step_id=f"s{n}",
            skill=tool,
            params={"args": below_root(args), "expected_effect": tool},
            retry_count=0,
            depends_on=(f"s{n - 1}",) if n > 1 else (),
        )
        for n, (tool, args) in enumerate(calls, 1)
    ]
    handlers = goal_handlers(
        Workspace(root),
        opener=lambda app, url: f"opened {url} with {app}",
        launchable=("firefox", "notepad"),
        world=WorldState(running_apps={"notepad"}),
        dry_run=dry_run,
    )
    with ledger() as (_, store, open_again):
        job_id = store.post(
            "run",
            {},
            replace(
                diamond(
                    "files",
                ),
                steps=tuple(steps),
                budgets={},
            ),
        ).job_id
        report = Worker(open_again, handlers, WorkerOptions(worker_id="golden:1:worker")).run()
        said = [[receipt.outcome, receipt.body] for receipt in store.receipts(job_id)]
        return as_json([counted(report), *said]).replace(str(root), "ROOT")


def counted(report: WorkReport) -> dict[str, Any]:
    """What a worker counts of the steps it ran; other counts may come."""
    return {name: getattr(report, name) for name in ("committed", "failed", "retried", "lost", "missing_operations")}


def goal_tools(dry_run: bool) -> str:
    launches = ((LAUNCHER, {"app_name": "firefox", "url": "https://x.test"}), (LAUNCHER, {"app_name": "notepad"}))
    with tempfile.TemporaryDirectory() as folder:
        return worked((*CALLS, *launches), Path(folder).resolve(), dry_run=dry_run)


def copied_pipes() -> str:
    """A folder that cannot be copied says which of its entries is the first that stands in the way."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        (root / "a").mkdir()
        for name in ("z", "b", "m"):
            os.mkfifo(root / "a" / name)
        args = {"path": f"{root}/a", "destination": f"{root}/c"}
        try:
            Workspace(root).run("files.copy", args, "token")
        except PlanvowError as error:
            return as_json(error.as_dict()).replace(str(root), "ROOT")
        raise AssertionError("it was copied")


def unexpected() -> str:
    """A step that gives something else than the plan expects says which output is the first that differs."""
    read = {"op": "READ_SYMBOL", "refs": {"symbol_id": "@DOC/b"}, "expected_outputs": {"slice": "x", "lines": 99}}
    asked = {**REQUESTS["ordered"], "inputs": {"ops": [read]}}
    return carried_out(asked)


def operations() -> str:
    """A governed plan carried out, but for the tests, whose commands are not ours to run here."""
    asked = {**REQUESTS["feature"], "inputs": {**REQUESTS["feature"]["inputs"], "symbols": ["@DOC/b", "@CODE/f"]}}
    return carried_out(asked)


def carried_out(asked: dict[str, Any]) -> str:
    with ledger() as (_, store, open_again), repository("sqlite") as (root, data, _tree):
        with RequestPlanner(root, index_path("sqlite", data)) as planner:
            posted = post_request_and_plan("golden", asked, repo_root=root, store=store, planner=planner)
        shop = Workshop(root=root, data_folder=data)
        report = Worker(open_again, governed_handlers(shop), WorkerOptions(worker_id="golden:1:worker")).run()
        said = [[receipt.outcome, receipt.body, receipt.bytes_used] for receipt in store.receipts(posted.job_id)]
        return as_json([counted(report), *said])


CASES = (
    Case("work/goals", "receipts of goals", lambda: goal_tools(dry_run=False)),
    Case("work/goals-dry", "receipts of goals", lambda: goal_tools(dry_run=True)),
    Case("work/copied-pipes", "receipts of goals", copied_pipes),
    Case("work/unexpected", "receipts of governed plans", unexpected),
    Case("work/governed", "receipts of governed plans", operations),
)
