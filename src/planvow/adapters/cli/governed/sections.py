"""`cortex sections`: build, verify, get, list, extract."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.lazy import PlainGroup
from planvow.adapters.cli.frame.output import note, print_exactly, print_json, print_result
from planvow.adapters.cli.frame.progress import progress_bar
from planvow.adapters.cli.options.working_tree import HERE, NAMED, AsJson, RepoRoot, Repository, in_repository
from planvow.adapters.machine.system_clock import SystemClock
from planvow.errors import EXIT_REFUSED
from planvow.governed.errors import UnreadableFileError
from planvow.governed.sections.config import load_config
from planvow.governed.sections.readers import readers_named
from planvow.governed.sections.sections import Section, extract_sections
from planvow.governed.sections.text import normalised
from planvow.governed.substrate.index import build_index, check_index

app = typer.Typer(cls=PlainGroup, help="The addressable pieces of a repository.", no_args_is_help=True)


@app.command()
@in_repository
def build(
    place: Repository,
    incremental: Annotated[bool, typer.Option("--incremental", help="Look only at files that changed.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Fail at a file that cannot be indexed.")] = False,
    as_json: AsJson = False,
) -> None:
    """Index every file of the repository and list those that cannot be; symbols stay as they are."""
    bar = progress_bar("reading", "files")
    with place.tree(writable=True) as tree, bar as progress:
        report = build_index(
            place.root,
            tree.sections,
            config=place.config,
            incremental=incremental,
            strict=strict,
            clock=SystemClock(),
            progress=progress,
        )
    for file_path, reason in report.skipped:
        note(f"skipped {file_path}: {reason}")
    if as_json:
        print_json(report)
        return
    note(
        f"{report.section_count} sections of {report.file_count} files "
        f"({report.extracted} extracted, {report.kept} kept, {report.removed} removed)"
    )
    note("read by " + ", ".join(f"{reader}: {count}" for reader, count in report.readers.items()))
    print_result(report.index_hash)


@app.command()
@in_repository
def verify(
    place: Repository,
    as_json: AsJson = False,
) -> None:
    """Extract everything twice and compare with the stored index. Exit 0 if equal, 1 if not."""
    with place.tree() as tree:
        check = check_index(place.root, tree.sections, config=place.config)
    if as_json:
        print_json({"holds": check.holds, "stored": check.stored_hash, "rebuilt": check.rebuilt_hash,
                    "changed_files": check.changed_files})  # fmt: skip
    elif check.holds:
        print_result(f"the index holds: {check.stored_hash}")
    else:
        print_result(f"the index does not hold: stored {check.stored_hash}, rebuilt {check.rebuilt_hash}")
        for file_path in check.changed_files:
            note(f"  differs: {file_path}")
        note("  hint: planvow cortex sections build --incremental")
    if not check.holds:
        raise typer.Exit(EXIT_REFUSED)


@app.command()
@in_repository
def get(
    place: Repository,
    written: Annotated[str, typer.Argument(metavar="SECTION", help=NAMED)],
    slice_text: Annotated[str | None, typer.Option("--slice", help="lines[a:b], chars[a:b], head(n), tail(n).")] = None,
    as_json: AsJson = False,
) -> None:
    """Print a section's text, or a slice of it."""
    with place.tree() as tree:
        section = tree.meant(written)
        piece = tree.expand(section, slice_text)
    if as_json:
        print_json({"section": section, "result": piece})
        return
    note(f"{section.name} lines {section.line_start}:{section.line_end} slice {piece.slice or 'none'}")
    note(f"found by {section.reader}")
    note(f"{piece.lines_applied} lines, {piece.chars_applied} characters, sha256 {piece.content_hash}")
    _print_payload(piece.content)


@app.command("list")
@in_repository
def list_sections(
    place: Repository,
    file_path: Annotated[str | None, typer.Argument(metavar="FILE", help="Only this file.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the indexed sections."""
    with place.tree() as tree:
        if file_path is not None:
            tree.file_section(file_path)
        found = tree.sections.sections(file_path)
    _show(found, as_json)


@app.command()
def extract(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Any file; it need not be indexed.")],
    repo_root: RepoRoot = HERE,
    as_json: AsJson = False,
) -> None:
    """Show the sections a file would have, without an index."""
    readers = readers_named(load_config(repo_root).readers)
    location, root = (repo_root / file).resolve(), repo_root.resolve()
    inside = location.relative_to(root) if location.is_relative_to(root) else Path(file.name)
    try:
        text = normalised(location.read_bytes())
    except UnicodeDecodeError as error:
        raise UnreadableFileError(f"byte {error.start} is not UTF-8", place=str(file)) from None
    except OSError as error:
        raise UnreadableFileError(f"cannot be read: {error.strerror}", place=str(file)) from None
    _show(extract_sections(inside.as_posix(), text, readers), as_json)


def _show(found: list[Section], as_json: bool) -> None:
    if as_json:
        print_json(found)
        return
    note(f"{len(found)} sections")
    for section in found:
        print_result(f"{section.section_id}  {section.line_start:>5}:{section.line_end:<5}  {section.name}")


def _print_payload(content: str) -> None:
    if content:
        print_exactly(content)
