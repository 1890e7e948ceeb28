// Runs the golden corpus on the Python of Pyodide, in node: node pyodide_corpus.mjs PYODIDE WHEELS ROOT; prints one JSON document.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, wheels, root] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: `${folder}/`, stdout: () => {}, stderr: (line) => console.error(line) });
for (const wheel of wheels.split(",")) python.unpackArchive(new Uint8Array(readFileSync(wheel)), "wheel");
python.FS.mkdirTree("/repo");
python.FS.mount(python.FS.filesystems.NODEFS, { root }, "/repo");
const lab = python.runPython("import sys; sys.path[:0] = ['/repo/tests', '/repo/tests/lab']; import corpus_elsewhere; corpus_elsewhere");
process.stdout.write(lab.report());
