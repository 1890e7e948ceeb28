"""The stages of the tour. Each runs one part for real and says what it shows; a stage that goes wrong raises."""

from __future__ import annotations

import copy
import json
import shutil
import sqlite3
from functools import partial
from pathlib import Path
from typing import Any

from planvow.adapters.demo import tea
from planvow.cassette.databases.sqlite import SqliteStore
from planvow.cassette.jobs.htn_jobs import post_htn_plan, repair_job
from planvow.cassette.jobs.replan import progress
from planvow.cassette.proof.verify import verify_ledger
from planvow.cassette.work.values import StepContext, WorkerOptions
from planvow.cassette.work.worker import Worker
from planvow.contract.certificate.build import verify
from planvow.contract.certificate.faithful import check_against_problem
from planvow.contract.checking.check import certificate_hash, inputs_hash
from planvow.errors import PlanvowError
from planvow.kernel.answer.planning import solve
from planvow.kernel.answer.result import Result
from planvow.kernel.answer.timeline import timeline_text
from planvow.kernel.domain.domain import Refusal
from planvow.kernel.domain.terms import item_text
from planvow.kernel.search.problem import Problem
from planvow.kernel.world.state import State

Lines = list[str]


def planning(place: Path) -> Lines:
    """A goal becomes a plan, with its derivation, its reasons and its times."""
    result = solve(tea.problem())
    return [
        result.to_text(),
        result.explain_text(),
        "",
        timeline_text(result.time_allocations, width=30).rstrip(),
        "(█ planned, · how late it may end)",
    ]


def proving(place: Path) -> Lines:
    """The plan's certificate is checked by code that shares nothing with the planner; a forgery is caught."""
    asked = tea.problem(deadline="PT10M")
    document = json.loads(solve(asked).certificate().canonical_bytes())
    lines = [f"certificate {document['hash'][:16]}: {_verdict(document)}"]
    coffee = copy.deepcopy(document)
    coffee["steps"][0]["writes"] = [["holds", "cup", "coffee"]]
    lines.append(f"tea became coffee, hash left alone:  {_verdict(coffee)}")
    coffee["hash"] = certificate_hash(coffee)
    lines.append(f"the same, hash made to fit:          {_verdict(coffee)}")
    if shutil.which("minizinc"):
        try:
            from planvow.adapters.checkers.minizinc import check_with_minizinc

            lines.append(f"MiniZinc on the forgery:             {_shown(check_with_minizinc(coffee))}")
        except PlanvowError as error:
            lines.append(f"MiniZinc on the forgery:             not asked, {error.hint or error.message}")
    return [*lines, *_forged_deadline(document, asked)]


def _forged_deadline(document: Any, asked: Problem) -> Lines:
    """Give the tea two hours instead of ten minutes, everywhere and with fresh hashes: nobody else can tell."""
    two_hours = 2 * 3600 * 1_000_000
    for row in (document["asked"]["agenda"][0], document["nodes"][0]):
        row["told"]["deadline"] = two_hours
    document["inputs_hash"] = inputs_hash(document)
    document["hash"] = certificate_hash(document)
    alone, held = verify(document), check_against_problem(document, asked)
    return [
        f"deadline forged, all hashes fit:     {alone.level}: {_shown(alone)}; not proved: {alone.not_proved[0][:27]}",
        f"held against what was asked:         {held.level}: {_shown(held)}",
    ]


def _verdict(document: Any) -> str:
    return _shown(verify(document))


def _shown(verdict: Any) -> str:
    return "accepted" if verdict.accepted else f"rejected, {verdict.fault}"


