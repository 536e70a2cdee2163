// What came out: the answer as a headline, then the chart, then the rows, and one row of what can be done with them.

import { chartAt, proofAt, rowsAt } from "./api.js";
import { fresh, hashOf, show } from "./acts.js";
import { Chart } from "./chart.js";
import { Tree } from "./facts.js";
import { number, spoken } from "./format.js";
import { Copy, Prose, Words } from "./parts.js";
import { Sheet } from "./sheet.js";
import { conversation, isLastResult, say } from "./store.js";
import { Icon, html, names, toBox, useState } from "./ui.js";

/** The result card of an item of a turn. */
export function Result({ item }) {
  const { answer, fact, chart, provenance } = item.card;
  const [sorted, setSorted] = useState({ at: -1, isDown: false });
  const table = fact?.table;
  const isRows = table && table.rows.length > 0 && !(table.rows.length === 1 && table.columns.length === 1);
  const isPlain = table && table.columns.length === 2 && table.rows.length >= DRAWN_FROM && table.rows.length <= DRAWN_TO;
  const isDrawn = chart && (!["table", "value"].includes(answer.presentation) || (answer.presentation === "table" && isPlain));
  const label = fact ? spoken(fact.name) : "the result";
  const drawn = chart && html`<${Chart} chart=${chart} label=${label} />`;
  const [count, head, rest] = headline(item.text);
  return html`<div role="group" class="card result" aria-label="Result">
    <p class=${names("headline", head.length < SHORT && "is-short")}>${count && html`<span class="dim">${count}</span>`}${head}</p>
    ${rest && html`<${Prose} text=${rest} class="rest" />`}
    ${isDrawn && drawn}
    ${isRows && (isDrawn && table.rows.length > FOLDED_FROM
      ? html`<details class="rows"><summary>${number(table.total_rows)} rows</summary><${Sheet} table=${table} label=${label} onSort=${setSorted} /></details>`
      : html`<${Sheet} table=${table} label=${label} onSort=${setSorted} />`)}
    ${drawn && !isDrawn && html`<details class="draw"><summary>Show as a chart</summary>${drawn}</details>`}
    ${provenance && html`<details class="proven"><summary>How this was found</summary><${Tree} node=${provenance} /></details>`}
    <${Actions} item=${item} sorted=${sorted} isRows=${isRows} />
    ${fact && isLastResult(item) && html`<${Satisfaction} />`}
  </div>`;
}

/** How many rows there are stands aside; the first sentence stands alone; what follows explains it. */
function headline(text) {
  const count = /^[\d,.\s]+ rows?\. (?=\S)/.exec(text)?.[0] ?? "";
  const told = text.slice(count.length);
  const cut = /^([\s\S]{1,240}?[.!?])(?:\s+(?=\p{Lu}|“|\d)|\n+)([\s\S]+)$/u.exec(told) ?? /^([^\n]+)\n+([\s\S]+)$/.exec(told);
  return cut ? [count, cut[1], cut[2]] : [count, told, ""];
}

/** One row of what can be done with a result. */
function Actions({ item, sorted, isRows }) {
  const { fact, chart } = item.card;
  const id = conversation.value;
  const said = item.sequence;
  const link = (name, href, file, text) => html`<a class="act" href=${href} download=${file}><${Icon} name=${name} /><span>${text}</span></a>`;
  return html`<div class="actions" role="toolbar" aria-label="What can be done with this result">
    <${Copy} text=${() => asText(item)} label="Copy" />
    ${fact && isRows && link("table", rowsAt(id, fact.name, { said, sort: sorted.at, descending: sorted.isDown }), `${fact.name}.csv`, "CSV")}
    ${fact && chart && html`<details class="menu up"><summary class="act"><${Icon} name="image" /><span>Image</span></summary><div class="items">
      ${["svg", "png"].map((format) => html`<a key=${format} href=${chartAt(id, fact.name, { format, said, theme: "light" })} download=${`${fact.name}.${format}`}>Save ${format.toUpperCase()}</a>`)}</div></details>`}
    ${fact && html`<details class="menu up"><summary class="act"><${Icon} name="shield" /><span>Proof</span></summary><div class="items">
      <button type="button" onClick=${() => show("facts", fact.name)}>Facts and proof</button>
      ${[["html", "html", "Save as a page"], ["markdown", "md", "Save as Markdown"], ["json", "json", "Save as JSON"]].map(([form, ending, text]) =>
        html`<a key=${form} href=${proofAt(id, form, fact.name)} download=${`${fact.name}.${ending}`}>${text}</a>`)}</div></details>`}
    <${Copy} text=${() => `${location.origin}/${hashOf(id, said)}`} label="Link" told="Link copied" what="link" title="Copy a link to this result" />
  </div>`;
}

/** The result as text: the sentence, and the rows so that a spreadsheet takes them. */
function asText(item) {
  const table = item.card.fact?.table;
  const cell = (value) => (value === null ? "" : String(value).replace(/[\t\n]/g, " "));
  const rows = table && (table.rows.length > 1 || table.columns.length > 1)
    ? ["", table.columns.map(cell).join("\t"), ...table.rows.map((row) => row.map(cell).join("\t"))] : [];
  return [item.text, ...rows].join("\n");
}

/** Whether the last result is what was wanted. Each answer is something said, so that every surface and the log have it. */
function Satisfaction() {
  const [isChanged, setChanged] = useState(false);
  return html`<div class="satisfaction" role="group" aria-label="Does this meet your needs?">
    <p>Does this meet your needs?</p>
    <div class="controls">
      <button type="button" onClick=${() => { say("thanks"); toBox(); }}>Yes, done</button>
      <button type="button" aria-expanded=${String(isChanged)} onClick=${() => setChanged(!isChanged)}>Needs changes</button>
      <button type="button" onClick=${() => say("/redo")}>Run again</button>
      <button type="button" onClick=${fresh}>Start over</button>
    </div>
    ${isChanged && html`<${Words} placeholder="What should be different in the result" label="Change it" kind="primary" answer=${async (text) => { await say(text); toBox(); }} />`}
  </div>`;
}

const SHORT = 90;
const FOLDED_FROM = 12;
const DRAWN_FROM = 3;
const DRAWN_TO = 60;
