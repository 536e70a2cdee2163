// A long conversation, and what the page weighs: measured, told, and held to what a person feels. SAID says how many
// messages of a person there are; figures for 5,000, with as many replies, stand in docs/benchmarks.md. See harness.mjs.

import assert from "node:assert/strict";
import { get as fetchRaw } from "node:http";
import { test } from "node:test";
import { id, newContext, open, say, serve } from "./harness.mjs";

/** Messages of a person; each has a reply. More take long to be said. */
const SAID = Number(process.env.SAID ?? 1_000);
const AT_ONCE = 16;

/** How many bytes go over the line for `path`. */
const weight = (server, path) => new Promise((resolve, reject) => {
  fetchRaw(`${server.url}${path}`, { headers: { "Accept-Encoding": "gzip" } }, (answer) => {
    let bytes = 0;
    answer.on("data", (chunk) => { bytes += chunk.length; });
    answer.on("end", () => resolve(bytes));
  }).on("error", reject);
});

test("what the page is made of weighs at most 150 kB on the line", async (test) => {
  const server = await serve(test);
  const { page, context } = await open(test, server);
  const parts = await page.evaluate(() => performance.getEntriesByType("resource").map((one) => new URL(one.name).pathname).filter((path) => path.startsWith("/assets/")));
  assert.ok(parts.length > 30, `all parts were loaded (${parts.length})`);
  const weights = await Promise.all(["/", ...new Set(parts)].map((path) => weight(server, path)));
  const kilobytes = weights.reduce((sum, one) => sum + one, 0) / 1000;
  console.log(`the page weighs ${kilobytes.toFixed(1)} kB compressed, in ${weights.length} parts`);
  assert.ok(kilobytes <= 150, `${kilobytes} kB`);
  await context.close();
});

test("a long conversation is opened at once and scrolls smoothly", async (test) => {
  const server = await serve(test, "--requests-per-second", "100000");
  const first = await open(test, server);
  await say(first.page, "what tables are there?");
  await first.page.locator(".message.assistant").first().waitFor();
  const conversation = await id(first.page);
  await first.context.close();
  let next = 0;
  const talk = async () => {
    for (let number = next++; number < SAID - 1; number = next++) {
      const answer = await fetch(`${server.url}/v1/conversations/${conversation}/messages`, { method: "POST",
        headers: { "Content-Type": "application/json", "Idempotency-Key": `said-${number}` }, body: JSON.stringify({ text: number % 10 ? "/status" : "what tables are there?" }) });
      assert.equal(answer.status, 200);
      await answer.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, talk));

  const context = await newContext({ viewport: { width: 1280, height: 820 } });
  test.after(() => context.close());
  const fresh = await context.newPage();
  const errors = [];
  fresh.on("pageerror", (error) => errors.push(String(error.stack ?? error)));
  await fresh.addInitScript(() => {
    globalThis.long = [];
    new PerformanceObserver((list) => globalThis.long.push(...list.getEntries().map((one) => ({ at: one.startTime, took: one.duration })))).observe({ type: "longtask", buffered: true });
  });
  await fresh.goto(`${server.url}/#${encodeURIComponent(conversation)}`);
  const read = await fresh.waitForFunction(() => {
    const last = [...document.querySelectorAll(".message.assistant")].at(-1);
    return last && last.getBoundingClientRect().bottom <= innerHeight && document.querySelector("#status.ready") ? performance.now() : null;
  }, null, { polling: "raf", timeout: 60_000 });
  const shown = await read.jsonValue();
  await fresh.waitForFunction((count) => document.querySelectorAll(".chunk").length * 16 >= count, SAID, { timeout: 60_000 });
  const whole = await fresh.evaluate(() => performance.now());
  const paint = await fresh.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime);
  const opening = await fresh.evaluate(() => globalThis.long.reduce((sum, one) => sum + one.took, 0));
  const nodes = await fresh.evaluate(() => document.querySelectorAll("#transcript *").length);

  // A hand at the wheel: from the end towards the beginning, and a jump to the beginning.
  const scrolled = await fresh.evaluate(async () => {
    const box = document.getElementById("transcript");
    const from = performance.now();
    let late = 0;
    let before = from;
    let frames = 0;
    while (performance.now() - from < 4_000) {
      box.scrollTop -= 240;
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const now = performance.now();
      if (now - before > 50) late += 1;
      before = now;
      frames += 1;
    }
    const long = globalThis.long.filter((one) => one.at >= from);
    return { frames, late, tasks: long.length, blocked: long.reduce((sum, one) => sum + one.took, 0), longest: Math.max(0, ...long.map((one) => one.took)) };
  });
  await fresh.evaluate(() => { document.getElementById("transcript").scrollTop = 0; });
  await fresh.locator(".message.person", { hasText: "what tables are there?" }).first().waitFor();
  console.log(`first paint ${paint.toFixed(0)} ms, its end readable after ${shown.toFixed(0)} ms, all of it there after ${whole.toFixed(0)} ms, `
    + `${opening.toFixed(0)} ms of long tasks meanwhile, ${nodes} elements; scrolling: ${JSON.stringify(scrolled)}`);
  assert.ok(nodes < 6_000, `only what is near the view is in the document: ${nodes}`);
  // Far above what is measured on a quiet machine, so that a busy one does not fail it.
  assert.ok(paint < 1_500, `first paint after ${paint} ms`);
  assert.ok(scrolled.blocked < 1_500, `scrolling was held up for ${scrolled.blocked} ms of 4 s`);
  assert.deepEqual(errors, []);
});
