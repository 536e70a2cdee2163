// What can be done on the page from anywhere: conversations are opened, begun, found, renamed, forked and deleted. Next:
// app.js, which ties them to addresses and keys.

import { api, follow } from "./api.js";
import { download, kept } from "./format.js";
import { assistants, chosen, comeIn, conversation, dialog, guarded, hear, isListOpen, isOffline, listed, notice, panel, reset, route, server, state, take, view, write } from "./store.js";
import { announce, at, focusBack, signal, toBox } from "./ui.js";

// ── the list ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Where the list goes on that is not read yet; undefined before the first page. */
export const further = signal(undefined);

/** Reads the latest anew; older ones that were read stay. */
export async function list() {
  const read = await guarded(() => api.conversations());
  if (!read) return;
  const latest = new Set(read.list.map((one) => one.id));
  const goesOn = further.peek() !== undefined && read.next !== null;
  const end = read.list.at(-1)?.active_at;
  listed.value = read.list.concat(goesOn ? listed.peek().filter((one) => !latest.has(one.id) && one.active_at <= end) : []);
  if (!goesOn) further.value = read.next;
}

/** Reads the next page of older ones. */
export async function readOlder() {
  const read = await guarded(() => api.conversations(further.peek()));
  if (!read) return;
  const had = new Set(listed.peek().map((one) => one.id));
  listed.value = listed.peek().concat(read.list.filter((one) => !had.has(one.id)));
  further.value = read.next;
}

// ── the conversation at hand ────────────────────────────────────────────────────────────────────────────────────────

/** Opens a conversation where it stands. `address` says what becomes of the browser's history: push, replace or none. */
export function open(id, { address = "push", to = null } = {}) {
  keepDraft();
  reset(id);
  document.body.classList.remove("none-open");
  route.value = null;
  view.goTo = to;
  if (address === "push") history.pushState(null, "", hashOf(id));
  if (address === "replace") history.replaceState(null, "", hashOf(id));
  kept.set("last", id);
  place(view.early ?? draftOf(id));
  view.early = null;
  const ours = (then) => (value) => { if (conversation.peek() === id) then(value); };
  view.leave = follow(id, 0, { event: ours(hear), state: ours(take), writing: ours(write), line: ours(line), gone: ours(gone) });
  isListOpen.value = false;
  list();
}

/** The address of a conversation, or of one thing in it. */
export const hashOf = (id, sequence) => `#${encodeURIComponent(id)}${sequence ? `/${sequence}` : ""}`;

function line(isUp) {
  const was = isOffline.peek();
  isOffline.value = !isUp;
  if (!isUp) write({});
  document.body.classList.toggle("offline", !isUp);
  if (was && isUp) { announce("Connected again."); list(); }
}

function gone(error) {
  if (error.status === 401) { comeIn(); return; }
  notice("This conversation is not there any more. It may have been deleted elsewhere.");
  leave();
  list();
}

/** Leaves the conversation at hand for an empty one, which is kept once something is said in it. */
export function leave({ address = "replace" } = {}) {
  keepDraft();
  reset(null);
  view.early = null;
  route.value = null;
  kept.set("last", null);
  document.body.classList.add("none-open");
  isListOpen.value = false;
  if (address === "push") history.pushState(null, "", location.pathname);
  if (address === "replace") history.replaceState(null, "", location.pathname);
  place(draftOf(null));
  if (!document.activeElement?.closest("nav")) toBox();
}

/** The screen on which a conversation is begun. */
export function fresh() {
  if (!conversation.peek() && !route.peek()) { isListOpen.value = false; toBox({ must: true }); return; }
  leave({ address: "push" });
  toBox({ must: true });
}

/** Begins a conversation with the assistant that was chosen, over data of its own if some was brought. */
export async function begin(data) {
  const begun = await guarded(() => api.begin(chosen.peek() ?? assistants.peek()[0]?.name ?? null, data));
  if (!begun) return false;
  const words = at("words").value;
  kept.set("draft:new", null);
  at("words").value = "";
  open(begun.id);
  place(words);
  take(begun);
  return true;
}

export async function rename(id, title) {
  const reply = await guarded(() => api.rename(id, title));
  if (reply) list();
  return reply;
}

