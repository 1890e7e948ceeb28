"""An agent to be killed: python agent_victim.py LEDGER RUN EFFECTS sync|async PARCELS CONCURRENCY.

Its tools fail, hang and lie, each in its own way, and write every real effect into a file outside the ledger: a line of
tool, parcel and idempotency key. What it prints at the end is where the run stands.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import sys
import time
from pathlib import Path

from planvow import Agent, Domain, State, refuse
from planvow.agent import tool
from planvow.retry import Backoff

ledger, run_id, effects, mode, count, concurrency = sys.argv[1:7]
EFFECTS = Path(effects)
QUICK = Backoff(base_ms=1, max_ms=5)
domain = Domain("parcels")


@domain.command
def pack(state, parcel):
    state.packed[parcel] = True
    return state


@domain.command
def label(state, parcel):
    if not state.packed.get(parcel):
        return refuse(f"{parcel} is not packed")
    state.labelled[parcel] = True
    return state


@domain.command
def stamp(state, parcel):
    state.labelled[parcel] = True
    return state


@domain.command
def send(state, parcel):
    if not state.labelled.get(parcel):
        return refuse(f"{parcel} has no label")
    state.sent[parcel] = True
    return state


@domain.command
def carry(state, parcel):
    state.sent[parcel] = True
    return state


@domain.method(task="mark")
def by_label(state, parcel):
    return [("label", parcel)]


@domain.method(task="mark")
def by_stamp(state, parcel):
    return [("stamp", parcel)]


@domain.method(task="deliver")
def by_post(state, parcel):
    return [("pack", parcel), ("mark", parcel), ("send", parcel)]


@domain.method(task="deliver")
def by_hand(state, parcel):
    return [("carry", parcel)]


def chance(*about: str) -> float:
    """A number from 0 to 1 that is the same in every process."""
    return int.from_bytes(hashlib.sha256(" ".join(about).encode()).digest()[:4], "big") / 2**32


def happens(name: str, parcel: str, key: str) -> None:
    """The effect in the world: one line, written at once."""
    fd = os.open(EFFECTS, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(fd, f"{name} {parcel} {key}\n".encode())
    os.close(fd)


def lines() -> list[list[str]]:
    return [line.split() for line in EFFECTS.read_text().splitlines()] if EFFECTS.exists() else []


def has_happened(call) -> bool:
    return [call.command[0], call.command[1], call.idempotency_key] in lines()


def pack_really(parcel, call):
    """Fails now and then, and says so; may be called again."""
    if chance("pack", parcel, str(call.attempt)) < 0.4:
        raise ConnectionError("no line")
    happens("pack", parcel, call.idempotency_key)


def label_really(parcel, idempotency_key):
    """Lies about every third parcel: nothing happens, and it says that all is well."""
    if chance("label", parcel) > 0.33:
        happens("label", parcel, idempotency_key)


def stamp_really(parcel, call):
    """Hangs at the first attempt."""
    if call.attempt == 1:
        time.sleep(60)
    happens("stamp", parcel, call.idempotency_key)


def send_really(parcel, idempotency_key):
    """Must not happen twice; fails for good now and then."""
    if chance("send", parcel) < 0.2:
        raise RuntimeError("the post office is closed")
    happens("send", parcel, idempotency_key)
    return parcel


def carry_really(parcel, idempotency_key):
    """Takes its time, must not happen twice, and only a person can look."""
    happens("carry", parcel, idempotency_key)
    time.sleep(0.05)


def in_coroutine(function):
    """The same tool for an event loop."""

    async def label_later(parcel, idempotency_key):
        await asyncio.sleep(0.005)
        function(parcel, idempotency_key)

    return label_later


async def stamp_later(parcel, call):
    if call.attempt == 1:
        await asyncio.sleep(60)
    happens("stamp", parcel, call.idempotency_key)


def sense(command):
    if command[0] != "label":
        return None
    return {"labelled": {command[1]: any(line[:2] == ["label", command[1]] for line in lines())}}


IS_ASYNC = mode == "async"
tools = {
    "pack": tool(pack_really, idempotent=True, retries=9, backoff=QUICK),
    "label": tool(in_coroutine(label_really) if IS_ASYNC else label_really, name="label", idempotent=True),
    "stamp": tool(
        stamp_later if IS_ASYNC else stamp_really, name="stamp", idempotent=True, timeout_seconds=0.2, backoff=QUICK
    ),
    "send": tool(send_really, was_it_done=has_happened),
    "carry": tool(in_coroutine(carry_really) if IS_ASYNC else carry_really, name="carry"),
}
agent = Agent(
    domain, tools=tools, ledger=ledger, sense=sense, concurrency=int(concurrency), lease_ms=600_000, max_repairs=500
)
agenda = [(("carry", f"q{n}") if n % 3 == 2 else ("deliver", f"p{n}")) for n in range(int(count))]
start = State(packed={}, labelled={}, sent={})
print("ready", flush=True)
if IS_ASYNC:
    run = asyncio.run(agent.arun(agenda, start, run_id=run_id))
else:
    run = agent.run(agenda, start, run_id=run_id)
print(run.status, "|", run.reason, flush=True)
os._exit(0)  # threads that hang would keep the process
