"""The console's door against those who mean harm: what they may not do is refused before it costs anything."""

from __future__ import annotations

import time
import zlib
from base64 import urlsafe_b64encode
from dataclasses import replace

import pytest

pytest.importorskip("fastapi")
from fastapi import FastAPI
from starlette.testclient import TestClient

from console_worlds import fill
from planvow.adapters.console.frame import rendering
from planvow.adapters.console.pages.playing import unpacked
from planvow.adapters.console.views.play import question_of
from planvow.adapters.http import tokens
from planvow.adapters.http.callers import Guarding, Proxy
from planvow.adapters.http.pages import mount_console
from planvow.adapters.http.reception import Allowance, Reception
from planvow.adapters.http.tokens import Tokens
from planvow.cassette import SqliteStore
from planvow.cassette.dossier.approvals import open_questions
from planvow.errors import InputError
from planvow.service.declare.operation import Right
from planvow.service.declare.setting import Setting
from planvow.service.records.audit import calls_of
from planvow.service.records.refusals import Refusals

pytestmark = pytest.mark.long  # each starts a server and asks it often

START = "a-token-of-some-length"
FORMS = ("act", "proof", "play", "marks")


class NoWorkers:
    """Stands where workers are asked: nothing here may ask one."""

    def __getattr__(self, name):
        raise AssertionError(name)


@pytest.fixture(scope="module")
def ledger(tmp_path_factory):
    path = tmp_path_factory.mktemp("attacked") / "cassette.db"
    fill(path)
    return path


def client(folder, *, ledger=None, allowance=None, **guarding):
    app = FastAPI()
    known = Guarding(hosts=frozenset({"testserver"}), token=START, tokens=Tokens(folder / "tokens.json"))
    # A clock that stands still: nothing comes back while a busy machine takes its time over the calls.
    reception = Reception(replace(known, **guarding), allowance, clock=lambda: 0.0)
    setting = Setting(ledger=str(ledger or folder / "none.db"))
    mount_console(app, setting, NoWorkers(), reception, Refusals(setting, time.monotonic, lambda _: None))
    return TestClient(app, follow_redirects=False)


def seal_in(page):
    return page.text.split('name="seal" value="')[1].split('"')[0]


def signed_in(door, token):
    seal = seal_in(door.get("/console/sign-in"))
    assert door.post("/console/sign-in", data={"seal": seal, "token": token}).status_code == 303
    return seal


def made(folder, name, *rights, expires_at=None, now_ms=1):
    return tokens.create(folder / "tokens.json", name, rights, now_ms=now_ms, expires_at=expires_at)[0]


@pytest.mark.parametrize("place", FORMS)
def test_a_seal_is_no_token_where_everything_needs_one(tmp_path, place):
    door = client(tmp_path, everything=True)
    seal = seal_in(door.get("/console/sign-in"))
    fields = {
        "seal": seal,
        "kind": "wish",
        "wish": "x",
        "domain": "(define)",
        "document": '{"format": "planvow-bundle/1"}',
    }
    answer = door.post(f"/console/{place}", data=fields)
    assert (answer.status_code, "needs a token" in answer.text) == (403, True)


def test_a_token_does_on_pages_what_it_was_made_for_and_nothing_when_it_ended(tmp_path, ledger):
    door = client(tmp_path, ledger=ledger, everything=True)
    token = made(tmp_path, "reader", Right.READ)
    seal = signed_in(door, token)
    assert door.get("/console/run?id=monday").status_code == 200
    link = door.post("/console/play", data={"seal": seal, "kind": "wish", "wish": "open youtube"}).headers["location"]
    assert door.get(link).status_code == 403, "it may not plan"
    with SqliteStore(str(ledger)) as store:
        (question,) = open_questions(store, run_id="monday")
    for word in ("approve", "deny", "cancel", "requeue"):
        said = {
            "seal": seal,
            "decision": word,
            "job_id": question.job_id,
            "by": "ann",
            "reason": "x",
            "run_id": "monday",
        }
        assert door.post("/console/act", data=said).status_code == 403, word
    tokens.revoke(tmp_path / "tokens.json", "reader", now_ms=2)
    assert "revoked" in door.get("/console/run?id=monday").text
    over = client(tmp_path, ledger=ledger, everything=True)
    late = made(tmp_path, "late", Right.READ, expires_at=2)
    seal = seal_in(over.get("/console/sign-in"))
    assert over.post("/console/sign-in", data={"seal": seal, "token": late}).status_code == 403


