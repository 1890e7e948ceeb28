"""`cassette work`: run steps, in this process or in several."""

from __future__ import annotations

import _thread
import json
import os
import signal
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.output import keep_stdout_for_results, note, print_json, print_result
from planvow.adapters.cli.ledger.identity import name_of_key
from planvow.adapters.cli.options.keys import CheckpointTo, signers
from planvow.adapters.cli.options.ledger import AsJson, RepoRoot, StoreLocation, location
from planvow.adapters.cli.options.working_tree import DEFAULT_KIND, HERE, DataFolder, SubstrateKind, repository
from planvow.adapters.databases.opening import is_postgres, open_ledger
from planvow.adapters.machine.modules import load_module
from planvow.adapters.machine.secrets import SECRET_PREFIX
from planvow.adapters.telemetry.opentelemetry_spans import begin_telemetry
from planvow.adapters.tool_servers.policy_files import policy_files
from planvow.cassette.errors import CassetteError
from planvow.cassette.ledger.model import MAX_LEASE_MS, Claim, Outcome, Receipt
from planvow.cassette.ledger.store import Store
from planvow.cassette.proof.checkpoint import keep_checkpoint, sign_checkpoint
from planvow.cassette.signing.dsse import Signer
from planvow.cassette.signing.receipts import signed_body
from planvow.cassette.work.checkpoints import Make
from planvow.cassette.work.patience import patiently
from planvow.cassette.work.pool import run_pool
from planvow.cassette.work.values import Handler, WorkerOptions, WorkReport, new_worker_id, worker_id_prefix
from planvow.cassette.work.worker import Worker
from planvow.errors import EXIT_REFUSED, InputError, MissingExtraError, PlanvowError, did_you_mean
from planvow.goals.run.handlers import handlers_for_stored_goals
from planvow.goals.run.workspace import Workspace
from planvow.goals.values.config import default_config
from planvow.governed.run.operations import governed_handlers
from planvow.governed.run.workshop import Workshop
from planvow.service.declare.setting import Setting


def work(
    run_id: Annotated[str | None, typer.Option("--run-id", help="Only steps of this run.")] = None,
    job_id: Annotated[str | None, typer.Option("--job-id", help="Only steps of this job.")] = None,
    workers: Annotated[int, typer.Option("--workers", min=1, max=64, help="How many processes.")] = 1,
    operations: Annotated[
        str | None, typer.Option(help="MODULE.py or MODULE.py:NAME with a mapping from operation to function.")
    ] = None,
    tools: Annotated[
        Path | None, typer.Option(help="The reviewed tools (tools.toml) whose steps this worker runs.")
    ] = None,
    allow_command: Annotated[
        bool, typer.Option("--allow-command", help="With --tools: start the servers' commands.")
    ] = False,
    lease_seconds: Annotated[
        float, typer.Option(min=0.1, max=MAX_LEASE_MS / 1000, help="How long a silent worker keeps its step.")
    ] = 300.0,
    watch: Annotated[bool, typer.Option("--watch", help="Wait for new steps instead of ending.")] = False,
    spread: Annotated[
        bool, typer.Option("--spread", help="Go over jobs instead of finishing the oldest first.")
    ] = False,
    key: Annotated[
        Path | None, typer.Option("--key", help="Private key (PEM) of this worker, registered: it signs its receipts.")
    ] = None,
    metrics_port: Annotated[
        int, typer.Option("--metrics-port", min=0, max=65535, help="Figures for Prometheus at this port; 0: none.")
    ] = 0,
    metrics_host: Annotated[str, typer.Option("--metrics-host", help="The address for them.")] = "127.0.0.1",
    checkpoint_to: CheckpointTo = None,
    checkpoint_key: Annotated[
        Path | None, typer.Option("--checkpoint-key", help="Private key (PEM) to sign checkpoints with.")
    ] = None,
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
    substrate: SubstrateKind = DEFAULT_KIND,
    data: DataFolder = None,
    as_json: AsJson = False,
) -> None:
    """Claim steps and run them until none is left. Exit 0, or 1 when a step failed or is left for others.

    Only steps of operations this worker has a function for are claimed. The first Ctrl-C or SIGTERM lets the current
    step finish; a second one hands it back at once. A step that needs a person is left waiting (`approvals`). Secrets
    that plans name (`{{secret.NAME}}`) are taken from the environment, as PLANVOW_SECRET_NAME.
    """
    where = location(repo_root, store, data)
    own = signers(key)
    begin_telemetry()

    def begin() -> tuple[int, str | None]:
        with open_ledger(where, must_exist=True) as ledger:
            if not watch:  # what is not there yet may still come
                ledger.check_known(run_id=run_id, job_id=job_id)
            return ledger.now_ms(), name_of_key(ledger, own[0]) if own else None

    since, name = patiently(begin, waiting=_say_why)
    figures = _figures(where, metrics_port, metrics_host) if metrics_port else None
    with _stopping_on_signals() as stop:
        if workers > 1:
            said: list[bytes] = []
            silent: list[int] = []
            failed = run_pool(
                _same_command(), workers, stop=stop, note=note, answered=said.append, unanswered=silent.append
            )
            left = patiently(lambda: _left_by(silent, name, where, since), waiting=_say_why)
            _print_report(_sum(said, left), as_json)
            raise typer.Exit(EXIT_REFUSED if failed else 0)
        options = WorkerOptions(
            worker_id=new_worker_id(name),
            run_id=run_id,
            job_id=job_id,
            lease_ms=int(lease_seconds * 1000),
            spread=spread,
            until_done=not watch,
        )
        policy = () if tools is None else policy_files(tools)
        handlers = _handlers(where, repo_root, data, substrate, operations, policy)
        if tools is not None:
            _add_tools(handlers, tools, allow_command, where)
        keep = _keeping(checkpoint_to, signers(checkpoint_key))
        sign = partial(signed_body, own[0]) if own else None
        worker = Worker(
            lambda: open_ledger(where),
            handlers if figures is None else figures.timed(handlers),
            options,
            stop=stop,
            on_receipt=_say if figures is None else partial(_counted, figures),
            checkpoint=keep,
            secrets=_secrets(),
            sign=sign,
        )
        report = worker.run()
    _print_report(report, as_json)
    for name in report.missing_operations:
        if not as_json and (hint := did_you_mean(name, handlers)) is not None:
            note(f"no function here for {name!r}; {hint}")
    if report.failed or report.missing_operations:
        raise typer.Exit(EXIT_REFUSED)


