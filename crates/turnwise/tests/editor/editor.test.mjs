// `turnwise acp` through every kind of message, by the protocol's own client.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

import { AGENT, diffs, editor, in_repository } from "./harness.mjs";

test("what it can do is said, and a session has modes and commands", () => in_repository(async (repository) => {
  await editor(repository, async (held) => {
    assert.equal(held.hello.protocolVersion, 1);
    assert.equal(held.hello.agentInfo.name, "turnwise");
    assert.equal(held.hello.agentCapabilities.loadSession, true);
    const { modes } = await held.begin();
    assert.deepEqual([modes.currentModeId, modes.availableModes.map(({ id }) => id)], ["auto", ["auto", "ask", "do", "plan"]]);
    await held.say("where is total defined?");
    const [{ availableCommands }] = held.of("available_commands_update");
    assert.ok(availableCommands.some(({ name, input }) => name === "plan" && input.hint), JSON.stringify(availableCommands));
    assert.match(held.said(), /src\/shop\.rs:2: function total/);
    assert.deepEqual(held.told.asked, [], "a question asks for no permission");
    assert.equal(repository.git("status", "--short"), "");
  });
}));

test("a change is shown as diffs, written after an allowed permission, and taken back", () => in_repository(async (repository) => {
  let status = "";
  const permit = ({ options }) => {
    status = repository.git("status", "--short");
    assert.match(options[0].optionId, /^approve:tw1\./, "it carries our reference");
    return "allow_once";
  };
  await editor(repository, async (held) => {
    await held.begin();
    assert.equal(await held.say("rename total to sum_of"), "end_turn");
    const [asked] = held.told.asked;
    assert.equal(status, "", "nothing is written before the yes");
    const paths = diffs(asked.toolCall).map(({ path }) => path);
    assert.deepEqual([...new Set(paths)], ["src/lib.rs", "src/shop.rs"].map((name) => join(repository.path, name)));
    const [first] = diffs(asked.toolCall);
    assert.match(first.oldText, /pub use shop::total;/);
    assert.match(first.newText, /pub use shop::sum_of;/);
    assert.equal(asked.toolCall.kind, "edit");
    assert.deepEqual(held.of("plan").at(-1).entries.map(({ status }) => status), ["completed"]);
    const ended = held.of("tool_call_update").filter(({ toolCallId }) => toolCallId === asked.toolCall.toolCallId).at(-1);
    assert.equal(ended.status, "completed");
    assert.match(repository.read("src/lib.rs"), /pub use shop::sum_of;/);
    assert.match(held.said(), /“undo” takes it back/);
    await held.say("undo");
    assert.equal(repository.git("status", "--short"), "");
  }, { permit });
}));

test("a no, a cancelled request and an unknown option write nothing", () => in_repository(async (repository) => {
  for (const answer of ["reject_once", "cancel", "approve", "approve:tw1.forged"]) {
    await editor(repository, async (held) => {
      await held.begin();
      assert.equal(await held.say("rename total to sum_of"), "end_turn", answer);
      assert.equal(held.told.asked.length, 1);
      assert.equal(repository.git("status", "--short"), "", answer);
    }, { permit: () => answer });
  }
}));

test("what can be done with a run that failed is offered by buttons, and one that allows all tries it again once", () => in_repository(async (repository) => {
  let answers = ["allow_once", "reject_once"];
  const permit = () => answers.shift() ?? "allow_once";
  await editor(repository, async (held) => {
    await held.begin();
    assert.equal(await held.say("run git show no-such-thing"), "end_turn");
    assert.deepEqual(held.told.asked[1].options.map(({ name }) => name), ["Resume: try again", "Abort"]);
    assert.match(held.said(), /Given up/);
    answers = [];
    held.told.asked.length = 0;
    assert.equal(await held.say("run git show no-such-thing"), "end_turn");
    assert.equal(held.told.asked.length, 2, "the second failure waits for words");
    await held.say("/run abort");
    assert.equal(held.said().match(/Given up/g).length, 2);
  }, { permit });
}));

test("what stands behind a command is carried by it", () => in_repository(async (repository) => {
  await editor(repository, async (held) => {
    await held.begin();
    await held.say("/run git status --short");
    assert.match(JSON.stringify(held.told.asked[0].toolCall), /git status --short/);
    await held.say("no");
    await held.say("/ask where is total defined?");
    assert.match(held.said(), /src\/shop\.rs:2: function total/);
  });
}));

