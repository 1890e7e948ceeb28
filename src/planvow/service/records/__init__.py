"""Operations on the ledger: runs, their events, posting a plan and the approval it waits for. Nothing is executed."""
