// Python with planvow in a worker, so that the page stays usable while it plans and a search can be ended.
import { loadPyodide } from "../vendor/pyodide/pyodide.mjs";

const beside = (name) => new URL(name, import.meta.url).href;

async function start() {
  const files = ["../vendor/wheels/rfc8785.whl", "../vendor/wheels/planvow.whl", "answering.py"];
  const [python, canonical, planvow, answering] = await Promise.all([
    loadPyodide({ indexURL: beside("../vendor/pyodide/") }),
    ...files.map((name) => fetch(beside(name)).then((found) => found.arrayBuffer())),
  ]);
  python.unpackArchive(canonical, "wheel");
  python.unpackArchive(planvow, "wheel");
  python.FS.writeFile("/home/pyodide/answering.py", new Uint8Array(answering));
  return python.pyimport("answering");
}

const answering = start();
answering.then(
  () => postMessage({ ready: true }),
  (error) => postMessage({ failed: String(error) }),
);
onmessage = async ({ data }) => {
  try {
    postMessage({ answer: JSON.parse((await answering).answer(data.kind, data.first, data.second)) });
  } catch (error) {
    postMessage({ answer: { status: "failed", tabs: { Error: String(error) } } });
  }
};
