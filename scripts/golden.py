"""Write the golden files of the contract anew. A change of plan bytes is then a diff that a reviewer sees.

    python scripts/golden.py

Run it only when bytes are meant to change: raise the planner's version and add a line under "Plan bytes" in the
changelog.
"""

from __future__ import annotations

from pathlib import Path

from planvow.canonical import canonical_bytes
from planvow.contract import StubPlanner
from planvow.contract.replaying.golden import make_golden

FOLDER = Path(__file__).resolve().parent.parent / "tests/golden/contract"
SKILLS = [{"skill_id": skill, "version": "1.0.0"} for skill in ("echo", "http_call", "json_transform", "llm_invoke")]
CALLS = {
    "echo": {"goal": "Say hello"},
    "fetch": {"goal": "Fetch user data from API", "tool_manifest": SKILLS},
    "fetch-with-url": {"goal": "fetch https://x.test/users?page=1", "context_summary": "the first page is enough"},
    "transform": {"goal": "extract names", "context_summary": "operation=pick path=$.users[*].name"},
    "compose": {"goal": "Write a poem about {{tea}} and “quotes”", "memory_snippets": [{"text": "likes haiku"}]},
    "chain": {"goal": "Summarize the page", "tool_manifest": SKILLS, "url": "https://x.test"},
    "no-skills": {"goal": "Summarize the page", "tool_manifest": SKILLS[:1]},
    "no-rule": {"goal": "hit the target"},
    "empty-goal": {"goal": "   "},
}


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, call in CALLS.items():
        golden = make_golden(StubPlanner(), {"agent_id": "golden", **call})
        (FOLDER / f"{name}.json").write_bytes(canonical_bytes(golden.as_dict()) + b"\n")
        print(f"wrote {name}.json")


if __name__ == "__main__":
    main()
