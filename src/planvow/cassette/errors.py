"""What the ledger refuses, each refusal with its own code, so that a caller can tell a lost lease from a wrong
token."""

from __future__ import annotations

from planvow.errors import EXIT_INTERNAL, EXIT_INVALID, EXIT_REFUSED, InputError, PlanvowError, RefusedError


class CassetteError(PlanvowError):
    """The ledger could not do what was asked.

    The message says which rule or which file stopped it. Nothing was written: each change of the ledger is one
    transaction that happens wholly or not at all.
    """

    code = "CASSETTE"
    exit_code = EXIT_INTERNAL


class IdempotencyConflictError(RefusedError):
    """The same run and idempotency key were already used for another request.

    A key names one request for ever. The stored request is unchanged. Use a new key for the new request, or send
    the old request again to get its ids back.
    """

    code = "IDEMPOTENCY_CONFLICT"


class ArchivedError(RefusedError):
    """The request was stored before, carried out and moved into an archive.

    A run and key name one request for ever, also after its rows have left the ledger. What it did stands in its bundle;
    its place in the log is still here. Use a new key to have something done again.
    """

    code = "ARCHIVED"


class UnknownStepError(InputError):
    """The ledger has no such step, job, run or request.

    Check the ids; `planvow cassette status` lists what is stored.
    """

    code = "UNKNOWN_STEP"


class AmbiguousIdError(InputError):
    """A shortened id stands for more than one job or step.

    The message names those that begin so. Give more of the id, or name a step by its job and number: JOB/3.
    """

    code = "AMBIGUOUS_ID"


class NoLedgerError(InputError):
    """There is no ledger at the place that was named, and a command that only looks makes none.

    A ledger comes into being when the first plan is stored, in the data folder of the repository unless `--store` or
    PLANVOW_CASSETTE names another place. Check that place, or post a plan first.
    """

    code = "NO_LEDGER"


class BadOutcomeError(InputError):
    """A completion must say SUCCESS, FAILURE or ABORTED.

    SUCCESS commits the step, FAILURE records that it went wrong, ABORTED hands it back untouched.
    """

    code = "BAD_OUTCOME"


class LeaseError(RefusedError):
    """A worker tried to change a step that it does not hold.

    The step was given to somebody else, or is finished. The worker must drop its result: another worker's
    receipt stands or will stand for this step.
    """

    code = "LEASE"


class NotLeasedError(LeaseError):
    """The step is not leased to anybody: it is waiting, finished or was put back after its lease ran out.

    A result that arrives now is not recorded. Claim the step again if it is still pending.
    """

    code = "NOT_LEASED"


class WrongWorkerError(LeaseError):
    """The step is leased, but to another worker.

    Worker ids are unique per process; two processes must never share one.
    """

    code = "WRONG_WORKER"


class StaleFenceError(LeaseError):
    """The fencing token is not the one of the current lease.

    The lease ran out and the step was claimed again since. The newer claim decides; this result is dropped.
    """

    code = "STALE_FENCE"


class ReceiptConflictError(LeaseError):
    """This lease was already completed with a different result.

    Sending the same completion twice is harmless and returns the stored receipt. Sending another one is refused.
    """

    code = "RECEIPT_CONFLICT"


class JobBudgetError(RefusedError):
    """The job has used up the bytes its plan allows.

    The step was not committed. The limit is `max_bytes` of the plan's budgets, counted over all committed steps.
    """

    code = "JOB_BUDGET"


class EndedAlreadyError(RefusedError):
    """The job has ended, so it can be neither cancelled nor moved in the queue.

    All its steps are committed, failed, skipped or cancelled. `planvow cassette show` says how it went.
    """

    code = "ENDED_ALREADY"


class ForkRefusedError(CassetteError):
    """A process with an open ledger tried to fork, or a forked child tried to use its parent's ledger.

    Database connections do not survive a fork: with SQLite, acknowledged commits get lost without a trace. Close the
    ledger first, or start the process with `subprocess` or the "spawn" method of multiprocessing.
    """

    code = "FORK_REFUSED"


class MigrationError(CassetteError):
    """The ledger's schema does not fit this version of planvow.

    Either it was made by a newer version (update planvow), or by an older one and this role may not bring it up to date
    (let its owner open it once), or a recorded migration differs from the one shipped (the installation or the ledger
    was changed by hand). Nothing was written.
    """

    code = "MIGRATION"


