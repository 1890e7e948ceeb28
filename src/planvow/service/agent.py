"""The front of the agent: run, resume, why, diff, settle, approve.

It holds no state of its own. Whatever a call needs is in the ledger; the domain's code and the tools are given here.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from planvow.agent.loop.facts import read_facts
from planvow.agent.loop.move import DEFAULT_MAX_REPAIRS
from planvow.agent.record.asked import Asked, ask
from planvow.agent.record.differ import RunDifference, differ
from planvow.agent.record.goals import GoalAsked, ask_goal
from planvow.agent.record.jobs import is_known, read_run, run_ids
from planvow.agent.record.needs import Policy
from planvow.agent.record.private import read_privacy
from planvow.agent.record.view import Run, RunStep, view
from planvow.agent.record.wanted import want_repair
from planvow.agent.record.why import why_run, why_step
from planvow.agent.run.by_planner import GoalPursuit
from planvow.agent.run.calling import run_to_end
from planvow.agent.run.kept import KeptStore
from planvow.agent.run.means import Arrival, Means
from planvow.agent.run.people import approve_step, deny_step
from planvow.agent.run.pursuit import Pursuit
from planvow.agent.run.settle import settle
from planvow.agent.run.stepper import Sense
from planvow.agent.tools.bind import bind_skills, bind_tools
from planvow.cassette.dossier import Privacy, erase
from planvow.cassette.ledger.model import check_name
from planvow.cassette.ledger.store import Store
from planvow.cassette.work.confidential import has_placeholder
from planvow.cassette.work.values import new_worker_id
from planvow.contract.interface.interface import PlannerInterface
from planvow.errors import InputError
from planvow.hooks import hook
from planvow.kernel.domain.domain import Domain
from planvow.kernel.world.state import State
from planvow.service.given import fresh_id, planner_of, secret_reader
from planvow.status import Status

DEFAULT_LEASE_MS = 60_000
CHANGED = ("refuse", "replan")


@dataclass(frozen=True, kw_only=True)
class Event:
    """Something that happened in a run: planned, started, done, failed, retried, deviated, repaired, asked, lost."""

    kind: str
    run_id: str
    job_id: str
    ordinal: int
    text: str
    number: int = 0
    """The step's number through all plans of the run, as `why`, `settle` and `approve` take it; 0 for no step."""
    command: tuple[Any, ...] = ()


