"""Agents of other frameworks, with models that follow a script, plan, read the refusal and plan again."""

from __future__ import annotations

import asyncio
import json

import pytest

from mcp_servers import command

pytestmark = pytest.mark.slow
WORDS = command()


def test_an_agent_of_pydantic_ai_reads_the_refusal_and_plans_again():
    pytest.importorskip("pydantic_ai")
    from fastmcp.client.transports import StdioTransport
    from pydantic_ai import Agent
    from pydantic_ai.mcp import MCPToolset
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import FunctionModel

    seen = []

    def model(messages, info):
        last = messages[-1].parts[-1]
        if last.part_kind == "user-prompt":
            assert {"make_plan", "explain", "verify"} <= {tool.name for tool in info.function_tools}
            return ModelResponse(parts=[ToolCallPart("make_plan", {"domain": "travel:poor"})])
        text = str(last.content)
        seen.append(text)
        if "owes 5.5" in text:  # the refusal says what is too little
            return ModelResponse(
                parts=[ToolCallPart("make_plan", {"domain": "travel:poor", "facts": {"cash": {"alice": 6}}})]
            )
        return ModelResponse(parts=[TextPart(f"done: {text}")])

    async def main():
        agent = Agent(FunctionModel(model), toolsets=[MCPToolset(StdioTransport(WORDS[0], WORDS[1:]), init_timeout=60)])
        async with agent:
            return (await agent.run("Bring alice to the park.")).output

    answer = asyncio.run(main())
    refusal = json.loads(seen[0])["refusal"]  # this framework shows a model the data where there are both
    assert refusal["code"] == "PLANNER_GENERATION_FAILED"
    assert "alice has 1 and owes 5.5" in refusal["change"]
    assert "pay_driver" in answer


def test_an_agent_of_langchain_reads_the_refusal_and_plans_again():
    """Its tools are made from the list that a client of fastmcp reads: the published adapter needs the SDK's 1.x."""
    pytest.importorskip("langchain_core")
    from fastmcp import Client
    from fastmcp.client.transports import StdioTransport
    from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
    from langchain_core.messages import AIMessage, HumanMessage
    from langchain_core.tools import StructuredTool

    def calls(number, **arguments):
        return AIMessage("", tool_calls=[{"name": "make_plan", "args": arguments, "id": f"call{number}"}])

    async def main():
        async with Client(StdioTransport(WORDS[0], WORDS[1:])) as client:

            def tool_of(listed):
                async def run(**arguments):
                    answer = await client.call_tool(listed.name, arguments, raise_on_error=False)
                    return answer.content[0].text

                schema = listed.input_schema if hasattr(listed, "input_schema") else listed.inputSchema
                return StructuredTool(
                    name=listed.name, description=listed.description, args_schema=schema, coroutine=run
                )

            tools = {listed.name: tool_of(listed) for listed in await client.list_tools()}
            scripted = [
                calls(1, domain="travel:poor"),
                calls(2, domain="travel:poor", facts={"cash": {"alice": 6}}),
                AIMessage("planned"),
            ]
            model = GenericFakeChatModel(messages=iter(scripted))
            history = [HumanMessage("Bring alice to the park.")]
            while True:
                said = await model.ainvoke(history)
                history.append(said)
                if not said.tool_calls:
                    return history
                for call in said.tool_calls:
                    history.append(await tools[call["name"]].ainvoke(call))

    history = asyncio.run(main())
    refusal, plan = (message.content for message in history if message.type == "tool")
    assert refusal.startswith("PLANNER_GENERATION_FAILED")
    assert "alice has 1 and owes 5.5" in refusal
    assert json.loads(plan)["steps"][-1]["skill"] == "pay_driver"
