"""The log over everything: who gets which place, when, by whom; proofs; archives; ledgers from before."""

from __future__ import annotations

import importlib.util
import json
import sqlite3
import threading
from pathlib import Path

import psycopg
import pytest
from typer.testing import CliRunner

from ledgers import chained, independent, plan_of, post, sqlite_ledger, step
from planvow.adapters.cli.ledger.cassette import app
from planvow.adapters.databases.opening import open_ledger
from planvow.cassette import Worker, WorkerOptions
from planvow.cassette.databases.postgres import PostgresStore
from planvow.cassette.errors import ArchivedError, CassetteError, RoleMissingError, TamperedError, UnknownStepError
from planvow.cassette.ledger.statements import migrations, postgres_statements
from planvow.cassette.log.proofs import check_proof, prove_entry, prove_growth
from planvow.cassette.proof.archive import archive_run, check_archived, runs_to_archive
from planvow.cassette.proof.bundle import export_run, verify_bundle
from planvow.cassette.proof.seal import seal_run
from planvow.cassette.proof.verify import verify_ledger
from planvow.cassette.work import checkpoints
from planvow.errors import InputError
from postgres_server import postgres_ledger, running_server
from vandals import CLAIM, login, post_in_first, raw_connection

LATER = 1 << 60


def finish(store, **wanted) -> None:
    while claim := store.claim("w", **wanted):
        store.complete(claim, "SUCCESS", {"output": 1})


def entries(store) -> list[tuple[int, str, int]]:
    with store.snapshot():
        return [(row["log_index"], row["kind"], row["seq"]) for row in store.stream("log_entries")]


def faults(store, **more) -> list[str]:
    return [str(fault) for fault in verify_ledger(store, **more).faults]


# Places.


def test_everything_gets_its_place_once_posts_before_moves(store):
    assert store.checkpoint() is None
    post(store, chained(2, request_id="a"))
    post(store, independent(1, request_id="b"))
    finish(store)
    made = store.checkpoint()
    assert (made.tree_size, made.added) == (8, 8)
    assert entries(store) == [(0, "post", 1), (1, "post", 2), *((1 + n, "event", n) for n in range(1, 7))]
    again = store.checkpoint()
    assert (again.tree_size, again.root, again.added) == (8, made.root, 0)
    assert len(store.rows("checkpoints")) == 1
    assert faults(store, checkpoints=[made]) == []


def test_a_log_made_in_pieces_is_the_one_made_at_once(open_store, store):
    post(store, chained(5, request_id="a"))
    finish(store)
    pieces = store.checkpoint(at_once=3)
    assert (pieces.tree_size, pieces.added) == (11, 11)
    assert [row["tree_size"] for row in store.rows("checkpoints")] == [3, 6, 9, 11]
    assert faults(store, checkpoints=[pieces]) == []


def test_a_failure_and_a_lease_that_ran_out_have_their_places_too(store):
    post(store, plan_of(step("x", on_error="continue"), step("y", "x"), step("z")))
    store.claim("zombie", lease_ms=0)
    store.complete(store.claim("w"), "FAILURE", retry_after_ms=0)
    store.complete(store.claim("w"), "FAILURE")
    finish(store)
    made = store.checkpoint()
    assert made.tree_size == 1 + len(store.rows("rows_events", job_id=store.jobs()[0].job_id))
    assert faults(store, checkpoints=[made]) == []


def test_what_commits_late_gets_a_later_place():
    """A transaction takes a number, others with higher ones are logged before it commits: it is not forgotten."""
    with postgres_ledger() as store, raw_connection(store.schema) as slow:
        job = post(store, independent(3, request_id="slow"))
        store.checkpoint()
        slow.autocommit = False
        slow.execute(CLAIM.format(worker="slow", job=job))  # has its number, and keeps it
        store.complete(store.claim("w"), "SUCCESS")
        for name in "abc":  # the log goes on, and more than once
            post(store, independent(1, request_id=name))
            assert store.checkpoint().added > 0
        numbers = [seq for _, kind, seq in entries(store) if kind == "event"]
        assert numbers == [2, 3]
        slow.commit()
        assert store.checkpoint().added == 1
        assert [seq for _, kind, seq in entries(store) if kind == "event"] == [2, 3, 1]
        for name in "de":  # and now all before it is known to be there
            post(store, independent(1, request_id=name))
            store.checkpoint()
        assert store.rows("log_end")[0]["events_to"] == 3
        assert faults(store) == []


