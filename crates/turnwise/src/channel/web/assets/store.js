// What the page shows, as signals, and how it talks to the server about it: one place that tells what went wrong. It
// follows from the events and states of the server alone, so that pages and terminals stay in step. Next: acts.js.

import { Refused, api } from "./api.js";
import { kept, sentence } from "./format.js";
import { fold, nameOf, newTurns, settle } from "./turns.js";
import { at, batch, signal, untracked } from "./ui.js";

/** The conversation at hand, and where it stands. */
export const conversation = signal(null);
export const state = signal(null);
/** Counts up when turns come; each turn has a `rev` of its own. */
export const transcript = signal(0);
/** Words on their way to the server. */
export const sending = signal([]);
/** Whether the line to the server is down. */
export const isOffline = signal(false);
/** What a language model is writing or a program prints, as it comes. It goes when it is whole. */
export const writing = signal(null);
export const notices = signal([]);
/** Who is asked to sign in, and why. */
export const signingIn = signal(null);

export const assistants = signal([]);
/** What `GET /v1/server` says: who this is, and what is served. */
export const server = signal(null);
export const listed = signal([]);
/** The panel beside the conversation: what it shows, by name, and about what. */
export const panel = signal(null);
export const dialog = signal(null);
export const isListOpen = signal(false);
/** What the message box is about: words that are being edited. */
export const editing = signal(null);
/** Which assistant a new conversation would be with. */
export const chosen = signal(null);
/** A page of its own in place of the conversation, by the name of its route. */
export const route = signal(null);

/** What no drawing follows. */
export const view = { turns: newTurns(), leave: null, shownAt: 0, before: null, openedAt: Infinity, firstSaid: new Set(), early: null };

/** Calls `taker` with each new event that is news. */
export const onNews = (taker) => takers.push(taker);
const takers = [];

// ── what comes from the server ──────────────────────────────────────────────────────────────────────────────────────

/** Forgets what is shown, for the conversation `id`. */
export function reset(id) {
  view.leave?.();
  Object.assign(view, { turns: newTurns(), leave: null, before: null, openedAt: Infinity, firstSaid: new Set() });
  batch(() => {
    conversation.value = id;
    state.value = null;
    transcript.value += 1;
    sending.value = [];
    isOffline.value = false;
    writing.value = null;
    panel.value = null;
    editing.value = null;
  });
}

/** Takes a state, unless a newer one is here already. */
export function take(fresh) {
  const now = state.peek();
  if (!fresh || fresh.id !== conversation.peek() || (now && fresh.sequence < now.sequence)) return;
  const question = (of) => of?.pending.at(-1)?.reference ?? null;
  if (question(now) !== question(fresh)) {
    view.before = { state: now };
    view.shownAt = performance.now();
  }
  // What happened up to the first state is history: it is shown, and not told anew. What follows own words never is.
  view.openedAt = Math.min(view.openedAt, fresh.sequence);
  batch(() => {
    state.value = fresh;
    touch(settle(view.turns, fresh));
  });
}

/** Takes in what a model is writing, or a program prints: the whole so far, what it adds, or that it is over. */
export function write(sent) {
  const before = writing.peek()?.text ?? "";
  const text = sent.add === undefined ? sent.text ?? "" : before + sent.add;
  const who = sent.model ? `${sent.model.split(/[#/]/).pop()} writes` : sent.program && `${sent.program} prints`;
  writing.value = who ? { who, text } : null;
}

/** Takes an event in. */
export function hear(event) {
  if (event.event === "message") {
    const list = sending.peek();
    const mine = list.find((one) => one.text === event.text);
    if (mine) sending.value = list.filter((one) => one !== mine);
    if (view.firstSaid.has(event.text)) view.openedAt = Math.min(view.openedAt, event.sequence - 1);
  }
  fold(view.turns, event).forEach((block) => changed.add(block));
  if (event.sequence > view.openedAt) takers.forEach((taker) => taker(event));
  soon();
}

/** A long history is drawn a few times, not once for each of its events. */
function soon() {
  if (isDue) return;
  isDue = true;
  setTimeout(() => {
    isDue = false;
    const blocks = [...changed];
    changed.clear();
    batch(() => {
      touch(blocks);
      if (state.peek()) touch(settle(view.turns, state.peek()));
    });
  }, view.turns.last > view.openedAt ? 0 : HISTORY_MILLISECONDS);
}

let isDue = false;
const changed = new Set();
const HISTORY_MILLISECONDS = 30;

