// Draws the Mermaid texts of a page, in its colours. The renderer is large, so only pages with a diagram load it.
(() => {
  const here = new URL("vendor/mermaid.min.js", document.currentScript.src).href;
  const dark = () => document.body.getAttribute("data-md-color-scheme") === "slate";

  async function draw(diagrams) {
    window.mermaid.initialize({ startOnLoad: false, theme: dark() ? "dark" : "neutral" });
    for (const [number, diagram] of diagrams.entries()) {
      diagram.source ??= diagram.textContent;
      const { svg } = await window.mermaid.render(`diagram-${number}`, diagram.source);
      diagram.innerHTML = svg;
    }
  }

  document.addEventListener("DOMContentLoaded", () => {
    const diagrams = [...document.querySelectorAll(".diagram")];
    if (!diagrams.length) return;
    const script = document.createElement("script");
    script.src = here; // where it is missing, the text of the diagram stays readable
    script.onload = () => {
      draw(diagrams);
      new MutationObserver(() => draw(diagrams)).observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
    };
    document.head.append(script);
  });
})();
