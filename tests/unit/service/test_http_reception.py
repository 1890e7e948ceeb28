"""How much one caller may ask: so often, and so much at once."""

from __future__ import annotations

import pytest

pytest.importorskip("fastapi")
from fastapi import Request

from planvow.adapters.http.callers import LOOPBACK, Caller, Guarding
from planvow.adapters.http.reception import Allowance, Reception
from planvow.service.declare.errors import RightMissingError, TooManyCallsError
from planvow.service.declare.operation import Right

GUARDING = Guarding(hosts=LOOPBACK, token="t")


class Hands:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self):
        return self.now


def reception(per_minute=60, at_once=2):
    hands = Hands()
    return Reception(GUARDING, Allowance(per_minute=per_minute, at_once=at_once), clock=hands), hands


def call(address="127.0.0.1", **headers):
    named = [(name.encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "headers": named, "client": (address, 1)})


def test_what_a_caller_has_left_grows_with_time_up_to_ten_seconds_worth():
    room, hands = reception()
    for _ in range(10):
        room.admit(call(), Right.READ)
    with pytest.raises(TooManyCallsError) as told:
        room.admit(call(), Right.READ)
    assert told.value.seconds == pytest.approx(1)
    hands.now = told.value.seconds
    room.admit(call(), Right.READ)
    hands.now = 1000
    for _ in range(10):
        room.admit(call(), Right.READ)
    with pytest.raises(TooManyCallsError):
        room.admit(call(), Right.READ)


def test_callers_are_counted_apart_and_guesses_at_tokens_by_their_address():
    room, _ = reception()
    for _ in range(10):
        with pytest.raises(RightMissingError):
            room.admit(call(authorization="Bearer guess"), Right.READ)
    with pytest.raises(TooManyCallsError):
        room.admit(call(authorization="Bearer guess"), Right.READ)
    with pytest.raises(TooManyCallsError):
        room.admit(call(), Right.READ)
    room.admit(call(address="10.0.0.1"), Right.READ)
    room.admit(call(authorization="Bearer t"), Right.OPERATE)


def test_no_rate_is_no_limit():
    room, _ = reception(per_minute=0)
    for _ in range(1000):
        room.admit(call(), Right.READ)


def test_what_goes_on_is_counted_until_it_ends_however_it_ends():
    room, _ = reception()
    ann, bob = (Caller(name=name, address="", rights=frozenset()) for name in ("ann", "bob"))
    with room.busy(ann, "streams"), room.busy(ann, "streams"):
        room.busy(ann, "calls").__enter__()
        room.busy(bob, "streams").__enter__()
        with pytest.raises(TooManyCallsError):
            room.busy(ann, "streams").__enter__()
    with pytest.raises(ZeroDivisionError), room.busy(ann, "streams"):
        1 / 0
    with room.busy(ann, "streams"), room.busy(ann, "streams"):
        pass


def test_callers_who_have_everything_again_are_forgotten():
    room, hands = reception()
    for number in range(10_000):
        room.admit(call(address=f"10.{number}"), Right.READ)
    hands.now = 100
    room.admit(call(address="11.1"), Right.READ)
    assert len(room._left) == 1
