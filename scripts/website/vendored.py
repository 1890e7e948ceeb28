"""What the site needs from npm: fetched by name when it is built, held to its hash, kept in `out/npm`."""

from __future__ import annotations

import base64
import hashlib
import shutil
import subprocess
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / "out/npm"


@dataclass(frozen=True)
class Package:
    """A package of npm: its version, the hash of its archive as npm states it, and the files that are taken."""

    name: str
    version: str
    integrity: str
    files: tuple[str, ...]

    @property
    def folder(self) -> Path:
        return CACHE / f"{self.name}-{self.version}"


PYODIDE = Package(
    "pyodide",
    "314.0.7",
    "sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A==",
    ("pyodide.mjs", "pyodide.js", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json",
     "package.json"),
)  # fmt: skip
MERMAID = Package(
    "mermaid",
    "11.12.0",
    "sha512-ZudVx73BwrMJfCFmSSJT84y6u5brEoV8DOItdHomNLz32uBjNrelm7mg95X7g+C6UoQH/W6mBLGDEDv73JdxBg==",
    ("dist/mermaid.min.js", "LICENSE"),
)
# Lets the search run where pages are files on a disk and browsers start no workers.
IFRAME_WORKER = Package(
    "iframe-worker",
    "1.0.4",
    "sha512-roeaaI+Lg1LJNfgpCjoRe/+WzEjy9+Z08LoEvu85MCPbBjwm+qXz8Ag5U05lHa6V1CysZyGzE0SOkAtSUA5q7Q==",
    ("shim/index.js", "LICENSE"),
)


class Unavailable(Exception):
    """Why a package could not be had."""


def fetched(package: Package) -> Path:
    """Return the folder with a package's files; ask npm for them where they are not here yet."""
    if package.folder.is_dir():
        return package.folder
    npm = shutil.which("npm")
    if npm is None:
        raise Unavailable(f"npm is needed for {package.name}: install node")
    with tempfile.TemporaryDirectory() as scratch:
        command = [npm, "pack", "--silent", f"{package.name}@{package.version}"]
        done = subprocess.run(command, cwd=scratch, capture_output=True, text=True, check=False)
        archives = list(Path(scratch).glob("*.tgz"))
        if done.returncode or len(archives) != 1:
            raise Unavailable(f"npm has no {package.name} {package.version} for us: {done.stderr.strip()[-300:]}")
        digest = hashlib.sha512(archives[0].read_bytes()).digest()
        if f"sha512-{base64.b64encode(digest).decode()}" != package.integrity:
            raise Unavailable(f"{package.name} {package.version} is not what it was: its hash differs")
        made = Path(scratch) / "made"
        with tarfile.open(archives[0]) as archive:
            for name in package.files:
                target = made / Path(name).name
                target.parent.mkdir(exist_ok=True)
                target.write_bytes(archive.extractfile(f"package/{name}").read())  # type: ignore[union-attr]
        CACHE.mkdir(parents=True, exist_ok=True)
        shutil.move(made, package.folder)
    return package.folder
