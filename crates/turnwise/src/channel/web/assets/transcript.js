// The transcript: what was said and done, as it comes. Cards are drawn again only when what can be done with them has
// changed, so that what is being typed in one stays.

import { chartAt } from "./api.js";
import { card, hasHead, runCard } from "./cards.js";
import { announce, at, button, el, isStill, when } from "./dom.js";
import { showWhy } from "./panel.js";
import { onState, pendingOf, view } from "./session.js";

/** Forgets what is shown. */
export function clear() {
  Object.assign(view, { entries: [], runs: new Map(), closed: new Map() });
  [...at("transcript").children].forEach((child) => { if (child.id !== "greeting") child.remove(); });
  at("greeting").hidden = false;
  at("newer").hidden = true;
}

/** Takes an event in; one that was seen is passed by. */
export function hear(event) {
  if (event.sequence <= view.last) return;
  view.last = event.sequence;
  const node = drawn(event);
  if (node) append(node, event.sequence);
}

function append(node, sequence) {
  at("greeting").hidden = true;
  if (sequence) node.dataset.sequence = sequence;
  const box = at("transcript");
  if (sequence && !isNews(sequence)) { box.append(node); soonToEnd(); return; }
  const follows = isAtEnd(box);
  box.insertBefore(node, box.querySelector(".sending"));
  if (!follows) { at("newer").hidden = false; return; }
  toEnd();
  // What is higher than the view is read from its beginning.
  if (node.offsetHeight > box.clientHeight) { box.scrollTop = node.offsetTop - box.offsetTop - 12; at("newer").hidden = false; }
}

/** Whether an event is news, not the history of a conversation that was just opened. */
const isNews = (sequence) => sequence > view.openedAt;

/** A long history is laid out once, not once for each of its events. */
function soonToEnd() {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => { isDue = false; toEnd(); });
}

let isDue = false;

const isAtEnd = (box) => box.scrollHeight - box.scrollTop - box.clientHeight < 160;

/** Scrolls to what came last. */
export function toEnd() {
  const box = at("transcript");
  box.scrollTo({ top: box.scrollHeight, behavior: "instant" });
  at("newer").hidden = true;
}

function drawn(event) {
  const aside = (...parts) => el("p", { class: "aside" }, parts);
  switch (event.event) {
    case "message": return message(event);
    case "read": read(event); return null;
    case "said": return said(event);
    case "receipt": return receipt(event.receipt);
    case "closed": closed(event); return null;
    case "approved": return approved(event);
    case "step": step(event); return null;
    case "run_ended": ended(event); return null;
    case "member_joined": return aside(`${event.person} takes part.`);
    case "mode": return aside(`Mode: ${event.mode}.`);
    case "chart": return aside(el("a", { href: chartOf(event), download: event.file }, `Save the chart as ${event.file}`));
    case "reset": return aside("Forgotten: plan, facts, questions and queue.");
    default: return null;
  }
}

/** A question ended: its cards say how, whoever decided. */
function closed(event) {
  view.closed.set(event.pending, event);
  view.entries.filter((entry) => entry.shown.question?.id === event.pending).forEach((entry) => redraw(entry, true));
}

function message(event) {
  unsend(event.text);
  if (view.firstSaid.has(event.text)) view.openedAt = Math.min(view.openedAt, event.sequence - 1);
  view.spoken = false;
  const where = event.surface && event.surface !== "web" ? ` · ${event.surface}` : "";
  const words = view.entries.at(-1);
  if (words?.isLast) { words.isLast = false; redraw(words, true); }
  return el("article", { class: "message person", "data-message": event.message },
    el("header", {}, el("strong", {}, event.person), ` · ${when(event.at)}${where}`), el("p", { class: "text" }, event.text));
}

