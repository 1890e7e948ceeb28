"""Who may do what over HTTP: tokens with rights and an end, users that a proxy names, planners that cost money."""

from __future__ import annotations

import json
import stat
import sys
from urllib.parse import urlencode

import pytest

from command_line import planvow
from http_servers import http_server
from planvow.contract.checking.check import certificate_hash, inputs_hash

pytestmark = pytest.mark.slow
PROXY = ("--proxy-header", "X-User", "--proxy-address", "127.0.0.1", "--known-as", "plans.example")
PLAN = {"domain": "travel"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("callers")


@pytest.fixture(scope="module")
def running(folder):
    """Behind a proxy strangers may do nothing, as beyond this machine."""
    with http_server(folder, *PROXY, "--allow-planner", "chat", "--workers", "1") as found:
        yield found


def made(folder, name, *more):
    return json.loads(planvow(folder, "token", "create", name, "--json", *more).stdout)["token"]


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


def test_a_token_allows_what_it_was_made_for_until_it_is_revoked(running, folder):
    token = made(folder, "ann")
    assert running.call("make_plan", PLAN)[0] == 403
    status, plan, _ = running.call("make_plan", PLAN, headers=bearer(token))
    assert status == 200
    question = {"run_id": "trip", "plan_hash": plan["plan_hash"]}
    status, told, _ = running.call("post_plan", question, headers=bearer(token))
    assert (status, told["code"]) == (403, "RIGHT_MISSING")
    operating = made(folder, "bob", "--right", "operate", "--right", "read")
    assert running.call("post_plan", question, headers=bearer(operating))[0] == 200
    assert running.call("make_plan", PLAN, headers=bearer(operating))[0] == 403, "a right is none of the others"
    planvow(folder, "token", "revoke", "ann")
    status, told, _ = running.call("make_plan", PLAN, headers=bearer(token))
    assert (status, "revoked" in told["detail"]) == (403, True)


def test_a_token_ends_when_it_was_to_end(running, folder):
    token = made(folder, "brief", "--expires", "+1d")
    path = next(folder.rglob("tokens.json"))
    assert running.call("runs", {}, headers=bearer(token))[0] in (200, 404)
    stored = json.loads(path.read_text())
    next(row for row in stored["tokens"] if row["name"] == "brief")["expires_at"] = 1
    path.write_text(json.dumps(stored))
    status, told, _ = running.call("runs", {}, headers=bearer(token))
    assert (status, "expired" in told["detail"]) == (403, True)


def test_a_token_is_kept_as_a_hash_that_only_its_owner_reads(folder):
    token = made(folder, "kept")
    path = next(folder.rglob("tokens.json"))
    assert token not in path.read_text()
    assert token.rsplit("_", 1)[1] not in path.read_text()
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    listed = planvow(folder, "token", "list", "--json").stdout
    assert "kept" in listed
    assert "sha256" not in listed


@pytest.mark.parametrize("given", ["Bearer nothing", "Bearer pv_00000000_x", "Basic x", "Bearer ", "Bearer pv_é"])
def test_a_token_that_nobody_made_is_worth_nothing(running, given):
    status, told, _ = running.call("list_planners", {}, headers={"Authorization": given.encode("latin-1")})
    assert (status, told["code"]) == (403, "RIGHT_MISSING")


def test_a_user_whom_the_proxy_names_may_read_and_plan_and_no_more(running):
    user = {"X-User": "cleo", "Host": "plans.example"}
    status, plan, _ = running.call("make_plan", PLAN, headers=user)
    assert status == 200
    assert running.call("post_plan", {"run_id": "r", "plan_hash": plan["plan_hash"]}, headers=user)[0] == 403
    assert running.call("make_plan", PLAN, headers={"X-User": ""})[0] == 403


def test_a_header_from_elsewhere_than_the_proxy_names_nobody(tmp_path):
    elsewhere = ("--proxy-header", "X-User", "--proxy-address", "10.1.2.3")
    with http_server(tmp_path, *elsewhere, "--workers", "1") as own:
        headers = {"X-User": "cleo", "X-Forwarded-For": "10.1.2.3"}
        assert own.call("make_plan", PLAN, headers=headers)[0] == 403


@pytest.mark.parametrize("planner", ["claude", "openai", "memo:claude"])
def test_a_planner_that_costs_money_needs_the_right_to_operate(running, folder, planner):
    user = {"X-User": "cleo"}
    status, told, _ = running.call("make_plan", {"planner": planner, "goal": "x"}, headers=user)
    assert (status, told["code"], told["place"]) == (403, "RIGHT_MISSING", "planner")
    operator = bearer(running.token)
    status, told, _ = running.call("make_plan", {"planner": planner, "goal": "x"}, headers=operator)
    assert told.get("code") != "RIGHT_MISSING", "it fails for want of a key, not of a right"


def test_a_certificate_leads_to_no_planner_that_costs_money(running):
    user = {"X-User": "cleo"}
    name = running.call("make_plan", {"planner": "stub", "goal": "Say hello"}, headers=user)[1]["plan_hash"]
    forged = running.call("read_document", {"address": f"certificate://{name}"}, headers=user)[1]["content"]
    assert running.call("verify", {"certificate": forged, "replan": True}, headers=user)[1]["accepted"]
    forged["planner"]["id"] = "claude"
    forged["inputs_hash"] = inputs_hash(forged)
    forged["hash"] = certificate_hash(forged)
    status, told, _ = running.call("verify", {"certificate": forged, "replan": True}, headers=user)
    assert (status, told["code"]) == (403, "RIGHT_MISSING")


def test_a_planner_that_was_allowed_may_be_named_by_whoever_plans(running):
    told = running.call("make_plan", {"planner": "chat", "goal": "x"}, headers={"X-User": "cleo"})[1]
    assert told["code"] != "RIGHT_MISSING"


@pytest.mark.parametrize(
    ("words", "place"),
    [
        (("serve", "--proxy-header", "X-User"), "--proxy-address"),
        (("serve", "--proxy-address", "127.0.0.1"), "--proxy-header"),
        (("serve", "--proxy-header", "X-User", "--proxy-address", "here"), "--proxy-address"),
        (("serve", "--proxy-header", "Authorization", "--proxy-address", "127.0.0.1"), "--proxy-header"),
        (("token", "create", "x", "--expires", "2001-01-01"), "--expires"),
        (("token", "create", " "), "NAME"),
        (("token", "revoke", "nobody"), "TOKEN"),
    ],
)
def test_what_would_let_in_the_wrong_ones_is_refused_at_the_start(tmp_path, words, place):
    done = planvow(tmp_path, *words)
    assert (done.returncode, place in done.stderr) == (2, True), done.stderr


@pytest.mark.parametrize("name", ["decide", "operate"])
def test_who_may_read_and_plan_decides_nothing(running, folder, name):
    """Rights are asked before the question is read, so nothing is learned about jobs either."""
    token = made(folder, f"planner of {name}", "--right", "read", "--right", "plan")
    for headers in (bearer(token), {"X-User": "cleo"}, {}):
        assert running.call(name, {"job_id": "job_1"}, headers=headers)[1]["code"] == "RIGHT_MISSING"


def test_a_page_checks_a_bundle_in_a_worker(running):
    headers = bearer(running.token)
    _, page, told = running.ask("GET", "/console/proof", headers=headers)
    headers["Cookie"] = told["Set-Cookie"].partition(";")[0]
    seal = page.split('name="seal" value="')[1].split('"')[0]
    form = urlencode({"seal": seal, "document": '{"format": "planvow-bundle/1"}'}).encode()
    status, page, _ = running.ask("POST", "/console/proof", form, headers)
    assert (status, "Not checked" in page) == (400, True)
    assert running.ask("POST", "/console/proof", form, {"Cookie": headers["Cookie"]})[0] == 403
