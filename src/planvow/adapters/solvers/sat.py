"""A SAT solver for `--search sat` (extra `[sat]`): Glucose 4, through python-sat."""

from __future__ import annotations

from typing import Any

from planvow.errors import MissingExtraError


class Glucose:
    """Glucose as `planvow.hddl.sat` wants it: one thread, no chance, no clock; limits are conflicts."""

    def __init__(self) -> None:
        try:
            from pysat import solvers
        except ImportError:
            raise MissingExtraError("python-sat", extra="sat", purpose="planning with a SAT solver") from None
        self._solver: Any = solvers.Glucose4()

    def add(self, clause: list[int]) -> None:
        self._solver.add_clause(clause)

    def solve(self, assumptions: list[int], conflicts: int) -> bool | None:
        self._solver.conf_budget(conflicts)
        answer: bool | None = self._solver.solve_limited(assumptions=assumptions)
        return answer

    def needed(self) -> list[int]:
        return self._solver.get_core() or []

    def model(self) -> list[int]:
        found: list[int] = self._solver.get_model()
        return found

    def conflicts(self) -> int:
        count: int = self._solver.accum_stats()["conflicts"]
        return count
