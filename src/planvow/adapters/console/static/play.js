// The playground: marks while somebody types, and answers that can be waited for or cancelled.
const form = document.querySelector("[data-play]");
const editors = [...document.querySelectorAll("[data-marked]")];
let typed, asking, solving;

function number(editor, wrong = new Set()) {
  const gutter = editor.previousElementSibling;
  const lines = editor.value.split("\n").length;
  gutter.replaceChildren(...Array.from({ length: lines }, (_, i) => {
    const line = document.createElement("span");
    line.textContent = `${wrong.has(i + 1) ? "✕" : ""}${i + 1}\n`;
    if (wrong.has(i + 1)) line.className = "wrong";
    return line;
  }));
  gutter.scrollTop = editor.scrollTop;
}

function goTo(editor, line, column) {
  const lines = editor.value.split("\n");
  const at = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
  editor.focus();
  editor.setSelectionRange(at, at + 1);
  editor.scrollTop = Math.max(0, (line - 5) * 18);
}

function show(marks) {
  const list = form.querySelector(".marks");
  for (const editor of editors) number(editor, new Set(marks.filter((m) => m.file === editor.name).map((m) => m.line)));
  list.replaceChildren(...marks.map((mark) => {
    const item = document.createElement("li"), button = document.createElement("button");
    button.type = "button";
    button.className = mark.severity;
    button.textContent = `${mark.file} ${mark.line}:${mark.column} ${mark.message}`;
    button.addEventListener("click", () => goTo(form.elements[mark.file], mark.line, mark.column));
    item.append(button);
    return item;
  }));
}

async function check() {
  asking?.abort();
  asking = new AbortController();
  try {
    const answer = await fetch("/console/marks", { method: "POST", body: new URLSearchParams(new FormData(form)), signal: asking.signal });
    if (answer.ok) show((await answer.json()).marks);
  } catch { /* somebody typed on */ }
}

for (const editor of editors) {
  number(editor);
  editor.addEventListener("scroll", () => { editor.previousElementSibling.scrollTop = editor.scrollTop; });
  editor.addEventListener("input", () => { number(editor); clearTimeout(typed); typed = setTimeout(check, 350); });
}

const cancel = form?.querySelector("[data-cancel]");
const state = form?.querySelector("[data-state]");
form?.addEventListener("submit", async (event) => {
  if (event.submitter && "draft" in event.submitter.dataset) return; // a task more or less: the page comes anew
  event.preventDefault();
  solving?.abort();
  solving = new AbortController();
  const began = Date.now();
  cancel.hidden = false;
  let far = "";
  const clock = setInterval(() => { state.textContent = `searching for ${Math.round((Date.now() - began) / 1000)} s${far && `: ${far}`}…`; }, 250);
  const watch = [...crypto.getRandomValues(new Uint32Array(3))].join("-");
  const progress = new EventSource(`/console/progress?watch=${watch}`);
  progress.addEventListener("progress", (event) => { far = JSON.parse(event.data).words; });
  try {
    const headers = { "X-Planvow-Watch": watch };
    const answer = await fetch("/console/play", { method: "POST", body: new URLSearchParams(new FormData(form)), headers, signal: solving.signal });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.querySelector("[data-answer]");
    if (!fresh) { state.textContent = page.querySelector(".reason")?.textContent ?? "refused"; return; }
    if (answer.redirected) history.pushState(null, "", answer.url);
    document.querySelector("[data-answer]").replaceWith(document.adoptNode(fresh));
    state.textContent = "The address of this page is now a permanent link to the answer.";
    document.getElementById("answer").scrollIntoView({ block: "nearest" });
  } catch {
    state.textContent = "Cancelled: the search was ended.";
  } finally {
    clearInterval(clock);
    progress.close();
    cancel.hidden = true;
  }
});
cancel?.addEventListener("click", () => solving?.abort());
