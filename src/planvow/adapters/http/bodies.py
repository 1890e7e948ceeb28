"""Bodies of calls: not too large, not too slow, and JSON that every part behind can hold."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from fastapi import Request
from starlette.requests import ClientDisconnect

from planvow.errors import InputError

MOST_SECONDS = 30.0
MOST_LEVELS = 100
"""Far below what Python's recursion limit lets through: a question is still copied, hashed and sent to a worker."""


class UnreadError(Exception):
    """A body that was not read to its end, with the status and the words for it."""

    def __init__(self, status: int, reason: str, change: str) -> None:
        super().__init__(reason)
        self.status, self.reason, self.change = status, reason, change


async def read_body(request: Request, most: int) -> bytes:
    """Return the body; raise UnreadError as soon as it is too large, too slow or broken off."""
    parts, size = [], 0
    said = request.headers.get("content-length", "")
    if said.isdecimal() and int(said[:18]) > most:
        raise UnreadError(413, f"more than {most} bytes", "send less")
    try:
        async with asyncio.timeout(MOST_SECONDS):
            async for part in request.stream():
                size += len(part)
                if size > most:
                    raise UnreadError(413, f"more than {most} bytes", "send less")
                parts.append(part)
    except TimeoutError:
        raise UnreadError(408, f"the body took longer than {MOST_SECONDS:g} s", "send it faster") from None
    except ClientDisconnect:
        raise UnreadError(400, "the body broke off", "send all of it") from None
    return b"".join(parts)


def parsed(body: bytes) -> Any:
    """Return a body's JSON, or raise InputError: also for what JSON's grammar allows and no answer could repeat."""
    try:
        data = json.loads(body)
        _check_levels(data)
        json.dumps(data, ensure_ascii=False, allow_nan=False).encode()  # half a surrogate pair, NaN, 1e999
    except (ValueError, RecursionError) as error:
        raise InputError(f"the body is not usable as JSON: {error}"[:200], place="body") from None
    return data


def _check_levels(data: Any) -> None:
    level = [data]
    for _ in range(MOST_LEVELS):
        level = [
            part
            for each in level
            if isinstance(each, dict | list)
            for part in (each.values() if isinstance(each, dict) else each)
        ]
        if not level:
            return
    raise ValueError(f"it is nested deeper than {MOST_LEVELS} levels")
