"""The MCP server: what the protocol asks for, answered by the service."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import anyio.to_thread
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from planvow._version import __version__
from planvow.adapters.mcp import approval, prompts, resources
from planvow.adapters.mcp.calling import answered, refused, told
from planvow.adapters.mcp.tools import offered, tool_of
from planvow.errors import did_you_mean
from planvow.service.catalogue import OPERATIONS
from planvow.service.declare.document import Refusal, refusal_of
from planvow.service.declare.errors import RightMissingError
from planvow.service.declare.operation import MCP, Right
from planvow.service.declare.setting import Setting
from planvow.service.records.refusals import Refusals

_LOG = logging.getLogger("planvow.mcp")
INVALID_PARAMS = -32602


@dataclass(frozen=True)
class Door:
    """What the server offers: the setting of its calls, and whether plans may be posted."""

    setting: Setting
    posting: bool = False

    @cached_property
    def refusals(self) -> Refusals:
        """What keeps refused calls that would have changed something."""
        return Refusals(self.setting, time.monotonic, _LOG.warning)

    async def list_tools(self, _ctx: Any, _params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[tool_of(operation) for operation in offered(posting=self.posting).values()])

    async def call_tool(self, ctx: Any, params: Any) -> Any:
        known = OPERATIONS.get(params.name)
        came = await self._called(ctx, params)
        if known is not None and not known.read_only and getattr(came, "is_error", False):
            await anyio.to_thread.run_sync(self._note_refused, ctx, params, came)
        return came

    def _note_refused(self, ctx: Any, params: Any, came: types.CallToolResult) -> None:
        """Let the ledger know of a call that would have changed something."""
        said = (came.structured_content or {}).get("refusal") or {}
        refusal = Refusal(code=str(said.get("code", "")), reason=str(said.get("reason", "")))
        job_id = (params.arguments or {}).get("job_id", "")
        by, where = _client(ctx) or "somebody", job_id if isinstance(job_id, str) else ""
        self.refusals.note(params.name, refusal, by=by, origin="mcp", job_id=where)

    async def _called(self, ctx: Any, params: Any) -> Any:
        operation = offered(posting=self.posting).get(params.name)
        if operation is None:
            return self._unknown(params.name)
        arguments = dict(params.arguments or {})
        setting = replace(self.setting, client=_client(ctx), origin="mcp", knows_callers=False)
        if operation.right is Right.APPROVE:
            try:
                said = await approval.ask(ctx, params, setting)
            except Exception as error:
                return refused(refusal_of(told(error)))
            if isinstance(said, types.InputRequiredResult):
                return said
            arguments["answer"] = said

        async def tell(done: float, words: str) -> None:
            await ctx.session.report_progress(done, None, words)

        return await answered(operation, arguments, setting, tell)

    def _unknown(self, name: str) -> types.CallToolResult:
        known = OPERATIONS.get(name)
        if known is not None and MCP not in known.missing:
            refusal = RightMissingError(
                f"{name} is not allowed here", hint="the server was started without --allow-post"
            )
            return refused(refusal_of(refusal))
        names = list(offered(posting=self.posting))
        raise MCPError(
            INVALID_PARAMS, f"there is no tool {name!r:.60}; {did_you_mean(name, names) or ', '.join(names)}"
        )

    async def list_resources(self, _ctx: Any, _params: Any) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=resources.resources(self.setting))

    async def list_templates(self, _ctx: Any, _params: Any) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=resources.templates())

    async def read_resource(self, _ctx: Any, params: Any) -> types.ReadResourceResult:
        try:
            return await anyio.to_thread.run_sync(resources.read, str(params.uri), self.setting)
        except Exception as error:
            raise _protocol_error(error) from None

    async def list_prompts(self, _ctx: Any, _params: Any) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=prompts.prompts())

    async def get_prompt(self, _ctx: Any, params: Any) -> types.GetPromptResult:
        try:
            return prompts.filled(params.name, params.arguments or {})
        except Exception as error:
            raise _protocol_error(error) from None

    def server(self) -> Server[Any]:
        """Return the server of the SDK that asks this door."""
        return Server(
            "planvow",
            version=__version__,
            title="planvow",
            instructions=prompts.INSTRUCTIONS,
            on_list_tools=self.list_tools,
            on_call_tool=self.call_tool,
            on_list_resources=self.list_resources,
            on_list_resource_templates=self.list_templates,
            on_read_resource=self.read_resource,
            on_list_prompts=self.list_prompts,
            on_get_prompt=self.get_prompt,
        )


def _protocol_error(error: Exception) -> MCPError:
    refusal = refusal_of(told(error))
    return MCPError(INVALID_PARAMS, refusal.text())


def _client(ctx: Any) -> str:
    """Return what the client calls itself; nobody has checked it."""
    known = ctx.session.client_params
    return "" if known is None else f"{known.client_info.name} {known.client_info.version}".strip()[:100]
