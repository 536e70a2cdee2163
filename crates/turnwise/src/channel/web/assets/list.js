// The list of conversations: found by their words, opened, begun, forked, exported and deleted.

import { api, follow } from "./api.js";
import { draftOf, keepDraft, place } from "./composer.js";
import { announce, at, button, download, el, fill, kept, when } from "./dom.js";
import { clearExecution } from "./execution.js";
import { closePanel } from "./panel.js";
import { comeIn, guarded, notice, onState, take, view } from "./session.js";
import { clear, hear, toEnd } from "./transcript.js";

/** Letters shown of what a model is writing: its end. */
const WRITTEN_SHOWN = 500;
let known = [];
let shown = 0;
/** How many of those known fit the words looked for. */
let fits = 0;
/** Where the list goes on that is not read yet; undefined before the first page. */
let next;

/** Reads the latest anew; older ones that were read stay. */
export async function list() {
  const read = await guarded(() => api.conversations());
  if (!read) return;
  const latest = new Set(read.list.map((one) => one.id));
  const goesOn = next !== undefined && read.next !== null;
  const end = read.list.at(-1)?.active_at;
  known = read.list.concat(goesOn ? known.filter((one) => !latest.has(one.id) && one.active_at <= end) : []);
  if (!goesOn) next = read.next;
  draw();
}

/** Reads the next page of older ones. */
async function readOlder() {
  const read = await guarded(() => api.conversations(next));
  if (!read) return;
  const had = new Set(known.map((one) => one.id));
  known = known.concat(read.list.filter((one) => !had.has(one.id)));
  next = read.next;
}

/** Draws as many as are wanted of those that fit the words looked for. */
export function draw() {
  const words = at("find").value.toLowerCase().split(/\s+/).filter(Boolean);
  const text = (one) => `${one.title ?? "new conversation"} ${one.assistant} ${one.phase} ${one.members.join(" ")}`.toLowerCase();
  const fitting = known.filter((one) => words.every((word) => text(one).includes(word)));
  shown = Math.max(shown, PAGE);
  fits = fitting.length;
  const focused = document.activeElement?.closest?.("#list button")?.dataset.id;
  fill(at("list"), fitting.slice(0, shown).map(row));
  if (focused) [...at("list").querySelectorAll("button")].find((one) => one.dataset.id === focused)?.focus();
  at("more").hidden = fitting.length <= shown && !next;
  at("more").textContent = fitting.length > shown ? `Show ${Math.min(PAGE, fitting.length - shown)} more of ${fitting.length}` : "Show older ones";
  at("list-note").textContent = words.length ? `${fitting.length} of ${known.length} fit.` : known.length ? "" : "None yet: say something below.";
}

function row(one) {
  const phase = one.phase === "idle" ? null : el("span", { class: `chip ${one.phase}` }, one.phase.replace("_", " "));
  return el("li", {}, button([el("span", { class: "title" }, one.title || "New conversation"),
    el("span", { class: "about" }, phase, el("span", { class: "dim" }, when(one.active_at)), one.members.length > 1 ? el("span", { class: "dim" }, `${one.members.length} people`) : null)],
    () => open(one.id), { "aria-current": one.id === view.id ? "true" : null, "data-id": one.id }));
}

export async function showMore() {
  const first = Math.min(shown, fits);
  if (fits <= shown && next) await readOlder();
  shown = first + PAGE;
  draw();
  at("list").children[first]?.querySelector("button")?.focus();
}

/** Looks for words in the list. */
export function find() { shown = PAGE; draw(); }

