// The page of projects as people use it, in a browser: what is done there is looked for over the API, and what happens
// elsewhere is seen there. See harness.mjs for how it is run.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { audit, get, looks, newContext, serve, shoot } from "./harness.mjs";

const served = ["--assistant", "analyst", "--assistant", "companion"];

/** The page of projects, on which any error of a script or against its policy is noted. */
async function projects(test, server, hash = "", settings = {}) {
  const context = await newContext({ viewport: { width: 1440, height: 900 }, locale: "en-GB", acceptDownloads: true, ...settings });
  const page = await context.newPage();
  page.setDefaultTimeout(12_000);
  test.after(() => (test.passed === false ? shoot(page, `failed-${test.name.replace(/\W+/g, "-").slice(0, 60)}`) : null));
  test.after(() => context.close());
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error.stack ?? error)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.goto(`${server.url}/projects${hash}`);
  return { page, errors };
}

const tab = (page, name) => page.getByRole("tab", { name }).click();
const note = (page, number) => page.locator("li.note", { has: page.getByText(`#${number}`, { exact: true }) });
const whole = async (server) => { const { projects: [one] } = await get(server, "/v1/projects"); return get(server, `/v1/projects/${one.id}`); };

async function begin(page, name) {
  await page.getByLabel("Name of a new project").fill(name);
  await page.getByRole("button", { name: "Begin" }).click();
  await page.locator("#title", { hasText: name }).waitFor();
}

async function tell(page, text) {
  await page.getByLabel("New note").fill(text);
  await page.getByRole("button", { name: "Keep", exact: true }).click();
  await page.locator("li.note", { hasText: text }).first().waitFor();
}

test("a project is begun, set up, and its notes are told, saved, changed, grouped, searched and taken back", async (test) => {
  const server = await serve(test, ...served);
  const { page, errors } = await projects(test, server);
  await page.getByText("You have no projects yet.").waitFor();
  await looks(page, "projects-empty");
  await begin(page, "FarmGuard");
  await page.getByLabel("The work").fill("An app that watches irrigation");
  await page.locator("form.seed").first().getByRole("button", { name: "Keep this" }).click();
  await page.waitForFunction(() => document.querySelectorAll("form.seed em").length === 5);
  for (let left = 5; left > 0; left -= 1) {
    await page.getByRole("button", { name: "Leave it open" }).first().click();
    await page.waitForFunction((count) => [...document.querySelectorAll("form.seed button")].filter((one) => one.textContent === "Leave it open").length < count, left);
  }
  await page.getByRole("button", { name: "Complete the setup" }).click();
  await page.getByText("The setup is complete").waitFor();
  assert.equal((await whole(server)).project.is_ready, true);

  await tab(page, "Notes");
  await tell(page, "The deadline is March 15th");
  await tell(page, "The pumps need <b>clay</b> filters");
  await note(page, 1).getByRole("button", { name: "Save note 1" }).click();
  await note(page, 1).getByText("saved").waitFor();
  await note(page, 2).getByRole("button", { name: "Edit note 2" }).click();
  await page.getByLabel("Text of note 2").fill("The pumps need sand filters");
  await page.getByRole("button", { name: "Keep this" }).click();
  await note(page, 2).getByText("Changed once").waitFor();
  await page.getByLabel("Mark note 1").check();
  await page.getByLabel("Mark note 2").check();
  await page.locator("#group-label").fill("Basics");
  await page.getByRole("button", { name: "Put into this group" }).click();
  await note(page, 2).getByText("Basics").waitFor();
  await looks(page, "projects-notes");
  await page.getByRole("searchbox", { name: "Search the notes" }).fill("deadline");
  await page.waitForFunction(() => document.querySelectorAll("li.note").length === 1);
  assert.equal(await page.locator("#about").evaluate((field) => field === document.activeElement), true, "who types goes on typing");
  await page.locator("#about").fill("");
  await page.waitForFunction(() => document.querySelectorAll("li.note").length === 2);
  await note(page, 2).getByRole("button", { name: "Take back note 2" }).click();
  await page.waitForFunction(() => document.querySelectorAll("li.note").length === 1);
  const { project, groups } = await whole(server);
  assert.deepEqual([project.notes, project.waiting, groups[0].label], [1, 0, "Basics"]);
  assert.deepEqual(errors, []);
});

