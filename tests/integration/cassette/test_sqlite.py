"""What is special about the SQLite ledger: journal, drivers, migrations, backup."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from ledgers import chained, independent, plan_of, post, sqlite_ledger, step
from planvow.adapters.databases.opening import is_postgres, open_ledger, sqlite_driver
from planvow.cassette import SqliteStore
from planvow.cassette.databases.sqlite_file import has_wal_reset_bug
from planvow.cassette.errors import CassetteError, MigrationError, StorageError, TamperedError
from planvow.cassette.ledger.migrations import outstanding
from planvow.cassette.ledger.statements import Migration, migrations, named_statements
from planvow.cassette.proof.seal import seal_run
from planvow.cassette.proof.verify import verify_ledger
from planvow.errors import InputError


@pytest.mark.parametrize(
    ("version", "buggy"),
    [
        ((3, 40, 1), True), ((3, 44, 5), True), ((3, 44, 6), False), ((3, 45, 0), True), ((3, 50, 6), True),
        ((3, 50, 7), False), ((3, 51, 2), True), ((3, 51, 3), False), ((3, 53, 4), False), ((4, 0, 0), False),
    ],
)  # fmt: skip
def test_the_versions_that_can_lose_commits_in_wal_mode_are_known(version, buggy):
    assert has_wal_reset_bug(version) is buggy


def test_wal_is_used_only_on_a_sound_sqlite(tmp_path):
    for driver in {sqlite3, sqlite_driver()}:
        with SqliteStore(tmp_path / f"{driver.__name__}.db", driver=driver) as store:
            assert store.journal_mode == ("truncate" if has_wal_reset_bug(driver.sqlite_version_info) else "wal")
            assert store._connection.execute("PRAGMA synchronous").fetchone() == {"synchronous": 2}


MAKE_WAL = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('PRAGMA journal_mode = WAL'); "


@pytest.mark.skipif(not has_wal_reset_bug(sqlite3.sqlite_version_info), reason="this Python's SQLite is sound")
def test_an_unsound_sqlite_takes_a_ledger_out_of_wal_mode_or_refuses_it(tmp_path):
    sqlite_ledger(tmp_path).close()
    path = str(tmp_path / "cassette.db")
    subprocess.run([sys.executable, "-c", MAKE_WAL, path], check=True)
    with sqlite_ledger(tmp_path) as store:
        assert store.journal_mode == "truncate"
    stay = MAKE_WAL + "c.execute('SELECT count(*) FROM cassette_jobs').fetchall(); print(flush=True); sys.stdin.read()"
    other = subprocess.Popen([sys.executable, "-c", stay, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    other.stdout.readline()
    with pytest.raises(CassetteError, match="can lose commits"):
        sqlite_ledger(tmp_path)
    other.communicate()


@pytest.mark.skipif(not has_wal_reset_bug(sqlite3.sqlite_version_info), reason="this Python's SQLite is sound")
def test_several_that_leave_wal_mode_at_once_do_not_keep_each_other_in_it(tmp_path):
    class Hesitant(SqliteStore):
        def _choose_journal(self, *, created):
            time.sleep(0.2)  # whoever may connect meanwhile holds the file in WAL mode
            super()._choose_journal(created=created)

    def mode(path):
        with Hesitant(path) as store:
            return store.journal_mode

    sqlite_ledger(tmp_path).close()
    path = str(tmp_path / "cassette.db")
    subprocess.run([sys.executable, "-c", MAKE_WAL, path], check=True)
    with ThreadPoolExecutor(3) as threads:
        assert list(threads.map(mode, [path] * 3)) == ["truncate"] * 3


def test_two_sqlite_libraries_never_have_one_file_open_in_one_process(tmp_path):
    other = sqlite_driver()
    if other is sqlite3:
        pytest.skip("only one SQLite library is installed")
    with sqlite_ledger(tmp_path) as store, pytest.raises(CassetteError, match="already"):
        SqliteStore(store.path, driver=other)


def test_a_ledger_of_the_same_name_in_another_folder_is_another_file(tmp_path, monkeypatch):
    other = sqlite_driver()
    if other is sqlite3:
        pytest.skip("only one SQLite library is installed")
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "here")
    with SqliteStore("ledger.db", driver=sqlite3):
        monkeypatch.chdir(tmp_path / "there")
        SqliteStore("ledger.db", driver=other).close()


def test_a_ledger_of_a_newer_planvow_is_refused_before_anything_is_written():
    shipped = (Migration(version=1, name="one", sql="a"),)
    with pytest.raises(MigrationError, match="knows up to 1"):
        outstanding(shipped, [{"version": 2, "name": "two", "sha256": "x"}])
    with pytest.raises(MigrationError, match="another hash"):
        outstanding(shipped, [{"version": 1, "name": "one", "sha256": "x"}])
    assert outstanding(shipped, []) == shipped
    assert outstanding(shipped, [{"version": 1, "name": "one", "sha256": shipped[0].sha256}]) == ()


def test_an_edited_migration_history_is_refused_on_opening(tmp_path):
    sqlite_ledger(tmp_path).close()
    raw = sqlite3.connect(tmp_path / "cassette.db")
    raw.execute("DROP TRIGGER cassette_migrations_no_update")
    raw.execute("UPDATE cassette_migrations SET sha256 = 'x'")
    raw.commit()
    raw.close()
    with pytest.raises(MigrationError):
        sqlite_ledger(tmp_path)


def test_migrations_are_numbered_without_gaps_over_both_databases():
    """A number means one change; a database that it does not concern leaves it out."""
    numbers = {dialect: [m.version for m in migrations(dialect)] for dialect in ("sqlite", "postgres")}
    assert all(found == sorted(set(found)) and found[0] == 1 for found in numbers.values())
    both = {*numbers["sqlite"], *numbers["postgres"]}
    assert both == set(range(1, max(both) + 1))


def test_who_creates_a_ledger_compiles_its_statements_once(tmp_path, monkeypatch):
    asked = []
    plain = SqliteStore._authorise
    monkeypatch.setattr(SqliteStore, "_authorise", lambda *given: (asked.append(given), plain(*given))[1])
    with sqlite_ledger(tmp_path) as store:
        post(store, chained(5))
        claim = store.claim("w")
        counts = []
        while claim is not None:  # SQLite asks for leave when it compiles
            asked.clear()
            _, claim = store.complete_and_claim(claim, "SUCCESS")
            counts.append(len(asked))
    assert counts[0] > 0
    assert counts[1:4] == [0, 0, 0]


def test_a_backup_made_during_work_is_a_whole_ledger(tmp_path):
    with sqlite_ledger(tmp_path) as store:
        post(store, independent(20))
        for number in range(20):
            store.complete(store.claim("w"), "SUCCESS")
            if number % 5 == 0:
                store.backup(tmp_path / f"copy{number}.db")
        with pytest.raises(InputError, match="never overwrites"):
            store.backup(tmp_path / "copy0.db")
    for number in (0, 5, 10, 15):
        with SqliteStore(tmp_path / f"copy{number}.db") as copy:
            assert verify_ledger(copy).accepted
            assert copy.jobs()[0].committed == number + 1


def test_a_file_that_is_no_database_is_said_so(tmp_path):
    (tmp_path / "cassette.db").write_text("this is not a database, however long it may be " * 100)
    with pytest.raises(TamperedError, match="not a database"):
        sqlite_ledger(tmp_path)


def test_the_tables_have_the_names_of_the_seed(tmp_path):
    with sqlite_ledger(tmp_path) as store:
        job = post(store, chained(1))
        claim = store.claim("w")
        (row,) = store._connection.execute("SELECT * FROM cassette_steps").fetchall()
        assert (row["step_id"], row["job_id"], row["ordinal"], row["status"]) == ("s1", job, 1, "LEASED")
        assert (row["lease_owner"], row["fencing_token"]) == ("w", 1)
        store.complete(claim, "SUCCESS", bytes_used=3)
        (budget,) = store._connection.execute("SELECT * FROM cassette_job_budgets").fetchall()
        assert budget["bytes_consumed"] == 3
        (meta,) = store._connection.execute("SELECT * FROM cassette_meta").fetchall()
        assert meta == {"key": "schema_version", "value": str(migrations("sqlite")[-1].version)}


def test_a_location_says_which_database_is_meant(tmp_path):
    assert is_postgres("postgresql://host/db")
    assert is_postgres("postgres://host/db")
    assert not is_postgres("cassette.db")
    with open_ledger(str(tmp_path / "deep/er/cassette.db")) as store:
        assert isinstance(store, SqliteStore)


@pytest.mark.parametrize(
    "name", [name for name in named_statements("queries.sql") if "+job_id" in name or "+request_id+run_id" in name]
)
def test_what_names_a_job_or_a_request_of_a_run_is_found_by_an_index(tmp_path, name):
    with sqlite_ledger(tmp_path) as store:
        values = dict.fromkeys(("run_id", "job_id", "request_id"), "x")
        plan = store._connection.execute(f"EXPLAIN QUERY PLAN {named_statements('queries.sql')[name]}", values)
        assert [row["detail"] for row in plan if row["detail"].startswith("SCAN")] == []


def test_what_is_told_a_second_time_is_brought_to_the_disk_first(tmp_path):
    """F4: a commit whose last synchronisation failed is seen by the next transaction and may yet be undone."""
    with sqlite_ledger(tmp_path) as store:
        plan = independent(1)
        job = post(store, plan)
        claim = store.claim("w")
        receipt = store.complete(claim, "SUCCESS")
        seal_run(store, "run")
        onlooker = store.driver.connect(str(store.path))
        written = lambda: onlooker.execute("PRAGMA data_version").fetchone()[0]  # noqa: E731
        before = written()
        assert store.job(job).committed == 1
        assert written() == before  # reading writes nothing
        for again in (
            lambda: post(store, plan) == job,
            lambda: store.posted("run", {"request_id": plan.request_id}, idempotency_key=plan.request_id).job_id == job,
            lambda: store.complete(claim, "SUCCESS") == receipt,
            lambda: not seal_run(store, "run").created,
        ):
            before = written()
            assert again()
            assert written() > before
        onlooker.close()


def test_a_backup_that_could_not_be_finished_leaves_nothing(tmp_path):
    """Half a copy would be taken for a backup, and stand in the way of the next one."""
    resource = pytest.importorskip("resource")
    target = tmp_path / "copy.db"
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with sqlite_ledger(tmp_path) as store:
        post(store, independent(50))
        resource.setrlimit(resource.RLIMIT_FSIZE, (8192, limits[1]))
        try:
            with pytest.raises(StorageError):
                store.backup(target)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert not target.exists()
        store.backup(target)
    with SqliteStore(target) as copy:
        assert copy.integrity_check() == "ok"


def instructions_of_a_claim(store, **wanted) -> int:
    """Return how many hundreds of instructions SQLite's machine takes to lease a step."""
    hundreds = 0

    def count() -> int:
        nonlocal hundreds
        hundreds += 1
        return 0

    store._connection.set_progress_handler(count, 100)
    assert store.claim("w", **wanted) is not None
    store._connection.set_progress_handler(None, 0)
    return hundreds


