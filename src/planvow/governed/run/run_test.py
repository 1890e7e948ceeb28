"""RUN_TEST: the command that the policy has under a name, contained, its output kept beside the ledger.

A failing test fails the step unless the plan expects it. The receipt says what contained the test; what the test
printed differs every time and goes into a log.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from planvow.cassette.contained.run import Order, run_contained
from planvow.cassette.errors import CommandEndedError, NotContainedError
from planvow.cassette.work.values import StepContext, StepResult
from planvow.errors import did_you_mean
from planvow.governed.errors import OperationError
from planvow.governed.run.workshop import Workshop
from planvow.governed.sections.policy import Policy


def run_test(shop: Workshop, policy: Policy, refs: Mapping[str, Any], step: StepContext) -> StepResult:
    """RUN_TEST: the command the policy has under this name, contained; failing fails the step unless it is expected."""
    name = refs["test_name"]
    command = policy.commands.get(name)
    if command is None:
        near = did_you_mean(name, policy.commands)
        raise OperationError(
            f"the test {name!r} is not on the allow-list, [run_test.commands] in planvow.toml"
            + (f"; {near}" if near else "")  # a receipt keeps the message only
        )
    shop.check_ledger()
    log = shop.data_folder / "logs" / f"{step.attempt_token}.txt"
    log.parent.mkdir(parents=True, exist_ok=True)
    order = Order(
        command=command,
        tree=shop.tree(policy),
        quarantine=shop.data_folder / "quarantine" / step.attempt_token,
        timeout_seconds=min(step.payload["constraints"].get("timeout_seconds", 86_400), policy.timeout_seconds),
        limits=policy.limits,
        environment=policy.environment,
        readable=policy.readable,
        uncontained=policy.uncontained,
        cancelled=step.lease_lost.is_set,
        unsettled=shop.data_folder / "unsettled",
    )
    try:
        run = run_contained(order)
    except CommandEndedError as error:
        log.write_bytes(error.printed)
        raise OperationError(f"the test {name!r} gave no result: {error.message}; see logs/{log.name}") from None
    except NotContainedError as error:
        raise NotContainedError(
            f"the test {name!r} was not run: {error.message}; a policy may say uncontained = true under [run_test]"
        ) from None
    log.write_bytes(run.printed)
    if run.exit_code != 0 and "exit_code" not in step.payload["expected_outputs"]:
        raise OperationError(
            f"the test {name!r} ended with exit code {run.exit_code} (containment: {run.containment}); "
            f"see logs/{log.name}"
        )
    output = {"test_name": name, "exit_code": run.exit_code, "containment": run.containment, "log": f"logs/{log.name}"}
    return StepResult(output=output)
