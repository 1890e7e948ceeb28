"""Who is let in over HTTP, by the addresses that a call names."""

from __future__ import annotations

import pytest

pytest.importorskip("fastapi")
from fastapi import Request

from planvow.adapters.http.callers import LOOPBACK, Guarding

HERE = Guarding(hosts=LOOPBACK, token="t")
EVERYWHERE = Guarding(hosts=None, token="t", everything=True)


def call(host, origin=None, **fetch):
    headers = [(b"host", host.encode()), *([(b"origin", origin.encode())] if origin is not None else [])]
    headers += [(f"sec-fetch-{name}".encode(), value.encode()) for name, value in fetch.items()]
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


@pytest.mark.parametrize(
    ("site", "dest", "meant"),
    [
        ("cross-site", "image", False),
        ("cross-site", "iframe", False),
        ("same-site", "empty", False),
        ("cross-site", "document", True),
        ("same-origin", "empty", True),
        ("none", "document", True),
    ],
)
def test_a_page_elsewhere_may_link_here_and_neither_fetch_nor_frame(site, dest, meant):
    assert HERE.is_meant(call("127.0.0.1:8080", site=site, dest=dest)) is meant
