"""Steps of tools plans that call HTTP operations: the policy is pinned, hosts are declared, secrets stay out."""

from __future__ import annotations

import json

import pytest

from command_line import planvow
from ledgers import plan_of, step
from planvow.cassette import SqliteStore
from planvow.governed import post_request_and_plan
from planvow.governed.errors import RequestPathError
from tool_servers import Service

API = {
    "openapi": "3.1.0",
    "info": {"title": "orders", "version": "1"},
    "servers": [{"url": "https://elsewhere.example.org"}],
    "paths": {
        "/orders/{order_id}/pay": {
            "post": {
                "operationId": "pay_order",
                "parameters": [
                    {"name": "order_id", "in": "path", "required": True, "schema": {"type": "string"}},
                    {"name": "notify", "in": "query", "schema": {"type": "string"}},
                    {"name": "X-Shop", "in": "header", "schema": {"type": "string"}},
                ],
                "requestBody": {
                    "required": True,
                    "content": {
                        "application/json": {
                            "schema": {
                                "type": "object",
                                "properties": {"amount": {"type": "integer"}},
                                "required": ["amount"],
                            }
                        }
                    },
                },
                "responses": {"200": {"description": "paid", "content": {"application/json": {"schema": {
                    "type": "object", "properties": {"receipt_id": {"type": "string"}}}}}}},
            }
        }
    },
}  # fmt: skip
GOAL = ("order.{order_id}.status=paid", "--given", 'order_id="o/7 ?"', "--given", "amount=3")


@pytest.fixture
def service():
    with Service() as found:
        yield found


@pytest.fixture
def shop(tmp_path, service):
    """A folder with the operations imported, reviewed by a person and declared to run at the service's address."""
    (tmp_path / "api.json").write_text(json.dumps(API))
    done = planvow(tmp_path, "tools", "import", "api.json", "--server", "orders")
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "tools.toml").read_text()
    assert 'base = "https://elsewhere.example.org"' in text
    text = text.replace("https://elsewhere.example.org", service.base)
    text = text.replace(
        "timeout_seconds = 60", 'timeout_seconds = 5\nheaders = { Authorization = "Bearer {secret.SHOP}" }'
    )
    text = text.replace('[tool."pay_order"]', '[tool."pay_order"]\neffects = ["order.{order_id}.status=paid"]')
    (tmp_path / "tools.toml").write_text(text.replace("confirmed = false", "confirmed = true"))
    return tmp_path


