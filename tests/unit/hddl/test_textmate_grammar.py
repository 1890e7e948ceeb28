"""The TextMate grammar in `editors/`: every word of every domain gets the scope that fits what it is.

Editors read a grammar line by line: of all patterns the one that matches first wins, of several at one place the first
listed. That is done here with the grammar's own expressions; what a word is says `adapters/lsp/names`.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from hddl_instances import instances, needs_ipc
from planvow.adapters.lsp.names import ACTION, LABEL, METHOD, PREDICATE, TASK, TYPE, VARIABLE, names_of, tree_of
from planvow.hddl.parsing.files import read_file

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "editors/vscode"
GRAMMAR = json.loads((FOLDER / "syntaxes/hddl.tmLanguage.json").read_text("utf-8"))
RULES = [
    (re.compile(rule["match"]), rule.get("name"), {int(k): v["name"] for k, v in rule.get("captures", {}).items()})
    for rule in (GRAMMAR["repository"][part["include"][1:]] for part in GRAMMAR["repository"]["all"]["patterns"])
]
WANTED = {
    (VARIABLE, True): {"variable.parameter"},
    (VARIABLE, False): {"variable.parameter"},
    (TASK, True): {"entity.name.function"},
    (ACTION, True): {"entity.name.function"},
    (METHOD, True): {"entity.name.function"},
    (TASK, False): {"support.function"},
    (PREDICATE, True): {"support.function"},
    (PREDICATE, False): {"support.function"},
    (LABEL, True): {"entity.name.label"},
    (TYPE, False): {"entity.name.type", "constant.other"},  # in (either a b) it is a name like others
}


def scopes(text: str) -> dict[int, str]:
    """Return the scope of every character that has one."""
    found: dict[int, str] = {}
    start = 0
    for line in text.split("\n"):
        at = 0
        while at < len(line):
            hits = [
                (match.start(), number, match)
                for number, (rule, _, _) in enumerate(RULES)
                if (match := rule.search(line, at))
            ]
            if not hits:
                break
            _, number, match = min(hits, key=lambda hit: hit[:2])
            _, name, captures = RULES[number]
            for group, scope in [(0, name), *captures.items()]:
                for place in range(*match.span(group)) if scope else ():
                    found[start + place] = scope.removesuffix(".hddl")
            at = max(match.end(), at + 1)
        start += len(line) + 1
    return found


def check(text: str) -> Counter[str]:
    given = scopes(text)
    bare = [place for place, character in enumerate(text) if not character.isspace() and place not in given]
    assert not bare, text[bare[0] : bare[0] + 40]
    for match in re.finditer(r";[^\n]*", text):
        assert given[match.start()] == "comment.line.semicolon"
    for match in re.finditer(r"(?<=[\s(]):[^\s();]+", re.sub(r";[^\n]*", lambda m: " " * len(m.group()), text)):
        assert given[match.start()].startswith("keyword."), match.group()
    seen: Counter[str] = Counter()
    for name in names_of(tree_of(text)):
        wanted = WANTED.get((name.kind, name.declares))
        line = text.rfind("\n", 0, name.at) + 1
        broken = name.kind in (TASK, PREDICATE, ACTION, METHOD) and "(" not in text[line : name.at]
        if wanted and not broken:
            assert given[name.at] in wanted, (name, given[name.at], text[line : name.end])
            assert given[name.end - 1] == given[name.at]
            seen[given[name.at]] += 1
    return seen


def test_the_example_is_coloured():
    seen = check((ROOT / "examples/hddl/tea-domain.hddl").read_text("utf-8"))
    assert min(seen["variable.parameter"], seen["entity.name.type"], seen["entity.name.function"]) > 10
    check((ROOT / "examples/hddl/tea-problem.hddl").read_text("utf-8"))


@needs_ipc
@pytest.mark.parametrize("domain", sorted({domain for domain, _ in instances()}), ids=lambda path: path.parent.name)
def test_the_shared_domains_are_coloured(domain):
    text = read_file(domain)
    cut = text.rfind("\n(", 0, 30_000) if len(text) > 30_000 else len(text)
    assert check(text[: cut if cut > 0 else 30_000])


def test_the_extension_names_files_that_are_there():
    package = json.loads((FOLDER / "package.json").read_text("utf-8"))
    (language,), (grammar,) = package["contributes"]["languages"], package["contributes"]["grammars"]
    assert language["extensions"] == [".hddl"]
    assert grammar["scopeName"] == GRAMMAR["scopeName"]
    for file in (package["main"], language["configuration"], grammar["path"]):
        assert (FOLDER / file).is_file()
    assert json.loads((FOLDER / language["configuration"]).read_text("utf-8"))["comments"] == {"lineComment": ";"}
    assert package["contributes"]["configuration"]["properties"]["planvow.command"]["default"] == ["planvow", "lsp"]
