"""The form of plan certificates as a JSON Schema, for readers who do not use planvow.

It is written from `form`, so it says the same. What a certificate must keep beyond its form (supported
reads, closed decomposition, schedule, hash) no schema can say; the checkers do.
"""

from __future__ import annotations

from typing import Any

from planvow.contract.checking.form import CERTIFICATE, CONTRACT_CERTIFICATE

CERTIFICATE_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": "urn:planvow:schema:certificate:2",
    "title": "Certificate",
    "oneOf": [CERTIFICATE.schema(), CONTRACT_CERTIFICATE.schema()],
}
