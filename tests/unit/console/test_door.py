"""Who may look and decide: the server's rule, a cookie with its token, forms with a seal; links that hold questions."""

from __future__ import annotations

import asyncio
import hashlib
import re
import time
import zlib
from base64 import urlsafe_b64encode
from urllib.parse import urlencode

import pytest
from fastapi import FastAPI, Request
from starlette.testclient import TestClient

from console_worlds import HOSTILE
from planvow.adapters.console.frame.door import Door
from planvow.adapters.console.pages.playing import packed, unpacked
from planvow.adapters.console.views.play import meters, question_of
from planvow.adapters.console.views.state import state_view
from planvow.adapters.http.callers import Guarding
from planvow.adapters.http.pages import mount_console
from planvow.adapters.http.reception import Reception
from planvow.errors import InputError
from planvow.service.declare.setting import Setting
from planvow.service.records.refusals import Refusals

TOKEN = "a-token-of-some-length"


class NoWorkers:
    """Stands where workers are asked: nothing here may ask one."""

    def __getattr__(self, name):
        raise AssertionError(name)


def client(tmp_path, *, everything=False):
    app = FastAPI()
    guarding = Guarding(hosts=frozenset({"testserver"}), token=TOKEN, everything=everything)
    setting = Setting(ledger=str(tmp_path / "cassette.db"))
    mount_console(app, setting, NoWorkers(), Reception(guarding), Refusals(setting, time.monotonic, lambda _: None))
    return TestClient(app, follow_redirects=False)


def seal_in(page):
    return page.text.split('name="seal" value="')[1].split('"')[0]


@pytest.mark.long
def test_where_everything_needs_the_token_pages_need_it_too(tmp_path):
    door = client(tmp_path, everything=True)
    for place in ("", "run?id=x", "plan?job=x", "play", "proof", "design", "export?form=svg&job=x"):
        answer = door.get(f"/console/{place}")
        assert (answer.status_code, "needs a token" in answer.text) == (403, True), place
    page = door.get("/console/sign-in")
    assert page.status_code == 200
    wrong = door.post("/console/sign-in", data={"seal": seal_in(page), "token": "another"})
    assert (wrong.status_code, wrong.cookies.get("planvow-token-80")) == (403, None)
    entered = door.post("/console/sign-in", data={"seal": seal_in(page), "token": TOKEN, "next": "//evil.example"})
    assert (entered.status_code, entered.headers["location"]) == (303, "/console/")
    assert door.get("/console/design").status_code == 200
    page = door.get("/console/design")
    assert door.post("/console/sign-out", data={"seal": seal_in(page)}).status_code == 303
    assert door.get("/console/design").status_code == 403


@pytest.mark.long
@pytest.mark.parametrize("place", ["act", "sign-in", "sign-out", "proof", "play", "marks"])
def test_no_form_is_taken_without_the_seal_of_this_browser(tmp_path, place):
    door = client(tmp_path)
    other = client(tmp_path)
    assert door.post(f"/console/{place}", data={}).status_code == 409
    door.get("/console/sign-in")
    foreign = seal_in(other.get("/console/sign-in"))
    answer = door.post(f"/console/{place}", data={"seal": foreign})
    assert (answer.status_code, "FOREIGN_FORM" in answer.text) == (409, True)


