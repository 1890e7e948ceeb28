"""What an operator must be able to rely on: refused calls leave a trace, and a ledger that is away is said to be."""

from __future__ import annotations

from http_servers import http_server
from planvow.cassette.databases.sqlite import SqliteStore
from planvow.cassette.proof.verify import verify_ledger
from planvow.service.records.audit import calls_of


def test_a_refused_call_is_noted_with_who_sent_it_and_a_flood_of_them_is_one_note(tmp_path):
    ledger = tmp_path / "cassette.db"
    with http_server(tmp_path, "--workers", "1", "--store", str(ledger)) as own:
        token = {"Authorization": f"Bearer {own.token}"}
        cancel = {"action": "cancel", "by": "eve", "reason": "because"}
        assert own.call("operate", {**cancel, "job_id": "job_0"}, headers=token)[0] == 404
        assert not ledger.exists(), "being refused makes no ledger"
        plan = own.call("make_plan", {"domain": "travel"})[1]["plan_hash"]
        job_id = own.call("post_plan", {"run_id": "trip", "plan_hash": plan}, headers=token)[1]["job_id"]
        approve = {"job_id": job_id, "decision": "approve", "by": "eve", "plan_hash": "0" * 64}
        assert own.call("decide", approve, headers=token)[0] == 409
        for _ in range(30):
            assert own.call("operate", {**cancel, "job_id": job_id}, headers={"Authorization": "Bearer x"})[0] == 403
        assert own.call("operate", {**cancel, "job_id": "job_1"}, headers=token)[0] == 404
        called = own.call("runs", {"run_id": "trip"})[1]["called"]
        assert [(line["operation"], line["refused"], line["by"]) for line in called] == [
            ("post_plan", "", "start token"),
            ("decide", "NOTHING_TO_DECIDE", "start token"),
        ]
    with SqliteStore(ledger) as store:
        (day,) = [job for job in store.jobs() if job.run_id != "trip"]
        noted = [(line.operation, line.refused, line.by) for line in calls_of(store, day.job_id)]
        assert noted == [
            ("operate", "RIGHT_MISSING", "address 127.0.0.1"),
            ("operate", "UNKNOWN_STEP", "start token"),
        ]
        assert verify_ledger(store).accepted


def test_a_ledger_that_is_away_is_a_503_that_says_when_to_come_back(tmp_path):
    nowhere = f"postgresql://nobody@/none?host={tmp_path}"
    with http_server(tmp_path, "--workers", "1", "--store", nowhere) as own:
        token = {"Authorization": f"Bearer {own.token}"}
        for name, question in (
            ("runs", {}),
            ("ledger_figures", {}),
            ("operate", {"action": "cancel", "by": "ann", "reason": "why not", "job_id": "job_0"}),
        ):
            status, told, kind = own.call(name, question, headers=token)
            assert (status, told["code"], kind) == (503, "LEDGER_UNREACHABLE", "application/problem+json"), name
            assert int(own.headers["Retry-After"]) >= 1
        status, text, headers = own.ask("GET", "/api/v1/runs/trip/events")
        assert (status, headers["Retry-After"]) == (503, "2"), text
        status, text, headers = own.ask("GET", "/console/")
        assert (status, headers["Retry-After"]) == (503, "2")
        assert "The ledger is away" in text
        assert own.call("make_plan", {"domain": "travel"})[0] == 200, "planning needs no ledger"
        figures = own.ask("GET", "/metrics")[1]
        assert "planvow_ledger_up 0.0" in figures
        assert "planvow_steps_ready" not in figures, "nought would look like an empty queue"
