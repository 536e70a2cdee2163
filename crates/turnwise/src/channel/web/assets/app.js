// The page: a list of conversations, the one at hand with its transcript and controls, and what is known in it. What is
// shown follows from the state and the events of the server alone, so two pages and a terminal stay in step.

import { Refused, api, follow } from "./api.js";
import { card, factLine, factWhole, reading } from "./cards.js";
import { announce, download, el, fill } from "./dom.js";
import { dag } from "./graph.js";

const at = (id) => document.getElementById(id);
const view = { id: null, state: null, said: [], leave: null, last: 0, assistant: null };

const act = {
  decide: (reference, verdict) => guarded(() => api.decide(view.id, reference, verdict)),
  say: (text, reference) => guarded(() => api.say(view.id, text, seen(reference))),
  open: (name) => showKnown(name),
};

/** Runs something that talks to the server, and tells what went wrong. */
async function guarded(work) {
  try {
    const reply = await work();
    if (reply?.state?.id === view.id) take(reply.state);
    return reply;
  } catch (error) {
    const hint = error instanceof Refused ? error.hint : "The server cannot be reached; what you wrote is kept here.";
    notice(`${error.message} ${hint || ""}`);
    if (error instanceof Refused && error.status === 401) at("sign-in").showModal();
    if (view.id) api.state(view.id).then(take).catch(() => {});
    return null;
  }
}

function notice(text) {
  const note = el("p", { class: "notice" }, text, " ", el("button", { type: "button", onclick: () => note.remove() }, "Dismiss"));
  at("notices").append(note);
  announce(text);
}

// ── the list ────────────────────────────────────────────────────────────────────────────────────────────────────────

async function list() {
  const known = await guarded(() => api.conversations());
  if (!known) return;
  fill(at("list"), known.map((one) => el("li", {},
    el("button", { type: "button", "aria-current": one.id === view.id ? "true" : null, onclick: () => open(one.id) },
      el("span", {}, one.title || "New conversation"), el("span", { class: "dim" }, `${one.phase.replace("_", " ")} · ${when(one.active_at)}`)))));
}

async function begin() {
  const begun = await guarded(() => api.begin(at("assistant").value || null));
  if (begun) { await open(begun.id); at("words").focus(); }
}

async function open(id) {
  view.leave?.();
  Object.assign(view, { id, state: null, said: [], last: 0 });
  fill(at("transcript"));
  fill(at("panel-body"));
  at("greeting").hidden = false;
  history.replaceState(null, "", `#${encodeURIComponent(id)}`);
  view.leave = follow(id, { event: (event) => view.id === id && hear(event), state: (state) => view.id === id && take(state), line });
  document.body.classList.remove("list-open");
  list();
}

function line(isUp) {
  document.body.classList.toggle("offline", !isUp);
  at("line").textContent = isUp ? "" : "Connection lost; trying again. What happened meanwhile will be shown.";
}

// ── what happens ────────────────────────────────────────────────────────────────────────────────────────────────────

function hear(event) {
  if (event.sequence <= view.last) return;
  view.last = event.sequence;
  const node = drawn(event);
  if (!node) return;
  at("greeting").hidden = true;
  node.dataset.sequence = event.sequence;
  const box = at("transcript");
  const follows = box.scrollHeight - box.scrollTop - box.clientHeight < 120;
  box.append(node);
  if (follows) box.scrollTop = box.scrollHeight;
}

function drawn(event) {
  switch (event.event) {
    case "message": return el("article", { class: "message person" }, el("header", {}, `${event.person} · ${when(event.at)}`,
      el("button", { type: "button", class: "why", "aria-label": `Why message ${event.message} was read so`, onclick: () => why(event.message) }, "why?")), el("p", {}, event.text));
    case "said": return said(event);
    case "closed": return el("p", { class: "aside" }, `Question ${event.pending}: ${event.how}${event.by ? ` by ${event.by}${event.surface ? ` (${event.surface})` : ""}` : ""}.`);
    case "approved": return el("p", { class: "aside" }, `${event.person} approved; ${event.run} runs.`);
    case "step": return event.state === "running" ? null : el("p", { class: "aside" }, `${MARKS[event.state] || "○"} step ${event.step}${event.error ? `: ${event.error}` : ""}`);
    case "run_ended": return event.status === "completed" ? null : el("p", { class: "aside" }, `${event.run} ${event.status}.`);
    case "member_joined": return el("p", { class: "aside" }, `${event.person} takes part.`);
    case "mode": return el("p", { class: "aside" }, `Mode: ${event.mode}.`);
    case "chart": return el("p", { class: "aside" }, el("a", { href: chartOf(event), download: event.file }, `Save the chart as ${event.file}`));
    case "knowledge": return el("p", { class: "aside" }, `${event.names.join(", ")}: ${event.change}.`);
    case "reset": return el("p", { class: "aside" }, "Forgotten: plan, facts, questions and queue.");
    case "read": detected(event.readings); return null;
    default: return null;
  }
}

