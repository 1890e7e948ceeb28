// Small help for pages that work without it: live regions, relative times, copied ids, keys.
const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
const words = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "narrow" });

function tellTimes(root) {
  for (const time of root.querySelectorAll("time[datetime]")) {
    const age = (Date.parse(time.dateTime) - Date.now()) / 1000;
    const [unit, size] = UNITS.find(([, size]) => Math.abs(age) >= size) ?? UNITS[3];
    const text = words.format(Math.trunc(age / size), unit);
    if (time.textContent !== text) time.textContent = text;
  }
}

function isBusy(region) {
  const open = region.querySelector(".confirm[open]");
  return open !== null || (region.contains(document.activeElement) && /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName));
}

function keyOf(details) {
  return details.closest("[id]")?.id + "/" + (details.querySelector("summary")?.textContent ?? "").slice(0, 40);
}

function replace(region, fresh) {
  // What somebody has opened stays open, and the focus stays where it was.
  const open = new Set([...region.querySelectorAll("details[open]")].map(keyOf));
  for (const details of fresh.querySelectorAll("details")) if (open.has(keyOf(details))) details.open = true;
  const links = [...region.querySelectorAll("a, summary, [tabindex]")];
  const place = links.indexOf(document.activeElement);
  region.replaceWith(fresh);
  if (place >= 0) [...fresh.querySelectorAll("a, summary, [tabindex]")][place]?.focus({ preventScroll: true });
  tellTimes(fresh);
}

// The server says when something has happened; what the page shows is fetched then, and only if it is another.
let source = null, mark = null, seen = null, isDue = false, isFetching = false;
const region = () => document.querySelector("[data-live]");

function listen() {
  const live = region();
  if (live === null || "finished" in live.dataset || document.hidden || source !== null) return;
  const address = new URL(live.dataset.live, location.href);
  address.searchParams.set("mark", seen ?? live.dataset.mark);
  source = new EventSource(address);
  source.addEventListener("open", () => region()?.classList.remove("stale"));
  source.addEventListener("changed", (event) => { seen = event.lastEventId; isDue = true; refresh(); });
  source.addEventListener("error", () => {
    region()?.classList.add("stale"); // the server is gone; what was seen stays
    if (source?.readyState === EventSource.CLOSED) { hush(); setTimeout(listen, 3000); }
  });
}

function hush() {
  source?.close();
  source = null;
}

async function refresh() {
  if (!isDue || isFetching || isBusy(region())) return;
  isDue = false;
  isFetching = true;
  try {
    const answer = await fetch(location.href, { headers: mark ? { "If-None-Match": mark } : {} });
    if (answer.ok) {
      const isFirst = mark === null;
      mark = answer.headers.get("ETag");
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.querySelector("[data-live]"), now = region();
      if (fresh && now && isBusy(now)) isDue = true; // somebody has begun to write: theirs comes first
      else if (fresh && now && !(isFirst && sameText(fresh, now))) replace(now, document.adoptNode(fresh));
      if (fresh && "finished" in fresh.dataset) hush();
    }
  } catch { isDue = true; } finally { isFetching = false; }
}

function sameText(one, other) {
  const text = (node) => [...node.querySelectorAll("*")].filter((n) => n.tagName !== "TIME" && !n.children.length).map((n) => n.textContent).join("|");
  return text(one) === text(other) && one.querySelectorAll("*").length === other.querySelectorAll("*").length;
}

function walk(step) {
  const stops = [...document.querySelectorAll("[data-walk] > li")].map((line) => line.querySelector("a, summary"));
  const place = stops.indexOf(document.activeElement);
  const next = stops[place < 0 ? (step > 0 ? 0 : stops.length - 1) : place + step];
  next?.focus();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
  if (event.key === "j") walk(1);
  else if (event.key === "k") walk(-1);
  else if (event.key === "/") {
    const field = document.querySelector('[data-key="/"]');
    if (field) { event.preventDefault(); field.focus(); field.select(); }
  }
});

document.addEventListener("click", async (event) => {
  const id = event.target.closest?.("[data-copy]");
  if (!id) return;
  try { await navigator.clipboard.writeText(id.dataset.copy); } catch { return; }
  id.classList.add("copied");
  setTimeout(() => id.classList.remove("copied"), 1200);
});

document.addEventListener("toggle", (event) => {
  if (!event.target.matches?.(".confirm") || !event.target.open) return;
  for (const field of event.target.querySelectorAll("[data-remember]")) field.value ||= sessionStorage.getItem(field.dataset.remember) ?? "";
  event.target.querySelector("[name=reason]")?.focus();
}, true);
document.addEventListener("submit", (event) => {
  for (const field of event.target.querySelectorAll("[data-remember]")) sessionStorage.setItem(field.dataset.remember, field.value);
});

// The server prints an address that ends in #TOKEN: it is sent in a form and never as part of an address.
const door = document.querySelector("[data-token]");
if (door && location.hash.length > 8) {
  door.elements.token.value = decodeURIComponent(location.hash.slice(1));
  history.replaceState(null, "", location.pathname + location.search);
  door.requestSubmit();
}

function openTarget() {
  const target = location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
  const details = target?.querySelector(":scope > details");
  if (details) details.open = true;
}
addEventListener("hashchange", openTarget);
openTarget();
tellTimes(document);
setInterval(() => { tellTimes(document); refresh(); }, 5000);
// A browser keeps few connections to one server: tabs that nobody looks at give theirs back.
document.addEventListener("visibilitychange", () => (document.hidden ? hush() : listen()));
document.addEventListener("toggle", () => setTimeout(refresh, 50), true);
addEventListener("pagehide", hush);
listen();
