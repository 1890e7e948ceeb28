"""`planvow serve` on a ledger in PostgreSQL: its login has the parts it takes, and lacks the others readably."""

from __future__ import annotations

import psycopg
import pytest

from http_servers import http_server
from planvow.cassette.databases.postgres import PostgresStore
from planvow.cassette.proof.verify import verify_ledger
from postgres_server import running_server
from vandals import login

pytestmark = pytest.mark.slow


def test_a_server_posts_as_planner_and_worker_and_decides_as_approver_and_operator(tmp_path):
    login("front")
    database = running_server()
    place = f"postgresql://front@/postgres?host={database.folder}"
    with PostgresStore(database.conninfo, driver=psycopg) as owner:
        owner.grant("front", "planner", "reader")
        with http_server(tmp_path, "--store", place, "--workers", "1") as own:
            token = {"Authorization": f"Bearer {own.token}"}

            def tried(name, question):
                status, told, _ = own.call(name, question, headers=token)
                return status, told

            plan = own.call("make_plan", {"domain": "travel"})[1]["plan_hash"]
            post = {"run_id": "trip", "plan_hash": plan}
            status, told = tried("post_plan", post)
            assert (status, told["code"]) == (409, "ROLE_MISSING"), told
            assert owner.jobs(run_id="trip") == (), "nothing is half posted"
            owner.grant("front", "worker")
            status, posted = tried("post_plan", post)
            assert (status, posted["created"]) == (200, True)
            job_id = posted["job_id"]
            approve = {"job_id": job_id, "decision": "approve", "by": "ann", "plan_hash": plan}
            assert tried("decide", approve)[1]["code"] == "ROLE_MISSING"
            owner.grant("front", "approver")
            assert tried("decide", approve)[0] == 200
            cancel = {"action": "cancel", "job_id": job_id, "by": "ann", "reason": "not any more"}
            assert tried("operate", cancel)[1]["code"] == "ROLE_MISSING"
            owner.grant("front", "operator")
            status, done = tried("operate", cancel)
            assert (status, done["steps"]) == (200, len(posted["step_ids"]))
            called = own.call("runs", {"run_id": "trip"})[1]["called"]
            assert [(line["operation"], line["by"]) for line in called if not line["refused"]] == [
                (name, "start token") for name in ("post_plan", "decide approve", "operate cancel")
            ]
            assert {line["refused"] for line in called} == {"", "ROLE_MISSING"}, (
                "who may post may note what was refused"
            )
        assert verify_ledger(owner).accepted
