"""What a command gets of the worker's environment, and what of it must never stand in a log.

A command starts with the few variables that say where programs are and which language to speak. Everything else, and so
every credential, stays behind; the caller may name more, but whatever looks like a secret is blotted out of what the
command printed, whoever let it through.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Collection, Mapping

HANDED_ON = frozenset({"LANG", "LANGUAGE", "PATH", "TZ"})
SHORTEST_SECRET = 6  # shorter values are words that stand everywhere

_SECRET_NAME = re.compile(
    r"pass|secret|token|credential|auth|cookie|private|session|api_?key|_key$|^key$|dsn|database|cassette|_ur[il]$",
    re.IGNORECASE,
)
_IN_ADDRESS = re.compile(r"://[^\s/:@]*:([^\s/@]+)@")


def clean_environment(environ: Mapping[str, str], named: Collection[str] = ()) -> dict[str, str]:
    """Return the variables a command starts with: the few of `HANDED_ON`, locales, and those that were named."""
    kept = {k: v for k, v in environ.items() if k in HANDED_ON or k.startswith("LC_") or k in named}
    folders = [folder for folder in kept.get("PATH", os.defpath).split(os.pathsep) if os.path.isabs(folder)]
    kept["PATH"] = os.pathsep.join([*folders, os.path.dirname(sys.executable)])
    # Byte code is judged by seconds and size: a change of the same length could be tested in its old form.
    kept["PYTHONDONTWRITEBYTECODE"] = "1"
    return kept


def secrets_in(environ: Mapping[str, str]) -> list[bytes]:
    """Return values of the environment that must not be told, longest first: one may be part of another."""
    found: set[str] = set()
    for name, value in environ.items():
        if _SECRET_NAME.search(name):
            found.add(value)
        found.update(_IN_ADDRESS.findall(value))
    return sorted((os.fsencode(v) for v in found if len(v) >= SHORTEST_SECRET), key=lambda v: (-len(v), v))


def without_secrets(printed: bytes, secrets: Collection[bytes]) -> bytes:
    """Return what was printed with every secret blotted out."""
    for secret in secrets:
        printed = printed.replace(secret, b"[secret]")
    return printed
