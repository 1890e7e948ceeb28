"""The language server with pygls's client: a session as a person has it, in this process and over stdio."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from lsprotocol import types as lsp

import editors
from planvow.hddl import format_text

ROOT = Path(__file__).resolve().parents[2]
DOMAIN = (ROOT / "examples/hddl/tea-domain.hddl").read_text("utf-8")
PROBLEM = (ROOT / "examples/hddl/tea-problem.hddl").read_text("utf-8")


@pytest.fixture(params=["in_process", "over_stdio"])
def session(request, tmp_path):
    """Return what runs a coroutine function with an editor and the two files open."""

    def run(script) -> None:
        async def whole():
            async with getattr(editors, request.param)(tmp_path) as editor:
                domain, problem = ((tmp_path / f"{name}.hddl").as_uri() for name in ("domain", "problem"))
                editor.open(domain, DOMAIN)
                editor.open(problem, PROBLEM)
                await script(editor, domain, problem)
                assert editor.logged == []

        asyncio.run(asyncio.wait_for(whole(), 120))

    return run


def test_a_session_from_the_first_mistake_to_the_formatted_file(session):
    async def script(editor, domain, problem):
        assert await editor.diagnostics(domain) == []
        assert await editor.diagnostics(problem) == []
        await mistakes_and_fixes(editor, domain, problem)
        await places(editor, domain, problem)
        await knowledge(editor, domain, problem)
        await layout(editor, domain)

    async def mistakes_and_fixes(editor, domain, problem):
        editor.edit(domain, "(fetch ?b ?c) (go ?b ?kitchen)", "(fetsch ?b ?c) (go ?b ?kitchen)")
        (wrong,) = await editor.diagnostics(domain)
        assert wrong.message == (
            "expected a declared task or action, found 'fetsch' (in method 'bring-a-cup', :ordered-subtasks)\n"
            "hint: did you mean 'fetch'?"
        )
        assert (wrong.code, wrong.severity) == ("HDDL_NAME", lsp.DiagnosticSeverity.Error)
        assert editor.cut(domain, wrong.range) == "fetsch"
        (fix,) = await editor.client.text_document_code_action_async(
            lsp.CodeActionParams(
                text_document=lsp.TextDocumentIdentifier(uri=domain),
                range=wrong.range,
                context=lsp.CodeActionContext(diagnostics=[wrong]),
            )
        )
        ((changed, (edit,)),) = fix.edit.changes.items()
        assert (changed, edit.new_text, edit.range) == (domain, "fetch", wrong.range)
        editor.edit(domain, "(fetsch", "(fetch")
        assert await editor.diagnostics(domain) == []
        editor.edit(
            domain, ":parameters (?b - robot ?c - cup)\n    :task", ":parameters (?b ?z - robot ?c - cup)\n    :task"
        )
        (lint,) = await editor.diagnostics(domain)
        assert (lint.code, lint.severity) == ("UNUSED_PARAMETER", lsp.DiagnosticSeverity.Warning)
        assert editor.cut(domain, lint.range) == "?z"
        editor.edit(domain, "(?b ?z - robot", "(?b - robot")
        assert await editor.diagnostics(domain) == []
        editor.edit(problem, "(:htn :ordered", "(:htn :parameters (?w - room) :ordered")
        (unused,) = await editor.diagnostics(problem)
        assert (unused.code, unused.severity) == ("UNUSED_PARAMETER", lsp.DiagnosticSeverity.Warning)
        assert editor.cut(problem, unused.range) == "?w"
        editor.edit(problem, " :parameters (?w - room)", "")
        assert await editor.diagnostics(problem) == []
        # What is renamed in the domain shows in the problem, though nobody touched that.
        editor.edit(domain, "(:task serve", "(:task wait-on")
        editor.edit(domain, ":task (serve ?p)", ":task (wait-on ?p)")
        editor.edit(domain, ":task (serve ?p)", ":task (wait-on ?p)")
        (missing,) = await editor.diagnostics(problem, more_than=0)
        assert "found 'serve'" in missing.message
        for _ in range(3):
            editor.edit(domain, "wait-on", "serve")
        assert await editor.diagnostics(domain) == []
        for _ in range(500):
            if not editor.said[problem].diagnostics:
                break
            await asyncio.sleep(0.02)
        assert not editor.said[problem].diagnostics

    async def places(editor, domain, problem):
        (home,) = await editor.client.text_document_definition_async(
            lsp.DefinitionParams(**editor.at(problem, "serve Ann"))
        )
        assert home.uri == domain
        assert (editor.cut(domain, home.range), home.range.start.line) == ("serve", 15)
        (variable,) = await editor.client.text_document_definition_async(
            lsp.DefinitionParams(**editor.at(domain, "(kettle ?kitchen)", within=9))
        )
        assert (editor.cut(domain, variable.range), variable.range.start.line) == ("?kitchen", 20)
        found = await editor.client.text_document_references_async(
            lsp.ReferenceParams(
                context=lsp.ReferenceContext(include_declaration=False), **editor.at(domain, "(:task serve", within=8)
            )
        )
        assert [(each.uri == domain) for each in found] == [True, True, False, False]
        outline = await editor.client.text_document_document_symbol_async(
            lsp.DocumentSymbolParams(text_document=lsp.TextDocumentIdentifier(uri=domain))
        )
        methods = [each.name for each in outline if each.kind == lsp.SymbolKind.Method]
        assert methods[:3] == ["bring-a-cup", "already-served", "in-hand"]
        assert {"move", "serve", ":types"} <= {each.name for each in outline}

    async def knowledge(editor, domain, problem):
        async def hover(uri, piece, within=0):
            answer = await editor.client.text_document_hover_async(
                lsp.HoverParams(**editor.at(uri, piece, within=within))
            )
            return answer.contents.value

        about = await hover(domain, "(give ?b", within=2)
        assert "(action give ?b - robot ?c - cup ?p - person ?r - room)" in about
        assert "Must find: `(full ?c)`" in about
        assert "May make true: `(has-tea ?p)`" in about
        assert "May make false: `(holds ?b ?c)`" in about
        assert "Ways: `in-hand`, `from-the-shelf`" in await hover(domain, "(fetch ?b ?c)", within=2)
        assert "Ann - person" in await hover(problem, "(in Ann", within=5)
        assert "robot < mobile < object" in await hover(domain, "(?b - robot ?to", within=7)
        assert "?middle - room" in await hover(domain, "(go ?b ?middle)", within=9)

        async def complete(piece, typed):
            editor.edit(domain, piece, piece + typed)
            asked = editor.at(domain, piece + typed, within=len(piece + typed))
            answer = await editor.client.text_document_completion_async(lsp.CompletionParams(**asked))
            editor.edit(domain, piece + typed, piece)
            return [each.label for each in answer]

        assert await complete(":ordered-subtasks (and (fetch ?b ?c)", " (f") == ["fetch", "fill"]
        assert await complete(":precondition (and (in ?p ?room)", " (ha") == ["has-tea"]
        assert await complete("(:method in-hand\n    :parameters (?b - robot", " ?x - ") == [
            "robot",
            "person",
            "mobile",
            "room",
            "cup",
        ]
        assert await complete(":precondition (and (in ?p ?room)", " (in ?") == ["?p", "?b", "?c", "?kitchen", "?room"]
        assert await complete("(:action move", " :") == [":parameters", ":precondition", ":effect"]
        assert ":action" in await complete("(:functions (total-cost) - number)\n", "(:a")

    async def layout(editor, domain):
        options = lsp.FormattingOptions(tab_size=2, insert_spaces=True)
        which = lsp.TextDocumentIdentifier(uri=domain)
        editor.replace(domain, DOMAIN.replace("\n  (:types", "\n (:types"))
        (edit,) = await editor.client.text_document_formatting_async(
            lsp.DocumentFormattingParams(text_document=which, options=options)
        )
        assert edit.new_text == format_text(DOMAIN) == DOMAIN
        editor.replace(domain, edit.new_text)
        again = await editor.client.text_document_formatting_async(
            lsp.DocumentFormattingParams(text_document=which, options=options)
        )
        assert not again
        editor.replace(domain, DOMAIN[:-30])
        (broken,) = await editor.diagnostics(domain)
        assert broken.code == "HDDL_SYNTAX"
        assert not await editor.client.text_document_formatting_async(
            lsp.DocumentFormattingParams(text_document=which, options=options)
        )

    session(script)


def test_half_typed_texts_and_rapid_edits_are_answered_without_an_error(session):
    """Every prefix of a domain, typed faster than it is read, with questions in between; at the end all is right."""

    async def script(editor, domain, problem):
        text = DOMAIN.replace("A robot", "A 🤖 robot")
        for end in range(0, len(text), 41):
            editor.replace(domain, text[:end])
            asked = {
                "text_document": lsp.TextDocumentIdentifier(uri=domain),
                "position": editors.position(text, end),
            }
            await editor.client.text_document_completion_async(lsp.CompletionParams(**asked))
            await editor.client.text_document_hover_async(lsp.HoverParams(**asked))
            await editor.client.text_document_definition_async(lsp.DefinitionParams(**asked))
            if end % 5 == 0:
                await editor.client.text_document_document_symbol_async(
                    lsp.DocumentSymbolParams(text_document=asked["text_document"])
                )
        editor.replace(domain, text)
        for _ in range(200):
            editor.edit(domain, "🤖 robot", "🤖 robott")
            editor.edit(domain, "🤖 robott", "🤖 robot")
        assert await editor.diagnostics(domain) == []
        editor.edit(domain, "(in ?p ?room) (kettle", "(inn ?p ?room) (kettle")
        (wrong,) = await editor.diagnostics(domain)
        assert editor.cut(domain, wrong.range) == "inn"
        for strange in ("", ")", "((((", "(" * 5000, "\x00", ";", "(define (problem p) (:domain gone))"):
            editor.replace(problem, strange)
            assert await editor.diagnostics(problem)

    session(script)


@pytest.mark.slow
def test_a_file_of_five_megabytes_is_read_and_asked_about(session):
    async def script(editor, domain, problem):
        facts = "\n".join(f"  (door r{number} r{number + 1})" for number in range(170_000))
        rooms = " ".join(f"r{number}" for number in range(170_001))
        text = f"(define (problem big) (:domain tea-round)\n(:objects {rooms} - room)\n(:init\n{facts}))\n"
        assert len(text) > 5_000_000
        editor.replace(problem, text)
        assert await editor.diagnostics(problem) == []
        editor.edit(problem, "(door r7 r8)", "(door r7 q8)")
        (wrong,) = await editor.diagnostics(problem)
        assert editor.cut(problem, wrong.range) == "q8"
        about = await editor.client.text_document_hover_async(
            lsp.HoverParams(**editor.at(problem, "(door r9 ", within=7))
        )
        assert "r9 - room" in about.contents.value

    session(script)
