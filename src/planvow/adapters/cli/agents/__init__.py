"""`planvow agent`: runs of agents from the command line."""
