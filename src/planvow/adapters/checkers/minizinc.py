"""A second opinion on certificates from MiniZinc, a constraint solver that shares nothing with planvow.

The model `certificate.mzn` states every condition but the hashes and the proof of the initial facts, which is made of
hashes; this module hands numbers over and reads the answer. It needs the `minizinc` package (extra `[verify]`) and the
MiniZinc program itself.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from planvow.adapters.checkers.minizinc_data import certificate_data
from planvow.adapters.checkers.minizinc_data_1 import data_of_version_1
from planvow.contract.checking.form import CONTRACT, FORMAT, well_formed
from planvow.contract.checking.form_1 import FORMAT as FORMAT_1
from planvow.contract.checking.form_1 import well_formed as well_formed_1
from planvow.contract.checking.verdict import judged, not_proved
from planvow.errors import InputError, MissingExtraError
from planvow.verdict import Fault, Verdict

CONDITIONS = {
    FORMAT_1: ("decomposition", "order", "reads", "goals", "schedule"),
    FORMAT: (
        "decomposition", "order", "status", "initial", "reads", "goals",
        "duration", "deadline", "schedule", "relation", "entities", "causality",
    ),
}  # fmt: skip
_MODELS = {FORMAT_1: ("certificate_1.mzn", data_of_version_1), FORMAT: ("certificate.mzn", certificate_data)}


def check_with_minizinc(document: Any, *, solver: str = "gecode") -> Verdict:
    """Check a certificate with MiniZinc; raise MissingExtraError where it is not installed."""
    form = document.get("format") if isinstance(document, dict) else None
    malformed = well_formed_1(document) if form == FORMAT_1 else well_formed(document)
    unproved = not_proved(document)
    if malformed is not None:
        return judged("minizinc", malformed, not_proved=unproved)
    if document.get("kind") == CONTRACT:
        if document["derivation"] is None:
            raise InputError("a plan that did not come out of a domain has no model to solve", place="$.derivation")
        return check_with_minizinc(document["derivation"], solver=solver)
    name, data_of = _MODELS[str(form)]
    answer = _solve(model_text(name), data_of(document), solver)
    broken = next((word for word in CONDITIONS[str(form)] if answer.get(word) != "true"), None)
    if broken is None:
        return judged("minizinc", None, not_proved=unproved)
    fault = Fault(condition=broken, place=name, message=f"the solver finds {broken} violated")
    return judged("minizinc", fault, not_proved=unproved)


def model_text(name: str = "certificate.mzn") -> str:
    """Return a MiniZinc model."""
    return files("planvow.adapters.checkers").joinpath(name).read_text(encoding="utf-8")


def data_text(data: Mapping[str, Any]) -> str:
    """Return the data in MiniZinc's own notation: its JSON reader cuts numbers off at 32 bits (seen in 2.6.4)."""
    return "".join(f"{name} = {_written(value)};\n" for name, value in data.items())


def _written(value: Any) -> str:
    if isinstance(value, set | frozenset):
        return f"{{{', '.join(map(str, sorted(value)))}}}"
    if isinstance(value, list) and value and isinstance(value[0], list):
        flat = ", ".join(_written(part) for row in value for part in row)
        return f"array2d(1..{len(value)}, 1..{len(value[0])}, [{flat}])"
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _solve(model_of: str, data: Mapping[str, Any], solver: str) -> dict[str, str]:
    try:
        with warnings.catch_warnings():  # that the program is missing is said below
            warnings.simplefilter("ignore", RuntimeWarning)
            import minizinc
    except ImportError:
        raise MissingExtraError("minizinc", extra="verify", purpose="checking with MiniZinc") from None
    try:
        chosen = minizinc.Solver.lookup(solver) if minizinc.default_driver is not None else None
    except (minizinc.error.ConfigurationError, LookupError):
        chosen = None
    if chosen is None:
        raise _missing_program(solver)
    model = minizinc.Model()
    model.add_string(model_of)
    model.add_string(data_text(data))
    instance = minizinc.Instance(chosen, model)
    with warnings.catch_warnings():  # remarks of the solver library about its own files are not the user's business
        warnings.simplefilter("ignore", minizinc.error.MiniZincWarning)
        result = instance.solve()
    lines = str(result.solution).split("\n") if result.solution is not None else []
    return dict(line.split(" ", 1) for line in lines if " " in line)


def _missing_program(solver: str) -> MissingExtraError:
    error = MissingExtraError("minizinc", extra="verify", purpose="checking with MiniZinc")
    error.message = f"checking with MiniZinc needs the program minizinc with the solver {solver}, which was not found"
    error.hint = "install it (Debian: apt-get install minizinc) and put it on the PATH; --minizinc is optional"
    return error
