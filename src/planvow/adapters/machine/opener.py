"""Opening apps and addresses the way this platform does, and seeing whether an app runs already.

Nothing goes through a shell; arguments are passed as they are.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from planvow.errors import RefusedError

_COMMANDS = {
    "chrome": ("google-chrome", "google-chrome-stable", "chromium", "chromium-browser", "chrome"),
    "edge": ("microsoft-edge", "msedge"),
    "vscode": ("code",),
    "calculator": ("gnome-calculator", "kcalc", "calc"),
    "notepad": ("gedit", "gnome-text-editor", "kate", "notepad"),
    "terminal": ("x-terminal-emulator", "gnome-terminal", "konsole", "xterm"),
    "explorer": ("nautilus", "dolphin", "explorer"),
}
_NAME_LENGTH = 15  # the kernel keeps no more of a process's name


def open_with_platform(app: str, url: str | None) -> str:
    """Start an app, or open an address with it (or with the default program when the app is not there)."""
    program = next((found for name in _COMMANDS.get(app.casefold(), (app,)) if (found := shutil.which(name))), None)
    if program is not None:
        command = [program, *([url] if url else [])]
    elif url is not None and (default := _default_opener()):
        command = [default, url]
    elif sys.platform == "darwin":
        command = ["open", "-a", app, *([url] if url else [])]
    else:
        raise RefusedError(f"no program called {app!r} was found", hint="install it, or name another one")
    subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    return f"started {app}" + (f" with {url}" if url else "")


def is_running(app: str) -> bool | None:
    """Say whether a program of this app runs now; None where this platform does not tell."""
    names = {name[:_NAME_LENGTH].casefold() for name in (app, *_COMMANDS.get(app.casefold(), ()))}
    processes = Path("/proc")
    if not (processes / "self" / "comm").exists():
        return None
    for entry in processes.iterdir():
        if entry.name.isdigit():
            with suppress(OSError):  # it ended meanwhile
                if (entry / "comm").read_text("utf-8", "replace").strip().casefold() in names:
                    return True
    return False


def _default_opener() -> str | None:
    return shutil.which("open") if sys.platform == "darwin" else shutil.which("xdg-open")