def _print_report(report: WorkReport, as_json: bool) -> None:
    if as_json:
        print_json(vars(report))
    else:
        again = f", {report.retried} tried again" if report.retried else ""
        again += f", {report.cancelled} cancelled" if report.cancelled else ""
        lost = f", {report.lost} lost to other workers" if report.lost else ""
        names = ", ".join(report.missing_operations)
        left = f"; left for a worker that has {names}" if names else ""
        later = ", ".join(report.later_operations)
        left += f"; not to start yet: {later} (--watch waits for it)" if later else ""
        left += (
            f"; {report.held} wait{'s' if report.held == 1 else ''} for a person: cassette approvals"
            if report.held
            else ""
        )
        print_result(f"{report.committed} committed, {report.failed} failed{again}{lost}{left}")


def _left_by(pids: list[int], name: str | None, where: str, since: int) -> list[Receipt]:
    """Return the receipts of processes that ended before they could report."""
    if not pids:
        return []
    with open_ledger(where) as ledger:
        return [receipt for pid in pids for receipt in ledger.receipts_by(worker_id_prefix(pid, name), since=since)]


def _sum(said: list[bytes], left: list[Receipt]) -> WorkReport:
    """Add up what the processes of a pool reported, and what stands in the ledger from those that could not."""
    answers: list[Mapping[str, Any]] = [json.loads(text) for text in said if text.strip()]
    for receipt in left:
        failure = "failed" if receipt.retry_after_ms is None else "retried"
        counted = {Outcome.SUCCESS: "committed", Outcome.FAILURE: failure}.get(receipt.outcome)
        answers.append({counted: 1} if counted is not None else {})
    names = ("committed", "failed", "retried", "cancelled", "lost")
    missing = {name for answer in answers for name in answer.get("missing_operations", ())}
    later = {name for answer in answers for name in answer.get("later_operations", ())}
    return WorkReport(
        **{name: sum(answer.get(name, 0) for answer in answers) for name in names},
        missing_operations=tuple(sorted(missing)),
        later_operations=tuple(sorted(later)),
        held=max((answer.get("held", 0) for answer in answers), default=0),
    )


