"""The reference of the command line, made from the tree of its commands: usage, arguments, options, exit codes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import typer

from planvow.adapters.cli.frame.guard import EXIT_INTERRUPTED, EXIT_PIPE_CLOSED
from planvow.adapters.cli.frame.lazy import Entry, declared
from planvow.adapters.cli.main import COMMANDS

EXIT_CODES = f"""| exit code | what it means |
|---|---|
| 0 | done |
| 1 | no plan, a verification failed, or something was refused |
| 2 | invalid input or usage |
| 3 | a defect of planvow |
| {EXIT_INTERRUPTED} | interrupted |
| {EXIT_PIPE_CLOSED} | nobody reads the result any more |
"""
HEAD = """# Commands

`planvow COMMAND --help` prints the same. Results go to stdout, everything else to stderr; `--json` prints exactly one
JSON document.

"""


def pages() -> Iterator[tuple[str, str]]:
    """Yield a page for every command, and the list of them."""
    parts = [HEAD]
    for section, entries in COMMANDS.items():
        rows = [f"| [`planvow {name}`]({name}.md) | {_plain(entry.line)} |" for name, entry in entries.items()]
        parts.append(f"## {section}\n\n| command | what it does |\n|---|---|\n" + "\n".join(rows) + "\n\n")
    yield "reference/commands/index.md", "".join(parts) + f"## Exit codes\n\n{EXIT_CODES}"
    for entries in COMMANDS.values():
        for name, entry in entries.items():
            tree = described(f"planvow {name}", command(entry), 1)
            yield f"reference/commands/{name}.md", "\n\n".join(tree) + "\n"


def command(entry: Entry) -> Any:
    """Return a command as the command line library has it."""
    application = declared(entry).full()
    application._add_completion = False  # completion belongs to the program
    return typer.main.get_command(application)


def described(path: str, found: Any, depth: int) -> Iterator[str]:
    """Yield what a page says about a command, then about those below it."""
    context = typer.Context(found, info_name=path)
    yield f"{'#' * min(depth, 4)} {path}"
    pieces = [piece.replace("{", "").replace("}", "") for piece in found.collect_usage_pieces(context)]
    yield f"```text\n{' '.join([path, *pieces])}\n```"
    yield _text(found.help or "")
    for kind in ("argument", "option"):
        records = [each.get_help_record(context) for each in found.params if each.param_type_name == kind]
        rows = [f"| {_names(record[0])} | {_plain(record[1])} |" for record in records if record]
        if rows:
            yield f"| {kind} | |\n|---|---|\n" + "\n".join(rows)
    if found.epilog:
        yield _text(found.epilog)
    for name, inner in getattr(found, "commands", {}).items():
        if not inner.hidden:
            yield from described(f"{path} {name}", inner, depth + 1)


def _names(record: str) -> str:
    """The names of an option or argument and what it takes, as code."""
    if not record.startswith("-"):
        return f"`{record.partition(' <')[0]}`"
    names = re.findall(r"(?<![\w-])--?[a-zA-Z][\w-]*", record)
    kind = re.sub(r"[<>]", "", record[record.rindex(names[-1]) + len(names[-1]) :]).strip()
    return f"{', '.join(f'`{name}`' for name in names)} {kind.replace('|', ' or ')}".strip()


def _text(text: str) -> str:
    """A help text as Markdown: what keeps its lines there is a block here."""
    parts = []
    for part in text.split("\n\n"):
        block = part.lstrip().removeprefix("\b\n")
        if block != part.lstrip() and block.startswith("Examples:"):
            lines = "\n".join(line.strip() for line in block.splitlines()[1:])
            parts.append(f"Examples:\n\n```sh\n{lines}\n```")
        elif block != part.lstrip():
            parts.append(f"```text\n{block}\n```")
        else:
            parts.append(_words(" ".join(part.split())))
    return "\n\n".join(parts)


def _plain(text: str) -> str:
    return _words(" ".join(text.split()).replace("|", "\\|"))


def _words(text: str) -> str:
    """Words that Markdown would read as HTML stand as code."""
    return re.sub(r"(?<!`)<([^<>`]+)>", r"`<\1>`", text)
