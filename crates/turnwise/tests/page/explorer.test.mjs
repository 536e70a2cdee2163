// What came out and how: charts, tables, facts and proofs, explored with mouse and keyboard. See harness.mjs.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { action, announced, approve, ask, get, id, looks, open, phase, plan, result, say, serve, state, taken } from "./harness.mjs";

/** Two years of sales in four regions; the same rows every time. */
function sales(folder) {
  let seed = 7;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const rows = ["day,region,product,amount,cost"];
  for (let month = 0; month < 24; month += 1) {
    for (const region of ["North", "South", "East", "West"]) {
      for (const product of ["Chair", "Desk"]) {
        const amount = Math.round(100 + month * 6 + 40 * Math.sin((month / 12) * 6.28) + random() * 50 + (region === "West" ? 80 : 0));
        const day = `${2023 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, "0")}-15`;
        rows.push(`${day},${region},${product},${amount},${Math.round(amount * (0.5 + random() * 0.2))}`);
      }
    }
  }
  writeFileSync(join(folder, "sales.csv"), `${rows.join("\n")}\n`);
  return "sales.csv";
}

/** Asks, approves, and waits for what comes out. */
async function answered(page, question) {
  const before = await page.locator(".card.result").count();
  await ask(page, question);
  await approve(page);
  await page.waitForFunction((count) => document.querySelectorAll(".card.result").length > count, before);
  await phase(page, "idle");
}

const shown = (page) => result(page).locator(".chart svg");
const isDrawn = (page) => page.waitForFunction(() => [...document.querySelectorAll(".card.result")].at(-1)?.querySelector(".chart svg")?.childElementCount > 0);

test("every kind of chart is drawn, says what it shows, and is saved", async (test) => {
  const server = await serve(test, sales);
  const { page, errors } = await open(test, server);
  for (const [question, kind, says] of [
    ["total amount by region", "bars", /bar chart with 4 values.*West/s],
    ["total amount by month", "line", /line chart with 24 values, from 2023-01 to 2024-12/],
    ["forecast total amount by month for the next 3 months", "forecast", /line chart with 3 series of 3 values/],
    ["share of total amount by region", "stacked", /stacked bar with 4 parts/],
  ]) {
    await answered(page, question);
    const folded = result(page).locator("details.draw summary");
    if (await folded.count()) await folded.click();
    await shown(page).scrollIntoViewIfNeeded();
    await isDrawn(page);
    assert.match(await shown(page).getAttribute("aria-label"), says);
    await looks(page, `chart-${kind}`);
  }
  await answered(page, "total amount and total cost by region as a scatter plot");
  await say(page, "/chart scatter");
  await page.waitForFunction(() => document.querySelectorAll(".card.result").length === 6);
  await shown(page).scrollIntoViewIfNeeded();
  await isDrawn(page);
  assert.match(await shown(page).getAttribute("aria-label"), /scatter plot with 4 points/);
  await looks(page, "chart-scatter");

  // Its figures are read by a pointer and by the keyboard.
  await result(page).locator(".frame").focus();
  await page.keyboard.press("End");
  await result(page).locator(".tip").waitFor();
  await announced(page, "total amount");
  const svg = await taken(page, await action(page, "Image", "Save SVG"));
  assert.match(svg.text, /^<svg [\s\S]*<title[\s\S]*<\/svg>\s*$/);
  const png = await taken(page, await action(page, "Image", "Save PNG"));
  assert.match(png.name, /\.png$/);
  assert.match(png.text.slice(0, 8), /PNG/);
  assert.deepEqual(errors, []);
});

test("a chart stays as it was shown when its fact has another value later", async (test) => {
  const server = await serve(test, sales);
  const { page, errors } = await open(test, server);
  await answered(page, "total amount by region");
  await isDrawn(page);
  const bars = () => page.locator(".card.result").first().locator(".chart svg .fill").evaluateAll((all) => all.map((one) => one.getAttribute("width")));
  const drawn = await bars();
  const link = await action(page, "Image", "Save SVG");
  const address = await link.getAttribute("href");
  const before = await (await fetch(server.url + address)).text();
  await say(page, "/facts forget total_amount_by_region");
  await page.locator("#transcript").getByText("Forgotten: total_amount_by_region").waitFor();
  const after = await (await fetch(server.url + address)).text();
  const marks = (drawn) => drawn.match(/<rect[^>]*>/g);
  assert.deepEqual(marks(after), marks(before));
  assert.deepEqual(await bars(), drawn);
  assert.deepEqual(errors, []);
});

