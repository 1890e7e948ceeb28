"""Commands that open other ways in: MCP for agents, HTTP for everybody else."""
