"""The console (extra `[http]`): pages on which people see runs, plans, reasons and proofs, and decide."""
