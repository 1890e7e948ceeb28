from effects import ORDER, really
from pydantic_ai import Agent
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel


def next_call(messages, info):
    """Stand in for the model: one call after the other, then a word."""
    made = sum(part.part_kind == "tool-return" for message in messages for part in message.parts)
    parts = [ToolCallPart(ORDER[made], {})] if made < len(ORDER) else [TextPart("solved")]
    return ModelResponse(parts=parts)


agent = Agent(FunctionModel(next_call))


@agent.tool_plain
def reserve() -> str:
    return really("reserve")


@agent.tool_plain
def charge() -> str:
    return really("charge")


@agent.tool_plain
def ship() -> str:
    return really("ship")


print(agent.run_sync("order it").output)
