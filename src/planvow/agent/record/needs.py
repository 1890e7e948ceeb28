"""Where a person must agree before something runs: what tools say of their steps, and what a policy says of a plan."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from planvow.agent.tools.bind import BoundTool
from planvow.cassette.dossier import Needs
from planvow.cassette.work.confidential import has_placeholder
from planvow.errors import InputError

Policy = Callable[[Sequence[tuple[Any, ...]]], Any]
"""Looks at the commands of a plan; returns None, or why a person must see the plan, or reasons by step number."""


def needs_of(
    commands: Sequence[tuple[Any, ...]],
    steps: Sequence[Mapping[str, Any]],
    tools: Mapping[str, BoundTool],
    policy: Policy | bool | str | None,
) -> Needs:
    """Return what of a plan needs a person's approval, with the reasons."""
    reasons: dict[str, str] = {}
    for step in steps:
        bound = tools.get(step["skill"])
        wanted = bound.tool.needs_approval if bound is not None else False
        if callable(wanted):
            params = step["params"]  # with placeholders, it is not known yet whether they fit
            wanted = wanted(**(params if has_placeholder(params) else bound.arguments(params))) if bound else False
        if wanted:
            reasons[step["step_id"]] = wanted if isinstance(wanted, str) else f"{step['skill']} needs a person"
    said = policy(commands) if callable(policy) else policy
    if isinstance(said, Mapping):
        for number, reason in said.items():
            if not isinstance(number, int) or not 1 <= number <= len(steps):
                raise InputError(f"the policy speaks of step {number!r:.40}; there are {len(steps)}", place="policy")
            reasons[steps[number - 1]["step_id"]] = str(reason)
        said = None
    whole = None if not said else said if isinstance(said, str) else "this plan needs a person"
    return Needs(plan=whole, steps=reasons)
