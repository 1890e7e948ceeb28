"""`planvow debate-matches`: the same claim in several debates, who said it when, and what is known of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.output import print_document, print_result
from planvow.adapters.cli.frame.paragraphs import counted
from planvow.adapters.machine.debate_store import FOLDER, kept
from planvow.adapters.machine.files import read_json
from planvow.debate.analysis.facts import FactStore
from planvow.debate.desk.matching import Group, matched
from planvow.debate.export.brief import clock
from planvow.errors import InputError

app = typer.Typer(rich_markup_mode=None)


@app.command()
def debate_matches(
    analyses: Annotated[
        list[Path] | None,
        typer.Argument(metavar="ANALYSIS", help="Analyses (JSON of planvow debate); without: those that were kept."),
    ] = None,
    root: Annotated[Path, typer.Option(help="Working root, where planvow debate --keep stores.")] = Path(),
    facts: Annotated[Path | None, typer.Option(help="Fact store to look the claims up in.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Find claims that were said more than once, nearly word for word and with the same numbers, and claims that are
    known."""
    documents = [_analysis(path) for path in analyses] if analyses else list(kept(root).values())
    if not documents:
        raise InputError("no analysis is kept here", place=str(root / FOLDER), hint="planvow debate TRANSCRIPT --keep")
    groups = matched(documents, FactStore.open(facts) if facts else None)
    if as_json:
        print_document(json.dumps({"groups": [asdict(group) for group in groups]}, ensure_ascii=False, indent=2))
    else:
        print_result("\n".join(_lines(groups, len(documents))))


def _analysis(path: Path) -> dict[str, object]:
    document = read_json(path)
    if not isinstance(document, dict) or not {"meta", "claims"} <= set(document):
        raise InputError(
            "not an analysis", place=str(path), hint="make one with planvow debate TRANSCRIPT -o FILE.json"
        )
    return document


def _lines(groups: Sequence[Group], debates: int) -> Iterator[str]:
    yield f"{counted(debates, 'debate')}, {counted(len(groups), 'claim')} said again or known"
    for group in groups:
        known = ": ".join([group.status.lower().replace("_", " "), *group.sources]) if group.status else ""
        yield ""
        yield f"{group.text}  [{known}]" if known else group.text
        for saying in group.sayings:
            when = f" at {clock(saying.start_ms)}" if saying.start_ms is not None else ""
            yield f"  {saying.debate}, {saying.speaker}{when}: {saying.text}"
