// The conversation at hand, and how the page talks to the server about it: one place that tells what went wrong.

import { Refused, api } from "./api.js";
import { at, button, el, fill } from "./dom.js";

/** What is shown. It follows from the events and states of the server alone, so that pages and terminals stay in step. */
export const view = { id: null, state: null, entries: [], runs: new Map(), closed: new Map(), leave: null, last: 0,
  shownAt: 0, openedAt: Infinity, firstSaid: new Set(), before: null, assistants: [], me: null };

const takers = [];

/** Calls `taker` whenever the state is a new one. */
export const onState = (taker) => takers.push(taker);

/** Takes a state, unless a newer one is here already. */
export function take(state) {
  if (!state || state.id !== view.id || (view.state && state.sequence < view.state.sequence)) return;
  const question = (of) => of?.pending.at(-1)?.reference ?? null;
  if (question(view.state) !== question(state)) {
    view.before = { state: view.state };
    view.shownAt = performance.now();
  }
  const before = view.state;
  // What happened up to the first state is history: it is shown, and not told anew. What follows own words never is.
  view.openedAt = Math.min(view.openedAt, state.sequence);
  view.state = state;
  takers.forEach((taker) => taker(state, before));
}

/** Runs something that talks to the server, and tells what went wrong; nothing when it did. */
export async function guarded(work) {
  try {
    const reply = await work();
    take(reply?.state);
    // What was refused before is settled by something that was not.
    if (reply?.receipt) fill(at("notices"));
    return reply;
  } catch (error) {
    if (error instanceof Refused && error.status === 401) { comeIn(); return null; }
    const hint = error instanceof Refused ? error.hint : "The server cannot be reached; what you wrote is kept here.";
    notice(`${sentence(error instanceof Refused ? error.message : "That was not sent.")} ${sentence(hint || "")}`);
    if (view.id) api.state(view.id).then(take).catch(() => {});
    return null;
  }
}

/** Asks who is there, once. */
export function comeIn() {
  const dialog = at("sign-in");
  if (view.state && !dialog.open) at("sign-in-problem").textContent = "Your session has ended. Sign in again.";
  if (!dialog.open) dialog.showModal();
}

/** As a sentence: what the server says can stand alone. */
export function sentence(text) {
  const trimmed = text.trim();
  if (!trimmed) return "";
  const first = trimmed[0].toUpperCase() + trimmed.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

export function notice(text) {
  const said = text.trim();
  for (const other of at("notices").children) if (other.dataset.said === said) other.remove();
  const note = el("p", { class: "notice", "data-said": said }, el("span", {}, said),
    button("Dismiss", () => { note.remove(); at("words").focus(); }, { class: "quiet" }));
  at("notices").append(note);
  while (at("notices").children.length > NOTICES_MAX) at("notices").firstChild.remove();
}

/** The open question like `question`, in this very version; nothing once it is decided or has changed. */
export function pendingOf(question) {
  const same = (pending) => question && pending.id === question.id && pending.version === question.version;
  return view.state?.pending.find(same) ?? null;
}

/** Decides on `question`. Its reference is looked up now, not when the card was drawn. */
export async function decide(question, verdict) {
  const open = pendingOf(question);
  if (!open) { notice("This question is not open any more."); return null; }
  return guarded(() => api.decide(view.id, open.reference, verdict));
}

/** Says `text`; with `question`, as words about that. */
export const say = (text, question) => guarded(() => api.say(view.id, text, seen(question ? pendingOf(question) : null)));

/** What stood before the person: words are about that, whatever waits by the time they arrive. A question that has only
    just come up was not read yet by whoever was typing. */
export function seen(question) {
  const isFresh = performance.now() - view.shownAt < READ_MILLISECONDS;
  const state = isFresh && !question ? view.before?.state ?? view.state : view.state;
  const pending = question ?? state?.pending.at(-1);
  const plan = state?.plan;
  const inView = plan && !["idle", "planning"].includes(state.phase);
  return { ...(pending ? { reference: pending.reference } : {}), ...(inView ? { plan: plan.id, plan_version: plan.version } : {}) };
}

const NOTICES_MAX = 3;
const READ_MILLISECONDS = 400;
