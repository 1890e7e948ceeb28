"""What the site looks like and in which order its pages stand.

Zensical reads the configuration of MkDocs, so either tool can build the staged pages.
"""

from __future__ import annotations

from typing import Any

NAVIGATION: list[Any] = [
    {"Start": ["index.md", {"Is it for me?": "is-it-for-me.md"}, {"Questions": "questions.md"},
               {"Playground": "playground.md"}, {"Gallery": "gallery.md"}, {"Examples": "examples/*"},
               {"All pages": "contents.md"}]},
    {"Learn": [
        {"Your own domain in ten minutes": "tutorial/first-domain.md"},
        {"A robot that must deliver tea": "tutorial/tea-robot.md"},
        {"Two robots and the clock": "tutorial/two-robots.md"},
        {"An agent in fifteen minutes": "tutorial/agent.md"},
        {"Twelve tools": "tutorial/twelve-tools.md"},
    ]},
    {"How to": [
        {"Plan": [
            {"Start a project": "howto/start-a-project.md"},
            {"Write a domain": "howto/write-a-domain.md"},
            {"Plan with HDDL": "howto/hddl.md"},
            {"HDDL in your editor": "howto/editors.md"},
            {"Plan goals": "howto/plan-goals.md"},
            {"Plan on beliefs": "howto/beliefs.md"},
            {"Perform on a blackboard": "howto/perform.md"},
            {"Answer many inputs": "howto/batch.md"},
            {"Come from GTPyhop or IPyHOP": "howto/from-gtpyhop.md"},
            {"Come from unified-planning": "howto/from-unified-planning.md"},
        ]},
        {"Run": [
            {"Build an agent": "howto/build-an-agent.md"},
            {"Run workers": "howto/run-workers.md"},
            {"Let a person decide": "howto/approvals.md"},
            {"Govern changes to a repository": "howto/governed-request.md"},
            {"After a crash": "howto/after-a-crash.md"},
            {"Keep the ledger on PostgreSQL": "howto/postgres.md"},
            {"Keep checkpoints, prove, archive": "howto/keep-checkpoints.md"},
            {"Trace and watch": "howto/traces.md"},
        ]},
        {"Connect": [
            {"Over MCP": "howto/mcp.md"},
            {"Over HTTP": "howto/http.md"},
            {"Runs in a browser": "howto/console.md"},
            {"Ask and record a model": "howto/record-an-llm.md"},
            {"Write a planner": "howto/write-a-planner.md"},
            {"Replay, golden files, cost": "howto/replay.md"},
        ]},
        {"Analyse": [{"Analyse a debate": "howto/analyse-a-debate.md"}]},
    ]},
    {"How it works": [
        {"Planning": [
            {"Search": "explanation/search.md"}, {"Time": "explanation/time.md"}, {"HDDL": "explanation/hddl.md"},
            {"Goals": "explanation/goals.md"}, {"Governed requests": "explanation/governed.md"},
        ]},
        {"Trust": [
            {"Determinism": "explanation/determinism.md"}, {"Certificates": "explanation/certificates.md"},
            {"The rules of running": "explanation/running-plans.md"}, {"Reliability": "explanation/reliability.md"},
            {"One log over everything": "explanation/log.md"}, {"Dossier and privacy": "explanation/dossier.md"},
            {"Agents": "explanation/agents.md"},
        ]},
        {"Debates": [{"How it works": "explanation/debate.md"}, {"How well": "explanation/debate-quality.md"}]},
        {"Performance": "explanation/performance.md"},
        {"How far one ledger goes": "explanation/scaling.md"},
    ]},
    {"Compare": [
        {"Agents side by side": "explanation/side-by-side.md"},
        {"GTPyhop": "compare/gtpyhop.md"},
        {"unified-planning": "compare/unified-planning.md"},
        {"LangGraph": "compare/langgraph.md"},
        {"Temporal": "compare/temporal.md"},
        {"DBOS": "compare/dbos.md"},
        {"pydantic-ai": "compare/pydantic-ai.md"},
    ]},
    {"Look up": [
        {"Python": "reference/python/*"},
        {"Commands": "reference/commands/*"},
        {"Error codes": "reference/errors.md"},
        {"Troubleshooting": "reference/troubleshooting.md"},
        {"Schemas": "reference/schemas.md"},
        {"The cassette in Python": "reference/cassette.md"},
        {"Systems and versions": "reference/systems.md"},
        {"Security": "reference/security.md"},
        {"Upgrade": [{"Upgrade notes": "reference/upgrade.md"}, {"What stays": "reference/deprecation.md"},
                     {"Changelog": "reference/changelog.md"}]},
        {"Glossary": "reference/glossary.md"},
    ]},
    {"For maintainers": [
        {"Contributing": "maintainers/contributing.md"},
        {"Architecture": "maintainers/architecture.md"},
        {"Conformance to the seeds": "maintainers/conformance.md"},
        {"Decisions": "maintainers/decisions/*"},
        {"Conduct": "maintainers/conduct.md"},
    ]},
]  # fmt: skip

_HIGHLIGHT = {"anchor_linenums": True, "line_spans": "__span", "pygments_lang_class": True}
_DIAGRAM = {"name": "mermaid", "class": "diagram"}


def configuration(navigation: list[Any]) -> dict[str, Any]:
    """Return the configuration of the site builder. The font is the reader's own: nothing comes from elsewhere."""
    return {
        "site_name": "planvow",
        "site_description": "Plans you can hold an agent to",
        "docs_dir": "pages",
        "site_dir": "site",
        "use_directory_urls": False,
        "nav": navigation,
        "extra_css": ["assets/site.css", "assets/playground/playground.css"],
        "extra_javascript": ["assets/diagrams.js"],
        "plugins": ["search", "offline"],
        "theme": {
            "language": "en",
            "font": False,
            "features": ["content.code.copy", "content.tooltips", "navigation.footer", "navigation.indexes",
                         "navigation.path", "navigation.tabs", "navigation.top", "search.highlight", "toc.follow"],
            "palette": [
                {"media": "(prefers-color-scheme)", "toggle": {"icon": "lucide/sun-moon", "name": "Light"}},
                {"media": "(prefers-color-scheme: light)", "scheme": "default",
                 "toggle": {"icon": "lucide/sun", "name": "Dark"}},
                {"media": "(prefers-color-scheme: dark)", "scheme": "slate",
                 "toggle": {"icon": "lucide/moon", "name": "As the system has it"}},
            ],
        },
        "markdown_extensions": [
            "admonition", "attr_list", "md_in_html", "tables", {"toc": {"permalink": True}},
            {"pymdownx.highlight": _HIGHLIGHT}, "pymdownx.inlinehilite",
            {"pymdownx.superfences": {"custom_fences": [_DIAGRAM]}},
        ],
    }  # fmt: skip
