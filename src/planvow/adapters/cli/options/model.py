"""The options of commands that may ask a language model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from planvow.adapters.cli.frame import typer_later as typer

ModelName = Annotated[str | None, typer.Option("--model", help="For a planner behind a model: which model to ask.")]
BaseUrl = Annotated[
    str | None,
    typer.Option("--base-url", help="Where the model's service is; its key is PLANVOW_MODEL_KEY, if it asks for one."),
]
Prices = Annotated[Path | None, typer.Option("--prices", help="TOML table of what models cost, to report costs.")]
Recordings = Annotated[
    Path | None, typer.Option("--recordings", help="Folder of the model's answers: known questions are not asked.")
]