function said(event) {
  const node = el("article", { class: "message assistant" }, el("p", { class: "text" }, event.text));
  if (event.card) {
    const entry = { node, shown: event.card, drawn: null };
    view.said.push(entry);
    redraw(entry);
  }
  announce(event.text);
  return node;
}

/** Draws a card anew when whether it can be operated has changed; otherwise what is being typed in it stays. */
function redraw(entry) {
  const open = isOpen(entry.shown.question);
  if (entry.drawn && entry.open === open) return;
  entry.open = open;
  const fresh = card(entry.shown, act, isOpen);
  if (entry.drawn) entry.drawn.replaceWith(fresh); else entry.node.append(fresh);
  entry.drawn = fresh;
}

/** Where the drawing of a fact is, in the form its file is to have. */
function chartOf({ fact, file }) {
  const format = file.toLowerCase().endsWith(".png") ? "png" : "svg";
  return `/v1/conversations/${encodeURIComponent(view.id)}/facts/${encodeURIComponent(fact)}/chart?format=${format}`;
}

/** The reference to decide on `question` by, while it is open as it was shown. */
function isOpen(question) {
  const same = (pending) => question && pending.id === question.id && pending.version === question.version;
  return view.state?.pending.find(same)?.reference ?? null;
}

function take(state) {
  if (view.state && state.sequence < view.state.sequence) return;
  const before = view.state;
  view.state = state;
  at("status").textContent = state.status_line;
  document.title = `${state.status_line.slice(0, 60)} — Turnwise`;
  at("mode").value = state.mode;
  at("members").textContent = state.members.join(", ");
  view.said.forEach(redraw);
  progress(state);
  queue(state);
  if (before && before.phase !== state.phase) list();
}

// ── execution ───────────────────────────────────────────────────────────────────────────────────────────────────────

function progress(state) {
  const runs = state.phase === "executing" && state.run;
  at("execution").hidden = !runs;
  if (!runs) { fill(at("execution")); return; }
  const done = state.run.steps.filter((step) => ["done", "reused"].includes(step.state)).length;
  const current = state.run.steps.find((step) => ["running", "backoff", "unknown"].includes(step.state));
  const after = new Map((state.plan?.steps || []).map((step) => [step.number, step.after]));
  const paused = state.run.paused;
  fill(at("execution"),
    el("div", { class: "row" },
      el("progress", { max: state.run.steps.length, value: done, "aria-label": "Steps done" }),
      el("span", {}, `${done} of ${state.run.steps.length}${current ? ` · step ${current.number}: ${current.description}` : paused ? " · paused" : ""}`),
      paused
        ? el("button", { type: "button", class: "primary", onclick: () => guarded(() => api.resume(view.id)) }, "Resume")
        : el("button", { type: "button", onclick: () => guarded(() => api.pause(view.id)) }, "Pause"),
      el("button", { type: "button", class: "danger", onclick: () => guarded(() => api.stop(view.id)) }, "Stop")),
    dag(state.run.steps.map((step) => ({ ...step, after: after.get(step.number) || [] }))),
    el("ol", { class: "steps" }, state.run.steps.map((step) => el("li", { value: step.number },
      `${MARKS[step.state] || "○"} ${step.description}${step.error ? ` — ${step.error}` : ""}`))));
}

function queue(state) {
  const waits = [state.queue.task ? `“${state.queue.task}”` : null, state.queue.commands ? `${state.queue.commands} commands` : null].filter(Boolean);
  at("queue").hidden = waits.length === 0;
  fill(at("queue"), `Queued: ${waits.join(" and ")} `,
    el("button", { type: "button", onclick: () => guarded(() => api.dropQueue(view.id)) }, "Drop"));
}

// ── what is known, and why ──────────────────────────────────────────────────────────────────────────────────────────

async function showKnown(name) {
  const facts = await guarded(() => api.facts(view.id));
  if (!facts) return;
  panel("Facts and sources");
  const chosen = facts.find((fact) => fact.name === name);
  fill(at("panel-body"),
    facts.length ? el("div", { class: "facts" }, facts.map((fact) => factLine(fact, act))) : el("p", {}, "Nothing is known yet."),
    facts.length > 1 ? derivation(facts) : null,
    chosen ? factWhole(chosen) : null);
}

