// A prompt that the editor gives up ends as cancelled, whatever waits or runs in it, and nothing more is done.

import assert from "node:assert/strict";
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
    const turn = held.say("run `sleep 60`");
    while (!held.of("plan").some(({ entries }) => entries.some(({ status }) => status === "in_progress"))) {
      await new Promise((resolve) => { setTimeout(resolve, 20); });
    }
    await held.ctx.notify(AGENT.session.cancel, { sessionId: held.session.sessionId });
    assert.equal(await turn, "cancelled");
    assert.ok(Date.now() - begun < 30_000);
  }, { permit: () => "allow_once" });
}));
