"""F9: the network between worker and PostgreSQL breaks anywhere; nothing is lost and nothing happens twice."""

from __future__ import annotations

import psycopg

from fault_proxy import run_through
from planvow.cassette.databases.postgres import PostgresStore
from postgres_server import running_server


def test_f9_every_ambiguous_commit_is_resolved_by_doing_it_again(tmp_path, fault_table):
    run = run_through(tmp_path, jobs=5, steps=40, faults=50)
    broken = run.faults.total()
    done = f"{broken} faults, {run.answers_lost} answers lost, {run.tried_again} completions sent again"
    fault_table.add("F9 network to PostgreSQL", done, **run.wrong)
    assert broken > 10
    assert run.answers_lost > 0
    assert run.wrong == dict.fromkeys(run.wrong, 0)


def test_control_a_worker_that_assumes_that_its_completion_arrived_is_caught(tmp_path):
    run = run_through(tmp_path, jobs=2, steps=60, faults=40, trouble=0.08, sabotage="assume")
    assert run.kills.lost > 0


def test_a_server_that_vanishes_is_noticed_unless_the_connection_string_says_otherwise():
    with PostgresStore(running_server().conninfo, driver=psycopg, schema="patience") as store:
        assert store._connection.info.get_parameters()["tcp_user_timeout"] == "30000"
    with PostgresStore(f"{running_server().conninfo} tcp_user_timeout=5", driver=psycopg, schema="patience") as store:
        assert store._connection.info.get_parameters()["tcp_user_timeout"] == "5"
