"""Who is let in over HTTP, by the addresses that a call names."""

from __future__ import annotations

import pytest

pytest.importorskip("fastapi")
from fastapi import Request

from planvow.adapters.http.callers import LOOPBACK, Guarding

HERE = Guarding(hosts=LOOPBACK, token="t")
EVERYWHERE = Guarding(hosts=None, token="t", everything=True)


def call(host, origin=None):
    headers = [(b"host", host.encode()), *([(b"origin", origin.encode())] if origin is not None else [])]
    return Request({"type": "http", "headers": headers})


@pytest.mark.parametrize(
    ("guarding", "host", "origin", "meant"),
    [
        (HERE, "127.0.0.1:8080", None, True),
        (HERE, "127.0.0.1:8080", "http://localhost:8080", True),
        (HERE, "127.0.0.1:8080", "http://localhost:3000", False),
        (HERE, "127.0.0.1:8080", "null", False),
        (HERE, "127.0.0.1:8080", "", False),
        (HERE, "evil.example:8080", None, False),
        (HERE, "127.0.0.1@evil.example", None, False),
        (HERE, "[", None, False),
        (HERE, "127.0.0.1:8080", "http://127.0.0.1:99999999", False),
        (EVERYWHERE, "box.example:8080", None, True),
        (EVERYWHERE, "box.example:8080", "http://box.example:8080", True),
        (EVERYWHERE, "box.example:8080", "http://evil.example:8080", False),
        (EVERYWHERE, "", None, False),
    ],
)
def test_a_call_means_this_server_by_host_and_origin(guarding, host, origin, meant):
    assert guarding.is_meant(call(host, origin)) is meant
