// How work is gone about in the conversation: what is asked about first, and where a run waits. Next: dialogs.js.

import { api } from "./api.js";
import { Dialog } from "./dialogs.js";
import { conversation, dialog, guarded, state } from "./store.js";
import { html } from "./ui.js";

/** What a key is called, and its values where they are no switch. */
const LABELS = {
  conversational: "Talk a task over before it is planned", allow_execution_transition: "Begin work from such a talk",
  plan_approval: "Ask about plans that change nothing", auto_approve_simple: "Run small tasks without asking",
  enable_planning: "Show plans before they run", approval_mode: "Wait during a run",
  satisfaction: "Ask afterwards if small work was right", pause_enabled: "Runs can be paused", intelligent_routing: "Ask what is meant",
};
const VALUES = {
  on: "Yes", off: "No", none: "Never", before_step: "Before each step", after_step: "After each step",
  both: "Before the first and after each", aggressive: "At any doubt", balanced: "When not sure", minimal: "Seldom",
};

const sent = (value) => (value === "on" ? true : value === "off" ? false : value);

/** What a key is here. */
export const flowOf = (key) => state.value?.flow.find((one) => one.key === key)?.value;

export function Flow() {
  const keys = state.value?.flow ?? [];
  const own = keys.filter((one) => one.value !== one.configured);
  const settle = (changed) => guarded(() => api.flow(conversation.peek(), Object.fromEntries(
    [...own.map((one) => [one.key, one.value]), ...changed].map(([key, value]) => [key, sent(value)]))));
  return html`<${Dialog} id="flow" label="How work is done here"><h2>How work is done here</h2>
    <p class="dim">For this conversation and everybody in it. Plans that change something for good are always asked about.</p>
    ${keys.map((one) => html`<label key=${one.key} class="field"><span>${LABELS[one.key] ?? one.key}</span>
      <select name=${one.key} value=${one.value} onChange=${(event) => settle([[one.key, event.target.value]])}>
        ${one.values.map((value) => html`<option key=${value} value=${value}>${VALUES[value] ?? value}${value === one.configured ? " (usual)" : ""}</option>`)}</select></label>`)}
    <div class="row">${own.length > 0 && html`<button id="flow-usual" type="button" onClick=${() => guarded(() => api.flow(conversation.peek(), {}))}>All as usual</button>`}
      <button type="button" class="primary" onClick=${() => { dialog.value = null; }}>Close</button></div></${Dialog}>`;
}
