// The page as a person uses it: every card is operated and its effect looked for, in the page and over the API. See
// harness.mjs for how it is run.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { approve, ask, audit, binary, get, id, looks, menu, newContext, open, phase, plan, result, say, serve, state, taken } from "./harness.mjs";

test("a question is planned, changed, approved and answered, and the answer explored", async (test) => {
  const server = await serve(test);
  const { page, errors } = await open(test, server);
  await say(page, "number of people by town");
  await phase(page, "awaiting_approval");
  await plan(page).locator(".graph svg").waitFor();
  await shoot(page, "plan-light");
  await audit(page, "a plan waits");

  await plan(page).getByLabel("What should be different").fill("only Rome");
  await plan(page).getByRole("button", { name: "Modify" }).click();
  await page.locator(".card.plan:not(.closed) .diff").waitFor();
  assert.match(await plan(page).locator("h3").innerText(), /v2/);
  assert.ok(await page.locator(".card.plan.closed").first().locator("button").first().isDisabled(), "version 1 is closed");

  await plan(page).getByRole("button", { name: "Approve" }).click();
  await page.locator(".card.result, .message.assistant:has-text('2.')").first().waitFor();
  await phase(page, "idle");
  const state = await get(server, `/v1/conversations/${await id(page)}`);
  assert.equal(state.run.status, "completed");

  await say(page, "total paid by name");
  await phase(page, "awaiting_approval");
  await plan(page).getByRole("button", { name: "Approve" }).click();
  const table = page.locator(".card.result table", { hasText: "Ada" });
  await table.waitFor();
  assert.ok((await table.innerText()).includes("<b>Dee</b>"), "a value is text, never markup");
  const first = () => table.locator("tbody tr").first().innerText();
  await table.getByRole("button", { name: /paid/ }).click();
  assert.match(await first(), /5/);
  await table.getByRole("button", { name: /paid/ }).click();
  assert.match(await first(), /30/);
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export CSV" }).last().click()]);
  assert.match(readFileSync(await file.path(), "utf8"), /Ada,10/);

  await page.getByRole("button", { name: "Facts", exact: true }).click();
  await page.locator("#panel .fact").first().click();
  await page.locator("#panel pre").waitFor();
  assert.match(await page.locator("#panel").innerText(), /SELECT/);
  await audit(page, "the facts are open");
  await shoot(page, "facts-light");
  await page.keyboard.press("Escape");
  await page.locator(".why").last().click();
  await page.locator("#panel .reading").first().waitFor();
  await page.getByRole("button", { name: "Close" }).click();
  assert.deepEqual(errors, []);
});

test("steps are left out, a plan is rejected and dropped, and words are only text", async (test) => {
  const server = await serve(test);
  const { page, errors } = await open(test, server);
  await say(page, "total paid by town and total owed by town");
  await phase(page, "awaiting_approval");
  await plan(page).getByRole("button", { name: "Re-plan" }).click();
  await page.locator(".card.question:not(.closed)").waitFor();
  await page.locator(".card.question:not(.closed)").getByRole("button", { name: "Drop it" }).click();
  await phase(page, "idle");

  await say(page, "<img src=x onerror=\"document.title='broken in'\"> number of people");
  await page.locator(".message.person").last().getByText("<img").waitFor();
  assert.equal(await page.locator(".message img").count(), 0);
  assert.doesNotMatch(await page.title(), /broken in/);
  assert.deepEqual(errors, []);
});

test("a run that waits at its steps is resumed and stopped, and what is queued is dropped", async (test) => {
  const server = await serve(test, "--approval-mode", "before_step");
  const { page, errors } = await open(test, server);
  await say(page, "number of people by town and save it as towns.csv");
  await phase(page, "awaiting_approval");
  await plan(page).getByRole("button", { name: "Approve" }).click();
  const execution = page.locator("#execution");
  await execution.getByRole("button", { name: "Resume" }).waitFor();
  await audit(page, "a run waits");
  await shoot(page, "paused-light");
  await say(page, "total paid by name");
  await page.locator("#queue:not([hidden])").waitFor();
  await page.locator("#queue").getByRole("button", { name: "Drop" }).click();
  await page.locator("#queue[hidden]").waitFor({ state: "attached" });
  await execution.getByRole("button", { name: "Resume" }).click();
  await page.waitForFunction(() => document.querySelector("#execution")?.textContent.includes("1 of 2"));
  await execution.getByRole("button", { name: "Stop" }).click();
  await phase(page, "idle");
  const state = await get(server, `/v1/conversations/${await id(page)}`);
  assert.equal(state.run.status, "cancelled");
  assert.throws(() => readFileSync(join(server.folder, "towns.csv")), "nothing was written after the stop");
  assert.deepEqual(errors, []);
});

test("a failed step offers its ways on", async (test) => {
  const server = await serve(test);
  const { page, errors } = await open(test, server);
  await say(page, "number of people by town and append it to log.csv");
  await phase(page, "awaiting_approval");
  writeFileSync(join(server.folder, "log.csv"), "town,number of people\nParis,9\n");
  await plan(page).getByRole("button", { name: "Approve" }).click();
  const failed = page.locator(".card.failure:not(.closed)");
  await failed.waitFor();
  await phase(page, "failed");
  await audit(page, "a step failed");
  await shoot(page, "failed-light");
  await failed.getByRole("button", { name: "Abandon" }).click();
  await phase(page, "idle");
  assert.equal(readFileSync(join(server.folder, "log.csv"), "utf8"), "town,number of people\nParis,9\n");
  assert.deepEqual(errors, []);
});

