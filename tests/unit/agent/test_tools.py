"""Tools of every kind become one form, fit their commands, and are checked before anything runs."""

from __future__ import annotations

import asyncio
import functools
import json
import threading
from enum import Enum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar, Literal

import pydantic
import pytest

from planvow import Domain
from planvow.agent import Call, RateLimit, Tool, ToolFailedError, as_tool, command_tool, http_tool, tool
from planvow.agent.errors import ToolArgumentsError, ToolError
from planvow.agent.run.calling import CallTimeoutError, Pace, call
from planvow.agent.tools.bind import bind_tools
from planvow.contract.errors import SkillFailedError
from planvow.retry import ErrorClass

SIZES = Literal["small", "large"]


class Colour(Enum):
    RED = "red"


def a_domain() -> Domain:
    domain = Domain("post")

    @domain.command
    def fetch(state, thing, who):
        return state

    return domain


def called(given, thing="lamp", who="ann"):
    """Bind a tool to the command and call it as an agent does."""
    bound = bind_tools(a_domain(), {"fetch": given})["fetch"]
    asked = Call(
        run_id="r",
        command=("fetch", thing, who),
        arguments=bound.arguments({"thing": thing, "who": who}),
        idempotency_key="job.1",
        attempt=1,
        secrets={"KEY": "hunter2"},
    )
    return asyncio.run(call(bound.tool.run, asked, timeout=10))


class Desk:
    def fetch(self, thing, who):
        return ("method", thing, who)

    async def later(self, who, thing):
        return ("coroutine", thing, who)

    def __call__(self, item, person, speed=1):
        return ("object", item, person)


def plain(thing, who):
    return ("function", thing, who)


def renamed(item, person):
    return ("by place", item, person)


def anything(*arguments):
    return ("any", *arguments)


def keywords(**given):
    return ("names", given["thing"], given["who"])


def positional(thing, who, /):
    return ("positional", thing, who)


@pytest.mark.parametrize(
    "given",
    [plain, renamed, Desk().fetch, Desk().later, Desk(), anything, keywords, positional, functools.partial(plain)],
    ids=lambda given: getattr(given, "__name__", type(given).__name__),
)
def test_functions_methods_objects_and_coroutines_are_called_with_the_commands_arguments(given):
    assert called(given)[1:] == ("lamp", "ann")


def test_a_function_gets_its_key_its_call_and_its_secrets_if_it_has_parameters_for_them():
    def fetch(thing, who, idempotency_key, call, secrets):
        return idempotency_key, call.command, secrets

    assert called(fetch) == ("job.1", ("fetch", "lamp", "ann"), {"KEY": "hunter2"})


class Arguments(pydantic.BaseModel):
    thing: str
    who: str


class LangChainShaped:
    name = "fetch"
    description = "fetches"
    args_schema = Arguments

    def invoke(self, arguments):
        return ("langchain", arguments["thing"], arguments["who"])


class LangChainShapedAsync(LangChainShaped):
    async def coroutine(self):
        """What a tool with a coroutine has."""

    async def ainvoke(self, arguments):
        return ("langchain", arguments["thing"], arguments["who"])


class PydanticAiShaped:
    name = "fetch"
    takes_ctx = False

    class function_schema:
        json_schema = Arguments.model_json_schema()

    async def function(self, thing, who):
        return ("pydantic-ai", thing, who)


class Described:
    name = "fetch"
    input_schema = Arguments.model_json_schema()

    def run(self, thing, who):
        return ("described", thing, who)


SHAPES = [LangChainShaped(), LangChainShapedAsync(), PydanticAiShaped(), Described()]


@pytest.mark.parametrize("given", SHAPES, ids=lambda given: type(given).__name__)
def test_tools_of_other_libraries_are_known_by_their_shape(given):
    assert called(given)[1:] == ("lamp", "ann")
    with pytest.raises(ToolArgumentsError, match="string expected, got integer"):
        called(given, who=3)


