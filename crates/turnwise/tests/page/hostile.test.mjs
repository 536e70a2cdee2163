// Words that would be code, in every place where the page shows what somebody wrote: nothing runs, and the policy of the
// page never has to step in. See harness.mjs.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { action, approve, ask, audit, get, id, kept, looks, menu, newContext, open, phase, plan, result, say, serve, taken } from "./harness.mjs";

const EVIL = "<img src=x onerror=globalThis.broken=1><script>globalThis.broken=2</script>\"'><svg onload=globalThis.broken=3>";

/** Watches for anything that ran and anything the policy of the page had to stop. */
async function watched(context) {
  await context.addInitScript(() => {
    globalThis.stopped = [];
    document.addEventListener("securitypolicyviolation", (event) => globalThis.stopped.push(`${event.violatedDirective} ${event.blockedURI}`));
  });
}

async function isWhole(page, where) {
  assert.equal(await page.evaluate(() => globalThis.broken), undefined, `${where}: something ran`);
  assert.deepEqual(await page.evaluate(() => globalThis.stopped), [], `${where}: the policy had to step in`);
  assert.equal(await page.locator("img[src=x], script:not([src]), svg[onload], [onerror]").count(), 0, `${where}: there is foreign markup`);
}

test("nothing that anybody wrote is run", async (test) => {
  const server = await serve(test, (folder) => {
    const cell = (text) => `"${text.replaceAll('"', '""')}"`;
    writeFileSync(join(folder, "people.csv"), `id,${cell(`odd ${EVIL}`)},town,paid\n1,a,${cell(EVIL)},10\n2,b,Oslo,20\n`);
  });
  const { page, errors, context } = await open(test, server);
  await watched(context);
  await page.reload();
  await page.locator(".me .name").waitFor({ state: "attached" });

  await say(page, `${EVIL} total paid`);
  await page.locator(".message.person", { hasText: "<img" }).waitFor();
  await page.locator("#list .title", { hasText: "<img" }).waitFor();
  await isWhole(page, "a message, a title");
  await page.locator("#new").click();
  await ask(page, "total paid by town");
  await isWhole(page, "a plan");
  await plan(page).getByRole("button", { name: "Edit as text" }).click();
  const text = page.getByLabel("The plan as text");
  await text.fill((await text.inputValue()).replace(/title: .*/, `title: '${EVIL.replaceAll("'", "''")}'`));
  await plan(page).getByRole("button", { name: "Use this text" }).click();
  await page.locator(".card.plan h3", { hasText: "v2" }).waitFor();
  assert.ok((await plan(page).locator("h3").innerText()).includes("<img"), "it is shown as it was written");
  await isWhole(page, "a plan's title");
  await approve(page);
  await result(page).locator("td", { hasText: "<img" }).first().waitFor();
  await isWhole(page, "cells");
  await ask(page, "list people");
  await approve(page);
  await result(page).locator("th", { hasText: "<img" }).first().waitFor();
  await isWhole(page, "cells and columns");
  await result(page).locator("th button").first().click();
  while (await page.locator("details.draw:not([open]) > summary").count()) await page.locator("details.draw:not([open]) > summary").first().click();
  await page.locator(".result .chart svg").last().scrollIntoViewIfNeeded();
  await page.waitForFunction(() => [...document.querySelectorAll(".result .chart svg")].at(-1).childElementCount > 0);
  await isWhole(page, "a chart");
  await looks(page, "hostile");

  await (await action(page, "Proof", "Facts and proof")).click();
  await page.locator("#panel .fact-whole").first().waitFor();
  await page.locator("#panel .graph .node").last().click();
  await isWhole(page, "a fact");
  const proof = await taken(page, page.locator("#panel").getByRole("link", { name: "HTML" }));
  await page.keyboard.press("Escape");
  await page.locator("#words").fill("");
  await say(page, `/facts show ${EVIL}`);
  await say(page, `/queue edit ${EVIL}`);
  await page.locator(".aside, .notice, .message.assistant", { hasText: "<img" }).first().waitFor();
  await isWhole(page, "a refusal");

  await menu(page, "People");
  await page.getByLabel("Person to let in").fill(EVIL.slice(0, 60));
  await page.getByRole("button", { name: "Let in" }).click();
  await page.locator("#panel .people li", { hasText: "<img" }).waitFor();
  await isWhole(page, "a name");
  await page.keyboard.press("Escape");
  await page.locator(".why").first().click();
  await page.locator("#panel .reading").first().waitFor();
  await isWhole(page, "a reading");
  await page.keyboard.press("Escape");
  await page.reload();
  await result(page).waitFor();
  await menu(page, "Delete");
  await isWhole(page, "the history");
  await audit(page, "hostile words");
  assert.deepEqual(errors.filter((error) => !/40[49]|422/.test(error)), []);

  // The proof as a page of its own, opened from a file.
  const alone = await newContext();
  test.after(() => alone.close());
  await watched(alone);
  const opened = await alone.newPage();
  writeFileSync(join(server.folder, "proof.html"), proof.text);
  await opened.goto(`file://${join(server.folder, "proof.html")}`);
  assert.equal(await opened.evaluate(() => globalThis.broken), undefined, "the proof ran something");
});

test("a failing step and a file's name are only text", async (test) => {
  const name = "<img src=x onerror=globalThis.broken=1>.csv";
  const server = await serve(test);
  const { page, errors, context } = await open(test, server);
  await watched(context);
  await page.reload();
  await page.locator(".me .name").waitFor({ state: "attached" });
  await say(page, `number of people by town and append it to "${name}"`);
  await page.locator(".message.assistant").last().waitFor();
  await plan(page).getByRole("button", { name: "Approve" }).waitFor();
  if (await page.locator(".card.plan", { hasText: "<img" }).count()) writeFileSync(await kept(server, page, name), "town,number of people\nParis,9\n");
  await approve(page);
  await page.locator(".card.failure, .card.result").last().waitFor();
  await phase(page, "failed").catch(() => {});
  await isWhole(page, "a file's name, an error");
  const { events } = await get(server, `/v1/conversations/${await id(page)}/export`);
  assert.ok(events.length > 0);
  assert.deepEqual(errors, []);
});
