"""`planvow show`: anything planvow writes, as text for people."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.completion import among
from planvow.adapters.cli.frame.lazy import examples
from planvow.adapters.cli.frame.output import print_result
from planvow.adapters.cli.frame.paragraphs import folded
from planvow.adapters.cli.frame.table import terminal_width
from planvow.adapters.cli.ledger.show import shown_lines
from planvow.adapters.cli.options.ledger import RepoRoot, StoreLocation, location, looked_at
from planvow.adapters.cli.options.working_tree import HERE
from planvow.adapters.cli.viewing import plans, records
from planvow.adapters.machine.files import parse_json, read_text
from planvow.agent.record.jobs import run_ids
from planvow.agent.record.why import why_run
from planvow.cassette.proof import bundle
from planvow.contract.certificate.asked import REQUEST_FORMAT
from planvow.contract.checking import form as certificate_2
from planvow.contract.checking import form_1 as certificate_1
from planvow.contract.replaying import golden, recordings
from planvow.contract.running import run
from planvow.errors import InputError, PlanvowError
from planvow.hddl.verify import no_plan
from planvow.tools import tool

app = typer.Typer()

Text = Callable[[Mapping[str, Any], int | None], Iterator[str]]


class Kind(NamedTuple):
    """A kind of document: its name, how it is known, and its text."""

    name: str
    is_it: Callable[[Mapping[str, Any]], bool]
    text: Text


def _formats(*names: str) -> Callable[[Mapping[str, Any]], bool]:
    return lambda document: document.get("format") in names


def _has(*keys: str, **types: type) -> Callable[[Mapping[str, Any]], bool]:
    def is_it(document: Mapping[str, Any]) -> bool:
        wanted = all(key in document for key in keys)
        return wanted and all(isinstance(document.get(key), kind) for key, kind in types.items())

    return is_it


def _documents() -> list[str]:
    return sorted(str(path) for path in Path().iterdir() if path.suffix in (".json", ".plan"))


def _runs() -> list[str]:
    """Return the runs of the ledger that is here, for the shell; none where there is no ledger."""
    place = location(HERE, None)
    if not Path(place).exists():
        return []
    with looked_at(HERE, None) as ledger:
        return list(run_ids(ledger))


KINDS = (
    Kind("certificate", _formats(certificate_1.FORMAT, certificate_2.FORMAT), plans.certificate),
    Kind("request", _formats(REQUEST_FORMAT), plans.request),
    Kind("proof of no plan", _formats(no_plan.FORMAT), plans.no_plan),
    Kind("manifest of tools", _formats(tool.FORMAT), plans.tools),
    Kind("recording", _formats(recordings.FORMAT), records.recording),
    Kind("golden file", _formats(golden.FORMAT), records.golden),
    Kind("run", _formats(run.FORMAT), records.run),
    Kind("bundle", _formats(bundle.FORMAT, bundle.ARCHIVE_FORMAT), records.bundle),
    Kind("manifest of a batch", lambda held: str(held.get("format", "")).startswith("planvow-batch/"), records.batch),
    Kind("planner's report", _has("planner", "questions", findings=list), records.planner_report),
    Kind("debate result", _has("claims", meta=dict, stats=dict), records.debate),
    Kind("agent's run", _has("run_id", "plans", steps=list), records.agent_run),
    Kind("HDDL result", _has("domain", "problem", "plan_hash"), plans.hddl_result),
    Kind("plan", _has("status", plan=list), plans.result),
    Kind("goal plan", _has("status", "execution_order", actions=list), plans.goal_plan),
    Kind("planner's answer", _has(plan=dict), plans.contract_plan),
    Kind("plan of steps", _has(steps=list), plans.contract_plan),
    Kind("planner's error", _has(error=dict), plans.planner_error),
)


_ANSWER = re.compile(r'\{.*"id": ?".*"input_hash": ?"[0-9a-f]{64}".*"status": ?"\w+".*\}$', re.MULTILINE)
"""The first line of what a batch writes."""


@app.command(
    epilog=examples(
        "planvow plan examples/robot_tea.py --certificate tea.json && planvow show tea.json",
        "planvow debate examples/debate.txt --json | planvow show -",
    )
)
def show(
    what: Annotated[
        str,
        typer.Argument(
            metavar="FILE|FOLDER|RUN|JOB",
            help="A document, - for standard input, a batch's folder, or an id in the ledger.",
            autocompletion=among(lambda: [*_documents(), *_runs()]),
        ),
    ],
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
) -> None:
    """Show a plan, certificate, run, bundle, recording, golden file, batch or debate, or a run or job of the ledger.

    Nothing is executed. Certificates and bundles are checked on the way.
    """
    width = terminal_width()
    if what == "-" or Path(what).exists() or _looks_like_a_file(what):
        print_result("\n".join(document_text(_text_of(Path(what)), width, place=what)))
    else:
        print_result("\n".join(_of_ledger(what, repo_root, store, width)))


def _text_of(path: Path) -> str:
    if not path.is_dir():
        return read_text(path)
    from planvow.adapters.batch.folder import answers_in  # with the planners whose answers they are

    return answers_in(path)


def _looks_like_a_file(what: str) -> bool:
    return "." in what or "\\" in what or what.startswith("/")


def document_text(text: str, width: int | None, *, place: str) -> Iterator[str]:
    """Yield the lines that show a document, whatever kind it is."""
    if text.lstrip().startswith("==>"):
        yield from plans.hddl_text(text.lstrip(), width)
        return
    if _ANSWER.match(text):
        lines = enumerate(text.splitlines(), start=1)
        yield from records.answers([parse_json(line, place=place, line=number) for number, line in lines], width)
        return
    document = parse_json(text, place=place)
    kind = next((kind for kind in KINDS if isinstance(document, dict) and kind.is_it(document)), None)
    if kind is None:
        known = ", ".join(kind.name for kind in KINDS)
        raise InputError("this is no document of planvow that can be shown", place=place, hint=f"known are: {known}")
    try:
        title, *rest = kind.text(document, width)
        yield from _without_gaps([folded(title, width, hanging=2), *rest])
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        if isinstance(error, PlanvowError):
            raise
        raise InputError(
            f"this looks like a {kind.name} but is damaged: {type(error).__name__} {error}", place=place
        ) from None


def _without_gaps(lines: list[str]) -> Iterator[str]:
    """Yield lines, but never two empty ones in a row."""
    yield from (line for before, line in zip(["", *lines], lines, strict=False) if line or before)


def _of_ledger(what: str, repo_root: Path, store: str | None, width: int | None) -> Iterator[str]:
    place = location(repo_root, store)
    if "://" not in place and not Path(place).exists():
        raise InputError(
            "there is no such file, and no ledger here that could know it", place=what, hint="--store names a ledger"
        )
    with looked_at(repo_root, store) as ledger:
        told = why_run(ledger, what).splitlines() if what in run_ids(ledger) else list(shown_lines(ledger, what))
    yield from (folded(line.strip(), width, indent=len(line) - len(line.lstrip()), hanging=6) for line in told)
