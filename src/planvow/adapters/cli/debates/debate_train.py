"""`planvow debate-train`: fit the weights of the debate application on labelled sentences of one's own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

from planvow.adapters.cli.debates.files import check_place
from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.output import note, print_document, print_result
from planvow.adapters.language.choice import load_parser
from planvow.adapters.machine.files import read_text, write_text
from planvow.debate.desk.decisions import FORMAT, read_review
from planvow.debate.desk.review import labels_of
from planvow.debate.errors import LabelsError, ReviewError
from planvow.debate.scoring.fit import LABELS, MIN_ROWS, fit, read_labels
from planvow.debate.scoring.model import shipped_table, table_to_json

app = typer.Typer(rich_markup_mode=None)


@app.command()
def debate_train(
    labels: Annotated[
        Path,
        typer.Argument(
            metavar="LABELS",
            help="JSON Lines: text and any of argument, role, factual, check_worthy; debate, speaker. Or a review.",
        ),
    ],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="File for the table; else stdout.")] = None,
    language: Annotated[str, typer.Option(help="Language back-end to fit for: auto, spacy or lite.")] = "auto",
) -> None:
    """Fit the debate weights on your own labels; use the table with `planvow debate --weights FILE`."""
    if output is not None:
        check_place(output)
    try:
        labelled = read_labels(_lines(read_text(labels)))
    except (LabelsError, ReviewError) as error:
        error.place = f"{labels}: {error.place}" if error.place else str(labels)
        raise
    parser = load_parser(language)
    table = fit(labelled, parser, shipped_table(parser.name))
    note(f"{len(labelled)} rows, models fitted: {', '.join(sorted(table.provenance['rows']))}")
    text = table_to_json(table)
    if output is None:
        print_document(text)
    else:
        write_text(output, text, parents=True)
        print_result(f"weights {table.version} for {table.parser} in {output}")


def _lines(text: str) -> list[str]:
    """The rows of a label file, or those that a review is worth: of each label only where it can teach."""
    if not text.lstrip().startswith("{") or f'"{FORMAT}"' not in text:
        return text.split("\n")
    rows = labels_of(read_review(text))
    for label in LABELS:
        answers = [row[label] for row in rows if label in row]
        if len(answers) < MIN_ROWS or len(set(answers)) < 2:
            for row in rows:
                row.pop(label, None)
    return [json.dumps(row) for row in rows if any(label in row for label in LABELS)]
