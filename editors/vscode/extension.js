// Starts `planvow lsp` and lets VS Code talk to it. Everything that is known about HDDL is in the server.
"use strict";

const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = async function activate() {
  const [command, ...args] = workspace.getConfiguration("planvow").get("command");
  client = new LanguageClient("planvow", "planvow (HDDL)", { command, args }, { documentSelector: [{ language: "hddl" }] });
  await client.start();
};

exports.deactivate = function deactivate() {
  return client?.stop();
};