def test_a_tool_that_wants_a_models_context_is_refused_with_a_hint():
    given = PydanticAiShaped()
    given.takes_ctx = True
    with pytest.raises(ToolError, match="run context"):
        as_tool("fetch", given)


def test_annotations_are_held_to_before_the_tool_is_called():
    def fetch(thing: SIZES, who: list[int] | None):
        raise AssertionError("it was called")

    for thing, who, message in (
        ("tiny", None, "not one of the 2 allowed values"),
        ("small", "x", "fits none of the allowed forms"),
    ):
        with pytest.raises(ToolArgumentsError, match=message):
            called(fetch, thing, who)


def test_enumerations_and_unknown_annotations_become_what_json_can_hold():
    def fetch(thing: Colour, who: Desk):
        return thing, who

    assert as_tool("fetch", fetch).schema["properties"] == {"thing": {"enum": ["red"]}, "who": {}}


@pytest.mark.parametrize(
    ("tools", "message"),
    [
        ({}, "there is no tool for fetch"),
        ({"fetch": plain, "fly": plain}, "has no command 'fly'"),
        ({"fetch": lambda thing: 0}, "the command gives thing, who, the tool takes thing"),
        ({"fetch": lambda thing, who, how: 0}, "the tool takes thing, who, how"),
        ({"fetch": 3}, "a int cannot be called"),
    ],
)
def test_tools_that_do_not_fit_are_refused_before_anything_is_planned(tools, message):
    with pytest.raises(ToolError, match=message):
        bind_tools(a_domain(), tools)


def test_a_command_for_which_nothing_is_to_be_done_is_given_none():
    assert called(None) is None


@pytest.mark.parametrize(
    "says",
    [{"timeout_seconds": 0}, {"timeout_seconds": "1"}, {"timeout_seconds": True}, {"retries": -1}, {"swiftly": True},
     {"on_unknown": "guess"}, {"on_unknown": "probe"}, {"on_error": "pray"}, {"on_error": "continue"},
     {"retries": True}, {"idempotent": "no"}, {"ordered": 1}, {"rate": 5}, {"backoff": 2}, {"secrets": "TOKEN"},
     {"was_it_done": "yes"}],
    ids=str,
)  # fmt: skip
def test_promises_that_make_no_sense_are_refused(says):
    with pytest.raises(ToolError) as refusal:
        tool(plain, **says)
    assert next(iter(says)).split("_")[0] in str(refusal.value)  # it names what was said, in no words of Python's
    assert "__init__" not in str(refusal.value)
    assert "not supported" not in str(refusal.value)


@pytest.mark.parametrize(
    "declare",
    [
        lambda: tool(plain, timeout=1),
        lambda: http_tool("fetch", "GET", "https://shop.example/", timeout=1),
        lambda: command_tool("fetch", ["true"], root=".", timeout=1),
    ],
)
def test_a_promise_that_is_nearly_named_is_refused_with_the_one_that_is_meant(declare):
    with pytest.raises(ToolError, match="there is no promise 'timeout'") as refusal:
        declare()
    assert "timeout_seconds" in str(refusal.value.hint)


def yields(thing, who):
    yield thing


async def yields_later(thing, who):
    yield thing


class Yielding:
    def __call__(self, thing, who):
        yield thing


@pytest.mark.parametrize("given", [yields, yields_later, functools.partial(yields), Yielding()])
def test_a_tool_that_yields_is_refused_since_a_call_would_do_nothing(given):
    with pytest.raises(ToolError, match="it yields"):
        bind_tools(a_domain(), {"fetch": given})


def test_a_wrapper_that_goes_through_a_generator_is_a_tool():
    @functools.wraps(yields)
    def gone_through(thing, who):
        return list(yields(thing, who))

    assert called(gone_through) == ["lamp"]


