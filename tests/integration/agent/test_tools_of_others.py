"""Tools as other libraries make them, contained commands and HTTP services, in whole runs of an agent."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import pytest

from containment import needs_namespaces
from planvow import Agent, Domain, State
from planvow.agent import command_tool, http_tool

ABSENT = "the libraries whose tools are tried are not installed"


def messages() -> Domain:
    domain = Domain("messages")

    @domain.command
    def send(state, who, times):
        state.sent[who] = times
        return state

    return domain


def run_with(tool, tmp_path, *, who="ann", times=2):
    agent = Agent(messages(), tools={"send": tool}, ledger=str(tmp_path / "agent.db"))
    return agent.run([("send", who, times)], State(sent={}))


def langchain_tools():
    tools = pytest.importorskip("langchain_core.tools", reason=ABSENT)

    @tools.tool
    def send(who: str, times: int) -> str:
        """Send a message."""
        return f"{who} {times}"

    async def send_later(who: str, times: int) -> str:
        return f"{who} {times}"

    return [send, tools.StructuredTool.from_function(coroutine=send_later, name="send", description="Send.")]


def pydantic_ai_tools():
    library = pytest.importorskip("pydantic_ai", reason=ABSENT)

    def send(who: str, times: int) -> str:
        """Send a message."""
        return f"{who} {times}"

    async def send_later(who: str, times: int) -> str:
        return f"{who} {times}"

    return [library.Tool(send), library.Tool(send_later)]


@pytest.mark.parametrize("made", [langchain_tools, pydantic_ai_tools])
@pytest.mark.parametrize("kind", [0, 1], ids=["function", "coroutine"])
def test_tools_of_the_real_libraries_run_and_their_schemas_are_held_to(made, kind, tmp_path):
    tool = made()[kind]
    run = run_with(tool, tmp_path)
    assert (run.status, run.steps[0].output) == ("solved", "ann 2")
    wrong = run_with(tool, tmp_path, times="often")
    assert wrong.status == "no_plan"
    assert "TOOL_ARGUMENTS" in str(wrong.steps[0].error)


@needs_namespaces
def test_a_command_runs_contained_sees_no_network_and_leaves_its_files_below_its_root(tmp_path):
    root = tmp_path / "work"
    root.mkdir()
    script = (
        "import socket,sys,pathlib; pathlib.Path('seen').write_text(sys.argv[1]);"
        "s=socket.socket(); s.settimeout(2);\n"
        "try: s.connect(('192.0.2.1', 80)); print('reached')\n"
        "except OSError: print('no way out')\n"
        "try: pathlib.Path('/etc/planvow-was-here').write_text('x'); print('wrote')\n"
        "except OSError: print('not there')\n"
    )
    tool = command_tool("send", ["python3", "-c", script, "{who}", "{times}"], root=root, timeout_seconds=60)
    run = run_with(tool, tmp_path)
    assert run.success, run.reason
    assert run.steps[0].output["printed"].split("\n")[:2] == ["no way out", "not there"]
    assert "bubblewrap" in json.dumps(run.steps[0].output["containment"]).lower() or run.steps[0].output["containment"]
    assert (root / "seen").read_text() == "ann"


@needs_namespaces
def test_a_command_that_hangs_is_ended_with_all_it_started_and_nobody_knows_what_it_did(tmp_path):
    root = tmp_path / "work"
    root.mkdir()
    words = ["sh", "-c", "(sleep 30; touch late) & sleep 30", "{who}", "{times}"]
    run = run_with(command_tool("send", words, root=root, timeout_seconds=1), tmp_path)
    assert run.status in ("blocked", "no_plan"), run
    assert not (root / "late").exists()


class Post(BaseHTTPRequestHandler):
    seen: ClassVar[dict[str, int]] = {}

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        key = self.headers["Idempotency-Key"]
        self.seen[key] = self.seen.get(key, 0) + 1
        status = 503 if self.seen[key] < 3 else 200
        self.send_response(status)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        """Say nothing."""


def test_a_service_that_is_busy_is_called_again_under_one_key_if_that_is_allowed(tmp_path):
    from planvow.retry import Backoff

    server = ThreadingHTTPServer(("127.0.0.1", 0), Post)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        address = f"http://127.0.0.1:{server.server_port}/{{who}}"
        patient = http_tool("send", "POST", address, idempotent=True, backoff=Backoff(base_ms=1, max_ms=5))
        assert run_with(patient, tmp_path).success
        assert sorted(Post.seen.values()) == [3]
        Post.seen.clear()
        once = run_with(http_tool("send", "POST", address), tmp_path)
        assert (once.status, sorted(Post.seen.values())) == ("no_plan", [1])
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
