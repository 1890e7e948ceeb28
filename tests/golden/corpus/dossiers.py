"""What the ledger keeps beside plans: dossiers, private texts, approvals and erasures, and what is said of forgers."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import count
from typing import Any
from unittest.mock import patch

from golden.corpus.case import Case, as_json
from golden.corpus.ledger import FixedClock, Seal, diamond, exported, ledger, step
from planvow.cassette import Outcome, SqliteStore, Store
from planvow.cassette.dossier import (
    Dossier,
    Needs,
    Privacy,
    approve,
    deny,
    dossier_of,
    erase,
    hide_arguments,
    state_document,
    store_plan_with_dossier,
)
from planvow.cassette.dossier.private import scrubbed
from planvow.cassette.dossier.states import change_text, facts_in
from planvow.cassette.proof.bundle import export_run, verify_bundle, with_hash
from planvow.cassette.proof.seal import seal_run
from planvow.cassette.proof.verify import verify_ledger

FACTS = [["at", "tea", "shop"], ["ill", "bob", "cold"], ["at", "ann", "home"], ["ill", "ann", "flu"]]
PRIVACY = Privacy(predicates={"ill", "age"}, arguments={"NOTE": {"b", "a"}, "CALL": {"x"}}, outputs={"NOTE", "ASK"})
NEEDS = Needs(
    steps={"d": "moves money", "b": "is loud"}, policy=lambda _plan: Needs(plan="is dear", steps={"a": "is early"})
)


@contextmanager
def salted() -> Iterator[tuple[FixedClock, SqliteStore]]:
    """A ledger whose salts are counted instead of drawn."""
    numbers = count(1)
    with ledger() as (clock, store, _), patch("secrets.token_hex", lambda size: f"{next(numbers):0{2 * size}x}"):
        yield clock, store


def private_steps() -> tuple[list[dict[str, Any]], dict[str, Any]]:
    params = {"b": "for bob", "message": "hello", "a": "for ann"}
    return hide_arguments([{"step_id": "a", "skill": "NOTE", "params": params}], PRIVACY)


def post(store: Store, **more: Any) -> str:
    """Post a plan of four steps with a dossier; return the job."""
    dossier = Dossier(asked=["tea"], state=FACTS, domain={"name": "errands"}, options={"max_depth": 3})
    return store_plan_with_dossier(store, "run", diamond(), dossier, **more).job_id


def finish(store: Store, **more: Any) -> None:
    """Do all that can be done."""
    while (claim := store.claim("w-1", **more)) is not None:
        store.complete(claim, Outcome.SUCCESS, {"output": claim.step_id})


def declared() -> str:
    """What is private, as it is stored and hidden."""
    hidden = {"short": "tea", "long": "tea with milk", "other": "milk"}
    said = scrubbed("no tea with milk, no tea, no milk", hidden, "private")
    return as_json([PRIVACY.as_json(), private_steps(), said])


def states() -> str:
    """States in full and as differences; what is private stands apart, in the order of the texts."""
    many = [["at", f"thing {number}", "shop"] for number in range(20)]
    base = state_document(many)
    later = state_document([*many[2:], ["at", "z", "home"], ["at", "a", "home"]])
    change = change_text(later, base.sha256, base.text)
    assert change is not None
    kept = state_document(FACTS, PRIVACY)
    return as_json([kept.facts, kept.apart, change, facts_in(change, {base.sha256: base.text})])


def followed() -> str:
    """A plan that follows another: its state is stored as a difference; and a state that is no list of facts."""
    many = [["at", f"thing {number}", "shop"] for number in range(20)]
    with salted() as (_, store):
        plan = replace(diamond(), steps=(step("a"),))
        job_id = store_plan_with_dossier(store, "run", plan, Dossier(asked=1, state=many)).job_id
        child = replace(diamond("next", parent_job_id=job_id), steps=(step("a"),))
        later = Dossier(asked=2, state=[*many[1:], ["at", "z", "home"]])
        found = [dossier_of(store, store_plan_with_dossier(store, "run", child, later).job_id).state]
        odd = Dossier(asked=3, state={"any": "thing"})
        store_plan_with_dossier(store, "run", replace(diamond("odd"), steps=(step("a"),)), odd)
        return f"{exported(store)}\n{as_json(found)}"


def approved() -> str:
    """Questions about a plan and its steps in their order, answered, lapsed, answered again, and sealed."""
    with salted() as (clock, store):
        job_id = post(store, needs_approval=NEEDS)
        approve(store, job_id, by="ann", note="all of it", signer=Seal("ann"))
        approve(store, job_id, "a", by="ann", note="go", expires_at=store.now_ms() + 1)
        clock.tick()
        assert store.claim("w-1") is None  # the approval of its first step has run out
        approve(store, job_id, "a", by="bob", note="again")
        finish(store)
        deny(store, job_id, "b", by="ann", reason="too loud")
        finish(store)
        seal_run(store, "run")
        assert verify_ledger(store).accepted
        return exported(store)


def unasked() -> str:
    """What a verifier says where a dossier names people who were never asked, in the order of the plan."""
    with salted() as (_, store):
        post(store, needs_approval=NEEDS)
        bundle = export_run(store, "run")
    bundle["jobs"][0]["notes"] = []
    faults = verify_bundle(with_hash({k: v for k, v in bundle.items() if k != "bundle_sha256"})).faults
    return as_json([[fault.place, fault.message] for fault in faults])


def erased() -> str:
    """Private arguments, facts and outputs, two of them erased; then those are put back, and two more added."""
    _, hidden = private_steps()
    with salted() as (_, store):
        plan = replace(diamond(), steps=(step("a"),))
        dossier = Dossier(asked=["see ill"], state=FACTS)
        job_id = store_plan_with_dossier(store, "run", plan, dossier, privacy=PRIVACY, arguments=hidden).job_id
        kept = [dict(row) for row in store.rows("private_of", job_id=job_id)]
        gone = erase(store, job_id, by="ann", reason="asked to", only=[row["sha256"] for row in kept[2::-2]])
        said = [exported(store), as_json([kept, gone, verify_ledger(store).not_proved])]
        store.close()
        with closing(sqlite3.connect(store.path)) as connection:
            for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
                connection.execute(f"DROP TRIGGER {name}")
            for row in (*kept[::2], *({**kept[0], "sha256": digit * 64} for digit in "213")):
                connection.execute("INSERT INTO cassette_private VALUES (?, ?, ?, ?)",
                                   (job_id, row["sha256"], row["salt"], row["content"]))  # fmt: skip
            connection.commit()
        with SqliteStore(store.path) as again:
            faults = [[fault.place, fault.message] for fault in verify_ledger(again).faults if fault.place == job_id]
        return "\n".join([*said, as_json(faults)])


CASES = (
    Case("dossiers/declared", "ledger export", declared),
    Case("dossiers/states", "ledger export", states),
    Case("dossiers/followed", "ledger export", followed),
    Case("dossiers/approved", "ledger export", approved),
    Case("dossiers/unasked", "ledger export", unasked),
    Case("dossiers/erased", "ledger export", erased),
)