/** Words that were read can be asked about; a decision by a button was not read. */
function read(event) {
  const first = event.readings[0];
  const label = first ? `${first.sub ? `${first.intent}.${first.sub}` : first.intent} ${(first.confidence * 100).toFixed(0)} %` : "Why";
  at("detected").textContent = label;
  const spoken = at("transcript").querySelector(`[data-message="${Number(event.message)}"]`);
  const header = spoken?.querySelector("header");
  spoken?.classList.add("read");
  if (!header || header.querySelector(".why")) return;
  header.append(" · ", button(first ? label : "why?", () => showWhy(event.message), { class: "why", "aria-label": `Why message ${event.message} was read as ${label}` }));
}

/** What was merged, queued or refused in silence would leave the person guessing. */
function receipt(given) {
  const isSilent = ["merged", "queued", "refused"].includes(given.outcome) && !view.spoken;
  return isSilent ? el("p", { class: "aside" }, given.detail) : null;
}

function said(event) {
  view.spoken = true;
  const node = el("article", { class: "message assistant" }, hasHead(event.card) ? null : el("p", { class: "text" }, event.text));
  if (isNews(event.sequence)) announce(hasHead(event.card) && event.card.question ? `${event.text} Press Alt and O to go to the question.` : event.text);
  if (!event.card) return node;
  const isResult = event.card.card === "result";
  const entry = { node, text: event.text, shown: event.card, sequence: event.sequence, drawn: null, isLast: isResult, isRepeated: false };
  const { question } = event.card;
  const earlier = view.entries.filter((other) => other.isLast || (question && other.shown.question?.id === question.id && other.shown.question.version === question.version));
  view.entries.push(entry);
  earlier.forEach((other) => {
    if (isResult) other.isLast = false;
    if (question && other.shown.question) other.isRepeated = true;
    redraw(other, true);
  });
  redraw(entry);
  return node;
}

/** Draws a card anew when whether it can be operated has changed. Who was in it is not left nowhere. */
function redraw(entry, must = false) {
  const { question } = entry.shown;
  const pending = pendingOf(question);
  const now = `${pending ? pending.asks : "closed"} ${view.closed.has(question?.id)} ${entry.isRepeated} ${isAhead(entry)} ${entry.isLast && view.state?.phase === "idle"}`;
  if (entry.drawn && !must && entry.now === now) return;
  entry.now = now;
  const hadFocus = entry.drawn?.contains(document.activeElement);
  const wasLast = entry.isLast;
  entry.isLast = wasLast && view.state?.phase === "idle" && view.state.pending.length === 0;
  const fresh = card(entry);
  entry.isLast = wasLast;
  if (entry.drawn) entry.drawn.replaceWith(fresh); else entry.node.append(fresh);
  entry.drawn = fresh;
  if (hadFocus) at("words").focus();
}

/** Whether a card came before the state that says what can be done with it. */
export const isAhead = (entry) => entry.sequence > (view.state?.sequence ?? -1);

// ── runs, as they go ────────────────────────────────────────────────────────────────────────────────────────────────

function approved(event) {
  const run = { id: event.run, plan: event.plan, person: event.person, status: "active", states: new Map(), errors: new Map(), found: new Map(), node: el("article", { class: "message assistant" }), drawn: null };
  view.runs.set(event.run, run);
  drawRun(run);
  return run.node;
}

function step(event) {
  const run = view.runs.get(event.run);
  if (!run) return;
  run.states.set(event.step, event.state);
  if (event.error) run.errors.set(event.step, event.error); else run.errors.delete(event.step);
  if (event.found) run.found.set(event.step, event.found);
  drawRun(run);
}

function ended(event) {
  const run = view.runs.get(event.run);
  if (!run) return;
  run.status = event.status;
  drawRun(run);
}

/** Where the steps of the run at hand stand by the state: kept, skipped and cancelled ones have no event of their own. */
function settle(state) {
  const run = state.run && view.runs.get(state.run.id);
  if (!run || state.sequence < view.last) return;
  state.run.steps.forEach((one) => {
    run.states.set(one.number, one.state);
    if (one.error) run.errors.set(one.number, one.error);
  });
  run.status = state.run.status;
  drawRun(run);
}

