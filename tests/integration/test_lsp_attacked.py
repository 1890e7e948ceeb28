"""The language server with what editors, people and disks really do to it."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest
from lsprotocol import types as lsp

import editors

ROOT = Path(__file__).resolve().parents[2]
DOMAIN = (ROOT / "examples/hddl/tea-domain.hddl").read_text("utf-8")
PROBLEM = (ROOT / "examples/hddl/tea-problem.hddl").read_text("utf-8")


@pytest.fixture
def session(tmp_path):
    """Return what runs a coroutine function with an editor."""

    def run(script) -> None:
        async def whole():
            async with editors.in_process(tmp_path) as editor:
                await script(editor)
                assert editor.logged == []

        asyncio.run(asyncio.wait_for(whole(), 120))

    return run


async def asked_everything(editor, uri, line=0, character=0):
    """Ask all there is to ask about a place; every answer comes, none is an error."""
    which, place = lsp.TextDocumentIdentifier(uri=uri), lsp.Position(line=line, character=character)
    about = {"text_document": which, "position": place}
    client = editor.client
    await client.text_document_hover_async(lsp.HoverParams(**about))
    await client.text_document_definition_async(lsp.DefinitionParams(**about))
    context = lsp.ReferenceContext(include_declaration=True)
    await client.text_document_references_async(lsp.ReferenceParams(context=context, **about))
    await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(text_document=which))
    options = lsp.FormattingOptions(tab_size=2, insert_spaces=True)
    await client.text_document_formatting_async(lsp.DocumentFormattingParams(text_document=which, options=options))
    return await client.text_document_completion_async(lsp.CompletionParams(**about))


async def told(editor, uri, holds):
    """Wait until what is said about a text is as expected."""
    for _ in range(3000):
        said = editor.said.get(uri)
        if said is not None and holds(said.diagnostics):
            return said.diagnostics
        await asyncio.sleep(0.02)
    raise TimeoutError([found.message for found in editor.said[uri].diagnostics])


def test_texts_that_nest_deeply_are_answered(session, tmp_path):
    async def script(editor):
        uri = (tmp_path / "d.hddl").as_uri()
        deep = "(not " * 20_000
        editor.open(uri, f"(define (domain d) (:predicates (p)) (:action a :parameters () :precondition {deep}(p)")
        assert await editor.diagnostics(uri)
        await asked_everything(editor, uri, 0, 20)
        await asked_everything(editor, uri, 0, 50_000)

    session(script)


def test_a_name_of_a_million_letters_is_answered(session, tmp_path):
    async def script(editor):
        uri = (tmp_path / "d.hddl").as_uri()
        name = "x" * 1_000_000
        editor.open(uri, f"(define (domain d) (:predicates ({name}))\n(:action a :parameters () :effect (xx")
        assert await editor.diagnostics(uri)
        answer = await asked_everything(editor, uri, 1, len("(:action a :parameters () :effect (xx"))
        assert [each.label for each in answer] == [name]
        await asked_everything(editor, uri, 0, 500_000)

    session(script)


def test_places_that_are_nowhere_and_texts_that_were_never_opened_are_answered(session, tmp_path):
    async def script(editor):
        uri = (tmp_path / "d.hddl").as_uri()
        await asked_everything(editor, uri, 3, 3)
        editor.open(uri, DOMAIN)
        for line, character in ((0, 10**6), (10**6, 0), (2**31 - 1, 2**31 - 1)):
            await asked_everything(editor, uri, line, character)
        assert await editor.diagnostics(uri) == []

    session(script)


def test_a_problem_is_read_with_the_domain_of_its_own_folder(session, tmp_path):
    """Two workspaces have a domain of the same name; in one of them it has no kettle any more."""

    async def script(editor):
        uris = {}
        for name, domain in (("one", DOMAIN.replace("kettle", "samovar")), ("two", DOMAIN)):
            folder = tmp_path / name
            folder.mkdir()
            (folder / "domain.hddl").write_text(domain, "utf-8")
            (folder / "problem.hddl").write_text(PROBLEM, "utf-8")
            uris[name] = [(folder / f"{part}.hddl").as_uri() for part in ("domain", "problem")]
            editor.open(uris[name][0], domain)
            editor.open(uris[name][1], PROBLEM)
        await told(editor, uris["two"][1], lambda found: not found)
        (wrong,) = await told(editor, uris["one"][1], lambda found: len(found) == 1)
        assert "found 'kettle'" in wrong.message
        (home,) = await editor.client.text_document_definition_async(
            lsp.DefinitionParams(**editor.at(uris["two"][1], "(kettle", within=2))
        )
        assert home.uri == uris["two"][0]

    session(script)


def test_of_several_domains_in_a_folder_the_one_that_is_named_after_the_problem_counts(session, tmp_path):
    async def script(editor):
        for name, domain in (("p1", DOMAIN.replace("kettle", "samovar")), ("p2", DOMAIN)):
            (tmp_path / f"{name}-domain.hddl").write_text(domain, "utf-8")
        first, second = ((tmp_path / f"{name}.hddl").as_uri() for name in ("p1", "p2"))
        editor.open((tmp_path / "p1-domain.hddl").as_uri(), DOMAIN.replace("kettle", "samovar"))
        editor.open(second, PROBLEM)
        assert await editor.diagnostics(second) == []
        editor.open(first, PROBLEM)
        assert "found 'kettle'" in (await editor.diagnostics(first))[0].message

    session(script)


def test_a_problem_in_a_folder_of_instances_finds_the_domain_above(session, tmp_path):
    async def script(editor):
        (tmp_path / "domain.hddl").write_text(DOMAIN, "utf-8")
        uri = (tmp_path / "instances" / "p.hddl").as_uri()
        (tmp_path / "instances").mkdir()
        editor.open(uri, PROBLEM)
        assert await editor.diagnostics(uri) == []

    session(script)


def test_a_domain_is_found_beside_its_problems_whatever_its_file_is_called(session, tmp_path):
    async def script(editor):
        (tmp_path / "another.hddl").write_text(DOMAIN.replace("domain tea-round", "domain coffee"), "utf-8")
        (tmp_path / "tea.hddl").write_text("; by hand\n" + DOMAIN, "utf-8")
        (tmp_path / "p1.hddl").write_text(PROBLEM, "utf-8")
        uri = (tmp_path / "p2.hddl").as_uri()
        editor.open(uri, PROBLEM)
        assert await editor.diagnostics(uri) == []

    session(script)


def test_a_problem_follows_its_domain_when_that_is_closed_changed_outside_or_deleted(session, tmp_path):
    async def script(editor):
        file = tmp_path / "domain.hddl"
        file.write_text(DOMAIN, "utf-8")
        domain, problem = file.as_uri(), (tmp_path / "problem.hddl").as_uri()
        editor.open(domain, DOMAIN.replace("kettle", "samovar"))
        editor.open(problem, PROBLEM)
        await told(editor, problem, lambda found: len(found) == 1)
        which = lsp.TextDocumentIdentifier(uri=domain)
        editor.client.text_document_did_close(lsp.DidCloseTextDocumentParams(text_document=which))
        await told(editor, problem, lambda found: not found)  # what was not saved counts no more

        def changed(kind):
            event = lsp.FileEvent(uri=domain, type=kind)
            editor.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams(changes=[event]))

        file.write_text(DOMAIN.replace("kettle", "urn"), "utf-8")
        changed(lsp.FileChangeType.Changed)
        await told(editor, problem, lambda found: found and "found 'kettle'" in found[0].message)
        file.unlink()
        changed(lsp.FileChangeType.Deleted)
        await told(editor, problem, lambda found: found and found[0].code == "DOMAIN_MISSING")

    session(script)


def test_edits_beyond_the_text_reversed_and_in_the_middle_of_an_emoji_do_no_harm(session, tmp_path):
    async def script(editor):
        uri = (tmp_path / "d.hddl").as_uri()
        editor.open(uri, "; 🤖\r\n" + DOMAIN.replace("\n", "\r\n"))
        assert await editor.diagnostics(uri) == []

        def change(version, start, end, text):
            span = lsp.Range(start=lsp.Position(*start), end=lsp.Position(*end))
            which = lsp.VersionedTextDocumentIdentifier(uri=uri, version=version)
            change = lsp.TextDocumentContentChangePartial(range=span, text=text)
            editor.client.text_document_did_change(
                lsp.DidChangeTextDocumentParams(text_document=which, content_changes=[change])
            )

        change(2, (0, 3), (0, 3), "")  # between the halves of the robot
        change(3, (10**6, 0), (10**6, 9), "; more\r\n")
        change(4, (0, 4), (0, 0), "")
        await told(editor, uri, lambda _: editor.said[uri].version == 4)
        assert not editor.said[uri].diagnostics

    session(script)


def test_windows_files_and_emoji_have_their_places(session, tmp_path):
    async def script(editor):
        uri = (tmp_path / "d.hddl").as_uri()
        text = DOMAIN.replace("(fetch ?b ?c) (go", "; 🤖🤖\n (fetsch ?b ?c) (go").replace("\n", "\r\n")
        editor.open(uri, text)
        (wrong,) = await editor.diagnostics(uri)
        assert editor.cut(uri, wrong.range) == "fetsch"
        options = lsp.FormattingOptions(tab_size=2, insert_spaces=True)
        editor.edit(uri, "fetsch", "fetch")
        assert await editor.diagnostics(uri) == []
        which = lsp.TextDocumentIdentifier(uri=uri)
        (edit,) = await editor.client.text_document_formatting_async(
            lsp.DocumentFormattingParams(text_document=which, options=options)
        )
        assert "\r\n" in edit.new_text
        assert "\n" not in edit.new_text.replace("\r\n", "")

    session(script)


def frames(*messages):
    """Return messages as they go over a pipe."""
    texts = [json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages]
    return b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(text), text) for text in texts)


def answers(data):
    found = []
    while data:
        head, _, rest = data.partition(b"\r\n\r\n")
        size = int(head.split(b"Content-Length: ")[1].split(b"\r\n")[0])
        found.append(json.loads(rest[:size]))
        data = rest[size:]
    return found


BEGIN = {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}}
END = ({"id": 9, "method": "shutdown"}, {"method": "exit"})


def served(*messages):
    words = [sys.executable, "-m", "planvow", "lsp"]
    done = subprocess.run(words, input=frames(*messages), capture_output=True, timeout=60)
    return done.returncode, {each.get("id"): each for each in answers(done.stdout)}, done.stderr.decode()


def test_unknown_methods_and_cancelled_questions_are_answered_as_the_protocol_says():
    hover = {"textDocument": {"uri": "file:///d.hddl"}, "position": {"line": 0, "character": 0}}
    code, said, errors = served(
        BEGIN,
        {"method": "initialized", "params": {}},
        {"id": 2, "method": "textDocument/brew", "params": {}},
        {"method": "$/unheardOf", "params": {}},
        {"id": 3, "method": "textDocument/hover", "params": hover},
        {"method": "$/cancelRequest", "params": {"id": 3}},
        {"method": "$/cancelRequest", "params": {"id": 77}},
        {"method": "textDocument/didOpen", "params": {"nonsense": True}},
        *END,
    )
    assert code == 0, errors
    assert said[2]["error"]["code"] == -32601
    assert 3 in said
    assert said[9]["result"] is None


def test_leaving_without_a_shutdown_is_a_failure_and_leaves_no_server_behind():
    code, _, _ = served(BEGIN, {"method": "exit"})
    assert code == 1
    code, _, errors = served(BEGIN, {"id": 9, "method": "shutdown"})  # the end of its input ends it
    assert (code, errors) == (0, "")
