"""The golden corpus: what each planner and document said when its version was last raised.

`CASES` is the one table: a name, the kind of document, and the function that makes its bytes. A kind says which
versions made it. The files are in `tests/golden/files`; `scripts/golden.py` writes them, `test_golden.py` compares.
"""

from __future__ import annotations

from golden.corpus.agent import CASES as AGENT
from golden.corpus.case import Case
from golden.corpus.cellar import CASES as CELLAR
from golden.corpus.contract import CASES as CONTRACT
from golden.corpus.debate import CASES as DEBATE
from golden.corpus.decisions import CASES as DECISIONS
from golden.corpus.dictated import CASES as DICTATED
from golden.corpus.doors import CASES as DOORS
from golden.corpus.dossiers import CASES as DOSSIERS
from golden.corpus.goals import CASES as GOALS
from golden.corpus.governed import CASES as GOVERNED
from golden.corpus.hddl import CASES as HDDL
from golden.corpus.htn import CASES as HTN
from golden.corpus.ledger import CASES as LEDGER
from golden.corpus.logs import CASES as LOGS
from golden.corpus.promises import CASES as PROMISES
from golden.corpus.proofs import CASES as PROOFS
from golden.corpus.refusals import CASES as REFUSALS
from golden.corpus.schedules import CASES as SCHEDULES
from golden.corpus.tools import CASES as TOOLS
from golden.corpus.trade import CASES as TRADE
from golden.corpus.values import CASES as VALUES
from golden.corpus.work import CASES as WORK

CASES: tuple[Case, ...] = (
    *VALUES,
    *HTN,
    *SCHEDULES,
    *HDDL,
    *CONTRACT,
    *DOORS,
    *PROMISES,
    *PROOFS,
    *CELLAR,
    *REFUSALS,
    *GOALS,
    *TOOLS,
    *TRADE,
    *GOVERNED,
    *LEDGER,
    *DOSSIERS,
    *DECISIONS,
    *LOGS,
    *WORK,
    *DEBATE,
    *DICTATED,
    *AGENT,
)

__all__ = ["CASES", "Case"]
