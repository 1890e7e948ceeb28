"""Whether a planner keeps what it promises: what it does in one process, and the report over several."""
