"""Plans of the stub planner are the bytes that were reviewed. `python scripts/golden.py` rewrites them on purpose."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from planvow.canonical import canonical_bytes, is_canonical
from planvow.contract import default_registry
from planvow.contract.interface.interface import safe_plan
from planvow.contract.replaying.golden import check_golden, read_golden

FILES = sorted((Path(__file__).parent / "contract").glob("*.json"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_answer_is_the_reviewed_one_byte_for_byte(path):
    raw = path.read_bytes().rstrip(b"\n")
    assert is_canonical(raw)
    golden = read_golden(json.loads(raw))
    planner = default_registry().create(golden.meta["planner"])
    assert check_golden(golden, planner).differences == ()
    answer = safe_plan(planner, **golden.input)
    expected = golden.expected.get("error", golden.expected)
    assert canonical_bytes(answer.as_dict()) == canonical_bytes(expected)


def test_there_is_a_golden_file_for_every_default_rule_and_for_refusals():
    assert {path.stem for path in FILES} >= {"echo", "fetch", "transform", "compose", "chain", "no-skills", "no-rule"}
