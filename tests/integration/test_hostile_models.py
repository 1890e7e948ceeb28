"""Services of models that send elsewhere, never end or are handed a broken key: nothing leaks and nothing hangs."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import suppress

import pytest

from messages_api import MessagesServer
from planvow.adapters.models.anthropic_client import AnthropicClient
from planvow.adapters.models.http_client import HttpClient
from planvow.adapters.models.openai_client import OpenAIClient
from planvow.contract.errors import GenerationFailedError, MissingCredentialsError, PlannerTimeoutError
from planvow.contract.planners.conversation import ModelRequest
from planvow.errors import InputError, PlanvowError

pytest.importorskip("openai", reason="needs the extra [openai]")
pytest.importorskip("anthropic", reason="needs the extra [llm]")

CLIENTS = {"openai": OpenAIClient, "chat": HttpClient, "claude": AnthropicClient}
ASKED = ModelRequest(model="m", system="s", prompt="p", schema={"type": "object"}, max_tokens=9)
EACH = pytest.mark.parametrize("name", CLIENTS)
WAYS = [(name, way) for name, client in CLIENTS.items() for way in ("complete", "acomplete") if hasattr(client, way)]


@pytest.fixture
def servers(monkeypatch):
    monkeypatch.setenv("PLANVOW_MODEL_KEY", "k3y")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k3y")
    pair = MessagesServer(), MessagesServer()
    yield pair
    for each in pair:
        each.close()


@pytest.mark.parametrize(("name", "way"), WAYS)
def test_a_service_that_sends_elsewhere_is_not_followed(servers, name, way):
    named, other = servers
    named.answers(MessagesServer.sends(307, {}, location=f"{other.url}/v1/elsewhere"))
    other.answers("{}")
    client = CLIENTS[name](base_url=named.url, timeout_s=5)
    with pytest.raises(GenerationFailedError, match="307"):
        asyncio.run(client.acomplete(ASKED)) if way == "acomplete" else client.complete(ASKED)
    assert len(named.requests) == 1
    assert other.requests == []


@EACH
def test_a_key_that_no_header_can_hold_is_not_told(servers, name, monkeypatch):
    monkeypatch.setenv("PLANVOW_MODEL_KEY", "k3y\n")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k3y\n")
    with pytest.raises(PlanvowError) as raised:
        CLIENTS[name](base_url=servers[0].url, timeout_s=5).complete(ASKED)
    assert isinstance(raised.value, MissingCredentialsError)
    assert "k3y" not in f"{raised.value} {raised.value.hint}"


def test_an_answer_that_drips_ends_with_the_timeout(servers):
    def drip(handler):
        handler.send_response(200)
        handler.send_header("content-length", "100")
        handler.end_headers()
        with suppress(OSError):  # whoever asked hangs up
            for _ in range(50):
                handler.wfile.write(b" ")
                time.sleep(0.1)

    servers[0].answers(drip)
    began = time.monotonic()
    with pytest.raises(PlannerTimeoutError):
        HttpClient(base_url=servers[0].url, timeout_s=0.5).complete(ASKED)
    assert time.monotonic() - began < 3


@pytest.mark.parametrize("status", [200, 400])
def test_an_answer_that_is_nested_too_deeply_is_an_error_of_the_service(servers, status):
    servers[0].answers(MessagesServer.sends(status, b"[" * 100_000))
    with pytest.raises(GenerationFailedError):
        HttpClient(base_url=servers[0].url, timeout_s=5).complete(ASKED)


def test_a_pause_of_ages_is_a_day(servers):
    servers[0].answers(MessagesServer.sends(429, {}, retry_after="1e300"))
    with pytest.raises(PlanvowError) as raised:
        HttpClient(base_url=servers[0].url, timeout_s=5).complete(ASKED)
    assert raised.value.details["retry_after_ms"] == 86_400_000
    json.dumps(raised.value.details)


def test_an_address_that_is_none_is_refused():
    with pytest.raises(InputError):
        HttpClient(base_url="http://[")
