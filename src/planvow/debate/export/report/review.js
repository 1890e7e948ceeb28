// Review: what a person decides about claims, kept in the browser until it is saved as a file that later runs read.
const REVIEW_FORMAT = "planvow-debate-review/1";
const shelf = `planvow-review:${data.transcript_id}`;
const TYPES = ["empirical", "methodological", "normative", "conceptual", "introspective", "predictive", "philosophical", "unclassified"];
let decisions = remembered();
let linking = null;

function remembered() {
  try {
    const kept = JSON.parse(localStorage.getItem(shelf) || "[]");
    return Array.isArray(kept) ? kept.filter((decision) => decision && Array.isArray(decision.span) && typeof decision.text === "string") : [];
  } catch {
    return []; // a browser that keeps nothing: the file is what counts
  }
}

function decide(action, claim, extra = {}) {
  const single = ["accept", "reject", "type"].includes(action);
  if (single) decisions = decisions.filter((d) => !(["accept", "reject", "type"].includes(d.action) && isAt(d, claim)));
  decisions.push({ action, span: claim.span, text: claim.text, ...extra });
  decided(claim);
}

function decided(claim) {
  try { localStorage.setItem(shelf, JSON.stringify(decisions)); } catch { /* see remembered() */ }
  showDecisions();
  if (claim) choose(claim.claim_id, { scroll: false });
}

function isAt(decision, claim) {
  return decision.span[0] === claim.span[0] && decision.span[1] === claim.span[1];
}

function decisionsOn(claim) {
  return decisions.filter((decision) => isAt(decision, claim));
}

function undo() {
  const last = decisions.pop();
  if (last) decided(data.claims.find((claim) => isAt(last, claim)));
}

function showDecisions() {
  const accepted = new Set(), rejected = new Set();
  for (const claim of data.claims)
    for (const decision of decisionsOn(claim)) (decision.action === "reject" ? rejected : accepted).add(claim.claim_id);
  for (const mark of $$("mark[data-claim], #ranking li")) {
    mark.classList.toggle("accepted", accepted.has(mark.dataset.claim) && !rejected.has(mark.dataset.claim));
    mark.classList.toggle("rejected", rejected.has(mark.dataset.claim));
  }
  $("#save-review").hidden = !decisions.length;
  $("#save-review").textContent = `Save review (${decisions.length})`;
}

function reviewOf(claim) {
  const own = decisionsOn(claim).map(spoken).join("; ");
  const type = element("select", { "aria-label": "Type" }, ...TYPES.map((name) => element("option", { value: name }, name)));
  type.value = decisionsOn(claim).findLast((d) => d.claim_type)?.claim_type || claim.claim_type;
  type.addEventListener("change", () => decide("type", claim, { claim_type: type.value }));
  const following = nextInTurn(claim);
  const box = element("div", { class: "review" },
    action("Accept", "a", () => decide("accept", claim, { claim_type: claim.claim_type })),
    action("Reject", "x", () => decide("reject", claim)), type,
    action("Split", "s", () => splitter(claim, box)),
    following ? action("Merge with next", "m", () => merge(claim)) : "",
    action("Supports …", "+", () => startLink(claim, "SUPPORT")),
    action("Attacks …", "-", () => startLink(claim, "REBUTTAL")),
    element("p", { class: "decided", "aria-live": "polite" }, linking ? "Now select the claim it is about; Escape to stop." : own || "Not decided yet."));
  return [element("h3", {}, "Review"), box];
}

function action(name, key, run) {
  const button = element("button", { type: "button", title: `${name} (${key})` }, name);
  button.addEventListener("click", run);
  return button;
}

function spoken(decision) {
  const words = { accept: "accepted", reject: "rejected", type: `type: ${decision.claim_type}`, split: "split in the next run", merge: "merged in the next run" };
  return words[decision.action] || `${decision.action === "unlink" ? "no longer linked" : decision.relation.toLowerCase() + " added"} in the next run`;
}

function nextInTurn(claim) {
  const order = data.claims.filter((other) => other.turn_index === claim.turn_index).sort((a, b) => a.span[0] - b.span[0]);
  return order[order.indexOf(claim) + 1];
}

function merge(claim) {
  const following = nextInTurn(claim);
  if (following) decide("merge", claim, { spans: [claim.span, following.span] });
}

function splitter(claim, box) {
  const gaps = [...claim.text.matchAll(/\S+/g)];
  const line = element("p", { class: "gaps" }, "Cut in front of: ");
  for (const gap of gaps.slice(1)) {
    const before = gaps[gaps.indexOf(gap) - 1];
    line.append(action(gap[0], "click", () => decide("split", claim, {
      spans: [[claim.span[0], claim.span[0] + before.index + before[0].length], [claim.span[0] + gap.index, claim.span[1]]],
    })), " ");
  }
  box.querySelector(".gaps")?.remove();
  box.append(line);
  line.querySelector("button")?.focus();
}

function startLink(claim, relation) {
  linking = { claim, relation };
  choose(claim.claim_id, { scroll: false });
}

function finishLink(target) {
  const { claim, relation } = linking;
  linking = null;
  if (target !== claim) decide("link", claim, { relation, spans: [target.span] });
}

function unlinker(relation) {
  const source = byId.get(relation.source), target = byId.get(relation.target);
  const button = element("button", { type: "button", class: "unlink", title: "This relation is wrong" }, "wrong");
  button.addEventListener("click", (event) => {
    event.stopPropagation();
    decide("unlink", source, { spans: [target.span] });
  });
  return button;
}

function reviewKey(key) {
  const claim = byId.get(chosen);
  if (key === "u") return undo();
  if (!claim) return;
  if (key === "a") decide("accept", claim, { claim_type: claim.claim_type });
  else if (key === "x") decide("reject", claim);
  else if (key === "m") merge(claim);
  else if (key === "s") splitter(claim, $(".review"));
  else if (key === "+" || key === "-") startLink(claim, key === "+" ? "SUPPORT" : "REBUTTAL");
  else if (/^[1-8]$/.test(key)) decide("type", claim, { claim_type: TYPES[key - 1] });
}

$("#save-review").addEventListener("click", () => {
  const review = { format: REVIEW_FORMAT, transcript_id: data.transcript_id, decisions };
  const place = URL.createObjectURL(new Blob([JSON.stringify(review, null, 1) + "\n"], { type: "application/json" }));
  const link = element("a", { href: place, download: "review.json" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(place), 1000);
});
refresh();
followAddress("instant");
