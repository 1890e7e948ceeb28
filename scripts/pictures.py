"""Draw the pictures of the documentation anew, each with the code of its page. A test compares them.

python scripts/pictures.py
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PICTURE = re.compile(r"!\[[^\]]*\]\((pictures/[\w-]+\.svg)\)")
CODE = re.compile(r"^```python[^\n]*\n(.*?)^```", re.M | re.S)


def main() -> None:
    for page in sorted((ROOT / "docs").rglob("*.md")):
        text = page.read_text("utf-8")
        pictures = PICTURE.findall(text)
        if not pictures:
            continue
        with tempfile.TemporaryDirectory() as scratch:
            (Path(scratch) / "examples").symlink_to(ROOT / "examples")
            subprocess.run([sys.executable, "-c", "\n\n".join(CODE.findall(text))], cwd=scratch, check=True)
            for picture in pictures:
                (page.parent / picture).parent.mkdir(exist_ok=True)
                (page.parent / picture).write_bytes((Path(scratch) / Path(picture).name).read_bytes())
                print(f"wrote {(page.parent / picture).relative_to(ROOT)}")


if __name__ == "__main__":
    main()
