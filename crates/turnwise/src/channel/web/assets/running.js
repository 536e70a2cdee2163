// What is going on: the run with its controls, and what waits behind it. They are always in view. Next: composer.js.

import { api } from "./api.js";
import { askAbout, changePace, stop } from "./acts.js";
import { flowOf } from "./flow.js";
import { clip, counted } from "./format.js";
import { conversation, guarded, state, writing } from "./store.js";
import { Icon, html, toBox, useEffect, useRef, useState } from "./ui.js";

/** The run with its controls. */
export function Execution() {
  const now = state.value;
  const run = now?.phase === "executing" ? now.run : null;
  if (!run) return html`<section id="execution" hidden aria-label="Execution"></section>`;
  const done = run.steps.filter((step) => ["done", "reused"].includes(step.state)).length;
  const current = run.steps.filter((step) => ["running", "backoff", "unknown"].includes(step.state));
  const doing = current.map((step) => step.description).join(" · ") || (run.paused ? "Paused; it goes on when you say so" : "");
  return html`<section id="execution" aria-label="Execution"><div class="row">
    <progress aria-label="Steps done" max=${run.steps.length} value=${done}></progress>
    <span class="told"><b>${done} of ${run.steps.length}</b> ${doing}</span>
    <span class="row keep">${(run.paused || flowOf("pause_enabled") !== "off") && html`<button type="button" class=${run.paused ? "primary" : ""} onClick=${changePace}>${run.paused ? "Resume" : "Pause"}</button>`}
      <button type="button" class="danger" onClick=${stop}>Stop</button></span></div></section>`;
}

/** That plans which change nothing run unasked here, and how to take that back. */
export function Standing() {
  if (state.value?.asks_about !== "effects") return html`<p id="standing" hidden></p>`;
  const askFirst = async () => { if (await askAbout("every_plan")) toBox(); };
  return html`<p id="standing"><${Icon} name="check" /><span>Read-only plans run without asking.</span>
    <button type="button" class="link" onClick=${askFirst}>Ask first</button></p>`;
}

/** What a language model writes or a program prints, meanwhile: its end. */
export function Writing() {
  const now = writing.value;
  return html`<p id="writing" hidden=${!now}>${now && `${now.who}: ${now.text.slice(-WRITTEN_SHOWN)}`}</p>`;
}

/** What waits until what is at hand is over. */
export function Queue() {
  const [edited, setEdited] = useState(null);
  const { requests, task, commands } = state.value?.queue ?? { requests: [], task: null, commands: 0 };
  const key = JSON.stringify([requests, task, commands]);
  useEffect(() => setEdited(null), [key]);
  const said = (words) => guarded(() => api.say(conversation.peek(), words));
  const isEmpty = !task && !commands && !requests.length;
  if (isEmpty) return html`<section id="queue" hidden aria-label="Queue"></section>`;
  if (edited) return html`<section id="queue" aria-label="Queue"><${Editor} ...${edited} leave=${() => { setEdited(null); toBox(); }} /></section>`;
  const waits = [task && `“${clip(task, 200)}”`, commands > 0 && counted(commands, "command")].filter(Boolean);
  return html`<section id="queue" aria-label="Queue">
    ${requests.map((one, place) => html`<div key=${one.name} class="row"><span class="told"><span class="dim">${place ? "Then: " : "Next, when this is done: "}</span>“${clip(one.task, 200)}”</span>
      <span class="row keep"><button type="button" onClick=${() => setEdited({ task: one.task, keep: (now) => said(`/queue edit ${one.name} ${now}`) })}>Edit</button>
        <button type="button" class="danger" onClick=${() => said(`/queue drop ${one.name}`)}>Drop</button></span></div>`)}
    ${waits.length > 0 && html`<div class="row"><span class="told"><span class="dim">${requests.length ? "After that: " : "Next, when the run is over: "}</span>${waits.join(" and ")}</span>
      <span class="row keep">${task && html`<button type="button" onClick=${() => setEdited({ task, keep: (now) => guarded(() => api.editQueue(conversation.peek(), now)) })}>Edit</button>`}
        <button type="button" class="danger" onClick=${() => guarded(() => api.dropQueue(conversation.peek()))}>${requests.length ? "Drop all" : "Drop"}</button></span></div>`}
  </section>`;
}

function Editor({ task, keep, leave }) {
  const field = useRef(null);
  useEffect(() => field.current.select(), []);
  const send = async (event) => {
    event.preventDefault();
    const text = field.current.value.trim();
    if (text && await keep(text)) leave();
  };
  return html`<form class="row" onSubmit=${send}><input ref=${field} type="text" aria-label="What to do when the run is over" defaultValue=${task}
      onKeyDown=${(event) => { if (event.key === "Escape") { event.stopPropagation(); leave(); } }} />
    <button class="primary">Keep</button><button type="button" onClick=${leave}>Leave it</button></form>`;
}

/** Letters shown of what a model is writing. */
const WRITTEN_SHOWN = 500;
