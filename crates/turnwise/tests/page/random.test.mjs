// Two pages, a terminal and a program on one conversation, all pressing and saying everything at once, in an order that
// a seed decides. Whatever they did: at the end every view agrees with the store, and nothing was done twice. A run is done
// again with SEED=… from the output; ACTIONS=… makes it longer. See harness.mjs.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ask, get, id, open, serve, terminal } from "./harness.mjs";

const ACTIONS = Number(process.env.ACTIONS ?? 140);
const SEEDS = process.env.SEED ? [Number(process.env.SEED)] : [1, 2026];

const WORDS = ["number of people by town and append it to log.csv", "total paid by town", "total paid by name and append it to log2.csv", "yes", "no",
  "number of people by town and append it to log.csv", "number of people by name and append it to log2.csv", "y", "looks good", "stop", "only Rome", "/pause", "/resume", "/queue", "/queue drop", "drop step 2", "retry", "replan", "abandon", "cancel",
  "what is people?", "/status", "/facts", "thanks", "1", "2", "/redo", "how did you get that?", "wait, only include Rome"];

function dice(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return { below: (limit) => Math.floor(next() * limit), of: (list) => list[Math.floor(next() * list.length)], chance: (share) => next() < share };
}

const ENDS = ["Stop", "Cancel", "Drop it", "Abandon", "Re-plan", "Drop", "Not yet"];

/** Something a person does on a page: a click on whatever can be clicked, words, or a key. */
async function onPage(page, roll) {
  if (roll.chance(0.3)) {
    await page.locator("#words").fill(roll.of(WORDS));
    await page.locator("#words").press("Enter");
    return "says";
  }
  if (roll.chance(0.12)) {
    const key = roll.of(["Alt+p", "Alt+p", "Alt+o", "Alt+f", "Escape", "Alt+o"]);
    await page.keyboard.press(key);
    return key;
  }
  const buttons = page.locator("main .decide button:enabled, main .controls button:enabled, main .choices button:enabled, #execution button, #queue button")
    .filter({ hasNotText: /Start over|Facts and proof/ });
  const there = (await buttons.all()).length;
  if (!there) return "nothing to press";
  const chosen = buttons.nth(roll.below(there));
  const name = await chosen.innerText({ timeout: 300 }).catch(() => null);
  if (!name) return "passed by";
  // What ends things is pressed less often than what goes on, or nothing ever gets done.
  if (ENDS.includes(name) && !roll.chance(0.15)) return "thinks better of it";
  const form = chosen.locator("xpath=ancestor::form[1]//input[@type='text']");
  if (await form.count().catch(() => 0)) await form.first().fill(roll.of(["only Rome", "2", "total paid by town"]), { timeout: 300 }).catch(() => {});
  await chosen.click({ timeout: 400, noWaitAfter: true }).catch(() => {});
  return `presses ${name}`;
}

/** Something a person does at a terminal: words, and at the next turn their Enter, as fingers are slower than a paste. */
function atTerminal(live, roll) {
  if (live.typed) {
    live.keys("\r");
    live.typed = null;
    return "enters";
  }
  if (!roll.chance(0.5)) return "waits";
  live.typed = roll.of(WORDS);
  live.keys(live.typed);
  return `types ${live.typed}`;
}

/** Something a program does. Keys are sent twice now and then: the second must do nothing. */
async function byProgram(server, conversation, roll, count) {
  const at = `${server.url}/v1/conversations/${conversation}`;
  const send = (method, path, body) => fetch(at + path, { method, headers: { "Content-Type": "application/json", "Idempotency-Key": `p${count}` }, body: body && JSON.stringify(body) });
  const state = await (await fetch(at)).json();
  const question = state.pending.length && roll.chance(0.7) ? roll.of(state.pending) : null;
  const verdicts = [...Array(8).fill({ is: "approve" }), { is: "resume" }, { is: "resume" }, { is: "reject" }, { is: "cancel" }, { is: "change", change: "only Rome" }, { is: "choose", number: 1 }, { is: "resume" }, { is: "retry" }, { is: "abandon" }];
  const doing = question
    ? ["POST", "/decisions", { reference: question.reference, verdict: roll.of(verdicts) }]
    : roll.of([["POST", "/stop"], ["POST", "/pause"], ["POST", "/resume"], ["POST", "/resume"], ["POST", "/resume"], ["POST", "/messages", { text: roll.of(WORDS) }], ["POST", "/messages", { text: roll.of(WORDS) }], ["DELETE", "/queue"], ["PUT", "/queue", { task: "total owed by town" }], ["POST", "/messages", { text: roll.of(WORDS) }], ["POST", "/mode", { mode: "proof" }], ["POST", "/mode", { mode: "exploratory" }]]);
  const replies = await Promise.all(roll.chance(0.3) ? [send(...doing), send(...doing)] : [send(...doing)]);
  for (const reply of replies) assert.ok(reply.status < 500, `${doing} is answered with ${reply.status}: ${await reply.text()}`);
  return `program ${JSON.stringify(doing)}`;
}

