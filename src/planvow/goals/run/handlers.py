"""What a ledger's worker does for goal plans: file tools in a workspace, launches through an opener that is given.

A dry run performs nothing and says what it would have done; it is the default. What is true already is skipped: file
tools look at the disk; launches ask `running` just before they act, and the snapshot of the world where it cannot tell
(which page a browser shows is known from the snapshot only). Only apps the configuration names are launched: a
program is not started because it happens to be called like a word of the sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from planvow.cassette.work.values import Handler, StepContext
from planvow.errors import RefusedError
from planvow.goals.run.workspace import FILE_TOOLS, SKIPPED, Workspace
from planvow.goals.values.values import WorldState

LAUNCHER = "system.apps.launch.shell"
Opener = Callable[[str, str | None], str]
"""Opens an app, or an address with an app; returns a sentence about what it did."""


def goal_handlers(
    workspace: Workspace,
    *,
    opener: Opener | None = None,
    launchable: Collection[str] = (),
    world: WorldState | None = None,
    running: Callable[[str], bool | None] = lambda _app: None,
    dry_run: bool = True,
) -> Mapping[str, Handler]:
    """Return the handlers of the tools that ship with planvow."""
    known = world or WorldState()

    def files(step: StepContext) -> dict[str, Any]:
        args = step.payload["args"]
        workspace.check(step.claim.op, args)  # in a dry run too
        if dry_run:
            return {"status": "dry_run", "would": step.claim.op, "args": dict(args)}
        return workspace.run(step.claim.op, args, step.attempt_token, step=step.idempotency_key)

    def launch(step: StepContext) -> dict[str, Any]:
        args = step.payload["args"]
        if args["app_name"].casefold() not in launchable:
            raise RefusedError(
                f"{args['app_name']!r:.80} is no app that may be launched; [apps] in a --config file adds it"
            )
        if _is_open(args, known, running):
            return dict(SKIPPED)
        if dry_run:
            return {"status": "dry_run", "would": step.claim.op, "args": dict(args)}
        if opener is None:
            raise RefusedError("this worker launches nothing; planvow goal --run --yes does")
        return {"status": "done", "did": opener(args["app_name"], args.get("url"))}

    return {**dict.fromkeys(FILE_TOOLS, files), LAUNCHER: launch}


def handlers_for_stored_goals(workspace: Workspace, launchable: Collection[str] = ()) -> Mapping[str, Handler]:
    """Return handlers for any worker of a ledger: whether a job is meant or dry stands in its own request.

    So a run that was interrupted can be finished by whoever works on the ledger. Nothing is launched.
    """
    by_meaning = {dry: goal_handlers(workspace, launchable=launchable, dry_run=dry) for dry in (True, False)}

    def perform(step: StepContext) -> Any:
        is_meant = isinstance(step.request, Mapping) and step.request.get("dry_run") is False
        return by_meaning[not is_meant][step.claim.op](step)

    return dict.fromkeys(by_meaning[True], perform)


def _is_open(args: Mapping[str, Any], world: WorldState, running: Callable[[str], bool | None]) -> bool:
    now = running(args["app_name"])
    if args.get("url") is not None:
        return now is not False and world.browser_running and world.browser_last_url == args["url"]
    return args["app_name"] in world.running_apps if now is None else now
