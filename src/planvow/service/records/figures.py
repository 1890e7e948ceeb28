"""The ledger in figures: how much waits, for how long, and for whom. What monitoring asks for."""

from __future__ import annotations

from planvow.service.declare.document import document
from planvow.service.declare.operation import COMMAND_LINE, MCP, Answer, Operation, Right
from planvow.service.declare.setting import Setting


@document
class FiguresQuestion:
    """Nothing needs to be said."""


@document
class FiguresAnswer:
    """Counts over the whole ledger."""

    ready: int
    """Steps that a worker could take now."""
    leased: int
    held: int
    """Steps that wait for a person's approval."""
    retries: int
    """Failed attempts of steps that are still open."""
    repairs: int
    """Plans that replaced the rest of another one."""
    oldest_waiting_ms: int
    """How long the oldest ready step has waited."""


def ledger_figures(_asked: FiguresQuestion, setting: Setting) -> Answer:
    """Count what is in the ledger."""
    with setting.open_ledger() as ledger:
        (row,) = ledger.rows("figures")
        oldest = row["oldest"]
        waited = 0 if oldest is None else max(0, ledger.now_ms() - oldest)
    counts = {name: row[name] or 0 for name in ("ready", "leased", "held", "retries", "repairs")}
    return Answer(output=FiguresAnswer(**counts, oldest_waiting_ms=waited))


LEDGER_FIGURES = Operation(
    name="ledger_figures",
    summary="Count what waits, runs and is held in the ledger, and how long the oldest step has waited.",
    question=FiguresQuestion,
    output=FiguresAnswer,
    run=ledger_figures,
    right=Right.READ,
    missing={
        COMMAND_LINE: "`cassette status` shows it for people",
        MCP: "it is for monitoring and not for models",
    },
)
