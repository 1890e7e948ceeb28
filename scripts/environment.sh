# Sourced by scripts/demo and scripts/test: finds Python, makes a virtual environment and installs what a lock file lists.
# Idempotent: an environment that already matches its lock file is used as it is.
set -eu
cd "$(dirname "$0")/.."
# Commands are started by the thousand here: without compiled modules each start would compile them anew.
unset PYTHONDONTWRITEBYTECODE

say() {
    if [ -t 2 ] && [ -z "${NO_COLOR:-}" ]; then printf '\033[1m==>\033[0m %s\n' "$*" >&2; else printf '==> %s\n' "$*" >&2; fi
}

find_python() {
    for candidate in "${PYTHON:-}" python3 python3.13 python3.12 python3.11 python; do
        [ -n "$candidate" ] && command -v "$candidate" >/dev/null 2>&1 || continue
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            "$candidate" -c 'import sys; print(sys.executable)'
            return
        fi
    done
    say "Python 3.11 or newer is needed (set PYTHON to its path if it has an unusual name)"
    exit 1
}

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

# Debian packages, for the parts that are tested for real: a solver, a browser, what makes disks and clocks fail,
# and what contains commands.
debian() {
    missing=""
    for pair in "$@"; do command -v "${pair%%:*}" >/dev/null 2>&1 || missing="$missing ${pair#*:}"; done
    [ -z "$missing" ] && return
    command -v apt-get >/dev/null 2>&1 || { say "please install:$missing"; exit 1; }
    say "installing Debian packages:$missing"
    as_root apt-get update -qq
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive as_root apt-get install -y -qq $missing >/dev/null
}

# environment FOLDER LOCKFILE: a virtual environment with exactly what the lock file lists, and planvow itself.
environment() {
    folder=$1 lock=$2 python=$(find_python)
    stamp="$folder/.installed-$(cat "$lock" pyproject.toml | cksum | tr -d ' ')"
    if [ ! -e "$stamp" ]; then
        say "making $folder with $("$python" --version) from $lock (a few minutes the first time)"
        if ! "$python" -m venv --clear "$folder" 2>/dev/null; then
            rm -rf "$folder"  # Debian's Python comes without venv; virtualenv does the same
            "$python" -m pip install --quiet --user --break-system-packages virtualenv 2>/dev/null ||
                "$python" -m pip install --quiet --user virtualenv
            "$python" -m virtualenv --quiet "$folder"
        fi
        "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes -r "$lock"
        "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
        touch "$stamp"
    fi
    PATH="$PWD/$folder/bin:$PATH"
    export PATH
}
