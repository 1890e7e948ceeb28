"""What is wrong with a built site: what leads nowhere, what nobody reaches, what comes from elsewhere."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}


class Page(HTMLParser):
    """The links of a page, what it loads, and the places that links can name."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.places |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if given.get(LOADED.get(tag, "")):
            self.loaded.append(given[LOADED[tag]])


def faults(site: Path) -> list[str]:
    """Return what is wrong with a site, a line each."""
    pages = {path: Page(path.read_text("utf-8")) for path in sorted(site.rglob("*.html"))}
    found = []
    reached = {site / "index.html", site / "404.html"}
    for path, page in pages.items():
        name = path.relative_to(site)
        for address in [*page.links, *page.loaded]:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                if address in page.loaded:
                    found.append(f"{name}: loads {address} from elsewhere")
                continue
            there = (site / parts.path.lstrip("/")) if parts.path.startswith("/") else path.parent / unquote(parts.path)
            target = path if not parts.path else there.resolve()
            if target.is_dir():
                target /= "index.html"
            if path.name == "404.html":  # its links begin at the root of wherever the site lies
                continue
            if not target.exists():
                found.append(f"{name}: {address} leads nowhere")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].places:
                found.append(f"{name}: there is no place {address}")
            reached.add(target)
    found += [f"{path.relative_to(site)}: no page leads here" for path in pages if path not in reached]
    return found
