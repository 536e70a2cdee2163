// What is known, and how it was found: the facts with their derivation as a graph down to the sources. From a fact to its
// proof, as a file that `turnwise verify` checks. Next: panel.js.

import { api, chartAt, proofAt, rowsAt } from "./api.js";
import { show } from "./acts.js";
import { Chart } from "./chart.js";
import { counted, number, percent, spoken, when } from "./format.js";
import { Graph } from "./graph.js";
import { Chip, Code, Fields } from "./parts.js";
import { Sheet } from "./sheet.js";
import { conversation, guarded, say, state } from "./store.js";
import { html, useEffect, useState } from "./ui.js";

/** All facts, or the one called `name` with what it rests on. */
export function Facts({ name }) {
  const [facts, setFacts] = useState(null);
  const [filter, setFilter] = useState({ words: "", kind: "", pinned: false });
  const now = state.value?.sequence;
  // They change by a run, in another window, by a program.
  useEffect(() => { guarded(() => api.facts(conversation.peek())).then((read) => read && setFacts(read)); }, [now]);
  if (!facts) return null;
  const chosen = facts.find((fact) => fact.name === name);
  if (chosen) return html`<${OneFact} key=${name} fact=${chosen} facts=${facts} />`;
  return html`${name && html`<p class="note">“${name}” is not held any more.</p>`}
    ${facts.length === 0
      ? html`<p class="dim">Nothing is known yet. Facts are found when a plan runs, or stated by you: “by revenue I mean gross revenue”.</p>`
      : html`<${Filtered} facts=${facts} filter=${filter} setFilter=${setFilter} />
        <h3>How they follow from each other</h3><${Derivation} shown=${facts} facts=${facts} /><${Proofs} fact=${null} />`}`;
}

/** The facts, by words, kind and pin. */
function Filtered({ facts, filter, setFilter }) {
  const kinds = [...new Set(facts.map((fact) => fact.kind))];
  const wanted = filter.words.toLowerCase().split(/\s+/).filter(Boolean);
  const text = (fact) => `${fact.name} ${fact.about ?? ""} ${fact.text ?? ""} ${fact.scope} ${fact.source}`.toLowerCase();
  const fitting = facts.filter((fact) => wanted.every((word) => text(fact).includes(word)) && (!filter.kind || fact.kind === filter.kind) && (!filter.pinned || fact.pinned));
  const set = (part) => setFilter({ ...filter, ...part });
  return html`<div>
    <div class="row filters">
      <input type="search" placeholder="Filter facts" aria-label="Filter facts" value=${filter.words} onInput=${(event) => set({ words: event.target.value })} />
      ${kinds.length > 1 && html`<select aria-label="Kind of fact" value=${filter.kind} onInput=${(event) => set({ kind: event.target.value })}>
        <option value="">all kinds</option>${kinds.map((one) => html`<option key=${one} value=${one}>${one}</option>`)}</select>`}
      <label><input type="checkbox" checked=${filter.pinned} onInput=${(event) => set({ pinned: event.target.checked })} /> pinned</label>
    </div>
    <ul class="fact-list">${fitting.map((fact) => html`<li key=${fact.name}><${FactLine} fact=${fact} open=${() => show("facts", fact.name)} /></li>`)}</ul>
    <p class="dim" role="status">${fitting.length === facts.length ? `${facts.length} held` : `${fitting.length} of ${facts.length}`}</p>
  </div>`;
}

/** A fact in one line that opens it. */
export function FactLine({ fact, open }) {
  return html`<button type="button" class="fact" onClick=${open}><strong>${broken(fact.name)}</strong>${fact.pinned && html`<${Chip}>pinned</${Chip}>`}
    <span class="dim">${fact.text ?? sizeOf(fact.table)}</span></button>`;
}

/** A name that may break after its underscores. */
const broken = (name) => name.split(/(?<=_)/).flatMap((part, at) => (at ? [html`<wbr key=${at} />`, part] : [part]));

/** One fact: what it rests on as a graph, and everything that is known of it. */
function OneFact({ fact, facts }) {
  const known = new Map(facts.map((one) => [one.name, one]));
  const chain = [];
  const seen = new Set();
  const visit = (one) => {
    if (!one || seen.has(one.name)) return;
    seen.add(one.name);
    one.derived_from.forEach((name) => visit(known.get(name)));
    chain.push(one);
  };
  visit(fact);
  return html`<button type="button" class="quiet" onClick=${() => show("facts")}>All facts</button>
    <${Whole} fact=${fact} facts=${facts} />
    <h3>How it was found</h3><${Derivation} shown=${chain} facts=${facts} root=${fact.name} /><${Proofs} fact=${fact} />`;
}