function touch(blocks) {
  if (!blocks.length) return;
  for (const block of blocks) {
    block.rev ??= signal(0);
    block.rev.value = untracked(() => block.rev.value) + 1;
  }
  if (view.turns.blocks.length !== transcript.count || transcript.of !== view.turns) {
    transcript.count = view.turns.blocks.length;
    transcript.of = view.turns;
    transcript.value = transcript.peek() + 1;
  }
}

/** Whether an event is news, not the history of a conversation that was just opened. */
export const isNews = (sequence) => sequence > view.openedAt;

// ── what a person does ──────────────────────────────────────────────────────────────────────────────────────────────

/** Runs something that talks to the server, and tells what went wrong; nothing when it did. */
export async function guarded(work) {
  try {
    const reply = await work();
    take(reply?.state);
    // What was refused before is settled by something that was not.
    if (reply?.receipt) notices.value = [];
    return reply;
  } catch (error) {
    if (error instanceof Refused && error.status === 401) { comeIn(); return null; }
    const hint = error instanceof Refused ? error.hint : "The server cannot be reached; what you wrote is kept here.";
    notice(`${sentence(error instanceof Refused ? error.message : "That was not sent.")} ${sentence(hint)}`);
    const id = conversation.peek();
    if (id) api.state(id).then(take).catch(() => {});
    return null;
  }
}

/** Asks who is there, once. */
export function comeIn() {
  signingIn.value ??= state.peek() ? "Your session has ended. Sign in again." : "";
}

export function notice(text) {
  const said = text.trim();
  notices.value = [...notices.value.filter((other) => other !== said), said].slice(-NOTICES_MAX);
}

export function dismiss(text) {
  notices.value = notices.value.filter((other) => other !== text);
  at("words")?.focus();
}

/** The open question like `question`, in this very version; nothing once it is decided or has changed. */
export const pendingOf = (question, of = state.value) =>
  (question && of?.pending.find((open) => open.id === question.id && open.version === question.version)) || null;

/** Decides on `question`. Its reference is looked up now, not when the card was drawn. */
export async function decide(question, verdict) {
  const open = pendingOf(question, state.peek());
  if (!open) { notice("This question is not open any more."); return null; }
  return guarded(() => api.decide(conversation.peek(), open.reference, verdict));
}

/** Says `text`; with `question`, as words about that. */
export const say = (text, question) =>
  guarded(() => api.say(conversation.peek(), text, seen(question ? pendingOf(question, state.peek()) : null)));

/** What stood before the person: words are about that, whatever waits by the time they arrive. A question that has only
    just come up was not read yet by whoever was typing. */
export function seen(question) {
  const now = state.peek();
  const isFresh = performance.now() - view.shownAt < READ_MILLISECONDS;
  const stood = isFresh && !question ? view.before?.state ?? now : now;
  const pending = question ?? stood?.pending.at(-1);
  const plan = stood?.plan;
  const inView = plan && !["idle", "planning"].includes(stood.phase);
  return { ...(pending ? { reference: pending.reference } : {}), ...(inView ? { plan: plan.id, plan_version: plan.version } : {}) };
}

/** Shows words before the server has them: on a slow line a person must see that Enter did something. */
export function send(text) {
  const one = { text };
  // Its answer may be there before the first state is.
  if (!state.peek()) view.firstSaid.add(text);
  sending.value = [...sending.value, one];
  return () => { sending.value = sending.value.filter((other) => other !== one); };
}

// ── who is who ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** What the conversation at hand is called: as a person said, else as it began, which the list knows a moment later. */
export const titleHere = () => {
  transcript.value;
  return state.value?.title ?? view.turns.messages.values().find((one) => one.isRead)?.text ?? null;
};

/** A person as this one reads it. */
export const personOf = (person) => (person === server.value?.person ? "you" : person);

/** The assistant of the conversation at hand, or the one a new one would be with. */
export const assistantNow = () => {
  const name = state.value?.assistant ?? chosen.value;
  return assistants.value.find((one) => one.name === name) ?? assistants.value[0] ?? null;
};

/** The last result of the conversation, where nothing else is at hand: it can be said whether it will do. */
export function isLastResult(item) {
  const now = state.value;
  if (!now || now.phase !== "idle" || now.pending.length) return false;
  const last = view.turns.blocks.at(-1)?.items.findLast((one) => one.kind === "message" || one.card?.card === "result");
  return last === item;
}

export { nameOf };

/** How the page looks: by the system's choice, or a person's. */
export const theme = signal(kept.get("theme") ?? "system");

const NOTICES_MAX = 3;
const READ_MILLISECONDS = 400;
