"""Opening a ledger by its address."""
