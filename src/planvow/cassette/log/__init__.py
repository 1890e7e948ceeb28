"""The ledger's log: its trees, whether it holds, and proofs for those who have only a checkpoint."""
