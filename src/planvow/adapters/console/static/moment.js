// Following the state: a slider, and a button that goes on by itself, where the links step by step are always there.
const STEP_MS = 900;
const holder = () => document.querySelector("[data-moment]");
let going = null, asked = 0;

function dress() {
  for (const part of holder().querySelectorAll(".slide, [data-run]")) part.hidden = false;
  holder().querySelector("[data-run]").setAttribute("aria-pressed", String(going !== null));
  holder().querySelector("[data-run]").textContent = going === null ? "Play" : "Pause";
}

async function show(step, focus) {
  const mine = ++asked;
  const address = new URL(location.href);
  address.searchParams.set("step", step);
  const answer = await fetch(address);
  if (!answer.ok || mine !== asked) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-moment]");
  if (!fresh || mine !== asked) return;
  holder().replaceWith(document.adoptNode(fresh));
  history.replaceState(null, "", address);
  dress();
  holder().querySelector(focus)?.focus();
}

function pause() {
  clearInterval(going);
  going = null;
  dress();
}

function step() {
  const slide = holder().querySelector("[data-slide]");
  if (Number(slide.value) >= Number(slide.max)) return pause();
  show(Number(slide.value) + 1, "[data-run]");
}

document.addEventListener("input", (event) => { if (event.target.matches("[data-slide]")) show(event.target.value, "[data-slide]"); });
document.addEventListener("click", (event) => {
  if (!event.target.matches?.("[data-run]")) return;
  if (going !== null) return pause();
  const slide = holder().querySelector("[data-slide]");
  if (Number(slide.value) >= Number(slide.max)) show(0, "[data-run]");
  going = setInterval(step, STEP_MS);
  dress();
});
if (holder()) dress();
