"""`planvow tools` as somebody with tools of their own uses it: import, review, check, plan, prove."""

from __future__ import annotations

import json

import pytest

from command_line import planvow, planvow_process

SHOP = {
    "tools": [
        {
            "name": "search_orders", "description": "Find a customer's open order.",
            "inputSchema": {"type": "object", "properties": {"customer": {"type": "string"}}, "required": ["customer"]},
            "outputSchema": {"type": "object", "properties": {"order_id": {"type": "string"}}},
            "annotations": {"readOnlyHint": True},
        },
        {"name": "sign_in", "inputSchema": {"type": "object", "properties": {}}},
        {
            "name": "pay_order",
            "inputSchema": {"type": "object", "properties": {"order_id": {"type": "string"}}, "required": ["order_id"]},
        },
    ]
}  # fmt: skip
PAID = "order.{order_id}.status=paid"


@pytest.fixture
def tools(tmp_path):
    (tmp_path / "shop.json").write_text(json.dumps(SHOP))

    def run(*words, how=planvow, **environment):
        return how(tmp_path, "tools", *words, **environment)

    run.folder = tmp_path
    return run


@pytest.fixture
def reviewed(tools):
    """The shop, imported and reviewed by a person."""
    assert tools("import", "shop.json").returncode == 0
    path = tools.folder / "tools.toml"
    text = path.read_text().replace("confirmed = false", "confirmed = true")
    text = text.replace('[tool."pay_order"]', '[tool."pay_order"]\nrequires = ["session.open"]\n'
                        'effects = ["order.{order_id}.status=paid"]')  # fmt: skip
    path.write_text(text.replace('[tool."sign_in"]', '[tool."sign_in"]\neffects = ["session.open"]'))
    return tools


def test_from_a_tool_list_to_a_proved_plan(reviewed):
    done = reviewed("plan", PAID, "--review", "tools.toml", "--given", "customer=ann", "--certificate", "c.json")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        's1   search_orders {"customer":"ann"}',
        "       gives order_id to pay_order",
        "s2   sign_in {}",
        "       makes session.open so, which pay_order needs",
        's3   pay_order {"order_id":"{{s1.order_id}}"}  after s1, s2',
        "       brings about order.{s1.order_id}.status=paid",
        "proved minimal",
    ]
    verify = ("verify", "c.json", "--replan")
    assert planvow(reviewed.folder, *verify).returncode == 0
    forged = (reviewed.folder / "c.json").read_text().replace("sign_in", "sign_on")
    (reviewed.folder / "c.json").write_text(forged)
    assert planvow(reviewed.folder, *verify).returncode == 1


def test_what_an_import_left_here_is_found_with_its_review(reviewed, tools):
    assert reviewed("plan", PAID, "--given", "customer=ann").stdout.endswith("proved minimal\n")
    assert reviewed("plan", PAID, "--given", "customer=ann", "--post").returncode == 0
    assert reviewed("check").stdout == "3 tools, 0 findings\n"
    (tools.folder / "tools.toml").unlink()
    assert "no tool says that it changes" in tools("plan", PAID, "--given", "customer=ann").stderr
    (tools.folder / "tools.json").unlink()
    done = tools("check")
    assert done.returncode == 2
    assert "planvow tools import" in done.stderr


def test_a_word_that_a_review_does_not_have_is_answered_with_those_it_has(reviewed):
    with (reviewed.folder / "tools.toml").open("a") as opened:
        opened.write('in_order_to = ["x"]\n')
    assert "what may be said is requires, effects, takes" in reviewed("check").stderr


def test_the_same_bytes_under_every_hash_seed(reviewed):
    words = ("plan", PAID, "--review", "tools.toml", "--given", "customer=ann", "--json")
    started = [reviewed(*words, how=planvow_process, PYTHONHASHSEED=seed) for seed in ("0", "1", "77")]
    assert {(done.returncode, done.stdout == started[0].stdout) for done in started} == {(0, True)}


def test_what_nobody_confirmed_is_not_planned_with_unless_asked_for(tools):
    assert tools("import", "shop.json").returncode == 0
    done = tools("plan", "--want", "order_id", "--given", "customer=ann", "--review", "tools.toml")
    assert done.returncode == 1
    assert "no tool says that it produces order_id" in done.stderr
    assert "let proposals count: --use-proposed" in done.stderr
    done = tools("plan", "--want", "order_id", "--given", "customer=ann", "--review", "tools.toml", "--use-proposed")
    assert done.returncode == 0
    assert "rests on a proposal that nobody has confirmed: search_orders: produces" in done.stderr