def test_a_post_that_commits_late_gets_a_later_place():
    with postgres_ledger() as store, postgres_ledger(store.schema) as slow:
        with slow.transaction():
            late = post(slow, independent(1, request_id="late"))
            for name in "abc":
                post(store, independent(1, request_id=name))
                store.checkpoint()
            assert [seq for _, _, seq in entries(store)] == [2, 3, 4]
        store.checkpoint()
        assert entries(store)[-1] == (3, "post", 1)
        assert late in [row["job_id"] for row in store.rows("audit_jobs")]
        assert faults(store) == []


def test_a_row_that_the_log_has_left_behind_is_found():
    with postgres_ledger() as store:
        for name in "abc":
            post(store, independent(1, request_id=name))
            store.checkpoint()
        with raw_connection(store.schema) as owner:
            owner.execute("UPDATE cassette_log_state SET posts_to = 99")
        post(store, independent(1, request_id="hidden"))
        assert store.checkpoint().added == 0
        assert faults(store) == ["log: 1 posts have no place in it, though it has later ones"]


def test_whoever_finds_another_at_it_leaves_it_to_that_one():
    with postgres_ledger() as store, postgres_ledger(store.schema) as other:
        post(store, independent(1))
        with store.transaction():
            made = store.checkpoint()
            assert other.checkpoint(wait=False) is None
        assert other.checkpoint(wait=False).root == made.root