test("the talk beside it tells notes, asks before it invites, and what it changes is seen in the project", async (test) => {
  const server = await serve(test, ...served);
  const { page, errors } = await projects(test, server);
  await begin(page, "FarmGuard");
  await tab(page, "Notes");
  const said = async (text) => {
    const before = await page.locator("#turns .companion").count();
    await page.getByLabel("Message").fill(text);
    await page.getByRole("button", { name: "Send" }).click();
    await page.waitForFunction((count) => document.querySelectorAll("#turns .companion").length > count, before);
    return page.locator("#turns .companion .text").last().innerText();
  };
  assert.match(await said("Remember that the soil is clay."), /note 1 of FarmGuard/);
  await note(page, 1).getByText("the soil is clay").waitFor();
  await page.locator("#suggestions").getByRole("button", { name: "Save note 1" }).click();
  await note(page, 1).getByText("saved").waitFor();
  assert.match(await said("invite ben to the project"), /Shall I\?$/);
  assert.deepEqual((await whole(server)).invited, [], "nothing is done without a yes");
  await page.locator("#suggestions").getByRole("button", { name: "Yes" }).click();
  await page.waitForFunction(() => [...document.querySelectorAll("#turns .companion")].at(-1).textContent.includes("is invited"));
  await tab(page, "People");
  await page.getByText("ben (invited)").waitFor();
  await looks(page, "projects-people");
  await page.reload();
  await page.locator("#turns .operator", { hasText: "Remember that the soil is clay." }).waitFor();
  await tab(page, "Notes");
  const id = decodeURIComponent(new URL(page.url()).hash.slice(1));
  await fetch(`${server.url}/v1/projects/${id}/notes`, { method: "POST", headers: { "Content-Type": "application/json", "Idempotency-Key": "elsewhere" }, body: JSON.stringify({ text: "Told in another window" }) });
  await note(page, 2).getByText("Told in another window").waitFor();
  assert.deepEqual(errors, []);
});

