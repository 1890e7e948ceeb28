"""Build the documentation site: stage the pages, make the reference, call the site builder, look it over.

scripts/docs [--serve]      in an environment of its own
python scripts/website      in this one; the site goes to out/site
"""

from __future__ import annotations

import argparse
import functools
import http.server
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from building import SITE, build


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--serve", action="store_true", help="Serve the site on this machine afterwards.")
    options.add_argument("--port", type=int, default=8000)
    given = options.parse_args()
    faults = build()
    for fault in faults:
        print(fault, file=sys.stderr)
    if faults:
        return 1
    print(f"{SITE}/index.html can be opened as it is; the playground needs a server: scripts/docs --serve")
    if given.serve:
        handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=SITE)
        with http.server.ThreadingHTTPServer(("127.0.0.1", given.port), handler) as server:
            print(f"http://127.0.0.1:{server.server_port}/", flush=True)
            server.serve_forever()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
