"""The console in a real browser: every page, both themes, two widths, by keyboard, without script, under attack."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlencode

import pytest

import hddl_vans
from console_worlds import HOSTILE, fill, keep_debates
from mcp_servers import TRAVEL, free_port, pigeons, serving
from planvow.adapters.console.frame.analyses import open_analysis
from planvow.cassette.databases.sqlite import SqliteStore
from planvow.cassette.dossier.decisions import approvals_of
from planvow.debate.desk.decisions import read_review

CHROMIUM = shutil.which("chromium")
ROOT = Path(__file__).resolve().parents[2]
pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")]
WIDTHS = {"wide, light": (1280, "light"), "narrow, dark": (390, "dark")}
THEMES = {**WIDTHS, "wide, dark": (1280, "dark"), "narrow, light": (390, "light")}

GOVERNED = (
    "sections build",
    "symbols add @CODE/add --file calc.py --heading add --default-slice head(20)",
    "symbols add @DOC/rules --file guide.md --heading Calculator --heading Rules --default-slice head(10)",
    "symbols add @TEST/unit --file check_calc.py --default-slice head(20)",
)


def at(place, **query):
    return f"/console/{place}?{urlencode(query)}"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("console")
    ledger = folder / "cassette.db"
    fill(ledger)
    debates = keep_debates(folder)
    port, errors = free_port(), folder / "errors.txt"
    words = [sys.executable, "-m", "planvow", "serve", "--port", str(port), "--store", str(ledger), "--workers", "1"]
    domains = ["--domain", TRAVEL, "--domain", str(ROOT / "examples/dinner_party.py")]
    with serving([*words, *domains, "--repo-root", str(folder)], port, errors):
        token = errors.read_text("utf-8").split("token for posting and approving: ")[1].split()[0]
        with SqliteStore(ledger) as store:
            jobs = {run: [job.job_id for job in store.jobs(run_id=run)] for run in ("monday", "tuesday")}
        yield SimpleNamespace(
            url=f"http://127.0.0.1:{port}", ledger=ledger, token=token, jobs=jobs, folder=folder, debates=debates
        )


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as api:
        found = api.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def opened(browser, server):
    """Return a function that opens a page and writes down its troubles and whatever it asks for elsewhere."""
    contexts = []

    def open_page(address, *, how=(1280, "light"), known=False, **more):
        context = browser.new_context(viewport={"width": how[0], "height": 900}, color_scheme=how[1], **more)
        contexts.append(context)
        page = context.new_page()
        page.troubles, page.outside = [], []
        page.on("pageerror", lambda error: page.troubles.append(str(error)))
        page.on("console", lambda said: page.troubles.append(said.text) if said.type == "error" else None)
        page.on("request", lambda asked: page.outside.append(asked.url) if not asked.url.startswith(server.url) else 0)
        if known:
            page.goto(f"{server.url}/console/sign-in#{server.token}")
            page.wait_for_url("**/console/")
        page.goto(address if "://" in address else server.url + address)
        return page

    yield open_page
    for context in contexts:
        context.close()


def follow(page, target):
    """Click what leads to another page, and wait until that page is there: a click alone waits for neither."""
    with page.expect_navigation():
        (page.locator(target) if isinstance(target, str) else target).click()


def planned(opened, server, domain="kitchen"):
    page = opened("/console/design")
    answer = page.request.post(f"{server.url}/api/v1/make_plan", data={"domain": domain})
    return answer.json()["plan_hash"]


def serious(page):
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [
        (row["id"], [node["html"][:200] for node in row["nodes"][:3]])
        for row in found
        if row["impact"] in ("serious", "critical")
    ]


def claim_at(server, debate, number):
    name = server.debates[debate]
    claim = open_analysis(server.folder, name).public["claims"][number]
    return at(f"debates/{name}", claim=claim["claim_id"])


def pages(opened, server):
    name = planned(opened, server)
    monday, first = server.jobs["monday"][-1], server.jobs["monday"][0]
    return {
        "runs": "/console/",
        "none": at("", find="nothing like this"),
        "run": at("run", id="monday"),
        "failed": at("run", id="nightly"),
        "tree": at("plan", job=monday, node=1),
        "times": at("plan", hash=name, view="times"),
        "order": at("plan", hash=name, view="order", node=2),
        "steps": at("plan", hash=name, view="steps"),
        "state": at("plan", hash=name, view="state", step=3),
        "playground": "/console/play",
        "wish": at("play", kind="wish"),
        "domains": at("play", kind="domain"),
        "request": at("play", kind="request"),
        "proof of a plan": at("plan", hash=name, view="proof"),
        "diff": at("diff", first=first, second=monday),
        "proof": "/console/proof",
        "debates": "/console/debates",
        "said again": at("debates", view="again"),
        "debate": at(f"debates/{server.debates['tram']}"),
        "claim": claim_at(server, "tram", 1),
        "hostile claim": claim_at(server, "hostile", 0),
        "design": "/console/design",
        "sign in": "/console/sign-in",
    }


@pytest.mark.parametrize("how", THEMES.values(), ids=THEMES)
def test_every_page_is_quiet_fits_its_width_and_is_accessible(opened, server, how):
    page = opened("/console/", how=how, known=True)
    for name, address in pages(opened, server).items():
        page.goto(server.url + address)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
        assert page.locator("h1").count() == 1, name
        assert how not in WIDTHS.values() or serious(page) == [], name
    assert page.troubles == []
    assert page.outside == []


def test_attempts_are_written_as_large_on_a_phone_as_on_a_desk_and_need_no_scrolling(opened, server):
    for width in (1280, 390):
        page = opened(at("run", id="monday"), how=(width, "light"))
        drawn = page.locator(".lanes svg:visible")
        assert drawn.count() == 1
        scale = drawn.evaluate("svg => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width")
        size = drawn.locator(".lane").first.evaluate("text => parseFloat(getComputedStyle(text).fontSize)")
        assert scale * size >= 11
        assert page.evaluate("document.querySelector('.lanes').scrollWidth <= innerWidth")
        assert drawn.locator("g.bar").count() == 2


def test_on_paper_attempts_are_drawn_and_moments_are_moments(opened, server):
    page = opened(at("run", id="monday"))
    page.emulate_media(media="print")
    assert page.locator(".chart .bar, svg .bar").first.is_visible()
    assert not page.locator("header.bar").is_visible()
    written = page.evaluate("getComputedStyle(document.querySelector('time'), '::after').content")
    assert written.strip('"') == page.locator("time").first.get_attribute("title")


def test_names_and_texts_stay_names_and_texts(opened, server):
    page = opened("/console/", known=True)
    with SqliteStore(server.ledger) as store:
        jobs = {text: [job.job_id for job in store.jobs(run_id=text)] for text in HOSTILE}
    for text in HOSTILE:
        addresses = [at("", find=text), at("run", id=text), at("diff", first=text, second="x"), at("plan", hash=text)]
        addresses += [at("plan", job=job, node=1) for job in jobs[text][:1]]
        addresses += [at("diff", first=jobs[text][0], second=jobs[text][1]), at("sign-in", next=text)]
        for address in addresses:
            page.goto(server.url + address)
            assert page.evaluate("window.ran") is None, address
            assert "\u202e" not in page.content(), address
            assert page.locator("main a[href^='javascript:'], main [onmouseover], main img").count() == 0, address
    assert [said for said in page.troubles if "status of 404" not in said and "status of 409" not in said] == []
    assert page.outside == []


def test_a_debate_is_reviewed_by_keyboard_and_without_script_and_the_file_is_sent(opened, server, tmp_path):
    name = server.debates["tram"]
    page = opened(at(f"debates/{name}"), known=True)
    page.keyboard.press("j")
    page.wait_for_url("**claim=*")
    page.keyboard.press("j")
    page.wait_for_function("document.querySelectorAll('[data-claim]')[1].ariaCurrent === 'true'")
    words = page.locator("[data-claim]").nth(1).inner_text()
    for key, told in (("a", "accepted"), ("3", "type: normative")):
        with page.expect_navigation():
            page.keyboard.press(key)
        assert page.locator("section:has(#decisions) tbody tr").all_inner_texts()[-1].split("\t")[1:3] == [told, words]
    assert page.locator("[data-claim][aria-current]").inner_text() == words
    with page.expect_download() as saved:
        page.get_by_role("link", name="Review file", exact=True).click()
    saved.value.save_as(tmp_path / "review.json")
    (decision,) = read_review((tmp_path / "review.json").read_text("utf-8")).decisions
    assert (decision.text, decision.claim_type) == (words, "normative")
    assert page.troubles == []
    assert page.outside == []

    plain = opened("/console/sign-in", how=(390, "dark"), java_script_enabled=False)
    plain.fill("[name=token]", server.token)
    follow(plain, "main button")
    plain.goto(server.url + at(f"debates/{name}", speaker="BOB"))
    follow(plain, plain.locator("[data-claim]").first)
    chosen, panel = plain.locator("[data-claim][aria-current]"), plain.locator(".detail")
    assert chosen.bounding_box()["y"] + chosen.bounding_box()["height"] <= panel.bounding_box()["y"]
    follow(plain, plain.get_by_role("button", name="Reject"))
    assert "speaker=BOB" in plain.url
    follow(plain, plain.get_by_role("button", name="Take decision 2 back"))
    follow(plain, plain.get_by_role("button", name="Take decision 1 back"))
    assert plain.get_by_text("Nobody has decided anything").count() == 1


def test_what_debaters_smuggle_in_neither_runs_nor_calls_home(opened, server):
    name = server.debates["hostile"]
    page = opened(at(f"debates/{name}"), known=True)
    for claim in open_analysis(server.folder, name).public["claims"]:
        page.goto(server.url + at(f"debates/{name}", claim=claim["claim_id"]))
        page.locator("[data-claim][aria-current]").hover()
        assert page.evaluate("window.ran") is None
        assert page.locator("main img, main svg[onload], [onmouseover], a[href^=javascript]").count() == 0
    page.goto(f"{server.url}/console/debates")
    assert HOSTILE[1] in page.locator(".talks .name").all_inner_texts()
    assert page.troubles == []
    assert page.outside == []


def test_a_person_signs_in_approves_with_a_reason_and_sees_where_it_is_recorded(opened, server):
    page = opened(at("run", id="monday"))
    assert page.locator("summary", has_text="Approve").count() == 0
    page.goto(f"{server.url}/console/sign-in?{urlencode({'next': at('run', id='monday')})}")
    page.fill("[name=token]", "wrong")
    follow(page, "main button")
    assert page.locator("[role=alert]").count() == 1
    page.fill("[name=token]", server.token)
    follow(page, "main button")
    page.click("summary:has-text('Approve')")
    page.fill(".confirm[open] [name=reason]", "ann knows")
    page.fill(".confirm[open] [name=by]", "eve")
    follow(page, ".confirm[open] button")
    assert page.url.endswith("#decisions")
    assert page.locator("td", has_text="ann knows").count() == 1
    job = server.jobs["monday"][-1]
    with SqliteStore(server.ledger) as store:
        last = approvals_of(store, job)[-1]
    assert (last.kind.value, last.by, last.reason) == ("approval", "eve", "ann knows")
    assert page.locator(f"code[data-copy='{last.sha256}']").count() == 1


def test_forms_of_other_pages_and_people_without_the_token_decide_nothing(opened, server):
    form = {"decision": "cancel", "job_id": server.jobs["tuesday"][-1], "by": "eve", "reason": "because"}
    page = opened(at("run", id="tuesday"))
    seal = page.request.get(f"{server.url}/console/sign-in").text().split('name="seal" value="')[1].split('"')[0]
    assert page.request.post(f"{server.url}/console/act", form={**form, "seal": seal}).status == 403
    known = opened(at("run", id="tuesday"), known=True)
    assert known.request.post(f"{server.url}/console/act", form=form).status == 409
    assert known.request.post(f"{server.url}/console/act", form={**form, "seal": "0" * 64}).status == 409
    foreign = known.request.post(
        f"{server.url}/console/act", form={**form, "seal": seal}, headers={"Origin": "http://example.org"}
    )
    assert foreign.status == 421
    cookies = {cookie["name"].split("-")[1]: cookie for cookie in known.context.cookies()}
    assert (cookies["token"]["httpOnly"], cookies["token"]["sameSite"]) == (True, "Strict")


def test_a_run_that_goes_on_is_seen_without_reloading(opened, server):
    from console_worlds import START, agent, asks
    from planvow import State

    agent(server.ledger, mail=asks("may I?")).run([("bring", "rope", "bob")], State(**START), run_id="live")
    page = opened(at("run", id="live"))
    page.evaluate("window.same = true")
    assert page.locator("h1 + p .s-held").count() == 1
    helper = agent(server.ledger)
    helper.approve("live", by="ann")
    helper.resume("live")
    page.wait_for_selector("h1 + p .s-done", timeout=20_000)
    assert page.evaluate("window.same") is True


def test_a_page_asks_for_nothing_until_something_has_happened_and_then_hears_of_it(opened, server):
    from console_worlds import START, agent, asks
    from planvow import State

    held = agent(server.ledger, mail=asks("may I?"))
    held.run([("bring", "saw", "bob")], State(**START), run_id="saw")
    page = opened(at("run", id="saw"))
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_timeout(2500)
    assert [address for address in asked if "/console/run?" in address] == []
    helper = agent(server.ledger)
    helper.approve("saw", by="ann", note="he may")
    page.wait_for_selector("td:has-text('he may')", timeout=20_000)
    assert [address for address in asked if "/console/run?" in address] == [page.url]
    everything = opened("/console/")
    assert everything.locator(".runs li", has_text="saw").locator(".s-done").count() == 0
    helper.resume("saw")
    everything.wait_for_selector(".runs li:has-text('saw') .s-done", timeout=20_000)
    page.wait_for_selector("h1 + p .s-done", timeout=20_000)
    assert page.troubles == everything.troubles == []


def test_a_person_asks_for_a_repair_with_what_is_the_case_and_the_next_worker_makes_it(opened, server):
    from console_worlds import agent

    page = opened(at("run", id="nightly"), known=True)
    page.click("summary:has-text('Repair')")
    page.fill(".confirm[open] [name=reason]", "the shop is open again")
    page.fill(".confirm[open] [name=fact1]", "no fact at all")
    page.fill(".confirm[open] [name=by]", "eve")
    page.click(".confirm[open] button")
    page.wait_for_selector("text=this is no fact")
    page.go_back()
    page.click("summary:has-text('Repair')")
    page.fill(".confirm[open] [name=reason]", "the shop is open again")
    page.fill(".confirm[open] [name=fact1]", "open[shop] = true")
    page.fill(".confirm[open] [name=by]", "eve")
    follow(page, ".confirm[open] button")
    assert page.url.endswith("#decisions")
    assert "eve asked for a repair: the shop is open again" in page.inner_text("main")
    row = page.locator("#decisions + div tr", has_text="repair asked for").inner_text()
    assert "open[shop] = true" in row
    agent(server.ledger, buy=lambda thing: "bought").resume("nightly")
    page.wait_for_selector("h1 + p .s-done", timeout=20_000)
    assert "eve asked for a repair" in page.inner_text(".plan >> nth=0")
    assert page.locator("summary:has-text('Repair')").count() == 0
    assert [said for said in page.troubles if "status of 400" not in said] == []


@pytest.mark.parametrize("scripted", [True, False], ids=["with script", "without"])
def test_a_domain_is_asked_by_a_form_and_nobody_writes_json(opened, server, scripted):
    page = opened(at("play", kind="domain", domain="travel"), java_script_enabled=scripted)
    assert page.locator(".ask").count() == 2
    page.click("[aria-label='Leave out task 1']")
    page.wait_for_url("**draft=1*")
    assert page.locator(".ask").count() == 1
    page.click("button:has-text('+ travel(who, there)')")
    page.wait_for_selector(".ask >> nth=1")
    page.fill("[name=t1_0]", "alice")
    page.fill("[name=t1_1]", "park")
    page.locator(".world label", has_text="alice").nth(1).locator("input").fill("1000")
    page.click("button.good:has-text('Plan')")
    page.wait_for_selector("[data-answer] [data-tree]", timeout=60_000)
    tree = page.inner_text("[data-answer] [data-tree]")
    assert tree.index("travel(bob, park)") < tree.index("travel(alice, park)")
    other = opened(page.url)
    assert other.inner_text("[data-answer] h2 code") == page.inner_text("[data-answer] h2 code")
    assert other.locator(".field.changed").count() == 1
    assert page.troubles == other.troubles == []


def test_the_keyboard_alone_walks_runs_and_trees(opened, server):
    page = opened("/console/")
    page.keyboard.press("j")
    page.keyboard.press("j")
    second = page.evaluate("document.activeElement.textContent")
    assert second == page.locator(".runs .name").nth(1).text_content()
    page.keyboard.press("/")
    page.keyboard.type("tuesday")
    page.keyboard.press("Enter")
    page.wait_for_url("**find=tuesday*")
    assert page.locator(".runs li").count() == 1
    page.goto(server.url + at("plan", job=server.jobs["tuesday"][-1]))
    page.locator("[data-tree] a").first.focus()
    for key, expected in (("ArrowDown", "borrow"), ("ArrowDown", "mail"), ("ArrowUp", "borrow"), ("ArrowUp", "bring")):
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.textContent").startswith(expected)
    page.keyboard.press("ArrowLeft")
    assert page.locator("[data-tree] details[open]").count() == 0
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_selector("#why .what:has-text('borrow')")
    assert "node=2" in page.url
    assert page.troubles == []


def test_a_node_says_why_and_what_was_refused_and_the_tree_is_found_through(opened, server):
    name = planned(opened, server, "travel")
    page = opened(at("plan", hash=name))
    page.click("#t1 a >> nth=0")
    page.wait_for_selector("#why .what")
    told = page.inner_text("#why")
    assert "by_taxi" in told
    assert "8 km is too far to walk" in told
    assert "at[alice] = home_a" in told
    page.fill("[data-find] input", "pay_driver")
    page.wait_for_selector(".hit")
    assert page.inner_text("[data-find] output") == "1 found"


def test_hddl_is_marked_while_somebody_types_solved_and_kept_as_a_link(opened, server):
    page = opened("/console/play")
    text = page.input_value("[name=domain]")
    page.fill("[name=domain]", text.replace(":parameters", ":paramters", 1))
    page.wait_for_selector(".marks li", timeout=20_000)
    line, column = page.inner_text(".marks li").split()[1].split(":")
    assert text.splitlines()[int(line) - 1][int(column) - 1 :].startswith(":parameters")
    assert page.inner_text(".gutter .wrong").strip() == f"✕{line}"
    page.fill("[name=domain]", text)
    page.wait_for_selector(".marks:not(:has(li))", state="attached")
    page.click("button:has-text('Solve')")
    page.wait_for_selector("[data-answer] [data-tree]", timeout=60_000)
    link = page.url
    assert "ask=" in link
    plan = page.inner_text("[data-answer] h2 code")
    other = opened(link)
    assert other.inner_text("[data-answer] h2 code") == plan
    for link in ("text=open the plan", "text=State", "text=next"):
        follow(other, link)
    assert "after step 1 of 13" in other.inner_text("main")
    assert "(in Robby kitchen)" in other.inner_text("main")
    other.click("[data-run]")
    other.wait_for_selector("text=after step 3 of 13")
    other.click("[data-run]")
    other.locator("[data-slide]").fill("12")
    other.wait_for_selector("text=after step 12 of 13")
    assert "step=12" in other.url
    assert page.troubles == other.troubles == []


def test_a_search_that_takes_too_long_is_cancelled_and_its_worker_is_free_again(opened, server):
    domain, problem = pigeons(24)
    page = opened("/console/play")
    page.fill("[name=domain]", domain)
    page.fill("[name=problem]", problem)
    page.click("button:has-text('Solve')")
    page.wait_for_selector("[data-state]:has-text('searching for 1 s')")
    page.locator("[data-state]", has_text=re.compile(r"s: .*\d")).wait_for(timeout=20_000)
    page.click("button:has-text('Cancel')")
    page.wait_for_selector("text=Cancelled")
    page.goto(server.url + at("play", kind="domain", domain="travel"))
    page.click("button.good:has-text('Plan')")
    page.wait_for_selector("[data-answer] [data-tree]", timeout=60_000)


def test_a_wish_shows_how_it_was_read_and_an_odd_link_is_refused(opened, server):
    page = opened(at("play", kind="wish"))
    page.fill("[name=wish]", "open youtube and search <script>window.ran=1</script>")
    page.click("button:has-text('Plan')")
    page.wait_for_selector("[data-answer] h2")
    assert page.evaluate("window.ran") is None
    page.fill("[name=wish]", "open youtube and search nvidia")
    page.click("button:has-text('Plan')")
    page.wait_for_selector("text=How the sentence was read")
    assert "browser_search" in page.inner_text("[data-answer]")
    assert page.troubles == []
    for odd in ("x", "eJw", "%00", "a" * 5000):
        assert page.request.get(server.url + at("play", ask=odd)).status == 404


def test_a_governed_request_shows_its_budgets(opened, server):
    for name in ("calc.py", "check_calc.py", "guide.md", "planvow.toml"):
        shutil.copy(ROOT / "examples/governed" / name, server.folder)
    for words in GOVERNED:
        command = [sys.executable, "-m", "planvow", "cortex", *words.split(), "--repo-root", str(server.folder)]
        subprocess.run(command, check=True, capture_output=True)
    page = opened(at("play", kind="request"))
    page.click("button:has-text('Plan')")
    page.wait_for_selector(".meters", timeout=30_000)
    assert page.locator(".meters li").all_inner_texts()[0].split() == ["steps", "7", "of", "10"]


def test_without_script_everything_can_be_read_and_folded(opened, server):
    page = opened("/console/", java_script_enabled=False)
    assert page.locator(".runs li").count() > 3
    follow(page, "text=tuesday")
    assert page.locator(".steps li").count() == 4
    page.goto(server.url + at("plan", job=server.jobs["tuesday"][-1]))
    follow(page, "#t1 a >> nth=0")
    assert "from_a_neighbour" in page.inner_text("#why")
    assert page.locator("#t2 a").is_visible()
    page.locator("#t1 > details > summary").click()
    assert not page.locator("#t2 a").is_visible()


def test_a_certificate_is_checked_a_forged_one_rejected_and_exports_are_sent(opened, server, tmp_path):
    name = planned(opened, server)
    page = opened("/console/proof")
    exports = {}
    for form in ("certificate", "svg", "mermaid", "dot", "json"):
        answer = page.request.get(server.url + at("export", hash=name, form=form))
        assert answer.status == 200
        exports[form] = answer.text()
    assert exports["svg"].startswith("<svg")
    assert exports["mermaid"].startswith("flowchart")
    assert exports["dot"].startswith("digraph")
    assert len(json.loads(exports["json"])["steps"]) == 11
    path = tmp_path / "certificate.json"
    path.write_text(exports["certificate"], "utf-8")
    page.set_input_files("input[type=file]", path)
    page.wait_for_selector(".s-accepted")
    assert "What this does not prove" in page.inner_text("main")
    forged = json.loads(exports["certificate"])
    forged["steps"][0]["end"] += 1
    page.fill("textarea", json.dumps(forged))
    page.click("button:has-text('Check')")
    page.wait_for_selector(".s-rejected")
    page.fill("textarea", "[1]")
    follow(page, "button:has-text('Check')")
    assert page.locator("text=neither a certificate nor a bundle").count() == 1


def test_a_bundle_is_checked(opened, server, tmp_path):
    bundle = tmp_path / "bundle.json"
    words = ["cassette", "export", "--run-id", "tuesday", "--store", str(server.ledger), "-o", str(bundle)]
    subprocess.run([sys.executable, "-m", "planvow", *words], check=True, capture_output=True)
    page = opened("/console/proof")
    page.fill("textarea", bundle.read_text("utf-8"))
    page.click("button:has-text('Check')")
    page.wait_for_selector(".s-accepted")
    assert "2 jobs" in page.inner_text("main")


def test_the_report_needs_no_server_and_shows_the_reasons(opened, server, tmp_path):
    path = tmp_path / "report.html"
    words = [sys.executable, "-m", "planvow", "plan", TRAVEL, "--html", str(path)]
    subprocess.run(words, check=True, capture_output=True)
    for how in WIDTHS.values():
        page = opened(path.as_uri(), how=how)
        assert page.outside == [path.as_uri()]
        page.click("#t1 a >> nth=0")
        assert "8 km is too far to walk" in page.inner_text("#why")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.locator("text=re-executed").count() > 0
        assert page.troubles == []
        assert page.evaluate("document.querySelectorAll('[style]').length") == 0


def test_the_report_of_an_hddl_plan_shows_its_own_tree_order_and_verdict(opened, server, tmp_path):
    """Two vans, each with its parcel: what one does has nothing to do with the other."""
    for name, text in (("d.hddl", hddl_vans.DOMAIN), ("p.hddl", hddl_vans.PROBLEM)):
        (tmp_path / name).write_text(text, "utf-8")
    path = tmp_path / "report.html"
    words = [sys.executable, "-m", "planvow", "plan", "d.hddl", "p.hddl", "--html", str(path)]
    subprocess.run(words, check=True, capture_output=True, cwd=tmp_path)
    for how in THEMES.values():
        page = opened(path.as_uri(), how=how)
        page.click("[data-tree] a:has-text('deliver(a, hill)')")
        assert "it applies at the beginning: (at a depot)" in page.inner_text("#why")
        assert "(at a hill) is false" in page.inner_text("#why")
        page.click(".order a:has-text('unload(a')")
        assert "(in a red)" in page.inner_text("#why")
        assert "the plan solves the problem" in page.inner_text("main")
        assert ":htn" not in page.inner_text("main")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.troubles == []
        assert serious(page) == []


def test_a_problem_without_a_plan_is_explained_in_the_playground(opened, server):
    page = opened("/console/play")
    page.fill("[name=problem]", page.input_value("[name=problem]").replace("(kettle kitchen)", ""))
    page.click("button:has-text('Solve')")
    page.wait_for_selector("[data-answer] h3:has-text('Why there is none')", timeout=60_000)
    assert "nothing satisfies (kettle ?kitchen)" in page.inner_text("[data-answer]")
    assert page.troubles == []


def test_what_is_smuggled_into_a_report_neither_runs_nor_calls_home(opened, tmp_path):
    path = tmp_path / "hostile.py"
    path.write_text(
        "from planvow import Domain, State, make_problem\n"
        f"texts = {HOSTILE!r}\n"
        "d = Domain('d')\n"
        "@d.command\ndef say(state, text):\n    state.said[text] = text\n    return state\n"
        "@d.method(task='tell')\ndef plainly(state, text):\n    return [('say', text)]\n"
        "problem = make_problem(d, State(said={}), [('tell', text) for text in texts])\n",
        "utf-8",
    )
    made = tmp_path / "hostile.html"
    words = [sys.executable, "-m", "planvow", "plan", str(path), "--html", str(made)]
    subprocess.run(words, check=True, capture_output=True)
    page = opened(made.as_uri())
    assert page.evaluate("window.ran") is None
    assert page.locator(".row b").count() == len(HOSTILE)
    assert page.outside == [made.as_uri()]
    assert page.troubles == []
    assert "\u202e" not in made.read_text("utf-8")


def test_the_list_finds_what_is_older_than_its_first_page(opened, server):
    from ledgers import independent, post

    with SqliteStore(server.ledger) as store, store.transaction():
        for number in range(230):
            post(store, independent(1, request_id=f"bulk{number}"), run_id=f"bulk-{number}")
    page = opened("/console/")
    assert page.locator(".runs .name", has_text="tuesday").count() == 0
    page.fill("[name=find]", "kettle")
    page.keyboard.press("Enter")
    page.wait_for_url("**find=kettle*")
    assert page.locator(".runs .name").all_inner_texts() == ["tuesday"], "what was asked is looked through, too"
    page.goto(server.url + at("", state="failed"))
    assert HOSTILE[0] in page.locator(".runs .name").all_inner_texts()
    seen = []
    page.goto(server.url + "/console/")
    while True:
        seen += page.locator(".runs .name").all_inner_texts()
        older = page.locator("a", has_text="Older →")
        if not older.count():
            break
        page.goto(server.url + older.get_attribute("href"))
    assert len(seen) == len(set(seen)) > 230, "every run once, whatever page its plans are on"
    page.goto(server.url + at("", find="nothing like this", since="day"))
    assert "no run with “nothing like this” and of the last day" in page.inner_text("main")


def test_a_newcomer_kills_a_worker_watches_the_repair_reads_why_approves_checks_and_shares_the_link(opened, tmp_path):
    port, errors = free_port(), tmp_path / "errors.txt"
    words = [sys.executable, "-m", "planvow", "serve", "--demo", "--port", str(port), "--repo-root", str(tmp_path)]
    with serving(words, port, errors):
        page = opened("/console/design")
        page.goto(errors.read_text("utf-8").split("pages at ")[1].split()[0])
        page.wait_for_url("**/console/")
        page.click("text=lamp-for-ann", timeout=30_000)
        page.wait_for_selector(".plan >> nth=1", timeout=30_000)
        page.wait_for_selector("g.o-running", timeout=30_000)
        worker = int(errors.read_text("utf-8").split("kill -9 ")[1].split("`")[0])
        os.kill(worker, signal.SIGKILL)
        page.wait_for_selector("g.o-lost", timeout=60_000)
        assert "TOOL_FAILED the shop is closed" in page.inner_text(".plan >> nth=0")
        page.wait_for_selector("summary:has-text('Approve')", timeout=90_000)
        page.click("summary:has-text('Approve')")
        page.fill(".confirm[open] [name=by]", "ann")
        page.click(".confirm[open] button")
        page.wait_for_selector("h1 + p .s-done", timeout=90_000)
        page.click("text=certificate")
        page.wait_for_selector(".s-accepted")
        page.click("text=Tree")
        page.click("#t1 a >> nth=0")
        page.wait_for_selector("#why:has-text('the shop is closed')")
        link = page.url
        colleague = opened(link)
        assert "the shop is closed" in colleague.inner_text("#why")
        assert colleague.locator("text=Sign in to decide").count() == 1
        page.goto(link.partition("/console/")[0] + at("run", id="cup"))
        page.click("summary:has-text('Repair')")
        page.fill(".confirm[open] [name=reason]", "the neighbour is back")
        page.fill(".confirm[open] [name=by]", "ann")
        page.click(".confirm[open] button")
        page.wait_for_selector("summary:has-text('Approve')", timeout=90_000)
        assert "ann asked for a repair: the neighbour is back" in page.inner_text("main")
        assert page.troubles == colleague.troubles == []
