"""`planvow cassette`: the ledger from the command line."""
