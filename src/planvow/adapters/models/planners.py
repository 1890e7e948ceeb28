"""Planners behind models: made for a service, and made again from what the model said, without any service."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from planvow.adapters.models.prices import read_prices
from planvow.adapters.models.recording_files import DirectoryRecordings
from planvow.contract.interface.interface import PlannerInterface
from planvow.contract.planners.llm import ModelPlanner
from planvow.contract.planners.registry import default_registry
from planvow.contract.replaying.recordings import (
    MemoryRecordings,
    Recording,
    RecordingStore,
    UsedRecordings,
    read_recording,
)
from planvow.errors import InputError, expect

REPLIES = "replies"
"""Where a recorded plan keeps what the model said for it."""


@dataclass(frozen=True, kw_only=True)
class Service:
    """Which model is asked, where, at what price, and where its answers are kept. None leaves a planner's default."""

    model: str | None = None
    base_url: str | None = None
    prices: Path | None = None
    recordings: Path | None = None

    def options(self) -> dict[str, Any]:
        """Return the options that a model's planner is made with."""
        named = {"model": self.model, "base_url": self.base_url}
        return {name: value for name, value in named.items() if value is not None}

    @property
    def is_named(self) -> bool:
        """Whether anything was said that only a planner behind a model can follow."""
        return any(part is not None for part in (self.model, self.base_url, self.prices, self.recordings))


def make_planner(planner_id: str, service: Service) -> tuple[PlannerInterface, UsedRecordings | None]:
    """Make a planner; for one behind a model, with the service that was named and an ear for what the model says."""
    planner = default_registry().create(planner_id)
    if not isinstance(planner, ModelPlanner):
        if service.is_named:
            raise InputError(f"the planner {planner_id!r} asks no model", place="--model",
                             hint="leave out --model, --base-url, --prices and --recordings")  # fmt: skip
        return planner, None
    inner: RecordingStore = (
        MemoryRecordings() if service.recordings is None else DirectoryRecordings(service.recordings)
    )
    replies = UsedRecordings(inner)
    options = {**service.options(), "recordings": replies}
    if service.prices is not None:
        options["rates"] = read_prices(service.prices).get(service.model or planner.correspondent.model)
    return default_registry().create(planner_id, **options), replies


def recorded_planner(recording: Recording, *, place: str) -> PlannerInterface:
    """Make the planner that answers a recorded question again. One behind a model answers from the model's replies."""
    planner = default_registry().create(recording.maker)
    if not isinstance(planner, ModelPlanner):
        return planner
    replies: Any = recording.answer.get(REPLIES)
    if not replies:
        never_a_service(planner, place=place)
    expect(replies, list, f"{place}: $.answer.{REPLIES}", "a list of recordings")
    kept = [read_recording(data, place=f"{place}: $.answer.{REPLIES}[{n}]") for n, data in enumerate(replies)]
    limit = kept[0].request.get("max_tokens")
    expect(limit, int, f"{place}: $.answer.{REPLIES}[0].request.max_tokens", "a number of tokens")
    return default_registry().create(
        recording.maker, model=kept[0].maker, max_tokens=limit, recordings=MemoryRecordings(kept), mode="replay"
    )


def never_a_service(planner: PlannerInterface, *, place: str) -> None:
    """Refuse to replay by asking a model again: a replay calls nobody."""
    if isinstance(planner, ModelPlanner):
        raise InputError(
            "this holds no reply of the model, and a replay never asks a service",
            place=place,
            hint=f"record it again: planvow ask {planner.planner_id} GOAL --record FILE",
        )
