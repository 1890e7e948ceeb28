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

function refresh() {
  const keep = wanted();
  const shown = new Set(data.claims.filter(keep).map((claim) => claim.claim_id));
  const all = shown.size === data.claims.length;
  for (const mark of $$("mark[data-claim]")) mark.classList.toggle("off", !shown.has(mark.dataset.claim));
  for (const node of $$(".node")) node.classList.toggle("off", !shown.has(node.dataset.claim));
  for (const turn of $$(".turn")) {
    const marks = [...turn.querySelectorAll("mark[data-claim]")];
    turn.classList.toggle("off", !all && !marks.some((mark) => shown.has(mark.dataset.claim)));
  }
  $("#score-out").textContent = Number($("#score").value).toFixed(2);
  $("#count").textContent = all ? `${shown.size} claims` : `${shown.size} of ${data.claims.length} claims`;
  const ranked = data.claims.filter(keep).sort((a, b) => b.check_worthiness - a.check_worthiness || a.span[0] - b.span[0]);
  $("#ranking").replaceChildren(...ranked.slice(0, 300).map(rankedItem));
}

function rankedItem(claim) {
  const bar = element("i", { style: `width:${Math.round(claim.check_worthiness * 100)}%` });
  const meta = element("div", { class: "meta" },
    element("span", { class: "meter", title: claim.check_worthiness.toFixed(2) }, bar),
    element("span", { class: `tag t-${claim.claim_type}` }, claim.claim_type),
    claim.speaker || "", clock(claim.start_ms));
  return element("li", { "data-claim": claim.claim_id, tabindex: "0" }, element("span", {}, claim.standalone_text), meta);
}

function clock(ms) {
  if (ms === null || ms === undefined) return "";
  const seconds = Math.floor(ms / 1000), pad = (n) => String(n).padStart(2, "0");
  const hours = Math.floor(seconds / 3600), minutes = Math.floor(seconds / 60) % 60;
  return hours ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
}

function choose(id, { scroll = true, behavior = "smooth" } = {}) {
  const claim = byId.get(id);
  if (!claim) return;
  chosen = id;
  const near = data.relations.filter((relation) => relation.source === id || relation.target === id);
  for (const mark of $$("mark[data-claim]")) {
    mark.classList.toggle("chosen", mark.dataset.claim === id);
    const relation = near.find((r) => r.source === mark.dataset.claim || r.target === mark.dataset.claim);
    for (const kind of ["support", "rebuttal"])
      mark.classList.toggle(`near-${kind}`, mark.dataset.claim !== id && !!relation && relation.type.toLowerCase() === kind);
  }
  for (const node of $$(".node")) node.classList.toggle("chosen", node.dataset.claim === id);
  for (const edge of $$(".edge")) edge.classList.toggle("chosen", edge.dataset.source === id || edge.dataset.target === id);
  $(".map")?.classList.toggle("focus", near.length > 0);
  detail.replaceChildren(...detailOf(claim, near));
  if (scroll) {
    const view = $(".view:not([hidden])");
    view.querySelector(`[data-claim="${CSS.escape(id)}"]`)?.scrollIntoView({ block: "center", behavior });
  }
}

function detailOf(claim, near) {
  const parts = [element("h2", {}, claim.standalone_text)];
  const facts = [
    ["speaker", claim.speaker || "unknown"],
    ["type", element("span", { class: `tag t-${claim.claim_type}` }, claim.claim_type), ` ${percent(claim.confidence)} sure`],
    ["route", claim.route.replaceAll("_", " ") + (claim.requires_review ? ", needs review" : "")],
    ["role", claim.role.toLowerCase()],
    ["worth checking", percent(claim.check_worthiness)],
    ["at", `characters ${claim.span[0]} to ${claim.span[1]}`],
  ];
  if (claim.start_ms !== null) {
    const target = data.media ? `${data.media}#t=${Math.floor(claim.start_ms / 1000)}` : `#turn-${claim.turn_index}`;
    facts.push(["time", element("a", { class: "time", href: target }, clock(claim.start_ms))]);
  }
  const list = element("dl", {});
  for (const [name, ...values] of facts) list.append(element("dt", {}, name), element("dd", {}, ...values));
  parts.push(list);
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
    return element("li", { class: relation.type.toLowerCase(), "data-claim": other.claim_id, tabindex: "0" }, text);
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
  for (const tab of $$("[role=tab]")) tab.setAttribute("aria-selected", String(tab.dataset.view === view));
  if (window.scrollY > $("main").offsetTop) window.scrollTo(0, $("main").offsetTop - 60);
  if (chosen && view !== "ranking") choose(chosen, { behavior: "instant" });
}

document.addEventListener("click", (event) => {
  const tab = event.target.closest("[role=tab]");
  if (tab) return show(tab.dataset.view);
  const holder = event.target.closest("[data-claim]");
  if (holder && !holder.classList.contains("off")) choose(holder.dataset.claim, { scroll: !!holder.closest(".detail") });
});
document.addEventListener("keydown", (event) => {
  const holder = event.target.closest?.("[data-claim]");
  if (holder && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    choose(holder.dataset.claim, { scroll: false });
  }
});
for (const input of $$("fieldset input, #find, #score")) input.addEventListener("input", refresh);
$("#reset").addEventListener("click", () => {
  for (const box of $$("fieldset input")) box.checked = false;
  $("#find").value = "";
  $("#score").value = 0;
  refresh();
});
refresh();
const asked = new URLSearchParams(location.hash.slice(1)).get("claim");
if (asked) choose(asked);
