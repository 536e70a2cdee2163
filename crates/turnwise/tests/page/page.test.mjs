// The page as a person uses it: every card is operated and its effect looked for, in the page and over the API. See
// harness.mjs for how it is run.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { approve, ask, audit, binary, get, id, kept, looks, menu, newContext, open, phase, plan, result, say, serve, state, taken } from "./harness.mjs";

const closed = (page, kind) => page.locator(`.card.${kind}.closed`);
const asked = (page) => page.locator(".card.question:not(.closed)").last();

test("a plan is changed by talking, shown as version 1 to 2, approved, and its run and result appear", async (test) => {
  const server = await serve(test);
  const { page, errors } = await open(test, server);
  await looks(page, "empty");
  await ask(page, "number of people by town");
  await plan(page).getByLabel("What should be different").fill("only Rome");
  await plan(page).getByRole("button", { name: "Modify" }).click();
  await plan(page).locator(".diff .added").waitFor();
  assert.match(await plan(page).locator("h3").innerText(), /v2/);
  assert.match(await plan(page).locator(".changes h4").innerText(), /1 → 2/);
  assert.equal(await closed(page, "plan").getByRole("button").count(), 0, "version 1 cannot be operated");
  await looks(page, "plan-changed");

  await approve(page);
  await result(page).waitFor();
  await phase(page, "idle");
  assert.match(await page.locator(".work.completed > summary").innerText(), /Done, 1 of 1/);
  await page.locator(".work.completed > summary").click();
  assert.match(await page.locator(".card.run .found").first().innerText(), /2/, "what the step found stands under it");
  assert.match(await closed(page, "plan").last().innerText(), /Approved by you/);
  const { run } = await state(server, page);
  assert.deepEqual([run.status, run.version], ["completed", 2]);
  await looks(page, "result-value");
  assert.deepEqual(errors, []);
});

test("a plan is edited as text, and a text that is none is told with its line and kept", async (test) => {
  const server = await serve(test);
  const { page, errors } = await open(test, server);
  await ask(page, "total paid by town and total owed by town");
  await plan(page).getByRole("button", { name: "Edit as text" }).click();
  const text = page.getByLabel("The plan as text");
  const before = await text.inputValue();
  await text.fill(before.replace("title:", "titel:"));
  await plan(page).getByRole("button", { name: "Use this text" }).click();
  await page.locator("#edit-problem").getByText("title").waitFor();
  assert.match(await page.locator("#edit-problem").innerText(), /line \d+.*title/s);
  assert.ok((await text.inputValue()).includes("titel:"), "what was written is kept");
  await looks(page, "plan-edited-as-text");
  await text.fill(before.replace(/title: .*/, "title: Money by town"));
  await plan(page).getByRole("button", { name: "Use this text" }).click();
  await page.locator(".card.plan h3", { hasText: "v2" }).waitFor();
  assert.match(await plan(page).locator("h3").innerText(), /Money by town/);
  assert.equal((await state(server, page)).plan.title, "Money by town");
  assert.deepEqual(errors.filter((error) => !error.includes("422")), []);
});

test("some steps are approved, a plan is rejected and dropped", async (test) => {
  const server = await serve(test);
  const { page, errors } = await open(test, server);
  await ask(page, "total paid by town");
  await plan(page).getByLabel("What should be different").fill("also show total owed by name");
  await plan(page).getByRole("button", { name: "Modify" }).click();
  await page.locator(".card.plan h3", { hasText: "v2" }).waitFor();
  const steps = plan(page).getByLabel(/^Include step/);
  const count = await steps.count();
  assert.ok(count > 1, "there is something to leave out");
  await steps.last().uncheck();
  await plan(page).getByRole("button", { name: `Approve ${count - 1} of ${count}` }).click();
  await page.locator(".card.plan h3", { hasText: "v3" }).waitFor();
  assert.equal((await state(server, page)).plan.steps.length, count - 1, "what was left out is gone, and the rest waits");
  await plan(page).getByRole("button", { name: "Re-plan" }).click();
  await asked(page).getByRole("button", { name: "Drop it" }).click();
  await phase(page, "idle");
  assert.equal((await state(server, page)).run, null, "nothing ran");
  assert.deepEqual(errors, []);
});

