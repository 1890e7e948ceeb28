"""`planvow demo`: the tour, offline, through every part of planvow, in a scratch folder that is removed afterwards."""

from __future__ import annotations

import tempfile
from pathlib import Path

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.output import note, print_result

app = typer.Typer()


@app.command()
def demo() -> None:
    """Tour of everything planvow does, offline."""
    from planvow.adapters.demo.stages import STAGES

    with tempfile.TemporaryDirectory(prefix="planvow-demo-") as scratch:
        for number, (title, stage, command) in enumerate(STAGES, start=1):
            place = Path(scratch) / f"stage{number}"
            place.mkdir()
            print_result(f"\n{number}. {title}\n   {(stage.__doc__ or '').strip()}\n\n")
            for line in "\n".join(stage(place)).splitlines():
                print_result(f"   {line}" if line else "")
            print_result(f"   → {command}")
    note(
        "\nThat was planvow. The lines with an arrow are yours to try: planvow examples copy brings their files."
        "\nNext: planvow init my-planner makes a project of your own; planvow --help lists everything."
    )
