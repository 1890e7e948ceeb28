"""The MCP way in (extra `[mcp]`): the service's operations as tools, resources and prompts. It executes nothing."""
