"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const byId = new Map(data.claims.map((claim) => [claim.claim_id, claim]));
const $ = (selector) => document.querySelector(selector);
const $$ = (selector) => [...document.querySelectorAll(selector)];
const detail = $("#detail");
let chosen = null;

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function wanted() {
  const filters = $$("fieldset[data-filter]").map((set) => [
    set.dataset.filter,
    new Set([...set.querySelectorAll("input:checked")].map((box) => box.value)),
  ]);
  const words = $("#find").value.trim().toLowerCase();
  const least = Number($("#score").value);
  return (claim) =>
    filters.every(([field, values]) => !values.size || values.has(claim[field] || "")) &&
    claim.check_worthiness >= least &&
    (!words || claim.standalone_text.toLowerCase().includes(words) || claim.clean_text.toLowerCase().includes(words));
}

function findWords(words) {
  // What is looked for is shown wherever it is said, claim or not; the page's text stays as it is.
  const ranges = [];
  for (const turn of $$(".turn")) {
    turn.classList.remove("said");
    if (!words || !turn.textContent.toLowerCase().includes(words)) continue;
    const walker = document.createTreeWalker(turn, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.data.toLowerCase();
      for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + words.length);
        ranges.push(range);
      }
    }
    turn.classList.add("said");
  }
  if (window.CSS?.highlights) CSS.highlights.set("find", new Highlight(...ranges));
}

const STEP = 300;
let listed = STEP;
let matching = data.claims;
let ranked = data.claims;

function refresh() {
  const keep = wanted();
  matching = data.claims.filter(keep).sort((a, b) => a.span[0] - b.span[0]);
  const shown = new Set(matching.map((claim) => claim.claim_id));
  const all = shown.size === data.claims.length;
  const only = $("#only").checked;
  const words = $("#find").value.trim().toLowerCase();
  findWords(words);
  for (const mark of $$("[data-claim]:not(li)")) mark.classList.toggle("off", !shown.has(mark.dataset.claim));
  for (const turn of $$(".turn")) {
    const off = !turn.classList.contains("said") && (!all || words !== "") && !turn.querySelector("mark[data-claim]:not(.off)");
    turn.classList.toggle("off", off);
    turn.hidden = off && only;
  }
  for (const exchange of $$(".exchange")) exchange.hidden = !all && !exchange.querySelector(".node:not(.off)");
  $("#score-out").textContent = Number($("#score").value).toFixed(2);
  $("#count").textContent = all ? `${shown.size} claim${shown.size === 1 ? "" : "s"}` : `${shown.size} of ${data.claims.length} claims`;
  const said = $$(".turn.said").length;
  if (words) $("#count").textContent += `, said in ${said} turn${said === 1 ? "" : "s"}`;
  $("#active").textContent = all && !words ? "" : "(active)";
  ranked = [...matching].sort((a, b) => b.check_worthiness - a.check_worthiness || a.span[0] - b.span[0]);
  $("#ranking").replaceChildren(...ranked.slice(0, listed).map(rankedItem));
  $("#more").hidden = ranked.length <= listed;
  showDecisions();
  $("#more").textContent = `Show all ${ranked.length} (now ${Math.min(listed, ranked.length)})`;
}

function rankedItem(claim) {
  const bar = element("i", {});
  bar.style.width = `${Math.round(claim.check_worthiness * 100)}%`; // a style attribute is shut out by the page's policy
  const meta = element("div", { class: "meta" },
    element("span", { class: "meter", title: claim.check_worthiness.toFixed(2) }, bar),
    element("span", { class: `tag t-${claim.claim_type}` }, claim.claim_type),
    element("span", {}, claim.speaker || ""), timeLink(claim));
  return element("li", { "data-claim": claim.claim_id, tabindex: "0", role: "button" }, element("span", { dir: "auto" }, claim.standalone_text), meta);
}

function timeLink(claim) {
  if (claim.start_ms === null || claim.start_ms === undefined) return "";
  const target = data.media ? `${data.media}#t=${Math.floor(claim.start_ms / 1000)}` : `#turn-${claim.turn_index}`;
  return element("a", { class: "time", href: target }, clock(claim.start_ms));
}

function clock(ms) {
  const seconds = Math.floor(ms / 1000), pad = (n) => String(n).padStart(2, "0");
  const hours = Math.floor(seconds / 3600), minutes = Math.floor(seconds / 60) % 60;
  return hours ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
}

