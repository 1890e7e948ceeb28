"""Opening apps and addresses the way this platform does. Never through a shell; arguments are passed as they are."""

from __future__ import annotations

import shutil
import subprocess
import sys

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


def open_with_platform(app: str, url: str | None) -> str:
    """Start an app, or open an address with it (or with the default program when the app is not there)."""
    program = next((found for name in _COMMANDS.get(app, (app,)) if (found := shutil.which(name))), None)
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


def _default_opener() -> str | None:
    return shutil.which("open") if sys.platform == "darwin" else shutil.which("xdg-open")