def posted(shop):
    done = planvow(shop, "tools", "plan", *GOAL, "--tools", "tools.toml", "--post", "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["job_id"]


def work(shop):
    return planvow(shop, "cassette", "work", "--tools", "tools.toml", PLANVOW_SECRET_SHOP="s3cret")


def receipts(shop, job_id):
    with SqliteStore(shop / ".planvow/cassette.db") as store:
        return [dict(receipt.body) for receipt in store.receipts(job_id)]


def test_an_operation_is_called_as_its_document_says_and_its_receipt_holds_no_secret(shop, service):
    service.answers.append((200, {}, {"receipt_id": "r1", "echo": "Bearer s3cret"}))
    job_id = posted(shop)
    done = work(shop)
    assert done.returncode == 0, done.stderr
    [asked] = service.asked
    assert (asked["method"], asked["path"], asked["body"]) == ("POST", "/orders/o%2F7%20%3F/pay", {"amount": 3})
    assert asked["headers"]["authorization"] == "Bearer s3cret"
    assert asked["headers"]["idempotency-key"] == f"{job_id}.1"
    [body] = receipts(shop, job_id)
    assert body["output"] == {"receipt_id": "r1", "echo": "Bearer {{secret.SHOP}}"}
    assert b"s3cret" not in (shop / ".planvow/cassette.db").read_bytes()


def test_a_call_that_the_review_holds_back_waits_for_a_person(shop, service):
    review = shop / "tools.toml"
    review.write_text(review.read_text().replace('[tool."pay_order"]', '[tool."pay_order"]\nneeds_approval = "money"'))
    job_id = posted(shop)
    assert "1 waits for a person" in work(shop).stdout
    assert service.asked == []
    assert "money" in planvow(shop, "cassette", "approvals").stdout
    assert planvow(shop, "cassette", "approve", job_id, "--step", "s1", "--by", "ann").returncode == 0
    service.answers.append((200, {}, {"receipt_id": "r1"}))
    assert work(shop).returncode == 0
    assert len(service.asked) == 1


@pytest.mark.parametrize("what", ["review", "manifest", "address"])
def test_a_policy_that_changed_after_the_plan_was_posted_runs_nothing(shop, service, what):
    job_id = posted(shop)
    review, manifest = shop / "tools.toml", shop / "tools.json"
    if what == "review":
        review.write_text(review.read_text().replace("status=paid", "status=open"))
    elif what == "address":
        review.write_text(review.read_text().replace("timeout_seconds = 5", "timeout_seconds = 6"))
    else:
        manifest.write_text(manifest.read_text().replace('"method":"POST"', '"method":"DELETE"'))
    done = work(shop)
    assert service.asked == []
    if what == "manifest":  # the review pins the manifest, so the worker does not even start
        assert done.returncode == 2
        assert "manifest_hash" in done.stderr
    else:
        assert done.returncode == 1
        assert "TOOLS_CHANGED" in done.stderr
        assert receipts(shop, job_id)[0]["error"]["code"] == "TOOLS_CHANGED"


def test_a_redirect_to_another_host_is_not_followed(shop, service):
    with Service() as other:
        service.answers.append((302, {"Location": f"{other.base}/steal"}, {}))
        job_id = posted(shop)
        assert work(shop).returncode == 1
        assert other.asked == []
        assert len(service.asked) == 1
    assert receipts(shop, job_id)[0]["error"]["code"] == "HTTP_302"


def test_a_server_that_only_the_document_names_is_not_called(shop, service):
    review = shop / "tools.toml"
    section, rest = review.read_text().split('[tool."pay_order"]')
    review.write_text(f'{section.replace("confirmed = true", "confirmed = false")}[tool."pay_order"]{rest}')
    posted(shop)
    done = work(shop)
    assert done.returncode == 2
    assert "nobody has confirmed the server 'orders'" in done.stderr
    assert service.asked == []


def test_a_credential_is_named_and_never_written_down(shop):
    review = shop / "tools.toml"
    posted(shop)
    review.write_text(review.read_text().replace("{secret.SHOP}", "s3cret"))
    done = work(shop)
    assert done.returncode == 2
    assert "is a credential" in done.stderr
    assert "s3cret" not in done.stderr


def test_a_secret_that_is_not_set_and_an_argument_that_does_not_fit_stop_the_call(shop, service):
    job_id = posted(shop)
    done = planvow(shop, "cassette", "work", "--tools", "tools.toml")
    assert done.returncode == 1
    assert "the secret 'SHOP' is not set" in done.stderr
    assert service.asked == []
    assert receipts(shop, job_id)[0]["error"]["code"] == "TOOL"


def test_a_secret_that_no_header_can_hold_is_not_told_in_the_failure(shop, service):
    job_id = posted(shop)
    done = planvow(shop, "cassette", "work", "--tools", "tools.toml", PLANVOW_SECRET_SHOP="s3cret\n")
    assert done.returncode == 1
    assert service.asked == []
    assert "no header can hold" in receipts(shop, job_id)[0]["error"]["message"]
    assert "s3cret" not in done.stderr
    assert b"s3cret" not in (shop / ".planvow/cassette.db").read_bytes()


def test_a_job_that_names_no_tools_is_refused(shop, service):
    with SqliteStore(shop / ".planvow/cassette.db") as store:
        store.post("run", {"any": 1}, plan_of(step("s1", op="pay_order")))
    done = work(shop)
    assert done.returncode == 1
    assert "without saying for which tools" in done.stderr
    assert service.asked == []


@pytest.mark.parametrize(("idempotent", "calls"), [("false", 0), ("true", 1)])
def test_a_call_of_which_nobody_knows_is_made_again_only_where_that_is_allowed(shop, service, idempotent, calls):
    review = shop / "tools.toml"
    review.write_text(review.read_text().replace("idempotent = false", f"idempotent = {idempotent}"))
    job_id = posted(shop)
    with SqliteStore(shop / ".planvow/cassette.db") as store:
        assert store.claim("dead", lease_ms=1) is not None  # a worker that dies with the step in its hands
    done = work(shop)
    assert len(service.asked) == calls, done.stderr
    last = receipts(shop, job_id)[-1]
    if calls:
        assert "output" in last
    else:
        assert last["error"]["code"] == "UNKNOWN_CALL"


def request_to_write(shop, path):
    request = {
        "run_id": "r", "request_id": path, "intent": "take over",
        "inputs": {"ops": [{"op": "WRITE_FILE", "refs": {"file_path": path, "content": "mine"}}]},
        "budgets": {"max_steps": 5, "max_bytes": 1000},
    }  # fmt: skip
    return post_request_and_plan("r", request, repo_root=shop)


def test_no_request_writes_the_policy(shop):
    before = {name: (shop / name).read_text() for name in ("tools.toml", "tools.json")}
    with pytest.raises(RequestPathError, match=r"tools\.toml"):
        request_to_write(shop, "tools.toml")
    job_id = request_to_write(shop, "tools.json").job_id
    assert work(shop).returncode == 1
    assert receipts(shop, job_id)[0]["error"]["code"] == "PATH_ESCAPES"
    done = planvow(shop, "goal", "delete the file tools.toml", "--run", "--yes")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "tools.toml is not for goals" in done.stdout, done.stdout + done.stderr
    assert {name: (shop / name).read_text() for name in before} == before
