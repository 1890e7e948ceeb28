"""`planvow debate-facts`: make a fact store from checked facts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.output import print_result
from planvow.adapters.machine.files import read_text, replacing
from planvow.debate.analysis.facts import FactStore, read_facts
from planvow.debate.errors import FactStoreError
from planvow.errors import InputError

app = typer.Typer(rich_markup_mode=None)


@app.command()
def debate_facts(
    facts: Annotated[
        Path, typer.Argument(metavar="FACTS", help="JSON lines with claim, status and, optionally, source and score.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="The fact store to make.")],
) -> None:
    """Make an offline fact store for `planvow debate --facts`."""
    records = read_facts(read_text(facts))
    if output.exists():
        raise InputError("this file exists already", place=str(output), hint="choose another name or remove it")
    with replacing(output, parents=True) as draft:
        try:
            store = FactStore.create(draft, records)
        except FactStoreError as error:
            error.place = str(output) if error.place == str(draft) else error.place
            raise
        count = len(store)
        store.close()
    print_result(f"{count} facts in {output}")
