"""F25: workers on three hosts and one PostgreSQL; a host is cut off in the middle, and nothing is lost or doubled."""

from __future__ import annotations

import pytest

from fault_hosts import needs_hosts, work_cut_off, working_hosts

HOSTS = 3


@needs_hosts
@pytest.mark.parametrize("sabotage", [None, "assume"])
def test_f25_a_host_that_is_cut_off_loses_nothing_and_doubles_nothing(tmp_path, fault_table, sabotage):
    """And workers that assume that their completion arrived are caught: the cable was out when they sent it."""
    with working_hosts(tmp_path, hosts=HOSTS, jobs=3, steps=100, sabotage=sabotage) as (hosts, commands):
        run, shares = work_cut_off(hosts, commands, before=10)
    assert all(shares)
    assert run.unfinished == 0
    if sabotage is None:
        fault_table.add(
            "F25 a host cut off", f"{HOSTS} hosts, {run.acks} acknowledged, {run.refused} late refused", **run.wrong
        )
        assert run.refused > 0
        assert run.wrong == dict.fromkeys(run.wrong, 0)
    else:
        assert run.lost > 0