def test_every_page_has_the_policy_and_no_style_or_script_inside(tmp_path):
    door = client(tmp_path)
    for place in (
        "",
        "design",
        "proof",
        "diff",
        "play?kind=wish",
        "sign-in",
        "run?id=%22%3E%3Cscript%3E",
        "static/x.js",
    ):
        answer = door.get(f"/console/{place}")
        assert "default-src 'none'" in answer.headers["content-security-policy"], place
        assert "<script>" not in answer.text
        assert " style=" not in answer.text
        assert not re.search(r"\son\w+=", answer.text), place
    assert door.get("/console/static/..%2Frendering.py").status_code == 404
    nowhere = door.get("/console/playground")
    assert (nowhere.status_code, nowhere.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "there is no such page" in nowhere.text
    assert door.get("/").headers["location"] == "/console/"


def test_a_page_that_did_not_change_is_not_sent_again(tmp_path):
    door = client(tmp_path)
    door.get("/console/design")
    mark = door.get("/console/design").headers["etag"]
    assert door.get("/console/design", headers={"If-None-Match": mark}).status_code == 304


@pytest.mark.long
def test_a_link_holds_its_question_and_no_more_than_it_may():
    fields = {"domain": "(define (domain é))", "problem": "\n" * 50}
    assert unpacked(packed("hddl", fields)) == ("hddl", fields)
    assert packed("hddl", fields) == packed("hddl", dict(reversed(fields.items())))
    bomb = urlsafe_b64encode(zlib.compress(b'{"kind": "hddl", "domain": "' + b"x" * 50_000_000 + b'"}')).decode()
    for odd in ("", "x", "é", bomb, packed("hddl", {})[:8], packed("nothing", {})):
        with pytest.raises(InputError):
            unpacked(odd)
    with pytest.raises(InputError, match="too long"):
        packed("hddl", {"domain": "".join(hashlib.sha256(str(n).encode()).hexdigest() for n in range(2000))})


def test_panels_ask_their_operations_and_budgets_are_metered():
    assert question_of("domain", {"domain": "d", "facts": '{"a": {"b": 1}}'})[1]["facts"] == {"a": {"b": 1}}
    with pytest.raises(InputError, match="not JSON"):
        question_of("request", {"request": "{"})
    used = meters({"budgets": {"max_steps": 10}}, {"usage": {"steps": 7, "bytes": 3}})
    assert [(meter.name, meter.limit, meter.share) for meter in used] == [("steps", 10, 70.0), ("bytes", None, 0.0)]


def test_the_state_is_followed_step_by_step():
    document = {
        "initial": [["at", "ann", "home"], ["#table", "at", True]],
        "steps": [{"command": ["go", "ann"], "writes": [["at", "ann", "park"]]}, {"command": ["x"], "writes": []}],
    }
    told = [[(f.name, f.value, f.changed) for f in state_view(document, step).facts] for step in ("", "1", "2", "99")]
    assert told[0] == [("at[ann]", "home", False)]
    assert told[1] == [("at[ann]", "park", True)]
    assert told[2] == told[3] == [("at[ann]", "park", False)]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_an_address_says_comes_back_as_text(tmp_path, text):
    door = client(tmp_path)
    page = door.get("/console/diff", params={"first": text}).text
    assert text not in page or not set(text) & set("<>\"'\u202e")
    assert "\u202e" not in page
    assert "49" not in page


@pytest.mark.long
@pytest.mark.parametrize("text", ["[" * 5000, '{"a":' * 500 + "1" + "}" * 500, "[1]", "\ud83d", '{"a": "\\ud83d"}'])
def test_what_is_no_proof_is_said_to_be_none(tmp_path, text):
    door = client(tmp_path)
    seal = seal_in(door.get("/console/sign-in"))
    form = urlencode({"seal": seal, "document": text}, errors="surrogatepass").encode()
    answer = door.post("/console/proof", content=form)
    assert (answer.status_code, "Not checked" in answer.text) == (400, True)


def test_a_browser_that_carries_the_token_is_still_heard_when_it_goes():
    async def gone():
        return {"type": "http.disconnect"}

    scope = {"type": "http", "headers": [(b"cookie", b"planvow-token-80=x")], "server": ("h", 80), "scheme": "http"}
    request = Request({**scope, "path": "/console/", "query_string": b""}, gone)
    borne = Door(lambda *_: None).bearing(request)
    assert borne.headers["authorization"] == "Bearer x"
    assert asyncio.run(borne.is_disconnected())
