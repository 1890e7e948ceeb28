"""How long the browser's own trace says that scripts run when a tree is folded: 100 nodes against 5,000.

    python bench/console.py

Makes two reports (the same tree component as the console's pages), opens them in Chromium, folds and unfolds by
keyboard, and adds up the scripting events of the trace. The claim: the large tree takes at most five times the
small one.
"""

from __future__ import annotations

import json
import shutil
import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from planvow import Domain, State, plan
from planvow.adapters.cli.planning.plan_html import write_report

SIZES = (100, 5000)
TOGGLES = 20
MOST = 5.0
SCRIPTING = {"EventDispatch", "FunctionCall", "EvaluateScript", "RunMicrotasks", "TimerFire", "FireAnimationFrame"}


def tree(size: int) -> object:
    """Return a plan whose tree has so many nodes, twenty-five commands below each task."""
    domain = Domain("wide")

    @domain.command
    def step(state, number):
        state.at["n"] = number
        return state

    @domain.method(task="part")
    def steps(state, number):
        return [("step", number + each) for each in range(24)]

    @domain.method(task="whole")
    def parts(state, count):
        return [("part", each * 25) for each in range(count)]

    return plan(domain, State(at={"n": 0}), [("whole", size // 25)])


def scripting(browser: object, path: Path) -> tuple[float, int]:
    """Return the milliseconds of scripting per toggle, and how many nodes the page has."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(path.as_uri())
    nodes = page.locator("[data-tree] li").count()
    page.locator("[data-tree] a").first.focus()
    for key in ("ArrowLeft", "ArrowRight"):  # the first time compiles the script
        page.keyboard.press(key)
    trace = path.with_suffix(".trace")
    browser.start_tracing(page=page, path=str(trace), categories=["devtools.timeline"])
    for toggle in range(TOGGLES):
        page.keyboard.press("ArrowRight" if toggle % 2 else "ArrowLeft")
    page.wait_for_timeout(300)
    browser.stop_tracing()
    events = json.loads(trace.read_bytes())["traceEvents"]
    spent = sum(event.get("dur", 0) for event in events if event["name"] in SCRIPTING and event.get("ph") == "X")
    page.close()
    return spent / 1000 / TOGGLES, nodes


def main() -> int:
    chromium = shutil.which("chromium")
    if chromium is None:
        print("needs Chromium")
        return 1
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as api:
        browser = api.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        found = {}
        for size in SIZES:
            path = Path(folder) / f"{size}.html"
            write_report(path, tree(size), "tree")
            runs = [scripting(browser, path) for _ in range(3)]
            found[size] = statistics.median(ms for ms, _ in runs)
            print(f"{runs[0][1]:>6} nodes: {found[size]:.2f} ms of scripting per toggle")
        browser.close()
    small, large = (found[size] for size in SIZES)
    print(f"{large / small:.1f} times as much (at most {MOST:g})")
    return 0 if large <= MOST * small else 1


if __name__ == "__main__":
    raise SystemExit(main())
