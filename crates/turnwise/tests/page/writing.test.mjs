// What a language model writes is seen on the page while it writes, and goes when it is whole. See harness.mjs.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { looks, open, say, serve } from "./harness.mjs";

/** A model behind OpenAI's protocol that writes a word whenever it is told to, and at last ends. */
async function slowModel(test) {
  const lines = [];
  const model = createServer((request, answer) => {
    request.resume();
    answer.writeHead(200, { "content-type": "text/event-stream" });
    answer.flushHeaders();
    lines.push(answer);
  });
  await new Promise((resolve) => model.listen(0, "127.0.0.1", resolve));
  test.after(() => { model.closeAllConnections(); model.close(); });
  const event = (answer, choice) => answer.write(`data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`);
  return {
    name: `openai-compatible:http://127.0.0.1:${model.address().port}/v1#tiny`,
    asked: () => lines.length,
    say: (text) => event(lines.at(-1), { delta: { content: text } }),
    end: () => { const answer = lines.at(-1); event(answer, { delta: {}, finish_reason: "stop" }); answer.end("data: [DONE]\n\n"); },
  };
}

test("the page shows what a model writes while it writes it", async (test) => {
  const model = await slowModel(test);
  const server = await serve(test, "--model", model.name);
  const { page, errors } = await open(test, server);
  await say(page, "how many blorptastic people are there?");
  const writing = page.locator("#writing");
  await writing.waitFor({ state: "visible" });
  model.say("SELECT <b>one");
  await page.waitForFunction(() => document.getElementById("writing").textContent === "tiny writes: SELECT <b>one");
  model.say(" FROM people");
  await page.waitForFunction(() => document.getElementById("writing").textContent.endsWith("SELECT <b>one FROM people"));
  assert.equal(await writing.locator("b").count(), 0, "it is text, whatever is written");
  await looks(page, "model-writes");
  const asked = model.asked();
  model.end();
  // Asked once more, with what was wrong; then it is over, and nothing of it stays.
  await page.waitForFunction(() => !document.getElementById("writing").textContent.includes("people"));
  while (model.asked() === asked) await new Promise((resolve) => setTimeout(resolve, 20));
  await say(page, "stop");
  await writing.waitFor({ state: "hidden" });
  assert.deepEqual(errors, []);
});
