"""Templates into pages: everything is escaped, nothing is fetched from elsewhere, and what is invisible is shown."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import urlencode

from jinja2 import BaseLoader, Environment, TemplateNotFound
from markupsafe import Markup

from planvow._version import __version__
from planvow.adapters.console.views.texts import moment, shortened, span_text

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cache-Control": "no-store",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
}
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")


def visible(text: str) -> str:
    """Return a text in which what turns directions, hides or controls stands as its number: names cannot pretend."""
    return _UNSEEN.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", text)


def page(name: str, /, **values: Any) -> str:
    """Return a page from its template and a view."""
    return environment().get_template(name).render(**values)


@cache
def environment() -> Environment:
    """Return what reads templates: autoescape for every file, no undefined names."""
    from jinja2 import StrictUndefined

    made = Environment(
        loader=_Packaged(),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalized,
    )
    made.filters.update(moment=moment, span=span_text, short=shortened, pretty=pretty)
    made.globals.update(at=address, version=__version__)
    return made


def _finalized(value: Any) -> Any:
    if isinstance(value, Markup):
        return value
    return visible(value) if isinstance(value, str) else value


class _Packaged(BaseLoader):
    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Any]:
        found = files("planvow.adapters.console").joinpath("templates", template)
        if not found.is_file():
            raise TemplateNotFound(template)
        return found.read_text("utf-8"), template, lambda: True


def pretty(value: Any) -> str:
    """Return JSON data for people to read."""
    return json.dumps(value, indent=2, ensure_ascii=False, default=str)


def address(place: str, /, **query: Any) -> str:
    """Return the address of a page; whatever a name holds, it stays inside its value."""
    given: Mapping[str, str] = {name: str(value) for name, value in query.items() if value not in (None, "")}
    return f"/console/{place}{f'?{urlencode(given)}' if given else ''}"


def static(name: str) -> bytes | None:
    """Return a static file by its name, None where there is none."""
    return _statics().get(name)


@cache
def _statics() -> dict[str, bytes]:
    """Return all of them; what is asked for is never a key of its own, since anybody can ask for anything."""
    kept = files("planvow.adapters.console").joinpath("static").iterdir()
    return {file.name: file.read_bytes() for file in kept if re.fullmatch(r"[a-z_]+\.(css|js|svg)", file.name)}
