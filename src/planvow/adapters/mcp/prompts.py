"""Prompts that people pick in a client: explain a plan, repair one, plan and say what stands in the way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import mcp_types as types

from planvow.errors import InputError, did_you_mean

INSTRUCTIONS = """planvow plans; it never executes. Every plan is the same for the same question and can be checked.

1. list_planners shows domains, their tasks and an example agenda.
2. make_plan (Python domains), plan_goal (wishes, tool lists), solve_hddl (HDDL text) or compile_request make a plan. \
Its plan_hash goes into explain, verify, diff, post_plan and plan://HASH.
3. A refusal names a code, the reason and what to change. Change that and ask again; asking the same again gives the \
same answer. status no_plan is a proof, not a failure to try harder.
4. After a failed step call replan with its number and what was observed; do not patch steps by hand.
5. Before relying on a plan call verify; show the user what explain says."""


class Prompt(NamedTuple):
    """A prompt with its arguments, all of them texts."""

    description: str
    arguments: Mapping[str, str]
    text: str


PROMPTS = {
    "explain_plan": Prompt(
        "Explain a plan to somebody who did not ask for it.",
        {"plan_hash": "Hash of the plan"},
        "Call explain with plan_hash {plan_hash} and verify with the same hash. Then say in plain words: what the plan "
        "does step by step, why each method was chosen and which alternatives were refused, and what the verdict does "
        "not prove.",
    ),
    "repair_plan": Prompt(
        "Repair a plan after a step failed.",
        {"domain": "Domain", "failed_step": "Number of the step", "observed": "What was seen, as JSON facts"},
        "Step {failed_step} of the plan for domain {domain} failed. Seen was: {observed}. Call replan with the goal "
        "and facts of that plan, failed_step {failed_step} and what was observed. If it refuses, say what would have "
        "to change. Otherwise call diff with the old and the new plan_hash and show the difference.",
    ),
    "why_no_plan": Prompt(
        "Find out why there is no plan and what would help.",
        {"domain": "Domain", "goal": "Agenda as JSON"},
        "Call make_plan with domain {domain} and goal {goal}. If it refuses, call explain with the same arguments, "
        "then try the smallest change of facts or goal that the reason suggests, and report what helped. Never invent "
        "tasks that list_planners does not show.",
    ),
}


def prompts() -> list[types.Prompt]:
    """Return the prompts as clients list them."""
    return [
        types.Prompt(
            name=name,
            description=prompt.description,
            arguments=[
                types.PromptArgument(name=each, description=words, required=True)
                for each, words in prompt.arguments.items()
            ],
        )
        for name, prompt in PROMPTS.items()
    ]


def filled(name: str, given: Mapping[str, str]) -> types.GetPromptResult:
    """Return a prompt with its arguments filled in."""
    prompt = PROMPTS.get(name)
    if prompt is None:
        raise InputError(f"there is no prompt {name!r:.60}", hint=did_you_mean(name, PROMPTS))
    missing = [each for each in prompt.arguments if each not in given]
    if missing:
        raise InputError(f"the prompt {name} needs {missing[0]}", place=missing[0])
    text = prompt.text.format(**{each: given[each] for each in prompt.arguments})
    message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
    return types.GetPromptResult(description=prompt.description, messages=[message])
