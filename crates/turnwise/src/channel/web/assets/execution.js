// What is going on: the status line, the run with its controls, and what waits behind it. They are always in view.

import { api } from "./api.js";
import { announce, at, button, clip, el, fill, isStill } from "./dom.js";
import { guarded, onState, view } from "./session.js";

const SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
let frame = 0;

// ── the status line ─────────────────────────────────────────────────────────────────────────────────────────────────

/** The line of the server, with its parts in their colours. */
function status(state, before) {
  const [, badge, phase, rest] = /^(\[[A-Z]+\]) (\S+)(.*)$/s.exec(state.status_line) ?? [null, "", state.status_line, ""];
  const spins = new RegExp(`[${SPINNER}]`).exec(rest);
  const [left, right] = spins ? [rest.slice(0, spins.index), rest.slice(spins.index + 1)] : [rest, ""];
  const bracket = /^(.*?)(\s+\[[^\]]*\](?: \[[^\]]*\])?)$/s.exec(spins ? right : left);
  const subject = bracket ? bracket[1] : spins ? right : left;
  fill(at("status-line"),
    el("span", { class: `badge ${state.mode}` }, badge), " ", el("span", { class: `phase ${state.phase}` }, phase),
    spins ? [left, el("span", { class: "spinner" }, SPINNER[frame])] : null,
    el("span", { class: "subject" }, subject), bracket ? el("span", { class: "brackets" }, bracket[2]) : null);
  at("status-line").title = state.status_line;
  const spoken = state.status_line.replace(new RegExp(` [${SPINNER}]`), "");
  if (at("status-said").textContent !== spoken) at("status-said").textContent = spoken;
  if (before && before.phase !== state.phase) announce(state.phase.replace("_", " "));
  document.title = `${spoken.slice(0, 60)} — Turnwise`;
  at("mode").value = state.mode;
}

/** Turns the spinner, where movement is wanted. */
function spin() {
  const spinner = document.querySelector("#status-line .spinner");
  if (!spinner || isStill()) return;
  frame = (frame + 1) % SPINNER.length;
  spinner.textContent = SPINNER[frame];
}

// ── the run ─────────────────────────────────────────────────────────────────────────────────────────────────────────

const bar = { node: null };

/** The run with its controls. They are made once and only told what changed: a button must not go from under a finger. */
function progress(state) {
  const section = at("execution");
  const runs = state.phase === "executing" && state.run;
  const hadFocus = section.contains(document.activeElement);
  section.hidden = !runs;
  if (!runs) { if (hadFocus) at("words").focus(); return; }
  bar.node ??= made(section);
  const { steps, paused } = state.run;
  const done = steps.filter((step) => ["done", "reused"].includes(step.state)).length;
  const current = steps.filter((step) => ["running", "backoff", "unknown"].includes(step.state));
  bar.node.done.max = steps.length;
  bar.node.done.value = done;
  const at_work = current.length ? current.map((step) => `step ${step.number} of ${steps.length}: ${step.description}`).join(" · ") : paused ? "paused" : "";
  bar.node.told.textContent = `${done} of ${steps.length}${at_work ? ` · ${at_work}` : ""}`;
  bar.node.pace.textContent = paused ? "Resume" : "Pause";
  bar.node.pace.classList.toggle("primary", paused);
}

function made(section) {
  const done = el("progress", { "aria-label": "Steps done" });
  const told = el("span", { class: "told" });
  const pace = button("Pause", () => guarded(() => (view.state.run?.paused ? api.resume(view.id) : api.pause(view.id))));
  const stop = button("Stop", stopRun, { class: "danger" });
  fill(section, el("div", { class: "row" }, done, told, el("span", { class: "row keep" }, pace, stop)));
  return { done, told, pace };
}

/** Stops what runs, is planned or waits. */
export const stopRun = () => guarded(() => api.stop(view.id));

/** Pauses at the next step boundary, or goes on. */
export function changePace() {
  if (view.state?.phase !== "executing") { announce("Nothing runs."); return; }
  guarded(() => (view.state.run?.paused ? api.resume(view.id) : api.pause(view.id)));
}

// ── the queue ───────────────────────────────────────────────────────────────────────────────────────────────────────

let shown = "";

function queue(state) {
  const { requests, task, commands } = state.queue;
  const section = at("queue");
  const key = JSON.stringify(state.queue);
  if (key === shown) return;
  shown = key;
  const hadFocus = section.contains(document.activeElement);
  section.hidden = !task && !commands && !requests.length;
  if (hadFocus) at("words").focus();
  const waits = [task ? `“${clip(task, 200)}”` : null, commands ? `${commands} ${commands === 1 ? "command" : "commands"}` : null].filter(Boolean);
  const said = (words) => guarded(() => api.say(view.id, words));
  const request = ({ name, task: words }, number) => el("div", { class: "row" },
    el("span", { class: "told" }, el("span", { class: "dim" }, number ? "Then: " : "Next, when this is done: "), `“${clip(words, 200)}”`),
    el("span", { class: "row keep" }, button("Edit", () => editQueue(words, (now) => said(`/queue edit ${name} ${now}`))),
      button("Drop", () => said(`/queue drop ${name}`), { class: "danger" })));
  fill(section, ...requests.map(request), waits.length ? el("div", { class: "row" },
    el("span", { class: "told" }, el("span", { class: "dim" }, requests.length ? "After that: " : "Next, when the run is over: "), waits.join(" and ")),
    el("span", { class: "row keep" }, task ? button("Edit", () => editQueue(task, (now) => guarded(() => api.editQueue(view.id, now)))) : null,
      button(requests.length ? "Drop all" : "Drop", () => guarded(() => api.dropQueue(view.id)), { class: "danger" }))) : null);
}

function editQueue(task, keep) {
  const field = el("input", { type: "text", "aria-label": "What to do when the run is over" });
  field.value = task;
  const leave = () => { shown = ""; queue(view.state); at("words").focus(); };
  const send = async (event) => {
    event.preventDefault();
    if (field.value.trim() && await keep(field.value.trim())) leave();
  };
  field.addEventListener("keydown", (event) => { if (event.key === "Escape") { event.stopPropagation(); leave(); } });
  fill(at("queue"), el("form", { class: "row", onsubmit: send }, field, el("button", { class: "primary" }, "Keep"), button("Leave it", leave)));
  field.select();
}

/** Forgets what is shown. */
export function clearExecution() {
  shown = "";
  at("execution").hidden = true;
  at("queue").hidden = true;
  fill(at("queue"));
  fill(at("status-line"), "no conversation");
  at("status-said").textContent = "";
}

onState((state, before) => { status(state, before); progress(state); queue(state); });
setInterval(spin, 90);
