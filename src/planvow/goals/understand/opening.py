"""Reading what is to be opened or gone to: an app, a page, or doubt with near names."""

from __future__ import annotations

import re

from planvow.goals.grammar.chart import Node
from planvow.goals.grammar.near import is_slip, near
from planvow.goals.grammar.pages import is_page, known_app
from planvow.goals.understand.context import Context
from planvow.goals.understand.doubt import VAGUE, Doubt, Reading
from planvow.goals.values.config import GoalConfig, folded
from planvow.goals.values.paths import looks_like_file
from planvow.goals.values.values import ToolGoal

_NOUNS_TOO = frozenset({"brave", "code", "edge", "outlook", "paint", "so", "steam", "teams", "wiki", "word"})
"""Names of apps and pages that are ordinary words after an article: "open the code"."""
_APP = re.compile(
    r"(?:(?:the|an?)\s+)?(?:app|application|program)\s+(?P<introduced>(?:called|named)\s+)?(?P<name>.+)"
    r"|(?:the\s+)?(?P<last>.+?)\s+(?:app|application)",
    re.I,
)
_OWN = re.compile(r"(?:localhost|127(?:\.\d+){3})(?=[:/?#]|$)", re.I)
"""This machine, to which nobody gives a certificate."""


def read_open(act: Node, context: Context) -> Reading:
    """Read `open X`, with `in firefox` or without."""
    return _in_browser(act, read_thing(act.get("thing"), act.get("verb") or "open", context), context)


def read_go(act: Node, context: Context) -> Reading:
    """Read `go to X`, where X is a page."""
    return _in_browser(act, read_thing(act.get("thing"), "go", context), context)


def read_more(step: Node, context: Context) -> Reading:
    """A thing without a verb goes on with the last one's: "open notepad and calculator"."""
    last = context.goals[-1] if context.goals else None
    if last is None or last.goal_type not in ("app_launch", "browser_navigate"):
        return None
    return read_thing(step.get("thing"), "open", context)


def read_thing(thing: Node, verb: str, context: Context) -> Reading:
    """Read what is opened."""
    config = context.config
    if thing.name == "app":
        return _read_app(thing, verb)
    if thing.name == "page":
        return _read_page(thing, verb, config)
    said = thing.get("said").text.strip()
    return read_unknown(said, config) if verb != "go" else _nowhere(said, config)


def _in_browser(act: Node, read: Reading, context: Context) -> Reading:
    browser = act.get("browser") or (context.front.get("browser") if context.front else None)
    if browser is None or not isinstance(read, tuple):
        return read
    if read[0].goal_type != "browser_navigate":
        return Doubt(reason=f"{read[0].target!r} is no page that a browser shows", choices=(f"open {read[0].target}",))
    return (ToolGoal(goal_type="app_launch", target=browser.value), *read)


def _read_app(thing: Node, verb: str) -> Reading:
    app, det = thing.get("app"), thing.get("det")
    if verb == "go":
        return Doubt(reason=f"{app.said!r} is not surely an address", choices=(f"open {app.said}",))
    if det not in (None, "the", "my", "a", "an"):
        return Doubt(reason=f"{det} {app.said}: one that runs, or one more?", choices=(f"open {app.said}",))
    if det is not None and app.said in _NOUNS_TOO and thing.get("kind") is None:
        return Doubt(reason=f"'{det} {app.said}': the program, or something else?", choices=(f"open {app.said}",))
    if thing.get("kind") is not None and app.said == "settings":  # "the settings app" is one, "app settings" are not
        return Doubt(reason="which settings?", choices=("open settings",))
    return (ToolGoal(goal_type="app_launch", target=folded(app.value)),)


def _read_page(thing: Node, verb: str, config: GoalConfig) -> Reading:
    page, det = thing.get("page"), thing.get("det")
    if page is None:
        address = thing.get("address")
        return (ToolGoal(goal_type="browser_navigate", target=f"http://{address}" if _OWN.match(address) else address),)
    if det == "my" and page.value not in config.platforms:  # "my gmail": everybody's is at one address
        det = None
    if det == "my":
        return Doubt(reason=f"your own page on {page.value}?", choices=(f"open {page.value}",))
    if det not in (None, "the") or (det and page.said in _NOUNS_TOO) or (verb == "launch" and len(page.said) < 3):
        return Doubt(reason=f"the page {page.value}?", choices=(f"open {page.value}",))
    return (ToolGoal(goal_type="browser_navigate", target=page.value),)


def read_unknown(what: str, config: GoalConfig) -> Reading:
    """Read a thing no class of the lexicon holds: an app that is named as one, or doubt."""
    bare = re.sub(r"^(?:the|a|an|my)\s+", "", what, flags=re.I)
    name = folded(bare)
    if not name or name in VAGUE:
        return Doubt(reason="open what?")
    explicit = _APP.fullmatch(what)
    if explicit is not None:
        return _read_named_app(explicit, config)
    word = bare.strip("\"'")
    joined = re.sub(r"[\s-]+", "", folded(word))
    if joined != folded(word) and known_app(joined, config):  # "fire fox"
        return (ToolGoal(goal_type="app_launch", target=folded(config.app(joined))),)
    if joined != folded(word) and joined in config.homepages:  # "git hub"
        return (ToolGoal(goal_type="browser_navigate", target=joined),)
    slipped = [app for app in (*config.apps, *config.browsers) if joined != folded(word) and is_slip(joined, app)]
    if len(slipped) == 1:  # "libra office"
        return (ToolGoal(goal_type="app_launch", target=slipped[0]),)
    names = {*config.apps, *config.browsers, *config.app_aliases, *config.homepages}
    choices = [f"open {other}" for other in near(folded(word), names)[:3]]
    choices += [f'open the app "{word}"'] if re.fullmatch(r"[\w+.-]+(?: [\w+.-]+)?", word) else []
    if is_page(f"{word}.com", config) and re.fullmatch(r"[\w-]+", word):
        choices.append(f"go to {word}.com")
    if looks_like_file(word):
        choices.insert(0, f'read the file "{word}"')
    return Doubt(reason=f"{bare!r} is no app, page or file that is known", choices=tuple(choices))


def _nowhere(what: str, config: GoalConfig) -> Reading:
    joined = re.sub(r"[\s-]+", "", folded(what))
    if joined != folded(what) and joined in config.homepages:  # "git hub"
        return (ToolGoal(goal_type="browser_navigate", target=joined),)
    pages = near(folded(what), config.homepages)
    choices = [*(f"go to {page}" for page in pages), *([f"go to https://{what}"] if "." in what else [])]
    return Doubt(reason=f"{what!r} is not surely an address", choices=tuple(choices))


def _read_named_app(said: re.Match[str], config: GoalConfig) -> Reading:
    """Read `the app X` and `the X app`: surely a name when it is known, in quotes, introduced, or capitalised."""
    words = (said["name"] or said["last"]).strip()
    name = words.strip("\"'")
    if known_app(name, config) and folded(name) != "settings":  # "the app settings" are the settings of an app
        return (ToolGoal(goal_type="app_launch", target=folded(config.app(name))),)
    capitals = said["last"] is None and all(word[0].isupper() for word in name.split())
    if name and (name != words or capitals or (said["introduced"] and " " not in name)):
        return (ToolGoal(goal_type="app_launch", target=name),)
    return Doubt(reason="which app?", choices=(f'open the app "{name}"',))
