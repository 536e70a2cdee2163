// How a segment of a message was read. Next: panel.js.

import { percent } from "./format.js";
import { html } from "./ui.js";

export function Reading({ reading }) {
  const label = reading.sub ? `${reading.intent} (${reading.sub})` : reading.intent;
  const sure = percent(reading.confidence, 0);
  return html`<div class="reading">
    <p><q>${reading.segment}</q></p>
    <p><strong>${label}</strong> <meter min="0" max="1" value=${reading.confidence} aria-label=${`Confidence ${sure}`}></meter> ${sure}<span class="dim"> by ${TIERS[reading.tier] ?? reading.tier}</span></p>
    <p class="dim">${reading.reason}</p>
    ${reading.nearest.length > 0 && html`<table><caption class="dim">Nearest examples</caption><tbody>${reading.nearest.map((near, at) => html`<tr key=${at}>
      <td>${near.text}</td><td class="dim">${near.label}</td><td class="number">${near.score.toFixed(2)}</td></tr>`)}</tbody></table>`}
  </div>`;
}

const TIERS = { slash: "its command", rule: "a rule", exemplar: "examples", model: "a language model", person: "a person" };
