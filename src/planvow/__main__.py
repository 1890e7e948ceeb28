"""`python -m planvow`: the command line, for where the console script is not on the path."""

from planvow.adapters.cli.main import run

run()
