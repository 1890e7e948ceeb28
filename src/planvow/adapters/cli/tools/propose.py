"""`planvow propose`: what a model suggests, checked, for a person to decide: tool statements, an agenda, a method."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, TypeVar

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.guard import HELP_OPTIONS
from planvow.adapters.cli.frame.lazy import PlainGroup, examples
from planvow.adapters.cli.frame.output import keep_stdout_for_results, note, print_document, print_json, print_result
from planvow.adapters.cli.options.model import BaseUrl, ModelName, Recordings
from planvow.adapters.cli.options.tool_policy import read_list
from planvow.adapters.machine.files import write_text
from planvow.adapters.machine.modules import load_module
from planvow.adapters.models.planners import Service, make_planner
from planvow.adapters.models.questions import agenda_question, method_question, tools_question
from planvow.canonical import canonical_json
from planvow.contract.errors import PlannerInvalidPlanError
from planvow.contract.planners.conversation import Question
from planvow.contract.planners.llm import ModelPlanner
from planvow.errors import InputError, did_you_mean
from planvow.kernel.domain.domain import Domain
from planvow.kernel.search.problem import Problem
from planvow.kernel.world.facts import facts_of
from planvow.tools.review import write_review

app = typer.Typer(
    cls=PlainGroup,
    help="What a model suggests, checked, for a person to decide. Nothing of it is run.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings=HELP_OPTIONS,
)
Value = TypeVar("Value")
_TOLD_FACTS = 2_000
By = Annotated[str, typer.Option("--by", help="Through which planner the model is asked: claude, openai or chat.")]
Module = Annotated[Path, typer.Argument(metavar="MODULE.py", help="A Python file with a domain. It is executed.")]
_ELSEWHERE = "--by chat --model qwen3 --base-url http://127.0.0.1:11434/v1"


@app.command("tools", epilog=examples(f"planvow propose tools examples/tools/shop.json {_ELSEWHERE}"))
def propose_tools(
    manifest: Annotated[Path, typer.Argument(metavar="MANIFEST", help="A tool list, as `tools import` takes it.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The file to review.")] = Path("tools.toml"),
    by: By = "claude",
    model: ModelName = None,
    base_url: BaseUrl = None,
    recordings: Recordings = None,
) -> None:
    """Ask what each tool needs and brings about; write a review file in which nothing is confirmed."""
    keep_stdout_for_results()
    if output.exists():
        raise InputError("this file is somebody's work and stays as it is", place=str(output), hint="name another: -o")
    service = Service(model=model, base_url=base_url, recordings=recordings)
    tools = _asked(by, service, tools_question(read_list(manifest, None)))
    write_text(output, write_review(tools))
    waiting = sum(bool(tool.proposed) for tool in tools)
    print_result(f"{waiting} of {len(tools)} tools have proposals for you to confirm: {output}")


@app.command("agenda", epilog=examples(f"planvow propose agenda examples/travel.py 'ann to the park' {_ELSEWHERE}"))
def propose_agenda(
    module: Module,
    words: Annotated[str, typer.Argument(metavar="WORDS", help="What is wanted.")],
    by: By = "claude",
    model: ModelName = None,
    base_url: BaseUrl = None,
    recordings: Recordings = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Ask which tasks of a domain are wanted. Names and numbers of arguments are checked; nothing is planned."""
    keep_stdout_for_results()
    domain, problem = _loaded(module)
    facts = None if problem is None else _facts(problem)
    service = Service(model=model, base_url=base_url, recordings=recordings)
    agenda = _asked(by, service, agenda_question(domain, words, facts))
    if as_json:
        print_json([list(item) for item in agenda])
        return
    print_document("".join(f"{canonical_json(list(item))}\n" for item in agenda))


@app.command("method", epilog=examples(f"planvow propose method examples/travel.py travel 'by bicycle' {_ELSEWHERE}"))
def propose_method(
    module: Module,
    task: Annotated[str, typer.Argument(metavar="TASK", help="The task that gets another method.")],
    words: Annotated[str, typer.Argument(metavar="WORDS", help="How it is to be done.")],
    by: By = "claude",
    model: ModelName = None,
    base_url: BaseUrl = None,
    recordings: Recordings = None,
) -> None:
    """Ask for a method and print it as text. It is read and checked, never executed: you decide what becomes of it."""
    keep_stdout_for_results()
    domain, _ = _loaded(module)
    if task not in domain.task_methods:
        hint = did_you_mean(task, domain.task_methods) or f"there are {', '.join(sorted(domain.task_methods))}"
        raise InputError(f"the domain {domain.name!r} has no task {task!r:.60}", place="TASK", hint=hint)
    service = Service(model=model, base_url=base_url, recordings=recordings)
    source = _asked(by, service, method_question(domain, task, words))
    print_result(f"# Proposed by a model. Read it; put it into {module} if it is right; then: planvow check {module}")
    print_document(source.rstrip())


def _asked(planner_id: str, service: Service, question: Question[Value]) -> Value:
    planner, _ = make_planner(planner_id, service)
    if not isinstance(planner, ModelPlanner):
        raise InputError(f"the planner {planner_id!r:.60} asks no model", place="--by", hint="claude, openai or chat")
    bill = planner.bill()
    value, problems = planner.correspondent.ask(question, bill)
    note(f"{bill.input_tokens} tokens in, {bill.output_tokens} out, in {bill.attempts} attempts")
    if problems:
        first = problems[0]
        raise PlannerInvalidPlanError(
            f"the model's answer cannot be used, even after a repair: {first.message}", place=first.path
        )
    return value


def _facts(problem: Problem) -> list[Any]:
    """Return what the state holds, as far as a model is told it."""
    facts = facts_of(problem.state.snapshot())
    return [facts.triple(place) for place in range(min(len(facts), _TOLD_FACTS))]


def _loaded(path: Path) -> tuple[Domain, Problem | None]:
    """Return the domain of a module, and its problem if there is one."""
    values = [*vars(load_module(path)).values()]
    problem = next((value for value in values if isinstance(value, Problem)), None)
    domain = problem.domain if problem else next((value for value in values if isinstance(value, Domain)), None)
    if domain is None:
        raise InputError("there is no planvow.Domain in this file", place=str(path))
    return domain, problem
