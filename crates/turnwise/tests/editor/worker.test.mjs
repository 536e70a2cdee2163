// Other agents as workers: what they change in their copy is a diff until approved, and what they want beyond it is asked.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { Repository } from "./harness.mjs";

const EXAMPLE = join(import.meta.dirname, "node_modules/acpx/node_modules/@agentclientprotocol/sdk/dist/examples/agent.js");

async function in_repository(command, work) {
  const repository = new Repository();
  try {
    const configuration = { assistants: { coder: { worker: { command } } } };
    writeFileSync(join(repository.above, "turnwise.yaml"), JSON.stringify(configuration));
    await work(repository, (...lines) => talk(repository, lines));
  } finally {
    repository.remove();
  }
}

/** All that is printed while these lines are said one after the other. */
function talk(repository, lines) {
  const words = ["chat", "--ephemeral", "--assistant", "coder", "--workspace", "shop"];
  const options = { cwd: repository.above, env: repository.environment(), input: `${lines.join("\n")}\n`, encoding: "utf8" };
  // Whether something waits at its end or failed is told by the code; what was said is what counts here.
  return spawnSync(process.env.TURNWISE, words, options).stdout;
}

/** Git knows of no copy any more. */
function is_tidy(repository) {
  assert.equal(repository.git("worktree", "list").trim().split("\n").length, 1);
}

const TASK = "build a discount system with login and signup";

/** Another agent of ours, which has an order of its own to do: what it is told is passed over. */
function ours(order) {
  const script = `
    import { spawn } from "node:child_process";
    const agent = spawn(process.env.TURNWISE, ["acp", "--ephemeral"], { stdio: ["pipe", "pipe", "inherit"] });
    process.stdin.on("data", (data) => agent.stdin.write(String(data).replaceAll(${JSON.stringify(TASK)}, ${JSON.stringify(order)})));
    process.stdin.on("end", () => agent.stdin.end());
    agent.stdout.pipe(process.stdout);
    process.on("SIGTERM", () => agent.kill());`;
  return [process.execPath, "--input-type=module", "-e", script];
}

/** An agent that runs this code in its copy, whatever it is told. */
function doing(code) {
  const script = `
    import { createInterface } from "node:readline";
    import fs from "node:fs";
    createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method, params } = JSON.parse(line);
      const reply = (result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
      if (method === "initialize") reply({ protocolVersion: 1, agentCapabilities: {}, authMethods: [] });
      if (method === "session/new") { process.chdir(params.cwd); reply({ sessionId: "one" }); }
      if (method === "session/prompt") { ${code}; reply({ stopReason: "end_turn" }); }
    });`;
  return [process.execPath, "--input-type=module", "-e", script];
}

const TWELVE = "for (let n = 0; n < 12; n++) fs.writeFileSync(`new${n}.txt`, `${n}\n`)";

test("more than a plan may change is asked about by its size", () => in_repository(doing(TWELVE), async (repository, talk) => {
  const asked = talk(TASK, "y");
  assert.match(asked, /This changes 12 files and 12 lines; a plan changes up to 10 files and 1000 lines/);
  assert.match(asked, /Do all of it\?/);
  assert.equal(repository.git("status", "--short"), "");
  assert.match(talk(TASK, "y", "y"), /Applied to 12 files/);
}));

const AROUND = `fs.symlinkSync("/etc/hosts", "away"); fs.chmodSync("src/shop.rs", 0o755); fs.mkdirSync("out");
  fs.writeFileSync("out/a.txt", "a\\n")`;

test("links, modes and what git ignores are named, and the rest is taken over", () => in_repository(doing(`${AROUND}; fs.writeFileSync("new.txt", "n\\n")`), async (repository, talk) => {
  writeFileSync(join(repository.path, ".gitignore"), "out/\n");
  const done = talk(TASK, "y", "y");
  assert.match(done, /Not taken over: src\/shop\.rs has another mode, away is a link and git ignores out\/\./);
  assert.match(done, /Applied to new\.txt:1\./);
  assert.equal(repository.git("status", "--short"), "?? .gitignore\n?? new.txt\n");
}));

test("an agent that changes nothing that could be taken over says what it was", () => in_repository(doing(AROUND), async (repository, talk) => {
  writeFileSync(join(repository.path, ".gitignore"), "out/\n");
  assert.match(talk(TASK, "y"), /changed nothing that is taken over\. Not taken over: .*away is a link/);
  assert.equal(repository.git("status", "--short"), "?? .gitignore\n");
}));

test("our own agent changes its copy, the diff is approved, applied and taken back", () => in_repository(ours("rename total to sum_of"), async (repository, talk) => {
  const shown = talk(TASK, "y");
  assert.match(shown, /in a copy of the repository/);
  assert.match(shown, /this is what it would change/);
  assert.match(shown, /\+pub use shop::sum_of;/);
  assert.equal(repository.git("status", "--short"), "", "nothing is taken over before the second yes");
  is_tidy(repository);
  const done = talk(TASK, "y", "y");
  assert.match(done, /Applied to 2 files/);
  assert.match(repository.read("src/lib.rs"), /sum_of/);
  talk("undo", "y");
  assert.equal(repository.git("status", "--short"), "");
  const refused = talk(TASK, "y", "n");
  assert.match(refused, /nothing was done/);
  assert.equal(repository.git("status", "--short"), "");
}));

test("uncommitted changes go along, and a file changed on both sides is nobody's to decide", () => in_repository(ours("rename total to sum_of"), async (repository, talk) => {
  writeFileSync(join(repository.path, "src/lib.rs"), `${repository.read("src/lib.rs")}// mine\n`);
  const before = repository.git("diff");
  talk(TASK, "y", "y");
  assert.match(repository.read("src/lib.rs"), /sum_of;\n\/\/ mine\n/);
  talk("undo", "y");
  assert.equal(repository.git("diff"), before);
  is_tidy(repository);
}));

test("an agent that wants something beyond its copy is stopped, and a person is asked", () => in_repository([process.execPath, EXAMPLE], async (repository, talk) => {
  assert.ok(existsSync(EXAMPLE), EXAMPLE);
  const asked = talk(TASK, "y");
  assert.match(asked, /wants something beyond its copy: Modifying critical configuration file/);
  assert.match(asked, /it may: Modifying critical configuration file/);
  const allowed = talk(TASK, "y", "y");
  assert.match(allowed, /changed nothing\. It said: .*successfully updated the configuration/s);
  assert.equal(repository.git("status", "--short"), "");
  is_tidy(repository);
}));

test("one that cannot be started, speaks no protocol or dies says so and changes nothing", async () => {
  for (const [command, told] of [
    [["no-such-program-anywhere"], /cannot be started/],
    [[process.execPath, "-e", "console.error('out of milk'); process.exit(3)"], /broke off.*out of milk/s],
  ]) {
    await in_repository(command, async (repository, talk) => {
      assert.match(talk(TASK, "y"), told);
      assert.equal(repository.git("status", "--short"), "");
      is_tidy(repository);
    });
  }
});
