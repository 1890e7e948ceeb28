"""The debate report in a real browser: it shows claims, filters them, draws the map, and makes no request."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from planvow.adapters.language.choice import load_language
from planvow.debate import analyse, read_transcript
from planvow.debate.desk.decisions import read_review
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


def test_what_is_smuggled_into_the_page_neither_runs_nor_calls_home(page, report):
    smuggled = (
        "<script>window.ran = 1</script><img src=x onerror='window.ran = 1'><img src='https://example.org/x.png'>"
    )
    path = report[0].with_name("smuggled.html")
    path.write_text(report[0].read_text("utf-8").replace("<main>", f"<main>{smuggled}", 1), "utf-8")
    other, refused = page.context.browser.new_page(), {}
    other.on("requestfailed", lambda request: refused.update({request.url: request.failure}))
    other.goto(path.as_uri())
    assert other.evaluate("window.ran") is None
    assert other.locator("mark[data-claim]").count() > 0
    assert refused == {path.with_name("x").as_uri(): "csp", "https://example.org/x.png": "csp"}
    other.close()


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
    page.goto(report[0].as_uri())
    page.click('button[data-view="ranking"]')
    scores = page.eval_on_selector_all("#ranking .meter", "meters => meters.map(m => Number(m.title))")
    assert scores == sorted(scores, reverse=True)
    page.click('button[data-view="map"]')
    linked = {end for r in report[1].relations for end in (r.source_claim_id, r.target_claim_id)}
    assert page.locator(".node").count() == len(linked)
    assert page.locator(".node").first.is_hidden()
    page.click("#unfold")
    assert page.locator(".node").first.is_visible()
    assert page.locator("svg.map").first.bounding_box()["width"] > 400
    attacks = "lines => lines.map(line => Number(line.dataset.attacks))"
    page.click('[data-sort="attacks"]')
    assert page.eval_on_selector_all(".exchange", attacks) == sorted(
        page.eval_on_selector_all(".exchange", attacks), reverse=True
    )
    page.locator(".tick").first.click(force=True)
    assert page.locator(".node.chosen").count() == 1
    picture = page.screenshot(path=tmp_path / "map.png")
    assert len(picture) > 20_000  # an empty page of this size is far smaller
    assert page.troubles == []


def test_the_keyboard_reaches_claims(page):
    page.click('button[data-view="transcript"]')
    page.locator("mark[tabindex]").nth(2).focus()
    page.keyboard.press("Enter")
    assert page.locator("mark.chosen").count() >= 1
    first = page.url
    page.keyboard.press("j")
    assert page.url != first
    page.keyboard.press("k")
    assert page.url == first
    page.keyboard.press("Escape")
    assert page.locator("mark.chosen").count() == 0
    page.focus("#tab-transcript")
    page.keyboard.press("ArrowRight")
    assert page.locator("#ranking").is_visible()
    page.keyboard.press("ArrowLeft")
    assert page.locator("#ranking").is_hidden()


def test_in_the_ranked_list_the_keys_walk_by_rank(page, report):
    page.goto(report[0].as_uri())
    page.reload()
    page.click('button[data-view="ranking"]')
    ranked = page.eval_on_selector_all("#ranking li", "items => items.map(item => item.dataset.claim)")
    for claim_id in ranked[:2]:
        page.keyboard.press("j")
        assert page.url.endswith(f"#claim={claim_id}")
        assert page.locator("#ranking li.chosen").get_attribute("data-claim") == claim_id


def test_headings_lead_through_the_page(page, report):
    page.goto(report[0].as_uri())
    levels = page.eval_on_selector_all("h1, h2, h3", "all => all.map(h => Number(h.tagName[1]))")
    assert levels[:3] == [1, 2, 3]
    assert page.locator("h3.who").count() == len(report[1].transcript.turns)


def test_the_address_of_a_claim_opens_it(page, report):
    claim = report[1].claims[-1]
    page.goto(f"{report[0].as_uri()}#claim={claim.artifact_id}")
    assert claim.standalone_text in page.inner_text("#detail")


def test_a_filter_can_hide_the_turns_without_a_match(page, report):
    page.goto(report[0].as_uri())  # no longer on the way to the claim of the test before
    page.reload()
    page.check('fieldset[data-filter="speaker_key"] input[value="OKAFOR"]')
    page.check("#only")
    assert set(page.eval_on_selector_all(".turn:not([hidden])", "turns => turns.map(t => t.dataset.speaker)")) == {
        "OKAFOR"
    }
    page.click("#reset")
    assert page.locator(".turn[hidden]").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_nothing_is_wider_than_the_screen(page, report, scheme):
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme=scheme)
    page.goto(report[0].as_uri())
    page.reload()
    for view in ("transcript", "ranking", "map"):
        page.click(f'button[data-view="{view}"]')
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator("#find").is_hidden()
    page.click("#filters > summary")
    assert page.locator("#find").is_visible()
    assert page.troubles == []


def test_printing_opens_every_exchange(page, report):
    page.goto(report[0].as_uri())
    page.reload()
    page.click('button[data-view="map"]')
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".exchange:not([open])").count() == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator(".exchange[open]").count() == 0


def test_a_review_by_keyboard_is_saved_and_kept_by_the_next_run(page, report):
    path, result = report
    reviewer = page.context.browser.new_page(viewport={"width": 1280, "height": 800})
    reviewer.goto(path.as_uri())
    for key in ("j", "a", "j", "x", "j", "3", "j", "m", "u"):
        reviewer.keyboard.press(key)
    with reviewer.expect_download() as saved:
        reviewer.get_by_role("button", name="Save review (3)").click()
    review = read_review(Path(saved.value.path()).read_text("utf-8"))
    reviewer.close()
    assert [decision.action for decision in review.decisions] == ["accept", "reject", "type"]
    spoken = sorted(result.claims, key=lambda claim: claim.span)
    kept = json.loads(export(result, "json", review=review))["claims"]
    assert spoken[1].artifact_id not in [claim["claim_id"] for claim in kept]
    assert next(c for c in kept if c["claim_id"] == spoken[2].artifact_id)["claim_type"] == "normative"


def test_a_claim_is_split_and_linked_with_the_mouse(page, report):
    path, result = report
    reviewer = page.context.browser.new_page(viewport={"width": 1280, "height": 800})
    reviewer.goto(path.as_uri())
    marks = reviewer.locator("mark[data-claim][role=button]")
    marks.nth(0).click()
    reviewer.get_by_role("button", name="Split").click()
    reviewer.locator(".gaps button").nth(1).click()
    reviewer.get_by_role("button", name="Attacks …").click()
    marks.nth(2).click()
    with reviewer.expect_download() as saved:
        reviewer.locator("#save-review").click()
    review = read_review(Path(saved.value.path()).read_text("utf-8"))
    reviewer.close()
    assert [decision.action for decision in review.decisions] == ["split", "link"]
    public = json.loads(export(result, "json", review=review))
    assert any(relation["reasons"] == ["decided by a person"] for relation in public["relations"])


def test_find_shows_words_outside_of_claims(page, report):
    finder = page.context.browser.new_page()
    finder.goto(report[0].as_uri())
    outside = finder.evaluate(
        """() => { for (const p of document.querySelectorAll(".turn p")) for (const node of p.childNodes)
             if (node.nodeType === 3 && /[a-z]{5}/i.test(node.data)) return /[a-z]{5,}/i.exec(node.data)[0]; }"""
    )
    finder.fill("#find", outside)
    assert finder.locator(".turn.said").count() >= 1
    assert finder.evaluate("CSS.highlights.get('find').size") >= 1
    assert "said in" in finder.locator("#count").inner_text()
    finder.close()


def test_on_a_phone_the_sheet_does_not_cover_the_claim(page, report):
    phone = page.context.browser.new_page(viewport={"width": 390, "height": 700})
    phone.goto(report[0].as_uri())
    marks = phone.locator("mark[data-claim][role=button]")
    for at in range(0, marks.count(), 3):
        marks.nth(at).evaluate("mark => mark.scrollIntoView({block: 'end'})")
        marks.nth(at).evaluate("mark => mark.click()")
        phone.wait_for_function(
            """() => document.querySelector("mark.chosen").getBoundingClientRect().top <
                     document.querySelector("#detail").getBoundingClientRect().top"""
        )
    phone.close()
