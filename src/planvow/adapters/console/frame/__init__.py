"""What pages stand on: who may look and decide, templates into pages, and reading the ledger."""
