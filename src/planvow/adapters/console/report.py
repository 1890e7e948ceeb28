"""A plan as one HTML file that needs no server: the console's components, with style and script inside."""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from planvow.adapters.console.frame.rendering import page, static
from planvow.adapters.console.views.pictures import exported
from planvow.adapters.console.views.plan import plan_view

_PARTS = (("tree", "Tree"), ("times", "Timeline"), ("order", "Order"), ("steps", "Steps"), ("proof", "Proof"))


def report(
    *,
    certificate: Mapping[str, Any] | None,
    details: Mapping[str, Any],
    verdict: Mapping[str, Any] | None,
    status: str,
    reason: str,
    explanation: str,
    title: str,
) -> str:
    """Return the report of a plan, or of why there is none."""
    view = None
    if certificate is not None:
        view = plan_view(
            certificate,
            decisions=details.get("decisions") or (),
            order=details.get("order"),
            times=details.get("times") or (),
            address=lambda node: f"#n{node}",
        )
    style, script = _text("console.css"), _text("tree.js")
    parts = [part for part in _PARTS if view is not None and _has(view, part[0])]
    policy = (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    return page(
        "report.html",
        policy=policy,
        style=Markup(style),
        script=Markup(script),
        view=view,
        parts=parts,
        verdict=verdict,
        status=status,
        reason=reason,
        explanation=explanation,
        title=title if view is None else view.title,
        exports=_exports(certificate),
        address=lambda node: f"#n{node}",
    )


def _has(view: Any, part: str) -> bool:
    held = {"tree": view.tree, "times": view.chart, "order": view.graph}
    return part not in held or held[part] is not None


def _exports(certificate: Mapping[str, Any] | None) -> dict[str, str]:
    """Return what can be copied out of the report."""
    if certificate is None:
        return {}
    kept = {"certificate": json.dumps(certificate, ensure_ascii=False, separators=(",", ":"))}
    return {"Mermaid": exported("mermaid", certificate), "DOT": exported("dot", certificate), **kept}


def _text(name: str) -> str:
    return (static(name) or b"").decode("utf-8")


def _digest(text: str) -> str:
    return f"sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
