// The page of projects: which there are, the one at hand with its parts, and the talk beside it. Each part is a module of
// its own; this one ties them to the document.

import { at, button, el, fill, notice } from "./projects-dom.js";
import { desk, Refused } from "./projects-desk.js";
import { notes } from "./projects-notes.js";
import { documents, jobs, people, setup } from "./projects-parts.js";
import { showTalk, startTalk } from "./projects-talk.js";

const view = { id: null, part: "notes", whole: null, seen: null };
const PARTS = [["notes", "Notes", notes], ["setup", "Setup", setup], ["documents", "Documents", documents], ["people", "People", people], ["talk", "Talk", () => {}]];

function start() {
  at("back").addEventListener("click", () => go(null));
  at("begin").addEventListener("submit", async (event) => {
    event.preventDefault();
    const begun = await guarded(desk.begin(at("begin-name").value.trim()));
    if (!begun) return;
    at("begin-name").value = "";
    view.part = "setup";
    go(begun.project.id);
  });
  at("bring").addEventListener("change", async () => {
    const [file] = at("bring").files;
    at("bring").value = "";
    const begun = file && await guarded(desk.bring(file));
    if (begun) go(begun.project.id);
  });
  at("sign-in-form").addEventListener("submit", signIn);
  addEventListener("hashchange", show);
  startTalk(heard, (error) => failed(error));
  // Others may work on the same project: what they change is seen soon.
  setInterval(() => { if (!document.hidden && view.id && !isTyping()) look(); }, LOOK_MS);
  show();
}

const here = () => { try { return decodeURIComponent(location.hash.slice(1)) || null; } catch { return null; } };
const isTyping = () => at("project").contains(document.activeElement) && /^(TEXTAREA|INPUT|SELECT)$/.test(document.activeElement.tagName);

function go(id) {
  if (here() === id) show(); else location.hash = id ?? "";
}

/** Shows the project that the address names. */
async function show() {
  const id = here();
  if (view.id !== id) Object.assign(view, { id, whole: null, seen: null });
  document.body.classList.toggle("none-open", !id);
  await list();
  await project();
  await guarded(showTalk(view.id));
}

async function list() {
  const all = await guarded(desk.all());
  if (!all) return;
  at("no-projects").hidden = all.projects.length > 0;
  fill(at("projects"), all.projects.map((one) => el("li", {},
    el("a", { href: `#${one.id}`, "aria-current": one.id === view.id ? "page" : null }, el("strong", {}, one.name),
      el("span", { class: "dim" }, told(one))))));
  fill(at("invitations"), all.invitations.map((one) => el("div", { class: "invitation" },
    el("p", {}, `${one.by} invites you to ${one.name}.`),
    el("div", { class: "row" },
      button("Join", async () => { if (await guarded(desk.join(one.project_id))) go(one.project_id); }, { class: "primary", "aria-label": `Join ${one.name}` }),
      button("Decline", async () => { await guarded(desk.decline(one.project_id)); list(); }, { class: "quiet", "aria-label": `Decline ${one.name}` })))));
}

function told(one) {
  if (!one.is_ready && one.notes === 0) return "being set up";
  const notes = one.notes === 1 ? "1 note" : `${one.notes} notes`;
  return one.waiting ? `${notes}, ${one.waiting} waiting` : notes;
}

async function project() {
  const { id } = view;
  at("empty").hidden = Boolean(id);
  for (const part of ["head", "tabs", "panel"]) at(part).hidden = !id;
  document.title = "Projects";
  at("title").textContent = "Projects";
  if (!id) return;
  const whole = await guarded(desk.whole(id));
  if (view.id !== id) return;
  if (!whole) {
    for (const part of ["head", "tabs", "panel"]) at(part).hidden = true;
    return;
  }
  view.whole = whole;
  view.seen = whole.project.revision;
  document.title = whole.project.name;
  at("title").textContent = whole.project.name;
  fill(at("head"), el("h2", {}, whole.project.name), jobs(whole),
    !whole.project.is_ready && el("p", { class: "dim" }, "Its setup is not complete yet."));
  parts();
}

function parts() {
  const chosen = PARTS.find(([code]) => code === view.part) ?? PARTS[0];
  document.body.dataset.part = chosen[0];
  fill(at("tabs"), PARTS.map(([code, label]) => button(label, () => { view.part = code; parts(); }, {
    role: "tab", id: `tab-${code}`, "aria-selected": String(code === chosen[0]), "aria-controls": code === "talk" ? "talk" : "panel",
    tabindex: code === chosen[0] ? 0 : -1, onkeydown: step })));
  at(`tab-${chosen[0]}`).scrollIntoView({ block: "nearest", inline: "nearest" });
  at("panel").setAttribute("aria-labelledby", `tab-${chosen[0]}`);
  at("panel").hidden = chosen[0] === "talk";
  guarded(Promise.resolve(chosen[2](at("panel"), { id: view.id, whole: view.whole, done, left })));
}

/** The project at hand is not one's own any more. */
function left() {
  Object.assign(view, { id: null, whole: null, seen: null });
  go(null);
}

/** The arrows go from tab to tab, as people with keyboards expect. */
function step(event) {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!by) return;
  const tabs = [...at("tabs").children].filter((tab) => tab.checkVisibility());
  const next = tabs[(tabs.indexOf(event.target) + by + tabs.length) % tabs.length];
  next.click();
  at(next.id)?.focus();
}

/** After a change: what there is now. */
async function done(change) {
  if (!(await guarded(change, true))) return;
  notice(null);
  await Promise.all([project(), list()]);
}

async function look() {
  try {
    const whole = await desk.whole(view.id);
    if (whole.project.id === view.id && whole.project.revision !== view.seen) { await project(); list(); }
  } catch { /* the next look may do better */ }
}

function heard(reply) {
  notice(null);
  if (reply.project_id && reply.project_id !== view.id) {
    view.part = document.body.dataset.part === "talk" ? "talk" : "notes";
    location.hash = reply.project_id;
    return;
  }
  if (reply.side_effects.length === 0) return;
  if (view.id && !reply.project_id) { go(null); return; }
  project();
  list();
}

/** What `asked` gives; what goes wrong is told, and gives nothing. */
async function guarded(asked, plain = false) {
  try {
    const found = await asked;
    return plain ? true : found ?? true;
  } catch (error) {
    failed(error);
    return null;
  }
}

function failed(error) {
  if (error instanceof Refused && error.status === 401) {
    if (!at("sign-in").open) at("sign-in").showModal();
    return;
  }
  const isGone = error instanceof Refused && error.status === 404;
  notice(isGone ? "There is no such project here, or it is not yours." : error instanceof Refused ? error.message : "The server cannot be reached. Try again in a moment.");
}

async function signIn(event) {
  event.preventDefault();
  at("sign-in-problem").textContent = "";
  try {
    await desk.signIn(at("token").value.trim());
  } catch (error) {
    at("sign-in-problem").textContent = error.status === 401 ? "This token is not valid." : error.message;
    at("token").select();
    return;
  }
  at("token").value = "";
  at("sign-in").close();
  show();
}

const LOOK_MS = 4000;

start();
