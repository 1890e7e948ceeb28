"""`planvow cassette`, also the console script `cassette`: the ledger from the command line.

Small commands are here; the others have modules of their own.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.guard import HELP_OPTIONS, guarded
from planvow.adapters.cli.frame.lazy import PlainGroup
from planvow.adapters.cli.frame.output import note, print_json, print_result
from planvow.adapters.cli.frame.paragraphs import counted
from planvow.adapters.cli.ledger.approvals import approvals, approve_command, deny_command
from planvow.adapters.cli.ledger.decide import cancel, limit, limits, schedule
from planvow.adapters.cli.ledger.dossier import dossier, erase_command
from planvow.adapters.cli.ledger.identity import grant, worker_key
from planvow.adapters.cli.ledger.log import archive, check_proof_command, checkpoint, prove
from planvow.adapters.cli.ledger.plan_verify import plan_verify
from planvow.adapters.cli.ledger.post import post
from planvow.adapters.cli.ledger.show import show
from planvow.adapters.cli.ledger.status import status
from planvow.adapters.cli.ledger.verify import looked_at_so_much, verify
from planvow.adapters.cli.ledger.work import work
from planvow.adapters.cli.ledger.workers import requeue, workers
from planvow.adapters.cli.options.keys import PrivateKey
from planvow.adapters.cli.options.keys import signers as load_signers
from planvow.adapters.cli.options.ledger import AsJson, RepoRoot, StoreLocation, looked_at, opened
from planvow.adapters.cli.options.working_tree import HERE
from planvow.adapters.machine.files import write_text
from planvow.cassette.databases.sqlite import SqliteStore
from planvow.cassette.proof.bundle import export_run
from planvow.cassette.proof.seal import seal_run
from planvow.cassette.proof.verify import verify_ledger
from planvow.errors import InputError

app = typer.Typer(
    cls=PlainGroup,
    help="The ledger: what is stored, who ran it, and whether anybody touched it.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings=HELP_OPTIONS,
)
app.command("status")(status)
app.command("show")(show)
app.command("post")(post)
app.command("work")(work)
app.command("workers")(workers)
app.command("requeue")(requeue)
app.command("cancel")(cancel)
app.command("schedule")(schedule)
app.command("limit")(limit)
app.command("limits")(limits)
app.command("plan-verify")(plan_verify)
app.command("approvals")(approvals)
app.command("approve")(approve_command)
app.command("deny")(deny_command)
app.command("dossier")(dossier)
app.command("erase")(erase_command)
app.command("verify")(verify)
app.command("checkpoint")(checkpoint)
app.command("prove")(prove)
app.command("check-proof")(check_proof_command)
app.command("archive")(archive)
app.command("worker-key")(worker_key)
app.command("grant")(grant)


@app.command()
def seal(
    run_id: Annotated[str, typer.Option("--run-id", help="Run whose finished jobs are sealed.")],
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
    key: PrivateKey = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Also write the envelope to a file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Put one hash over everything a run's finished jobs did, signed if a key is given."""
    own = load_signers(key)
    with opened(repo_root, store) as ledger:
        made = seal_run(ledger, run_id, *own)
    if output is not None:
        write_text(output, json.dumps(made.envelope, sort_keys=True, indent=2) + "\n")
    print_json({"run_id": run_id, "tree_size": made.tree_size, "merkle_root": made.merkle_root, "new": made.created})
    if made.created and not own and not as_json:
        note("unsigned: keep it elsewhere (-o FILE, later `verify --seal FILE`), or sign it with --key")


@app.command()
def keygen(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="Where to write the private key.")],
    as_json: AsJson = False,
) -> None:
    """Make an Ed25519 key pair for seals, checkpoints or a worker: PATH and PATH.pub."""
    from planvow.adapters.checkers.signing import load_verifier, make_key

    public = make_key(path)
    if as_json:
        print_json({"private": str(path), "public": str(public), "key_id": load_verifier(public).key_id})
    else:
        print_result(str(public))


@app.command()
def export(
    run_id: Annotated[str, typer.Option("--run-id", help="Run to carry away.")],
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="File to write; default: stdout.")] = None,
    as_json: AsJson = False,
) -> None:
    """Write a run as one JSON document that anyone can check without the ledger."""
    with looked_at(repo_root, store) as ledger:
        document = export_run(ledger, run_id)
    if output is None:
        print_json(document)
    else:
        write_text(output, json.dumps(document, ensure_ascii=False, sort_keys=True) + "\n")
        counts = {name: len(document[name]) for name in ("jobs", "seals")}
        if as_json:
            print_json({"file": str(output), "run_id": run_id, **counts, "bundle_sha256": document["bundle_sha256"]})
        else:
            note(f"{counted(counts['jobs'], 'job')}, {counted(counts['seals'], 'seal')} written to {output}")


@app.command()
def backup(
    target: Annotated[Path, typer.Argument(metavar="FILE", help="File to write the copy to.")],
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
    as_json: AsJson = False,
) -> None:
    """Copy an SQLite ledger while others work on it, and check the copy."""
    with opened(repo_root, store) as ledger:
        if not isinstance(ledger, SqliteStore):
            raise InputError(
                "a ledger on PostgreSQL is backed up with pg_dump",
                hint="run pg_dump; cassette verify --store checks a restored copy",
            )
        ledger.backup(target)
        driver = ledger.driver
    with SqliteStore(target, driver=driver) as copy:
        verdict = verify_ledger(copy)
        damage = copy.integrity_check()
    if damage != "ok" or not verdict.accepted:
        os.unlink(target)
        raise InputError(f"the copy is not sound ({damage}, {len(verdict.faults)} findings) and was removed")
    if as_json:
        print_json({"file": str(target), "counts": verdict.counts, "verified": True})
    else:
        print_result(f"{target}: {looked_at_so_much(verdict)}, verified")


def run() -> None:
    """Entry point of the console script `cassette`."""
    guarded(app)
