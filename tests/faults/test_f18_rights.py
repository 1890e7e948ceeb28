"""F18: a login that may work, and nothing more, gets nothing more on PostgreSQL."""

from __future__ import annotations

from contextlib import suppress

import psycopg
import pytest

from ledgers import independent
from planvow.canonical import canonical_json
from planvow.cassette.databases.postgres import PostgresStore
from planvow.cassette.dossier.observe import observations_of
from planvow.cassette.errors import CassetteError
from planvow.cassette.ledger.schedule import Decider
from planvow.cassette.operate.look import view_job
from planvow.cassette.proof.bundle import export_run
from planvow.cassette.proof.verify import verify_ledger
from planvow.errors import PlanvowError
from postgres_server import postgres_ledger, running_server
from vandals import (
    AGAINST_FUNCTIONS,
    ATTACKS,
    CLAIM,
    REFUSALS,
    first_ledger,
    lease_to_victim,
    login,
    post_in_first,
    raw_connection,
    refusal,
)


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


@pytest.fixture
def owned(vandal):
    with postgres_ledger() as owner:
        owner.grant("workers", "worker")
        yield owner


def _resurrected(owner: PostgresStore) -> list[str]:
    """Cancel a job while the vandal reads an older picture, in which it then hands its step back; what became of it."""
    job = owner.post("run", {}, independent(2)).job_id
    with raw_connection(owner.schema, "vandal") as raw:
        raw.execute(CLAIM.format(worker="vandal", job=job))
        raw.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        raw.execute("SELECT 1 FROM cassette_jobs")
        owner.cancel(job, Decider(made_by="operator"))
        handed_back = f"SELECT cassette_complete('run', '{job}', 1, 1, 'vandal', 'ABORTED', '{{}}', 0, NULL)"
        with suppress(psycopg.Error):
            raw.execute(handed_back)
            raw.execute("COMMIT")
    return [str(step.status) for step in owner.steps(job)]


def test_no_step_of_a_cancelled_job_comes_back_from_an_older_picture(owned):
    assert _resurrected(owned) == ["LEASED", "CANCELLED"]
    assert verify_ledger(owned).accepted
    with raw_connection(owned.schema) as raw:
        raw.execute("BEGIN ISOLATION LEVEL SERIALIZABLE")
        with pytest.raises(psycopg.Error, match="read committed"):
            raw.execute(f"SELECT cassette_observe('{owned.jobs()[0].job_id}', 0, '{{}}')")


def test_control_without_the_rule_it_comes_back_and_would_be_run(owned):
    with raw_connection(owned.schema) as raw:
        rule = "SELECT pg_get_functiondef('cassette_step_state_moves'::regproc)"
        raw.execute(raw.execute(rule).fetchone()[0].replace("<> 'read committed'", "= 'never'"))
    assert _resurrected(owned) == ["PENDING", "CANCELLED"]
    assert owned.claim("somebody") is not None


def test_a_server_whose_default_is_an_older_picture_is_worked_on_all_the_same(owned):
    job = owned.post("run", {}, independent(1)).job_id
    with raw_connection(owned.schema) as raw:
        raw.execute("ALTER ROLE vandal SET default_transaction_isolation = 'repeatable read'")
    try:
        conninfo = running_server().conninfo.replace("user=postgres", "user=vandal")
        with PostgresStore(conninfo, driver=psycopg, schema=owned.schema) as store:
            store.complete(store.claim("w"), "SUCCESS")
    finally:
        with raw_connection(owned.schema) as raw:
            raw.execute("ALTER ROLE vandal RESET default_transaction_isolation")
    assert owned.job(job).committed == 1


def _take_for_ever(owner: PostgresStore) -> str | None:
    """Let one lease run out, and let the vandal take the next step for ages; return how that was refused."""
    job = owner.post("run", {}, independent(3)).job_id
    owner.claim("slow", lease_ms=0)
    with raw_connection(owner.schema, "vandal") as raw:
        try:
            raw.execute(CLAIM.format(worker="vandal", job=job).replace("600000", "5000000000000000000"))
        except psycopg.Error as error:
            return error.sqlstate
    return None


def test_no_lease_is_so_long_that_others_cannot_claim(owned):
    assert _take_for_ever(owned) == psycopg.errors.CheckViolation.sqlstate
    assert owned.claim("honest") is not None
    assert owned.requeue_expired() == 0


