"""JSON that somebody brings to a page: read, and refused when no part behind could hold it."""

from __future__ import annotations

import json
from typing import Any

from planvow.errors import InputError

MOST_LEVELS = 100


def given_json(text: str, place: str) -> Any:
    """Return the data of a text; raise InputError for what is no JSON, too deep, or could not be written again."""
    try:
        data = json.loads(text)
        json.dumps(data, ensure_ascii=False, allow_nan=False).encode()  # half a surrogate pair, NaN, 1e999
    except (ValueError, RecursionError) as error:
        raise InputError(f"this is not JSON: {error}"[:200], place=place) from None
    level = [data]
    for _ in range(MOST_LEVELS):
        level = [each for each in level if isinstance(each, dict | list)]
        level = [part for each in level for part in (each.values() if isinstance(each, dict) else each)]
        if not level:
            return data
    raise InputError(f"this is nested deeper than {MOST_LEVELS} levels", place=place)