/** Opens a conversation where it stands. */
export async function open(id) {
  keepDraft();
  view.leave?.();
  Object.assign(view, { id, state: null, before: null, last: 0, spoken: false, openedAt: Infinity, firstSaid: new Set() });
  document.body.classList.remove("none-open");
  clear();
  closePanel({ stays: true });
  at("line").hidden = true;
  writing({});
  history.replaceState(null, "", `#${encodeURIComponent(id)}`);
  kept.set("last", id);
  place(view.early ?? draftOf(id));
  view.early = null;
  at("detected").textContent = "Why";
  const ours = (then) => (value) => { if (view.id === id) then(value); };
  view.leave = follow(id, 0, { event: ours(hear), state: ours(take), writing: ours(writing), line: ours(line), gone: ours(gone) });
  document.body.classList.remove("list-open");
  at("toggle-list").setAttribute("aria-expanded", "false");
  requestAnimationFrame(toEnd);
  draw();
  list();
}

/** What a language model is writing, as it comes. It is checked when it is whole, and goes then. */
let written = "";
function writing(sent) {
  written = sent.add === undefined ? sent.text ?? "" : written + sent.add;
  at("writing").hidden = !sent.model;
  at("writing").textContent = sent.model ? `${sent.model.split(/[#/]/).pop()} writes: ${written.slice(-WRITTEN_SHOWN)}` : "";
}

function line(isUp) {
  const was = !at("line").hidden;
  at("line").hidden = isUp;
  at("line").textContent = isUp ? "" : "Connection lost. Trying again; what happens meanwhile will be shown, and what you type is kept.";
  document.body.classList.toggle("offline", !isUp);
  if (!isUp) writing({});
  if (was && isUp) { announce("Connected again."); list(); }
}

function gone(error) {
  if (error.status === 401) { comeIn(); return; }
  notice("This conversation is not there any more. It may have been deleted elsewhere.");
  leave();
  list();
}

/** Leaves the conversation at hand without another one. */
export function leave() {
  view.leave?.();
  Object.assign(view, { id: null, state: null, before: null, last: 0, leave: null, early: null });
  kept.set("last", null);
  document.body.classList.add("none-open");
  clear();
  clearExecution();
  closePanel({ stays: true });
  at("line").hidden = true;
  writing({});
  history.replaceState(null, "", location.pathname);
  if (!document.activeElement.closest("nav")) at("words").focus();
}

/** Begins a conversation; what is in the box comes along. */
export async function begin() {
  const words = at("words").value;
  const begun = await guarded(() => api.begin(at("assistant").value || null));
  if (!begun) return false;
  const isFirst = !view.id;
  await open(begun.id);
  if (isFirst) { place(words); kept.set("draft:new", null); }
  at("words").focus();
  return true;
}

export async function fork() {
  const copy = view.id && await guarded(() => api.fork(view.id));
  if (copy) { await open(copy.id); announce("This is the copy."); at("words").focus(); }
}

export async function exported() {
  const whole = view.id && await guarded(() => api.exported(view.id));
  const plain = (_, value) => (typeof value === "bigint" ? JSON.rawJSON?.(String(value)) ?? String(value) : value);
  if (whole) download(`${view.id}.json`, "application/json", JSON.stringify(whole, plain, 2));
}

/** Deletes the conversation at hand, after a question. */
export function remove() {
  if (!view.id) return;
  const dialog = at("confirm");
  const title = known.find((one) => one.id === view.id)?.title ?? "New conversation";
  at("confirm-title").textContent = `Delete “${title}”?`;
  at("confirm-text").textContent = "All that was said and found in it is deleted for good, for everyone who takes part.";
  dialog.returnValue = "no";
  dialog.onclose = async () => {
    if (dialog.returnValue !== "yes" || !view.id) return;
    const id = view.id;
    if ((await guarded(() => api.remove(id).then(() => ({})))) === null) return;
    kept.set(`draft:${id}`, null);
    leave();
    list();
  };
  dialog.showModal();
}

onState((state, before) => {
  at("show-people").textContent = `People (${state.members.length})`;
  const isUntitled = !known.find((one) => one.id === state.id)?.title;
  if (!before || isUntitled || before.phase !== state.phase || before.members.length !== state.members.length) later();
});

let due = null;

/** The list follows what happens in the conversation, but not every step of it. */
function later() {
  due ??= setTimeout(() => { due = null; list(); }, 150);
}

const PAGE = 40;
