"""Something a reader of the analysis must know: a limit that cut it, a step that failed, a guess that was made."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from planvow.debate.artifacts.base import Artifact


@dataclass(kw_only=True)
class DiagnosticArtifact(Artifact):
    """A remark about the analysis itself.

    >>> DiagnosticArtifact(artifact_id="d", diagnostic_type="budget", message="cut short").severity
    'error'
    """

    diagnostic_type: str
    message: str
    context: dict[str, Any] = field(default_factory=dict)
    severity: str = "error"
