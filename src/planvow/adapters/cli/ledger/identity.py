"""`cassette worker-key` and `cassette grant`: who may take part in a ledger, and how a worker is known."""

from __future__ import annotations

import getpass
import re
from pathlib import Path
from typing import Annotated

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.output import note, print_json, print_result
from planvow.adapters.cli.options.ledger import AsJson, RepoRoot, StoreLocation, opened
from planvow.adapters.cli.options.working_tree import HERE
from planvow.cassette.databases.postgres import PostgresStore
from planvow.cassette.errors import UnregisteredKeyError
from planvow.cassette.ledger.schedule import Decider
from planvow.cassette.ledger.store import Store
from planvow.cassette.signing.dsse import Signer, Verifier
from planvow.errors import InputError, UsageError

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")


def worker_key(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Name of the worker; without it: list.")] = None,
    key: Annotated[Path | None, typer.Argument(metavar="KEY.pub", help="Its public key (PEM), by `keygen`.")] = None,
    why: Annotated[str, typer.Option("--why", help="Kept with the registration.")] = "",
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
    as_json: AsJson = False,
) -> None:
    """Register the key that workers of a name sign their receipts with, from now on; without a name, list all.

    Only the owner of the ledger registers. `cassette work --key KEY` is a worker of that name; `cassette verify` then
    finds receipts of the name that are not signed with the key it had.
    """
    if (name is None) != (key is None):
        raise UsageError("name the worker and its public key, or neither")
    with opened(repo_root, store) as ledger:
        if name is not None and key is not None:
            _register(ledger, name, key, why)
        found = [each for each in ledger.worker_keys() if name in (None, each.name)]
    if as_json:
        print_json([vars(each) for each in found])
        return
    for each in found:
        print_result(f"{each.name}  {each.key_id}  by {each.made_by}")
    if not found:
        note("no worker has a key")


def _register(ledger: Store, name: str, path: Path, why: str) -> None:
    from planvow.adapters.checkers.signing import load_verifier

    if not NAME.fullmatch(name):
        raise InputError("a worker's name is 1 to 40 letters, digits, dots, dashes and underscores", place=name[:80])
    key = load_verifier(path)
    other = next((each.name for each in ledger.worker_keys() if each.key_id == key.key_id and each.name != name), None)
    if other is not None:
        raise InputError(f"this key is registered for {other} already", place=str(path), hint="each has its own")
    ledger.register_key(name, key.key_id, key.public_hex, Decider(made_by=getpass.getuser(), why=why))


def grant(
    role: Annotated[str, typer.Argument(metavar="ROLE", help="PostgreSQL role; one that does not exist is made.")],
    parts: Annotated[
        list[str], typer.Argument(metavar="PART...", help="reader, planner, worker, sealer, operator: what it may do.")
    ],
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
    as_json: AsJson = False,
) -> None:
    """Let a role of PostgreSQL take parts in the ledger. The owner grants; every part also reads."""
    with opened(repo_root, store) as ledger:
        if not isinstance(ledger, PostgresStore):
            raise InputError(
                "a ledger in a file has no roles", hint="whoever may write the file may do everything; see postgres.md"
            )
        ledger.grant(role, *parts)
    if as_json:
        print_json({"role": role, "parts": parts})
    else:
        print_result(f"{role}: {', '.join(parts)}")


def name_of_key(ledger: Store, signer: Signer) -> str:
    """Return the name whose key this is now, or raise UnregisteredKeyError."""
    in_force = {each.name: each for each in ledger.worker_keys()}
    name = next((each.name for each in in_force.values() if each.key_id == signer.key_id), None)
    if name is None:
        raise UnregisteredKeyError(
            f"no worker of this ledger has the key {signer.key_id[:16]}",
            hint="the ledger's owner registers it: planvow cassette worker-key NAME KEY.pub",
        )
    return name


def kept_worker_keys(written: list[str] | None) -> dict[str, list[Verifier]]:
    """Read `NAME=KEY.pub`, as `verify --worker-key` takes it."""
    found: dict[str, list[Verifier]] = {}
    for each in written or []:
        name, mark, path = each.partition("=")
        if not mark or not name or not path:
            raise UsageError("write --worker-key NAME=KEY.pub")
        from planvow.adapters.checkers.signing import load_verifier

        found.setdefault(name, []).append(load_verifier(Path(path)))
    return found
