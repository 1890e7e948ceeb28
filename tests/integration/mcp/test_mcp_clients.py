"""The MCP server as clients meet it: another process, over both transports, in both eras of the protocol."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import asynccontextmanager, contextmanager

import anyio
import pytest

from mcp_servers import ROOT, command, free_port, pigeons, serving

pytestmark = pytest.mark.slow
Client = pytest.importorskip("mcp.client").Client
TRANSPORTS = ("stdio", "http")


@asynccontextmanager
async def over(transport, tmp_path, *more, **options):
    """A client of a server that is a process of its own."""
    from mcp.client.stdio import StdioServerParameters, stdio_client

    words = command("--repo-root", str(tmp_path), *more)
    if transport == "stdio":
        start = StdioServerParameters(command=words[0], args=words[1:])
        async with Client(stdio_client(start), **options) as client:
            yield client
        return
    port = free_port()
    with serving([*words, "--http", "--port", str(port)], port, tmp_path / "errors.txt"):
        async with Client(f"http://127.0.0.1:{port}/mcp", **options) as client:
            yield client


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_client_plans_is_refused_readably_and_plans_again(transport, tmp_path):
    async def main():
        async with over(transport, tmp_path) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            assert "post_plan" not in names
            refused = await client.call_tool("make_plan", {"domain": "travel:poor"})
            assert refused.is_error
            text = refused.content[0].text
            assert text.startswith("PLANNER_GENERATION_FAILED: there is no plan")
            assert "alice has 1 and owes 5.5" in text
            assert refused.structured_content["refusal"]["code"] == "PLANNER_GENERATION_FAILED"
            made = await client.call_tool("make_plan", {"domain": "travel:poor", "facts": {"cash": {"alice": 9}}})
            assert not made.is_error
            assert [step["skill"] for step in made.structured_content["steps"]][-1] == "pay_driver"
            name = made.structured_content["plan_hash"]
            kept = await client.read_resource(f"certificate://{name}")
            assert json.loads(kept.contents[0].text)["format"].startswith("certificate/")
            verdict = await client.call_tool("verify", {"plan_hash": name, "domain": "travel:poor"})
            assert verdict.structured_content["level"] == "re-executed"
            why = await client.read_resource("error://PLANNER_GENERATION_FAILED")
            assert "could not make a plan" in why.contents[0].text
            prompt = await client.get_prompt("explain_plan", {"plan_hash": name})
            assert name in prompt.messages[0].content.text
            wrong = await client.call_tool("make_plan", {"domian": "travel"})
            assert wrong.content[0].text.splitlines()[1] == "What to change: did you mean 'domain'?"
            forbidden = await client.call_tool("post_plan", {"run_id": "r", "plan_hash": name})
            assert forbidden.content[0].text.startswith("RIGHT_MISSING")

    anyio.run(main)
    assert not (tmp_path / ".planvow").exists()


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_long_search_tells_its_progress_and_ends_when_it_is_cancelled(transport, tmp_path):
    domain, problem = pigeons(20)
    told = []

    async def note(done, _total, words):
        told.append((done, words))

    async def main():
        async with over(transport, tmp_path) as client:
            with anyio.move_on_after(15) as scope:

                async def until_told():
                    while len(told) < 3:
                        await anyio.sleep(0.05)
                    scope.cancel()

                async with anyio.create_task_group() as tasks:
                    tasks.start_soon(until_told)
                    await client.call_tool("solve_hddl", {"domain": domain, "problem": problem}, progress_callback=note)
            assert len(told) >= 3
            assert told[-1][0] > told[0][0]
            with anyio.fail_after(10):  # the search has ended: the server is there for others
                made = await client.call_tool("make_plan", {"domain": "travel"})
            assert not made.is_error

    anyio.run(main)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
@pytest.mark.parametrize("transport", TRANSPORTS)
def test_an_approval_through_the_client_counts_only_where_the_server_was_told_so(transport, mode, tmp_path):
    asked = []

    async def answer(_context, params):
        from mcp_types import ElicitResult

        asked.append(params.message)
        return ElicitResult(action="accept", content={"approve": True})

    async def main(*more):
        options = {"elicitation_callback": answer, "mode": mode}
        async with over(transport, tmp_path, "--allow-post", *more, **options) as client:
            made = await client.call_tool("make_plan", {"domain": "travel"})
            if not more:
                past = {"run_id": "past", "plan_hash": made.structured_content["plan_hash"], "approval": ""}
                assert (await client.call_tool("post_plan", past)).content[0].text.startswith("RIGHT_MISSING")
            posted = await client.call_tool(
                "post_plan", {"run_id": f"run{len(asked)}", "plan_hash": made.structured_content["plan_hash"]}
            )
            job = posted.structured_content["job_id"]
            said = await client.call_tool("ask_approval", {"job_id": job})
            run = await client.read_resource(f"run://run{len(asked) - 1}")
            return said.structured_content, json.loads(run.contents[0].text)["jobs"][0]["state"]

    noted, held = anyio.run(main)
    assert (noted["recorded"], noted["satisfied"], held) == ("noted", False, "held")
    assert noted["by"].startswith("unauthenticated")
    assert "cassette approve" in noted["change"]
    approved, waiting = anyio.run(main, "--accept-unauthenticated", "*")
    assert (approved["recorded"], approved["satisfied"], waiting) == ("approved", True, "waiting")
    assert "posted by a planning agent" in asked[0]


def test_nothing_but_the_protocol_is_ever_printed(tmp_path):
    loud = tmp_path / "loud.py"
    source = (ROOT / "examples/travel.py").read_text("utf-8")
    loud.write_text(
        source.replace("def stay(state, who, there):", "def stay(state, who, there):\n    print('LOUD')", 1)
    )
    words = command("--repo-root", str(tmp_path), domain=str(loud))
    with conversation(words) as (say, hear):
        say(
            "initialize",
            {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
        )
        assert hear()["result"]["serverInfo"]["name"] == "planvow"
        say("notifications/initialized", notification=True)
        say("tools/call", {"name": "make_plan", "arguments": {"domain": "travel"}})
        assert hear()["result"]["structuredContent"]["status"] == "solved"
        say("tools/call", {"name": "make_plan", "arguments": {"goal": "[", "domain": "travel"}})
        assert hear()["result"]["isError"]


@contextmanager
def conversation(words):
    """Speak JSON-RPC to a server by hand: every line it writes must be a message."""
    process = subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
    )
    numbers = iter(range(1, 100))

    def say(method, params=None, notification=False):
        message = {"jsonrpc": "2.0", "method": method, "params": params or {}}
        if not notification:
            message["id"] = next(numbers)
        process.stdin.write(json.dumps(message) + "\n")

    def hear():
        return json.loads(process.stdout.readline())

    try:
        yield say, hear
        process.stdin.close()
        assert process.wait(timeout=20) == 0
        assert process.stdout.read() == ""
        assert "LOUD" in process.stderr.read()
    finally:
        process.kill()


def test_a_page_of_another_origin_cannot_use_the_http_server(tmp_path):
    import urllib.error
    import urllib.request

    port = free_port()
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode()
    kinds = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    with serving([*command(), "--http", "--port", str(port)], port, tmp_path / "errors.txt"):
        for header in ({"Origin": "http://evil.example"}, {"Host": "evil.example"}):
            request = urllib.request.Request(f"http://127.0.0.1:{port}/mcp", data=body, headers={**kinds, **header})
            with pytest.raises(urllib.error.HTTPError) as raised:
                urllib.request.urlopen(request, timeout=10)
            assert raised.value.code in (403, 421)


def test_it_is_not_served_to_other_machines_and_says_what_is_missing(tmp_path):
    done = subprocess.run([*command(), "--http", "--host", "0.0.0.0"], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert "this machine only" in done.stderr
    assert "MCP at" not in done.stderr
    hidden = "import sys; sys.modules['mcp_types'] = None; sys.argv = ['planvow', 'mcp']; "
    hidden += "from planvow.__main__ import run; run()"
    without = subprocess.run([sys.executable, "-c", hidden], capture_output=True, text=True, timeout=60)
    assert without.returncode == 2
    assert "pip install 'planvow[mcp]'" in without.stderr
