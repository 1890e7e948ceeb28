"""What pages show, as plain values: pure functions from what the service and the ledger answer. Nothing here reads."""
