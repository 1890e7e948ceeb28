"""F18: a login that may work, and nothing more, gets nothing more on PostgreSQL."""

from __future__ import annotations

import psycopg
import pytest

from ledgers import independent
from planvow.cassette.databases.postgres import PostgresStore
from planvow.cassette.proof.verify import verify_ledger
from postgres_server import postgres_ledger, running_server
from vandals import AGAINST_FUNCTIONS, ATTACKS, REFUSALS, first_ledger, lease_to_victim, login, post_in_first, refusal


@pytest.fixture(scope="module")
def vandal():
    login("somebody_who_seals")
    login("workers")
    return login("vandal", member_of="workers")


def refusals(vandal: str, schema: str, attacks) -> dict[str, str | None]:
    found = {}
    for number, attack in enumerate(attacks):
        job = post_in_first(schema, independent(3, request_id=f"{number} {attack.name}"))
        lease_to_victim(schema, job)
        found[attack.name] = refusal(attack, schema, job, vandal=vandal)
    return found


def test_f18_a_worker_gets_nothing_but_its_work_in_postgres(vandal, fault_table):
    first_ledger("rights_now", role="workers")
    with postgres_ledger("rights_now") as store:  # brings the second migration
        with psycopg.connect(running_server().conninfo, options="-c search_path=rights_now") as raw:
            raw.execute("REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA rights_now FROM workers")
        store.grant("workers", "worker")
        store.grant("somebody_who_seals", "sealer")
        attacks = (*ATTACKS, *AGAINST_FUNCTIONS)
        found = refusals(vandal, "rights_now", attacks)
        done = [name for name, refused in found.items() if refused not in REFUSALS]
        fault_table.add("F18 vandals on PostgreSQL as a worker", f"{len(attacks)} attacks", changes=len(done))
        assert done == [], found
        assert verify_ledger(store).accepted


def test_control_the_same_vandal_has_its_way_where_only_the_first_migration_is(vandal):
    first_ledger("rights_once", role="workers")
    found = refusals(vandal, "rights_once", ATTACKS)
    done = [name for name, refused in found.items() if refused is None]
    assert done == [attack.name for attack in ATTACKS if attack.of_the_first], found


def test_a_worker_does_its_work_through_functions_alone(vandal):
    with postgres_ledger("rights_work") as owner:
        owner.grant("workers", "worker")
        job = owner.post("run", {}, independent(3)).job_id
        conninfo = running_server().conninfo.replace("user=postgres", "user=vandal")
        with PostgresStore(conninfo, driver=psycopg, schema="rights_work") as store:
            claim = store.claim("w")
            assert store.heartbeat(claim) >= claim.lease_expires_at
            _, claim = store.complete_and_claim(claim, "SUCCESS")
            store.complete(claim, "ABORTED")
            store.complete(store.claim("w", lease_ms=0), "SUCCESS")
            assert store.requeue_expired() == 0
            assert verify_ledger(store).accepted  # whoever reads can check
        assert owner.job(job).committed == 2
