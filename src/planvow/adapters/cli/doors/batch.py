"""`planvow batch`: many inputs answered by many processes or machines, the same bytes whichever."""

from __future__ import annotations

import glob
import hashlib
import os
import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from enum import StrEnum
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

from planvow.adapters.batch.drive import drive
from planvow.adapters.batch.folder import AnswerFolder, finished_in, folder_asked
from planvow.adapters.batch.inputs import check_inputs, read_inputs
from planvow.adapters.batch.output import Output, finished, paths_of
from planvow.adapters.batch.pools import Processes, Workers
from planvow.adapters.cli.doors.given import Domains, load_domains, setting_of
from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.ending import ended_in_order
from planvow.adapters.cli.frame.lazy import examples
from planvow.adapters.cli.frame.output import note, print_json, print_result
from planvow.adapters.cli.frame.progress import progress_bar
from planvow.adapters.cli.options.ledger import AsJson, RepoRoot, StoreLocation
from planvow.adapters.cli.options.working_tree import HERE
from planvow.adapters.databases.opening import open_ledger
from planvow.adapters.machine.memory import memory_limit
from planvow.agent.run.kept import KeptStore
from planvow.errors import EXIT_REFUSED, InputError
from planvow.service.batch.answering import Line, Means, versions
from planvow.service.batch.items import Item, item
from planvow.service.declare.setting import Setting
from planvow.service.operations.requests import repository_state
from planvow.service.records.posting import POST_PLAN, PostQuestion

app = typer.Typer()
POSTED = ("plan", "hddl", "goal")


class Kind(StrEnum):
    """What the inputs are."""

    PLAN = "plan"
    HDDL = "hddl"
    GOAL = "goal"
    GOVERN = "govern"
    DEBATE = "debate"


