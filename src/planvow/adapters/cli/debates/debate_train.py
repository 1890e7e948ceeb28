"""`planvow debate-train`: fit the weights of the debate application on labelled sentences of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from planvow.adapters.cli.debates.files import check_place
from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.output import note, print_result
from planvow.adapters.language.choice import load_parser
from planvow.adapters.machine.files import read_text, write_text
from planvow.debate.errors import LabelsError
from planvow.debate.scoring.fit import fit, read_labels
from planvow.debate.scoring.model import shipped_table, table_to_json

app = typer.Typer(rich_markup_mode=None)


@app.command()
def debate_train(
    labels: Annotated[
        Path,
        typer.Argument(
            metavar="LABELS", help="JSON Lines: text and any of argument, role, factual, check_worthy; debate, speaker."
        ),
    ],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="File for the table; else stdout.")] = None,
    language: Annotated[str, typer.Option(help="Language back-end to fit for: auto, spacy or lite.")] = "auto",
) -> None:
    """Fit the debate weights on your own labels; use the table with `planvow debate --weights FILE`."""
    if output is not None:
        check_place(output)
    try:
        labelled = read_labels(read_text(labels).split("\n"))
    except LabelsError as error:
        error.place = f"{labels}: {error.place}"
        raise
    parser = load_parser(language)
    table = fit(labelled, parser, shipped_table(parser.name))
    note(f"{len(labelled)} rows, models fitted: {', '.join(sorted(table.provenance['rows']))}")
    text = table_to_json(table)
    if output is None:
        print_result(text)
    else:
        write_text(output, text, parents=True)
        print_result(f"weights {table.version} for {table.parser} in {output}")
