"""Who a call is from, and what they may: tokens of a file, users of a proxy, strangers."""

from __future__ import annotations

import json
import threading

import pytest

pytest.importorskip("fastapi")
from fastapi import Request

from planvow.adapters.http import tokens
from planvow.adapters.http.callers import EVERY_RIGHT, FREE, LOOPBACK, Guarding, Proxy
from planvow.adapters.http.tokens import Tokens
from planvow.errors import InputError
from planvow.service.declare.errors import RightMissingError
from planvow.service.declare.operation import Right

PROXY = Proxy(header="X-User", addresses=frozenset({"10.0.0.1"}))


class Hands:
    now = 1000

    def now_ms(self):
        return self.now


@pytest.fixture
def path(tmp_path):
    return tmp_path / "data" / "tokens.json"


def call(*headers, address="127.0.0.1"):
    named = [(name.lower().encode(), value.encode()) for name, value in headers]
    return Request({"type": "http", "headers": named, "client": (address, 1)})


def bearer(text):
    return ("Authorization", f"Bearer {text}")


def test_a_token_has_its_rights_until_it_ends_or_is_revoked(path):
    hands = Hands()
    guarding = Guarding(hosts=LOOPBACK, everything=True, tokens=Tokens(path), clock=hands)
    text, made = tokens.create(path, "ann", [Right.OPERATE], now_ms=1000, expires_at=2000)
    caller = guarding.caller(call(bearer(text)))
    assert (caller.name, caller.rights) == ("token ann", {Right.OPERATE})
    hands.now = 2000
    with pytest.raises(RightMissingError, match="expired"):
        guarding.caller(call(bearer(text)))
    hands.now = 1500
    tokens.revoke(path, made.token_id, now_ms=1500)
    with pytest.raises(RightMissingError, match="revoked"):
        guarding.caller(call(bearer(text)))


@pytest.mark.parametrize(
    "change", [lambda text: text[:-1], lambda text: text + "x", lambda text: text.upper(), str.title]
)
def test_a_token_that_was_changed_is_none(path, change):
    text, _ = tokens.create(path, "ann", FREE, now_ms=1, expires_at=None)
    with pytest.raises(RightMissingError, match="not known"):
        Guarding(hosts=LOOPBACK, token="t", tokens=Tokens(path)).caller(call(bearer(change(text))))


def test_strangers_may_read_and_plan_where_that_is_free_and_nothing_elsewhere():
    assert Guarding(hosts=LOOPBACK, token="t").caller(call()).rights == FREE
    assert Guarding(hosts=LOOPBACK, token="t", everything=True).caller(call()).rights == frozenset()
    assert Guarding(hosts=LOOPBACK, token="t", everything=True).caller(call(bearer("t"))).rights == EVERY_RIGHT
    with pytest.raises(RightMissingError, match="not known"):
        Guarding(hosts=LOOPBACK).caller(call(bearer("None")))


def test_the_proxys_header_counts_from_its_own_address_alone():
    guarding = Guarding(hosts=LOOPBACK, everything=True, proxy=PROXY)
    user = guarding.caller(call(("X-User", "cleo"), address="10.0.0.1"))
    assert (user.name, user.rights) == ("user cleo", FREE)
    assert guarding.caller(call(("X-User", "cleo"), address="10.0.0.2")).rights == frozenset()
    assert guarding.caller(call(address="10.0.0.1")).rights == frozenset()


@pytest.mark.parametrize("names", [["cleo", "root"], [""], ["  "], ["a\tb"], ["x" * 300]])
def test_a_proxy_that_names_nobody_or_two_lets_nobody_in(names):
    guarding = Guarding(hosts=LOOPBACK, everything=True, proxy=PROXY)
    with pytest.raises(RightMissingError, match="names nobody"):
        guarding.caller(call(*(("X-User", name) for name in names), address="10.0.0.1"))


def test_a_name_is_given_once_while_it_is_valid(path):
    tokens.create(path, "ann", FREE, now_ms=1, expires_at=100)
    with pytest.raises(InputError, match="valid already"):
        tokens.create(path, "ann", FREE, now_ms=2, expires_at=None)
    tokens.create(path, "ann", FREE, now_ms=100, expires_at=None)
    assert [token.state(100) for token in tokens.read(path)] == ["expired", "valid"]


def test_tokens_made_at_the_same_time_are_all_kept(path):
    def make(number):
        tokens.create(path, f"n{number}", FREE, now_ms=1, expires_at=None)

    many = [threading.Thread(target=make, args=(number,)) for number in range(8)]
    for each in many:
        each.start()
    for each in many:
        each.join()
    assert len(tokens.read(path)) == 8


BROKEN = ["", "{", "[]", '{"format": "other"}', '{"format": "planvow-tokens/1", "tokens": [{}]}']


@pytest.mark.parametrize("text", BROKEN)
def test_a_broken_file_lets_nobody_in_and_is_told(path, text):
    made, _ = tokens.create(path, "ann", FREE, now_ms=1, expires_at=None)
    kept = Tokens(path)
    assert kept.find(made) is not None
    path.write_text(text)
    with pytest.raises(InputError, match="no file of tokens"):
        kept.find(made)
    with pytest.raises(RightMissingError, match="cannot be read"):
        Guarding(hosts=LOOPBACK, tokens=kept).caller(call(bearer(made)))
    path.unlink()
    assert kept.find(made) is None


def test_the_file_holds_no_token(path):
    text, _ = tokens.create(path, "ann", FREE, now_ms=1, expires_at=None)
    stored = json.loads(path.read_text())["tokens"][0]
    assert text.split("_", 2)[2] not in path.read_text()
    assert set(stored) == {"token_id", "name", "sha256", "rights", "created_at", "expires_at", "revoked_at"}
