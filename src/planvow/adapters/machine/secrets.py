"""Secrets by name, from the environment: `SMTP_PASSWORD` is what the variable of that name holds."""

from __future__ import annotations

import os


def read_secret(name: str) -> str | None:
    """Return the value of a secret, None if it is not set."""
    return os.environ.get(name)
