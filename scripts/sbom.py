"""Write what planvow is installed with as a bill of materials (CycloneDX 1.6, JSON): names, versions, hashes.

    python scripts/sbom.py [LOCK] > planvow.cdx.json        LOCK is requirements/run.txt unless another is named

It is made from a lock file alone, without a clock, so the same lock gives the same bytes.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements/run.txt"
_PACKAGE = re.compile(r"^([A-Za-z0-9_.-]+)==([^\s;\\]+)(.*?)(?=^[A-Za-z0-9]|\Z)", re.MULTILINE | re.DOTALL)


def bill(lock: str) -> dict[str, Any]:
    """Return the bill of materials of a lock file."""
    version = re.search(r'__version__ = "(.+)"', (ROOT / "src/planvow/_version.py").read_text("utf-8"))
    own = {"type": "library", "name": "planvow", "version": version[1] if version else "0"}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {**own, "licenses": [{"license": {"id": "Apache-2.0"}}]}},
        "components": [_component(*found) for found in sorted(_PACKAGE.findall(lock))],
    }


def _component(name: str, version: str, rest: str) -> dict[str, Any]:
    address = f"pkg:pypi/{name.lower()}@{version}"
    files = [
        {"type": "distribution", "url": address, "hashes": [{"alg": "SHA-256", "content": digest}]}
        for digest in sorted(re.findall(r"sha256:([0-9a-f]{64})", rest))
    ]
    return {"type": "library", "bom-ref": address, "name": name, "version": version, "purl": address,
            "externalReferences": files}  # fmt: skip


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("lock", nargs="?", type=Path, default=LOCK)
    print(json.dumps(bill(options.parse_args().lock.read_text("utf-8")), indent=2, sort_keys=True))
