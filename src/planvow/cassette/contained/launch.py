"""The first program inside: sets its own limits, then becomes the command.

It is started with its text alone (`python -c`), so it imports nothing of planvow, and gets one argument, a JSON
object, of limits and of the pipe on which it says that it started and, if so, why the command could not. Nobody can
raise the limits again.
"""

import json
import os
import resource
import sys


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
    for name, most in wanted["limits"].items():
        set_limit(name, most)
    os.set_inheritable(wanted["pipe"], False)
    os.write(wanted["pipe"], b"+")
    try:
        os.execvp(command[0], command)
    except OSError as error:
        os.write(wanted["pipe"], str(error.strerror).encode())
        sys.exit(127)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
