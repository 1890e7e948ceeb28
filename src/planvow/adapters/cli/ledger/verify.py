"""`cassette verify`: a ledger, or a bundle that was carried away, with what was kept of it elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.output import note, print_json, print_result
from planvow.adapters.cli.frame.paragraphs import counted
from planvow.adapters.cli.ledger.identity import kept_worker_keys
from planvow.adapters.cli.options.keys import KeptCheckpoints, PublicKeys, kept_checkpoints, verifiers
from planvow.adapters.cli.options.ledger import AsJson, RepoRoot, StoreLocation, location, looked_at
from planvow.adapters.cli.options.working_tree import HERE
from planvow.adapters.machine.files import read_json
from planvow.cassette.databases.sqlite import SqliteStore
from planvow.cassette.ledger.log_entries import Checkpoint
from planvow.cassette.ledger.store import Store
from planvow.cassette.proof.archive import check_archived
from planvow.cassette.proof.beside import ERASED
from planvow.cassette.proof.bundle import verify_bundle
from planvow.cassette.proof.kept_seal import KeptSeal, read_kept_seal
from planvow.cassette.proof.verify import verify_ledger
from planvow.cassette.signing.dsse import Verifier
from planvow.errors import EXIT_REFUSED, MissingExtraError, UsageError
from planvow.verdict import Fault, Verdict

SHOWN = {"jobs": "job", "receipts": "receipt", "seals": "seal", "entries": "log entry", "signed": " of them signed",
         "archived": "archive", "signed_receipts": " receipts signed by their workers"}  # fmt: skip


def verify(
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
    bundle: Annotated[Path | None, typer.Option(help="Check an exported bundle instead of the ledger.")] = None,
    key: PublicKeys = None,
    seal: Annotated[
        list[Path] | None,
        typer.Option("--seal", help="Seal kept elsewhere (`seal -o`) that must still hold; repeatable."),
    ] = None,
    checkpoint: KeptCheckpoints = None,
    max_age: Annotated[
        float | None,
        typer.Option(
            "--max-age", min=0, help="Seconds that the newest checkpoint given may be old: an older one shown instead."
        ),
    ] = None,
    archived: Annotated[
        list[Path] | None,
        typer.Option("--archived", help="Bundle of an archive, checked with the ledger; name all of them; repeatable."),
    ] = None,
    approver: Annotated[
        list[Path] | None,
        typer.Option("--approver", help="Public key (PEM) of a person; every decision must be signed; repeatable."),
    ] = None,
    worker_key: Annotated[
        list[str] | None,
        typer.Option("--worker-key", help="NAME=KEY.pub: the key that must be registered for a worker; repeatable."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check every hash, chain, state, seal, log entry, approval and rule. Exit 0 when all is well, else 1.

    What the ledger cannot show by itself is said on stderr: rows without a place in the log yet, and entries after the
    newest checkpoint that was given. What was private and has been erased is neither accepted nor rejected.
    """
    accepted, people = verifiers(key), verifiers(approver)
    kept = [read_kept_seal(read_json(path), accepted=accepted) for path in seal or []]
    checkpoints = kept_checkpoints(checkpoint, accepted)
    worker_keys = kept_worker_keys(worker_key)
    if max_age is not None and not checkpoints:
        raise UsageError("--max-age says how old the newest --checkpoint may be; give one")
    if bundle is not None:
        verdict = verify_bundle(
            read_json(bundle),
            accepted=accepted,
            kept=kept,
            checkpoints=checkpoints,
            approvers=people,
            verifier_of=_verifier_of(),
            worker_keys=worker_keys,
        )
    else:
        bundles = [read_json(path) for path in archived or []]
        with looked_at(repo_root, store) as ledger:
            verdict = _ledger(
                ledger, location(repo_root, store), accepted, kept, checkpoints, bundles, people, worker_keys
            )
    if max_age is not None:
        verdict = _with(verdict, _too_old(checkpoints, max_age))
    _report(verdict, as_json)


