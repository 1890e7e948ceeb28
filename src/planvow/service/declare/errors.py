"""Errors of the service."""

from __future__ import annotations

from planvow.errors import InputError, RefusedError


class UnknownDocumentError(InputError):
    """No document of this name is known here.

    Plans and certificates are kept by the process that made them, for a while, under the hash in its answer. Ask for
    the plan again: the same question gives the same hash.
    """

    code = "UNKNOWN_DOCUMENT"


class UnknownDomainError(InputError):
    """No Python domain of this name was given at the start or is installed.

    Domains are code, so a question cannot bring one along. Whoever starts the program names them (`--domain
    MODULE.py`), or installs a package with the entry point `planvow.domains`. `list_planners` lists those there are.
    """

    code = "UNKNOWN_DOMAIN"


class RightMissingError(RefusedError):
    """Who asks may not do this here.

    Posting plans and answering questions must be allowed by whoever started the program: `planvow mcp --allow-post`.
    """

    code = "RIGHT_MISSING"
