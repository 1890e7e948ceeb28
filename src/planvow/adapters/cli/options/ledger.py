"""The options every `cassette` command shares: which ledger is meant."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.databases.opening import LOCATION_VARIABLE, open_ledger
from planvow.cassette.ledger.store import Store
from planvow.governed.compile.post import ledger_path

RepoRoot = Annotated[Path, typer.Option("--repo-root", help="Repository root.")]
StoreLocation = Annotated[
    str | None,
    typer.Option(
        "--store",
        envvar=LOCATION_VARIABLE,
        help="Ledger file or postgresql:// URL; default: cassette.db in the repository's data folder.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print exactly one JSON document.")]


def location(repo_root: Path, store: str | None, data: Path | None = None) -> str:
    """Return where the ledger is: what was given, else the repository's own."""
    return store if store is not None else str(ledger_path(repo_root, data))


def looked_at(repo_root: Path, store: str | None, data: Path | None = None) -> Store:
    """Open a ledger that must exist, to look at: also where nothing can be written."""
    return open_ledger(location(repo_root, store, data), must_exist=True, looking=True)


def opened(repo_root: Path, store: str | None, data: Path | None = None) -> Store:
    """Open a ledger that must exist."""
    return open_ledger(location(repo_root, store, data), must_exist=True)