test("a second page stays in step, also across a lost line", async (test) => {
  const server = await serve(test);
  const one = await open(test, server);
  await say(one.page, "number of people by town");
  await phase(one.page, "awaiting_approval");
  const two = await open(test, server, {}, `#${await id(one.page)}`);
  await phase(two.page, "awaiting_approval");
  const began = Date.now();
  await plan(two.page).getByRole("button", { name: "Approve" }).click();
  await one.page.locator(".card.plan.closed").waitFor();
  assert.ok(Date.now() - began < 5000, "the other page heard of it");
  await one.page.locator(".card.result").waitFor();
  await two.page.locator(".card.result").waitFor();

  await one.page.context().setOffline(true);
  await say(two.page, "total paid by name");
  await phase(two.page, "awaiting_approval");
  await one.page.context().setOffline(false);
  await phase(one.page, "awaiting_approval");
  const texts = (page) => page.locator("#transcript").innerText();
  await plan(one.page).waitFor();
  assert.equal((await texts(one.page)).match(/total paid by name/g).length, (await texts(two.page)).match(/total paid by name/g).length);
  assert.deepEqual(two.errors, []);
});

test("conversations are begun, forked, exported, deleted, and their mode is switched", async (test) => {
  const server = await serve(test);
  const { page, errors } = await open(test, server);
  await page.locator("#greeting .example").first().click();
  assert.notEqual(await page.locator("#words").inputValue(), "", "an example is put into the box");
  await page.locator("#words").press("Enter");
  await phase(page, "awaiting_approval");
  await page.getByRole("button", { name: "Why", exact: true }).click();
  await page.locator("#panel .reading").first().waitFor();
  await page.getByRole("button", { name: "Close" }).click();

  await page.locator("#mode").selectOption("proof");
  await phase(page, "[PROOF]");
  const first = await id(page);
  assert.equal((await get(server, `/v1/conversations/${first}`)).mode, "proof");

  await page.getByRole("button", { name: "Fork" }).click();
  await page.waitForFunction((before) => decodeURIComponent(location.hash.slice(1)) !== before, first);
  await phase(page, "[PROOF]");
  await plan(page).waitFor();
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export", exact: true }).click()]);
  assert.ok(JSON.parse(readFileSync(await file.path(), "utf8")));

  const copy = await id(page);
  page.once("dialog", (dialog) => dialog.accept());
  await page.getByRole("button", { name: "Delete" }).click();
  await page.waitForFunction(() => document.querySelectorAll("#list li").length === 1);
  assert.equal((await fetch(`${server.url}/v1/conversations/${copy}`)).status, 404);
  await page.locator("#list button").first().click();
  await plan(page).waitFor();
  assert.equal(await id(page), first);

  await page.getByRole("button", { name: "New" }).click();
  await page.waitForFunction(() => document.querySelectorAll("#list li").length === 2);
  assert.deepEqual(errors, []);
});

test("a person comes in with a token, and sees what is theirs", async (test) => {
  let token;
  const server = await serve(test, (folder) => {
    token = execFileSync(binary, ["token", "anna", "--tokens", "people"], { cwd: folder, encoding: "utf8" }).match(/\S{20,}/)[0];
  }, "--tokens", "people");
  const context = await browser.newContext();
  test.after(() => context.close());
  const page = await context.newPage();
  await page.goto(server.url);
  await page.locator("#sign-in[open]").waitFor();
  await page.locator("#token").fill(token);
  await page.getByRole("button", { name: "Come in" }).click();
  await page.locator("#assistant option").first().waitFor({ state: "attached" });
  await say(page, "number of people by town");
  await phase(page, "awaiting_approval");
  assert.match(await page.locator("#members").innerText(), /anna/);
  assert.equal((await fetch(`${server.url}/v1/conversations`)).status, 401, "nobody else comes in");
});

test("a question with choices is answered by a choice", async (test) => {
  const server = await serve(test, (folder) => writeFileSync(join(folder, "people.csv"), "id,town,paid_amount,owed_amount\n1,Rome,10,1\n"));
  const { page, errors } = await open(test, server);
  await say(page, "total amount by town");
  const asked = page.locator(".card.question:not(.closed)");
  await asked.locator(".choices button").first().waitFor();
  await audit(page, "a question is open");
  await asked.locator(".choices button").first().click();
  await phase(page, "awaiting_approval");
  await plan(page).waitFor();
  assert.deepEqual(errors, []);
});

for (const [name, settings] of [
  ["dark", { colorScheme: "dark" }],
  ["phone", { viewport: { width: 360, height: 740 }, hasTouch: true }],
]) {
  test(`the page is readable: ${name}`, async (test) => {
    const server = await serve(test);
    const { page, errors } = await open(test, server, settings);
    await say(page, "number of people by town");
    await phase(page, "awaiting_approval");
    await audit(page, `${name}, a plan waits`);
    await shoot(page, `plan-${name}`);
    await plan(page).getByRole("button", { name: "Approve" }).click();
    await page.locator(".card.result").waitFor();
    await audit(page, `${name}, a result`);
    await shoot(page, `result-${name}`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, "nothing hangs over the side");
    assert.deepEqual(errors, []);
  });
}