test("what lies open is what this file means, and what is selected is explained", () => in_repository(async (repository) => {
  await editor(repository, async (held) => {
    await held.begin();
    const uri = `file://${join(repository.path, "src/shop.rs")}`;
    await held.say("explain this", { type: "resource_link", name: "shop.rs", uri: `${uri}#L6:7` });
    assert.match(held.said(), /src\/shop\.rs:6-7, in function twice/);
    await held.say("replace \"total\" with \"sum\" in this file", { type: "resource_link", name: "shop.rs", uri });
    assert.deepEqual([...new Set(diffs(held.told.asked[0].toolCall).map(({ path }) => path))], [join(repository.path, "src/shop.rs")]);
    // A file named within the sentence is one that is named.
    await held.request(AGENT.session.prompt, {
      sessionId: held.session.sessionId,
      prompt: [{ type: "text", text: "no" }],
    });
    await held.request(AGENT.session.prompt, {
      sessionId: held.session.sessionId,
      prompt: [
        { type: "text", text: "/do add a comment \"shop\" to line 1 of " },
        { type: "resource_link", name: "lib.rs", uri: `file://${join(repository.path, "src/lib.rs")}` },
      ],
    });
    assert.deepEqual(diffs(held.told.asked.at(-1).toolCall).map(({ path }) => path), [join(repository.path, "src/lib.rs")]);
    assert.equal(repository.git("status", "--short"), "");
  });
}));