function choose(id, { scroll = true, behavior = "smooth" } = {}) {
  const claim = byId.get(id);
  if (!claim) return;
  if (linking && linking.claim !== claim) return finishLink(claim);
  chosen = id;
  const near = data.relations.filter((relation) => relation.source === id || relation.target === id);
  for (const mark of $$("mark[data-claim]")) {
    mark.classList.toggle("chosen", mark.dataset.claim === id);
    const relation = near.find((r) => r.source === mark.dataset.claim || r.target === mark.dataset.claim);
    for (const kind of ["support", "rebuttal"])
      mark.classList.toggle(`near-${kind}`, mark.dataset.claim !== id && !!relation && relation.type.toLowerCase() === kind);
  }
  for (const node of $$(".node, .tick, #ranking li")) node.classList.toggle("chosen", node.dataset.claim === id);
  for (const edge of $$(".edge")) edge.classList.toggle("chosen", edge.dataset.source === id || edge.dataset.target === id);
  $('[data-view="map"].view').classList.toggle("focus", near.length > 0);
  detail.replaceChildren(closer(), ...detailOf(claim, near));
  detail.scrollTop = 0;
  document.body.classList.add("has-choice");
  history.replaceState(null, "", `#claim=${id}`);
  const view = $(".view:not([hidden])");
  const place = view.querySelector(`mark[data-claim="${CSS.escape(id)}"], .node[data-claim="${CSS.escape(id)}"], li[data-claim="${CSS.escape(id)}"]`);
  if (place && scroll) {
    const exchange = place.closest(".exchange");
    if (exchange) exchange.open = true;
    place.scrollIntoView({ block: "center", behavior });
  } else if (place && getComputedStyle(detail).position === "fixed") {
    // On a phone the sheet comes up from below: the claim must not end up under it.
    if (place.getBoundingClientRect().bottom > detail.getBoundingClientRect().top) place.scrollIntoView({ block: "center", behavior });
  }
}

function closer() {
  const button = element("button", { type: "button", class: "close", "aria-label": "Close" }, "×");
  button.addEventListener("click", unchoose);
  return button;
}

function unchoose() {
  chosen = linking = null;
  for (const place of $$(".chosen, .near-support, .near-rebuttal")) place.classList.remove("chosen", "near-support", "near-rebuttal");
  $('[data-view="map"].view').classList.remove("focus");
  detail.replaceChildren(element("p", { class: "empty" }, "Select a claim."));
  document.body.classList.remove("has-choice");
  history.replaceState(null, "", location.pathname + location.search);
}

function walk(step) {
  const order = $('[data-view="ranking"].view').hidden ? matching : ranked;
  if (!order.length) return;
  const at = order.findIndex((claim) => claim.claim_id === chosen);
  const from = at >= 0 ? at : step > 0 ? -1 : 0;
  choose(order[(from + step + order.length) % order.length].claim_id);
}

function detailOf(claim, near) {
  const parts = [element("h2", { dir: "auto" }, claim.standalone_text)];
  const facts = [
    ["speaker", claim.speaker || "unknown"],
    ["type", element("span", { class: `tag t-${claim.claim_type}` }, claim.claim_type), ` ${percent(claim.confidence)} sure`],
    ["route", claim.route.replaceAll("_", " ") + (claim.requires_review ? ", needs review" : "")],
    ["role", claim.role.toLowerCase()],
    ["worth checking", percent(claim.check_worthiness)],
    ["at", `characters ${claim.span[0]} to ${claim.span[1]}`],
  ];
  if (claim.boundary_confidence < 1) facts.push(["sentence", `cut without marks, ${percent(claim.boundary_confidence)} sure`]);
  if (claim.start_ms !== null) facts.push(["time", timeLink(claim)]);
  const list = element("dl", {});
  for (const [name, ...values] of facts) list.append(element("dt", {}, name), element("dd", {}, ...values));
  parts.push(list, ...reviewOf(claim));
  if (claim.clean_text !== claim.standalone_text) parts.push(...section("As spoken", [element("li", {}, claim.clean_text)]));
  if (claim.reasons.length) parts.push(...section("Why this type", claim.reasons.map((reason) => element("li", {}, reason))));
  const verdicts = data.fact_checks.filter((check) => check.claim_id === claim.claim_id);
  if (verdicts.length)
    parts.push(...section("Fact check", verdicts.map((check) => element("li", {}, `${check.status} ${percent(check.confidence)}. ${check.summary}`, ...check.urls.map((url) => link(url))))));
  const words = { out: { SUPPORT: "supports", REBUTTAL: "attacks" }, in: { SUPPORT: "supported by", REBUTTAL: "attacked by" } };
  const related = near.map((relation) => {
    const leaving = relation.source === claim.claim_id;
    const other = byId.get(leaving ? relation.target : relation.source);
    if (!other) return null;
    const text = `${words[leaving ? "out" : "in"][relation.type]} (${percent(relation.confidence)}), ${other.speaker}: ${other.clean_text}`;
    return element("li", { class: relation.type.toLowerCase(), "data-claim": other.claim_id, tabindex: "0", role: "button" }, text, leaving ? unlinker(relation) : "");
  }).filter(Boolean);
  if (related.length) parts.push(...section("Relations", related));
  const references = data.resolutions.filter((r) => r.span[0] >= claim.span[0] && r.span[1] <= claim.span[1]);
  if (references.length)
    parts.push(...section("References", references.map((r) => element("li", {}, `“${r.text}” → ${r.winner || "?"} (${r.status.toLowerCase()}, ${percent(r.confidence)})`))));
  parts.push(...section("Lineage", [element("li", {}, claim.method_path.join(" › "))]));
  return parts;
}

