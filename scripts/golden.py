"""Write the golden corpus anew. A change of bytes is then a diff that a reviewer sees.

    python scripts/golden.py [NAME ...]      all cases, or those whose name begins so

Bytes that changed under a version that did not move are refused: raise the version of the planner or document and
say what changed under "Plan bytes" in the changelog first. A case without a file is new and is written.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests/lab")]

from golden.corpus import CASES, Case  # noqa: E402
from golden.corpus.case import FILES, Kept, first_difference  # noqa: E402


def rewrite(case: Case) -> str | None:
    """Write one file if it must be; return why it may not be."""
    reason = case.lacking()
    if reason is not None:
        print(f"left    {case.name}: {reason}")
        return None
    fresh = Kept(kind=case.kind, version=case.version(), body=case.body())
    if case.path.exists():
        kept = Kept.read(case.path)
        if kept == fresh:
            return None
        if kept.body != fresh.body and kept.version == fresh.version:
            return f"{case.name} ({case.kind}) changed and is still {fresh.version}; {what_changed(kept, fresh)}"
    fresh.write(case.path)
    print(f"wrote   {case.name}: {fresh.version}")
    return None


def what_changed(kept: Kept, fresh: Kept) -> str:
    return first_difference(kept.body, fresh.body)


def remove_orphans() -> None:
    """Remove the files of cases that are no longer in the table."""
    for path in sorted(set(FILES.rglob("*.golden")) - {case.path for case in CASES}):
        path.unlink()
        print(f"removed {path.relative_to(FILES)}")


def main(names: list[str]) -> int:
    wanted = [case for case in CASES if not names or case.name.startswith(tuple(names))]
    refused = [why for case in wanted if (why := rewrite(case)) is not None]
    remove_orphans()
    for why in refused:
        print(f"refused {why}", file=sys.stderr)
    if refused:
        print('Raise the version, and name it in a line under "Plan bytes" in CHANGELOG.md.', file=sys.stderr)
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