/** How the facts follow from each other. */
function derivation(facts) {
  const numbers = new Map(facts.map((fact, index) => [fact.name, index + 1]));
  const order = [];
  const visit = (fact, depth = 0) => {
    if (order.includes(fact) || depth > facts.length) return;
    fact.derived_from.map((name) => facts.find((other) => other.name === name)).filter(Boolean).forEach((input) => visit(input, depth + 1));
    if (!order.includes(fact)) order.push(fact);
  };
  facts.forEach((fact) => visit(fact));
  return dag(order.map((fact) => ({ number: numbers.get(fact.name), description: fact.name,
    after: fact.derived_from.map((name) => numbers.get(name)).filter(Boolean) })));
}

async function why(message) {
  const read = await guarded(() => api.why(view.id, message));
  if (!read) return;
  panel("Why it was read so");
  fill(at("panel-body"), el("p", {}, read.outcome.replace("_", " ")), read.readings.map(reading));
}

function detected(readings) {
  const first = readings[0];
  at("detected").textContent = first ? `${first.sub ? `${first.intent} (${first.sub})` : first.intent} · ${(first.confidence * 100).toFixed(0)} %` : "";
}

function panel(title) {
  at("panel-title").textContent = title;
  document.body.classList.add("panel-open");
  at("panel").hidden = false;
  at("panel-title").focus();
}

// ── the person's side ───────────────────────────────────────────────────────────────────────────────────────────────

async function send() {
  const words = at("words");
  const text = words.value.trim();
  if (!text) return;
  if (!view.id) await begin();
  if (!view.id) return;
  words.value = "";
  // What could not be delivered comes back into the box.
  if (!(await guarded(() => api.say(view.id, text, seen(view.state?.pending.at(-1)?.reference))))) words.value = words.value ? `${text}\n${words.value}` : text;
}

/** What stood before the person: words are about that, whatever waits by the time they arrive. */
function seen(reference) {
  const plan = view.state?.plan;
  const inView = plan && !["idle", "planning"].includes(view.state.phase);
  return { ...(reference ? { reference } : {}), ...(inView ? { plan: plan.id, plan_version: plan.version } : {}) };
}

function when(moment) {
  return new Date(moment).toLocaleString(undefined, { dateStyle: "short", timeStyle: "short" });
}

function keys(event) {
  if (event.target === at("words") && event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); send(); }
  else if (event.key === "Escape" && !at("panel").hidden) closePanel();
  else if (event.key === "/" && !event.target.closest("input, textarea, select")) { event.preventDefault(); at("words").focus(); }
}

function closePanel() {
  at("panel").hidden = true;
  document.body.classList.remove("panel-open");
  at("words").focus();
}

async function start() {
  document.addEventListener("keydown", keys);
  at("send").addEventListener("click", send);
  at("new").addEventListener("click", begin);
  at("toggle-list").addEventListener("click", () => document.body.classList.toggle("list-open"));
  at("show-facts").addEventListener("click", () => view.id && showKnown());
  at("show-why").addEventListener("click", () => view.id && why());
  at("close-panel").addEventListener("click", closePanel);
  at("mode").addEventListener("change", () => view.id && guarded(() => api.mode(view.id, at("mode").value)));
  at("fork").addEventListener("click", async () => {
    const copy = view.id && await guarded(() => api.fork(view.id));
    if (copy) open(copy.id);
  });
  at("export").addEventListener("click", async () => {
    const whole = view.id && await guarded(() => api.exported(view.id));
    if (whole) download(`${view.id}.json`, "application/json", JSON.stringify(whole, null, 2));
  });
  at("delete").addEventListener("click", async () => {
    if (!view.id || !confirm("Delete this conversation for good?")) return;
    if ((await guarded(() => api.remove(view.id).then(() => ({})))) === null) return;
    view.leave?.();
    Object.assign(view, { id: null, state: null, said: [] });
    fill(at("transcript"));
    at("greeting").hidden = false;
    history.replaceState(null, "", "#");
    list();
  });
  at("sign-in-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    if (await guarded(() => api.signIn(at("token").value).then(() => ({})))) { at("sign-in").close(); start_again(); }
  });
  await start_again();
}

async function start_again() {
  const assistants = await guarded(() => api.assistants());
  if (!assistants) return;
  fill(at("assistant"), assistants.map((one) => el("option", { value: one.name }, one.name)));
  fill(at("greeting"), assistants[0]?.greeting.map((text) => el("p", {}, text)) || [],
    el("p", {}, (assistants[0]?.examples || []).slice(0, 4).map((text) =>
      el("button", { type: "button", class: "example", onclick: () => { at("words").value = text; at("words").focus(); } }, text))));
  await list();
  const wanted = decodeURIComponent(location.hash.slice(1));
  if (wanted) open(wanted);
}

const MARKS = { done: "✓", reused: "✓", running: "▸", backoff: "▸", unknown: "?", failed: "✗" };

start();
