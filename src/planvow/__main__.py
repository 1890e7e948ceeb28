"""`python -m planvow` and the console script: an interrupt while the program still loads ends it quietly too."""

from __future__ import annotations


def run() -> None:
    """Load the command line and run it."""
    try:
        from planvow.adapters.cli.main import run as run_commands

        run_commands()
    except KeyboardInterrupt:
        raise SystemExit(130) from None


if __name__ == "__main__":
    run()