/** A copy of the conversation, up to event `upto` or whole. */
export async function fork(upto) {
  const copy = await guarded(() => api.fork(conversation.peek(), upto));
  if (!copy) return;
  open(copy.id);
  announce("This is a copy; the original stays as it is.");
}

export async function exported() {
  const id = conversation.peek();
  const whole = await guarded(() => api.exported(id));
  if (whole) download(`${id}.json`, "application/json", exact(whole));
}

export function remove(id = conversation.peek()) {
  const one = listed.peek().find((other) => other.id === id);
  const yes = async () => {
    dialog.value = null;
    try {
      await api.remove(id);
    } catch (error) {
      notice(`${error.message} ${error.hint ?? ""}`);
      return;
    }
    kept.set(`draft:${id}`, null);
    listed.value = listed.peek().filter((other) => other.id !== id);
    announce("Deleted.");
    if (conversation.peek() === id) leave();
    list();
  };
  dialog.value = { kind: "confirm", title: "Delete this conversation?", text: `“${one?.title ?? "New conversation"}” and everything in it will be gone for good.`, yes };
}

/** Takes part no longer in a conversation with others: what was said in it stays with them. */
export function quit(id = conversation.peek()) {
  const { person } = server.peek();
  const others = state.peek().members.filter((one) => one !== person);
  const yes = async () => {
    dialog.value = null;
    if ((await guarded(() => api.quit(id, person).then(() => true))) !== true) return;
    kept.set(`draft:${id}`, null);
    listed.value = listed.peek().filter((other) => other.id !== id);
    announce("You left.");
    if (conversation.peek() === id) leave();
    list();
  };
  dialog.value = { kind: "confirm", title: "Leave this conversation?", does: "Leave", keeps: "Stay", yes,
    text: `It is not in your list any more. What was said in it stays with ${listOf(others)}, who may let you in again.` };
}

const listOf = (people) => (people.length > 3 ? `${people.length} others` : people.join(people.length > 2 ? ", " : " and "));

/** Ends the session here and on the server; whoever comes next sees nothing of what was open. */
export async function signOut() {
  if (!(await guarded(() => api.signOut().then(() => true)))) return;
  // What is in the box would be kept as a draft when the page is left.
  conversation.value = null;
  place("");
  kept.clear();
  location.replace("/");
}

// ── steering ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Stops what runs, is planned or waits. */
export const stop = () => conversation.peek() && guarded(() => api.stop(conversation.peek()));

/** Pauses at the next step boundary, or goes on. */
export function changePace() {
  const now = state.peek();
  if (now?.phase !== "executing") { announce("Nothing runs."); return; }
  guarded(() => (now.run?.paused ? api.resume(now.id) : api.pause(now.id)));
}

/** Says which plans wait for a yes from now on. */
export const askAbout = (about, seen) => guarded(() => api.planApproval(conversation.peek(), about, seen));

/** Opens the panel: `show(…)` says what of it. */
export function show(kind, about) {
  if (!conversation.peek()) return;
  if (!panel.peek()) view.cameFrom = document.activeElement;
  panel.value = { kind, about };
}

/** Closes it; the focus goes back to where it came from. */
export function closePanel() {
  if (!panel.peek()) return;
  panel.value = null;
  focusBack(view.cameFrom, at("panel"));
  view.cameFrom = null;
}

// ── the message box: what is typed is kept until the server has it ──────────────────────────────────────────────────

/** Puts `text` into the box. */
export function place(text) {
  const box = at("words");
  if (!box) return;
  box.value = text;
  box.dispatchEvent(new Event("input", { bubbles: true }));
}

export const draftOf = (id) => kept.get(`draft:${id ?? "new"}`) ?? "";

/** Keeps what is in the box for the conversation at hand. */
export function keepDraft() {
  const box = at("words");
  if (!box) return;
  const id = conversation.peek();
  kept.set(`draft:${id ?? "new"}`, [undelivered.get(id), box.value].filter(Boolean).join("\n"));
}

/** What is on its way, by conversation. */
export const undelivered = new Map();

/** Whether this server keeps people apart. */
export const isShared = () => Boolean(server.value?.can_sign_out);

/** As JSON; whole numbers too long for a script stay exact. */
const exact = (value) => JSON.stringify(value, (_, one) => (typeof one === "bigint" ? JSON.rawJSON?.(String(one)) ?? String(one) : one), 2);