/** Draws a run once a frame at most: a plan of many steps reports many times a moment. */
function drawRun(run) {
  if (run.drawn) {
    if (run.due) return;
    run.due = true;
    requestAnimationFrame(() => { run.due = false; swap(run); });
  } else {
    swap(run);
  }
}

function swap(run) {
  const picture = JSON.stringify([run.status, [...run.states], [...run.errors], [...run.found]]);
  if (run.picture === picture) return;
  run.picture = picture;
  const box = at("transcript");
  const follows = isAtEnd(box);
  const focused = run.drawn?.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  const [across, down] = [run.drawn?.querySelector(".graph")?.scrollLeft, run.drawn?.querySelector(".graph")?.scrollTop];
  const fresh = runCard(run);
  if (run.drawn) run.drawn.replaceWith(fresh); else run.node.append(fresh);
  run.drawn = fresh;
  const graph = fresh.querySelector(".graph");
  if (graph && across !== undefined) graph.scrollTo(across, down);
  if (focused) fresh.querySelector(`[data-key="${focused}"]`)?.focus();
  if (follows && run.node.isConnected) toEnd();
}

// ── what is on its way ──────────────────────────────────────────────────────────────────────────────────────────────

/** Shows words before the server has them: on a slow line a person must see that Enter did something. */
export function sending(text) {
  const node = el("article", { class: "message person sending", "data-text": text }, el("header", {}, "sending…"), el("p", { class: "text" }, text));
  at("greeting").hidden = true;
  // Its answer may be there before the first state is.
  if (!view.state) view.firstSaid.add(text);
  at("transcript").append(node);
  toEnd();
  return () => node.remove();
}

function unsend(text) {
  [...at("transcript").querySelectorAll(".sending")].find((node) => node.dataset.text === text)?.remove();
}

/** Where the drawing of a fact is, in the form its file is to have. */
function chartOf({ fact, file }) {
  return chartAt(view.id, fact, { format: file.toLowerCase().endsWith(".png") ? "png" : "svg", theme: "auto" });
}

/** Goes to the open question: to its first control. */
export function toQuestion() {
  const open = view.state?.pending.at(-1);
  const entry = view.entries.findLast((one) => open && one.shown.question?.id === open.id && one.shown.question.version === open.version);
  if (!entry) { announce("Nothing is being asked."); return; }
  entry.drawn.scrollIntoView({ block: "nearest", behavior: isStill() ? "instant" : "smooth" });
  (entry.drawn.querySelector("button.primary, .choices button, button, input") ?? at("words")).focus();
}

/** A question that waits is always there to be operated, also where it was only spoken of again, not shown. */
function present() {
  const open = view.state?.pending.at(-1);
  if (!open?.card || view.last < open.opened) return;
  const same = (entry) => entry.shown.question?.id === open.id && entry.shown.question.version === open.version;
  if (view.entries.some(same)) return;
  const entry = { node: el("article", { class: "message assistant" }), text: open.question, shown: open.card, sequence: view.state.sequence, drawn: null };
  view.entries.push(entry);
  redraw(entry);
  append(entry.node, null);
}

let due = null;

onState((state) => {
  view.entries.forEach((entry) => redraw(entry));
  settle(state);
  // The card usually comes with the very next event.
  clearTimeout(due);
  due = setTimeout(present, SETTLED_MILLISECONDS);
});

/** Keeps the end in view when the box becomes smaller: a keyboard comes up, a line is typed, a run begins. */
new ResizeObserver(() => { if (atEnd) toEnd(); }).observe(at("transcript"));
let atEnd = true;
at("transcript").addEventListener("scroll", () => { atEnd = isAtEnd(at("transcript")); });

const SETTLED_MILLISECONDS = 200;
