"""The operations of the service: each answers with its published document, and says what is wrong with a question."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from planvow.adapters.machine.modules import load_problem
from planvow.canonical import canonical_bytes, full_hash
from planvow.contract.errors import InvalidPlanError
from planvow.contract.plan.plan import build_plan
from planvow.contract.planners.htn import plan_steps
from planvow.errors import InputError
from planvow.kernel.answer.planning import solve
from planvow.service.catalogue import OPERATIONS
from planvow.service.declare.document import data_of, refusal_of
from planvow.service.declare.errors import RightMissingError, UnknownDocumentError, UnknownDomainError
from planvow.service.declare.operation import Right
from planvow.service.declare.reading import read_question, schema_of
from planvow.service.declare.setting import Setting
from planvow.tools.review import read_review

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "examples"
DOMAIN = (EXAMPLES / "hddl/tea-domain.hddl").read_text("utf-8")
PROBLEM = (EXAMPLES / "hddl/tea-problem.hddl").read_text("utf-8")

CORTEX = (
    "sections build",
    "symbols add @CODE/add --file calc.py --heading add --default-slice head(20)",
    "symbols add @DOC/rules --file guide.md --heading Calculator --heading Rules --default-slice head(10)",
    "symbols add @TEST/unit --file check_calc.py --default-slice head(20)",
)


@pytest.fixture
def setting(tmp_path):
    travel = EXAMPLES / "travel.py"
    known = {"travel": load_problem(travel), "travel:poor": load_problem(travel, "poor")}
    return Setting(domains=known, ledger=str(tmp_path / "ledger.db"), root=EXAMPLES / "governed")


def ask(setting, name, **data):
    """Ask as a way in does, and hold the answer to its published schema."""
    operation = OPERATIONS[name]
    answer = data_of(operation(read_question(operation, data), setting).output)
    json.dumps(answer)
    jsonschema.validate(answer, schema_of(operation.output))
    return answer


def test_make_plan_gives_the_bytes_of_the_library(setting):
    answer = ask(setting, "make_plan", domain="travel")
    result = solve(setting.domains["travel"])
    plan = build_plan({"steps": plan_steps(result)}).as_dict()
    assert answer["plan_hash"] == full_hash(plan, tag="plan/1")
    kept = ask(setting, "read_document", address=f"plan://{answer['plan_hash']}")["content"]
    assert canonical_bytes(kept["plan"]) == canonical_bytes(plan)
    certificate = ask(setting, "read_document", address=f"certificate://{answer['plan_hash']}")["content"]
    assert canonical_bytes(certificate) == result.certificate().canonical_bytes()


def test_facts_and_goal_change_the_question(setting):
    refused = ask(setting, "make_plan", domain="travel", facts={"cash": {"alice": 1}})
    assert refused["status"] == "no_plan"
    assert "alice has 1 and owes 5.5" in refused["refusal"]["change"]
    assert refused["refusal"]["code"] == "PLANNER_GENERATION_FAILED"
    only_bob = ask(setting, "make_plan", domain="travel", goal='[["travel", "bob", "park"]]')
    assert [step["skill"] for step in only_bob["steps"]] == ["walk"]


def test_a_plan_is_explained_verified_and_compared_by_its_hash(setting):
    first = ask(setting, "make_plan", domain="travel")["plan_hash"]
    second = ask(setting, "make_plan", domain="travel", goal='[["travel", "bob", "park"]]')["plan_hash"]
    assert "8 km is too far to walk" in ask(setting, "explain", plan_hash=first)["text"]
    verdict = ask(setting, "verify", plan_hash=second, domain="travel")
    assert (verdict["accepted"], verdict["level"]) == (True, "re-executed")
    found = ask(setting, "diff", first=first, second=second)
    assert [row["change"] for row in found["steps"]] == ["only first"] * 3 + ["same"]
    assert found["reason"].startswith("step 1 of the first, call_taxi")
    assert ask(setting, "diff", first=first, second=first)["same"]


def test_a_forged_certificate_is_not_accepted(setting):
    first = ask(setting, "make_plan", domain="travel")["plan_hash"]
    forged = ask(setting, "read_document", address=f"certificate://{first}")["content"]
    forged["steps"][0]["command"] = ["walk", "alice", "home_a", "park"]
    verdict = ask(setting, "verify", certificate=forged)
    assert not verdict["accepted"]
    assert verdict["fault"]


def test_replan_keeps_what_was_done(setting):
    answer = ask(
        setting, "replan", domain="travel", failed_step=4, observed={"km": {}, "at": {"bob": "home_b"}}, try_again=True
    )
    assert [step["skill"] for step in answer["steps"]] == ["walk"]
    with pytest.raises(InputError, match="has no step 9"):
        ask(setting, "replan", domain="travel", failed_step=9)


def test_hddl_is_solved_verified_checked_and_explained(setting):
    solved = ask(setting, "solve_hddl", domain=DOMAIN, problem=PROBLEM)
    assert solved["verified"]
    texts = {"hddl_domain": DOMAIN, "hddl_problem": PROBLEM}
    assert ask(setting, "verify", **texts, hddl_plan=solved["plan"])["accepted"]
    wrong = solved["plan"].replace("give Robby", "take Robby", 1)
    assert not ask(setting, "verify", **texts, hddl_plan=wrong)["accepted"]
    assert ask(setting, "verify", plan_hash=solved["plan_hash"], **texts)["level"] == "re-executed"
    assert ask(setting, "check_domain", **texts)["ok"]
    broken = ask(setting, "check_domain", hddl_domain=DOMAIN[:-20])
    assert (broken["ok"], broken["findings"][0]["severity"]) == (False, "error")
    assert ask(setting, "explain", **texts)["status"] == "solved"
    small = ask(setting, "solve_hddl", domain=DOMAIN, problem=PROBLEM, max_iterations=1)
    assert small["refusal"]["code"] == "PLANNER_BUDGET_EXCEEDED"


def test_wishes_and_conditions_become_tool_calls(setting):
    wish = ask(setting, "plan_goal", wish="open youtube and search nvidia")
    assert (wish["status"], len(wish["steps"])) == ("success", 1)
    doubt = ask(setting, "plan_goal", wish="zorble the frob")
    assert doubt["refusal"]["code"] == "PLANNER_INVALID_GOAL"
    tools = json.loads((EXAMPLES / "tools/shop.json").read_text("utf-8"))
    with pytest.raises(InputError, match="none were given"):
        ask(setting, "plan_goal", conditions=["order.status=paid"])
    review = read_review((EXAMPLES / "tools/shop.toml").read_text("utf-8"), place="shop.toml")
    found = ask(setting, "plan_goal", conditions=["session.open"], tools=tools, review=review)
    assert [step["skill"] for step in found["steps"]] == ["sign_in"]


@pytest.mark.long
def test_a_request_is_compiled_and_nothing_is_written(setting, tmp_path):
    place = tmp_path / "governed"
    shutil.copytree(EXAMPLES / "governed", place)
    for words in CORTEX:
        command = [sys.executable, "-m", "planvow", "cortex", *words.split(), "--repo-root", str(place)]
        subprocess.run(command, check=True, capture_output=True)
    request = json.loads((place / "request.json").read_text("utf-8"))
    before = sorted(place.rglob("*"))
    answer = ask(replace(setting, root=place), "compile_request", request=request)
    assert answer["plan_hash"] == answer["plan_output"]["plan_hash"]
    assert sorted(place.rglob("*")) == before


def test_a_transcript_is_taken_apart(setting):
    text = (EXAMPLES / "debate.txt").read_text("utf-8")
    found = ask(setting, "decompose_transcript", transcript=text, top=2, language="lite")
    assert len(found["claims"]) == 2
    for claim in found["claims"]:
        assert text[slice(*claim["span"])] == claim["text"]
    with pytest.raises(InputError, match="unknown type"):
        ask(setting, "decompose_transcript", transcript=text, types=["emprical"])


def test_a_posted_plan_waits_and_an_answer_from_anybody_is_only_noted(setting):
    name = ask(setting, "make_plan", domain="travel")["plan_hash"]
    posted = ask(setting, "post_plan", run_id="trip", plan_hash=name, why="to the park")
    assert posted["plan_hash"] == name
    assert posted["waiting"][0]["reason"] == "posted by a planning agent"
    again = ask(setting, "post_plan", run_id="trip", plan_hash=name, why="to the park")
    assert (again["job_id"], again["created"]) == (posted["job_id"], False)
    answer = ask(setting, "ask_approval", job_id=posted["job_id"], answer="yes")
    assert (answer["recorded"], answer["satisfied"]) == ("noted", False)
    assert answer["by"].startswith("unauthenticated")
    run = ask(setting, "runs", run_id="trip")
    assert (run["jobs"][0]["state"], len(run["waiting"])) == ("held", 1)


@pytest.mark.parametrize(
    ("accepted", "recorded"),
    [
        ({"*"}, "approved"),
        ({"call_taxi", "ride_taxi", "pay_driver", "walk"}, "approved"),
        ({"call_taxi", "ride_taxi", "walk"}, "noted"),
    ],
)
def test_an_unauthenticated_answer_counts_only_where_the_policy_says_so(setting, accepted, recorded):
    name = ask(setting, "make_plan", domain="travel")["plan_hash"]
    job = ask(setting, "post_plan", run_id="trip", plan_hash=name)["job_id"]
    lenient = replace(setting, accepts_unauthenticated=frozenset(accepted))
    answer = ask(lenient, "ask_approval", job_id=job, answer="yes")
    assert (answer["recorded"], answer["satisfied"]) == (recorded, recorded == "approved")


def test_the_ledger_is_told_in_figures(setting):
    name = ask(setting, "make_plan", domain="travel")["plan_hash"]
    ask(setting, "post_plan", run_id="one", plan_hash=name, approval="")
    ask(setting, "post_plan", run_id="two", plan_hash=name)
    found = ask(setting, "ledger_figures")
    assert (found["ready"], found["held"], found["leased"], found["retries"]) == (1, 4, 0, 0)
    assert ask(setting, "run_events", run_id="one") == {"events": [], "finished": False}


def test_runs_come_page_by_page_newest_first(setting):
    name = ask(setting, "make_plan", domain="travel")["plan_hash"]
    for number in range(5):
        ask(setting, "post_plan", run_id=f"run{number}", plan_hash=name, approval="")
    first = ask(setting, "runs", limit=2)
    second = ask(setting, "runs", limit=2, after=first["next"])
    third = ask(setting, "runs", limit=2, after=second["next"])
    seen = [job["run_id"] for page in (first, second, third) for job in page["jobs"]]
    assert seen == ["run4", "run3", "run2", "run1", "run0"]
    assert "next" not in third


@pytest.mark.parametrize(
    ("name", "data", "place", "words"),
    [
        ("make_plan", {"domian": "travel"}, "domian", "did you mean 'domain'"),
        ("make_plan", {"domain": 3}, "domain", "Name from list_planners"),
        ("solve_hddl", {"domain": "x", "problem": "y", "search": "fast"}, "search", "search"),
        ("solve_hddl", {"domain": "x"}, "problem", "Text of the HDDL problem"),
        ("diff", [], "arguments", ""),
    ],
)
def test_a_wrong_question_is_told_by_field_and_what_it_takes(name, data, place, words):
    with pytest.raises(InputError) as raised:
        read_question(OPERATIONS[name], data)
    assert raised.value.place == place
    assert words in (raised.value.hint or "")


@pytest.mark.parametrize("seconds", ["inf", "1e400", "nan", float("inf")])
@pytest.mark.parametrize(
    ("name", "given"), [("make_plan", {"domain": "travel"}), ("decompose_transcript", {"transcript": "A: x."})]
)
def test_a_time_without_end_is_no_time(name, given, seconds):
    with pytest.raises(InputError) as raised:
        read_question(OPERATIONS[name], {"max_seconds": seconds, **given})
    assert raised.value.place == "max_seconds"


def test_a_transcript_may_be_given_more_time_than_there_is(setting):
    assert ask(setting, "decompose_transcript", transcript="ANN: Taxes rose.", max_seconds=1e308)


def test_what_is_not_known_names_what_is(setting):
    with pytest.raises(UnknownDomainError) as raised:
        ask(setting, "make_plan", domain="travle")
    assert refusal_of(raised.value).change == "did you mean 'travel'?"
    with pytest.raises(UnknownDocumentError):
        ask(setting, "read_document", address="plan://0000")
    with pytest.raises(UnknownDocumentError):
        ask(setting, "read_document", address="file:///etc/passwd")


def test_only_posting_and_approving_write():
    for operation in OPERATIONS.values():
        assert operation.read_only == (operation.right in (Right.READ, Right.PLAN))


@pytest.mark.parametrize(
    "plan", [{}, {"plan": []}, {"steps": [{}]}, {"steps": [{"step_id": 1}]}, {"plan": {"steps": 1}}]
)
def test_what_is_no_plan_is_not_posted_and_its_problems_are_told(setting, plan):
    with pytest.raises(InvalidPlanError):
        ask(setting, "post_plan", run_id="r", plan=plan)
    assert not Path(setting.ledger).exists()


def test_nobody_unknown_posts_a_plan_past_a_persons_approval(setting):
    name = ask(setting, "make_plan", domain="travel")["plan_hash"]
    unknown = replace(setting, knows_callers=False)
    with pytest.raises(RightMissingError, match="waits for a person"):
        ask(unknown, "post_plan", run_id="trip", plan_hash=name, approval=" ")
    some = replace(unknown, accepts_unauthenticated=frozenset({"call_taxi"}))
    with pytest.raises(RightMissingError):
        ask(some, "post_plan", run_id="trip", plan_hash=name, approval="")
    lenient = replace(unknown, accepts_unauthenticated=frozenset({"*"}))
    assert ask(lenient, "post_plan", run_id="trip", plan_hash=name, approval="")["waiting"] == []


def test_a_person_decides_with_a_name_and_a_reason_and_a_job_is_cancelled_or_put_back(tmp_path):
    from console_worlds import START, agent, asks
    from planvow import State

    ledger = tmp_path / "cassette.db"
    agent(ledger, mail=asks("may I?")).run([("bring", "rope", "bob")], State(**START), run_id="r")
    setting = Setting(ledger=str(ledger))
    (waiting,) = ask(setting, "runs", run_id="r")["waiting"]
    job = waiting["job_id"]
    with pytest.raises(InputError, match="denial needs a reason"):
        ask(setting, "decide", job_id=job, decision="deny", by="ann")
    seen = {"step_id": waiting["step_id"], "plan_hash": waiting["plan_hash"]}
    told = ask(setting, "decide", job_id=job, decision="approve", by="ann", **seen)
    assert (told["recorded"], told["by"], told["waiting"]) == ("approved", "ann", [])
    put = ask(setting, "operate", action="requeue", by="ann", reason="worker gone")
    assert (put["steps"], put["left"]) == (0, [])
    with pytest.raises(InputError, match="needs a reason"):
        ask(setting, "operate", action="cancel", by="ann", reason=" ", job_id=job)
    assert ask(setting, "operate", action="cancel", by="ann", reason="enough", job_id=job)["steps"] == 1
    assert ask(setting, "runs", run_id="r")["jobs"][0]["state"] == "cancelled"


def test_a_misspelt_fact_is_an_error_and_no_plan_without_it(setting):
    with pytest.raises(InputError, match="neither the domain 'travel' nor its state has 'chas'") as caught:
        ask(setting, "make_plan", domain="travel", facts={"chas": {"alice": 1}})
    assert (caught.value.place, caught.value.hint) == ("facts.chas", "did you mean 'cash'?")
    with pytest.raises(InputError, match="'chas'"):
        ask(setting, "replan", domain="travel", failed_step=1, observed={"chas": {"alice": 1}})
    assert ask(setting, "make_plan", domain="travel", facts={"weather": {"park": "sunny"}})["status"] == "solved"
