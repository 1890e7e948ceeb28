"""Canonical bytes, hashes, ids and keys: what everything else is made of."""

from __future__ import annotations

from collections import UserDict
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from enum import Enum, IntEnum, StrEnum

from golden.corpus.case import Case, as_json
from planvow import Budgets, canonical_bytes, content_hash
from planvow.canonical import derived_id, full_hash
from planvow.debate import (
    Task,
    TraceRecorder,
    canonical_hash,
    canonical_hash_short,
    canonicalize_text,
    claim_dedup_key,
    entity_dedup_key,
    llm_cache_key,
)


class Word(StrEnum):
    TEA = "tea"


class Number(IntEnum):
    TWO = 2


class Colour(Enum):
    RED = "red"


@dataclass(frozen=True)
class Point:
    x: float
    y: int
    label: str | None = None


RICH = {
    "numbers": [0, -1, 1.0, -0.0, 0.1, 1e-7, 1e21, 123456789.125, 2**53 - 1],
    "words": ["", "tea", "naïve café", '\u2028 \x00 " \\ /', "😀"],
    "sets": {3, 1, 2, 10},
    "mixed set": {"b", "a", 2, None, (1, 2)},
    "enums": [Word.TEA, Number.TWO, Colour.RED],
    "dataclass": Point(1.5, 2),
    "bytes": b"\x00\xff tea",
    "times": [datetime(2026, 1, 2, 3, 4, 5, 678, tzinfo=timezone(timedelta(hours=2))), date(2026, 1, 2)],
    "mapping": UserDict({"b": 1, "a": (2, 3)}),
    "plain": {"z": 1, "a": [True, False, None], "ab": {}},
    "keys by UTF-16": {"\ufb33": 1, "😀": 2, "ö": 3, "e\u0301": 4, "1": 5, "\r": 6},
}
SIMPLE = {"step": 1, "op": "WRITE", "refs": {"b": [1, 2], "a": None}, "ok": True}


def hashes() -> str:
    return as_json(
        {
            "full, no tag": full_hash(SIMPLE),
            "full, tag": full_hash(SIMPLE, tag="golden/1"),
            "full, rich": full_hash(RICH, tag="golden/1"),
            "short": content_hash(SIMPLE),
            "short, tag": content_hash(SIMPLE, tag="golden/1"),
            "id": derived_id("golden", SIMPLE),
            "longer id": derived_id("golden", SIMPLE, length=32),
            "budgets": full_hash(Budgets(max_depth=3)),
        }
    )


def text_keys() -> str:
    text = "  The U.S. economy\tgrew   3.5%, didn't it?  "
    return as_json(
        {
            "text": canonicalize_text(text),
            "hash": canonical_hash(text),
            "short": canonical_hash_short(text),
            "seven": canonical_hash_short(text, 7),
            "entity": entity_dedup_key("Dr. Jane  DOE"),
            "claim": claim_dedup_key(text, (3, 40)),
            "model answer": llm_cache_key("Is it 1.5%?", "debate/1", "some-model"),
        }
    )


def tasks() -> str:
    """Tasks of the performing engine: their ids, hashes and the keys under which equal ones meet."""
    root = Task.create("ROOT", {"b": 1, "a": [1.5, "é"]}, (0, 40))
    child = Task.create("CHILD", {"of": "root"}, (3, 9), root)
    return as_json([[task.task_id, task.content_hash(), task.compute_dedup_key()] for task in (root, child)])


def trace() -> str:
    recorder = TraceRecorder(clock=_Stopped())
    recorder.log("TASK_STARTED", {"b": 2, "a": [1.5]}, task_id="t1", depth=1)
    recorder.log("TASK_DONE", task_id="t1", method_name="by_hand")
    return recorder.export_json()


class _Stopped:
    def now_ms(self) -> int:
        return int(datetime(2026, 1, 2, tzinfo=UTC).timestamp() * 1000)


CASES = (
    Case("values/rich", "canonical value", lambda: canonical_bytes(RICH)),
    Case("values/simple", "canonical value", lambda: canonical_bytes(SIMPLE)),
    Case("values/hashes", "canonical value", hashes),
    Case("values/text-keys", "text key", text_keys),
    Case("values/tasks", "text key", tasks),
    Case("values/trace", "trace", trace),
)
