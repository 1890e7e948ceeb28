"""The first program inside: leaves the worker's keys behind, sets its own limits, then becomes the command.

It is started with its text alone (`python -c`), so it imports nothing of planvow, and gets one argument, a JSON
object, of limits and of the pipe on which it says that it started and, if so, why the command could not. Nobody can
raise the limits again.
"""

import ctypes
import errno
import json
import os
import resource
import sys

JOIN_SESSION_KEYRING = 1
KEYCTL = {"x86_64": 250, "aarch64": 219, "riscv64": 219, "ppc64le": 271, "s390x": 280, "i686": 288, "armv7l": 311}
NO_KEYS = (errno.ENOSYS, errno.EPERM)  # the kernel has none, or lets nobody here ask for one


def leave_keys() -> None:
    """Begin an empty keyring: no namespace keeps a command from the one that it inherits."""
    number = KEYCTL.get(os.uname().machine)
    if sys.platform != "linux" or number is None:
        return
    answer = ctypes.CDLL(None, use_errno=True).syscall(number, JOIN_SESSION_KEYRING, None)
    if answer < 0 and ctypes.get_errno() not in NO_KEYS:
        raise OSError(ctypes.get_errno(), "the worker's keyring cannot be left behind")


def set_limit(name: str, most: int) -> None:
    """Lower one limit; a system that does not know it, or allows less already, is left as it is."""
    kind = getattr(resource, f"RLIMIT_{name}", None)
    if kind is None:
        return
    _, hard = resource.getrlimit(kind)
    if hard == resource.RLIM_INFINITY or most < hard:
        resource.setrlimit(kind, (most, most))


def main(order: str, command: list[str]) -> None:
    """Become the command, or say on the pipe what the system answered."""
    wanted = json.loads(order)
    os.set_inheritable(wanted["pipe"], False)
    os.write(wanted["pipe"], b"+")
    try:
        leave_keys()
        for name, most in wanted["limits"].items():
            set_limit(name, most)
        os.execvp(command[0], command)
    except OSError as error:
        os.write(wanted["pipe"], str(error.strerror).encode())
        sys.exit(127)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