def test_many_at_once_give_each_row_one_place(open_store, store):
    post(store, independent(60))
    wrong = []

    def busy(name: str) -> None:
        try:
            with open_store() as own:
                while claim := own.claim(name):
                    own.complete(claim, "SUCCESS")
                    own.checkpoint(wait=name == "a", at_once=5)
        except Exception as error:
            wrong.append(error)

    threads = [threading.Thread(target=busy, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    made = store.checkpoint()
    assert made.tree_size == 121
    assert faults(store, checkpoints=[made]) == []


def test_a_checkpoint_in_a_snapshot_of_long_ago_is_refused():
    with postgres_ledger() as store:
        post(store, independent(1))
        with raw_connection(store.schema) as raw:
            raw.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
            with pytest.raises(psycopg.Error, match="read committed"):
                raw.execute("SELECT cassette_checkpoint(10, true)")


# Workers.


def test_a_worker_leaves_nothing_uncovered_when_it_ends(open_store, store):
    post(store, chained(3))
    assert Worker(open_store, {"NOTE": lambda _: 1}).run().committed == 3
    assert verify_ledger(store).counts["uncovered"] == 0
    assert store.rows("last_checkpoint")[0]["tree_size"] == 7


def test_a_worker_can_be_told_to_make_none(open_store, store):
    post(store, chained(3))
    Worker(open_store, {"NOTE": lambda _: 1}, WorkerOptions(checkpoint_seconds=None)).run()
    assert verify_ledger(store).counts["uncovered"] == 7


def test_the_end_of_a_job_is_covered_while_the_worker_goes_on(open_store, store, monkeypatch):
    monkeypatch.setattr(checkpoints, "PAUSE_SECONDS", 0.0)
    first = post(store, chained(1, request_id="first"))
    post(store, chained(1, request_id="second"))
    covered = threading.Event()

    def make(ledger, wait):
        ledger.checkpoint(wait=wait)
        covered.set()

    def handle(context):
        if context.claim.job_id != first:
            assert covered.wait(60)  # the step waits for the thread beside it, not the thread for the step
        return 1

    assert Worker(open_store, {"NOTE": handle}, checkpoint=make).run().committed == 2


def test_what_a_worker_did_at_once_is_covered_while_it_waits_for_more(open_store, store, monkeypatch):
    """Its steps are done before the first checkpoint may be made, and then nothing happens any more."""
    monkeypatch.setattr(checkpoints, "PAUSE_SECONDS", 0.5)
    post(store, chained(2))
    covered, stop = threading.Event(), threading.Event()

    def make(ledger, wait):
        ledger.checkpoint(wait=wait)
        covered.set()

    options = WorkerOptions(until_done=False)
    worker = threading.Thread(target=Worker(open_store, {"NOTE": lambda _: 1}, options, stop=stop, checkpoint=make).run)
    worker.start()
    try:
        assert covered.wait(60)
    finally:
        stop.set()
        worker.join()


@pytest.mark.parametrize(("entries", "seconds", "noted"), [(3, 36_000.0, 3), (1000, 0.01, 1)])
def test_a_checkpoint_is_made_after_so_many_steps_or_so_many_seconds(open_store, monkeypatch, entries, seconds, noted):
    monkeypatch.setattr(checkpoints, "PAUSE_SECONDS", 0.0)
    made, steps, made_after = threading.Event(), 0, []

    def make(_ledger, _wait):
        made_after.append(steps)
        made.set()

    kept = checkpoints.Checkpoints(open_store, make, entries=entries, seconds=seconds)
    for steps in range(1, noted + 1):  # noqa: B007 - `make` reads it
        kept.noted(job_left=False)
    assert made.wait(60)
    assert made_after[0] == noted
    kept.finish(None)


def test_steps_do_not_fail_with_the_log(open_store, store):
    post(store, chained(2))

    def make(_ledger, _wait):
        raise CassetteError("no")

    assert Worker(open_store, {"NOTE": lambda _: 1}, checkpoint=make).run().committed == 2


# Rights.


def opened_by(user: str, schema: str) -> PostgresStore:
    conninfo = running_server().conninfo.replace("user=postgres", f"user={user}")
    return PostgresStore(conninfo, driver=psycopg, schema=schema)


def test_workers_make_checkpoints_sealers_sign_them_and_only_the_owner_archives():
    with postgres_ledger("log_parts") as owner:
        for part in ("reader", "planner", "worker", "sealer"):
            owner.grant(login(f"log_{part}"), part)
        job = post(owner, independent(1))
        finish(owner)
        may = {"checkpoint": ("worker", "sealer"), "sign": ("sealer",), "archive": ()}
        acts = {
            "checkpoint": lambda store: store.checkpoint(),
            "sign": lambda store: store.add_checkpoint_signature(3, "key", "{}"),
            "archive": lambda store: store.archive("run", [job], bundle_sha256="0" * 64),
        }
        for part in ("reader", "planner", "worker", "sealer"):
            with opened_by(f"log_{part}", "log_parts") as store:
                for act, perform in acts.items():
                    if part in may[act]:
                        perform(store)
                    else:
                        with pytest.raises(RoleMissingError, match="permission denied"):
                            perform(store)
                for table in ("cassette_log", "cassette_checkpoints", "cassette_archives", "cassette_log_state"):
                    with pytest.raises(psycopg.errors.InsufficientPrivilege):
                        store._connection.execute(f"DELETE FROM {table}")


# Proofs.


def test_every_entry_has_a_proof_and_every_growth(store):
    post(store, chained(3))
    finish(store)
    sizes = [store.checkpoint(at_once=2) for _ in range(1)]
    post(store, independent(1, request_id="more"))
    newest = store.checkpoint()
    for index in range(newest.tree_size):
        assert check_proof(prove_entry(store, index, newest), checkpoint=newest)[0] == []
    assert check_proof(prove_growth(store, sizes[0], newest), checkpoint=newest, earlier=sizes[0])[0] == []
    with pytest.raises(UnknownStepError):
        prove_entry(store, newest.tree_size, newest)
    with pytest.raises(TamperedError):
        prove_growth(store, newest, sizes[0])


def test_a_proof_of_something_else_does_not_hold(store):
    post(store, chained(3))
    finish(store)
    first = store.checkpoint(at_once=4)
    post(store, independent(1, request_id="more"))
    newest = store.checkpoint()
    inclusion, growth = prove_entry(store, 3, newest), prove_growth(store, first, newest)
    assert check_proof({**inclusion, "log_index": 2})[0]
    assert check_proof({**inclusion, "entry": [*inclusion["entry"][:-1], "0" * 64]})[0]
    assert check_proof({**inclusion, "path": inclusion["path"][::-1]})[0]
    assert check_proof(inclusion, checkpoint=first)[0]
    assert check_proof({**growth, "earlier_root": newest.root})[0]
    assert check_proof(growth, earlier=newest)[0]
    for broken in (None, {}, {**inclusion, "path": 7}, {**inclusion, "entry": None}, {**growth, "path": ["x"]}):
        with pytest.raises(InputError):
            check_proof(broken)


def test_proofs_by_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(*words):
        return CliRunner().invoke(app.full(), [*words], catch_exceptions=False)

    with sqlite_ledger(tmp_path) as store:
        job = post(store, chained(2))
        receipt = store.complete(store.claim("w"), "SUCCESS")
    at = ("--store", "cassette.db")
    assert run("keygen", "key").exit_code == 0
    assert run("checkpoint", *at, "--key", "key", "--checkpoint-to", "old.json").exit_code == 0
    with sqlite_ledger(tmp_path) as store:
        finish(store)
    assert run("checkpoint", *at, "--key", "key", "--checkpoint-to", "kept").exit_code == 0
    (new,) = map(str, Path("kept").glob("*.json"))
    for number, words in enumerate((("--receipt", receipt.receipt_id), ("--job-id", job), ("--index", "4"))):
        assert run("prove", *at, *words, "-o", f"{number}.json").exit_code == 0
        done = run("check-proof", f"{number}.json", "--checkpoint", new, "--key", "key.pub")
        assert (done.exit_code, "is in the checkpoint of 5 entries" in done.stdout) == (0, True)
        assert run("check-proof", f"{number}.json", "--checkpoint", "old.json").exit_code == 1
    assert run("prove", *at, "--since", "old.json", "-o", "growth.json").exit_code == 0
    done = run("check-proof", "growth.json", "--since", "old.json", "--checkpoint", new, "--json")
    assert json.loads(done.stdout)["ok"] is True


# Archives.


def two_runs(store) -> None:
    for run in ("old", "new"):
        parent = post(store, chained(2, request_id=f"{run} 1"), run_id=run)
        post(store, independent(1, request_id=f"{run} 2", parent_job_id=parent), run_id=run)
    finish(store)


def test_an_archived_run_leaves_its_places_and_its_bundle_verifies(store, tmp_path):
    two_runs(store)
    seal_run(store, "old")
    before = store.checkpoint()
    assert runs_to_archive(store, before=LATER) == ["new", "old"]
    done = archive_run(store, "old", tmp_path)
    assert [job.run_id for job in store.jobs()] == ["new", "new"]
    bundle = json.loads(Path(done.path).read_text())
    verdict = verify_bundle(bundle, checkpoints=[before])
    assert (verdict.faults, verdict.counts) == ((), {"jobs": 2, "receipts": 3, "seals": 1})
    after = store.checkpoint()
    verdict = verify_ledger(store, checkpoints=[before, after])
    assert (verdict.faults, verdict.counts["archived"], verdict.counts["jobs"]) == ((), 1, 2)
    assert after.tree_size == before.tree_size + 1  # the archive has a place of its own
    assert list(check_archived(store, [bundle])) == []
    assert list(check_archived(store, []))
    with pytest.raises(ArchivedError):
        post(store, chained(2, request_id="old 1"), run_id="old")
    post(store, chained(1, request_id="another"), run_id="old")  # the run itself may go on
    with pytest.raises(UnknownStepError):
        prove_entry(store, 0, after)


def test_what_is_not_finished_or_still_needed_stays(store, tmp_path):
    two_runs(store)
    post(store, independent(1, request_id="open"), run_id="old")
    child = post(store, independent(1, request_id="child", parent_job_id=store.jobs()[2].job_id), run_id="third")
    store.complete(store.claim("w", job_id=child), "SUCCESS")
    assert runs_to_archive(store, before=LATER) == ["third"]
    assert runs_to_archive(store, before=0) == []
    for run in ("old", "new"):
        with pytest.raises(CassetteError):
            archive_run(store, run, tmp_path)
    store.checkpoint()
    with pytest.raises(CassetteError):
        store.archive("third", [child], bundle_sha256="short")
    with pytest.raises(CassetteError):
        store.archive("third", [], bundle_sha256="0" * 64)
    assert len(store.jobs()) == 6
    assert faults(store) == []


def test_what_is_not_in_the_log_is_not_archived(store):
    job = post(store, independent(1))
    finish(store)
    with pytest.raises(CassetteError):
        store.archive("run", [job], bundle_sha256="0" * 64)
    assert len(store.jobs()) == 1


def test_a_changed_bundle_of_an_archive_is_found(store, tmp_path):
    two_runs(store)
    bundle = json.loads(Path(archive_run(store, "old", tmp_path).path).read_text())
    exported = export_run(store, "new")
    for change in (
        {"jobs": bundle["jobs"][:1]},
        {"log": {**bundle["log"], "entries": bundle["log"]["entries"][1:]}},
        {"log": {**bundle["log"], "proof": bundle["log"]["proof"][::-1]}},
        {"jobs": [*bundle["jobs"][:1], {**bundle["jobs"][1], "events": bundle["jobs"][1]["events"][:1]}]},
    ):
        changed = {**bundle, **change}
        assert not verify_bundle(changed).accepted
        assert list(check_archived(store, [{**changed, "bundle_sha256": "0" * 64}]))
    assert [str(fault) for fault in verify_bundle(exported, checkpoints=[store.checkpoint()]).faults] == [
        "bundle: it was exported, not archived: it has no place in a log"
    ]


def test_a_record_of_an_archive_cannot_be_removed_or_bent(store, tmp_path):
    two_runs(store)
    archive_run(store, "old", tmp_path)
    assert faults(store) == []
    kind = store.dialect
    for statement in (
        "UPDATE cassette_archives SET bundle_sha256 = replace(bundle_sha256, 'a', 'b'), jobs = 1",
        "UPDATE cassette_archived_places SET last_index = last_index + 1",
        "DELETE FROM cassette_archived_places",
        "UPDATE cassette_archived_jobs SET message_id = 'msg_x' || job_id",
        "DELETE FROM cassette_archived_jobs",
    ):
        if kind == "postgres":
            raw = raw_connection(store.schema)
            raw.execute("SET session_replication_role = replica")
            raw.execute(statement)
            raw.close()
        else:
            raw = sqlite3.connect(store.path, isolation_level=None)
            for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
                raw.execute(f"DROP TRIGGER {name}")
            raw.execute(statement)
            raw.close()
        assert [fault for fault in faults(store) if not fault.startswith("schema")], statement


def test_archiving_by_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(*words):
        done = CliRunner().invoke(app.full(), [*words])
        return getattr(done.exception, "exit_code", done.exit_code), done.output

    at = ("--store", "cassette.db")
    with sqlite_ledger(tmp_path) as store:
        two_runs(store)
        seal_run(store, "old")
    assert run("keygen", "key")[0] == 0
    assert run("seal", *at, "--run-id", "new", "-o", "seal.json")[0] == 0
    assert run("archive", *at, "--before", "90d", "--to", "old")[1] == "0 runs archived\n"
    assert run("archive", *at, "--before", "soon", "--to", "old")[0] == 2
    assert run("archive", *at, "--before", "2100-01-01", "--run-id", "neu", "--to", "old")[0] == 2
    code, said = run("archive", *at, "--before", "2100-01-01", "--to", "old", "--key", "key")
    assert (code, said.splitlines()[-1]) == (0, "2 runs archived")
    bundles = sorted(map(str, Path("old").iterdir()))
    code, said = run("verify", *at)
    assert (code, "what 2 archives hold is in their bundles" in said) == (0, True)
    named = [word for bundle in bundles for word in ("--archived", bundle)]
    code, said = run("verify", *at, *named, "--seal", "seal.json")
    assert (code, "2 archives" in said) == (0, True), said
    assert run("verify", *at, *named[:2])[0] == 1
    for bundle in bundles:
        assert run("verify", "--bundle", bundle)[0] == 0
    new = next(bundle for bundle in bundles if "new" in bundle)
    assert run("verify", "--bundle", new, "--seal", "seal.json")[0] == 0


# Ledgers from before.


def test_a_used_ledger_of_the_second_migration_gets_its_log_when_it_is_opened():
    statements = postgres_statements("postgres.sql")
    login("log_old_worker")
    with raw_connection("log_second") as raw, raw.transaction():
        raw.execute("CREATE SCHEMA log_second")
        raw.execute(statements["create_migrations"].named)
        for migration in migrations("postgres")[:2]:
            raw.execute(migration.sql, prepare=False)
            facts = {"version": migration.version, "name": migration.name, "sha256": migration.sha256}
            raw.execute(statements["insert_migration"].named, facts)
        raw.execute("SELECT cassette_grant('log_old_worker', 'worker')")
    job = post_in_first("log_second", chained(3, request_id="old"))
    with raw_connection("log_second") as raw:
        for ordinal in (1, 2):
            raw.execute(CLAIM.format(worker="w", job=job))
            raw.execute(f"SELECT cassette_complete('run', '{job}', {ordinal}, 1, 'w', 'SUCCESS', '{{}}', 0, NULL)")
    with postgres_ledger("log_second") as store:
        assert verify_ledger(store).counts["uncovered"] == 5
        assert faults(store) == []
        with opened_by("log_old_worker", "log_second") as worker:  # its part has grown with the ledger
            finish(worker)
            made = worker.checkpoint()
        assert made.tree_size == 7
        assert faults(store, checkpoints=[made]) == []


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def test_the_ledgers_that_the_bench_measures_are_in_order(kind, tmp_path):
    spec = importlib.util.spec_from_file_location("bench_log", Path(__file__).parents[3] / "bench/log.py")
    bench = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bench)
    where = bench.fill_sqlite(tmp_path, 50, 20) if kind == "sqlite" else bench.fill_postgres(50, 20, name="bench_log")
    with open_ledger(where) as store:
        made = store.checkpoint()
        verdict = verify_ledger(store, checkpoints=[made])
    assert (verdict.faults, verdict.counts["receipts"], made.tree_size) == ((), 50, 103)