test("what is selected is what this means in an order", () => in_repository(async (repository) => {
  await editor(repository, async (held) => {
    await held.begin();
    const link = (lines) => ({ type: "resource_link", name: "shop.rs", uri: `file://${join(repository.path, "src/shop.rs")}${lines}` });
    await held.say("rename this to sum_up", link("#L1:4"));
    assert.match(JSON.stringify(diffs(held.told.asked.at(-1).toolCall)), /pub use shop::sum_up/, "everywhere, not only in its file");
    // What is selected later is not what was meant.
    await held.say("call it summed", link("#L6:7"));
    assert.match(JSON.stringify(diffs(held.told.asked.at(-1).toolCall)), /fn summed\(/);
    await held.say("no");
    await held.say("rename this function to doubled", link("#L7"));
    assert.match(JSON.stringify(diffs(held.told.asked.at(-1).toolCall)), /fn doubled/);
    await held.say("no");
    await held.say("add the comment \"here\" above this", link("#L6:7"));
    assert.match(JSON.stringify(diffs(held.told.asked.at(-1).toolCall)), /\/\/ here\\nfn twice/);
  });
}));

test("in the mode of questions nothing is changed, whatever was asked before", () => in_repository(async (repository) => {
  await editor(repository, async (held) => {
    const { sessionId: id } = await held.begin();
    await held.say("rename total to sum_of");
    assert.equal(held.told.asked.length, 1);
    await held.request(AGENT.session.setMode, { sessionId: id, modeId: "ask" });
    for (const said of ["rename total to sum_of", "rename twice to doubled", "yes"]) await held.say(said);
    assert.equal(held.told.asked.length, 1, "no permission is asked for");
    assert.equal(repository.git("status", "--short"), "");
    // In the mode of changes an order is one, and an answer an answer.
    await held.request(AGENT.session.setMode, { sessionId: id, modeId: "do" });
    await held.say("rename twice to doubled");
    await held.say("rename twice to double_of");
    await held.say("call it two_of");
    assert.match(JSON.stringify(diffs(held.told.asked.at(-1).toolCall)), /fn two_of/);
    assert.doesNotMatch(held.said(), /Change: /);
    await held.say("/run");
    assert.doesNotMatch(held.said(), /Change: /);
  }, { permit: () => "reject_once" });
}));

test("a mode goes before what is said, and a session is loaded, listed, resumed, closed and deleted", () => in_repository(async (repository) => {
  let id;
  await editor(repository, async (held) => {
    ({ sessionId: id } = await held.begin());
    await held.request(AGENT.session.setMode, { sessionId: id, modeId: "ask" });
    await held.say("rename total to sum_of");
    assert.deepEqual(held.told.asked, [], "in the mode of questions nothing is changed");
    await held.request(AGENT.session.setMode, { sessionId: id, modeId: "auto" });
    await held.say("rename total to sum_of");
    assert.equal(held.told.asked.length, 1);
    await assert.rejects(held.request(AGENT.session.setMode, { sessionId: id, modeId: "nothing" }));
  });
  // Another process: what was said is there, and what waits still waits.
  await editor(repository, async (held) => {
    const { sessions } = await held.request(AGENT.session.list, { cwd: repository.path });
    assert.deepEqual(sessions.map(({ sessionId }) => sessionId), [id]);
    assert.equal((await held.request(AGENT.session.list, {})).sessions[0].cwd, repository.path);
    await held.request(AGENT.session.load, { sessionId: id, cwd: repository.path, mcpServers: [] });
    assert.ok(held.of("user_message_chunk").some(({ content }) => content.text === "rename total to sum_of"));
    assert.match(held.said(), /Rename total to sum_of/);
    held.session = { sessionId: id };
    await held.say("yes");
    assert.match(repository.read("src/lib.rs"), /sum_of/);
  });
  await editor(repository, async (held) => {
    await held.request(AGENT.session.resume, { sessionId: id, cwd: repository.path, mcpServers: [] });
    assert.deepEqual(held.of("user_message_chunk"), []);
    await held.request(AGENT.session.close, { sessionId: id });
    await assert.rejects(held.request(AGENT.session.prompt, { sessionId: id, prompt: [{ type: "text", text: "hi" }] }), /session/i);
    await held.request(AGENT.session.delete, { sessionId: id });
    assert.deepEqual((await held.request(AGENT.session.list, { cwd: repository.path })).sessions, []);
  });
}));

test("what is wrong is said and ends nothing", () => in_repository(async (repository) => {
  await editor(repository, async (held) => {
    await assert.rejects(held.request(AGENT.session.new, { cwd: "shop", mcpServers: [] }), /cwd|whole path|params/i);
    await assert.rejects(held.request(AGENT.session.new, { cwd: join(repository.above, "none"), mcpServers: [] }), /folder/);
    await assert.rejects(held.request("session/none", {}));
    await held.begin();
    await assert.rejects(held.say("  "), /params/i);
    await assert.rejects(held.request(AGENT.session.prompt, {
      sessionId: held.session.sessionId,
      prompt: [{ type: "text", text: "look" }, { type: "image", data: "", mimeType: "image/png" }],
    }));
    assert.equal(await held.say("where is total defined?"), "end_turn");
  });
  // A line that is no message, and a pipe that is closed, end with a word and an exit code of 0.
  const said = execFileSync(process.env.TURNWISE, ["acp"], { cwd: repository.above, env: repository.environment(), input: "no json\n", encoding: "utf8" });
  assert.equal(JSON.parse(said).error.code, -32700);
}));

test("a decision elsewhere takes the request for permission back", () => in_repository(async (repository) => {
  let closed = false;
  const permit = async () => {
    const waits = JSON.parse(execFileSync(process.env.TURNWISE, ["pending", "--json"], { env: repository.environment(), encoding: "utf8" }));
    execFileSync(process.env.TURNWISE, ["approve", waits[0].reference], { env: repository.environment(), encoding: "utf8" });
    await new Promise((resolve) => { setTimeout(resolve, 15_000).unref(); });
    closed = true;
    return "reject_once";
  };
  await editor(repository, async (held) => {
    await held.begin();
    assert.equal(await held.say("rename total to sum_of"), "end_turn");
    assert.equal(closed, false, "nobody waited for the editor's answer");
    assert.match(repository.read("src/lib.rs"), /sum_of/);
    assert.match(held.said(), /Approved by /);
  }, { permit });
}));

test("acpx, a client of its own, has a change made and refused", () => in_repository(async (repository) => {
  const acpx = join(import.meta.dirname, "node_modules/acpx/dist/cli.js");
  const run = (...words) => new Promise((resolve, reject) => {
    const environment = { ...repository.environment(), HOME: repository.above };
    const ran = spawn(process.execPath, [acpx, "--agent", `${process.env.TURNWISE} acp`, "--cwd", repository.path, ...words],
      { cwd: repository.path, env: environment });
    let told = "";
    ran.stdout.on("data", (data) => { told += data; });
    ran.stderr.on("data", (data) => { told += data; });
    ran.on("error", reject);
    ran.on("close", (code) => resolve({ code, told }));
  });
  const asked = await run("--approve-all", "exec", "where is total defined?");
  assert.match(asked.told, /src\/shop\.rs:2/, asked.told);
  const denied = await run("--deny-all", "exec", "rename total to sum_of");
  assert.equal(repository.git("status", "--short"), "", denied.told);
  const done = await run("--approve-all", "exec", "rename total to sum_of");
  assert.match(repository.read("src/lib.rs"), /sum_of/, done.told);
}));
