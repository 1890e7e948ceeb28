"""`cassette dossier` and `cassette erase`: what a plan was stored with, and taking the private part of it away."""

from __future__ import annotations

import json
from typing import Annotated, Any

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.output import note, print_json, print_result
from planvow.adapters.cli.options.ledger import AsJson, RepoRoot, StoreLocation, looked_at, opened
from planvow.adapters.cli.options.working_tree import HERE
from planvow.cassette.databases.sqlite import SqliteStore
from planvow.cassette.dossier.erase import erase
from planvow.cassette.dossier.model import PARTS, Erased
from planvow.cassette.dossier.observe import observations_of
from planvow.cassette.dossier.read import dossier_of
from planvow.errors import InputError, did_you_mean

JobId = Annotated[str, typer.Argument(metavar="JOB", help="Job that is meant.")]


def dossier(
    job: JobId,
    part: Annotated[str | None, typer.Option("--part", help=f"Only one of {', '.join(PARTS)}, observed.")] = None,
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
    as_json: AsJson = False,
) -> None:
    """Show what a plan was made from and why: what was asked, state, domain, certificate, decisions, options."""
    if part is not None and part not in (*PARTS, "observed"):
        raise InputError(f"a dossier has no part {part!r}", hint=did_you_mean(part, (*PARTS, "observed")))
    with looked_at(repo_root, store) as ledger:
        found = {**vars(dossier_of(ledger, job)), "observed": list(map(vars, observations_of(ledger, job)))}
    if part is not None:
        print_json(_shown(found[part]))
    elif as_json:
        print_json({name: _shown(value) for name, value in found.items()})
    else:
        for name, value in found.items():
            print_result(f"{name:<12} {_line(value)}")


def erase_command(
    job: JobId,
    by: Annotated[str, typer.Option("--by", help="Who erases.")],
    reason: Annotated[str, typer.Option("--reason", help="Why: it stays in the ledger.")],
    only: Annotated[list[str] | None, typer.Option("--only", help="Hash of one private text; repeatable.")] = None,
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
    as_json: AsJson = False,
) -> None:
    """Erase what is private about a job. The chains hold; `verify` says `erased` for what rested on it."""
    with opened(repo_root, store) as ledger:
        gone = erase(ledger, job, by=by, reason=reason, only=only)
        if gone and isinstance(ledger, SqliteStore):
            ledger.forget_log()
    if as_json:
        print_json({"job_id": job, "erased": list(gone)})
    else:
        print_result(f"{len(gone)} private texts of {job} erased by {by}")
    if gone:
        note("copies elsewhere (backups, replicas, old bundles' readers) are not reached from here")


def _shown(value: Any) -> Any:
    return {"erased": vars(value)} if isinstance(value, Erased) else value


def _line(value: Any) -> str:
    if value is None or value == []:
        return "·"
    if isinstance(value, Erased):
        return f"erased by {value.by}: {value.reason}"
    text = json.dumps(value, ensure_ascii=False, default=vars)
    return text if len(text) <= 100 else f"{text[:97]}… ({len(text)} characters, see --part)"