test("a table is sorted by mouse and by keyboard, and taken along as CSV to the letter", async (test) => {
  const server = await serve(test, (folder) => {
    writeFileSync(join(folder, "odd.csv"), 'name,pieces,note\n"Ünal, ""Ü""",9007199254740993,"two\nlines"\n=1+1,10,+49 30 1234\nZoë,9,-5\n日本,,@x\n');
    return "odd.csv";
  });
  const { page, errors } = await open(test, server);
  await ask(page, "total pieces by name and note");
  await approve(page);
  const table = page.locator(".card.result table").last();
  await table.waitFor();
  const column = async (at) => (await table.locator("tbody tr").all()).map((row) => row.locator("td").nth(at).innerText());
  const figures = async () => Promise.all(await column(2));
  const head = table.getByRole("columnheader").nth(2);
  await head.getByRole("button").click();
  assert.equal(await head.getAttribute("aria-sort"), "ascending");
  assert.deepEqual(await figures(), ["9", "10", "9,007,199,254,740,993", "–"], "as numbers, what is missing last, and not rounded");
  await head.getByRole("button").press("Enter");
  assert.equal(await head.getAttribute("aria-sort"), "descending");
  assert.deepEqual(await figures(), ["9,007,199,254,740,993", "10", "9", "–"]);
  await announced(page, ", descending");
  const name = table.getByRole("columnheader").first();
  await name.getByRole("button").focus();
  await page.keyboard.press("Space");
  assert.equal(await name.getAttribute("aria-sort"), "ascending");
  assert.equal(await head.getAttribute("aria-sort"), null, "only one column says that it sorts");
  await head.getByRole("button").click();
  const file = await taken(page, page.getByRole("link", { name: "CSV" }).last());
  const lines = file.text.replace(/^\uFEFF/, "").split(/\n(?!lines)/);
  assert.ok(file.text.startsWith("\uFEFF"), "spreadsheets know that it is UTF-8");
  assert.deepEqual(lines.slice(1), ["Zoë,-5,9", "'=1+1,'+49 30 1234,10", '"Ünal, ""Ü""","two\nlines",9007199254740993', "日本,'@x,", ""]);
  await looks(page, "table");
  assert.deepEqual(errors, []);
});

