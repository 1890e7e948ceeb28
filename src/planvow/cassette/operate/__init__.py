"""For whoever runs a ledger: looking at one job or step as a whole, and putting back what dead workers held."""
