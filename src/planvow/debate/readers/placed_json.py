"""JSON whose strings know where they stand in the document.

The transcript is the document as given, so the words of an utterance must be found again inside its string literals,
escapes and all. `json.loads` judges whether the document is JSON; this module then walks the tokens, without
recursion.
"""

from __future__ import annotations

import json
import re
from typing import Any

from planvow.debate.errors import TranscriptError
from planvow.debate.readers.clean import Chunk

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+')
_ESCAPE = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.")


class PlacedText(str):
    """A string of the document with the offset of its first character behind the quote."""

    raw_start: int
    literal: str

    def chunk(self, *, start_ms: int | None = None, end_ms: int | None = None) -> Chunk:
        """Return the string as a chunk of words; each escape keeps its raw length."""
        escapes = []
        shift = 0  # how much longer the raw form has become so far
        content: list[str] = []
        length = at = 0
        for match in _ESCAPE.finditer(self.literal):
            plain = self.literal[at : match.start()]
            content.append(plain)
            length += len(plain)
            character = _unescape(match.group())
            escapes.append((length, self.raw_start + match.start(), len(match.group())))
            content.append(character)
            length += 1
            shift += len(match.group()) - 1
            at = match.end()
        content.append(self.literal[at:])
        return Chunk(
            content="".join(content),
            raw_start=self.raw_start,
            escapes=tuple(escapes),
            starts_cue=True,
            start_ms=start_ms,
            end_ms=end_ms,
        )


def parse_placed(text: str) -> Any:
    """Parse a JSON document into dicts, lists, numbers and placed strings."""
    try:
        json.loads(text.lstrip("\ufeff"))
    except json.JSONDecodeError as error:
        raise TranscriptError(f"not JSON: {error.msg}", place=f"line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise TranscriptError("the JSON is nested too deeply to be a transcript") from None
    except ValueError:  # Python refuses numbers of thousands of digits
        raise TranscriptError("the JSON has a number too long to be a time") from None
    stack: list[Any] = []
    keys: list[str | None] = []
    root: Any = None
    key: str | None = None
    awaiting_key = False
    for match in _TOKEN.finditer(text.replace("\ufeff", " ", 1) if text.startswith("\ufeff") else text):
        token = match.group()
        if token == ":":
            awaiting_key = False
            continue
        if token == ",":
            awaiting_key = isinstance(stack[-1], dict)
            continue
        if token in "}]":
            stack.pop()
            key = keys.pop()
            awaiting_key = False
            continue
        if token[0] == '"' and awaiting_key:
            key = json.loads(token)
            continue
        value: Any = {} if token == "{" else [] if token == "[" else _scalar(token, match.start())
        if not stack:
            root = value
        elif isinstance(stack[-1], dict):
            stack[-1][key] = value
        else:
            stack[-1].append(value)
        if token in "{[":
            stack.append(value)
            keys.append(key)
            awaiting_key = token == "{"
    return root


def _scalar(token: str, start: int) -> Any:
    if token[0] != '"':
        return json.loads(token)
    placed = PlacedText(json.loads(token))
    placed.raw_start = start + 1
    placed.literal = token[1:-1]
    return placed


def _unescape(escape: str) -> str:
    character: str = json.loads(f'"{escape}"')
    return character if not 0xD800 <= ord(character) <= 0xDFFF else "\ufffd"  # half of a pair is no character
