// The main states of the page, each in light and dark, on a desk and on a phone: audited, and photographed where SHOTS
// names a folder, so that somebody can look at all of them side by side. See harness.mjs.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { action, approve, ask, audit, binary, looks, newContext, open, phase, plan, result, say, serve, shoot } from "./harness.mjs";

const DESK = { viewport: { width: 1440, height: 900 } };

/** A shop's orders, customers, products and regions. */
function sample(folder) {
  execFileSync(binary, ["sample", join(folder, "shop")]);
  return "shop";
}

async function answered(page, question) {
  const before = await page.locator(".card.result").count();
  await ask(page, question);
  await approve(page);
  await page.waitForFunction((count) => document.querySelectorAll(".card.result").length > count, before);
  await phase(page, "idle");
}

test("questions about data: beginning, plan, run, results, refusal, question back and proof", async (test) => {
  const server = await serve(test, sample, "--approval-mode", "both");
  const { page, errors } = await open(test, server, DESK);
  await page.locator(".tables li").first().waitFor();
  await looks(page, "01-new");
  await ask(page, "revenue by region");
  await looks(page, "02-plan");
  await approve(page);
  await page.locator("#execution").getByRole("button", { name: "Resume" }).waitFor();
  await looks(page, "03-running");
  await page.locator("#execution").getByRole("button", { name: "Resume" }).click();
  await result(page).waitFor();
  await phase(page, "idle");
  await looks(page, "04-result-chart");
  await say(page, "what do our customers think of us?");
  await page.locator("#transcript .message.assistant").nth(-1).getByText(/\w/).first().waitFor();
  await page.waitForFunction(() => document.querySelectorAll(".message.person.read").length === 2 && document.querySelector("#status").classList.contains("ready"));
  await looks(page, "06-refusal");
  assert.deepEqual(errors, []);
});

test("a table, a question back, a plan as text, and what a figure rests on", async (test) => {
  const server = await serve(test, sample);
  const { page, errors } = await open(test, server, DESK);
  await answered(page, "list the orders with revenue over 2000");
  await looks(page, "05-table");
  await say(page, "the heaviest orders");
  await page.locator(".card.question:not(.closed)").last().waitFor();
  await looks(page, "07-question");
  await page.locator(".card.question:not(.closed)").last().getByRole("button", { name: "Drop it" }).click();
  await ask(page, "total revenue by month in 2024 and save it as months.csv");
  await plan(page).getByRole("button", { name: "Edit as text" }).click();
  await page.getByLabel("The plan as text").waitFor();
  await looks(page, "08-form-plan");
  await page.getByRole("button", { name: "Leave it" }).click();
  await approve(page);
  await phase(page, "idle");
  await (await action(page, "Proof", "Facts and proof")).click();
  await page.locator("#panel .tree, #panel h2").first().waitFor();
  await looks(page, "09-proof");
  assert.deepEqual(errors, []);
});

test("what a coder would change", async (test) => {
  const prepare = (folder) => {
    mkdirSync(join(folder, "shop/src"), { recursive: true });
    writeFileSync(join(folder, "shop/Cargo.toml"), "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
    writeFileSync(join(folder, "shop/src/lib.rs"), `//! The shop.\n\nmod basket;\n\npub use basket::total;\n\n/// What a basket costs with its delivery.\npub fn with_delivery(prices: &[u32], delivery: u32) -> u32 {\n    total(prices) + delivery\n}\n`);
    writeFileSync(join(folder, "shop/src/basket.rs"), `//! Baskets.\n\n/// What is in the basket, added up.\npub fn total(prices: &[u32]) -> u32 {\n    prices.iter().sum()\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn an_empty_basket_costs_nothing() {\n        assert_eq!(total(&[]), 0);\n    }\n}\n`);
    return "shop";
  };
  const server = await serve(test, prepare, "--assistant", "coder");
  const { page, errors } = await open(test, server, DESK);
  await ask(page, "rename total to basket_total");
  await plan(page).locator(".diff-text").first().waitFor();
  await looks(page, "10-diff");
  assert.deepEqual(errors, []);
});

test("a ticket before it is created", async (test) => {
  const server = await serve(test, (folder) => { mkdirSync(join(folder, "tickets")); return "tickets"; }, "--assistant", "tickets");
  const { page, errors } = await open(test, server, DESK);
  await say(page, "Create a ticket for login bug");
  await page.locator(".card.question:not(.closed)").last().waitFor();
  await looks(page, "08-form-ticket");
  await say(page, "1. Users get a 500 after SSO. 2. Login with SSO lands on the dashboard.");
  await plan(page).locator(".draft").waitFor();
  await looks(page, "11-ticket");
  assert.deepEqual(errors, []);
});

test("a project of a companion", async (test) => {
  const server = await serve(test, "--assistant", "analyst", "--assistant", "companion");
  let count = 0;
  const say = (message) => fetch(`${server.url}/operator/converse`, { method: "POST", headers: { "Content-Type": "application/json",
    "Idempotency-Key": `said-${count += 1}` }, body: JSON.stringify({ message }) });
  for (const message of ["I want to start a new project.", "FarmGuard: an app that watches irrigation", "small farms", "plain and calm", "the budget is 20,000 euros",
    "it saves a tenth of the water", "no", "finalize it", "Remember that the deadline is March 15th.", "The irrigation system needs to handle three soil types: sandy, clay, and loam.",
    "Remember that Anna checks the pumps every Monday.", "save note 1"]) assert.equal((await say(message)).status, 200);
  const context = await newContext({ ...DESK, locale: "en-GB" });
  test.after(() => context.close());
  const page = await context.newPage();
  await page.goto(`${server.url}/projects`);
  await page.locator("#projects a", { hasText: "FarmGuard" }).click();
  await page.locator("li.note").first().waitFor();
  await looks(page, "12-project-notes");
  await page.getByRole("tab", { name: "Setup" }).click();
  await page.locator("form.seed").first().waitFor();
  await looks(page, "08-form-project");
});

test("the description of the API", async (test) => {
  const server = await serve(test);
  for (const [look, colorScheme, width] of [["light", "light", 1440], ["phone-dark", "dark", 390]]) {
    const context = await newContext({ viewport: { width, height: 900 }, colorScheme });
    test.after(() => context.close());
    const page = await context.newPage();
    await page.goto(`${server.url}/docs`);
    await page.getByRole("heading", { name: "New message" }).first().waitFor({ timeout: 30_000 });
    await shoot(page, `13-docs-${look}`);
    // All of it has thousands of elements; they look alike.
    await audit(page, `the API, ${look}`, look === "phone-dark" ? "html" : "[id='tag/events']");
  }
});
