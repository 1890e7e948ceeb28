"""`cassette checkpoint`, `prove`, `check-proof` and `archive`: the log over everything from the command line."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.output import note, print_json, print_result
from planvow.adapters.cli.frame.paragraphs import counted
from planvow.adapters.cli.options.keys import (
    CheckpointTo,
    PrivateKey,
    PublicKeys,
    kept_checkpoints,
    signers,
    verifiers,
)
from planvow.adapters.cli.options.ledger import AsJson, RepoRoot, StoreLocation, opened
from planvow.adapters.cli.options.working_tree import HERE
from planvow.adapters.machine.files import read_json, write_text
from planvow.canonical import canonical_json
from planvow.cassette.errors import UnknownStepError
from planvow.cassette.ledger.log_entries import EVENT, POST, Checkpoint
from planvow.cassette.ledger.store import Store
from planvow.cassette.log.proofs import check_proof, prove_entry, prove_growth
from planvow.cassette.proof.archive import archive_runs, runs_to_archive
from planvow.cassette.proof.checkpoint import keep_checkpoint, sign_checkpoint
from planvow.errors import EXIT_REFUSED, InputError, UsageError

Output = Annotated[Path | None, typer.Option("-o", "--output", help="File to write; default: stdout.")]


def checkpoint(
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
    key: PrivateKey = None,
    checkpoint_to: CheckpointTo = None,
    as_json: AsJson = False,
) -> None:
    """Give everything done so far its place in the log and put one hash over all of it, signed if a key is given.

    What is kept in the file already must be the beginning of the log; if it is not, the file stays and the exit code
    is 1.
    """
    own = signers(key)
    with opened(repo_root, store) as ledger:
        made = _newest(ledger)
        sign_checkpoint(ledger, made, *own)
        path = keep_checkpoint(ledger, made, checkpoint_to, *own) if checkpoint_to is not None else None
    if as_json:
        print_json({**vars(made), "kept": None if path is None else str(path)})
    else:
        print_result(f"{counted(made.tree_size, 'entry')}, {made.added} of them new, root {made.root}")
        if path is None:
            note("kept in the ledger only, whose owner can change both; --checkpoint-to keeps it elsewhere")


def prove(
    receipt: Annotated[str | None, typer.Option(help="Receipt to prove, by its id.")] = None,
    job_id: Annotated[str | None, typer.Option("--job-id", help="Job whose post is to be proved.")] = None,
    index: Annotated[int | None, typer.Option(min=0, help="Entry to prove, by its place in the log.")] = None,
    since: Annotated[
        Path | None, typer.Option(help="Earlier checkpoint: prove that the newest one only added to it.")
    ] = None,
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
    output: Output = None,
    as_json: AsJson = False,
) -> None:
    """Print a proof that somebody with a checkpoint can check without the ledger: of one entry, or of growth."""
    if sum(choice is not None for choice in (receipt, job_id, index, since)) != 1:
        raise UsageError("name one thing to prove: --receipt, --job-id, --index or --since")
    with opened(repo_root, store) as ledger:
        newest = _newest(ledger)
        if since is not None:
            proof = prove_growth(ledger, kept_checkpoints([since], ())[0], newest)
        else:
            proof = prove_entry(ledger, _place(ledger, receipt, job_id, index), newest)
    if output is None:
        print_json(proof)
    else:
        write_text(output, canonical_json(proof) + "\n")
        if as_json:
            print_json({"file": str(output), "tree_size": newest.tree_size, "root": newest.root})


def check_proof_command(
    proof: Annotated[Path, typer.Argument(metavar="PROOF", help="What `prove` printed.")],
    checkpoint: Annotated[
        Path | None, typer.Option("--checkpoint", help="Checkpoint that it must be about, kept elsewhere.")
    ] = None,
    since: Annotated[Path | None, typer.Option(help="Earlier checkpoint that it must begin with.")] = None,
    key: PublicKeys = None,
    as_json: AsJson = False,
) -> None:
    """Check a proof without the ledger. Exit 0 if it holds, 1 if not."""
    accepted = verifiers(key)
    known, earlier = (kept_checkpoints([path], accepted)[0] if path else None for path in (checkpoint, since))
    if accepted and known is None:
        raise UsageError("--key says who signed the checkpoint; give it with --checkpoint")
    faults, said = check_proof(read_json(proof), checkpoint=known, earlier=earlier)
    if as_json:
        print_json({"ok": not faults, "shows": said, "findings": [fault.message for fault in faults]})
    else:
        print_result("\n".join(map(str, faults)) if faults else said)
        if known is None and not faults:
            note("the proof brought its own root: hold it against a checkpoint you kept (--checkpoint)")
    if faults:
        raise typer.Exit(EXIT_REFUSED)


def archive(
    before: Annotated[
        str,
        typer.Option(help="Runs in which nothing happened since: a date or time (UTC), or a number of days as 90d."),
    ],
    to: Annotated[Path, typer.Option("--to", metavar="FOLDER", help="Folder to write the bundles to.")],
    run_id: Annotated[str | None, typer.Option("--run-id", help="Only this run.")] = None,
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
    key: PrivateKey = None,
    as_json: AsJson = False,
) -> None:
    """Move finished runs out of the ledger into bundles that still verify; their places in the log stay.

    A bundle is written and checked before its rows are removed. On PostgreSQL only the owner may do it.
    """
    own = signers(key)
    with opened(repo_root, store) as ledger:
        moment = _moment(before, ledger.now_ms())
        runs = runs_to_archive(ledger, before=moment, run_id=run_id)
        if run_id is not None and not runs:
            ledger.check_known(run_id=run_id)
            raise InputError(
                f"run {run_id!r} is not finished, not that old, or has a child in another run",
                hint="planvow cassette status --run-id shows it",
            )
        done = archive_runs(ledger, runs, to, *own)
    if as_json:
        print_json({"archived": done})
    else:
        for one in done:
            print_result(
                f"{one.run_id}: {counted(one.jobs, 'job')}, {counted(one.entries, 'log entry')} moved to {one.path}"
            )
        print_result(f"{counted(len(done), 'run')} archived")


def _newest(ledger: Store) -> Checkpoint:
    made = ledger.checkpoint()
    if made is None:
        raise UnknownStepError("this ledger is empty: there is nothing to put into the log")
    return made


def _place(ledger: Store, receipt: str | None, job_id: str | None, index: int | None) -> int:
    if index is not None:
        return index
    found: list[Any]
    if receipt is not None:
        events = ledger.rows("event_of_receipt", receipt_id=receipt)
        found = [row for event in events for row in ledger.rows("place_of", kind=EVENT, seq=event["seq"])]
    else:
        found = [row for row in ledger.rows("places_of_job", job_id=job_id) if row["kind"] == POST]
    if not found:
        raise UnknownStepError(f"the log has no entry for {(job_id if receipt is None else receipt)!r}")
    return int(found[0]["log_index"])


def _moment(text: str, now_ms: int) -> int:
    """Return a time in milliseconds: a date, a date and time, or so many days before now."""
    try:
        if text.endswith("d") and text[:-1].isascii() and text[:-1].isdigit():
            return now_ms - int(timedelta(days=int(text[:-1])).total_seconds() * 1000)
        at = datetime.fromisoformat(text)
    except (ValueError, OverflowError):
        raise InputError(f"{text!r:.40} is no time", hint="write 2026-01-31, 2026-01-31T12:00 or 90d") from None
    return int((at if at.tzinfo is not None else at.replace(tzinfo=UTC)).timestamp() * 1000)