class RoleMissingError(CassetteError):
    """The database login may not do this: it lacks the part of the ledger's work that it is about.

    The message names the function it may not call. The ledger's owner gives parts to logins with `planvow cassette
    grant LOGIN PART`. A server that posts needs `planner` and `worker`, one that decides `approver` and `operator` too.
    """

    code = "ROLE_MISSING"


class LedgerBusyError(CassetteError):
    """The database stayed locked by others for longer than the waiting time.

    Usually a long backup or a stopped process holds the lock. Trying again is safe.
    """

    code = "LEDGER_BUSY"
    retryable = True


class LedgerUnreachableError(CassetteError):
    """The connection to the database is gone or could not be made.

    Trying again is safe: a post with the same key and a completion with the same token are recognised, whether or not
    the first attempt had arrived.
    """

    code = "LEDGER_UNREACHABLE"
    retryable = True


class StorageError(CassetteError):
    """The disk could not take what was to be written: it is full, read-only or broken.

    What was acknowledged before is kept, what was being written is not there. Make room or mend the disk, then do the
    same again.
    """

    code = "STORAGE"


class CommitFailedError(StorageError):
    """The database worked on everything that was asked for and then could not commit it.

    Its disk may be full, its machine may be going down, or a rule that it checks last was broken; the message says
    which. Nothing of it is stored. Trying again is safe, and workers do so.
    """

    code = "COMMIT_FAILED"
    retryable = True


class TamperedError(RefusedError):
    """The ledger's contents do not fit its hashes, or break a rule it enforces.

    Somebody changed stored rows, or the storage is damaged. `planvow cassette verify` lists every finding.
    """

    code = "TAMPERED"
    exit_code = EXIT_REFUSED


class PathRefusedError(RefusedError):
    """A path of a step leads, or might lead, outside its root.

    Paths are relative, use "/" only, contain no "..", name no symbolic link on the way, and end in a regular file.
    """

    code = "PATH_ESCAPES"


class FileChangedError(RefusedError):
    """A file is not in the state the step was planned for.

    Its content hash or its number of lines differs from what the plan expects. Plan again on the current files.
    """

    code = "FILE_CHANGED"


class NotContainedError(RefusedError):
    """A command was not run, because what it does could not be contained on this machine.

    Commands run in namespaces that bubblewrap makes (`bwrap`, the Debian package bubblewrap). The message says what is
    missing. Install it, or run the worker where user namespaces are allowed. Where the policy says `uncontained = true`
    under `[run_test]`, commands run without: with the worker's network and files.
    """

    code = "NOT_CONTAINED"


class CommandEndedError(RefusedError):
    """A command could not be started, or was ended because it went beyond one of its limits.

    The message names the limit: time, processes or memory. Nothing it started is left. Raise the limit if that much is
    meant, or mend the command. `printed` is the end of what it had printed until then.
    """

    code = "COMMAND_ENDED"
    printed: bytes = b""


class UnknownOperationError(InputError):
    """A plan was to be stored and run at once, and some of its operations have no function here.

    Nothing was stored or run. Store the plan without running it, and run a worker that has functions of these names
    (`cassette work --operations`).
    """

    code = "UNKNOWN_OPERATION"
    exit_code = EXIT_INVALID


class NothingToDecideError(RefusedError):
    """There is no open question here that this decision answers.

    The plan or step needs no approval, was decided already, is running or finished, or the decision was made for
    another plan or an earlier question. `planvow cassette approvals` lists what waits for a person.
    """

    code = "NOTHING_TO_DECIDE"


class PrivateLeakError(RefusedError):
    """Something private stands where it would become part of the chain, which nothing can be erased from.

    The place is named. Declare that argument private as well, keep the value out of the request, or do not declare it
    private. Nothing was stored.
    """

    code = "PRIVATE_LEAK"


class ErasedError(RefusedError):
    """What is needed here was private and has been erased.

    The chain still shows that it was there, and who erased it when. A step whose argument was erased cannot run.
    """

    code = "ERASED"


class UnregisteredKeyError(RefusedError):
    """A worker was started with a key that is registered for no name, or not any more.

    The owner of the ledger registers it: `planvow cassette worker-key NAME KEY.pub`. Each name has one key at a time;
    the last one that was registered is in force.
    """

    code = "UNREGISTERED_KEY"


class SignatureError(RefusedError):
    """A signature is missing, malformed, or not made with an accepted key.

    Nothing inside the envelope may be trusted.
    """

    code = "SIGNATURE"
