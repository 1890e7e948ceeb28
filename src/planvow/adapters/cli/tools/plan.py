"""`planvow tools plan CONDITIONS`: the fewest calls of your own tools after which something is so."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.output import note, print_json, print_result
from planvow.adapters.cli.options.ledger import RepoRoot, StoreLocation, location
from planvow.adapters.cli.options.tool_policy import DEFAULT, found_list, is_review, read_list, review_data
from planvow.adapters.cli.options.working_tree import HERE
from planvow.adapters.cli.tools.ledger import RUN_ID, post_plan, recall_into
from planvow.adapters.machine.files import read_json, write_bytes
from planvow.adapters.tool_servers.policy_files import manifest_of, read_policy
from planvow.canonical import canonical_bytes, canonical_json
from planvow.contract.interface.interface import PlannerOutput
from planvow.errors import InputError
from planvow.service.declare.setting import Setting
from planvow.service.operations.goals import PLAN_GOAL, GoalQuestion
from planvow.tools.words import value_of


def plan(
    conditions: Annotated[
        list[str] | None, typer.Argument(metavar="CONDITION", help="What shall be so: key, key=value or !key.")
    ] = None,
    tools: Annotated[
        Path | None, typer.Option(help=f"The review (.toml), its manifest, or a list of any shape.  {DEFAULT}")
    ] = None,
    review: Annotated[Path | None, typer.Option(help="What a person says of the tools, as TOML.")] = None,
    given: Annotated[list[str] | None, typer.Option(help="A value that calls may use: kind=value.")] = None,
    want: Annotated[list[str] | None, typer.Option(help="A kind of which a value is wanted.")] = None,
    facts: Annotated[Path | None, typer.Option(help="What the world shows, as JSON: key → value.")] = None,
    use_proposed: Annotated[
        bool, typer.Option("--use-proposed", help="Also rest on what nobody has confirmed; the plan says on what.")
    ] = False,
    max_calls: Annotated[int, typer.Option(min=1, help="The longest plan that is looked for.")] = 100,
    max_steps: Annotated[int, typer.Option(min=1, help="How long the search may be.")] = 10_000_000,
    depth: Annotated[int, typer.Option(min=1, help="How many calls may hand values on, one to the next.")] = 6,
    certificate: Annotated[Path | None, typer.Option(help="Write the plan's certificate to this file.")] = None,
    post: Annotated[bool, typer.Option("--post", help="Store the plan for workers; --tools is a review.")] = False,
    remember: Annotated[
        int | None, typer.Option(min=1, metavar="SECONDS", help="Use what steps of the last so many seconds brought.")
    ] = None,
    run_id: Annotated[str, typer.Option(help="With --post: the run that the plan belongs to.")] = RUN_ID,
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Plan the fewest tool calls after which the conditions hold. Exit code 0: a plan; 1: none, and why."""
    if not conditions and not want:
        raise InputError("nothing is wanted", hint="planvow tools plan order.status=paid, or --want invoice_url")
    tools = found_list(tools, review)
    if post and not is_review(tools):
        raise InputError("--post needs to know who runs the tools", place="--tools", hint="--tools tools.toml")
    ledger = location(repo_root, store)
    given_values = _pairs(given or ())
    seen = None if facts is None else read_json(facts)
    if remember is not None:
        seen, given_values = recall_into(seen or {}, given_values, read_list(tools, review), ledger, remember)
    asked = GoalQuestion(
        conditions=conditions,
        wants=want,
        given=given_values,
        tools=read_json(manifest_of(tools) if is_review(tools) else tools),
        review=review_data(tools if is_review(tools) else review),
        facts=seen,
        use_proposed=use_proposed,
        max_calls=max_calls,
        max_steps=max_steps,
        depth=depth,
    )
    made = PLAN_GOAL(asked, Setting())
    _, inputs, answer = made.whole
    if certificate is not None:
        document = made.documents["certificate", made.output.plan_hash]()
        write_bytes(certificate, canonical_bytes(document) + b"\n")
        note(f"wrote {certificate}")
    posted, starts = None, ""
    if post and answer.plan["steps"]:
        policy = read_policy(tools)
        posted = post_plan(answer, json.loads(inputs.goal), policy, ledger, run_id)
        starts = " --allow-command" if any(server.command for server in policy.servers.values()) else ""
    if as_json:
        stored = {} if posted is None else {"job_id": posted.job_id}
        print_json({**answer.as_dict(), **stored, "request": inputs.as_dict()})
        return
    _show(answer)
    if posted is not None:
        print_result(f"stored as job {posted.job_id}: planvow cassette work --tools {tools}{starts} runs it")


def _pairs(texts: Iterable[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for kind, value in map(_pair, texts):
        if kind in found:
            raise InputError(f"{kind!r:.60} is given twice", place="--given", hint="calls use one value of each kind")
        found[kind] = value
    return found


def _pair(text: str) -> tuple[str, Any]:
    kind, equals, _ = text.partition("=")
    if not kind or not equals:
        raise InputError(f"{text!r:.60} is no kind=value", place="--given", hint="such as --given customer=ann")
    return kind, value_of(text)


def _show(answer: PlannerOutput) -> None:
    told = answer.metadata
    if not answer.plan["steps"]:
        print_result("nothing to do: it is so already")
    for step in answer.plan["steps"]:
        after = f"  after {', '.join(step['depends_on'])}" if step["depends_on"] else ""
        print_result(f"{step['step_id']:4} {step['skill']} {canonical_json(step['params'])}{after}")
        print_result(f"       {told['why'][step['step_id']]}")
    print_result(str(told["proof"]).replace("_", " ") + (f", cost {told['cost']}" if told["cost"] else ""))
    for guess in told["rests_on"]:
        note(f"it rests on a proposal that nobody has confirmed: {guess}")