test("facts are filtered, pinned and forgotten; their derivation is explored by mouse and keyboard, and proven", async (test) => {
  const server = await serve(test, sales);
  const { page, errors } = await open(test, server);
  for (const question of ["total amount by region", "forecast total amount by month for the next 3 months"]) {
    await answered(page, question);
  }
  await say(page, "by turnover I mean amount");
  await page.locator("#show-facts").click();
  const panel = page.locator("#panel");
  await panel.locator("button.fact").first().waitFor();
  await looks(page, "facts");
  const all = await panel.locator("button.fact").count();
  await panel.getByLabel("Filter facts").fill("region");
  assert.ok(await panel.locator("button.fact").count() < all);
  await panel.locator("button.fact", { hasText: "total_amount_by_region" }).click();
  await panel.getByRole("heading", { name: "total_amount_by_region" }).first().waitFor();
  const whole = panel.locator(".fact-whole").first();
  assert.match(await whole.innerText(), /SELECT[\s\S]*sales[\s\S]*sha256|SELECT[\s\S]*sales/);
  await looks(page, "fact");

  await whole.getByRole("button", { name: "Pin" }).click();
  await whole.getByRole("button", { name: "Unpin" }).waitFor();
  const fact = async () => (await get(server, `/v1/conversations/${await id(page)}/facts`)).find((one) => one.name === "total_amount_by_region");
  assert.equal((await fact()).pinned, true);
  await whole.getByRole("button", { name: "Unpin" }).click();
  await whole.getByRole("button", { name: "Pin", exact: true }).waitFor();
  assert.equal((await fact()).pinned, false);

  // The graph: from the source by arrow to the fact, opened by Enter.
  await panel.locator(".graph .node.source").first().click();
  await panel.locator(".detail .box", { hasText: "Fingerprint" }).waitFor();
  await page.keyboard.press("ArrowRight");
  assert.match(await page.evaluate(() => document.activeElement.dataset.key), /^fact total_amount_by_region/);
  await page.keyboard.press("Enter");
  await panel.locator(".detail .fact-whole", { hasText: "total_amount_by_region" }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-pressed")), "true");

  for (const [name, ending, says] of [["JSON", "json", /"format"|\{/], ["Markdown", "md", /^# /m], ["HTML", "html", /<html/]]) {
    const proof = await taken(page, panel.getByRole("link", { name, exact: true }));
    assert.ok(proof.name.endsWith(`.${ending}`));
    assert.match(proof.text, says);
    writeFileSync(join(server.folder, `proof.${ending}`), proof.text);
    assert.match(server.run("verify", `proof.${ending}`, "--data", "sales.csv"), /total_amount_by_region|holds|match/i);
  }

  await panel.getByRole("button", { name: "All facts" }).click();
  await panel.locator("button.fact").first().waitFor();
  const facts = await get(server, `/v1/conversations/${await id(page)}/facts`);
  const base = facts.find((one) => one.used_by.length > 0);
  assert.ok(base, "a forecast rests on what it was made from");
  await panel.locator("button.fact", { has: page.getByText(base.name, { exact: true }) }).click();
  await panel.locator(".fact-whole").first().getByRole("button", { name: "Forget" }).click();
  const asked = page.locator(".card.question:not(.closed)").last();
  await asked.getByRole("button", { name: "No, keep them" }).click();
  await page.locator(".card.question.closed").last().waitFor({ state: "attached" });
  assert.ok((await get(server, `/v1/conversations/${await id(page)}/facts`)).some((one) => one.name === base.name));
  await page.locator("#close-panel").click();
  await say(page, `/facts forget ${base.name}`);
  await page.locator(".card.question:not(.closed)").last().getByRole("button", { name: "Yes, forget them" }).click();
  await page.locator("#transcript").getByText(/^Forgotten: /).last().waitFor();
  assert.ok(!(await get(server, `/v1/conversations/${await id(page)}/facts`)).some((one) => one.name === base.name));
  assert.equal((await state(server, page)).pending.length, 0);
  assert.deepEqual(errors, []);
});

test("an open panel of facts follows what becomes of them, and keeps what is done in it", async (test) => {
  const server = await serve(test, sales);
  const { page, errors } = await open(test, server);
  await answered(page, "total amount by region");
  await page.locator("#show-facts").click();
  const panel = page.locator("#panel");
  const listed = panel.locator("button.fact");
  await listed.filter({ hasText: "total_amount_by_region" }).waitFor();
  // Somebody else, in another window, states what a word means.
  const other = await open(test, server, {}, `#${await id(page)}`);
  await panel.getByLabel("Filter facts").fill("turn");
  await panel.getByText(/^0 of /).waitFor();
  await say(other.page, "by turnover I mean amount");
  await listed.filter({ hasText: "turnover" }).waitFor();
  assert.equal(await panel.getByLabel("Filter facts").inputValue(), "turn", "the filter stays as it was set");
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Filter facts", "and so does the focus");
  await listed.filter({ hasText: "turnover" }).click();
  await panel.locator(".fact-whole").first().getByRole("button", { name: "Pin", exact: true }).waitFor();
  const name = await panel.locator("#panel-title").innerText();
  await say(other.page, `/facts pin ${name}`);
  await panel.locator(".fact-whole").first().getByRole("button", { name: "Unpin" }).waitFor();
  await say(other.page, `/facts forget ${name}`);
  await panel.getByText("is not held any more").waitFor();
  assert.deepEqual([...errors, ...other.errors], []);
});

test("the steps of a plan are opened from its graph, by mouse and by keyboard", async (test) => {
  const server = await serve(test);
  const { page, errors } = await open(test, server);
  await ask(page, "number of people by town and append it to log.csv");
  const graph = plan(page).locator(".graph");
  await graph.locator(".node").last().click();
  await plan(page).locator(".detail", { hasText: "Waits for" }).waitFor();
  assert.match(await plan(page).locator(".detail").innerText(), /step 1[\s\S]*runs once/);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  assert.match(await plan(page).locator(".detail").innerText(), /Waits for\s+nothing/);
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => document.activeElement.id), "words");
  await looks(page, "plan-graph");
  assert.deepEqual(errors, []);
});

test("a plan of sixty steps is drawn small, in its own box, and every step can be reached", async (test) => {
  const server = await serve(test);
  const { page, errors } = await open(test, server);
  await ask(page, "number of people by town");
  await page.evaluate(async () => {
    const [{ PlanCard }, { html, render }] = await Promise.all([import("/assets/plan.js"), import("/assets/ui.js")]);
    const steps = Array.from({ length: 60 }, (_, at) => ({ number: at + 1, description: `Step with a rather long description, ${at + 1}, in Donaudampfschifffahrtsgesellschaftskapitän`, tool: "query",
      arguments: [{ name: "sql", value: "SELECT 1" }], after: at < 8 ? [] : [at - 7, (at * 7) % at + 1].filter((one) => one <= at), produces: [`fact_${at}`], effect: at % 9 === 0 ? "once_only" : "pure", reused: at % 7 === 0 }));
    const card = document.createElement("section");
    card.className = "card plan";
    render(html`<${PlanCard} plan=${{ id: "plan-9", version: 1, title: "Sixty", steps, assumptions: [], changes: [] }} question=${null} isOpen=${false} />`, card);
    document.querySelector("#transcript .column").append(card);
    card.scrollIntoView();
  });
  const graph = page.locator(".graph.small");
  assert.equal(await graph.locator(".node").count(), 60);
  const texts = await graph.locator(".node").evaluateAll((nodes) => nodes.map((node) => {
    const [text, box] = [node.querySelector("text").getBoundingClientRect(), node.querySelector("rect").getBoundingClientRect()];
    return text.width <= box.width;
  }));
  assert.ok(texts.every(Boolean), "no name hangs out of its box");
  await graph.locator(".node").first().focus();
  await page.keyboard.press("End");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.key), "60");
  await looks(page, "plan-sixty-steps");
  assert.deepEqual(errors, []);
});
