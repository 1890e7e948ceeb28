"""Documents as resources: `plan://HASH` and the like, read by the service."""

from __future__ import annotations

import json
from urllib.parse import unquote

import mcp_types as types

from planvow.service.common import domains
from planvow.service.declare.setting import Setting
from planvow.service.operations.documents import READ_DOCUMENT, SCHEMES, DocumentQuestion

JSON, TEXT = "application/json", "text/plain"


def templates() -> list[types.ResourceTemplate]:
    """Return the addresses that can be read."""
    return [
        types.ResourceTemplate(
            name=scheme, uri_template=f"{scheme}://{{name}}", description=words, mime_type=_kind(scheme)
        )
        for scheme, words in SCHEMES.items()
    ]


def resources(setting: Setting) -> list[types.Resource]:
    """Return what is there from the start: the domains."""
    return [
        types.Resource(name=name, uri=f"domain://{name}", description=f"The domain {name}", mime_type=JSON)
        for name in domains.names(setting)
    ]


def read(address: str, setting: Setting) -> types.ReadResourceResult:
    """Return the document at an address."""
    content = READ_DOCUMENT(DocumentQuestion(address=unquote(address)), setting).output.content
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False, sort_keys=True, indent=1)
    scheme = address.partition("://")[0]
    return types.ReadResourceResult(
        contents=[types.TextResourceContents(uri=address, text=text, mime_type=_kind(scheme))]
    )


def _kind(scheme: str) -> str:
    return TEXT if scheme == "error" else JSON
