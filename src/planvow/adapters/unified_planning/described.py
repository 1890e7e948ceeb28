"""What every engine of planvow says of itself to unified-planning: name, credits, what it takes and promises."""

from __future__ import annotations

from typing import Any, ClassVar

from unified_planning.engines import Credits, Engine
from unified_planning.engines.mixins.oneshot_planner import OptimalityGuarantee

from planvow.adapters.unified_planning.kinds import supported_kind
from planvow.adapters.unified_planning.solving import settings_of

CREDITS = Credits(
    "planvow",
    "planvow contributors",
    "",
    "",
    "Apache-2.0",
    "Hierarchical planning with verified plans, the same in every run",
    "Hierarchical planning with verified plans, the same in every run: one-shot, anytime, validation and replanning.",
)


class DescribedEngine(Engine):  # type: ignore[misc]
    """An engine of planvow before it can do anything: its options and its description."""

    called: ClassVar[str]

    def __init__(self, options: dict[str, Any]) -> None:
        Engine.__init__(self)
        self._settings = settings_of(options)

    @property
    def name(self) -> str:
        return self.called

    @staticmethod
    def get_credits(**options: Any) -> Any:
        return CREDITS

    @staticmethod
    def supported_kind() -> Any:
        return supported_kind()

    @staticmethod
    def supports(problem_kind: Any) -> bool:
        return bool(problem_kind <= supported_kind())

    @staticmethod
    def satisfies(optimality_guarantee: Any) -> bool:
        return bool(optimality_guarantee == OptimalityGuarantee.SATISFICING)