def test_control_without_bounds_one_claim_stops_all_others(owned):
    with raw_connection(owned.schema) as raw:
        raw.execute("ALTER TABLE cassette_step_states DROP CONSTRAINT lease_is_bounded")
        raw.execute(
            "CREATE OR REPLACE FUNCTION cassette_run_out(lease_expires_at bigint, lease_ms bigint, now_ms bigint)"
            " RETURNS boolean LANGUAGE sql IMMUTABLE"
            " AS $$ SELECT lease_expires_at <= now_ms OR lease_expires_at > now_ms + 2 * lease_ms $$"
        )
    assert _take_for_ever(owned) is None
    with pytest.raises(CassetteError, match="out of range"):
        owned.requeue_expired()


def test_a_lease_from_before_the_bounds_stops_nobody(owned):
    with raw_connection(owned.schema) as raw:
        rule = "ALTER TABLE cassette_step_states ADD CONSTRAINT lease_is_bounded CHECK (lease_ms < 604800001) NOT VALID"
        raw.execute("ALTER TABLE cassette_step_states DROP CONSTRAINT lease_is_bounded")
        assert _take_for_ever(owned) is None
        raw.execute(rule)
    assert owned.claim("honest") is not None


UNBOUNDED = {"bytes": ("SUCCESS", 2**63 - 1, None), "wait": ("FAILURE", 0, 2**62)}


def _report(owner: PostgresStore, what: str) -> None:
    """Let the vandal report its step of a job with a number beyond all bounds."""
    job = owner.post("run", {}, independent(2)).job_id
    with raw_connection(owner.schema, "vandal") as raw:
        raw.execute(CLAIM.format(worker="vandal", job=job))
        outcome, used, again = UNBOUNDED[what]
        report = "SELECT cassette_complete('run', %s, 1, 1, 'vandal', %s, '{}', %s, %s)"
        raw.execute(report, (job, outcome, used, again))


@pytest.mark.parametrize("what", UNBOUNDED)
def test_no_receipt_counts_so_far_that_others_cannot_end_their_steps_or_export_the_run(owned, what):
    with pytest.raises(psycopg.Error, match="beyond all bounds"):
        _report(owned, what)
    owned.complete(owned.claim("honest"), "SUCCESS", bytes_used=2**40)
    assert export_run(owned, "run")["jobs"]


@pytest.mark.parametrize("what", UNBOUNDED)
def test_control_without_bounds_one_receipt_stops_its_job_or_its_export(owned, what):
    def goes_on():
        owned.complete(owned.claim("honest"), "SUCCESS", bytes_used=1)
        export_run(owned, "run")

    with raw_connection(owned.schema) as raw:
        rule = raw.execute("SELECT pg_get_functiondef('cassette_receipt_linked'::regproc)").fetchone()[0]
        raw.execute(rule.replace("1099511627776", str(2**63 - 1)).replace("3155760000000", str(2**63 - 1)))
    _report(owned, what)
    with pytest.raises(PlanvowError, match=r"out of range|not safe in JSON"):
        goes_on()


@pytest.mark.parametrize(
    ("worker", "machine"), [("\x1b[2J", "host"), ("", "host"), ("w", "h" * 256)], ids=["control", "empty", "long"]
)
def test_a_worker_makes_itself_known_by_names_that_can_be_shown(owned, worker, machine):
    with raw_connection(owned.schema, "vandal") as raw, pytest.raises(psycopg.Error, match="no name of a worker"):
        raw.execute("SELECT cassette_worker_seen(%s, %s, 'boot', 1, 1, false)", (worker, machine))


GARBAGE = ["not json", "[1]", "null", '{"error":5,"decision":[]}', '{"output":' + "9" * 5000 + "}", "[" * 100_000]


@pytest.mark.parametrize("said", GARBAGE, ids=["text", "list", "null", "kinds", "digits", "deep"])
def test_whatever_a_worker_writes_verify_and_show_answer(owned, said):
    job = owned.post("run", {}, independent(1)).job_id
    with raw_connection(owned.schema, "vandal") as raw:
        raw.execute("SELECT cassette_worker_seen('vandal', 'host', 'boot', 1, 5000000000000000000, false)")
        raw.execute(CLAIM.format(worker="vandal", job=job))
        report = "SELECT cassette_complete('run', %s, 1, 1, 'vandal', 'SUCCESS', %s, 0, NULL)"
        raw.execute(report, (job, said))
        raw.execute("SELECT cassette_observe(%s, 1, %s)", (job, said))
    found = verify_ledger(owned)
    assert found.accepted or any("document" in fault.message for fault in found.faults)
    (attempt,) = view_job(owned, job).steps[0].attempts
    assert (attempt.worker_id, attempt.error, attempt.decision) == ("vandal", None, None)
    (seen,) = observations_of(owned, job)
    assert seen.document == said
    assert canonical_json([vars(worker) for worker in owned.workers()])