def test_a_decision_on_a_page_is_kept_with_the_caller_whatever_name_it_gives(tmp_path, ledger):
    door = client(tmp_path, ledger=ledger)
    seal = signed_in(door, made(tmp_path, "night shift", Right.READ, Right.APPROVE))
    with SqliteStore(str(ledger)) as store:
        (question,) = open_questions(store, run_id="monday")
    said = {
        "seal": seal,
        "decision": "approve",
        "job_id": question.job_id,
        "step_id": question.step_id or "",
        "by": "the boss",
    }
    assert door.post("/console/act", data={**said, "run_id": "monday"}).status_code == 303
    with SqliteStore(str(ledger)) as store:
        found = [line for line in calls_of(store, question.job_id) if not line.refused]
    assert [(line.operation, line.by, line.origin) for line in found] == [
        ("decide approve", "token night shift", "console testclient")
    ]
    page = door.get("/console/run?id=monday").text
    assert "token night shift" in page
    assert "planvow agent resume AGENT.py monday" in page


def test_decisions_that_are_made_up_leave_one_note_and_not_one_each(tmp_path):
    fill(tmp_path / "cassette.db")
    door = client(tmp_path, ledger=tmp_path / "cassette.db")
    for number in range(5):
        assert door.post("/console/act", data={"decision": f"made up {number}"}).status_code == 409
    with SqliteStore(str(tmp_path / "cassette.db")) as store:
        (day,) = [job for job in store.jobs() if job.run_id.startswith("refused-calls-")]
        assert [(line.operation, line.times) for line in calls_of(store, day.job_id)] == [("console", 1)]


def test_a_cancelled_job_keeps_who_called(tmp_path, ledger):
    door = client(
        tmp_path,
        ledger=ledger,
        everything=True,
        proxy=Proxy(header="X-User", addresses=frozenset({"testclient"}), rights=frozenset(Right)),
    )
    door.headers["X-User"] = "cleo"
    with SqliteStore(str(ledger)) as store:
        job = open_questions(store)[-1].job_id
    seal = seal_in(door.get("/console/sign-in"))
    said = {"seal": seal, "decision": "cancel", "job_id": job, "by": "ann", "reason": "not any more", "run_id": "x"}
    assert door.post("/console/act", data=said).status_code == 303
    with SqliteStore(str(ledger)) as store:
        assert [(line.operation, line.by) for line in calls_of(store, job)] == [("operate cancel", "user cleo")]


def test_a_view_counts_once_and_who_looks_too_often_is_told_when_to_come_back(tmp_path):
    door = client(tmp_path, allowance=Allowance(per_minute=60))
    found = [door.get("/console/design") for _ in range(11)]
    assert [answer.status_code for answer in found] == [200] * 10 + [429]
    assert (found[-1].headers["retry-after"], "TOO_MANY_CALLS" in found[-1].text) == ("1", True)


def test_guesses_at_the_token_are_counted(tmp_path):
    door = client(tmp_path, everything=True, allowance=Allowance(per_minute=60))
    seal = seal_in(door.get("/console/sign-in"))
    found = [door.post("/console/sign-in", data={"seal": seal, "token": f"guess {n}"}).status_code for n in range(12)]
    assert found == [403] * 9 + [429] * 3


@pytest.mark.parametrize("body", [b"a&" * 501, b"document=" + b"x" * 2000], ids=["fields", "bytes"])
def test_a_form_has_few_fields_and_no_more_bytes_than_a_call(tmp_path, body):
    door = client(tmp_path, allowance=Allowance(body_bytes=1500))
    answer = door.post("/console/proof", content=body)
    assert (answer.status_code, "INVALID_INPUT" in answer.text) == (400, True)


def test_names_that_nobody_has_leave_nothing_behind(tmp_path):
    door = client(tmp_path)
    assert door.get("/console/static/console.css").status_code == 200
    before = len(rendering._statics())
    for number in range(20):
        assert door.get(f"/console/static/n{'x' * number}.js").status_code == 404
    assert len(rendering._statics()) == before
    assert not hasattr(rendering.static, "cache_info"), "what is asked for would be kept for ever"


@pytest.mark.parametrize("text", ["[" * 300 + "]" * 300, "NaN", "1e999", '"\\ud800"', "[" * 100_000])
def test_json_in_a_form_that_no_worker_could_hold_is_refused(text):
    with pytest.raises(InputError):
        question_of("request", {"request": text})
    with pytest.raises(InputError):
        question_of("domain", {"domain": "d", "facts": text})


def test_a_link_with_half_a_character_holds_no_question():
    link = urlsafe_b64encode(zlib.compress(b'{"kind": "wish", "wish": "\\ud800"}')).decode()
    with pytest.raises(InputError, match="no question"):
        unpacked(link)


def test_who_came_by_https_has_cookies_for_https_alone(tmp_path):
    door = client(tmp_path)
    seal = seal_in(door.get("/console/sign-in"))
    origin = {"Origin": "https://testserver"}
    secure = door.post("/console/sign-in", data={"seal": seal, "token": START}, headers=origin).headers["set-cookie"]
    plain = door.post("/console/sign-in", data={"seal": seal, "token": START}).headers["set-cookie"]
    assert ("Secure" in secure, "Secure" in plain) == (True, False)
    assert all("HttpOnly" in cookie and "SameSite=strict" in cookie for cookie in (secure, plain))
