"""What workers do for the operations of governed requests, inside a root.

Reads give the planned piece or fail; they never give other text. Writes replace a file atomically, patches only lines
that are there and only in the file the plan was made for; a worker that died after the change and before its receipt is
recognised, so the change is made once. Whatever changes or runs something is done only under the policy it was planned
under. Outputs hold no absolute paths and no times: the same step on the same files gives the same receipt body.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from planvow.canonical import canonical_json
from planvow.cassette.errors import PathRefusedError
from planvow.cassette.files.below_root import Root
from planvow.cassette.work.values import Handler, StepContext, StepResult
from planvow.governed.errors import OperationError, PolicyChangedError
from planvow.governed.operation_kinds import OPERATIONS, Turn
from planvow.governed.run.patching import patched, remembered_change
from planvow.governed.run.run_test import run_test  # noqa: F401  found by name in the table below
from planvow.governed.run.workshop import Workshop
from planvow.governed.sections.policy import Policy
from planvow.governed.substrate.working_tree import open_working_tree

MAX_CONTENT_IN_RECEIPT = 262_144  # a receipt has at most a mebibyte; longer pieces are named by their hash
GOVERNED_BY_POLICY = frozenset(name for name, kind in OPERATIONS.items() if kind.turn in (Turn.WRITE, Turn.TEST))
"""What changes or runs something: it is done only under the policy it was planned under."""


Operation = Callable[[Workshop, Policy, Mapping[str, Any], StepContext], StepResult]


def governed_handlers(shop: Workshop) -> Mapping[str, Handler]:
    """Return the operations for a worker."""
    return dict.fromkeys(OPERATIONS_BY_NAME, partial(perform, shop))


def perform(shop: Workshop, step: StepContext) -> StepResult:
    """Carry out one claimed step and hold the outcome to what the plan expects, or raise."""
    claim, expected = step.claim, step.payload["expected_outputs"]
    policy = shop.policy() if claim.op in GOVERNED_BY_POLICY else Policy()
    if claim.op in GOVERNED_BY_POLICY and step.payload.get("policy_hash") != policy.policy_hash:
        raise PolicyChangedError(f"{claim.op} was planned under another policy than planvow.toml has now; plan again")
    done = OPERATIONS_BY_NAME[claim.op](shop, policy, step.payload["refs"], step)
    for name in sorted(expected.keys() & done.output.keys()):
        if done.output[name] != expected[name]:
            raise OperationError(
                f"{claim.op} gave {name} = {done.output[name]!r:.80}, the plan expects {expected[name]!r:.80}"
            )
    missing = [n for n in step.payload["constraints"].get("required_outputs", ()) if n not in done.output]
    if missing:
        raise OperationError(f"{claim.op} gave no {missing[0]!r}, which the step requires")
    return done


def read_piece(shop: Workshop, policy: Policy, refs: Mapping[str, Any], step: StepContext) -> StepResult:
    """READ_SECTION and READ_SYMBOL: the section and slice the plan names, checked against its hash."""
    with open_working_tree(shop.root, kind=shop.substrate, data_folder=shop.data_folder) as tree:
        section = tree.section(refs["section_id"])
        piece = tree.expand(section, refs.get("slice"))
    output: dict[str, Any] = {
        "file_path": section.file_path,
        "content_hash": piece.content_hash,
        "bytes": piece.bytes_applied,
        "lines": piece.lines_applied,
        "slice": piece.slice,
    }
    if piece.bytes_applied <= MAX_CONTENT_IN_RECEIPT:
        output["content"] = piece.content
    return StepResult(output=output, bytes_used=piece.bytes_applied)


def write_file(shop: Workshop, policy: Policy, refs: Mapping[str, Any], step: StepContext) -> StepResult:
    """WRITE_FILE: create or replace, after a look at whether an earlier attempt already did."""
    data = refs["content"].encode("utf-8")
    wanted = hashlib.sha256(data).hexdigest()
    with shop.open_root(policy, step.claim.job_id) as root:
        _check_write(policy, root, refs["file_path"])
        if _hash_now(root, refs["file_path"]) != wanted:
            root.change(
                refs["file_path"],
                lambda _old: data,
                token=step.attempt_token,
                expected_sha256=refs.get("file_hash"),
                may_create=True,
                make_folders=True,
            )
    return StepResult(output={"file_path": refs["file_path"], "file_hash": wanted, "bytes": len(data)})


def patch_file(shop: Workshop, policy: Policy, refs: Mapping[str, Any], step: StepContext) -> StepResult:
    """PATCH_FILE: replace a range of lines, once, in the file the plan was made for."""
    first, last = refs["patch_start_line"], refs["patch_end_line"]
    claim = step.claim
    with shop.open_root(policy, claim.job_id) as root:
        _check_write(policy, root, refs["file_path"])
        before = root.read(refs["file_path"])
        change = remembered_change(
            shop.data_folder / "patches" / f"{claim.job_id}.{claim.ordinal}",
            before,
            lambda old: patched(old, first, last, refs["content"], place=refs["file_path"]),
            expected_sha256=refs.get("file_hash"),
            place=refs["file_path"],
        )
        if change is None:
            after = before
        else:
            after = change
            root.change(
                refs["file_path"],
                lambda _old: change,
                token=step.attempt_token,
                expected_sha256=hashlib.sha256(before).hexdigest(),
            )
    return StepResult(
        output={
            "file_path": refs["file_path"],
            "file_hash": hashlib.sha256(after).hexdigest(),
            "bytes": len(after),
        }
    )


def note(shop: Workshop, policy: Policy, refs: Mapping[str, Any], step: StepContext) -> StepResult:
    """NOTE: nothing to do; the receipt shows that it was passed."""
    return StepResult(output={"message_hash": hashlib.sha256(canonical_json(refs["message"]).encode()).hexdigest()})


# Whoever declares an operation without writing its function is told so here, at import.
OPERATIONS_BY_NAME: Mapping[str, Operation] = {kind.name: globals()[kind.handler] for kind in OPERATIONS.values()}


def _check_write(policy: Policy, root: Root, path: str) -> None:
    """Hold the step to what planning already held it to, and to what only a worker sees: links, and its own files."""
    root.check_open(path)
    refusal = policy.refusal(path)
    if refusal is not None:
        raise PathRefusedError(f"{path[:80]!r}: {refusal}")


def _hash_now(root: Root, path: str) -> str | None:
    try:
        return hashlib.sha256(root.read(path)).hexdigest()
    except PathRefusedError:
        return None  # missing or unreadable: writing will say what is wrong
