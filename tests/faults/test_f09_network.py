"""F9: the network between worker and PostgreSQL breaks anywhere; nothing is lost and nothing happens twice."""

from __future__ import annotations

import psycopg
import pytest

from fault_proxy import cut_the_first_completion, run_through
from planvow.cassette.databases.postgres import PostgresStore
from postgres_server import running_server


def test_f9_every_ambiguous_commit_is_resolved_by_doing_it_again(tmp_path, fault_table):
    run = run_through(tmp_path, jobs=5, steps=40, faults=50)
    broken = run.faults.total()
    done = f"{broken} faults, {run.answers_lost} answers lost, {run.verdict.acks} acknowledged"
    fault_table.add("F9 network to PostgreSQL", done, **run.wrong)
    assert broken >= 50
    assert run.answers_lost > 0
    assert run.wrong == dict.fromkeys(run.wrong, 0)


@pytest.mark.parametrize(("way", "sabotage"), [("asking", None), ("answering", None), ("asking", "assume")])
def test_f9_a_completion_that_was_cut_is_acknowledged_when_it_is_recorded_and_once(tmp_path, way, sabotage):
    """And a worker that assumes that its completion arrived is caught: the first one never does."""
    run = cut_the_first_completion(tmp_path, way, sabotage=sabotage)
    assert run.faults[f"cut while {way}"] == 1
    assert run.verdict.unfinished == 0
    if sabotage is None:
        assert run.verdict.acks == 3
        assert run.wrong == dict.fromkeys(run.wrong, 0)
    else:
        assert run.verdict.lost == 1


def test_f9_a_worker_whose_answer_was_lost_gets_the_step_it_was_given_at_once(tmp_path):
    """Not after its lease, which lasts longer than this test may."""
    run = cut_the_first_completion(tmp_path, "answering", sabotage=None, lease_seconds=3600)
    assert run.faults["cut while answering"] == 1
    assert run.wrong == dict.fromkeys(run.wrong, 0)
    assert run.leases == 3  # each step was leased once


def test_control_a_worker_that_forgets_its_ticket_waits_for_its_own_lease(tmp_path):
    run = cut_the_first_completion(tmp_path, "answering", sabotage="forget ticket", lease_seconds=1)
    assert run.verdict.unfinished == 0
    assert run.leases == 4


def test_a_server_that_vanishes_is_noticed_unless_the_connection_string_says_otherwise():
    with PostgresStore(running_server().conninfo, driver=psycopg, schema="patience") as store:
        assert store._connection.info.get_parameters()["tcp_user_timeout"] == "30000"
    with PostgresStore(f"{running_server().conninfo} tcp_user_timeout=5", driver=psycopg, schema="patience") as store:
        assert store._connection.info.get_parameters()["tcp_user_timeout"] == "5"
