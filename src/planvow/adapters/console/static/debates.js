// Keys for the desk: the next and the previous claim, and the verdicts on the chosen one.
const stops = [...document.querySelectorAll("[data-claim]")];
const panel = document.querySelector("[data-why]");
document.querySelector("[data-keys]")?.removeAttribute("hidden");

function send(action, kind) {
  const form = panel?.querySelector(`form[data-decide="${action}"]`);
  if (!form) return;
  if (kind !== undefined) {
    const field = form.elements.claim_type;
    if (kind >= field.options.length) return;
    field.selectedIndex = kind;
  }
  form.requestSubmit();
}

function walk(step) {
  const chosen = stops.findIndex((stop) => stop.ariaCurrent === "true");
  const next = stops[chosen < 0 ? (step > 0 ? 0 : stops.length - 1) : chosen + step];
  if (next) location.assign(next.href);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
  if (event.key === "j") walk(1);
  else if (event.key === "k") walk(-1);
  else if (event.key === "a") send("accept");
  else if (event.key === "x") send("reject");
  else if (/^[1-8]$/.test(event.key)) send("type", Number(event.key) - 1);
});