class Agent:
    """Plans, runs tools, watches and repairs; everything it knows is in its ledger.

        agent = Agent(domain, tools={"fetch": fetch, "mail": send_mail}, ledger="agent.db")
        run = agent.run([("bring", "lamp", "ann")], state)
        run = agent.resume(run.id)          # after a crash, also on another machine
        agent.why(run.id, step=3)

    Every command of the domain has a tool, or None for one that needs nothing done. Instead of a domain there may be a
    planner that keeps the contract, or the name of one in the registry: then the tools are by skill, `run` takes the
    planner's goal, and its further arguments are the planner's inputs. `ledger` is a path, a
    `postgresql://` address, or a function that opens a store. `sense(command)` is called after each step and returns
    what it sees. `secrets` gives tools what they name: a mapping or a function; by default the environment. `private`
    names predicates, arguments by command, and commands whose outputs are kept apart from the chain and can be erased.
    """

    def __init__(
        self,
        domain: Domain | str | PlannerInterface,
        *,
        tools: Mapping[str, Any],
        ledger: str | Callable[[], Store] | None = None,
        sense: Sense | None = None,
        secrets: Mapping[str, str] | Callable[[str], str | None] | None = None,
        concurrency: int = 1,
        max_repairs: int = DEFAULT_MAX_REPAIRS,
        lease_ms: int = DEFAULT_LEASE_MS,
        needs_approval: Policy | bool | str | None = None,
        private: Privacy | Mapping[str, Any] | None = None,
        on_event: Callable[[Event], None] | None = None,
    ) -> None:
        planner = None if isinstance(domain, Domain) else planner_of(domain)
        for name, value, least in (
            ("concurrency", concurrency, 1),
            ("max_repairs", max_repairs, 0),
            ("lease_ms", lease_ms, 1),
        ):
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise InputError(f"{name} is a whole number of at least {least}, got {value!r:.60}", place=name)
        self._on_event = on_event
        self._means = Means(
            domain=domain if isinstance(domain, Domain) else None,
            planner=planner,
            tools=bind_tools(domain, tools) if isinstance(domain, Domain) else bind_skills(tools),
            secrets=secret_reader(secrets),
            sense=sense,
            concurrency=concurrency,
            lease_ms=lease_ms,
            max_repairs=max_repairs,
            policy=needs_approval,
            privacy=read_privacy(private),
            open_store=ledger if callable(ledger) else lambda: hook("open_ledger")(ledger),
            new_worker_id=new_worker_id,
        )
        self._kept = KeptStore(self._means.open_store)

    def __enter__(self) -> Agent:
        """Keep the ledger open between calls, for many short runs; it is closed at the end of the block."""
        self._kept.keep()
        return self

    def __exit__(self, *_: object) -> None:
        self._kept.close()

    def run(
        self,
        todo: Iterable[Any],
        state: State | None = None,
        *,
        run_id: str | None = None,
        deadline: float | None = None,
        stop: threading.Event | None = None,
        **options: Any,
    ) -> Run:
        """Plan, store, work, observe and repair until all is done, nothing helps any more, or somebody must be asked.

        A `run_id` names the run: asking again under the same name goes on with it. `deadline` is in seconds; after it,
        and when `stop` is set, the run is interrupted and can be resumed. Options are those of `plan`.
        """
        work = self._prepared(todo, state, run_id, options)
        return self._to_end(lambda: self._run(work, deadline, stop, alone=deadline is None))

    async def arun(
        self,
        todo: Iterable[Any],
        state: State | None = None,
        *,
        run_id: str | None = None,
        deadline: float | None = None,
        stop: threading.Event | None = None,
        **options: Any,
    ) -> Run:
        """Do what `run` does, in the event loop of the caller; cancelling it interrupts the run."""
        return await self._run(self._prepared(todo, state, run_id, options), deadline, stop)

    def resume(
        self,
        run_id: str,
        *,
        observed: Any = None,
        changed: str = "refuse",
        deadline: float | None = None,
        stop: threading.Event | None = None,
    ) -> Run:
        """Go on with a run from what the ledger says: after a crash, an interruption, an answer, or somewhere else.

        `observed` are facts that somebody saw meanwhile; with them a run that had ended begins again. If the domain's
        code is not what the run was planned with, `changed="refuse"` raises and `"replan"` plans the rest anew.
        """
        return self._to_end(lambda: self._resume(run_id, observed, changed, deadline, stop, alone=deadline is None))

    async def aresume(
        self,
        run_id: str,
        *,
        observed: Any = None,
        changed: str = "refuse",
        deadline: float | None = None,
        stop: threading.Event | None = None,
    ) -> Run:
        """Do what `resume` does, in the event loop of the caller."""
        return await self._resume(run_id, observed, changed, deadline, stop)

    def settle(self, run_id: str, step: int, *, happened: bool, by: str, note: str = "", output: Any = None) -> Run:
        """Answer for a step of which nobody knows whether it happened; `resume` goes on then."""
        with self._kept.lent() as store:
            answer = {"happened": happened, "by": by, "note": note, "output": output}
            settle(store, run_id, step, worker_id=self._means.new_worker_id(), **answer)
            return view(store, run_id)

    def approve(
        self, run_id: str, step: int | None = None, *, by: str, note: str = "", expires_at: int | None = None
    ) -> Run:
        """Approve a step, or all that the run waits for; `resume` goes on then. `expires_at` is in ms since 1970."""
        with self._kept.lent() as store:
            approve_step(store, run_id, step, by=by, note=note, expires_at=expires_at)
            return view(store, run_id)

    def deny(self, run_id: str, step: int | None = None, *, by: str, reason: str) -> Run:
        """Deny a step, or the first thing that the run waits for; `resume` then looks for a way without it."""
        with self._kept.lent() as store:
            deny_step(store, run_id, step, by=by, reason=reason)
            return view(store, run_id)

    def repair(self, run_id: str, *, by: str, reason: str, observed: Any = None) -> Run:
        """Ask for what is left to be planned anew, with what was seen; `resume` does it, here or wherever it is called.

        What failed before may be tried again then. A run that was given up goes on so, too.
        """
        with self._kept.lent() as store:
            want_repair(store, run_id, by=by, reason=reason, observed=observed)
            return view(store, run_id)

    def why(self, run_id: str, step: int | None = None) -> str:
        """Say why a step is there and what became of it; without a step, how the run came to where it stands."""
        with self._kept.lent() as store:
            return why_run(store, run_id) if step is None else why_step(store, run_id, step)

    def diff(self, first: str | Run, second: str | Run) -> RunDifference:
        """Say what differs between two runs, the first reason first."""
        names = [run.id if isinstance(run, Run) else run for run in (first, second)]
        with self._kept.lent() as store:
            return differ(store, *names)

    def erase(self, run_id: str, *, by: str, reason: str) -> Run:
        """Erase what is private about a run; its chains stay whole, and `cassette verify` says what rested on it."""
        with self._kept.lent() as store:
            for job in read_run(store, run_id):
                erase(store, job.job_id, by=by, reason=reason)
            return view(store, run_id)

    def look(self, run_id: str) -> Run:
        """Return where a run stands, without doing anything."""
        with self._kept.lent() as store:
            return view(store, run_id)

    def runs(self) -> tuple[Run, ...]:
        """Return the runs in the ledger, oldest first."""
        with self._kept.lent() as store:
            return tuple(view(store, run_id) for run_id in run_ids(store))

    def _prepared(
        self, todo: Iterable[Any], state: State | None, run_id: str | None, options: Mapping[str, Any]
    ) -> Callable[[Store], tuple[str, Any]]:
        domain, planner = self._means.domain, self._means.planner
        asked: Asked | GoalAsked
        if domain is None:
            assert planner is not None
            asked, name = ask_goal(planner, todo, state, options), planner.planner_id
        else:
            asked, name = ask(todo, State() if state is None else state, options), domain.name
            asked.problem(domain)  # what is wrong with it is said before anything is stored
        if run_id is not None:
            check_name("run_id", run_id)

        def named(store: Store) -> tuple[str, Any]:
            seed = None if self._means.privacy else asked  # a hash over what is private could be guessed at
            return run_id or fresh_id(store, name, seed), asked

        return named

    async def _run(
        self,
        named: Callable[[Store], tuple[str, Any]],
        deadline: float | None,
        stop: threading.Event | None,
        *,
        alone: bool = False,
    ) -> Run:
        with self._kept.lent() as store:
            run_id, asked = named(store)
            pursuit, late = self._pursuit(store, run_id, deadline, stop, alone=alone)
            interrupted = None if is_known(store, run_id) else pursuit.begin(asked)
            if interrupted is not None:
                return Run(id=run_id, status=interrupted.status, reason=interrupted.reason, steps=(), plans=0)
            return self._seen(store, run_id, await _in_time(pursuit, late))

    async def _resume(
        self,
        run_id: str,
        observed: Any,
        changed: str,
        deadline: float | None,
        stop: threading.Event | None,
        *,
        alone: bool = False,
    ) -> Run:
        if changed not in CHANGED:
            raise InputError(f"changed is one of {', '.join(CHANGED)}; got {changed!r:.40}", place="changed")
        facts = read_facts(observed)
        with self._kept.lent() as store:
            replans = changed == "replan"
            pursuit, late = self._pursuit(store, run_id, deadline, stop, replans=replans, alone=alone)
            arrival = pursuit.note(facts) if facts else None
            return self._seen(store, run_id, arrival or await _in_time(pursuit, late))

    def _pursuit(
        self,
        store: Store,
        run_id: str,
        deadline: float | None,
        stop: threading.Event | None,
        *,
        replans: bool = False,
        alone: bool = False,
    ) -> tuple[Pursuit, float | None]:
        loop = asyncio.get_running_loop()
        end = None if deadline is None else loop.time() + deadline
        tell = self._told(store, run_id)
        kind = Pursuit if self._means.planner is None else GoalPursuit
        pursuit = kind(
            self._means,
            store,
            run_id,
            stop=stop or threading.Event(),
            tell=tell,
            late=lambda: end is not None and loop.time() >= end,
            replans=replans,
            alone=alone,
        )
        return pursuit, end

    def _told(self, store: Store, run_id: str) -> Callable[[str, str, int, str], None]:
        tell = self._on_event
        if tell is None:
            return lambda word, job_id, ordinal, text: None
        steps: dict[tuple[str, int], RunStep] = {}

        def told(word: str, job_id: str, ordinal: int, text: str) -> None:
            known = steps.get((job_id, ordinal))
            if ordinal and (known is None or has_placeholder([*known.command])):  # what was open may be known by now
                steps.update({(step.job_id, step.ordinal): step for step in view(store, run_id).steps})
            step = steps.get((job_id, ordinal))
            event = Event(kind=word, run_id=run_id, job_id=job_id, ordinal=ordinal, text=text)
            tell(event if step is None else replace(event, number=step.number, command=step.command))

        return told

    def _seen(self, store: Store, run_id: str, arrival: Arrival) -> Run:
        return view(store, run_id, waiting=arrival.questions, arrival=(arrival.status, arrival.reason))

    def _to_end(self, work: Callable[[], Any]) -> Run:
        run: Run = run_to_end(work)
        return run


async def _in_time(pursuit: Pursuit, end: float | None) -> Arrival:
    try:
        async with asyncio.timeout_at(end) as limit:
            return await pursuit.pursue()
    except TimeoutError:
        if not limit.expired():
            raise
        return Arrival(status=Status.INTERRUPTED, reason="the deadline has passed")
