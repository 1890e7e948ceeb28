"""What requests may do in a repository: which tests may run and under which limits, which paths may be written.

    [run_test]
    timeout_seconds = 300
    uncontained = false            # true: where nothing can be contained, run all the same
    environment = ["CI"]           # variables handed on beside the few that every test gets
    readable = ["/opt/tools"]      # folders a test may read beside the tree and the system's programs
    [run_test.limits]
    processes = 512
    memory_mb = 4096
    [run_test.commands]
    unit = ["python", "-m", "pytest", "-q", "tests/unit"]

    [write]
    allow = ["src/**", "docs/**"]
    protect = ["docs/legal/**"]

It stands in planvow.toml, which no request can write (ruling 23). Its hash is stored beside each plan: a plan made
under another policy is not carried out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from planvow.canonical import full_hash
from planvow.cassette.contained.limits import Limits
from planvow.cassette.files.protected import PROTECTED
from planvow.errors import InputError, did_you_mean

POLICY_TAG = "policy/1"
EVERYTHING = ("**",)
DEFAULT_TIMEOUT_SECONDS = 300
KNOWN_SETTINGS: dict[str, dict[str, type]] = {
    "run_test": {
        "timeout_seconds": int,
        "uncontained": bool,
        "environment": list,
        "readable": list,
        "limits": dict,
        "commands": dict,
    },
    "write": {"allow": list, "protect": list},
}

_LEDGERS_OWN = re.compile(r"(PLANVOW|PG).*", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True)
class Policy:
    """The rules of one repository; the defaults let no test run and any unprotected path be written."""

    commands: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    timeout_seconds: int = DEFAULT_TIMEOUT_SECONDS
    limits: Limits = field(default_factory=Limits)
    environment: tuple[str, ...] = ()
    readable: tuple[str, ...] = ()
    uncontained: bool = False
    allow: tuple[str, ...] = EVERYTHING
    protect: tuple[str, ...] = ()

    @cached_property
    def policy_hash(self) -> str:
        """The hash over every rule, the built-in names included: what a plan was made under."""
        return full_hash({**asdict(self), "names": sorted(PROTECTED)}, tag=POLICY_TAG)

    def refusal(self, file_path: str) -> str | None:
        """Say why a path may not be written, None if it may. The names protected everywhere are not looked at here."""
        if matches(self.protect, file_path):
            return "it is protected by [write] protect in planvow.toml"
        if not matches(self.allow, file_path):
            return "it is not among what [write] allow in planvow.toml names"
        return None


def policy_from(written: Mapping[str, Any]) -> Policy:
    """Read the policy's tables, whose settings are known to be of the right type; raise InputError with the place."""
    tests, write = written.get("run_test", {}), written.get("write", {})
    return Policy(
        commands={name: _command(name, words) for name, words in sorted(tests.get("commands", {}).items())},
        timeout_seconds=_at_least(1, tests.get("timeout_seconds", DEFAULT_TIMEOUT_SECONDS), "timeout_seconds"),
        limits=_limits(tests.get("limits", {})),
        environment=_environment(words_of(tests, "environment", (), "[run_test]")),
        readable=_folders(words_of(tests, "readable", (), "[run_test]")),
        uncontained=tests.get("uncontained", False),
        allow=words_of(write, "allow", EVERYTHING, "[write]"),
        protect=words_of(write, "protect", (), "[write]"),
    )


def words_of(table: Mapping[str, Any], key: str, default: tuple[str, ...], place: str) -> tuple[str, ...]:
    """Return a list of texts that are not empty."""
    words = table.get(key, default)
    if not all(isinstance(word, str) and word for word in words):
        raise InputError("expected a list of texts", place=f"planvow.toml: {place} {key}")
    return tuple(words)


def matches(patterns: Sequence[str], file_path: str) -> bool:
    """Compare patterns without a slash with the name, others with the path; `*` stops at a slash, `**` does not."""
    name = file_path.rstrip("/").rpartition("/")[2]
    return any(_pattern(p).fullmatch(file_path if "/" in p else name) is not None for p in patterns)


@lru_cache(maxsize=256)
def _pattern(glob: str) -> re.Pattern[str]:
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", glob)
    meaning = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(meaning.get(part, re.escape(part)) for part in parts), re.DOTALL)


def _command(name: str, words: Any) -> tuple[str, ...]:
    if not isinstance(words, list) or not words or not all(isinstance(word, str) and word for word in words):
        raise InputError(
            "expected a command as a list of words, which no shell will read",
            place=f"planvow.toml: [run_test.commands] {name}",
            hint='for example ["python", "-m", "pytest", "-q"]',
        )
    return tuple(words)


def _at_least(least: int, number: int, place: str) -> int:
    if number < least:
        raise InputError(f"expected at least {least}", place=f"planvow.toml: [run_test] {place}")
    return number


def _limits(written: Mapping[str, Any]) -> Limits:
    known = asdict(Limits())
    for name, number in written.items():
        place = f"planvow.toml: [run_test.limits] {name}"
        if name not in known:
            raise InputError("there is no such limit", place=place, hint=did_you_mean(name, known))
        if type(number) is not int or number < 1:
            raise InputError("expected a whole number of at least 1", place=place)
    return Limits(**written)


def _environment(names: tuple[str, ...]) -> tuple[str, ...]:
    for name in names:
        if _LEDGERS_OWN.fullmatch(name):
            raise InputError(
                f"{name} may hold the ledger's credentials, which no test gets",
                place="planvow.toml: [run_test] environment",
            )
    return tuple(sorted(set(names)))


def _folders(names: tuple[str, ...]) -> tuple[str, ...]:
    for name in names:
        if not name.startswith("/") or ".." in name.split("/") or not name.strip("/"):
            raise InputError(
                f"expected absolute paths of folders below /, found {name!r:.80}",
                place="planvow.toml: [run_test] readable",
            )
    return tuple(sorted(set(names)))
