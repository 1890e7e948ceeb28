"""The debate report in a real browser: it shows claims, filters them, draws the map, and makes no request."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from planvow.adapters.debate_language import load_language
from planvow.debate import analyse, read_transcript
from planvow.debate.export import export

CHROMIUM = shutil.which("chromium")
SAMPLE = Path(__file__).resolve().parents[2] / "examples/debate.txt"

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")]


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    result = analyse(read_transcript(SAMPLE.read_bytes()), load_language("lite"))
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(export(result, "html", title="Tram debate"), "utf-8")
    return path, result


@pytest.fixture(scope="module")
def page(report):
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as api:
        browser = api.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.troubles, page.requested = [], []
        page.on("pageerror", lambda error: page.troubles.append(str(error)))
        page.on("console", lambda message: page.troubles.append(message.text) if message.type == "error" else None)
        page.on("request", lambda request: page.requested.append(request.url))
        page.goto(report[0].as_uri())
        yield page
        browser.close()


def test_every_claim_is_marked_and_nothing_is_fetched(page, report):
    marked = page.eval_on_selector_all("mark[data-claim]", "marks => [...new Set(marks.map(m => m.dataset.claim))]")
    assert set(marked) == {claim.artifact_id for claim in report[1].claims}
    assert page.requested == [report[0].as_uri()]
    assert page.troubles == []


def test_choosing_a_claim_shows_its_detail_and_its_relations(page, report):
    relation = report[1].relations[0]
    page.click(f'mark[data-claim="{relation.source_claim_id}"]')
    shown = page.inner_text("#detail")
    assert "Lineage" in shown
    assert "ExtractAtomicClaim" in shown
    assert "Relations" in shown
    assert page.locator("mark.near-support, mark.near-rebuttal").count() > 0


def test_filters_hide_what_was_not_asked_for(page, report):
    page.check('fieldset[data-filter="speaker_key"] input[value="OKAFOR"]')
    own = sum(claim.speaker_key == "OKAFOR" for claim in report[1].claims)
    assert page.inner_text("#count") == f"{own} of {len(report[1].claims)} claims"
    page.click("#reset")
    assert page.inner_text("#count") == f"{len(report[1].claims)} claims"


def test_the_ranked_list_and_the_map_can_be_opened_and_look_like_something(page, report, tmp_path):
    page.click('button[data-view="ranking"]')
    scores = page.eval_on_selector_all("#ranking .meter", "meters => meters.map(m => Number(m.title))")
    assert scores == sorted(scores, reverse=True)
    page.click('button[data-view="map"]')
    linked = {end for r in report[1].relations for end in (r.source_claim_id, r.target_claim_id)}
    assert page.locator(".node").count() == len(linked)
    box = page.locator("svg.map").bounding_box()
    assert box["width"] > 400
    assert box["height"] > 300
    picture = page.screenshot(path=tmp_path / "map.png")
    assert len(picture) > 20_000  # an empty page of this size is far smaller
    assert page.troubles == []


def test_the_keyboard_reaches_claims(page):
    page.click('button[data-view="transcript"]')
    page.locator("mark[tabindex]").nth(2).focus()
    page.keyboard.press("Enter")
    assert page.locator("mark.chosen").count() >= 1
