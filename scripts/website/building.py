"""From the repository to `out/site`."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import command_reference
import playground
import python_reference
from checking import faults
from configuration import NAVIGATION, configuration
from staging import ROOT, staged
from vendored import IFRAME_WORKER, MERMAID, fetched

STAGE = ROOT / "out/site-pages"
SITE = ROOT / "out/site"
SHIM = "https://unpkg.com/iframe-worker/shim"  # what the site builder would load for readers from disk


def build() -> list[str]:
    """Build the site and return what is wrong with it."""
    shutil.rmtree(STAGE, ignore_errors=True)
    pages = STAGE / "pages"
    for place, content in _everything():
        target = pages / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)
    settings = configuration([_expanded(entry, pages) for entry in NAVIGATION])
    (STAGE / "mkdocs.yml").write_text(json.dumps(settings, indent=1), encoding="utf-8")  # JSON is YAML
    command = [sys.executable, "-m", "zensical", "build", "--config-file", "mkdocs.yml", "--clean"]
    done = subprocess.run(command, cwd=STAGE, capture_output=True, text=True, check=False)
    if done.returncode:
        return [f"the site builder failed: {done.stdout}{done.stderr}"]
    shutil.rmtree(SITE, ignore_errors=True)
    shutil.copytree(STAGE / "site", SITE)
    _vendor(SITE)
    return faults(SITE)


def _everything() -> Iterator[tuple[str, str | bytes]]:
    yield from staged()
    yield from python_reference.pages()
    yield from command_reference.pages()


def _expanded(entry: Any, pages: Path) -> Any:
    """An entry of the navigation with every page of a folder where it says `folder/*`, the index first."""
    if isinstance(entry, str):
        return entry
    [(title, target)] = entry.items()
    if isinstance(target, list):
        return {title: [_expanded(each, pages) for each in target]}
    if not target.endswith("/*"):
        return entry
    folder = pages / target.removesuffix("/*")
    inner = sorted((path for path in folder.glob("*.md") if path.name != "index.md"), key=lambda path: path.stem)
    found = [{_title(path): str(path.relative_to(pages))} for path in inner]
    return {title: [str((folder / "index.md").relative_to(pages)), *found]}


def _title(page: Path) -> str:
    [title] = re.findall(r"^# (.+)$", page.read_text("utf-8"), flags=re.MULTILINE)[:1]
    return str(title).removeprefix("examples/")


def _vendor(site: Path) -> None:
    """Put beside the pages what they load, and let them ask for nothing from elsewhere."""
    vendor = site / "assets/vendor"
    vendor.mkdir(parents=True, exist_ok=True)
    shutil.copy(fetched(MERMAID) / "mermaid.min.js", vendor)
    shutil.copy(fetched(IFRAME_WORKER) / "index.js", vendor / "iframe-worker.js")
    for page in site.rglob("*.html"):
        way = "../" * (len(page.relative_to(site).parts) - 1)
        text = page.read_text("utf-8").replace(SHIM, f"{way}assets/vendor/iframe-worker.js")
        page.write_text(text, encoding="utf-8")
    playground.equip(site)
