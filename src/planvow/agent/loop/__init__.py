"""The agent's loop as pure functions: where a run stands, what follows from that, and what the world is like by now.

Nothing here touches a ledger, a clock or a tool.
"""