test("read-only plans run without asking once somebody says so, which shows and can be taken back", async (test) => {
  const server = await serve(test);
  const { page, errors } = await open(test, server);
  await ask(page, "number of people by town");
  await plan(page).getByRole("button", { name: "Always run read-only plans" }).click();
  await result(page).waitFor();
  const sign = page.locator("#standing");
  await sign.getByText("Read-only plans run without asking").waitFor();
  assert.equal((await state(server, page)).asks_about, "effects");
  await looks(page, "standing-yes");
  await say(page, "total paid by name");
  await page.waitForFunction(() => document.querySelectorAll(".card.result").length === 2);
  assert.equal(await page.getByRole("button", { name: "Approve" }).count(), 0, "nobody was asked");
  await ask(page, "number of people by town and save it as towns.csv");
  assert.equal(await plan(page).getByRole("button", { name: "Always" }).count(), 0, "a plan with an effect is asked about by itself");
  await plan(page).getByRole("button", { name: "Cancel" }).click();
  await phase(page, "idle");
  await page.reload();
  await sign.getByRole("button", { name: "Ask first" }).click();
  await page.locator("#standing[hidden]").waitFor({ state: "attached" });
  assert.equal((await state(server, page)).asks_about, "every_plan");
  await ask(page, "total owed by name");
  assert.deepEqual(errors, []);
});

test("how work is done is settled for a conversation, keeps a run waiting and is taken back", async (test) => {
  const server = await serve(test);
  const { page, errors } = await open(test, server);
  await ask(page, "number of people by town");
  await page.locator("#menu summary").click();
  await page.locator("#show-flow").click();
  const waits = page.locator("#flow select[name=approval_mode]");
  await waits.selectOption("before_step");
  await page.locator("#flow-usual").waitFor();
  await page.locator("#flow").getByRole("button", { name: "Close" }).click();
  await approve(page);
  await page.locator("#execution", { hasText: "Resume" }).waitFor();
  const flow = (await state(server, page)).flow.find((one) => one.key === "approval_mode");
  assert.deepEqual([flow.value, flow.configured], ["before_step", "none"]);
  await page.locator("#menu summary").click();
  await page.locator("#show-flow").click();
  await page.locator("#flow-usual").click();
  await page.locator("#flow-usual").waitFor({ state: "detached" });
  assert.equal(await waits.inputValue(), "none");
  assert.deepEqual(errors, []);
});

test("the standing yes approves the plan that was seen and no later one", async (test) => {
  const server = await serve(test);
  const { page, errors } = await open(test, server);
  await ask(page, "number of people by town");
  // Somebody else changes the plan while the first version still stands here.
  await page.route("**/events**", (route) => route.abort());
  await page.route("**/plan-approval", async (route) => {
    const to = `${server.url}/v1/conversations/${await id(page)}/messages`;
    const sent = await fetch(to, { method: "POST", headers: { "Content-Type": "application/json", "Idempotency-Key": "other" }, body: JSON.stringify({ text: "only Rome" }) });
    assert.equal(sent.status, 200);
    while ((await state(server, page)).plan?.version !== 2) await new Promise((resolve) => setTimeout(resolve, 20));
    return route.continue();
  });
  await plan(page).getByRole("button", { name: "Always run read-only plans" }).click();
  await page.locator("#standing", { hasText: "without asking" }).waitFor();
  const now = await state(server, page);
  assert.deepEqual([now.run, now.phase, now.plan.version, now.asks_about], [null, "awaiting_approval", 2, "effects"]);
  assert.deepEqual(errors, []);
});