/** Ends whatever is open, as a person would. */
async function quiet(server, conversation, time) {
  const at = `${server.url}/v1/conversations/${conversation}`;
  for (let round = 0; round < 60; round += 1) {
    const state = await (await fetch(at)).json();
    if (state.phase === "idle" && !state.pending.length && !state.busy) return state;
    const headers = { "Content-Type": "application/json", "Idempotency-Key": `quiet${time}-${round}` };
    if (state.pending.length) {
      const [verdict] = state.pending.at(-1).asks === "failure" ? [{ is: "abandon" }] : [{ is: "cancel" }];
      await fetch(`${at}/decisions`, { method: "POST", headers, body: JSON.stringify({ reference: state.pending.at(-1).reference, verdict }) });
    } else {
      await fetch(`${at}/stop`, { method: "POST", headers });
    }
    await fetch(`${at}/events?after=${state.sequence}&wait_seconds=1`);
  }
  throw new Error("it did not come to rest");
}

/** Rest that lasts: what somebody typed may still be on its way when everything else has ended. */
async function rested(server, conversation) {
  for (let time = 0; time < 10; time += 1) {
    const rest = await quiet(server, conversation, time);
    const path = `/v1/conversations/${conversation}/events?after=${rest.sequence}&wait_seconds=1`;
    if (!(await get(server, path)).events.length) return rest;
  }
  throw new Error("it did not stay at rest");
}

/** What a page shows: each thing said with its place, and the questions that can be operated. */
const seenOn = (page) => page.evaluate(() => ({
  said: [...document.querySelectorAll("#transcript [data-sequence]")].map((node) => [Number(node.dataset.sequence), node.textContent.replace(/\s+/g, "")]),
  open: [...document.querySelectorAll("#transcript [data-question]:not(.closed)")].map((card) => card.dataset.question),
  sending: document.querySelectorAll(".sending").length,
  status: document.getElementById("status-line").textContent,
}));

