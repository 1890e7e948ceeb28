"""Options that name keys and checkpoints, and how they become signers, verifiers and what was kept."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.machine.files import read_json
from planvow.cassette.ledger.log_entries import Checkpoint
from planvow.cassette.proof.checkpoint import read_checkpoint
from planvow.cassette.signing.dsse import Signer, Verifier
from planvow.errors import InputError

PublicKeys = Annotated[
    list[Path] | None, typer.Option("--key", help="Public key (PEM) that must have signed; repeatable.")
]
PrivateKey = Annotated[Path | None, typer.Option("--key", help="Private key (PEM) to sign with.")]
KeptCheckpoints = Annotated[
    list[Path] | None,
    typer.Option(
        "--checkpoint", help="Checkpoint kept elsewhere that must still hold, or a folder of them; repeatable."
    ),
]
CheckpointTo = Annotated[
    Path | None,
    typer.Option(
        "--checkpoint-to",
        help="Also keep checkpoints elsewhere: in this file (name.json), or each under its size in this folder.",
    ),
]


def verifiers(paths: Sequence[Path] | None) -> list[Verifier]:
    """Return the public keys in files."""
    if not paths:
        return []
    from planvow.adapters.checkers.signing import load_verifier

    return [load_verifier(path) for path in paths]


def signers(path: Path | None) -> list[Signer]:
    """Return the private key in a file as a list, empty without one."""
    if path is None:
        return []
    from planvow.adapters.checkers.signing import load_signer

    return [load_signer(path)]


def kept_checkpoints(paths: Sequence[Path] | None, accepted: Sequence[Verifier]) -> list[Checkpoint]:
    """Read checkpoints from files and folders; with keys, each must be signed by one of them."""
    files: list[Path] = []
    for path in paths or ():
        found = sorted(path.glob("checkpoint-*.json")) if path.is_dir() else [path]
        if not found:
            raise InputError("there is no checkpoint in this folder", place=str(path))
        files += found
    return [read_checkpoint(read_json(file), accepted=accepted) for file in files]
