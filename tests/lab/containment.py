"""Whether commands can be contained on this machine, for tests that need it."""

from __future__ import annotations

from pathlib import Path

import pytest

from planvow.cassette.contained.bubblewrap import containment

NAMESPACES = containment(Path(__file__).parent)
needs_namespaces = pytest.mark.skipif(
    NAMESPACES.program is None,
    reason=f"no namespaces here, says planvow.cassette.contained.bubblewrap.containment: {NAMESPACES.reason}",
)
