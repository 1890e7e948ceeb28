"""Documents: frozen values whose JSON Schemas are published. Questions and answers of operations are made of them."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from typing import Any, TypeVar, dataclass_transform

from planvow.canonical import to_jsonable
from planvow.errors import PlanvowError

Made = TypeVar("Made")
_CONFIG = {"use_attribute_docstrings": True, "extra": "forbid", "allow_inf_nan": False}


@dataclass_transform(frozen_default=True, kw_only_default=True)
def document(cls: type[Made]) -> type[Made]:
    """Make a class a frozen dataclass whose attribute docstrings are the descriptions of its published schema."""
    made = dataclass(frozen=True, kw_only=True)(cls)
    made.__pydantic_config__ = _CONFIG  # type: ignore[attr-defined]  # read by pydantic where schemas are made
    return made


def data_of(value: Any) -> Any:
    """Return a document as JSON data; fields that say nothing (None) are left out, as its schema has them."""
    if is_dataclass(value) and not isinstance(value, type):
        if not hasattr(value, "__pydantic_config__"):
            return to_jsonable(value)
        held = {field.name: getattr(value, field.name) for field in fields(value)}
        return {name: data_of(part) for name, part in held.items() if part is not None}
    if isinstance(value, tuple | list):
        return [data_of(part) for part in value]
    return to_jsonable(value)


@document
class Refusal:
    """Why there is no answer, or no plan: a code, the reason, and what to change."""

    code: str
    reason: str
    change: str = ""
    """What to change before asking again."""
    place: str | None = None
    retryable: bool = False

    def text(self) -> str:
        """Return the refusal in lines that people and models read."""
        place = f" at {self.place}" if self.place else ""
        change = f"\nWhat to change: {self.change}" if self.change else ""
        return f"{self.code}{place}: {self.reason}{change}\nMore: error://{self.code}"


def refusal_of(error: PlanvowError) -> Refusal:
    """Return an error as a refusal: where it has no hint of its own, its explanation says what to do."""
    change = error.hint or " ".join(error.explanation().split("\n\n")[-1].split())
    return Refusal(
        code=error.code, reason=error.message, change=change, place=error.place, retryable=bool(error.retryable)
    )
