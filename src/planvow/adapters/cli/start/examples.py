"""`planvow examples`: what comes with the package, listed and copied."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.completion import among
from planvow.adapters.cli.frame.guard import HELP_OPTIONS
from planvow.adapters.cli.frame.lazy import PlainGroup, examples
from planvow.adapters.cli.frame.output import note, print_json, print_result
from planvow.adapters.cli.frame.paragraphs import folded
from planvow.adapters.cli.frame.table import terminal_width
from planvow.adapters.machine.files import write_bytes
from planvow.errors import InputError, PlanvowError, did_you_mean

FOLDER = Path("examples")
_PACKAGE = Path(__file__).resolve().parents[3]
_ROW = re.compile(r"^\| \[([^\]]+)\]\([^)]*\) \| (.+?) \| (.+?) \|$", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")

app = typer.Typer(
    cls=PlainGroup,
    help="Examples that come with the package.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings=HELP_OPTIONS,
)


@dataclass(frozen=True, kw_only=True)
class Example:
    """One file or folder of the examples: what it shows and how it is run."""

    name: str
    shows: str
    run: str


def examples_folder() -> Path:
    """Return where the examples are: inside the installed package, or beside the sources of a checkout."""
    places = (_PACKAGE / "examples", _PACKAGE.parents[1] / "examples")
    found = next((place for place in places if (place / "README.md").is_file()), None)
    if found is None:
        raise PlanvowError("this installation has no examples", hint="install planvow again from its wheel")
    return found


def known_examples() -> dict[str, Example]:
    """Return the examples by name, as the table of their own page has them."""
    page = (examples_folder() / "README.md").read_text("utf-8")
    rows = (
        Example(name=name.rstrip("/"), shows=_LINK.sub(r"\1", shows), run=run)
        for name, shows, run in _ROW.findall(page)
    )
    return {row.name: row for row in rows}


@app.command("list", epilog=examples("planvow examples list"))
def list_examples(as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False) -> None:
    """List the examples: what each shows, and how it is run once it is copied."""
    found = known_examples()
    if as_json:
        print_json({"examples": [vars(example) for example in found.values()]})
        return
    width = terminal_width()
    for example in found.values():
        print_result(example.name)
        print_result(folded(example.shows, width, indent=2))
        for command in re.findall(r"`([^`]+)`", example.run):
            print_result(folded(f"$ {command}", width, indent=2, hanging=6))
    note("\nplanvow examples copy puts them into ./examples")


@app.command(epilog=examples("planvow examples copy", "planvow examples copy travel.py hddl"))
def copy(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME",
            help="Files or folders of the examples; without: all.",
            autocompletion=among(known_examples),
        ),
    ] = None,
    to: Annotated[Path, typer.Option(help="Folder to copy into.")] = FOLDER,
    force: Annotated[bool, typer.Option("--force", help="Write over files that were changed.")] = False,
) -> None:
    """Copy examples into a folder. A file that is there already and differs is not overwritten."""
    known, source = known_examples(), examples_folder()
    wanted = [_chosen(name, known) for name in names or known]
    files = [file for name in wanted for file in _files(source / name)]
    new = [file for file in files if not _is_there(file, source, to, force)]
    for file in new:
        write_bytes(to / file.relative_to(source), file.read_bytes(), parents=True)
    kept = f", {len(files) - len(new)} there already" if len(new) < len(files) else ""
    print_result(f"{to}: {len(new)} file{'' if len(new) == 1 else 's'} written{kept}")


def _chosen(name: str, known: dict[str, Example]) -> str:
    for spelt in (name.rstrip("/"), f"{name}.py", name.removeprefix(f"{FOLDER}/")):
        if spelt in known:
            return spelt
    raise InputError(
        f"there is no example {name!r:.80}", hint=did_you_mean(name, known) or "planvow examples list names them"
    )


def _files(place: Path) -> Iterator[Path]:
    if place.is_file():
        yield place
        return
    yield from (
        file
        for file in sorted(place.rglob("*"))
        if file.is_file() and not any(part.startswith((".", "__pycache__")) for part in file.relative_to(place).parts)
    )


def _is_there(file: Path, source: Path, to: Path, force: bool) -> bool:
    target = to / file.relative_to(source)
    if not target.exists():
        return False
    if target.is_file() and target.read_bytes() == file.read_bytes():
        return True
    if not force:
        raise InputError(
            "this is there already and differs",
            place=str(target),
            hint="--force writes over it; --to names another folder",
        )
    return False
