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
    status: str,
    reason: str,
    explanation: str,
    title: str,
    certificate: Mapping[str, Any] | None = None,
    details: Mapping[str, Any] | None = None,
    verdict: Mapping[str, Any] | None = None,
    texts: Mapping[str, str] | None = None,
    remark: str = "",
) -> str:
    """Return the report of a plan, or of why there is none.

    `texts` are what else can be copied out of it, `remark` is what else is to be said of its proof.
    """
    view, shown = None, None
    details = details or {}
    if certificate is not None:
        shown = {**certificate, **(details.get("derivation") or {})}
        view = plan_view(
            shown,
            decisions=details.get("decisions") or (),
            order=details.get("order"),
            times=details.get("times") or (),
            address=lambda node: f"#n{node}",
        )
    style, script = _text("console.css"), _text("tree.js")
    parts = [part for part in _PARTS if _has(view, part[0], bool(verdict or remark))]
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
        remark=remark,
        exports={**_exports(certificate, shown), **(texts or {})},
        address=lambda node: f"#n{node}",
    )


def _has(view: Any, part: str, is_judged: bool) -> bool:
    if view is None:
        return part == "proof" and is_judged
    held = {"tree": view.tree, "times": view.chart, "order": view.graph}
    return part not in held or held[part] is not None


def _exports(certificate: Mapping[str, Any] | None, shown: Mapping[str, Any] | None) -> dict[str, str]:
    """Return what can be copied out of the report: pictures of the plan as it is shown, and its certificate."""
    if certificate is None or shown is None:
        return {}
    kept = {"certificate": json.dumps(certificate, ensure_ascii=False, separators=(",", ":"))}
    return {"Mermaid": exported("mermaid", shown), "DOT": exported("dot", shown), **kept}


def _text(name: str) -> str:
    return (static(name) or b"").decode("utf-8")


def _digest(text: str) -> str:
    return f"sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
