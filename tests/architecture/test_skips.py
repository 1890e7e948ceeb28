"""The guard of CI against quiet skips lets through what is expected, and nothing else."""

from __future__ import annotations

from conftest import unexpected_skips


def test_an_unexpected_reason_is_reported():
    assert unexpected_skips([("tests/x.py::test_a", "Skipped: no PostgreSQL here")]) == [
        ("tests/x.py::test_a", "Skipped: no PostgreSQL here")
    ]


def test_an_expected_reason_may_be_given_only_so_often():
    skips = [(f"tests/x.py::test_{i}", "Skipped: not solved within 2,000 expansions") for i in range(7)]
    assert unexpected_skips(skips) == skips[6:]