def acting(place: Path) -> Lines:
    """Workers run the plan from the ledger; a door is locked; the plan is repaired from the middle, nothing redone."""
    believed = solve(tea.problem())
    ledger = place / "cassette.db"
    facts = tea.world(front_door_open=False).draft()
    with SqliteStore(ledger) as store:
        first = post_htn_plan(store, "demo", believed, request_id="tea", payload={"wish": "tea"})
    _work(ledger, facts)
    with SqliteStore(ledger) as store:
        stopped = progress(store, first.job_id)
        failed = believed.plan[(stopped.failed or 1) - 1]
        lines = [f"planned on belief:  {_steps(believed)}"]
        lines += [f"stopped at {item_text(failed)}: {(stopped.error or {}).get('message', '')}"]
        second, repaired = repair_job(store, first.job_id, believed, facts)
    _work(ledger, facts)
    with SqliteStore(ledger) as store:
        verdict = verify_ledger(store)
        jobs = [f"{store.job(job).state} ({store.job(job).committed} done)" for job in (first.job_id, second.job_id)]
    lines += [f"repaired plan:      {_steps(repaired)}", f"grandmother has:    {facts.served['grandmother']}"]
    lines += [f"ledger: old job {jobs[0]}, new job {jobs[1]}; chains and hashes {'hold' if verdict else 'BROKEN'}"]
    return [*lines, f"a receipt edited by hand: {_tampered(ledger)}"]


def _steps(result: Result) -> str:
    return ", ".join(item_text(step) for step in result.plan)


def _work(ledger: Path, facts: State) -> None:
    def run(step: StepContext) -> Any:
        answer = tea.tea.commands[step.claim.op].model(facts, **step.payload)
        if isinstance(answer, Refusal):
            raise ValueError(answer.reason)
        return {"done": step.claim.op}

    Worker(partial(SqliteStore, ledger), dict.fromkeys(tea.tea.commands, run), WorkerOptions(run_id="demo")).run()


def _tampered(ledger: Path) -> str:
    """Vandalise a copy of the ledger the way someone with the file could, and let it be verified."""
    copy = ledger.with_name("vandalised.db")
    shutil.copy(ledger, copy)
    raw = sqlite3.connect(copy)
    triggers = [name for (name,) in raw.execute("select name from sqlite_master where type = 'trigger'")]
    for name in triggers:
        raw.execute(f'drop trigger "{name}"')
    raw.execute("update cassette_receipts set worker_id = 'somebody-else'")
    raw.commit()
    raw.close()
    try:
        with SqliteStore(copy) as store:
            verdict = verify_ledger(store)
    except PlanvowError as error:
        return f"refused, {error.message}"
    return "not noticed!" if verdict.accepted else f"caught, {verdict.reason}"


def governed(place: Path) -> Lines:
    """A request becomes hashed, budgeted steps before anything runs; workers do them; over budget there is no plan."""
    from planvow.governed import RequestPlanner, post_request_and_plan
    from planvow.governed.compile.post import ledger_path
    from planvow.governed.run.operations import governed_handlers
    from planvow.governed.run.workshop import Workshop
    from planvow.governed.substrate.index import build_index
    from planvow.governed.substrate.working_tree import open_working_tree

    repo = place / "repo"
    data = repo / ".planvow"
    data.mkdir(parents=True)
    (repo / "README.md").write_text("# Tea\n\nBrew for four minutes.\n", encoding="utf-8")
    with open_working_tree(repo, data_folder=data, writable=True) as tree:
        build_index(repo, tree.sections)
    writes = {"op": "WRITE_FILE", "refs": {"file_path": "REVIEW.md", "content": "Five minutes is better.\n"}}
    request: dict[str, Any] = {
        "run_id": "demo",
        "request_id": "r1",
        "intent": "review",
        "inputs": {"files": ["README.md"], "notes": ["look at the brewing time"], "ops": [writes]},
        "budgets": {"max_steps": 5, "max_bytes": 1000},
    }
    posted = post_request_and_plan("demo", request, repo_root=repo)
    ledger = ledger_path(repo)
    handlers = governed_handlers(Workshop(root=repo, data_folder=data))
    Worker(partial(SqliteStore, ledger), handlers, WorkerOptions(run_id="demo")).run()
    with SqliteStore(ledger) as store:
        lines = [f"{s.ordinal}. {s.op:12} {s.step_id}  {s.status.value}" for s in store.steps(posted.job_id)]
        lines.append(
            f"plan_hash {posted.plan_hash[:16]}; chains and hashes {'hold' if verify_ledger(store) else 'BROKEN'}"
        )
    try:
        RequestPlanner(repo).plan_request(
            {**request, "budgets": {"max_steps": 1}}, repo_root=str(repo), substrate="sqlite"
        )
    except PlanvowError as error:
        lines.append(f"with max_steps 1: {error.code} {error.message}")
    return [*lines, f"a receipt edited by hand: {_tampered(ledger)}"]


