"""Thousands of calls made up from the OpenAPI description, once as a stranger and once with every right.

    python bench/http_cases.py [--cases 100]

So many for each operation, besides those that cover the description; schemathesis looks for answers of 500 and above
and for answers that are not as described. Exits 1 when there is one.

Measured with --cases 60: 2,323 calls as a stranger and 2,323 with every right, no fault.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/lab"))

from http_servers import generated_calls, http_server  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cases", type=int, default=100)
    given = parser.parse_args()
    worst = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        with http_server(folder, "--max-seconds", "6", "--calls-per-minute", "0") as server:
            for who, more in (
                ("a stranger", ()),
                ("every right", ("--header", f"Authorization: Bearer {server.token}")),
            ):
                ended, said = generated_calls(server, given.cases, folder, *more, seconds=3600)
                counted = " ".join(line.strip() for line in said.splitlines() if " generated, " in line)
                print(f"{who}: {'no fault' if ended == 0 else 'FAULTS'}; {counted}", flush=True)
                if ended:
                    print(said[-6000:])
                worst = max(worst, ended)
    return int(worst != 0)


if __name__ == "__main__":
    raise SystemExit(main())