function link(url) {
  return /^https?:/.test(url) ? element("a", { href: url, rel: "noreferrer" }, ` ${url}`) : ` ${url}`;
}

function section(title, items) {
  return [element("h3", {}, title), element("ul", {}, ...items)];
}

function percent(value) {
  return `${Math.round(value * 100)} %`;
}

function show(view) {
  for (const section of $$(".view")) section.hidden = section.dataset.view !== view;
  for (const tab of $$("[role=tab]")) {
    const on = tab.dataset.view === view;
    tab.setAttribute("aria-selected", String(on));
    tab.tabIndex = on ? 0 : -1;
    if (on) $("#content").setAttribute("aria-labelledby", tab.id);
  }
  if (window.scrollY > $("main").offsetTop) window.scrollTo(0, $("main").offsetTop - 60);
  if (chosen) choose(chosen, { behavior: "instant" });
}

function arrange(by) {
  const lines = $$(".exchange").sort((a, b) => (by === "order" ? 0 : b.dataset[by] - a.dataset[by]) || a.dataset.order - b.dataset.order);
  $(".exchanges")?.append(...lines);
  for (const button of $$("[data-sort]")) button.setAttribute("aria-pressed", String(button.dataset.sort === by));
}

function unfold(open) {
  for (const exchange of $$(".exchange")) exchange.open = open;
  $("#unfold").setAttribute("aria-pressed", String(open));
  $("#unfold").textContent = open ? "close all" : "open all";
}

document.addEventListener("click", (event) => {
  const tab = event.target.closest("[role=tab]");
  if (tab) return show(tab.dataset.view);
  const sort = event.target.closest("[data-sort]");
  if (sort) return arrange(sort.dataset.sort);
  const holder = event.target.closest("a") ? null : event.target.closest("[data-claim]");
  if (holder && !holder.classList.contains("off")) choose(holder.dataset.claim, { scroll: !!holder.closest(".detail, .overview") });
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const tabs = $$("[role=tab]"), at = tabs.indexOf(event.target);
  if (at >= 0 && (event.key === "ArrowRight" || event.key === "ArrowLeft")) {
    const other = tabs[(at + (event.key === "ArrowRight" ? 1 : tabs.length - 1)) % tabs.length];
    other.focus();
    return show(other.dataset.view);
  }
  const holder = event.target.closest?.("[data-claim]");
  if (holder && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    return choose(holder.dataset.claim, { scroll: false });
  }
  if (event.target.matches?.("input[type=search], select")) return;
  if (event.key === "j") walk(1);
  else if (event.key === "k") walk(-1);
  else if (event.key === "Escape" && chosen) unchoose();
  else reviewKey(event.key);
});
$("#next").addEventListener("click", () => walk(1));
$("#back").addEventListener("click", () => walk(-1));
$("#more").addEventListener("click", () => { listed = Infinity; refresh(); });
$("#unfold").addEventListener("click", () => unfold($("#unfold").getAttribute("aria-pressed") !== "true"));
let folded = [];
window.addEventListener("beforeprint", () => {
  folded = $$(".exchange:not([open])");
  for (const exchange of folded) exchange.open = true;
});
window.addEventListener("afterprint", () => { for (const exchange of folded) exchange.open = false; });
for (const input of $$("fieldset input, #find, #score, #only")) input.addEventListener("input", () => { listed = STEP; refresh(); });
$("#reset").addEventListener("click", () => {
  for (const box of $$("fieldset input, #only")) box.checked = false;
  $("#find").value = "";
  $("#score").value = 0;
  refresh();
});
if (matchMedia("(max-width: 720px)").matches) $("#filters").open = false;

function followAddress(behavior) {
  const asked = new URLSearchParams(location.hash.slice(1)).get("claim");
  if (asked && asked !== chosen) choose(asked, { behavior });
}
window.addEventListener("hashchange", () => followAddress("smooth"));
