"""Names below a root that no step writes at any depth: what decides on steps, keeps history, or runs code later.

Whoever could write there would no longer be governed: version control runs hooks, a build server runs its file with its
own credentials, planvow.toml says which commands may run, tools.toml which servers are called, the data folder holds
the ledger, and a home folder holds keys. Names are compared the way the most forgiving file systems do: without
case, without dots and spaces at the end, without the stream behind a colon, by the short form (`git~1`), too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

VERSION_CONTROL = frozenset({".git", ".hg", ".svn", ".bzr", ".jj", "git~1", ".husky", ".githooks"})
OWN = frozenset({".planvow", "planvow.toml", "tools.toml"})
BUILD_SERVERS = frozenset({
    ".appveyor.yml", ".azure-pipelines", ".buildkite", ".ci", ".circleci", ".cirrus.yml", ".drone.yml", ".forgejo",
    ".gitea", ".github", ".gitlab", ".gitlab-ci.yaml", ".gitlab-ci.yml", ".pre-commit-config.yaml", ".semaphore",
    ".teamcity", ".travis.yml", ".woodpecker", ".woodpecker.yml", "appveyor.yml", "azure-pipelines.yml",
    "bitbucket-pipelines.yml", "jenkinsfile", "lefthook.yml",
})  # fmt: skip
CREDENTIALS = frozenset({".aws", ".git-credentials", ".gnupg", ".kube", ".netrc", ".pgpass", ".ssh"})
PROTECTED = CREDENTIALS | VERSION_CONTROL | OWN | BUILD_SERVERS


def is_one_of(name: str, names: frozenset[str]) -> bool:
    """Say whether a name is one of some, as a forgiving file system compares them."""
    plain = name.partition(":")[0].rstrip(". ").casefold()
    short = _SHORT.fullmatch(plain)
    return plain in names or (short is not None and any(short[1] == _beginning(each) for each in names))


_SHORT = re.compile(r"([^.~]{1,6})~[0-9](?:\.[^.]{0,3})?")


def _beginning(name: str) -> str:
    """Return what is left of a name in its short form: `github` of `.github`, `planvo` of `planvow.toml`."""
    return name.lstrip(".").partition(".")[0][:6]


def protected_name(parts: Sequence[str]) -> str | None:
    """Return the first name of a path to which, and below which, nothing is written, None when there is none."""
    return next((part for part in parts if is_one_of(part, PROTECTED)), None)