for (const seed of SEEDS) {
  test(`two pages, a terminal and a program do ${ACTIONS} things at random (SEED=${seed})`, async (test) => {
    const roll = dice(seed);
    const server = await serve(test, ...(seed % 2 ? [] : ["--approval-mode", "before_step"]));
    const one = await open(test, server);
    await ask(one.page, WORDS[0]);
    const conversation = await id(one.page);
    const two = await open(test, server, {}, `#${conversation}`);
    const live = terminal(test, server, conversation);
    await live.shows(/Run it/);
    // All three approve the same plan in the same moment: it runs once.
    const [{ reference }] = (await get(server, `/v1/conversations/${conversation}`)).pending;
    const press = (page) => page.locator(".card.plan:not(.closed)").last().getByRole("button", { name: "Approve" }).click({ timeout: 2000, noWaitAfter: true }).catch(() => {});
    await two.page.locator(".card.plan:not(.closed)").last().waitFor();
    await Promise.all([press(one.page), press(two.page), fetch(`${server.url}/v1/conversations/${conversation}/decisions`, { method: "POST",
      headers: { "Content-Type": "application/json", "Idempotency-Key": "first" }, body: JSON.stringify({ reference, verdict: { is: "approve" } }) })]);
    if (seed % 2) await one.page.locator(".card.result").waitFor();
    const done = [];
    for (let count = 0; count < ACTIONS; count += 4) {
      done.push(atTerminal(live, roll),
        ...await Promise.all([onPage(one.page, roll), onPage(two.page, roll), byProgram(server, conversation, roll, count)]));
    }
    const rest = await rested(server, conversation);
    const { events, state } = await get(server, `/v1/conversations/${conversation}/export`);
    const told = `seed ${seed}, after ${JSON.stringify(done.slice(-12))}`;

    for (const { page, errors } of [one, two]) {
      const last = events.filter((event) => ["message", "said"].includes(event.event)).at(-1).sequence;
      const isCaughtUp = () => page.waitForFunction((place) => !document.querySelector(".sending") &&
        Number([...document.querySelectorAll("#transcript [data-sequence]")].at(-1)?.dataset.sequence) >= place, last);
      // The state that says what waits comes right behind the words.
      const waiting = rest.pending.map((pending) => pending.id);
      const hasSettled = () => page.waitForFunction((ids) => ids.join() === [...document.querySelectorAll("#transcript [data-question]:not(.closed)")]
        .map((card) => card.dataset.question).join(), waiting);
      await isCaughtUp().catch(async () => assert.fail(`the page has caught up with ${last}: ${JSON.stringify(await seenOn(page)).slice(-1500)}, ${told}`));
      await hasSettled().catch(() => {}); // What it shows instead is told below.
      const seen = await seenOn(page);
      const places = seen.said.map(([sequence]) => sequence);
      assert.deepEqual(places, [...places].sort((left, right) => left - right), `in order, ${told}`);
      assert.equal(new Set(places).size, places.length, `nothing twice, ${told}`);
      const texts = new Map(seen.said);
      for (const event of events) {
        if (event.event === "message" || (event.event === "said" && !["plan", "question", "failure"].includes(event.card?.card))) {
          assert.ok(texts.get(event.sequence)?.includes(event.text.replace(/[`\s]+/g, "")), `event ${event.sequence} “${event.text}” is shown, ${told}`);
        } else if (event.event === "said") {
          assert.ok(texts.has(event.sequence), `card ${event.sequence} is shown, ${told}`);
        }
      }
      assert.deepEqual(seen.open, waiting, `only what waits can be operated, ${told}`);
      assert.equal(seen.status, "Ready", told);
      // Refusals are answers: somebody else was faster.
      assert.deepEqual(errors.filter((error) => !/status of (404|409|410|422)/.test(error)), [], told);
    }

    assert.ok(events.some((event) => event.event === "message" && event.surface === "terminal"), `the terminal takes part, ${told}`);
    const from = live.length();
    await fetch(`${server.url}/v1/conversations/${conversation}/messages`, { method: "POST",
      headers: { "Content-Type": "application/json", "Idempotency-Key": "last" }, body: JSON.stringify({ text: "/status that was all" }) });
    await live.shows(/that was all/, from);

    assert.equal(events.filter((event) => event.event === "approved" && event.run === "run-1").length, 1, "approved once");
    const appends = new Map();
    const plans = new Map(events.filter((event) => event.event === "approved").map((event) => [event.run, event.plan]));
    for (const event of events.filter((one) => one.event === "step" && one.state === "done")) {
      const step = plans.get(event.run)?.steps.find((one) => one.number === event.step);
      if (step?.tool !== "append_to_file") continue;
      const file = step.arguments.find((one) => one.name === "file").value;
      const rows = Number(/(\d+) rows? appended/.exec(event.found.map((fact) => fact.value).join(" "))?.[1] ?? NaN);
      assert.ok(rows > 0, `what was appended is told: ${JSON.stringify(event.found)}`);
      assert.ok(!appends.has(`${event.run} ${event.step}`), `appended once, ${told}`);
      appends.set(`${event.run} ${event.step}`, [file, rows]);
    }
    // What was under way when somebody stopped may have been finished all the same, which is said and not a step's event.
    for (const event of events.filter((one) => one.event === "said")) {
      const late = /was under way when the run was stopped.* (\d+) rows? appended to “([^”]+)”/.exec(event.text);
      if (late) appends.set(`late ${event.sequence}`, [late[2], Number(late[1])]);
    }
    for (const file of ["log.csv", "log2.csv"]) {
      const path = join(server.folder, "state", "files", conversation, file);
      const expected = [...appends.values()].filter(([at]) => at === file).reduce((sum, [, rows]) => sum + rows, 0);
      const lines = existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n").length - 1 : 0;
      assert.equal(lines, expected, `${file} has each row once, ${told}`);
    }
    assert.ok(appends.size > 0 || seed % 2 === 0, `something was appended, ${told}`);
    console.log(`seed ${seed}: ${done.length} actions, ${events.length} events, ${plans.size} runs, ${appends.size} appends`);
  });
}