@app.command(
    epilog=examples(
        "planvow batch plan examples/robot_tea.py examples/logistics.py -o plans.jsonl",
        "planvow batch plan examples/robot_tea.py examples/logistics.py -o plans/",
    )
)
def batch(
    kind: Annotated[Kind, typer.Argument(help="What the inputs are.", show_default=False)],
    inputs: Annotated[
        list[str],
        typer.Argument(help="Files, folders or patterns; `-` for questions on stdin. .jsonl: one question a line."),
    ],
    out: Annotated[
        str,
        typer.Option(
            "-o",
            "--out",
            metavar="FILE|FOLDER/",
            help="Where the answers go, in order: one JSON line each, or in a folder a file each, with .plan for HDDL.",
        ),
    ],
    workers: Annotated[
        int | None, typer.Option(min=1, max=512, help="Processes; default: as many as there are processors.")
    ] = None,
    ray: Annotated[
        str | None, typer.Option("--ray", metavar="auto|ADDRESS", help="Use a Ray cluster instead (extra [cluster]).")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on where an earlier call was stopped.")] = False,
    chunk: Annotated[int, typer.Option(min=1, help="Inputs that one process gets at a time.")] = 16,
    domains: Domains = None,
    max_memory_mb: Annotated[
        int | None, typer.Option(min=64, help="An input that takes more memory is answered as interrupted.")
    ] = None,
    post: Annotated[
        str | None, typer.Option("--post", metavar="RUN", help="Post each plan to the ledger, as a job of this run.")
    ] = None,
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
    as_json: AsJson = False,
) -> None:
    """Answer many inputs. Exit 0: each has its plan; 1: some have none, and their lines say why.

    Beside OUT stands OUT.manifest.json: what was asked, by which versions, and what came of it.
    """
    folder = folder_asked(out)
    place = folder or Path(out)
    if post is not None and kind not in POSTED:
        raise InputError(f"plans of kind {kind} are not posted from here", place="--post", hint="cortex plan posts one")
    inputs = list(chain.from_iterable(map(_spelled_out, inputs))) if kind is Kind.PLAN else inputs
    modules = [given for given in inputs if _is_module(given)] if kind is Kind.PLAN else []
    asked_of, asking = tuple(map(_known, domains or ())), tuple(map(_known, modules))
    make_setting = partial(_setting, Path.cwd(), asked_of, asking, repo_root, store, max_memory_mb)
    setting = make_setting()
    is_module = frozenset(modules).__contains__
    check_inputs(given for given in inputs if not is_module(given))
    items = chain.from_iterable(
        _of_module(given) if is_module(given) else read_inputs(kind, [given], written=paths_of(place))
        for given in inputs
    )
    known = repository_state(setting)
    means = Means(make_setting=pickle.dumps(make_setting), versions=versions(), repository=known)
    about = {"kind": kind.value, "versions": dict(means.versions), "modules": dict((*asked_of, *asking))}
    manifest = (finished_in if folder else finished)(place, about, items) if resume else None
    if manifest is None:
        output = (AnswerFolder if folder else Output)(place, about, resume=resume)
        with ended_in_order(), _posting(setting, post) as sending:
            manifest = _answered(output, items, partial(_workers, means, ray, workers), chunk=chunk, post=sending)
    if not manifest["inputs"]:
        what = "; Python files are taken by name or pattern, not from a folder" if kind is Kind.PLAN else ""
        note(f"planvow: no inputs of kind {kind} were found{what}")
    if as_json:
        print_json(manifest)
    else:
        print_result(_told(place, manifest))
    if manifest["failed"]:
        raise typer.Exit(EXIT_REFUSED)


def _answered(output: Output, items: Any, make_workers: Callable[[], Workers], **how: Any) -> dict[str, Any]:
    try:
        left = output.skip_done(items)
        workers = make_workers()
        try:
            with progress_bar("batch", "inputs") as tell:
                drive(left, workers, output, progress=tell, **how)
        finally:
            workers.close()
        return output.finish()
    except BaseException:
        if output.done:
            kept = "1 answer is" if output.done == 1 else f"{output.done:,} answers are"
            note(f"planvow: {kept} kept {output.where} {output.path}; go on with --resume")
        raise
    finally:
        output.close()


def _workers(means: Means, ray: str | None, workers: int | None) -> Workers:
    if ray is None:
        return Processes(means, workers or os.cpu_count() or 1)
    from planvow.adapters.batch.cluster import RayWorkers  # only with the extra

    return RayWorkers(means, ray)


def _known(target: str) -> tuple[str, str]:
    """Return where a domain is and what it holds, so that a machine with another file of that name refuses."""
    path = Path(target if Path(target).is_file() else target.partition(":")[0])
    return target, _sha256(path) if path.is_file() else ""


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _setting(
    here: Path,
    domains: Sequence[tuple[str, str]],
    modules: Sequence[tuple[str, str]],
    repo_root: Path,
    store: str | None,
    max_memory_mb: int | None,
) -> Setting:
    """Return the setting that every process works in; `modules` are inputs themselves, `domains` are asked about.

    Paths are meant from where the batch was started, so a process that a cluster started elsewhere goes there first.
    """
    with suppress(OSError):  # another machine need not have the folder when nothing in it is asked for
        os.chdir(here)
    for target, sha256 in (*domains, *modules):
        if _known(target) != (target, sha256):
            hint = "bring the same files to every machine, at the same place"
            raise InputError("this file is not the one that the batch was started with", place=target, hint=hint)
    setting = setting_of([target for target, _ in domains], repo_root, store)
    held = {name: problem for module, _ in modules for name, problem in _problems(module).items()}
    return replace(setting, domains={**setting.domains, **held}, limited=partial(memory_limit, max_memory_mb))


def _problems(module: str) -> dict[str, Any]:
    """Return the problems of a Python file under names that begin with its own."""
    return {f"{module}: {name}": problem for name, problem in load_domains([module]).items()}


def _of_module(module: str) -> list[Item]:
    return [item(name, Kind.PLAN, {"domain": name}) for name in _problems(module)]


def _is_module(given: str) -> bool:
    return given.endswith(".py") or ".py:" in given


def _spelled_out(given: str) -> list[str]:
    """Return the Python files that a quoted pattern stands for; what is no such pattern as it is."""
    if not given.endswith(".py") or os.path.exists(given):
        return [given]
    return sorted(glob.glob(given, recursive=True)) or [given]


@contextmanager
def _posting(setting: Setting, run_id: str | None) -> Iterator[Callable[[Item, Line], None] | None]:
    """Give what posts a plan, to one ledger that stays open; None where none is to be posted."""
    if run_id is None:
        yield None
        return
    kept = KeptStore(lambda: open_ledger(setting.ledger))
    kept.keep()
    try:
        yield partial(_post, replace(setting, client="planvow batch", lend=kept.lent), run_id)
    finally:
        kept.close()


def _post(setting: Setting, run_id: str, asked: Item, line: Line) -> None:
    if line.plan is not None and not line.code:
        POST_PLAN(
            PostQuestion(run_id=run_id, plan=line.plan, why=asked.name, approval="", idempotency_key=asked.input_hash),
            setting,
        )


def _told(out: Path, manifest: dict[str, Any]) -> str:
    statuses = ", ".join(f"{count:,} {status}" for status, count in manifest["statuses"].items())
    count = "1 input" if manifest["inputs"] == 1 else f"{manifest['inputs']:,} inputs"
    lines = [f"{count} in {out}: {statuses or 'nothing'}"]
    lines += [f"  {one['id']}: {one['status']} {one['code']}" for one in manifest["failures"][:5]]
    if manifest["failed"] > 5:
        lines.append(f"  and {manifest['failed'] - 5:,} more: see {out}.manifest.json")
    if manifest["failed"]:
        lines.append(f"  why: planvow show {out}")
    return "\n".join(lines)