/** Facts and the sources they were read from, as a graph. */
function Derivation({ shown, facts, root = null }) {
  const [chosen, setChosen] = useState(null);
  const sources = new Map();
  const keyOf = (source) => `source ${source.name} ${source.fingerprint}`;
  const nodes = shown.map((fact) => {
    fact.sources.forEach((source) => sources.set(keyOf(source), source));
    return { key: `fact ${fact.name}`, name: spoken(fact.name), kind: fact.name === root ? "root" : "fact", short: initials(fact.name),
      told: `Fact ${fact.name}: ${fact.text ?? sizeOf(fact.table)}`, after: [...fact.derived_from.map((name) => `fact ${name}`), ...fact.sources.map(keyOf)] };
  });
  const leaves = [...sources].map(([key, source]) => ({ key, name: source.name.split(/[\\/]/).at(-1), short: "▤", kind: "source", told: `Source ${source.name}, ${source.fingerprint}`, after: [] }));
  const [fact, source] = [chosen && facts.find((one) => `fact ${one.name}` === chosen), chosen && sources.get(chosen)];
  return html`<${Graph} nodes=${[...leaves, ...nodes]} label=${`How ${shown.length === 1 ? "it follows from its sources" : "facts follow from sources and each other"}`} open=${(node) => setChosen(node.key)} />
    <div class="detail" aria-live="polite">${fact && html`<${Whole} fact=${fact} facts=${facts} />`}${source && html`<${Source} source=${source} facts=${shown} />`}</div>`;
}

const initials = (name) => name.split(/[_\s]+/).map((word) => word[0] ?? "").join("").slice(0, 4);

/** A fact whole: its value, its query, its sources, and what can be done with it. */
function Whole({ fact, facts }) {
  const id = conversation.value;
  const act = (words) => async () => { if ((await say(`/facts ${words} ${fact.name}`)) && words === "forget") show("facts"); };
  const others = (list) => list.map((name) => html`<button key=${name} type="button" class="link" disabled=${!facts.some((one) => one.name === name)} onClick=${() => show("facts", name)}>${spoken(name)}</button> `);
  return html`<article class="box fact-whole" aria-label=${`Fact ${fact.name}`}>
    <h3>${fact.name} ${fact.pinned && html`<${Chip}>pinned</${Chip}>`}</h3>
    ${fact.text && html`<p class="text">${fact.text}</p>`}
    ${fact.chart && html`<${Chart} chart=${fact.chart} label=${spoken(fact.name)} />`}
    ${fact.table && html`<${Sheet} table=${fact.table} label=${spoken(fact.name)} />
      <div class="actions"><a class="act" href=${rowsAt(id, fact.name)} download=${`${fact.name}.csv`}>CSV</a>
        ${fact.chart && ["svg", "png"].map((format) => html`<a key=${format} class="act" href=${chartAt(id, fact.name, { format })} download=${`${fact.name}.${format}`}>${format.toUpperCase()}</a>`)}</div>`}
    <${Fields} fields=${[
      ["Kind", `${fact.kind} of this ${fact.scope}${fact.about ? `, about “${fact.about}”` : ""}`], ["From", fact.source],
      ["Confidence", percent(fact.confidence, 0)], ["Found", when(fact.resolved_at)], ["Query", fact.query && html`<${Code} text=${fact.query} />`],
      ["Sources", fact.sources.map((source) => html`<div key=${source.fingerprint}>${source.name} <code class="dim">${source.fingerprint}</code></div>`)],
      ["Assumes", fact.assumptions.map((text) => html`<div key=${text}>${text}</div>`)],
      ["Rests on", others(fact.derived_from)], ["Used by", others(fact.used_by)],
      ["Before", fact.before.map((past, at) => html`<div key=${at}>${past.value}, superseded by ${past.superseded_by}</div>`)],
    ]} />
    <div class="controls">${fact.pinned ? html`<button type="button" onClick=${act("unpin")}>Unpin</button>` : html`<button type="button" onClick=${act("pin")}>Pin</button>`}
      <button type="button" class="danger" onClick=${act("forget")}>Forget</button></div>
  </article>`;
}

function Source({ source, facts }) {
  const readers = facts.filter((fact) => fact.sources.some((one) => one.name === source.name && one.fingerprint === source.fingerprint));
  return html`<article class="box" aria-label=${`Source ${source.name}`}><h3>${source.name}</h3>
    <${Fields} fields=${[["Fingerprint", html`<code>${source.fingerprint}</code>`], ["Read by", readers.map((fact) => spoken(fact.name)).join(", ")]]} /></article>`;
}

/** The proof as a file: of one fact, or of everything. */
function Proofs({ fact }) {
  if (fact && !fact.query && !fact.derived_from.length && !fact.sources.length) return null;
  const link = (form, label, ending) => html`<a class="button" href=${proofAt(conversation.value, form, fact?.name)} download=${`${fact?.name ?? "proof"}.${ending}`}>${label}</a>`;
  return html`<h3>Proof</h3><p class="dim">Queries, rows, sources and assumptions, linked by hash. “turnwise verify FILE” checks it.</p>
    <div class="controls">${link("html", "HTML", "html")}${link("markdown", "Markdown", "md")}${link("json", "JSON", "json")}</div>`;
}

function sizeOf(table) {
  if (!table) return "";
  if (table.rows.length === 1 && table.columns.length === 1) return number(table.rows[0][0]);
  return `${counted(table.total_rows, "row")} × ${counted(table.columns.length, "column")}`;
}

/** The chain of a value down to its sources. */
export function Tree({ node }) {
  return html`<ul class="tree"><li><button type="button" class="link" onClick=${() => show("facts", node.name)}>${spoken(node.name)}</button>${node.summary && ` ${node.summary}`}
    ${node.query && html`<details><summary>Query</summary><${Code} text=${node.query} /></details>`}
    ${node.sources.map((source) => html`<div key=${source.fingerprint} class="dim">${source.name} <code>${source.fingerprint}</code></div>`)}
    ${node.inputs.map((input, at) => html`<${Tree} key=${at} node=${input} />`)}</li></ul>`;
}

