"""Runs of an agent: what it stores, what it says about them, and how values of tools stand in receipts."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any, Literal
from unittest.mock import patch

from golden.corpus.case import Case, as_json
from golden.corpus.errands import ADDRESSES, at_the_shop, errands
from golden.corpus.ledger import ledger
from golden.corpus.tools import SHOP
from planvow import Agent, Domain, PlanvowError, State, make_problem
from planvow.agent import tool
from planvow.agent.loop.times import timing_data
from planvow.agent.record.asked import Asked, ask, options_of
from planvow.agent.record.derive import derive, identity_of
from planvow.agent.record.jobs import read_run
from planvow.agent.record.lost import note_settled, settled_besides
from planvow.agent.record.private import Veil, both
from planvow.agent.record.view import Run
from planvow.agent.run.anew import rest_of
from planvow.agent.run.standing import world_after
from planvow.agent.tools.signature import schema_of
from planvow.cassette import SqliteStore
from planvow.cassette.dossier import Privacy
from planvow.cassette.work.encode import encode, hidden
from planvow.contract.certificate.domain_identity import domain_identity
from planvow.kernel.domain.entities import Entity
from planvow.kernel.time.timing import Timing

PARTY = [("deliver", "ann", "tea", "bread"), ("ring", "ann", "bob", "cy")]
CAN = {"capabilities": {"voice", "bell"}}


def greet(secrets: Any, call: Any, idempotency_key: str, **names: str) -> Any:
    """Say what a tool is given: its arguments in their order, a secret, and the key of the call."""
    return [list(names.values()), secrets["bell"][::-1], idempotency_key == call.idempotency_key]


@contextmanager
def an_agent(**tools: Any) -> Iterator[tuple[Agent, SqliteStore]]:
    with ledger() as (_, store, open_again):
        given = {"fetch": None, "bring": None, "ring": tool(greet, name="ring", secrets=("bell",)), **tools}
        yield Agent(errands, tools=given, ledger=open_again, secrets={"bell": "gnod"}), store


def told(run: Run) -> dict[str, Any]:
    """A run as data, with the one worker that no golden file can know."""
    return replace(run, steps=tuple(replace(step, worker_id="golden:1") for step in run.steps)).as_dict()


def kept(store: SqliteStore, run: Run) -> list[Any]:
    """What the ledger has of each job of a run, but for certificates, which are documents of their own."""
    return [
        [job.record.plan_hash, job.record.request, job.dossier.asked, job.dossier.options, job.dossier.state]
        for job in read_run(store, run.id)
    ]


def party() -> str:
    with an_agent() as (agent, store):
        run = agent.run(PARTY, at_the_shop(), **CAN)
        why = re.sub(r"\([^ ()]+\)\.$", "(WORKER).", agent.why(run.id, step=5))
        return as_json([told(run), *kept(store, run), agent.why(run.id), why])


def differing() -> str:
    """Two runs that were asked with several other options."""
    with an_agent() as (agent, _):
        first = agent.run(PARTY, at_the_shop(), **CAN, blacklist=[("fetch", "salt")], run_id="first")
        second = agent.run(PARTY[:1], at_the_shop(), loop_guard="search", run_id="second")
        return as_json(list(agent.diff(first, second).differences))


def asked() -> str:
    """What is asked, with options that are sets, and facts that are stored in another order than they have."""
    options = {**CAN, "blacklist": [("fetch", "salt"), ("bring", "tea", "west"), ("ring", "dan")]}
    found = []
    for shop in (("tea", "bread", "salt"), ("bread", "salt", "tea")):
        document = ask(PARTY, State(shop=dict.fromkeys(shop, 1)), options)
        again = Asked.stored(document.asked, document.facts[::-1], document.shape)
        found.append([document.asked, document.shape, again.facts])
    return as_json(found)


def options() -> str:
    """Which options of a problem an agent takes."""
    return as_json(list(options_of(make_problem(errands, at_the_shop(), PARTY))))


def derived_otherwise() -> str:
    """The same source that plans other arguments by now."""
    with an_agent() as (agent, store):
        run = agent.run(PARTY[:1], at_the_shop())
        [job] = read_run(store, run.id)
        with patch.dict(ADDRESSES, ann="east"):
            try:
                derive(job, errands, identity_of(errands, {}), Privacy())
            except PlanvowError as error:
                return as_json(error.as_dict())
    raise AssertionError("it was taken for the same plan")


def settled() -> str:
    """Calls of which nobody knows whether they happened, and what a person says about them."""

    async def hanging(thing: str) -> None:
        await asyncio.sleep(60)

    found = []
    for happened in (True, False):
        with an_agent(fetch=tool(hanging, name="fetch", timeout_seconds=0.01)) as (agent, store):
            run = agent.run(PARTY[:1], at_the_shop())
            agent.settle(run.id, 1, happened=happened, by="ann", note="I looked")
            [job] = read_run(store, run.id)
            found.append([told(run), [receipt.body for receipt in store.receipts(job.job_id)]])
    return as_json(found)


def settled_later() -> str:
    """Calls that were lost with their plan: what they did is laid into the world in the order of the plan."""

    def broken(thing: str) -> None:
        raise ValueError(thing)

    with an_agent(fetch=broken) as (agent, store):
        run = agent.run(PARTY[:1], at_the_shop(), blacklist=[])
        job = read_run(store, run.id)[0]
        for step_id in ("s4", "s2", "s3"):
            note_settled(store, job.job_id, step_id, happened=True, by="ann", note="")
        hand = derive(job, errands, identity_of(errands, {}), Privacy())
        world = world_after(store, hand, (), {}, settled_besides(store, job.job_id))
        items, state, _ = rest_of(store, [job])
        return as_json([list(world.state.triples()), list(items), list(state.triples())])


def identity() -> str:
    """The identity of a domain whose functions stand in several files."""
    made = Domain("several")
    with tempfile.TemporaryDirectory() as folder:
        for name in ("zebra", "aardvark"):
            path = Path(folder) / f"{name}.py"
            path.write_text(f"def {name}(state):\n    return state\n", encoding="utf-8")
            spec = importlib.util.spec_from_file_location(name, path)
            assert spec is not None
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)  # type: ignore[union-attr]
            made.command(getattr(module, name))
        return as_json(domain_identity(made))


def by_a_planner() -> str:
    """An agent whose plan comes from a planner of the contract, and is asked for again when a call fails."""
    calls: list[Any] = []

    def answer(name: str) -> Any:
        def call(**arguments: Any) -> Any:
            calls.append([name, arguments])
            if name == "pay_order":
                raise RuntimeError("out of order")
            return {"order_id": "o-7", "receipt_id": "r-9", "id": "o-7", "url": "u", "total": 3}

        return call

    inputs = {"tools": SHOP, "use_proposed": True}
    with ledger() as (_, store, open_again):
        agent = Agent("tools", tools={entry["name"]: answer(entry["name"]) for entry in SHOP}, ledger=open_again)
        first = agent.run(json.dumps({"wants": ["receipt_id"], "given": {"customer": "ann", "card": "red"}}), **inputs)
        second = agent.run(json.dumps({"wants": ["url"], "given": {"customer": "bob"}}), **inputs, run_id="second")
        differences = list(agent.diff(first, second).differences)
        return as_json([told(first), told(second), calls, differences, *kept(store, first), *kept(store, second)])


def asked_otherwise() -> str:
    """In what two runs of a planner were asked differently, where that is several things."""
    given = {"tools": SHOP, "use_proposed": True}
    with ledger() as (_, _store, open_again):
        everything = {"order_id": "o-7", "receipt_id": "r-9", "id": "o-7", "url": "u", "total": 3}
        agent = Agent("tools", tools={entry["name"]: lambda **_: everything for entry in SHOP}, ledger=open_again)
        wanted = [json.dumps({"wants": ["url"], "given": {"customer": name}}) for name in ("ann", "bob")]
        first = agent.run(wanted[0], **given)
        second = agent.run(wanted[1], **given, facts={"shop.open": True}, run_id="second")
        return as_json(list(agent.diff(first, second).differences))


def secrets() -> str:
    """Secrets that stand in one another: the longest is hidden first."""
    return as_json(hidden("gnodgnod and gnod, xgnod", {"one": "gnod", "two": "gnodgnod", "three": "xgno", "none": ""}))


def veiled() -> str:
    """What is private on either side, words within words, and entities that can do several things."""
    one = Privacy(arguments={"z": frozenset({"b", "a"}), "a": frozenset({"x"})}, outputs=frozenset({"q"}))
    two = Privacy(arguments={"m": frozenset({"y"}), "z": frozenset({"c"})}, predicates=frozenset({"pin"}))
    veil = Veil(one)
    veil.learn(["ann", "anna", "annabel"])
    crew = Timing(entities=(Entity(entity_id="r1", type="robot", capabilities=frozenset({"lift", "carry", "drive"})),))
    data = timing_data(crew)
    rows = [[name, sorted(names)] for name, names in both(one, two).arguments.items()]
    return as_json([rows, veil.shown("annabel and anna met ann"), [row["capabilities"] for row in data["entities"]]])


class Odd:
    def __str__(self) -> str:
        return "an odd one"


def values() -> str:
    found = encode(
        [{"b", "a", "c"}, Odd(), ValueError("no"), ExceptionGroup("both", [KeyError("k"), OSError("o")]),
         PurePosixPath("a/b"), 2**70, {1: "one"}]
    )  # fmt: skip
    return as_json([found.data, list(found.warnings)])


def schemas() -> str:
    def one(a: int, b: list[str] | None, c: Literal["x", "y"] = "x", *, call: Any) -> None: ...
    def many(*names: str) -> None: ...

    return as_json([schema_of(one), schema_of(many)])


CASES = (
    Case("agent/party", "agent run", party),
    Case("agent/differing", "agent run", differing),
    Case("agent/asked", "agent run", asked),
    Case("agent/options", "agent run", options),
    Case("agent/derived-otherwise", "agent run", derived_otherwise),
    Case("agent/settled", "agent run", settled),
    Case("agent/settled-later", "agent run", settled_later),
    Case("agent/identity", "agent run", identity),
    Case("agent/by-a-planner", "agent run by a planner", by_a_planner),
    Case("agent/asked-otherwise", "agent run by a planner", asked_otherwise),
    Case("agent/secrets", "agent run", secrets),
    Case("agent/veiled", "agent run", veiled),
    Case("agent/values", "agent run", values),
    Case("agent/schemas", "agent run", schemas),
)
