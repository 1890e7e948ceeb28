"""What may not run, and what a skill may say about itself."""

from __future__ import annotations

import pytest

from planvow.contract.errors import SandboxRefusedError
from planvow.contract.plan.manifest import Skill, read_manifest, read_skill
from planvow.contract.plan.plan import Plan, Step
from planvow.contract.running.sandbox import SandboxPolicy, plan_problems, require_allowed, step_problems
from planvow.errors import InputError


def problems(skill="x", policy=None, entry=None, **params):
    only = Step(step_id="s1", skill=skill, params=params)
    return [(p.code, p.path) for p in step_problems(only, policy=policy or SandboxPolicy(), skill=entry)]


def test_forbidden_skills_are_refused_before_anything_runs():
    plan = Plan(steps=(Step(step_id="a", skill="ok", params={}), Step(step_id="b", skill="rm", params={})))
    policy = SandboxPolicy(forbidden_skills=frozenset({"rm"}))
    assert [p.path for p in plan_problems(plan, policy=policy)] == ["$.steps[1].skill"]
    with pytest.raises(SandboxRefusedError, match="'rm' is forbidden"):
        require_allowed(plan, policy=policy)


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "../x", "a/../../x", "a\\..\\x", "~/x", "C:\\x", "\\\\host\\share", "ok\x00.txt", "a/.."]
)
def test_paths_that_leave_the_root_are_refused(path):
    assert problems(path=path) == [("path_escape", "$.params.path")]
    assert problems(deep=[{"output_file": path}]) == [("path_escape", "$.params.deep[0].output_file")]


def test_ordinary_paths_are_fine():
    assert problems(path="notes/tea..txt", file="a.b", text="/not/a/path/field", folder="…") == []


@pytest.mark.parametrize("command", ["ls; rm -rf x", "a | b", "$(x)", "`x`", "a > b", "a && b", "a\nb"])
def test_shell_metacharacters_are_refused_in_commands(command):
    assert problems(command=command) == [("shell_metacharacters", "$.params.command")]
    assert problems(argv=["ls", command]) == [("shell_metacharacters", "$.params.argv[1]")]
    assert problems(text=command) == []


def test_side_effects_need_an_idempotency_key():
    assert problems(method="POST") == [("no_idempotency_key", "$.params.idempotency_key")]
    assert problems(method="delete", idempotency_key=" ") == [("no_idempotency_key", "$.params.idempotency_key")]
    assert problems(method="POST", idempotency_key="k") == []
    assert problems(method="GET") == []
    assert problems(entry=Skill(skill_id="x", side_effects=True)) == [
        ("no_idempotency_key", "$.params.idempotency_key")
    ]


def test_each_rule_can_be_switched_off_and_placeholders_wait_until_they_are_filled():
    assert problems(path="{{a.b}}", command="{{a.c}}") == []
    off = SandboxPolicy(check_paths=False, check_shell=False, require_idempotency_keys=False)
    assert problems(policy=off, path="/x", command="a;b", method="POST") == []


def test_a_full_manifest_entry_is_read():
    skill = read_skill(
        {
            "skill_id": "fetch", "name": "Fetch", "version": "1.2.3-rc.1", "description": "d", "timeout_ms": 5,
            "input_schema": {"type": "object"}, "output_schema": {"type": "object"}, "cost_estimate_cents": 0.5,
            "deterministic": True, "side_effects": True, "permissions": ["net"],
            "retry": {"max": 2, "base_ms": 10, "multiplier": 3, "retryable_codes": ["ODD"]},
        }
    )  # fmt: skip
    assert (skill.retry.max, skill.backoff.base_ms, skill.backoff.multiplier) == (2, 10, 3)
    assert skill.retry.retryable_codes == ("ODD",)
    assert skill.permissions == ("net",)
    assert skill.side_effects


def test_none_is_unknown_and_empty_is_nothing():
    assert read_manifest(None) is None
    assert read_manifest([]) == {}
    assert list(read_manifest([{"skill_id": "b"}, {"skill_id": "a"}])) == ["b", "a"]


@pytest.mark.parametrize(
    ("entry", "place"),
    [
        ({}, "skill_id"), ({"skill_id": " "}, "skill_id"), ({"skill_id": 1}, "skill_id"), (1, r"\[0\]"),
        ({"skill_id": "a", "colour": 1}, "colour"), ({"skill_id": "a", "name": 1}, "name"),
        ({"skill_id": "a", "version": "one"}, "version"), ({"skill_id": "a", "timeout_ms": -1}, "timeout_ms"),
        ({"skill_id": "a", "timeout_ms": 1.5}, "timeout_ms"), ({"skill_id": "a", "deterministic": 1}, "deterministic"),
        ({"skill_id": "a", "cost_estimate_cents": True}, "cost_estimate_cents"),
        ({"skill_id": "a", "permissions": "net"}, "permissions"), ({"skill_id": "a", "retry": []}, "retry"),
        ({"skill_id": "a", "retry": {"max": -1}}, r"retry\.max"), ({"skill_id": "a", "retry": {"moon": 1}}, "moon"),
        ({"skill_id": "a", "input_schema": 1}, "input_schema"),
        ({"skill_id": "a", "input_schema": {"$ref": "#/x"}}, r"input_schema#/\$ref"),
        ({"skill_id": "a", "input_schema": {"properties": {"x": {"type": "moon"}}}}, "input_schema"),
    ],
)  # fmt: skip
def test_a_wrong_manifest_entry_is_named_with_its_path(entry, place):
    with pytest.raises(InputError, match=place):
        read_manifest([entry])


def test_a_skill_is_listed_once():
    with pytest.raises(InputError, match=r"tool_manifest\[1\].skill_id: .*listed twice"):
        read_manifest([{"skill_id": "a"}, {"skill_id": "a"}])
