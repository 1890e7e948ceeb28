"""Secrets by name, from the environment: `SMTP_PASSWORD` is what the variable of that name holds."""

from __future__ import annotations

import os

SECRET_PREFIX = "PLANVOW_SECRET_"
"""Begins the variables of the secrets that a worker may use."""


def read_secret(name: str) -> str | None:
    """Return the value of a secret, None if it is not set."""
    return os.environ.get(name)


def read_workers_secret(name: str) -> str | None:
    """Return what workers have for a secret, else what the variable of just that name holds."""
    return os.environ.get(f"{SECRET_PREFIX}{name}", os.environ.get(name))
