"""The options every `cortex` command shares, and how they become an open working tree."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from planvow.adapters.modules import load_module
from planvow.errors import InputError
from planvow.governed.config import GovernedConfig, load_config
from planvow.governed.intents import Intents
from planvow.governed.working_tree import WorkingTree, open_working_tree

RepoRoot = Annotated[Path, typer.Option("--repo-root", help="Repository root.")]
SubstrateKind = Annotated[str, typer.Option("--substrate", help="Where the index is kept: sqlite or jsonl.")]
DataFolder = Annotated[
    Path | None, typer.Option("--data", help="Data folder; default: the one planvow.toml names, else .planvow.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print exactly one JSON document.")]

IntentsFile = Annotated[
    Path | None,
    typer.Option("--intents", help="Python file with a planvow.governed.Intents; its code is run by this command."),
]

HERE = Path()
DEFAULT_KIND = "sqlite"


@dataclass(frozen=True, kw_only=True)
class Repository:
    """A repository root with its settings and data folder."""

    root: Path
    config: GovernedConfig
    data_folder: Path

    @contextmanager
    def tree(self, kind: str, *, writable: bool = False) -> Iterator[WorkingTree]:
        """Open the substrate below the data folder."""
        with open_working_tree(self.root, kind=kind, data_folder=self.data_folder, writable=writable) as tree:
            yield tree


def repository(root: Path, data: Path | None) -> Repository:
    """Read a repository's settings, or raise InputError when there is no such folder."""
    if not root.is_dir():
        raise InputError("there is no such folder", place=str(root))
    config = load_config(root)
    return Repository(root=root, config=config, data_folder=data or root / config.data_folder)


def load_intents(path: Path | None) -> Intents | None:
    """Return the intents a Python file declares: the one named `intents`, or the only one there is.

    Only a file named on the command line is run. Planning a repository never runs code the repository chose.
    """
    if path is None:
        return None
    found = vars(load_module(path))
    named = found.get("intents")
    if isinstance(named, Intents):
        return named
    others = [value for value in found.values() if isinstance(value, Intents)]
    if len(others) != 1:
        raise InputError(
            f"expected one planvow.governed.Intents, found {len(others)}", place=str(path), hint="name it `intents`"
        )
    return others[0]
