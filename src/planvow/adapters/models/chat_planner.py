"""What the planners `openai` and `chat` have in common: a model behind chat completions, named by its user."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import ClassVar

from planvow.clock import Clock
from planvow.contract.interface.interface import DeterminismMode
from planvow.contract.planners.conversation import DEFAULT_MAX_TOKENS, ModelClient
from planvow.contract.planners.llm import ModelPlanner
from planvow.contract.replaying.recordings import RecordingMode, RecordingStore
from planvow.contract.running.cost import CostModel

DEFAULT_MODEL = "gpt-5-mini"


class ChatPlanner(ModelPlanner):
    """A planner behind chat completions. What its tokens cost is not known here: give rates, or no cost is reported."""

    determinism = DeterminismMode.STRUCTURAL
    cost_model = MappingProxyType({"base_cents": 0})
    planner_name: ClassVar[str]
    client_class: ClassVar[Callable[..., ModelClient]]

    def __init__(
        self,
        *,
        model: str = DEFAULT_MODEL,
        base_url: str | None = None,
        max_tokens: int = DEFAULT_MAX_TOKENS,
        timeout_s: float = 120.0,
        rates: CostModel | None = None,
        recordings: RecordingStore | None = None,
        mode: RecordingMode | str = RecordingMode.AUTO,
        clock: Clock | None = None,
    ) -> None:
        super().__init__(
            type(self).client_class(base_url=base_url, timeout_s=timeout_s),
            model=model,
            planner_id=self.planner_name,
            max_tokens=max_tokens,
            cost_model=rates,
            recordings=recordings,
            mode=mode,
            clock=clock,
        )
