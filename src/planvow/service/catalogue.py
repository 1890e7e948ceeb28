"""Every operation there is, declared once: what the command line, HTTP and MCP call."""

from __future__ import annotations

from planvow.service.declare.operation import Operation
from planvow.service.operations.checking import CHECK_DOMAIN
from planvow.service.operations.comparing import DIFF
from planvow.service.operations.debates import DECOMPOSE_TRANSCRIPT
from planvow.service.operations.documents import READ_DOCUMENT
from planvow.service.operations.explaining import EXPLAIN
from planvow.service.operations.goals import PLAN_GOAL
from planvow.service.operations.hddl import SOLVE_HDDL
from planvow.service.operations.making import MAKE_PLAN
from planvow.service.operations.planners import LIST_PLANNERS
from planvow.service.operations.repairing import REPLAN
from planvow.service.operations.requests import COMPILE_REQUEST
from planvow.service.operations.verifying import VERIFY
from planvow.service.records.deciding import DECIDE, OPERATE
from planvow.service.records.events import RUN_EVENTS
from planvow.service.records.figures import LEDGER_FIGURES
from planvow.service.records.posting import ASK_APPROVAL, POST_PLAN
from planvow.service.records.runs import RUNS

OPERATIONS: dict[str, Operation] = {
    operation.name: operation
    for operation in (
        LIST_PLANNERS,
        MAKE_PLAN,
        PLAN_GOAL,
        COMPILE_REQUEST,
        EXPLAIN,
        VERIFY,
        REPLAN,
        DIFF,
        CHECK_DOMAIN,
        SOLVE_HDDL,
        DECOMPOSE_TRANSCRIPT,
        RUNS,
        RUN_EVENTS,
        LEDGER_FIGURES,
        READ_DOCUMENT,
        POST_PLAN,
        ASK_APPROVAL,
        DECIDE,
        OPERATE,
    )
}
