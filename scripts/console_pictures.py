"""Draw the console's pictures of a run anew: `planvow serve --demo`, a worker is killed, and Chromium looks.

    python scripts/console_pictures.py      needs chromium and playwright

They show moments and ids, so no test compares their bytes: draw them when the pages look different.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests/lab")]

from mcp_servers import free_port, serving  # noqa: E402

PICTURES = ROOT / "docs/pictures"
SHOTS = {
    "console-run": (1100, 700, "light", "run?id=lamp-for-ann"),
    "console-run-narrow": (390, 760, "light", "run?id=lamp-for-ann"),
    "console-runs": (1100, 420, "dark", ""),
}


def main() -> None:
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as api:
        errors, port = Path(scratch) / "errors.txt", free_port()
        words = [sys.executable, "-m", "planvow", "serve", "--demo", "--port", str(port), "--repo-root", scratch]
        browser = api.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        with serving(words, port, errors):
            signed_in = errors.read_text("utf-8").split("pages at ")[1].split()[0]
            page = browser.new_page()
            page.goto(signed_in)
            page.wait_for_url("**/console/")
            home = page.url
            page.click("text=lamp-for-ann", timeout=30_000)
            page.wait_for_selector(".plan >> nth=1", timeout=30_000)
            page.wait_for_selector("g.bar.o-running:has-text('walk')", timeout=60_000)
            os.kill(int(errors.read_text("utf-8").split("kill -9 ")[1].split("`")[0]), signal.SIGKILL)
            page.wait_for_selector("g.o-lost", timeout=60_000)
            page.wait_for_selector("g.o-done:has-text('hand_over')", timeout=90_000)
            page.wait_for_selector("h1 + p:has-text('waits for a person')", timeout=90_000)
            for name, (width, height, scheme, address) in SHOTS.items():
                shot = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
                shot.goto(signed_in)
                shot.wait_for_url("**/console/")
                shot.goto(home + address)
                shot.screenshot(path=PICTURES / f"{name}.png")
                print(f"wrote docs/pictures/{name}.png")
            shot = browser.new_page(viewport={"width": 1100, "height": 480})
            shot.goto(signed_in)
            shot.wait_for_url("**/console/")
            shot.goto(home + SHOTS["console-run"][3])
            shot.click(".plan a:has-text('plan'), h1 ~ p a >> nth=0")
            shot.click("#t1 a >> nth=0")
            shot.wait_for_selector("#why:has-text('the shop is closed')")
            shot.screenshot(path=PICTURES / "console-plan.png")
            print("wrote docs/pictures/console-plan.png")
        browser.close()


if __name__ == "__main__":
    main()
