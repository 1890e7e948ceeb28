"""From a request to ordered, hashed, budgeted steps, and into the ledger. Nothing here runs a step."""