test("a run waits at its steps, is resumed and stopped, and what is queued is edited and dropped", async (test) => {
  const server = await serve(test, "--approval-mode", "before_step");
  const { page, errors } = await open(test, server);
  await ask(page, "number of people by town and save it as towns.csv");
  await approve(page);
  const execution = page.locator("#execution");
  await execution.getByRole("button", { name: "Resume" }).waitFor();
  await asked(page).getByRole("button", { name: "Resume" }).waitFor();
  await say(page, "total paid by name");
  const queue = page.locator("#queue");
  await queue.getByText("total paid by name").waitFor();
  await looks(page, "run-paused");
  await queue.getByRole("button", { name: "Edit" }).click();
  await queue.locator("input").fill("total owed by name");
  await queue.locator("input").press("Enter");
  await queue.getByText("total owed by name").waitFor();
  assert.equal((await state(server, page)).queue.task, "total owed by name");
  await queue.getByRole("button", { name: "Drop" }).click();
  await page.locator("#queue[hidden]").waitFor({ state: "attached" });
  await execution.getByRole("button", { name: "Resume" }).click();
  await execution.getByText("1 of 2").waitFor();
  await page.locator(".card.run.active .found").first().waitFor();
  await execution.getByRole("button", { name: "Stop" }).click();
  await phase(page, "idle");
  assert.match(await page.locator(".work.cancelled > summary").innerText(), /Stopped after 1 of 2/);
  assert.equal((await state(server, page)).run.status, "cancelled");
  assert.ok(!existsSync(await kept(server, page, "towns.csv")), "nothing was written after the stop");
  await looks(page, "run-stopped");
  assert.deepEqual(errors, []);
});

test("a failed step offers its ways on, and each does what it says", async (test) => {
  const server = await serve(test);
  const { page, errors } = await open(test, server);
  await ask(page, "number of people by town and append it to log.csv");
  const log = await kept(server, page, "log.csv");
  writeFileSync(log, "town,number of people\nParis,9\n");
  await approve(page);
  const failed = page.locator(".card.failure:not(.closed)");
  await failed.waitFor();
  await phase(page, "failed");
  await looks(page, "run-failed");
  await failed.getByRole("button", { name: "Retry" }).click();
  await closed(page, "failure").first().waitFor({ state: "attached" });
  await failed.last().waitFor();
  await failed.last().getByRole("button", { name: "Re-plan" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".card.failure.closed").length === 2);
  await page.locator(".card.plan:not(.closed), .card.question:not(.closed)").first().waitFor();
  await page.locator("#words").fill("cancel");
  await page.locator("#words").press("Enter");
  await phase(page, "idle");
  assert.equal(readFileSync(log, "utf8"), "town,number of people\nParis,9\n", "what was there is there");
  assert.deepEqual(errors, []);
});

test("a failed run is given up by its button, and nothing of it is left waiting", async (test) => {
  const server = await serve(test);
  const { page, errors } = await open(test, server);
  await ask(page, "number of people by town and append it to log.csv");
  writeFileSync(await kept(server, page, "log.csv"), "town,number of people\nParis,9\n");
  await approve(page);
  const failed = page.locator(".card.failure:not(.closed)");
  await failed.getByRole("button", { name: "Abandon" }).click();
  await phase(page, "idle");
  await closed(page, "failure").waitFor();
  assert.match(await closed(page, "failure").innerText(), /Cancelled by you/);
  await page.locator("#transcript").getByText("Given up.").waitFor();
  const now = await state(server, page);
  assert.deepEqual([now.pending.length, now.run.status], [0, "failed"]);
  assert.equal(readFileSync(await kept(server, page, "log.csv"), "utf8"), "town,number of people\nParis,9\n");
  assert.deepEqual(errors, []);
});

test("how many there are is confirmed by its own button and never by skipping", async (test) => {
  const server = await serve(test, () => "tickets", "--assistant", "tickets");
  const { page, errors } = await open(test, server);
  await say(page, "create an epic with 5 stories for auth");
  await asked(page).getByRole("button", { name: "Yes, create 6 items" }).waitFor();
  assert.equal(await asked(page).getByRole("button", { name: "Skip" }).count(), 0);
  await asked(page).getByLabel("In your own words").fill("2");
  await asked(page).getByRole("button", { name: "Submit" }).click();
  await page.getByText("What are the 2 stories called?").first().waitFor();
  assert.deepEqual(errors, []);
});

