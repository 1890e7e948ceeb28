"""`planvow agent` and `planvow runs`: runs from the command line."""
