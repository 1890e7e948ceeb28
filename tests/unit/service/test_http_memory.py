"""What a server keeps for those who ask: bounded in number and bytes, and nobody makes others' answers go."""

from __future__ import annotations

import asyncio
import threading
from types import SimpleNamespace

import pytest

pytest.importorskip("fastapi")
from planvow.adapters.http import calls, entrance
from planvow.adapters.http.callers import LOOPBACK, Caller, Guarding
from planvow.adapters.http.calls import Calls
from planvow.adapters.http.entrance import Entrance
from planvow.adapters.http.reception import Reception
from planvow.adapters.http.workers import Asked, Limits, Reply
from planvow.service.declare.errors import BusyError, UnknownCallError
from planvow.service.declare.setting import Setting
from planvow.service.declare.shelf import Shelf


def answering(reply):
    """Return a pool of one worker that always has the same answer."""
    return SimpleNamespace(size=1, limits=Limits(), call=lambda asked, stop, tell=None: reply)


async def asked_later(room, caller, times):
    found = []
    for _ in range(times):
        found.append(room.start(Asked(name="make_plan", data={}), caller, lambda reply: None))
        await found[-1].task
        await asyncio.sleep(0)
    return found


def is_known(room, call, caller):
    try:
        return room.find(call.call_id, caller) is call
    except UnknownCallError:
        return False


def test_who_asks_much_loses_its_own_answers_and_nobody_elses():
    async def trying():
        ann, eve = (Caller(name=name, address="", rights=frozenset()) for name in ("ann", "eve"))
        setting = Setting()
        room = Calls(Entrance(answering(Reply(status=200, content={})), setting), Reception(Guarding(hosts=LOOPBACK)))
        (first,) = await asked_later(room, ann, 1)
        many = await asked_later(room, eve, calls.MOST_ENDED + 5)
        assert is_known(room, first, ann)
        assert not is_known(room, first, eve), "a call belongs to who asked"
        assert [is_known(room, call, eve) for call in many] == [False] * 5 + [True] * calls.MOST_ENDED

    asyncio.run(trying())


def test_answers_that_wait_to_be_fetched_have_so_many_bytes():
    async def trying():
        eve = Caller(name="eve", address="", rights=frozenset())
        large = Reply(status=200, content={}, size=calls.MOST_BYTES // 2)
        room = Calls(Entrance(answering(large), Setting()), Reception(Guarding(hosts=LOOPBACK)))
        many = await asked_later(room, eve, 4)
        assert [is_known(room, call, eve) for call in many] == [False, False, True, True]

    asyncio.run(trying())


def test_a_shelf_holds_so_many_bytes_and_always_the_last_document():
    shelf = Shelf(most=10, most_bytes=100)
    for number in range(4):
        shelf.keep("plan", str(number), lambda: None, size=40)
    assert [shelf.knows("plan", str(number)) for number in range(4)] == [False, False, True, True]
    shelf.keep("plan", "large", lambda: None, size=1000)
    assert (shelf.knows("plan", "3"), shelf.knows("plan", "large")) == (False, True)


def test_what_a_worker_answers_is_kept_by_its_size():
    async def trying():
        setting = Setting(shelf=Shelf(most_bytes=100))
        for number in range(3):
            made = Reply(status=200, content={}, documents={("plan", str(number)): {}}, size=60)
            await Entrance(answering(made), setting).call(Asked(name="replan", data={}), _stays, wait=None)
        assert [setting.shelf.knows("plan", str(number)) for number in range(3)] == [False, False, True]

    asyncio.run(trying())


def test_who_reads_certificates_leaves_threads_for_others_and_each_is_made_once():
    begun, go_on, asked_for = threading.Semaphore(0), threading.Event(), []

    def slowly(asked, stop, tell=None):
        asked_for.append(asked)
        begun.release()
        go_on.wait(30)
        return Reply(status=200, content={"made": len(asked_for)})

    async def trying():
        setting = Setting()
        pool = SimpleNamespace(size=1, limits=Limits(), call=slowly)
        way = Entrance(pool, setting)
        way._keep(Asked(name="make_plan", data={}), Reply(status=200, documents={("plan", "p"): {}}))
        reading = [
            asyncio.get_running_loop().run_in_executor(None, setting.shelf.read, "certificate", "p")
            for _ in range(entrance._MOST_MAKING)
        ]
        for _ in reading:
            await asyncio.to_thread(begun.acquire)
        with pytest.raises(BusyError):
            setting.shelf.read("certificate", "p")
        go_on.set()
        await asyncio.gather(*reading)
        before = len(asked_for)
        setting.shelf.read("certificate", "p")
        assert len(asked_for) == before

    asyncio.run(trying())


async def _stays():
    return False