test("a question is answered by a choice, in words, or skipped with the assumption it states", async (test) => {
  const server = await serve(test, (folder) => writeFileSync(join(folder, "people.csv"), "id,town,paid_amount,owed_amount\n1,Rome,10,1\n2,Oslo,5,3\n"));
  const { page, errors } = await open(test, server);
  await say(page, "total amount by town");
  await asked(page).locator(".choices button").first().waitFor();
  await looks(page, "question");
  await asked(page).locator(".choices button").nth(1).click();
  await plan(page).waitFor();
  assert.match(await plan(page).locator(".assumed").innerText(), /owed_amount/);
  await plan(page).getByRole("button", { name: "Cancel" }).click();
  await phase(page, "idle");

  await say(page, "total amount by town");
  await asked(page).getByRole("button", { name: "Skip: assume “people.paid_amount”" }).click();
  await plan(page).waitFor();
  assert.match(await plan(page).locator(".assumed").innerText(), /“amount” is people.paid_amount/);
  await plan(page).getByRole("button", { name: "Cancel" }).click();
  await phase(page, "idle");

  await say(page, "total amount by town");
  await asked(page).getByLabel("In your own words").fill("people.owed_amount");
  await asked(page).getByRole("button", { name: "Submit" }).click();
  await plan(page).waitFor();
  assert.match(await plan(page).locator(".assumed").innerText(), /owed_amount/);
  assert.deepEqual(errors, []);
});

test("a task is talked over, what was said is shown, and “implement now” has it planned", async (test) => {
  const server = await serve(test, "--preset", "conversational");
  const { page, errors } = await open(test, server);
  await say(page, "number of people by town");
  await asked(page).getByRole("button", { name: "Implement now" }).waitFor();
  await page.locator(".why").last().click();
  assert.match(await page.locator("#panel .reading").first().innerText(), /plan_new[\s\S]*%/, "the intent that was found is shown");
  await page.keyboard.press("Escape");
  await looks(page, "talked-over");
  await asked(page).getByLabel("Add to what was said").fill("only Rome");
  await asked(page).getByRole("button", { name: "Submit" }).click();
  await asked(page).getByText("only Rome").waitFor();
  await asked(page).getByRole("button", { name: "Implement now" }).click();
  await plan(page).getByRole("button", { name: "Approve" }).waitFor();
  assert.deepEqual(errors, []);
});

test("a result is said to do, to need changes, or left for something new", async (test) => {
  const server = await serve(test);
  const { page, errors } = await open(test, server);
  await ask(page, "total paid by town");
  await approve(page);
  const satisfied = page.getByRole("group", { name: "Does this meet your needs?" });
  await satisfied.getByRole("button", { name: "Needs changes" }).click();
  await satisfied.getByLabel("What should be different in the result").fill("only Rome");
  await satisfied.getByRole("button", { name: "Change it" }).click();
  await plan(page).getByRole("button", { name: "Approve" }).waitFor();
  assert.match((await state(server, page)).plan.problem, /paid.*Rome/s, "the attempt before is the context");
  await approve(page);
  await phase(page, "idle");
  await satisfied.getByRole("button", { name: "Yes, done" }).click();
  await satisfied.waitFor({ state: "detached" });
  const first = await id(page);
  await ask(page, "number of people by town");
  await approve(page);
  await satisfied.getByRole("button", { name: "Start over" }).click();
  await page.waitForFunction((before) => decodeURIComponent(location.hash.slice(1)) !== before, first);
  assert.equal(await page.evaluate(() => document.activeElement.id), "words");
  assert.deepEqual(errors, []);
});

