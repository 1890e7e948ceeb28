// The page around the worker: examples, two texts, and tabs for what came out.
const $ = (name) => document.getElementById(`pg-${name}`);
const beside = (name) => new URL(name, import.meta.url).href;
const state = { worker: null, samples: [], kind: "python", since: 0 };

function startWorker() {
  state.worker = new Worker(beside("worker.js"), { type: "module" });
  state.worker.onmessage = ({ data }) => {
    if (data.ready) return ready("Ready");
    if (data.failed) return ($("status").textContent = `Python could not be loaded: ${data.failed}`);
    show(data.answer);
  };
  state.worker.onerror = (error) => ($("status").textContent = `Python could not be loaded: ${error.message}`);
}

function ready(words) {
  $("status").textContent = words;
  $("run").disabled = false;
  $("stop").disabled = true;
}

function run() {
  state.since = performance.now();
  $("run").disabled = true;
  $("stop").disabled = false;
  $("status").textContent = "Planning …";
  state.worker.postMessage({ kind: state.kind, first: $("first").value, second: $("second").value });
}

function stop() {
  state.worker.terminate();
  $("run").disabled = $("stop").disabled = true;
  $("status").textContent = "Stopped; Python is being loaded again …";
  startWorker();
}

function show(answer) {
  const seconds = ((performance.now() - state.since) / 1000).toFixed(2);
  const steps = answer.steps === undefined ? "" : `, ${answer.steps} step${answer.steps === 1 ? "" : "s"}`;
  ready(`${answer.status}${steps}, ${seconds} s`);
  const tabs = document.querySelector(".pg-tabs");
  tabs.replaceChildren(...Object.entries(answer.tabs).map(([name, text]) => tab(name, text)));
  tabs.firstElementChild.click();
}

function tab(name, text) {
  const button = document.createElement("button");
  Object.assign(button, { textContent: name, type: "button" });
  button.setAttribute("role", "tab");
  button.onclick = () => {
    for (const each of button.parentElement.children) each.setAttribute("aria-selected", String(each === button));
    $("answer").textContent = text;
  };
  return button;
}

function choose(sample) {
  state.kind = sample.kind;
  $("first").value = sample.first;
  $("second").value = sample.second ?? "";
  $("second-box").hidden = sample.kind !== "hddl";
  $("first-label").textContent = sample.kind === "hddl" ? "domain.hddl" : "domain.py";
}

async function open() {
  $("closed").hidden = true;
  $("page").hidden = false;
  startWorker();
  state.samples = await (await fetch(beside("samples.json"))).json();
  $("sample").replaceChildren(...state.samples.map((sample, number) => new Option(sample.name, number)));
  $("sample").onchange = () => choose(state.samples[$("sample").value]);
  $("run").onclick = run;
  $("stop").onclick = stop;
  for (const name of ["first", "second"]) {
    $(name).onkeydown = (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !$("run").disabled) run();
    };
  }
  choose(state.samples[0]);
}

open();
