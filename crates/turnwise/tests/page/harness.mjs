// What the tests of the page share: a real server over a small folder of data, a headless Chromium whose every error
// fails the test, the audit, and screenshots. TURNWISE names the binary, SHOTS the folder for screenshots; with ASSETS
// the page's files are taken from that folder, so that a change of them needs no build.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { chromium } from "playwright-core";

export const binary = process.env.TURNWISE;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const { SHOTS: shots, ASSETS: assets, CHROMIUM: browserAt = "/usr/bin/chromium" } = process.env;
let browser;

before(async () => {
  assert.ok(binary, "TURNWISE names the binary to test");
  browser = await chromium.launch({ executablePath: browserAt, args: ["--no-sandbox", "--disable-gpu", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync"] });
});

after(() => browser?.close());

export const PEOPLE = "id,name,town,paid,owed\n1,Ada,Rome,10,1\n2,Bob,Oslo,20,2\n3,Cy,Rome,30,3\n4,<b>Dee</b>,Bonn,5,4\n";

/** A server over a small folder of data; `options` go to `turnwise serve`, `prepare` is called with the folder before. */
export async function serve(test, ...options) {
  const folder = mkdtempSync(join(tmpdir(), "turnwise-page-"));
  const prepare = typeof options[0] === "function" ? options.shift() : () => {};
  writeFileSync(join(folder, "people.csv"), PEOPLE);
  const data = prepare(folder) ?? "people.csv";
  const environment = { ...process.env, TURNWISE_STATE: join(folder, "state"), USER: "ada" };
  const server = { folder, url: null, child: null, told: "" };
  /** Runs the program on the same state, as a person in a terminal would. */
  server.run = (...words) => execFileSync(binary, words, { cwd: folder, env: environment, encoding: "utf8" });
  /** With `kib`, the system ends the server in the middle of a write that makes any file longer than that. */
  server.start = async (port = "0", kib = null) => {
    const words = ["serve", "--data", data, "--port", port, ...options];
    const [program, all] = kib ? ["bash", ["-c", `ulimit -c 0; ulimit -f ${kib}; exec "$0" "$@"`, binary, ...words]] : [binary, words];
    const child = spawn(program, all, { cwd: folder, env: environment });
    server.child = child;
    server.url = await new Promise((resolve, reject) => {
      child.stderr.on("data", (chunk) => {
        server.told += chunk;
        // What is told may come in pieces: the address is whole when something follows it.
        const found = server.told.match(/http:\/\/[^\s]+(?=\s)/);
        if (found) resolve(found[0]);
      });
      child.on("exit", (code) => reject(new Error(`the server ended with ${code}: ${server.told}`)));
    });
  };
  server.end = async (signal) => {
    const { child } = server;
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    child.removeAllListeners("exit");
    const ended = new Promise((resolve) => child.on("exit", resolve));
    child.kill(signal);
    return ended;
  };
  await server.start();
  test.after(async () => {
    const code = await server.end("SIGTERM");
    rmSync(folder, { recursive: true });
    assert.equal(code, 0, server.told);
  });
  return server;
}

/** A terminal with the conversation `id` of the server, as a person has it: `type` enters a line, `keys` only strikes
 * keys, `shows` waits for words. */
export function terminal(test, server, conversation) {
  const words = `${binary} chat --server ${server.url} --resume ${conversation}`;
  const child = spawn("script", ["-qfec", `stty cols 120 rows 40; ${words}`, "/dev/null"], { cwd: server.folder,
    env: { ...process.env, TURNWISE_STATE: join(server.folder, "state"), USER: "ada", TERM: "xterm", NO_COLOR: "1" } });
  let told = "";
  const waiting = new Set();
  child.stdout.on("data", (chunk) => { told += chunk; waiting.forEach((look) => look()); });
  test.after(() => child.kill("SIGKILL"));
  const shows = (wanted, from = 0) => new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`the terminal does not show ${wanted}:\n${told.slice(from)}`)), 30_000);
    const look = () => {
      if (!wanted.test(told.slice(from))) return;
      clearTimeout(late);
      waiting.delete(look);
      resolve(told.length);
    };
    waiting.add(look);
    look();
  });
  const type = async (text) => {
    const from = told.length;
    child.stdin.write(text);
    // Text that comes in one burst with its Enter would be taken for a paste.
    await shows(new RegExp(text.slice(-3).replace(/\W/g, ".")), from);
    child.stdin.write("\r");
  };
  return { type, keys: (keys) => child.stdin.write(keys), shows, length: () => told.length };
}

