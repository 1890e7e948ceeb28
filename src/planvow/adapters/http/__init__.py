"""The HTTP way in (extra `[http]`): the service's operations below `/api/v1`, problems as JSON, events as a stream."""
