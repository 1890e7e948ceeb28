"""Commands about planners: list, ask, replay, schemas, error codes."""
