"""`planvow diff A B`: what differs between two plans, certificates or runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.lazy import examples
from planvow.adapters.cli.frame.output import print_json, print_result
from planvow.adapters.cli.options.ledger import AsJson, RepoRoot, StoreLocation, location
from planvow.adapters.cli.options.working_tree import HERE
from planvow.adapters.machine.files import parse_json, read_text
from planvow.errors import EXIT_REFUSED
from planvow.service.declare.document import data_of
from planvow.service.declare.setting import Setting
from planvow.service.operations.comparing import ADDED, DIFF, REMOVED, DiffAnswer, DiffQuestion

app = typer.Typer()
FILES = (".json", ".plan")  # what ends so is meant as a file, and no run is looked for
MARKS = {REMOVED: "-", ADDED: "+"}
Side = Annotated[str, typer.Argument(help="A file with a plan, an answer or a certificate; or the id of a run.")]


@app.command(
    epilog=examples(
        "planvow ask stub 'Say hello' --record first.json",
        "planvow diff first.json first.json",
    )
)
def diff(
    first: Side, second: Side, repo_root: RepoRoot = HERE, store: StoreLocation = None, as_json: AsJson = False
) -> None:
    """Say what differs, the first reason first, then step by step. Exit 0: nothing; 1: something."""
    asked = DiffQuestion(first=_given(first), second=_given(second))
    found: DiffAnswer = DIFF(asked, Setting(ledger=location(repo_root, store))).output
    if as_json:
        print_json(data_of(found))
    else:
        print_result(_text(found))
    if not found.same:
        raise typer.Exit(EXIT_REFUSED)


def _given(side: str) -> Any:
    """Return what a file holds; what is no file is the id of a run."""
    path = Path(side)
    if not path.is_file() and path.suffix not in FILES:
        return side
    text = read_text(path)
    return text if text.lstrip().startswith("==>") else parse_json(text, place=side)


def _text(found: DiffAnswer) -> str:
    if found.same:
        return f"the two {found.kind}s are alike"
    if not found.steps or found.reason is None:
        head, *rest = found.differences
        return "\n".join([f"First reason: {head}.", *(f"Then: {line}." for line in rest)])
    steps = [f"{MARKS.get(row.change, ' ')} {row.step}" for row in found.steps]
    return "\n".join([f"First reason: {found.reason}.", *steps])