def _secrets() -> dict[str, str]:
    """Return the secrets this worker was started with, by the names they have in plans."""
    return {
        name.removeprefix(SECRET_PREFIX): value for name, value in os.environ.items() if name.startswith(SECRET_PREFIX)
    }


def _handlers(
    where: str,
    repo_root: Path,
    data: Path | None,
    substrate: str,
    operations: str | None,
    policy: tuple[Path, ...],
) -> dict[str, Handler]:
    place = repository(repo_root, data)
    shop = Workshop(
        root=place.root,
        data_folder=place.data_folder,
        substrate=substrate,
        ledger=None if is_postgres(where) else Path(where),
        closed=(*policy, *(() if operations is None else (Path(operations.partition(":")[0]),))),
    )
    config = default_config()
    goals = handlers_for_stored_goals(Workspace(place.root, closed=policy), (*config.apps, *config.browsers))
    handlers = {**goals, **governed_handlers(shop)}
    if operations is not None:
        path, _, name = operations.partition(":")
        keep_stdout_for_results()
        found = getattr(load_module(Path(path)), name or "HANDLERS", None)
        if not isinstance(found, Mapping) or not all(callable(function) for function in found.values()):
            raise InputError(
                f"{name or 'HANDLERS'} is not a mapping from operation names to functions", place=operations
            )
        handlers.update(found)
    return handlers


def _add_tools(handlers: dict[str, Handler], review: Path, allow_command: bool, where: str) -> None:
    """Add a handler for every tool of a policy; one that is called like an operation of our own is refused."""
    from planvow.adapters.tool_servers.equipment import import_tools
    from planvow.adapters.tool_servers.handlers import tool_handlers

    imported = import_tools(review, allow_command=allow_command)
    taken = sorted(handlers.keys() & imported.keys())
    if taken:
        raise InputError(f"an operation of this worker is called {taken[0]!r} already", place=str(review))
    handlers |= tool_handlers(imported, secrets=_secrets(), open_store=lambda: open_ledger(where))


def _same_command() -> list[str]:
    """This command line again, for one worker: the last --workers wins."""
    words = sys.argv[1:]
    if Path(sys.argv[0]).stem == "cassette":
        words = ["cassette", *words]
    return [sys.executable, "-m", "planvow", *words, "--workers", "1", "--metrics-port", "0", "--json"]


def _figures(where: str, port: int, host: str) -> Any:
    """Give figures to whoever asks at a port of this process."""
    try:
        from planvow.adapters.telemetry.figures import WorkerFigures
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "planvow":
            raise
        raise MissingExtraError(error.name or "prometheus_client", extra="http", purpose="--metrics-port") from None
    made = WorkerFigures(Setting(ledger=where))
    made.serve(port, host)
    return made


def _counted(figures: Any, claim: Claim, receipt: Receipt) -> None:
    _say(claim, receipt)
    figures.count(claim.op, receipt.outcome.value, is_retried=receipt.retry_after_ms is not None)


@contextmanager
def _stopping_on_signals() -> Iterator[threading.Event]:
    stop = threading.Event()
    asked = False

    def tell() -> None:
        stop.set()
        note("stopping after the current step; once more to hand it back at once")

    def ask(_number: int, _frame: object) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True
        # Not here: this interrupts the main thread, which may hold the event's own lock just now, and would then wait
        # for itself for ever. Starting a bare thread takes no lock at all.
        _thread.start_new_thread(tell, ())

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _keeping(target: Path | None, own: Sequence[Signer]) -> Make:
    """Return how this worker makes checkpoints: signed and kept as asked. What goes wrong is said once."""
    said: set[str] = set()

    def make(ledger: Store, wait: bool) -> None:
        try:
            made = ledger.checkpoint(wait=wait)
            if made is None:
                return
            if target is not None:
                keep_checkpoint(ledger, made, target, *own)
            sign_checkpoint(ledger, made, *own)
        except PlanvowError as error:
            if error.message not in said:
                said.add(error.message)
                note(f"no checkpoint: {error.code} {error.message}")

    return make


def _say_why(error: CassetteError) -> None:
    note(f"waiting for the ledger, a minute at most: {error.code} {error.message}")


def _say(claim: Claim, receipt: Receipt) -> None:
    error = receipt.body.get("error")
    why = f": {error['code']} {error['message']}" if isinstance(error, Mapping) else ""
    note(f"{claim.job_id} step {claim.ordinal} {claim.op} {receipt.outcome.value} {receipt.receipt_id}{why}")
