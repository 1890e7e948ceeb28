"""HTTP operations against services, arguments and secrets that do harm: no call hangs, no secret stands in an error."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import contextmanager

import pytest

from planvow.adapters.tool_servers.operations import call_operation
from planvow.cassette.work.encode import encode, hidden
from planvow.contract.errors import SkillFailedError
from planvow.errors import InputError
from planvow.retry import ErrorClass
from planvow.tools.servers import Server
from planvow.tools.tool import ToolEntry
from tool_servers import Service


@contextmanager
def raw_service(*parts, pause=0.0):
    """Give the address of a service that answers with these bytes, whatever it is asked."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer():
            connection, _ = listener.accept()
            with connection:
                connection.recv(65536)
                for part in parts:
                    try:
                        connection.sendall(part)
                    except OSError:
                        return
                    time.sleep(pause)

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        thread.join(10)


def called(base, seconds=5.0, where=None, path="/things", **arguments):
    names = {name.replace("_", "-") if (where or {}).get(name) == "header" else name: value
             for name, value in arguments.items()}  # fmt: skip
    places = {name.replace("_", "-") if place == "header" else name: place for name, place in (where or {}).items()}
    origin = {"kind": "http", "server": "s", "method": "POST", "path": path, "in": places}
    entry = ToolEntry(name="thing", origin=origin)
    return call_operation(Server(base=base, timeout_seconds=seconds), entry, names, key="k", secrets={})


def test_an_answer_that_drips_ends_with_the_timeout_and_not_with_the_service():
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 60\r\n\r\n"
    with raw_service(head, *[b"x"] * 60, pause=0.1) as base:
        began = time.monotonic()
        with pytest.raises(SkillFailedError) as raised:
            called(base, seconds=0.5)
        assert time.monotonic() - began < 3
    assert raised.value.failure.kind is ErrorClass.TIMEOUT


@pytest.mark.parametrize(
    "answer",
    [b"", b"nonsense\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nshort"],
    ids=["nothing", "no http", "short"],
)
def test_a_service_that_hangs_up_is_a_network_failure(answer):
    with raw_service(answer) as base, pytest.raises(SkillFailedError) as raised:
        called(base)
    assert raised.value.failure.kind is ErrorClass.NETWORK


@pytest.mark.parametrize(
    ("kind", "body"),
    [(b"text/plain; charset=klingon", b"hello"), (b"application/json", b"[" * 5000 + b"]" * 5000)],
    ids=["charset", "deep"],
)
def test_work_that_was_done_is_no_failure_for_the_form_of_its_answer(kind, body):
    head = b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n" % (kind, len(body))
    with raw_service(head + body) as base:
        assert called(base) == body.decode()


@pytest.mark.parametrize("text", ["..", "a/../b", "..\\x", "x/..", "./x", ""])
def test_an_argument_does_not_lead_upwards_in_a_path(text):
    with Service() as service, pytest.raises(InputError, match="no part of a path"):
        called(service.base, path="/things/{name}", where={"name": "path"}, name=text)
    assert service.asked == []


@pytest.mark.parametrize("name", ["Host", "Content_Length", "transfer_encoding", "Idempotency_Key"])
def test_an_argument_sets_no_header_that_says_whose_the_request_is(name):
    with Service() as service, pytest.raises(InputError, match="not an argument's"):
        called(service.base, where={name: "header"}, **{name: "1"})
    assert service.asked == []


@pytest.mark.parametrize("text", ["\x00", "a\x1bb", "\u20ac"])
def test_a_header_holds_printable_text(text):
    with Service() as service, pytest.raises(InputError, match="printable"):
        called(service.base, where={"X_Shop": "header"}, X_Shop=text)
    assert service.asked == []


def test_lines_of_an_argument_make_no_further_header():
    with Service() as service:
        called(service.base, where={"X_Shop": "header"}, X_Shop="a\r\nX-Evil: 1")
    assert "x-evil" not in service.asked[0]["headers"]


def test_a_secret_that_begins_another_leaves_nothing_of_it_in_sight():
    secrets = {"SHORT": "abc", "LONG": "abcdef"}
    assert hidden("abcdef abc", secrets) == "{{secret.LONG}} {{secret.SHORT}}"
    assert encode("abcdef", hide=secrets).data == "{{secret.LONG}}"
