"""The parts of the site that need no site builder: links that move, the reference, and what is wrong with a site."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from planvow.adapters.cli.main import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts/website"), str(ROOT / "docs/assets/playground")]

import command_reference  # noqa: E402
import python_reference  # noqa: E402
from checking import faults  # noqa: E402
from configuration import NAVIGATION  # noqa: E402
from staging import places, relinked, staged  # noqa: E402

PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
PROGRAMS = {"planvow": (), "cortex": ("cortex",), "cassette": ("cassette",)}
ENTRIES = {name: entry for section in COMMANDS.values() for name, entry in section.items()}


def test_a_link_leads_to_where_its_page_now_stands_and_a_link_to_nowhere_keeps_its_words():
    known = places()
    text = "[a](../../SECURITY.md#x) [b](../adr) [c](../../src/planvow) ![d](pictures/p.svg) [e](https://x.org)\n"
    text += "```\n[f](../adr)\n```\n"
    known["docs/howto/pictures/p.svg"] = "howto/pictures/p.svg"
    assert relinked(text, "docs/howto/x.md", "howto/x.md", known) == (
        "[a](../reference/security.md#x) [b](../maintainers/decisions/index.md) c ![d](pictures/p.svg) "
        "[e](https://x.org)\n```\n[f](../adr)\n```\n"
    )


def leaves(entry):
    if isinstance(entry, str):
        return [entry]
    inner = entry if isinstance(entry, list) else list(entry.values())
    return [leaf for each in inner for leaf in leaves(each)]


def test_what_the_playground_runs_in_the_browser_answers_here_too(tmp_path, monkeypatch):
    from answering import answer

    monkeypatch.chdir(tmp_path)
    domain, problem = ((ROOT / f"examples/hddl/tea-{name}.hddl").read_text("utf-8") for name in ("domain", "problem"))
    hddl = json.loads(answer("hddl", domain, problem))
    python = json.loads(answer("python", (ROOT / "examples/travel.py").read_text("utf-8"), ""))
    for told in (hddl, python):
        assert told["status"] == "solved"
        assert {"Tree", "Reasons", "Plan", "Certificate"} <= set(told["tabs"])
    assert json.loads(answer("hddl", domain, "(define"))["status"] == "invalid"


def test_the_navigation_has_every_page_once():
    made = {place for place, _ in staged() if place.endswith(".md")}
    made |= {place for place, _ in (*python_reference.pages(), *command_reference.pages())}
    named = leaves(NAVIGATION)
    folders = tuple(leaf.removesuffix("*") for leaf in named if leaf.endswith("/*"))
    alone = [leaf for leaf in named if not leaf.endswith("/*")]
    assert len(set(alone)) == len(alone)
    assert {page for page in made if not page.startswith(folders)} == set(alone)


def test_what_is_wrong_with_a_site_is_named(tmp_path):
    (tmp_path / "index.html").write_text('<a href="a.html#no">a</a><a href="gone.html">b</a><img src="no.png">')
    (tmp_path / "a.html").write_text('<p id="yes">a</p><script src="https://elsewhere.example/x.js"></script>')
    (tmp_path / "lost.html").write_text('<a href="index.html">home</a>')
    assert faults(tmp_path) == [
        "a.html: loads https://elsewhere.example/x.js from elsewhere",
        "index.html: there is no place a.html#no",
        "index.html: gone.html leads nowhere",
        "index.html: no.png leads nowhere",
        "lost.html: no page leads here",
    ]


def test_the_reference_has_every_command_with_every_option():
    pages = dict(command_reference.pages())
    for name, entry in ENTRIES.items():
        page = pages[f"reference/commands/{name}.md"]
        for path, found in commands(f"planvow {name}", command_reference.command(entry)):
            assert re.search(rf"^#+ {path}$", page, flags=re.MULTILINE), path
            assert [option for option in options_of(found) if f"`{option}`" not in page] == []


def test_the_reference_has_every_public_name():
    pages = dict(python_reference.pages())
    lines = (ROOT / "tests/architecture/public_api.txt").read_text("utf-8").splitlines()
    names = [re.split(r"[ (]", line)[0].rpartition(".") for line in lines if not line.startswith(" ")]
    for door, _, name in names:
        heading = name.replace("__", r"\_\_")
        assert f"\n## {heading}\n" in pages[f"reference/python/{door}.md"], f"{door}.{name}"


def commands(path, found):
    yield path, found
    for name, inner in getattr(found, "commands", {}).items():
        if not inner.hidden:
            yield from commands(f"{path} {name}", inner)


def options_of(found):
    return {
        name
        for each in found.params
        if not each.hidden
        for name in (*each.opts, *each.secondary_opts)
        if "-" in name[:1]
    }


TREE = {
    path: found
    for name, entry in ENTRIES.items()
    for path, found in commands(f"planvow {name}", command_reference.command(entry))
}
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
CALL = re.compile(r"(?:planvow|cortex|cassette) [a-z][^`#|&;<>]*")


def calls_on(text: str) -> list[str]:
    """Return the calls of our programs that a page shows: in its code, and in blocks for the shell."""
    lines = [
        line.removeprefix("$ ")
        for kind, body in FENCE.findall(text)
        if kind in ("sh", "console")
        for line in body.splitlines()
    ]
    code = re.findall(r"`([^`\n]+)`", FENCE.sub("", text))
    return [found[0] for found in map(CALL.match, [*lines, *code]) if found]


def unknown_words(call: str) -> list[str]:
    """Return the options of a call that its command does not have, or the command itself where there is none."""
    # An argument in quotes is one word: what stands in it may be a call of another command.
    program, *words = re.sub(r"'[^']*'|\"[^\"]*\"", "QUOTED", call).split()
    path = ["planvow", *PROGRAMS[program]]
    while words and " ".join([*path, words[0]]) in TREE:
        path.append(words.pop(0))
    found = TREE.get(" ".join(path))
    if found is None:
        return [call]
    if getattr(found, "commands", {}) and words and re.fullmatch(r"[a-z][a-z-]+", words[0]):
        return [call]
    known = {*options_of(found), "--help", "-h", "--debug", "--version"}
    return [word for word in words if re.match(r"--[a-z]", word) and re.split(r"[=,.)]", word)[0] not in known]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_and_options_that_a_page_names_exist(page):
    calls = calls_on(page.read_text("utf-8"))
    assert {call: unknown_words(call) for call in calls if unknown_words(call)} == {}


def test_control_a_command_or_option_that_does_not_exist_would_be_found():
    assert unknown_words("planvow cassette migrate") == ["planvow cassette migrate"]
    assert unknown_words("planvow agent resume x.py lamp --changed replan") == ["--changed"]
