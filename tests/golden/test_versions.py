"""Documents of other versions are refused by their version, never misread; those of this version are read."""

from __future__ import annotations

import base64
import json
import shutil
import sqlite3

import pytest

from golden.corpus.case import FILES, Kept
from golden.corpus.command import printed
from golden.corpus.governed import index_path, repository
from golden.corpus.ledger import finished_run, ledger
from planvow import PlanvowError, verify
from planvow.cassette import SqliteStore
from planvow.cassette.proof.bundle import export_run, verify_bundle
from planvow.cassette.proof.kept_seal import read_kept_seal
from planvow.cassette.proof.seal import seal_run
from planvow.contract.replaying.golden import read_golden
from planvow.contract.replaying.recordings import read_recording
from planvow.contract.running.run_document import read_run
from planvow.debate.analysis.facts import FactStore
from planvow.debate.scoring.model import shipped_table, table_from_json, table_to_json
from planvow.governed import PlannerError, RequestPlanner

OTHERS = (0, 99, 17)


def kept(name):
    return json.loads(Kept.read(FILES / f"{name}.golden").body)


def checked_certificate(document):
    fault = verify(document).fault
    if fault is not None:
        raise PlanvowError(fault.message, place=fault.place)


def recording():
    return kept("contract/recorded")[0][1]


def weights():
    return json.loads(table_to_json(shipped_table("lite")))


# A document as it is kept, where its version stands in it, and what reads it.
JSON_DOCUMENTS = {
    "certificate": (lambda: kept("htn/travel.problem.certificate"), checked_certificate),
    "golden file": (lambda: kept("contract/stub.echo"), read_golden),
    "recording": (recording, read_recording),
    "run": (lambda: kept("contract/run"), read_run),
    "weights": (weights, lambda document: table_from_json(json.dumps(document))),
}


def with_number(version, number):
    name, _, _ = version.partition("/")
    return f"{name}/{number}"


@pytest.mark.parametrize("name", JSON_DOCUMENTS)
def test_a_document_of_this_version_is_read(name):
    document, read = JSON_DOCUMENTS[name]
    read(document())


@pytest.mark.parametrize("number", OTHERS)
@pytest.mark.parametrize("name", JSON_DOCUMENTS)
def test_a_document_of_another_version_is_refused_and_the_right_one_named(name, number):
    make, read = JSON_DOCUMENTS[name]
    document = make()
    version = document["format"]
    with pytest.raises(PlanvowError) as refused:
        read({**document, "format": with_number(version, number)})
    assert version in str(refused.value)


@pytest.mark.parametrize("number", OTHERS)
@pytest.mark.parametrize("name", ["golden file", "recording", "run"])
def test_the_replay_command_refuses_other_versions(name, number, tmp_path):
    make, _ = JSON_DOCUMENTS[name]
    document = make()
    path = tmp_path / "document.json"
    path.write_text(json.dumps({**document, "format": with_number(document["format"], number)}))
    printed("replay", path, code=2)


@pytest.fixture
def sealed():
    with ledger() as (_, store, _again):
        finished_run(store)
        seal = seal_run(store, "run")
        yield export_run(store, "run"), seal.envelope


def test_a_bundle_of_this_version_is_checked_and_another_refused(sealed):
    bundle, _ = sealed
    assert verify_bundle(bundle).accepted
    for number in OTHERS:
        with pytest.raises(PlanvowError, match=bundle["format"]):
            verify_bundle({**bundle, "format": with_number(bundle["format"], number)})


def test_a_seal_of_this_version_is_read_and_another_refused(sealed):
    _, envelope = sealed
    assert read_kept_seal(envelope).run_id == "run"
    said = json.loads(base64.b64decode(envelope["payload"]))
    for number in OTHERS:
        other = json.dumps({**said, "seal": with_number(said["seal"], number)}).encode()
        with pytest.raises(PlanvowError, match=said["seal"]):
            read_kept_seal({**envelope, "payload": base64.b64encode(other).decode()})
        with pytest.raises(PlanvowError, match="v1"):
            read_kept_seal({**envelope, "payloadType": envelope["payloadType"].replace("v1", f"v{number}")})


@pytest.mark.parametrize("version", ["planvow-facts/0", "planvow-facts/2"])
def test_a_fact_store_of_another_version_is_refused(version, tmp_path):
    path = tmp_path / "facts.db"
    FactStore.create(path, [{"claim": "tea is hot", "status": "VERIFIED"}]).close()
    assert len(FactStore.open(path)) == 1
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE meta SET format = ?", (version,))
    with pytest.raises(PlanvowError, match=version):
        FactStore.open(path)


def test_a_ledger_with_a_newer_migration_or_another_first_one_is_refused(tmp_path):
    for name, change in (
        ("newer", "UPDATE cassette_migrations SET version = version + 90"),
        ("other", "UPDATE cassette_migrations SET sha256 = 'x'"),
    ):
        path = tmp_path / f"{name}.db"
        SqliteStore(path).close()
        with sqlite3.connect(path) as connection:
            for trigger in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
                connection.execute(f"DROP TRIGGER {trigger[0]}")
            connection.execute(change)
        with pytest.raises(PlanvowError) as refused:
            SqliteStore(path)
        assert refused.value.code == "MIGRATION"


@pytest.mark.parametrize("version", [1, 3, 99])
def test_an_index_of_another_version_is_refused_by_planners(version, tmp_path):
    with repository("sqlite") as (root, data, _):
        copied = tmp_path / "data"
        shutil.copytree(data, copied)
        path = index_path("sqlite", copied)
        with sqlite3.connect(path) as connection:
            connection.execute(f"PRAGMA user_version = {version}")
        request = {"run_id": "r", "request_id": "q", "intent": "look", "budgets": {"max_steps": 3}}
        with RequestPlanner(root, path) as planner, pytest.raises(PlannerError, match=f"found {version}"):
            planner.plan_request(request, substrate="sqlite")