test("why a message was read as it was can be asked, and the mode is switched", async (test) => {
  const server = await serve(test);
  const { page, errors } = await open(test, server);
  await ask(page, "number of people by town");
  await page.locator(".why").last().click();
  await page.locator("#panel .reading meter").first().waitFor();
  await looks(page, "why");
  await page.keyboard.press("Escape");
  await page.locator("#panel[hidden]").waitFor({ state: "attached" });
  assert.ok(await page.evaluate(() => document.activeElement.classList.contains("why")), "the focus is where it came from");
  await menu(page, "Why the last message");
  await page.locator("#panel .reading").first().waitFor();
  await page.getByRole("button", { name: "Close" }).click();
  await page.locator("#mode").selectOption("proof");
  await page.waitForFunction(() => document.getElementById("mode").value === "proof" && document.getElementById("mode").classList.contains("proof"));
  assert.equal((await state(server, page)).mode, "proof");
  assert.deepEqual(errors, []);
});

test("a person comes in with a token, sees what is theirs, and lets somebody in", async (test) => {
  const token = {};
  const server = await serve(test, (folder) => {
    for (const person of ["anna", "ben"]) {
      token[person] = execFileSync(binary, ["token", person, "--tokens", "people"], { cwd: folder, encoding: "utf8" }).match(/\S{20,}/)[0];
    }
  }, "--tokens", "people");
  const came = async (person, hash = "") => {
    const context = await newContext();
    test.after(() => context.close());
    const page = await context.newPage();
    await page.goto(`${server.url}/${hash}`);
    await page.locator("#sign-in[open]").waitFor();
    if (person === "anna") await looks(page, "sign-in");
    await page.locator("#token").fill("wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.locator("#sign-in-problem").getByText("not valid").waitFor();
    await page.locator("#token").fill(token[person]);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.locator(".me .name").waitFor({ state: "attached" });
    return page;
  };
  const anna = await came("anna");
  await ask(anna, "number of people by town");
  assert.equal((await fetch(`${server.url}/v1/conversations`)).status, 401, "nobody else comes in");
  const ben = await came("ben", `#${await id(anna)}`);
  await ben.locator(".notice", { hasText: "not there" }).waitFor();
  await menu(anna, "People");
  await anna.getByLabel("Person to let in").fill("ben");
  await anna.getByRole("button", { name: "Let in" }).click();
  await anna.locator("#panel .people li", { hasText: "ben" }).waitFor();
  await audit(anna, "people");
  await ben.reload();
  await ben.locator("#list button").first().click();
  await approve(ben);
  await anna.locator(".card.plan.closed", { hasText: "Approved by ben" }).waitFor({ state: "attached" });
  // Who leaves is asked first, does not find it any more, and can be let in again.
  const shared = await id(ben);
  await menu(ben, "Leave");
  await ben.locator("#confirm", { hasText: "stays with anna" }).waitFor();
  await looks(ben, "leaving");
  await ben.getByRole("button", { name: "Stay" }).click();
  assert.deepEqual((await state(server, anna, token.anna)).members, ["anna", "ben"]);
  await menu(ben, "Leave");
  await ben.locator("#confirm-yes", { hasText: "Leave" }).click();
  await anna.locator("#transcript .aside", { hasText: "ben left" }).waitFor();
  await ben.locator("#list-note", { hasText: "No conversations yet" }).waitFor();
  assert.equal(await ben.locator(".notice").count(), 0, "to leave is nothing that went wrong");
  await ben.goto(`${server.url}/#${shared}`);
  await ben.locator(".notice", { hasText: "not there" }).waitFor();
  await anna.locator("#menu > summary").click();
  assert.equal(await anna.locator("#quit").count(), 0, "whoever is alone deletes instead");
  await anna.keyboard.press("Escape");
  // Who signs out leaves nothing behind for whoever sits down next.
  await ben.locator("#words").fill("half a thought of ben");
  await menu(ben, "Sign out ben");
  await ben.locator("#sign-in[open]").waitFor();
  assert.equal(await ben.locator("#transcript .message").count(), 0);
  assert.deepEqual(await ben.evaluate(() => Object.values(localStorage).filter((kept) => kept.includes("thought"))), []);
  await ben.reload();
  await ben.locator("#sign-in[open]").waitFor();
});

test("files that runs wrote are listed and taken along", async (test) => {
  const server = await serve(test);
  const { page, errors } = await open(test, server);
  await ask(page, "total paid by town and save it as paid.csv");
  await approve(page);
  await phase(page, "idle");
  await menu(page, "Files");
  const file = await taken(page, page.locator("#panel .files a").first());
  assert.equal(file.name, "paid.csv");
  assert.equal(file.text, readFileSync(await kept(server, page, "paid.csv"), "utf8"));
  await looks(page, "files");
  writeFileSync(await kept(server, page, "paid.csv"), "another\n");
  await page.locator("#panel").getByRole("button", { name: "Look again" }).click();
  await page.locator("#panel .files", { hasText: "paid.csv (holds something else by now)" }).waitFor();
  assert.deepEqual(errors, []);
});

test("conversations are begun, forked, exported and deleted", async (test) => {
  const server = await serve(test);
  const { page, errors } = await open(test, server);
  // An example is asked at once.
  await page.locator("#greeting .example").first().click();
  await plan(page).waitFor();
  const first = await id(page);
  await menu(page, "Fork");
  await page.waitForFunction((before) => decodeURIComponent(location.hash.slice(1)) !== before, first);
  await plan(page).waitFor();
  await page.locator("#menu summary").click();
  const whole = await taken(page, page.locator("#export"));
  assert.equal(JSON.parse(whole.text).state.id, await id(page));
  const copy = await id(page);
  await menu(page, "Delete");
  await looks(page, "delete");
  await page.locator("#confirm").getByRole("button", { name: "Keep it" }).click();
  assert.equal((await get(server, `/v1/conversations/${copy}`)).id, copy, "kept");
  await menu(page, "Delete");
  await page.locator("#confirm").getByRole("button", { name: "Delete" }).click();
  await page.waitForFunction(() => document.querySelectorAll("#list li").length === 1);
  assert.equal((await fetch(`${server.url}/v1/conversations/${copy}`)).status, 404);
  await page.locator("#list button").first().click();
  await plan(page).waitFor();
  assert.equal(await id(page), first);
  await page.goto(server.url);
  await plan(page).waitFor();
  assert.equal(await id(page), first, "the last one is taken up again");
  assert.deepEqual(errors, []);
});

test("only assistants that are served can be chosen, and the others are named in one line", async (test) => {
  const alone = await serve(test);
  const { page, errors } = await open(test, alone);
  await page.locator("#greeting .away").waitFor();
  assert.equal(await page.locator("#greeting .with").count(), 0, "of one there is nothing to choose");
  assert.match(await page.locator("#greeting .away").innerText(), /^More assistants: start the server with .*--assistant companion/);
  assert.doesNotMatch(await page.locator("#greeting .away").innerText(), /--assistant analyst/);
  const both = await serve(test, () => null, "--assistant", "analyst", "--assistant", "companion");
  const other = await open(test, both);
  await other.page.locator("#greeting .with").first().waitFor();
  assert.deepEqual(await other.page.locator("#greeting .with input").evaluateAll((all) => all.map((one) => [one.value, one.disabled])), [["analyst", false], ["companion", false]]);
  await other.page.locator("#greeting .with", { hasText: "projects and notes" }).click();
  await other.page.getByText("What are you working on?").waitFor();
  assert.deepEqual([...errors, ...other.errors], []);
});

test("a table of two narrow columns is as wide as they are, and never wider than the page", async (test) => {
  const server = await serve(test);
  const { page, errors } = await open(test, server);
  await ask(page, "number of people by town");
  await approve(page);
  await result(page).waitFor();
  const box = async () => {
    const [table, around] = await Promise.all([result(page).locator(".scroll").first().boundingBox(), result(page).boundingBox()]);
    return [table.width, around.width];
  };
  const [width, room] = await box();
  assert.ok(width < room * 0.7, `${width} of ${room}`);
  await page.setViewportSize({ width: 390, height: 800 });
  const [narrow, phone] = await box();
  assert.ok(narrow <= phone, `${narrow} of ${phone}`);
  assert.deepEqual(errors, []);
});
