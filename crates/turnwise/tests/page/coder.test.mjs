// The coder on the page: what files would become is shown line by line before anything is written, written after a yes,
// and taken back. See harness.mjs.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { approve, ask, audit, open, plan, say, serve } from "./harness.mjs";

const BEFORE = "fn total(a: i32) -> i32 {\n    a\n}\n";

test("a change is shown as a diff, written after a yes and taken back", async (test) => {
  const prepare = (folder) => {
    mkdirSync(join(folder, "shop"));
    writeFileSync(join(folder, "shop/a.rs"), BEFORE);
    writeFileSync(join(folder, "shop/tabs.txt"), "a\tb\n");
    return "shop";
  };
  const server = await serve(test, prepare, "--assistant", "coder");
  const written = () => readFileSync(join(server.folder, "shop/a.rs"), "utf8");
  const { page, errors } = await open(test, server);
  await ask(page, "rename total to sum");
  const diff = plan(page).locator(".diff-text");
  await diff.waitFor();
  assert.match(await diff.locator("tr.removed").first().innerText(), /−\s*fn total\(a: i32\)/);
  assert.match(await diff.locator("tr.added").first().innerText(), /\+\s*fn sum\(a: i32\)/);
  assert.deepEqual(await diff.locator("mark").allInnerTexts(), ["total", "sum"], "what differs within the line");
  assert.equal(written(), BEFORE, "nothing is written before the yes");
  await audit(page, "a diff");
  await approve(page);
  await page.getByText("Applied to a.rs:1.").filter({ visible: true }).first().waitFor();
  assert.match(written(), /fn sum/);
  await ask(page, "undo");
  await plan(page).locator(".diff-text tr.added", { hasText: "fn total" }).waitFor();
  await approve(page);
  await page.getByText("Taken back in a.rs:1.").filter({ visible: true }).first().waitFor();
  assert.equal(written(), BEFORE);
  // What only differs in blanks is seen.
  await ask(page, "replace \"a\tb\" with \"a b\" in tabs.txt");
  await plan(page).locator(".diff-text tr.removed", { hasText: "a→b" }).waitFor();
  await plan(page).locator(".diff-text tr.added", { hasText: "a·b" }).waitFor();
  assert.deepEqual(errors, []);
});

test("what can be done with a run that goes on or failed stands on its card, and a button does it", async (test) => {
  const prepare = (folder) => {
    mkdirSync(join(folder, "shop"));
    writeFileSync(join(folder, "shop/waits.sh"), "#!/bin/sh\nsleep 0.6\necho begun\nwhile [ ! -e let_go ]; do sleep 0.05; done\n", { mode: 0o755 });
    writeFileSync(join(folder, "shop/fails.sh"), "#!/bin/sh\nexit 3\n", { mode: 0o755 });
    return "shop";
  };
  const server = await serve(test, prepare, "--assistant", "coder");
  const { page, errors } = await open(test, server);
  const way = (name) => page.locator(".controls").getByRole("button", { name, exact: true }).last();
  await ask(page, "run `./waits.sh`");
  await approve(page);
  // Words said before the state was seen are about what stood there before.
  await page.getByText("begun").filter({ visible: true }).first().waitFor();
  await say(page, "/run");

  await way("Pause").waitFor();
  await way("Abort").click();
  await page.locator("#execution").waitFor({ state: "hidden" });
  writeFileSync(join(server.folder, "shop/let_go"), "");
  // Behind the command stands what is to be run.
  await ask(page, "/run `./fails.sh`");
  await approve(page);
  await page.getByRole("button", { name: "Abandon", exact: true }).click();
  await page.getByText("Given up.").filter({ visible: true }).first().waitFor();
  assert.deepEqual(errors, []);
});