def test_a_missing_value_and_an_unknown_key_are_named(reviewed):
    done = reviewed("plan", PAID, "--review", "tools.toml")
    assert done.returncode == 1
    assert "search_orders needs a value for customer" in done.stderr
    done = reviewed("plan", "order.{order_id}.statsu=paid", "--review", "tools.toml", "--given", "customer=ann")
    assert "order.{order_id}.status" in done.stderr
    done = reviewed("plan", PAID, "--review", "tools.toml", "--given", "customer=7")
    assert "the given customer 7 is no customer for search_orders: string expected" in done.stderr
    assert reviewed("plan").returncode == 2
    assert reviewed("plan", "a b").returncode == 2


def test_a_value_that_no_tool_gives_and_a_kind_nearly_spelled_are_told(reviewed):
    wrong = reviewed("plan", "order.{order_id}.status=payed", "--tools", "tools.json", "--review", "tools.toml")
    assert wrong.returncode == 1
    assert "no tool says that it makes order.{order_id}.status=payed so" in wrong.stderr
    assert "hint: tools make order.{order_id}.status=paid\n" in wrong.stderr
    near = reviewed("plan", "--want", "orderid", "--tools", "tools.json", "--review", "tools.toml")
    assert "did you mean 'order_id'?" in near.stderr


def test_one_tool_is_one_tool(tools):
    (tools.folder / "one.json").write_text('[{"name": "get_it", "inputSchema": {}}]')
    done = tools("import", "one.json", "-o", "one_out.json", "--review", "one.toml")
    assert done.stdout.startswith("1 tool from MCP tools/list, hash ")
    assert "\n1 has proposals for you to confirm: one.toml\n" in done.stdout
    assert tools("check", "one_out.json").stdout.startswith("1 tool, 0 findings")


def test_a_review_is_never_written_over(reviewed):
    before = (reviewed.folder / "tools.toml").read_bytes()
    (reviewed.folder / "shop.json").write_text(
        json.dumps({"tools": [*SHOP["tools"], {"name": "fly", "inputSchema": {}}]})
    )
    done = reviewed("import", "shop.json")
    assert done.returncode == 0
    assert "says nothing of fly" in done.stderr
    assert (reviewed.folder / "tools.toml").read_bytes() == before


def test_check_finds_what_nobody_brings_about(reviewed):
    assert reviewed("check", "tools.json", "--review", "tools.toml").returncode == 0
    path = reviewed.folder / "tools.toml"
    path.write_text(path.read_text().replace('effects = ["session.open"]', 'effects = ["session.opened"]'))
    done = reviewed("check", "tools.json", "--review", "tools.toml", "--json")
    assert done.returncode == 1
    (mistake,) = json.loads(done.stdout)["mistakes"]
    assert mistake["tool"] == "pay_order"
    assert "session.opened" in mistake["hint"]


def test_the_list_goes_out_again_as_others_want_it(reviewed):
    told = json.loads(reviewed("export", "tools.json", "--as", "openai").stdout)
    assert [entry["function"]["name"] for entry in told] == ["pay_order", "search_orders", "sign_in"]
    assert reviewed("export", "tools.json", "--as", "openia").returncode == 2


def test_python_files_are_imported_too(tools):
    (tools.folder / "mine.py").write_text(
        'print("loading")\ndef fetch(url: str) -> dict:\n    """Get a page."""\n\ndef _own(x): ...\n'
    )
    done = tools("import", "mine.py", "--json", "-o", "mine.json", "--review", "mine.toml")
    assert json.loads(done.stdout)["tools"] == 1
    assert "loading" in done.stderr
    assert json.loads((tools.folder / "mine.json").read_text())["tools"][0]["description"] == "Get a page."


def test_a_helper_that_cannot_be_a_tool_is_left_out_and_told(tools):
    (tools.folder / "mine.py").write_text("def fetch(url: str) -> dict: ...\n\ndef joined(*parts): ...\n")
    done = tools("import", "mine.py", "-o", "mine.json", "--review", "mine.toml")
    assert done.stdout.startswith("1 tool from Python")
    assert "joined is left out: the parameter 'parts' cannot be given by name" in done.stderr
    (tools.folder / "mine.py").write_text("def joined(*parts): ...\n")
    done = tools("import", "mine.py", "-o", "mine.json", "--review", "mine.toml")
    assert done.returncode == 2
    assert "cannot be given by name" in done.stderr
