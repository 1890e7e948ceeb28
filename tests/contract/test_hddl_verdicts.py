"""The verifier agrees with the field's own on every judged plan (issue 8, gate)."""

from __future__ import annotations

import json

from hddl_instances import IPC, load_problem, needs_ipc
from planvow.hddl.language.errors import PlanFormatError
from planvow.hddl.language.plan_format import parse_plan
from planvow.hddl.verify.verifier import verify_plan


@needs_ipc
def test_verifier_agrees_with_the_field_on_all_917_plans():
    differences = []
    judged = [json.loads(line) for line in (IPC / "verdicts.jsonl").read_text("utf-8").splitlines()]
    for number, case in enumerate(judged):
        problem = load_problem(IPC / case["domain"], IPC / case["problem"])
        try:
            verdict = verify_plan(problem, parse_plan(case["plan"]))
        except PlanFormatError:
            valid = False
        else:
            valid = verdict.accepted
            assert valid or verdict.reason
        if valid != case["valid"]:
            differences.append((number, case["problem"], case["corruption"]))
    assert differences == []
    assert len(judged) == 917
