"""Who runs the tools: what a review file may say of servers, and what one hash covers."""

from __future__ import annotations

import tomllib
from dataclasses import replace

import pytest

from planvow.errors import InputError
from planvow.tools import ToolEntry, tools_data
from planvow.tools.policy import ToolPolicy, pinned, tool_policy
from planvow.tools.review import read_whole_review, write_review
from planvow.tools.servers import Server, filled, read_servers, write_servers
from planvow.tools.tool import manifest_hash

TOOL = ToolEntry(name="pay", origin={"kind": "mcp", "server": "shop"})
SERVERS = {
    "shop": Server(command=("python", 'a "b".py'), environment={"TOKEN": "{secret.SHOP}"}, timeout_seconds=2.5),
    "far": Server(url="https://far.example.org/mcp", headers={"Authorization": "Bearer {secret.FAR}"}),
    "api": Server(base="https://api.example.org/v1", confirmed=False),
}


def test_servers_are_written_as_they_are_read():
    data = tomllib.loads(write_servers(SERVERS))["server"]
    assert read_servers(data, place="t") == SERVERS
    assert SERVERS["far"].secrets == ("FAR",)
    assert filled("Bearer {secret.FAR}", {"FAR": "x"}) == "Bearer x"


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({}, "one of the three"),
        ({"url": "http://a/mcp", "base": "http://a"}, "one of the three"),
        ({"url": "ftp://a/mcp"}, "begins with http"),
        ({"url": "https:///mcp"}, "names a host"),
        ({"url": "https://a:b/mcp"}, "is no address"),
        ({"url": "https://me:secret@a/mcp"}, "no user and no password"),
        ({"base": "https://a/v1?key=1"}, "ends before"),
        ({"url": "https://a/mcp", "headers": {"authorization": "Bearer 123"}}, "is a credential"),
        ({"url": "https://a/mcp", "timeout_seconds": 0}, "more than 0 seconds"),
        ({"url": "https://a/mcp", "hedaers": {}}, "a server has no 'hedaers'"),
        ({"command": "python shop.py"}, "a list of words"),
        ({"command": ["python", 3]}, "a list of words"),
    ],
)
def test_what_a_server_may_not_say_is_told_with_its_place(said, words):
    with pytest.raises(InputError, match=words) as error:
        read_servers({"shop": said}, place="tools.toml")
    assert error.value.place.startswith("tools.toml: [server.'shop']")


def test_one_hash_covers_tools_review_and_servers():
    policy = ToolPolicy(tools=(TOOL,), servers=SERVERS)
    others = [
        replace(policy, tools=(replace(TOOL, effects=("paid",)),)),
        replace(policy, tools=(replace(TOOL, input_schema={"type": "object", "required": ["x"]}),)),
        replace(policy, servers={**SERVERS, "shop": replace(SERVERS["shop"], command=("python", "b.py"))}),
        replace(policy, servers={**SERVERS, "api": replace(SERVERS["api"], confirmed=True)}),
    ]
    assert len({policy.hash, *(other.hash for other in others)}) == 5
    assert pinned({"tools_policy": policy.hash}) == policy.hash
    assert pinned({"tools_policy": 3}) is pinned("text") is None


def test_a_manifest_other_than_the_reviewed_one_is_refused():
    text = write_review([TOOL], manifest=("tools.json", manifest_hash([TOOL])), servers=SERVERS)
    review = read_whole_review(text)
    assert tool_policy((TOOL,), review, place="tools.toml").servers == SERVERS
    with pytest.raises(InputError, match="not the one that was reviewed"):
        tool_policy((replace(TOOL, description="pays twice"),), review, place="tools.toml")
    assert tools_data([TOOL])["tools"][0]["origin"]["server"] == "shop"


@pytest.mark.parametrize(
    ("server", "words"), [("api", "nobody has confirmed the server 'api'"), ("shp", "no server runs pay")]
)
def test_nobody_runs_a_tool_without_a_confirmed_server(server, words):
    policy = ToolPolicy(tools=(TOOL,), servers=SERVERS)
    with pytest.raises(InputError, match=words):
        policy.server_of(replace(TOOL, origin={"kind": "http", "server": server}))
