"""F17: a process with an open ledger does not fork, and a ledger that got into a child refuses to work there."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import subprocess
import sys

import pytest

from ledgers import chained, post, sqlite_ledger
from planvow.cassette.errors import ForkRefusedError
from postgres_server import postgres_ledger


@pytest.fixture(params=["sqlite", "postgres"])
def store(request, tmp_path):
    opened = sqlite_ledger(tmp_path) if request.param == "sqlite" else postgres_ledger()
    yield opened
    opened.close()


def test_f17_forking_with_an_open_ledger_is_refused_in_every_way(store, fault_table):
    post(store, chained(1))
    ways = [os.fork, os.forkpty, multiprocessing.get_context("fork").Process(target=print).start]
    forked = 0
    for fork in ways * 5:
        try:
            child = fork()
        except ForkRefusedError:
            continue
        forked += 1
        if child == 0:
            os._exit(0)
    fault_table.add(f"F17 forks with {type(store).__name__}", f"{len(ways) * 5} forks in 3 ways", not_refused=forked)
    assert forked == 0
    assert store.claim("w") is not None


def test_f17_a_ledger_inherited_behind_pythons_back_refuses_to_work(store):
    post(store, chained(1))
    code = 7
    child = ctypes.CDLL(None).fork()  # the C function knows no audit hook
    if child == 0:
        for use in (lambda: store.claim("child"), lambda: store.jobs(), store.requeue_expired, store.close):
            try:
                use()
            except ForkRefusedError:
                continue
            os._exit(1)
        os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == code
    assert store.claim("parent") is not None


def test_f17_processes_that_are_started_afresh_are_fine(store):
    assert subprocess.run([sys.executable, "-c", ""], check=True).returncode == 0


def test_control_a_closed_ledger_refuses_no_fork(store):
    store.close()
    child = os.fork()
    if child == 0:
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