def goals(place: Path) -> Lines:
    """A sentence becomes the fewest tool calls, or doubt."""
    from planvow.goals import GoalInterpreter, GoalOrchestrator, ToolRegistry, WorldState

    lines = []
    for sentence in ("open youtube and search nvidia", "delete everything"):
        found = GoalInterpreter().interpret(sentence)
        if found.meta_goal is None:
            lines.append(f"{sentence!r}: {found.status.replace('_', ' ')}, {found.reason}")
            continue
        result = GoalOrchestrator().plan(found.meta_goal, WorldState(), ToolRegistry.default().index())
        calls = [f"{a.tool}({a.args.get('url', '')})" for a in (result.graph.nodes if result.graph else ())]
        lines.append(f"{sentence!r}: {len(calls)} call: {', '.join(calls)}")
    return lines


def hddl(place: Path) -> Lines:
    """The field's language: read, solved, and verified by an independent verifier."""
    from planvow.hddl import format_plan, parse_domain, parse_problem, verify_plan
    from planvow.hddl.solve.entry import solve as solve_hddl

    domain = parse_domain(tea.HDDL_DOMAIN, file="errands.hddl")
    problem = parse_problem(tea.HDDL_PROBLEM, domain, file="to-the-sea.hddl")
    plan = solve_hddl(domain, problem).plan
    if plan is None:
        raise PlanvowError("the demo's HDDL problem was not solved")
    verdict = verify_plan(problem, plan)
    return [*format_plan(plan).splitlines(), f"verifier: {'the plan is right' if verdict else verdict.reason}"]


def debate(place: Path) -> Lines:
    """A debate becomes single claims with the very words, who said them, and where they go next."""
    from planvow.adapters.language.choice import load_language
    from planvow.debate.analysis.pipeline import analyse
    from planvow.debate.readers.read import read_transcript

    transcript = read_transcript(tea.DEBATE.encode(), name="tram.txt")
    result = analyse(transcript, load_language("lite"))
    claims = [
        f"{claim.speaker:5} {claim.claim_type.value:13} → {claim.route.value:18} {claim.text!r}"
        for claim in result.claims
    ]
    return [
        *claims,
        f"(read by the back-end {result.language}; pip install 'planvow[debate]' brings one that reads better)",
    ]


STAGES = (
    ("Plan, explain, time", planning, "planvow plan examples/robot_tea.py --tree --timeline"),
    (
        "Prove it to somebody else",
        proving,
        "planvow plan examples/robot_tea.py --certificate tea.json && planvow verify tea.json",
    ),
    ("Act, fail, repair", acting, "planvow agent run examples/bring_lamp.py --run-id lamp"),
    ("Govern a request", governed, "planvow cortex sections build --repo-root examples/governed"),
    ("Fewest tool calls for a wish", goals, "planvow goal 'open youtube and search nvidia'"),
    ("The field's language", hddl, "planvow plan examples/hddl/tea-domain.hddl examples/hddl/tea-problem.hddl"),
    ("Take a debate apart", debate, "planvow debate examples/debate.txt --top 3"),
)
