"""F13: the same requests give the same bytes in every process, locale, time zone and store."""

from __future__ import annotations

from fault_determinism import SURROUNDINGS, compare

COUNT = 300


def test_f13_plans_and_refusals_are_the_same_bytes_everywhere(tmp_path, fault_table):
    run = compare(tmp_path, count=COUNT)
    done = f"{COUNT} requests in {run.processes} processes, {run.planned} planned"
    fault_table.add("F13 determinism", done, **run.wrong)
    assert run.wrong == dict.fromkeys(run.wrong, 0)


def test_control_an_order_that_depends_on_the_hash_seed_is_caught(tmp_path):
    assert compare(tmp_path, count=3, surroundings=SURROUNDINGS[:2], sabotage=True).digests > 1
