// Keys, finding and reasons in a tree that folds by itself. Every move looks at a node's neighbours only.
const tree = () => document.querySelector("[data-tree]");
const stops = (item) => item.querySelector(":scope > .row > a");
const folder = (item) => item.querySelector(":scope > details");

function after(item) {
  const open = folder(item);
  if (open?.open) return open.querySelector(":scope > ul > li");
  for (let at = item; at; at = at.parentElement.closest("li")) if (at.nextElementSibling) return at.nextElementSibling;
  return null;
}

function before(item) {
  const elder = item.previousElementSibling;
  if (!elder) return item.parentElement.closest("li");
  let last = elder;
  for (let open = folder(last); open?.open; open = folder(last)) last = open.querySelector(":scope > ul").lastElementChild;
  return last;
}

function right(item) {
  const details = folder(item);
  if (!details) return null;
  if (details.open) return after(item);
  details.open = true;
  return item;
}

function left(item) {
  const details = folder(item);
  if (!details?.open) return item.parentElement.closest("li");
  details.open = false;
  return item;
}

const KEYS = { ArrowDown: after, ArrowUp: before, ArrowRight: right, ArrowLeft: left, Home: () => tree()?.firstElementChild };

document.addEventListener("keydown", (event) => {
  const item = event.target.closest?.("[data-tree] li");
  if (!item || !KEYS[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  const next = KEYS[event.key](item);
  if (next) stops(next)?.focus();
});

async function choose(link) {
  const panel = document.querySelector("[data-why]");
  if (link.hash.length > 1 && link.pathname === location.pathname && link.search === location.search) return false;
  const address = new URL(link.href);
  address.searchParams.set("part", "node");
  const answer = await fetch(address);
  if (!answer.ok || !panel) return false;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  panel.replaceChildren(...fresh.body.childNodes);
  document.querySelector("[data-tree] a[aria-current]")?.removeAttribute("aria-current");
  const node = new URL(link.href).searchParams.get("node");
  const row = document.getElementById(`t${node}`);
  if (row) stops(row)?.setAttribute("aria-current", "true");
  history.replaceState(null, "", link.href);
  return true;
}

// In a report every node's reasons are in the page already.
function pick(event, panel, href) {
  const part = document.getElementById(href.slice(1));
  if (!part) return;
  event.preventDefault();
  panel.querySelector(".chosen")?.classList.remove("chosen");
  part.classList.add("chosen");
  panel.classList.add("has-choice");
  panel.scrollTop = 0;
  tree()?.querySelector("a[aria-current]")?.removeAttribute("aria-current");
  const row = document.getElementById(`t${href.slice(2)}`);
  if (row) stops(row)?.setAttribute("aria-current", "true");
  history.replaceState(null, "", href);
}

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const link = event.target.closest?.("[data-tree] a, a[data-node]");
  if (!link) return;
  const inside = document.querySelector("[data-embedded]");
  if (inside) return pick(event, inside, link.getAttribute("href"));
  if (!document.querySelector("[data-why]")) return;
  const target = link instanceof SVGElement ? Object.assign(document.createElement("a"), { href: link.href.baseVal }) : link;
  if (target.getAttribute("href").startsWith("#")) return;
  event.preventDefault();
  choose(target).then((done) => { if (!done) location.assign(target.href); });
});

const find = document.querySelector("[data-find]");
let hits = [];
function search(text) {
  for (const item of hits) item.classList.remove("hit");
  hits = [];
  const wanted = text.trim().toLowerCase();
  if (wanted) for (const link of tree().getElementsByTagName("a")) if (link.textContent.toLowerCase().includes(wanted)) hits.push(link.parentElement);
  for (const item of hits) {
    item.classList.add("hit");
    for (let up = item.parentElement.closest("details"); up && !(up.open && up.dataset.seen === wanted); up = up.parentElement.closest("details")) { up.open = true; up.dataset.seen = wanted; }
  }
  find.querySelector("output").textContent = wanted ? `${hits.length} found` : "";
}
let waiting;
find?.addEventListener("input", (event) => { clearTimeout(waiting); waiting = setTimeout(() => search(event.target.value), 120); });
find?.addEventListener("submit", (event) => { event.preventDefault(); hits[0]?.querySelector(":scope > a")?.focus(); });
find?.addEventListener("click", (event) => {
  const way = event.target.dataset?.fold;
  if (way) for (const details of tree().getElementsByTagName("details")) details.open = way === "open";
});

const drop = document.querySelector("[data-drop]");
async function take(file) {
  if (!file) return;
  drop.elements.document.value = await file.text();
  drop.requestSubmit();
}
drop?.querySelector("input[type=file]").addEventListener("change", (event) => take(event.target.files[0]));
if (drop) {
  addEventListener("dragover", (event) => { event.preventDefault(); drop.classList.add("over"); });
  addEventListener("dragleave", () => drop.classList.remove("over"));
  addEventListener("drop", (event) => { event.preventDefault(); drop.classList.remove("over"); take(event.dataTransfer.files[0]); });
}
