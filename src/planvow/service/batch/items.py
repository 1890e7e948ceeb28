"""One input of a batch: a name, a question for one operation, or why there is none."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

from planvow.canonical import full_hash, to_jsonable
from planvow.errors import InputError, PlanvowError, did_you_mean
from planvow.service.declare.document import data_of, refusal_of
from planvow.service.declare.operation import Operation
from planvow.service.operations.debates import DECOMPOSE_TRANSCRIPT
from planvow.service.operations.goals import PLAN_GOAL
from planvow.service.operations.hddl import SOLVE_HDDL
from planvow.service.operations.making import MAKE_PLAN
from planvow.service.operations.requests import COMPILE_REQUEST

KINDS: dict[str, Operation] = {
    "plan": MAKE_PLAN,
    "hddl": SOLVE_HDDL,
    "goal": PLAN_GOAL,
    "govern": COMPILE_REQUEST,
    "debate": DECOMPOSE_TRANSCRIPT,
}
ITEM_TAG = "batch-item/1"


@dataclass(frozen=True, kw_only=True)
class Item:
    """One input: its name among the others, and the question it asks."""

    name: str
    kind: str
    question: Any = None
    fault: dict[str, Any] | None = None
    """Why it asks nothing, as a refusal; the batch goes on with the next."""

    @cached_property
    def input_hash(self) -> str:
        """The hash of what is asked; where nothing could be read, of what is wrong with it."""
        return full_hash([self.kind, self.question, self.fault], tag=ITEM_TAG)


def item(name: str, kind: str, question: Any) -> Item:
    """Return the input that asks this; a question of another kind says so in its field `kind`."""
    if isinstance(question, dict) and "kind" in question:
        kind = question["kind"]
        question = {key: value for key, value in question.items() if key != "kind"}
    if not isinstance(kind, str) or kind not in KINDS:
        hint = did_you_mean(str(kind), KINDS) or f"one of {', '.join(KINDS)}"
        return faulty(name, str(kind), InputError(f"unknown kind {kind!r:.80}", hint=hint))
    try:
        return Item(name=spelled(name), kind=kind, question=to_jsonable(question))
    except PlanvowError as error:  # a number or a text that no canonical JSON holds
        return faulty(name, kind, error)


def faulty(name: str, kind: str, error: PlanvowError) -> Item:
    """Return the input that could not be read."""
    told, place = refusal_of(error), error.place and spelled(error.place)
    told = replace(told, reason=spelled(told.reason), change=spelled(told.change), place=place)
    return Item(name=spelled(name), kind=spelled(kind), fault=data_of(told))


def spelled(text: str) -> str:
    """Return a name as a line can hold it: files may be called by bytes that are no text, ids hold half a character."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def packed(items: Sequence[Item]) -> bytes:
    """Return inputs as bytes that any process or machine unpacks."""
    return json.dumps([asdict(item) for item in items]).encode()


def unpacked(chunk: bytes) -> list[Item]:
    """Return the inputs that bytes hold."""
    return [Item(**fields) for fields in json.loads(chunk)]