test("files go up in versions and come down, a specification is written, and the project goes along and comes back", async (test) => {
  const server = await serve(test, ...served);
  const { page, errors } = await projects(test, server);
  await begin(page, "FarmGuard");
  await tab(page, "Documents");
  const upload = async (text, version) => {
    const file = join(server.folder, "Field report.md");
    writeFileSync(file, text);
    await page.getByLabel("File", { exact: true }).setInputFiles(file);
    assert.equal(await page.getByLabel("What it is called").inputValue(), "Field report");
    await page.getByLabel("Sort of document").fill("report");
    await page.getByRole("button", { name: "Upload" }).click();
    await page.getByRole("link", { name: `Download version ${version}` }).waitFor();
  };
  await upload("The north field is dry.", 1);
  await upload("The north field is wet.", 2);
  const taken = async (what) => {
    const [file] = await Promise.all([page.waitForEvent("download"), what.click()]);
    return { name: file.suggestedFilename(), path: await file.path() };
  };
  const last = await taken(page.getByRole("link", { name: "Download version 2" }));
  assert.deepEqual([last.name, readFileSync(last.path, "utf8")], ["field-report.v2.md", "The north field is wet."]);
  await page.getByText("Earlier versions").click();
  const first = await taken(page.getByRole("link", { name: "Version 1", exact: true }));
  assert.equal(readFileSync(first.path, "utf8"), "The north field is dry.");
  await page.getByLabel("Name of a new specification").fill("Soil");
  await page.getByLabel("What it says").fill("Sandy, clay, loam.");
  await page.getByRole("button", { name: "Write it" }).click();
  await page.getByText("Soil, version 1").click();
  assert.equal(await page.getByLabel("Text of Soil").inputValue(), "Sandy, clay, loam.");
  await looks(page, "projects-documents");
  await tab(page, "People");
  const packed = await taken(page.getByRole("link", { name: "Take it along" }));
  assert.equal(packed.name, "farmguard.zip");
  await page.locator("#bring").setInputFiles({ name: "farmguard.zip", mimeType: "application/zip", buffer: readFileSync(packed.path) });
  await page.locator("#title", { hasText: "FarmGuard (2)" }).waitFor();
  await page.locator("#bring").setInputFiles({ name: "no.zip", mimeType: "application/zip", buffer: Buffer.from("no") });
  await page.getByRole("alert").getByText("no ZIP archive").waitFor();
  await tab(page, "People");
  await page.getByRole("button", { name: "Delete the project" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  assert.equal((await get(server, "/v1/projects")).projects.length, 2);
  await page.getByRole("button", { name: "Delete the project" }).click();
  await page.locator("#sure-yes").click();
  await page.getByText("Choose a project, or begin one.").waitFor();
  assert.equal((await get(server, "/v1/projects")).projects.length, 1);
  assert.deepEqual(errors.filter((error) => !error.includes("422")), []);
});

test("on a phone the list, the project and the talk come one after the other, and nothing is cut off", async (test) => {
  const server = await serve(test, ...served);
  const { page, errors } = await projects(test, server, "", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await begin(page, "FarmGuard");
  assert.equal(await page.locator("#list").isVisible(), false);
  await tab(page, "Notes");
  await tell(page, `A long word: ${"x".repeat(200)}`);
  await audit(page, "notes on a phone");
  await tab(page, "Talk");
  await page.getByLabel("Message").fill("How's the project going?");
  await page.getByRole("button", { name: "Send" }).click();
  await page.locator("#turns .companion", { hasText: "FarmGuard: 1 note." }).waitFor();
  await shoot(page, "projects-phone-talk");
  await audit(page, "the talk on a phone");
  await page.getByRole("button", { name: "All projects" }).click();
  await page.locator("#projects").getByText("FarmGuard").waitFor();
  await audit(page, "the list on a phone");
  assert.deepEqual(errors, []);
});

test("on a phone a project is set up, its notes are kept, changed, grouped and searched, and its documents go up and come down", async (test) => {
  const server = await serve(test, ...served);
  const { page, errors } = await projects(test, server, "", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await begin(page, "Refit of the Albatross, an old wooden ketch, before the season");
  await page.getByLabel("The work").fill("We take her apart and put her together again, hull, rig and engine");
  await page.locator("form.seed").first().getByRole("button", { name: "Keep this" }).tap();
  await page.waitForFunction(() => document.querySelectorAll("form.seed em").length === 5);
  await looks(page, "projects-phone-setup");
  await tab(page, "Notes");
  await tell(page, "The crane is only free on Tuesdays");
  await tell(page, "Frames seven to nine are rotten and have to come out before the keel bolts are looked at");
  await note(page, 1).getByRole("button", { name: "Save note 1" }).tap();
  await note(page, 1).getByText("saved").waitFor();
  await note(page, 2).getByRole("button", { name: "Edit note 2" }).tap();
  await page.getByLabel("Text of note 2").fill("Frames seven to ten are rotten");
  await page.getByRole("button", { name: "Keep this" }).tap();
  await note(page, 2).getByText("Changed once").waitFor();
  await page.getByLabel("Mark note 1").check();
  await page.getByLabel("Mark note 2").check();
  await page.locator("#group-label").fill("What holds everything up until the season begins");
  await looks(page, "projects-phone-grouping");
  await page.getByRole("button", { name: "Put into this group" }).tap();
  await note(page, 2).getByText("What holds everything up").waitFor();
  await looks(page, "projects-phone-notes");
  await page.getByRole("searchbox", { name: "Search the notes" }).fill("crane");
  await page.waitForFunction(() => document.querySelectorAll("li.note").length === 1);
  await page.locator("#about").fill("");
  await tab(page, "Documents");
  for (const [version, text] of [[1, "Sound, but for the frames."], [2, "Sound."]]) {
    const file = join(server.folder, "Survey of the hull and the rig.md");
    writeFileSync(file, text);
    await page.getByLabel("File", { exact: true }).setInputFiles(file);
    await page.getByLabel("Sort of document").fill("report");
    await page.getByRole("button", { name: "Upload" }).tap();
    await page.getByRole("link", { name: `Download version ${version}` }).waitFor();
  }
  await page.getByText("Earlier versions").tap();
  const [first] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Version 1", exact: true }).tap()]);
  assert.equal(readFileSync(await first.path(), "utf8"), "Sound, but for the frames.");
  await looks(page, "projects-phone-documents");
  await tab(page, "People");
  await looks(page, "projects-phone-people");
  await tab(page, "Talk");
  await page.getByLabel("Message").fill("no wait, frames seven to eleven are rotten");
  await page.getByRole("button", { name: "Send" }).tap();
  await page.locator("#turns .companion", { hasText: "now says" }).waitFor();
  await looks(page, "projects-phone-corrected");
  await tab(page, "Notes");
  await note(page, 2).getByText("frames seven to eleven are rotten").waitFor();
  assert.deepEqual(errors, []);
});

test("what is not there, or somebody else's, is told as not there", async (test) => {
  const server = await serve(test, ...served);
  const { page, errors } = await projects(test, server, "#0123456789abcdef");
  await page.getByRole("alert").getByText("There is no such project here").waitFor();
  assert.deepEqual(errors.filter((error) => !error.includes("404")), []);
});
