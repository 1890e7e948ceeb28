"""The options every `cortex` command shares, and how they become an open working tree."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, get_type_hints

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.machine.modules import load_module
from planvow.errors import InputError
from planvow.governed.compile.intents import Intents
from planvow.governed.sections.config import GovernedConfig, load_config
from planvow.governed.substrate.working_tree import WorkingTree, open_working_tree

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

NAMED = "A section: its id, FILE, or FILE#HEADING (a.py#Class.method)."
HERE = Path()
DEFAULT_KIND = "sqlite"


@dataclass(frozen=True, kw_only=True)
class Repository:
    """A repository root with its settings, its data folder and the kind of its substrate."""

    root: Path
    config: GovernedConfig
    data_folder: Path
    kind: str = DEFAULT_KIND

    @contextmanager
    def tree(self, *, writable: bool = False) -> Iterator[WorkingTree]:
        """Open the substrate below the data folder."""
        with open_working_tree(self.root, kind=self.kind, data_folder=self.data_folder, writable=writable) as tree:
            yield tree


def repository(root: Path, data: Path | None, kind: str = DEFAULT_KIND) -> Repository:
    """Read a repository's settings, or raise InputError when there is no such folder."""
    if not root.is_dir():
        raise InputError("there is no such folder", place=str(root))
    config = load_config(root)
    return Repository(root=root, config=config, data_folder=data or config.data_in(root), kind=kind)


_WHERE = {"repo_root": (RepoRoot, HERE), "substrate": (SubstrateKind, DEFAULT_KIND), "data": (DataFolder, None)}


def in_repository(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that say where it works; it gets them as its first argument, a `Repository`."""
    own = list(inspect.signature(command).parameters.values())[1:]
    hints = get_type_hints(command, include_extras=True)
    keyword = inspect.Parameter.KEYWORD_ONLY
    shared = [
        inspect.Parameter(name, keyword, default=default, annotation=kind) for name, (kind, default) in _WHERE.items()
    ]

    @functools.wraps(command)
    def with_place(*, repo_root: Path, substrate: str, data: Path | None, **words: Any) -> None:
        command(repository(repo_root, data, substrate), **words)

    parameters = [*(each.replace(kind=keyword, annotation=hints[each.name]) for each in own), *shared]
    with_place.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    with_place.__annotations__ = {each.name: each.annotation for each in parameters}
    return with_place


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
