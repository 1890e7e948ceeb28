"""Published agent frameworks on `planvow mcp`, in an environment of their own: plan, read the refusal, plan again.

    python bench/mcp_frameworks.py

Makes a virtual environment with langchain-mcp-adapters and openai-agents, which need version 1 of the MCP SDK while the
server speaks version 2, and lets an agent of each, with a model that follows a script, ask our server as its own
process. Exits 1 unless both are refused readably and then planned for. Needs the package index.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("langchain-mcp-adapters", "openai-agents", "mcp<2")
WRONG, RIGHT = '[["fly", "bob", "park"]]', '[["travel", "bob", "park"]]'
CLIENTS = """
import asyncio, json, sys
COMMAND, ARGUMENTS, WRONG, RIGHT = sys.argv[1], sys.argv[2:-2], sys.argv[-2], sys.argv[-1]
QUESTIONS = [{"domain": "travel", "goal": goal} for goal in (WRONG, RIGHT)]


async def langchain():
    from langchain_mcp_adapters.client import MultiServerMCPClient
    from langchain_mcp_adapters.tools import load_mcp_tools

    client = MultiServerMCPClient({"planvow": {"command": COMMAND, "args": ARGUMENTS, "transport": "stdio"}})
    async with client.session("planvow") as session:
        tools = {tool.name: tool for tool in await load_mcp_tools(session)}
        return [str(await tools["make_plan"].ainvoke(question)) for question in QUESTIONS]


async def openai():
    from agents import Agent, RunConfig, Runner
    from agents.items import ModelResponse
    from agents.mcp import MCPServerStdio
    from agents.models.interface import Model
    from agents.usage import Usage
    from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

    class Scripted(Model):
        seen = []

        async def get_response(self, *given, **named):
            told = named.get("input") or given[1]
            came = [part for part in told if isinstance(part, dict) and part.get("type") == "function_call_output"]
            self.seen = [str(part["output"]) for part in came]
            if len(came) < len(QUESTIONS):
                asked = json.dumps(QUESTIONS[len(came)])
                name = f"call{len(came)}"
                call = ResponseFunctionToolCall(type="function_call", name="make_plan", call_id=name, arguments=asked)
                return ModelResponse(output=[call], usage=Usage(), response_id=None)
            text = ResponseOutputText(type="output_text", text="done", annotations=[])
            end = ResponseOutputMessage(id="m", type="message", role="assistant", status="completed", content=[text])
            return ModelResponse(output=[end], usage=Usage(), response_id=None)

        def stream_response(self, *given, **named):
            raise NotImplementedError

    model, parameters = Scripted(), {"command": COMMAND, "args": ARGUMENTS}
    async with MCPServerStdio(params=parameters, client_session_timeout_seconds=60) as server:
        agent = Agent(name="planner", mcp_servers=[server], model=model)
        await Runner.run(agent, "bring bob to the park", run_config=RunConfig(tracing_disabled=True))
    return model.seen


failed = False
for ask in (langchain, openai):
    refused, planned = asyncio.run(ask())
    good = "UNKNOWN_ITEM" in refused and "What to change" in refused and "solved" in planned
    failed = failed or not good
    print(f"{ask.__name__}: refused readably, then planned: {'pass' if good else 'FAIL'}", flush=True)
sys.exit(failed)
"""


def main() -> int:
    argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0]).parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        venv.create(folder / "env", with_pip=True)
        python = str(folder / "env/bin/python")
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
        script = folder / "clients.py"
        script.write_text(CLIENTS, "utf-8")
        server = [sys.executable, "-m", "planvow", "mcp", "--domain", str(ROOT / "examples/travel.py")]
        return subprocess.run([python, str(script), *server, WRONG, RIGHT], check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main())