def _ledger(
    ledger: Store,
    place: str,
    accepted: Sequence[Verifier],
    kept: Sequence[KeptSeal],
    checkpoints: Sequence[Checkpoint],
    bundles: Sequence[Any],
    people: Sequence[Verifier],
    worker_keys: Mapping[str, Sequence[Verifier]],
) -> Verdict:
    """Check a ledger and the bundles that left it; a seal of a run in a bundle is held against that bundle."""
    found = [
        verify_bundle(
            bundle,
            kept=[s for s in kept if s.run_id == bundle.get("run_id")],
            approvers=people,
            verifier_of=_verifier_of(),
        )
        for bundle in bundles
    ]
    carried = {bundle["run_id"] for bundle in bundles}
    here = [seal for seal in kept if seal.run_id not in carried]
    verdict = verify_ledger(
        ledger,
        accepted=accepted,
        kept=here,
        checkpoints=checkpoints,
        approvers=people,
        verifier_of=_verifier_of(),
        worker_keys=worker_keys,
    )
    faults = [fault for other in found for fault in other.faults]
    if bundles:
        faults += check_archived(ledger, bundles)
        unsaid = tuple(text for text in verdict.not_proved if "--archived" not in text)
        verdict = replace(verdict, not_proved=unsaid)
    damage = ledger.integrity_check() if isinstance(ledger, SqliteStore) else "ok"
    if damage != "ok":
        faults.append(Fault(place=place, message=f"SQLite says: {damage}"))
    return _with(verdict, faults)


def _verifier_of() -> Callable[[str], Verifier] | None:
    """Return how registered keys become verifiers; without the extra signatures of workers are only counted."""
    try:
        from planvow.adapters.checkers.signing import verifier_from_hex
    except MissingExtraError:
        return None
    return verifier_from_hex


def _with(verdict: Verdict, faults: Sequence[Fault]) -> Verdict:
    return replace(verdict, faults=(*verdict.faults, *faults))


def _too_old(checkpoints: Sequence[Checkpoint], max_age: float) -> list[Fault]:
    newest = max(checkpoints, key=lambda known: known.created_at)
    age = time.time() - newest.created_at / 1000
    if age <= max_age:
        return []
    return [
        Fault(place=f"kept checkpoint {newest.tree_size}", message=f"the newest one given is {age:.0f} seconds old")
    ]


def looked_at_so_much(verdict: Verdict) -> str:
    """Say how much was looked at."""
    counts = verdict.counts
    always = ("jobs", "receipts", "seals")
    told = []
    for name, word in SHOWN.items():
        if counts.get(name) or name in always:
            told.append(f"{counts[name]:,}{word}" if word.startswith(" ") else counted(counts[name], word))
    return ", ".join(told)


def _report(verdict: Verdict, as_json: bool) -> None:
    erased = [text.removeprefix(ERASED) for text in verdict.not_proved if text.startswith(ERASED)]
    unproved = [text for text in verdict.not_proved if not text.startswith(ERASED)]
    if as_json:
        print_json({"ok": verdict.accepted, **verdict.counts, "not_proved": unproved, "erased": erased,
                    "findings": [{"place": f.place, "message": f.message} for f in verdict.faults]})  # fmt: skip
    else:
        for finding in verdict.faults:
            print_result(str(finding))
        good = (
            f"all hashes, chains, states{', seals and the log' if 'entries' in verdict.counts else ' and seals'} hold"
        )
        bad = counted(len(verdict.faults), "finding")
        print_result(f"{looked_at_so_much(verdict)}: {good if verdict.accepted else bad}")
        for text in erased:
            print_result(f"erased, neither accepted nor rejected: {text}")
        for text in unproved:
            note(f"not proved: {text}")
    if not verdict.accepted:
        raise typer.Exit(EXIT_REFUSED)
