"""What is wrong with plans, manifests, runs and documents, in the order in which it is told; and what replays say."""

from __future__ import annotations

import json
import re
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from golden.corpus.case import ROOT, Case, as_json
from golden.corpus.command import printed
from golden.corpus.contract import MANIFEST, PLAN, performing, stub_plan
from golden.corpus.htn import example, without_source
from planvow import Domain, PlanvowError
from planvow.contract import StubPlanner, default_registry, keeps_contract, safe_plan, validate_plan
from planvow.contract.plan.manifest import read_manifest
from planvow.contract.plan.normalise import read_plan
from planvow.contract.replaying.recordings import Recording
from planvow.contract.replaying.replay import compare_runs, replay_plan, replay_run
from planvow.contract.running.run import run_plan
from planvow.contract.running.sandbox import plan_problems
from planvow.errors import all_errors
from planvow.hooks import hook
from planvow.kernel import solve

WRONG = {
    "steps": [
        {"step_id": "A", "skill": "http_call", "params": {"z": "{{nobody.x}}", "b": "{{ }}", "a": "{{d}}"},
         "zeal": 1, "aim": 2},
        {"step_id": "b", "skill": "json_transform", "params": {"n": -1, "m": "x", "k": None}, "depends_on": ["c", "x"]},
        {"step_id": "c", "skill": "nothing", "params": {"q": "{{b.y}}"}, "depends_on": ["b"], "retry_count": -1},
        {"step_id": "d", "skill": "echo", "params": {"b": "{{e}}", "a": "{{f}}"}},
    ],
    "zone": 1,
    "area": 2,
}  # fmt: skip
STRICT = [
    {"skill_id": "http_call"},
    {
        "skill_id": "json_transform",
        "input_schema": {
            "type": "object",
            "properties": {"n": {"type": "integer", "minimum": 0}, "m": {"type": "integer"}},
            "required": ["data", "also"],
            "additionalProperties": False,
        },
    },
    {"skill_id": "echo"},
]
UNSAFE = {
    "steps": [
        {
            "step_id": "a",
            "skill": "shell",
            "params": {"command": "rm -rf $(x); ls | y", "path": "/etc", "file": "../x"},
        },
    ]
}
FAULTY_MANIFESTS: tuple[Any, ...] = (
    [{"skill_id": "a", "zeal": 1, "aim": 2}],
    [{"skill_id": "a", "retry": {"often": 1, "base": 2}}],
    [{"skill_id": "a", "input_schema": {"$ref": "x", "pattern": "y", "format": "z", "if": {}, "contains": {}}}],
)


def problems() -> str:
    """Everything that validation finds, with and without a manifest."""
    graph = {"steps": [{**step, "step_id": step["step_id"].lower()} for step in WRONG["steps"]]}
    for step in graph["steps"]:
        step.pop("zeal", None)
        step.pop("aim", None)
    graph["steps"][1]["depends_on"] = ["c"]
    graph["steps"][2].pop("retry_count")
    return as_json(
        [
            validate_plan(WRONG, STRICT),
            validate_plan(graph),
            validate_plan(graph, STRICT),
            plan_problems(read_plan(UNSAFE)),
            *(refused(read_manifest, manifest) for manifest in FAULTY_MANIFESTS),
        ]
    )


def refused(read: Any, given: Any) -> Any:
    try:
        read(given)
    except PlanvowError as error:
        return error.as_dict()
    raise AssertionError(f"nothing was refused: {given}")


def replays() -> str:
    """A run and a plan done again: the same, and where they part."""
    record = run_plan(PLAN, performing, inputs={"url": "https://x.test"}, tool_manifest=MANIFEST)
    other = run_plan(PLAN, lambda call: {"x": 1}, inputs={"url": "https://x.test"}, tool_manifest=MANIFEST)
    asked = {"agent_id": "golden", "goal": "summarize it", "extra": {}}
    answer = {"plan": stub_plan()}
    kept = Recording(maker="stub", maker_version="1.0.0", request=asked, answer=answer)
    return as_json(
        [
            replay_run(record),
            replay_run(record, mode="dry_run"),
            replay_run(record, mode="full_replay", perform=lambda call: {"x": 1}),
            compare_runs(record, other),
            replay_plan(kept, StubPlanner()),
            replay_plan(kept, Structural()),
            replay_plan(replace(kept, answer={"plan": more_params()}), Structural()),
            compare_runs(record, replace(record, succeeded=not record.succeeded)),
            compare_runs(record, replace(record, steps=(replace(record.steps[0], cost_cents=99), *record.steps[1:]))),
            replay_run(
                replace(record, steps=(replace(record.steps[0], has_side_effects=True), *record.steps[1:])),
                mode="dry_run",
            ),
        ]
    )