/** A page on which any error of a script, of loading, or against its policy is noted. */
export async function open(test, server, settings = {}, hash = "") {
  const context = await browser.newContext({ viewport: { width: 1280, height: 820 }, locale: "en-GB", acceptDownloads: true, ...settings });
  if (assets) {
    await context.route("**/assets/**", (route) => {
      const file = join(assets, new URL(route.request().url()).pathname.slice("/assets/".length));
      if (!existsSync(file)) return route.continue();
      return route.fulfill({ path: file, contentType: file.endsWith(".css") ? "text/css" : "text/javascript" });
    });
  }
  const page = await context.newPage();
  page.setDefaultTimeout(12_000);
  test.after(() => (test.passed === false ? shoot(page, `failed-${test.name.replace(/\W+/g, "-").slice(0, 60)}`) : null));
  test.after(() => context.close());
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error.stack ?? error)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("dialog", (dialog) => { errors.push(`a dialog: ${dialog.message()}`); dialog.dismiss(); });
  await page.addInitScript(hearAnnouncements);
  await page.goto(`${server.url}/${hash}`);
  await page.locator(".me .name").waitFor({ state: "attached" });
  return { page, errors, context };
}

/** Notes all that screen readers are told: the next announcement takes the place of the one before. */
function hearAnnouncements() {
  globalThis.announcements = [];
  document.addEventListener("DOMContentLoaded", () => {
    const region = document.getElementById("announcer");
    const hear = () => region.textContent && globalThis.announcements.push(region.textContent);
    new MutationObserver(hear).observe(region, { childList: true, characterData: true, subtree: true });
  });
}

/** Waits until screen readers were told something with `words` in it. */
export const announced = (page, words) => page.waitForFunction((wanted) => globalThis.announcements.some((told) => told.includes(wanted)), words);

export const newContext = (settings) => browser.newContext(settings);

export async function say(page, text) {
  await page.locator("#words").fill(text);
  await page.locator("#words").press("Enter");
}

/** Says something that has a plan made, and waits for the plan. */
export async function ask(page, text) {
  const before = await page.locator(".card.plan").count();
  await say(page, text);
  await page.waitForFunction((count) => document.querySelectorAll(".card.plan").length > count, before);
  await plan(page).getByRole("button", { name: "Approve" }).waitFor();
}

export const approve = (page) => plan(page).getByRole("button", { name: "Approve" }).click();
/** Waits until the conversation stands there: the word of its status in the API is the pill's class. */
export const phase = (page, word) => page.waitForFunction((wanted) => document.getElementById("status").classList.contains(wanted), { idle: "ready" }[word] ?? word);
export const plan = (page) => page.locator(".card.plan:not(.closed)").last();
export const result = (page) => page.locator(".card.result").last();
export const id = (page) => page.evaluate(() => decodeURIComponent(location.hash.slice(1)));
export const get = async (server, path, token) => (await fetch(`${server.url}${path}`, token ? { headers: { Authorization: `Bearer ${token}` } } : {})).json();
/** Where the conversation at hand keeps its file `name`. */
export async function kept(server, page, name) {
  const folder = join(server.folder, "state", "files", await id(page));
  mkdirSync(folder, { recursive: true });
  return join(folder, name);
}

export const state = async (server, page, token) => get(server, `/v1/conversations/${await id(page)}`, token);
/** What the menu of the conversation has, or else the one under the person's name. */
export async function menu(page, name) {
  const own = page.locator("#menu").locator(".items > :is(button, a)", { hasText: name });
  const where = (await own.count()) ? "#menu" : ".me";
  await page.locator(`${where} > summary`).click();
  await page.locator(where).locator(".items > :is(button, a)", { hasText: name }).first().click();
}

/** What is done with a result through one of its menus. */
export async function action(page, menuName, name) {
  await result(page).locator(".actions .menu > summary", { hasText: menuName }).click();
  return result(page).locator(".actions .menu[open] .items > :is(button, a)", { hasText: name });
}

/** What is taken along by clicking on `what`, as text. */
export async function taken(page, what) {
  const [file] = await Promise.all([page.waitForEvent("download"), what.click()]);
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), "utf8") };
}

export async function shoot(page, name) {
  if (!shots) return;
  mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name}.png`) });
}

/** No finding of the accessibility audit, `within` a part where the whole is long, and nothing hangs over the side. */
export async function audit(page, where, within = "html") {
  await page.evaluate(axe);
  const { violations } = await page.evaluate((part) => globalThis.axe.run(part), within);
  assert.deepEqual(violations.map((found) => `${found.id}: ${found.nodes.map((node) => `${node.html} ${node.failureSummary}`).join(" ")}`), [], where);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(wide <= 0, `${where}: nothing hangs over the side (${wide})`);
}

/** Each state of the page as people have it: light, dark, and on a phone; audited and photographed. */
export async function looks(page, name) {
  const size = page.viewportSize();
  for (const [look, scheme, viewport] of [["light", "light", size], ["dark", "dark", size], ["phone", "light", { width: 390, height: 844 }], ["phone-dark", "dark", { width: 390, height: 844 }]]) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize(viewport);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    // What is in view is loaded; a picture that is folded away never is.
    await page.waitForFunction(() => [...document.images].every((image) => {
      const { width, top, bottom } = image.getBoundingClientRect();
      return !width || top > innerHeight || bottom < 0 || !image.checkVisibility() || image.complete;
    }));
    await shoot(page, `${name}-${look}`);
    await audit(page, `${name}, ${look}`);
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(size);
}