def test_a_worker_of_few_operations_takes_no_longer_for_ten_thousand_foreign_steps(tmp_path):
    own, costs = {"NOTE", "OTHER"}, []
    for foreign in (10, 10_000):
        with sqlite_ledger(tmp_path / str(foreign)) as store:
            steps = [step(f"s{n}", op="FOREIGN") for n in range(foreign)]
            post(store, plan_of(*steps, request_id="foreign"))
            job = post(store, plan_of(*steps, step("own 1"), step("own 2")))
            anywhere = instructions_of_a_claim(store, operations=own)
            costs.append(anywhere + instructions_of_a_claim(store, operations=own, job_id=job))
    assert costs[1] <= 2 * costs[0]


def test_a_ledger_without_a_place_is_the_one_the_environment_names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PLANVOW_CASSETTE", str(tmp_path / "named/here.db"))
    with open_ledger():
        assert (tmp_path / "named/here.db").exists()
    with open_ledger("given.db"):
        assert (tmp_path / "given.db").exists()
    assert not (tmp_path / ".planvow").exists()
    monkeypatch.delenv("PLANVOW_CASSETTE")
    with open_ledger():
        assert (tmp_path / ".planvow/cassette.db").exists()


def test_a_post_that_fails_at_its_last_row_leaves_none_behind(tmp_path):
    with sqlite_ledger(tmp_path) as store:
        before = store.rows("row_counts")
        raw = sqlite3.connect(store.path, isolation_level=None)
        raw.execute(
            "CREATE TRIGGER refusing BEFORE INSERT ON cassette_step_states WHEN NEW.ordinal = 3"
            " BEGIN SELECT RAISE(ABORT, 'not the last one'); END"
        )
        with pytest.raises(CassetteError, match="not the last one"):
            post(store, chained(3))
        assert store.rows("row_counts") == before
        raw.execute("DROP TRIGGER refusing")
        raw.close()
        assert store.job(post(store, chained(3))).pending == 3