def test_a_tool_that_promises_nothing_is_neither_tried_again_nor_run_after_an_unknown_end():
    made = as_tool("fetch", plain)
    assert (made.retry_count, made.unknown_policy, made.may_run_twice) == (0, "ask", False)
    safe = tool(plain, idempotent=True)
    assert (safe.retry_count, safe.unknown_policy, safe.may_run_twice) == (3, "run_again", True)
    looks = tool(plain, was_it_done=lambda call: True)
    assert (looks.unknown_policy, looks.may_run_twice) == ("probe", False)


def test_what_does_not_come_back_in_time_is_left_behind_and_said_so():
    release = threading.Event()
    with pytest.raises(CallTimeoutError):
        asyncio.run(call(release.wait, timeout=0.01))
    release.set()

    async def sleepy():
        await asyncio.sleep(60)

    with pytest.raises(CallTimeoutError):
        asyncio.run(call(sleepy, timeout=0.01))


def test_a_timeout_that_the_tool_itself_reports_is_its_own_failure():
    def slow():
        raise TimeoutError("the service was slow")

    with pytest.raises(TimeoutError, match="the service was slow"):
        asyncio.run(call(slow, timeout=10))


def test_no_more_calls_begin_than_the_rate_allows():
    async def begin() -> list[float]:
        pace, begun = Pace(RateLimit(calls=2, seconds=0.05)), []
        for _ in range(5):
            await pace.wait()
            begun.append(asyncio.get_running_loop().time())
        return begun

    begun = asyncio.run(begin())
    assert all(later - earlier >= 0.049 for earlier, later in zip(begun, begun[2:], strict=False))


class Service(BaseHTTPRequestHandler):
    seen: ClassVar[list[dict]] = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.seen.append({"path": self.path, "headers": dict(self.headers), "body": json.loads(body or b"null")})
        status, answer = (503, b"busy") if self.path.startswith("/busy") else (200, b'{"ok": true}')
        if self.path.startswith("/away"):
            self.send_response(302)
            self.send_header("Location", "http://localhost:9/elsewhere")
        else:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Retry-After", "7")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_GET = do_POST

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture
def service():
    Service.seen = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_service_is_called_with_the_key_the_secrets_and_arguments_that_stay_in_their_place(service):
    made = http_tool("fetch", "POST", service + "/things/{thing}", headers={"Authorization": "Bearer {secret.KEY}"})
    assert called(made, thing="a/../b?c") == {"status": 200, "body": {"ok": True}}
    (seen,) = Service.seen
    assert seen["path"] == "/things/a%2F..%2Fb%3Fc"
    assert seen["body"] == {"who": "ann"}
    assert seen["headers"]["Idempotency-Key"] == "job.1"
    assert seen["headers"]["Authorization"] == "Bearer hunter2"


def test_a_services_refusal_is_a_failure_of_the_class_its_status_says(service):
    with pytest.raises(SkillFailedError) as caught:
        called(http_tool("fetch", "POST", service + "/busy"))
    assert caught.value.failure.kind is ErrorClass.SERVER
    assert caught.value.failure.retry_after_ms == 7_000


def test_a_service_cannot_send_a_call_and_its_secrets_to_another_host(service):
    with pytest.raises(SkillFailedError, match="another host"):
        called(http_tool("fetch", "GET", service + "/away/{thing}/{who}"))


def test_calls_that_change_nothing_are_idempotent_by_default(service):
    assert http_tool("fetch", "GET", service).idempotent
    assert not http_tool("fetch", "POST", service).idempotent


def test_a_command_runs_without_a_shell_and_its_end_decides(tmp_path):
    made = command_tool("fetch", ["printf", "%s|%s", "{thing}", "{who}"], root=tmp_path, uncontained=True)
    assert called(made, thing="a b; rm -rf $HOME")["printed"] == "a b; rm -rf $HOME|ann"
    with pytest.raises(ToolFailedError, match="it ended with 3"):
        called(command_tool("fetch", ["sh", "-c", "exit 3", "{thing}", "{who}"], root=tmp_path, uncontained=True))


def test_a_tool_value_is_taken_as_it_is():
    made = Tool(name="other", run=lambda call: ("value", *call.arguments.values()))
    assert called(made)[1:] == ("lamp", "ann")
