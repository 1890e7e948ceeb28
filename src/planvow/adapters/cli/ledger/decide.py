"""`cassette cancel`, `schedule`, `limit` and `limits`: what operators decide, with who and why."""

from __future__ import annotations

import getpass
import socket
from typing import Annotated

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.output import print_json, print_result
from planvow.adapters.cli.frame.table import Column, table, terminal_width
from planvow.adapters.cli.ledger.moments import moment_text, start_moment
from planvow.adapters.cli.options.ledger import AsJson, RepoRoot, StoreLocation, looked_at, opened
from planvow.adapters.cli.options.working_tree import HERE
from planvow.cassette.ledger.schedule import MAX_PRIORITY, Decider, Limit, Schedule
from planvow.cassette.operate.look import find
from planvow.errors import UsageError

Job = Annotated[str, typer.Argument(metavar="JOB", help="The job; its id may be short.")]
By = Annotated[str | None, typer.Option("--by", help="Who decides; default: you, as this machine knows you.")]


def decider(by: str | None, why: str) -> Decider:
    """Return who decides and why."""
    return Decider(made_by=by if by is not None else this_person(), why=why)


def this_person() -> str:
    """Return the user as this machine knows them."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):
        user = "unknown"
    return f"{user}@{socket.gethostname()}"


def cancel(
    job: Job,
    why: Annotated[str, typer.Option("--why", help="The reason, kept with the job.")],
    by: By = None,
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
    as_json: AsJson = False,
) -> None:
    """End a job: what waits is never claimed; what runs is told to stop and ends as cancelled unless it was done."""
    with opened(repo_root, store) as ledger:
        done = ledger.cancel(find(ledger, job).job_id, decider(by, why))
    if as_json:
        print_json(vars(done))
    else:
        running = f"; {done.running} are running and end when their workers hear of it" if done.running else ""
        print_result(f"{done.job_id}: {done.cancelled} waiting steps cancelled{running}")


def schedule(
    job: Job,
    priority: Annotated[
        int | None, typer.Option(min=-MAX_PRIORITY, max=MAX_PRIORITY, help="Higher goes first; 0 is usual.")
    ] = None,
    start: Annotated[
        str | None, typer.Option("--start", help="Not before: 2030-01-31T08:00 (UTC), +10m, +2h, +1d, or now.")
    ] = None,
    why: Annotated[str, typer.Option("--why", help="The reason, kept with the job.")] = "",
    by: By = None,
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
    as_json: AsJson = False,
) -> None:
    """Give a job another priority, or a time before which it does not start."""
    if priority is None and start is None:
        raise UsageError("give --priority, --start or both")
    with opened(repo_root, store) as ledger:
        starts_at = None if start is None else start_moment(start, ledger.now_ms())
        job_id = find(ledger, job).job_id
        count = ledger.schedule(job_id, Schedule(priority=priority, starts_at=starts_at), decider(by, why))
    if as_json:
        print_json({"job_id": job_id, "open_steps": count, "priority": priority, "starts_at": starts_at})
    else:
        said = [f"priority {priority}"] if priority is not None else []
        said += [f"not before {moment_text(starts_at)}"] if starts_at is not None else []
        print_result(f"{job_id}: {', '.join(said)}, for {count} open steps")


def limit(
    operation: Annotated[str | None, typer.Option(help="Operation whose steps are limited.")] = None,
    key: Annotated[str | None, typer.Option(help='Key whose steps are limited; "*" is each key by itself.')] = None,
    at_once: Annotated[int | None, typer.Option(min=1, help="How many may run at once.")] = None,
    per_minute: Annotated[int | None, typer.Option(min=1, help="How many may begin within any minute.")] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Take the limit away.")] = False,
    why: Annotated[str, typer.Option("--why", help="The reason, kept with the ledger.")] = "",
    by: By = None,
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
    as_json: AsJson = False,
) -> None:
    """Limit how many steps of an operation, or with a key, run at once or begin in a minute, over all workers."""
    if (operation is None) == (key is None):
        raise UsageError("a limit is on an --operation or on a --key, on one of them")
    if remove != (at_once is None and per_minute is None):
        raise UsageError("give --at-once, --per-minute or both, or --remove alone")
    scope, name = ("operation", operation) if operation is not None else ("key", key)
    made = Limit(scope=scope, name=str(name), at_once=at_once, per_minute=per_minute)
    with opened(repo_root, store) as ledger:
        ledger.set_limit(made, decider(by, why))
    facts = {"scope": scope, "name": name, "at_once": at_once, "per_minute": per_minute}
    if as_json:
        print_json(facts)
    else:
        said = [f"{at_once} at once"] if at_once is not None else []
        said += [f"{per_minute} a minute"] if per_minute is not None else []
        print_result(f"{scope} {name}: {', '.join(said) or 'no limit'}")


LIMIT_COLUMNS = tuple(
    Column(name=name) for name in ("limit on", "name", "at once", "running", "a minute", "last minute")
)


def limits(repo_root: RepoRoot = HERE, store: StoreLocation = None, as_json: AsJson = False) -> None:
    """List the limits and how they stand."""
    with looked_at(repo_root, store) as ledger:
        found = ledger.limits()
    if as_json:
        print_json({"limits": [vars(one) for one in found]})
    elif not found:
        print_result("no limits")
    else:
        rows = [
            (one.scope, one.name, str(one.at_once or "·"), str(one.running), str(one.per_minute or "·"), str(one.begun))
            for one in found
        ]
        print_result(table(LIMIT_COLUMNS, rows, terminal_width()))
