"""Where tools really run: MCP servers through their SDK (extra `[mcp]`), HTTP operations, steps that call them."""
