"""YAML files as the JSON data they stand for: most OpenAPI documents are written so (extra `[yaml]`).

Plain words are read by the rules of JSON, as OpenAPI asks for: `no`, `on` and dates are texts, keys are texts as they
are written. What JSON cannot say (a key twice, anchors, tags) is refused, not guessed.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from planvow.adapters.machine.files import parse_json, read_text
from planvow.errors import InputError, MissingExtraError

_TEXT = "tag:yaml.org,2002:str"
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_WORDS = {"": None, "~": None, "null": None, "true": True, "false": False}


def read_data(path: Path) -> Any:
    """Read a file of JSON data: YAML if its name ends in .yaml or .yml, else JSON."""
    text = read_text(path)
    return parse_yaml(text, place=str(path)) if path.suffix in (".yaml", ".yml") else parse_json(text, place=str(path))


def parse_yaml(text: str, *, place: str) -> Any:
    """Return the JSON data of a YAML text, or raise InputError with the line and column of the fault."""
    try:
        import yaml
    except ImportError:
        raise MissingExtraError("pyyaml", extra="yaml", purpose="reading YAML") from None
    try:
        return _Reading(text, place).value(yaml.compose(text, Loader=yaml.BaseLoader))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = place if mark is None else f"{place}:{mark.line + 1}:{mark.column + 1}"
        raise InputError(f"not YAML: {error.problem or error.context}", place=where) from None
    except yaml.YAMLError as error:
        raise InputError(f"not YAML: {str(error).splitlines()[0]}", place=place) from None
    except RecursionError:
        raise InputError("YAML is nested too deeply", place=place) from None


class _Reading:
    """One document: its nodes become values."""

    def __init__(self, source: str, place: str) -> None:
        self._source, self._place = source, place
        self._seen: set[int] = set()

    def value(self, node: Any) -> Any:
        if node is None:
            raise InputError("the file holds nothing", place=self._place)
        if node.id == "scalar":
            return self._plain(node) if node.style is None else self._text(node)
        if id(node) in self._seen:
            raise self._fault("an alias (*name) is not read", node, hint="write it out where it is used")
        self._seen.add(id(node))
        if not node.tag.startswith("tag:yaml.org,2002:"):
            raise self._fault(f"the tag {node.tag!r:.40} is not read", node)
        return [self.value(part) for part in node.value] if node.id == "sequence" else self._object(node)

    def _object(self, node: Any) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in node.value:
            if key.id != "scalar" or (key.value == "<<" and key.style is None):
                raise self._fault("a key is a text", key, hint="merge keys (<<) are not read: write it out")
            if key.value in found:
                raise self._fault(f"the key {key.value!r:.80} stands twice in one object", key)
            found[key.value] = self.value(value)
        return found

    def _plain(self, node: Any) -> Any:
        text = self._text(node)
        if self._source.startswith("!", node.start_mark.index):  # somebody says that it is a text
            return text
        if text in _WORDS:
            return _WORDS[text]
        if not _NUMBER.fullmatch(text):
            return text
        try:
            return json.loads(text)
        except ValueError as error:  # thousands of digits
            raise self._fault(f"not usable as a number: {error}", node) from None

    def _text(self, node: Any) -> str:
        if node.tag not in (_TEXT, "!"):
            raise self._fault(f"the tag {node.tag!r:.40} is not read", node)
        return str(node.value)

    def _fault(self, message: str, node: Any, *, hint: str | None = None) -> InputError:
        mark = node.start_mark
        return InputError(message, place=f"{self._place}:{mark.line + 1}:{mark.column + 1}", hint=hint)