def more_params() -> dict[str, Any]:
    plan = stub_plan()
    first = plan["steps"][0]
    return {**plan, "steps": [{**first, "params": {"zeal": 1, **first["params"], "aim": 2}}, *plan["steps"][1:]]}


class Raising(StubPlanner):
    """A planner with a mistake in it."""

    @keeps_contract
    def plan(self, inputs: Any) -> Any:
        raise ZeroDivisionError("a mistake")


class Structural(StubPlanner):
    """The stub, promising structure only."""

    def get_determinism_mode(self) -> str:
        return "structural"


def verified() -> str:
    """A certificate checked by the command, against the domain as well, and one that was tampered with."""
    certificate = solve(example("travel").problem).certificate().canonical_bytes()
    forged = json.loads(without_source(json.loads(certificate)))
    forged["steps"][0]["command"][1] = "mallory"
    with tempfile.TemporaryDirectory() as folder:
        good, bad = Path(folder) / "good.json", Path(folder) / "bad.json"
        good.write_bytes(certificate)
        bad.write_text(json.dumps(forged))
        said = printed("verify", good, "--domain", ROOT / "examples/travel.py", "--json")
        return (said + printed("verify", bad, "--json", code=1)).replace(folder, "FOLDER")


def faulty_domain() -> str:
    """What `check` says of a domain whose names clash and nearly clash."""
    domain = Domain("faulty")
    for name in ("deliver_box", "deliver_bux", "zeta", "alpha"):
        domain.command(_named(name))
    for name in ("zeta", "alpha"):
        domain.method(goal=name)(_named(f"by_{name}"))
    return as_json([[finding.code, finding.message] for finding in domain.check()])


def _named(name: str) -> Any:
    def function(state: Any, *arguments: Any) -> Any:
        return state

    function.__name__ = name
    return function


def clashing_plugins() -> str:
    """Two distributions that offer the same planner and the same hook: who is named first, and whose is taken."""
    with tempfile.TemporaryDirectory() as folder:
        for name, function in (("zeta", "json:loads"), ("alpha", "json:dumps")):
            info = Path(folder) / f"{name}-1.dist-info"
            info.mkdir()
            (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
            (info / "entry_points.txt").write_text(
                f"[planvow.planners]\nsame = {function}\n[planvow.hooks]\ngolden = {function}\n"
            )
        sys.path.insert(0, folder)
        try:
            taken = hook.__wrapped__("golden").__name__
            return as_json([taken, refused(lambda _: default_registry.__wrapped__(), None)])
        finally:
            sys.path.remove(folder)


def errors() -> str:
    """Errors that the contract's planners answer with, and the order in which errors are listed."""
    planners = default_registry()
    answers = [
        safe_plan(planners.create("htn"), agent_id="golden", goal="[[1]]"),
        safe_plan(planners.create("hddl"), agent_id="golden", goal="make tea"),
        safe_plan(planners.create("governed"), agent_id="golden", goal="make tea"),
        safe_plan(planners.create("stub"), agent_id="golden", goal="say", tool_manifest=[{"no": "id"}]),
    ]
    mistake = safe_plan(Raising(), agent_id="golden", goal="say").as_dict()
    mistake["details"]["raised_at"] = re.sub(r".*/|:\d+", "", mistake["details"]["raised_at"])
    known = [cls.__name__ for cls in all_errors() if cls.__name__ in LISTED]
    return as_json([*(answer.as_dict() for answer in answers), mistake, known])


LISTED = (
    "InputError",
    "RefusedError",
    "BudgetExceededError",
    "ContractViolation",
    "NotCanonicalError",
    "InvalidPlanError",
)

CASES = (
    Case("refusals/problems", "contract plan", problems),
    Case("refusals/replays", "run", replays),
    Case("refusals/verified", "certificate", verified),
    Case("refusals/faulty-domain", "explanation", faulty_domain),
    Case("refusals/clashing-plugins", "contract plan", clashing_plugins),
    Case("refusals/errors", "contract plan", errors),
)
