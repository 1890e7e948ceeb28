"""The built site in a real browser: served and from disk, both themes, two widths, its search and the playground."""

from __future__ import annotations

import functools
import http.server
import shutil
import sys
import threading
from pathlib import Path

import pytest

from planvow.adapters.machine.modules import load_problem
from planvow.kernel import solve

CHROMIUM, NPM = shutil.which("chromium"), shutil.which("npm")
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/website"))
pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None or NPM is None, reason="needs Chromium and npm"),
]
LOOKS = {"wide, light": (1280, "light"), "narrow, dark": (390, "dark")}
PAGES = (
    "index.html",
    "gallery.html",
    "tutorial/first-domain.html",
    "reference/python/planvow.html",
    "reference/commands/plan.html",
    "reference/errors.html",
    "explanation/search.html",
    "playground.html",
)
SEARCHES = {  # what a newcomer types, and the page that must be among the first answers
    "lease": "reference/errors.html",
    "NOT_CANONICAL": "reference/errors.html",
    "--max-iterations": "reference/commands/plan.html",
    "make_problem": "reference/python/planvow.html",
    "crash": "howto/after-a-crash.html",
    "tea": "tutorial/tea-robot.html",
    "install": "index.html",
    "how do i install": "questions.html",
    "try offline in the browser": "questions.html",
    "why is there no plan": "questions.html",
    "prove that a plan is correct": "questions.html",
    "resume killed": "questions.html",
    "ask a person before a step": "questions.html",
    "batch on several machines": "questions.html",
    "notebook": "questions.html",
    "delete old runs": "questions.html",
    "set up ci": "questions.html",
    "deadline": "questions.html",
    "windows macos": "questions.html",
    "limit memory": "reference/errors.html",
    "langgraph": "compare/langgraph.html",
    "mcp claude": "howto/mcp.html",
    "partial order hddl": "explanation/hddl.html",
}


# The search keeps its answers in a shadow tree.
FOUND = """expected => {
  const trees = [...document.querySelectorAll("*")].map((each) => each.shadowRoot).filter(Boolean);
  const links = trees.flatMap((tree) => [...tree.querySelectorAll("a")]).slice(0, 10);
  return links.some((link) => link.href.includes(expected));
}"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def site():
    from building import SITE, build

    assert build() == []
    return SITE


@pytest.fixture(scope="module")
def address(site):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as api:
        found = api.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def page(browser):
    """A page that notes what went wrong and what was asked of elsewhere."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    made = context.new_page()
    made.wrong = []
    made.on("pageerror", lambda error: made.wrong.append(str(error)))
    made.on("requestfailed", lambda request: _failed(made, request))
    made.on("request", lambda request: _noted(made, request.url))
    yield made
    context.close()


def _failed(page, request):
    if request.failure != "net::ERR_ABORTED":  # what a page still asks for when the next one is opened
        page.wrong.append(f"failed: {request.url}: {request.failure}")


def _noted(page, url):
    if not url.startswith(("http://127.0.0.1:", "file:", "data:", "blob:")):
        page.wrong.append(f"asked of elsewhere: {url}")


@pytest.mark.parametrize("look", LOOKS)
def test_pages_fit_their_width_and_ask_nothing_of_elsewhere(page, address, look):
    width, scheme = LOOKS[look]
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    for name in PAGES:
        page.goto(f"{address}/{name}", wait_until="load")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{name} is wider than {width}"
        assert page.get_attribute("body", "data-md-color-scheme") == ("slate" if scheme == "dark" else "default")
    assert page.wrong == []


def test_diagrams_are_drawn(page, address):
    page.goto(f"{address}/explanation/search.html")
    page.wait_for_selector(".diagram svg", timeout=30_000)
    assert page.wrong == []


@pytest.mark.parametrize("place", ["served", "from disk"])
def test_search_finds_what_a_newcomer_looks_for(page, address, site, place):
    page.goto(f"{address}/index.html" if place == "served" else (site / "index.html").as_uri())
    page.wait_for_load_state("networkidle")  # the search is fetched after the page
    page.keyboard.press("/")
    for words, expected in SEARCHES.items():
        page.keyboard.press("Control+A")
        page.keyboard.type(words)
        page.wait_for_function(FOUND, arg=expected, timeout=30_000)
    assert page.wrong == []


def test_the_playground_plans_explains_and_certifies_as_python_does_here(page, address, site, tmp_path):
    page.goto(f"{address}/playground.html")
    page.wait_for_selector("#pg-run:not([disabled])", timeout=120_000)
    names = page.locator("#pg-sample option").all_inner_texts()
    for number, name in enumerate(names):
        page.select_option("#pg-sample", str(number))
        status = planned(page)
        assert status.startswith("solved"), f"{name}: {status}"
        assert tabs(page)["Certificate"].startswith("accepted by the checker"), name
    source = (ROOT / "examples/travel.py").read_text("utf-8")
    page.select_option("#pg-sample", "0")
    planned(page)
    (tmp_path / "domain.py").write_text(source, encoding="utf-8")
    here = solve(load_problem(tmp_path / "domain.py"))
    seen = tabs(page)
    assert seen["Tree"] == here.to_text().rstrip()
    assert here.certificate().document["hash"] in seen["Certificate"]
    assert page.wrong == []


def test_the_playground_shows_why_there_is_no_plan_and_where_a_text_is_wrong(page, address):
    page.goto(f"{address}/playground.html")
    page.wait_for_selector("#pg-run:not([disabled])", timeout=120_000)
    first = page.locator("#pg-first")
    first.fill(first.input_value() + "\nproblem = poor\n")
    assert planned(page).startswith("no_plan")
    assert "owes" in tabs(page)["Reasons"]
    first.fill("from planvow import Domain\n\nDomain(\n")
    assert planned(page).startswith("invalid")
    assert "domain.py:3" in tabs(page)["Error"]
    first.fill("while True:\n    pass\n")
    page.click("#pg-run")
    page.click("#pg-stop")
    page.wait_for_selector("#pg-run:not([disabled])", timeout=120_000)


def test_the_playground_says_what_it_needs_when_it_is_opened_from_disk(page, site):
    page.goto((site / "playground.html").as_uri())
    page.wait_for_selector("#pg-closed", timeout=10_000)
    assert not page.is_visible("#pg-page")


def planned(page) -> str:
    page.evaluate("document.getElementById('pg-status').textContent = ''")
    page.click("#pg-run")
    page.wait_for_function("/, \\d/.test(document.getElementById('pg-status').textContent)", timeout=120_000)
    return page.inner_text("#pg-status")


def tabs(page) -> dict[str, str]:
    found = {}
    for button in page.locator(".pg-tabs button").all():
        button.click()
        found[button.inner_text()] = page.locator("#pg-answer").evaluate("each => each.textContent").rstrip()
    return found
