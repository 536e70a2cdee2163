// A prompt that the editor gives up ends as cancelled, whatever waits or runs in it, and nothing more is done.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { AGENT, editor, in_repository } from "./harness.mjs";

test("editor_cancel_during_prompt_returns_cancelled", () => in_repository(async (repository) => {
  let held;
  const permit = async () => {
    await held.ctx.notify(AGENT.session.cancel, { sessionId: held.session.sessionId });
    return "cancel";
  };
  await editor(repository, async (it) => {
    held = it;
    await held.begin();
    assert.equal(await held.say("rename total to sum_of"), "cancelled");
    assert.equal(repository.git("status", "--short"), "");
    // What was cancelled waits no more: a yes means nothing now.
    await held.say("yes");
    assert.equal(repository.git("status", "--short"), "");
  }, { permit });
  // A command that runs is ended, and the turn says so.
  await editor(repository, async (it) => {
    held = it;
    await held.begin();
    const begun = Date.now();
    // What it prints comes while it runs.
    writeFileSync(join(repository.path, "slow.sh"), "#!/bin/sh\necho half of it\nsleep 60\n", { mode: 0o755 });
    const turn = held.say("run `./slow.sh`");
    const printed = ({ content }) => content?.some((one) => one.content?.text?.includes("half of it"));
    while (!held.of("tool_call_update").some(printed)) {
      await new Promise((resolve) => { setTimeout(resolve, 20); });
    }
    await held.ctx.notify(AGENT.session.cancel, { sessionId: held.session.sessionId });
    assert.equal(await turn, "cancelled");
    assert.ok(Date.now() - begun < 30_000);
  }, { permit: () => "allow_once" });
}));
