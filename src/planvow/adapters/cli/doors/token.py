"""`planvow token`: tokens for callers of `planvow serve`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.lazy import PlainGroup, examples
from planvow.adapters.cli.frame.output import note, print_document, print_json, print_result
from planvow.adapters.cli.frame.table import Column, table, terminal_width
from planvow.adapters.cli.ledger.moments import moment_text, start_moment
from planvow.adapters.cli.options.ledger import AsJson, RepoRoot
from planvow.adapters.cli.options.working_tree import HERE
from planvow.adapters.http import tokens as kept
from planvow.adapters.machine.system_clock import SystemClock
from planvow.errors import InputError
from planvow.governed.compile.post import ledger_path
from planvow.service.declare.operation import Right

app = typer.Typer(cls=PlainGroup, no_args_is_help=True, rich_markup_mode=None)
TokenFile = Annotated[
    Path | None, typer.Option("--tokens", help="File of tokens; default: tokens.json in the repository's data folder.")
]
NEVER = "never"
COLUMNS = (
    Column(name="name", weight=1),
    Column(name="id"),
    Column(name="rights"),
    Column(name="state"),
    Column(name="ends"),
)


@app.callback()
def token() -> None:
    """Make, list and revoke the tokens that callers of `planvow serve` show."""


def token_file(repo_root: Path, given: Path | None) -> Path:
    """Return where the tokens are."""
    return given if given is not None else ledger_path(repo_root, None).with_name(kept.FILE)


@app.command(epilog=examples("planvow token create ci", "planvow token create ann --right operate --expires +7d"))
def create(
    name: Annotated[str, typer.Argument(help="Whose it is, or what for: it stands in the ledger.")],
    rights: Annotated[
        list[Right] | None, typer.Option("--right", help="What it allows, repeatable. Default: read and plan.")
    ] = None,
    expires: Annotated[str, typer.Option(help="When it ends: +90d, a date, or never.")] = "+90d",
    tokens: TokenFile = None,
    repo_root: RepoRoot = HERE,
    as_json: AsJson = False,
) -> None:
    """Make a token and print it, once: only its hash is kept."""
    now_ms = SystemClock().now_ms()
    try:
        end = None if expires == NEVER else start_moment(expires, now_ms)
    except InputError as error:
        error.place, error.hint = "--expires", "give +90d, +12h, 2030-01-31 or never"
        raise
    wanted = rights or [Right.READ, Right.PLAN]
    text, made = kept.create(token_file(repo_root, tokens), name, wanted, now_ms=now_ms, expires_at=end)
    if as_json:
        print_json({"token": text, **_line(made, now_ms)})
        return
    print_document(text)
    note(f"kept as a hash: it cannot be shown again. It ends {_end(made)}")


@app.command(name="list", epilog=examples("planvow token list"))
def list_tokens(tokens: TokenFile = None, repo_root: RepoRoot = HERE, as_json: AsJson = False) -> None:
    """List tokens by name: what they allow, and whether they are still worth something."""
    now_ms = SystemClock().now_ms()
    found = kept.read(token_file(repo_root, tokens))
    if as_json:
        print_json({"tokens": [_line(each, now_ms) for each in found]})
        return
    rows = [
        (each.name, each.token_id, ",".join(each.as_json()["rights"]), each.state(now_ms), _end(each)) for each in found
    ]
    print_result(table(COLUMNS, rows, terminal_width()) if rows else "no tokens")


@app.command()
def revoke(
    which: Annotated[str, typer.Argument(metavar="TOKEN", help="Its name or id.")],
    tokens: TokenFile = None,
    repo_root: RepoRoot = HERE,
    as_json: AsJson = False,
) -> None:
    """Take a token's worth away. Servers that run notice at their next call."""
    now_ms = SystemClock().now_ms()
    gone = kept.revoke(token_file(repo_root, tokens), which, now_ms=now_ms)
    if as_json:
        print_json(_line(gone, now_ms))
    else:
        print_result(f"{gone.name} ({gone.token_id}) is revoked")


def _line(token: kept.Token, now_ms: int) -> dict[str, object]:
    listed = {key: value for key, value in token.as_json().items() if key != "sha256"}
    return {**listed, "state": token.state(now_ms)}


def _end(token: kept.Token) -> str:
    return NEVER if token.expires_at is None else moment_text(token.expires_at)
