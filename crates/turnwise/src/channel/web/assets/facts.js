// What is known, and how it was found: the facts with their derivation as a graph down to the sources. From a fact to its
// proof, as a file that `turnwise verify` checks.

import { api, proofAt } from "./api.js";
import { breakable, button, el, fill, number, when } from "./dom.js";
import { dag } from "./graph.js";
import { panel, refill, renews } from "./panel.js";
import { guarded, say, view } from "./session.js";
import { picture, sheet } from "./sheet.js";

/** What the panel was drawn from, and the filter as it was set. */
let drawn = null;
let filter = { words: "", kind: "", pinned: false };

/** Shows all facts, or one with what it rests on. */
export async function showFacts(name) {
  const facts = await guarded(() => api.facts(view.id));
  if (!facts) return;
  filter = { words: "", kind: "", pinned: false };
  draw(facts, name, panel);
}

/** Draws the facts anew where they have changed: by a run, in another window, by a program. */
async function look(name) {
  const asked = view.id;
  const facts = await api.facts(asked).catch(() => null);
  if (!facts || !drawn || drawn.name !== name || asked !== view.id || drawn.facts === JSON.stringify(facts)) return;
  draw(facts, name, refill);
}

/** Notes what is shown, so that it can be kept up to date. */
function shows(facts, name) {
  drawn = { name, facts: JSON.stringify(facts) };
  renews(() => look(name));
}

function draw(facts, name, panel) {
  const chosen = facts.find((fact) => fact.name === name);
  if (chosen) { showFact(chosen, facts, panel); return; }
  const missing = name ? el("p", { class: "note" }, `“${name}” is not held any more.`) : null;
  if (!facts.length) {
    panel("Facts", missing, el("p", { class: "dim" }, "Nothing is known yet. Facts are found when a plan runs, or stated by you: “by revenue I mean gross revenue”."));
    shows(facts, name);
    return;
  }
  const detail = el("div", { class: "detail", "aria-live": "polite" });
  panel("Facts", missing, filtered(facts), el("h3", {}, "How they follow from each other"),
    derivation(facts, facts, detail), detail, proofs(null));
  shows(facts, name);
}

/** The facts, by words, kind and pin. */
function filtered(facts) {
  const words = el("input", { type: "search", placeholder: "Filter facts", "aria-label": "Filter facts", value: filter.words });
  const kinds = [...new Set(facts.map((fact) => fact.kind))];
  const kind = el("select", { "aria-label": "Kind of fact" }, el("option", { value: "" }, "all kinds"), kinds.map((one) => el("option", { value: one }, one)));
  kind.value = kinds.includes(filter.kind) ? filter.kind : "";
  const pinned = el("input", { type: "checkbox" });
  pinned.checked = filter.pinned;
  const list = el("ul", { class: "fact-list" });
  const note = el("p", { class: "dim", role: "status" });
  const draw = () => {
    filter = { words: words.value, kind: kind.value, pinned: pinned.checked };
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    const text = (fact) => `${fact.name} ${fact.about ?? ""} ${fact.text ?? ""} ${fact.scope} ${fact.source}`.toLowerCase();
    const fitting = facts.filter((fact) => wanted.every((word) => text(fact).includes(word)) && (!kind.value || fact.kind === kind.value) && (!pinned.checked || fact.pinned));
    fill(list, fitting.map((fact) => el("li", {}, factCard(fact, facts))));
    note.textContent = fitting.length === facts.length ? `${facts.length} held` : `${fitting.length} of ${facts.length}`;
  };
  [words, kind, pinned].forEach((control) => control.addEventListener("input", draw));
  draw();
  return el("div", {}, el("div", { class: "row filters" }, words, kinds.length > 1 ? kind : null, el("label", {}, pinned, " pinned")), list, note);
}

/** A fact in one line that opens it. */
export function factCard(fact, facts) {
  return button([el("strong", {}, breakable(fact.name)), fact.pinned ? el("span", { class: "chip" }, "pinned") : null,
    el("span", { class: "dim" }, fact.text ?? size(fact.table))],
    () => (facts ? showFact(fact, facts) : showFacts(fact.name)), { class: "fact" });
}

/** One fact: what it rests on as a graph, and everything that is known of it. */
function showFact(fact, facts, into = panel) {
  const known = new Map(facts.map((one) => [one.name, one]));
  const chain = [];
  const visit = (one) => {
    if (!one || chain.includes(one)) return;
    one.derived_from.forEach((name) => visit(known.get(name)));
    if (!chain.includes(one)) chain.push(one);
  };
  visit(fact);
  const detail = el("div", { class: "detail", "aria-live": "polite" });
  into(fact.name, button("All facts", () => showFacts(), { class: "quiet" }), whole(fact, facts),
    el("h3", {}, "How it was found"), derivation(chain, facts, detail, fact.name), detail, proofs(fact));
  shows(facts, fact.name);
}

/** Facts and the sources they were read from, as a graph. */
function derivation(shown, facts, detail, root) {
  const sources = new Map();
  const nodes = shown.map((fact) => ({ key: `fact ${fact.name}`, name: fact.name.replaceAll("_", " "), kind: fact.name === root ? "root" : "fact", short: initials(fact.name),
    told: `Fact ${fact.name}: ${fact.text ?? size(fact.table)}`, fact,
    after: [...fact.derived_from.map((name) => `fact ${name}`), ...fact.sources.map((source) => { sources.set(`source ${source.name} ${source.fingerprint}`, source); return `source ${source.name} ${source.fingerprint}`; })] }));
  const leaves = [...sources].map(([key, source]) => ({ key, name: source.name.split(/[\\/]/).at(-1), short: "▤", kind: "source", told: `Source ${source.name}, ${source.fingerprint}`, after: [], source }));
  const open = (node) => fill(detail, node.fact ? whole(node.fact, facts) : sourceWhole(node.source, shown));
  return dag([...leaves, ...nodes], { label: `How ${shown.length === 1 ? "it follows from its sources" : "facts follow from sources and each other"}`, open });
}

const initials = (name) => name.split(/[_\s]+/).map((word) => word[0] ?? "").join("").slice(0, 4);

/** A fact whole: its value, its query, its sources, and what can be done with it. */
function whole(fact, facts) {
  const quoted = fact.name;
  const act = (words) => async () => { if (await say(`/facts ${words} ${quoted}`)) showFacts(words === "forget" ? undefined : fact.name); };
  const names = (list) => list.map((name) => button(name, () => { const other = facts.find((one) => one.name === name); if (other) showFact(other, facts); }, { class: "quiet", disabled: !facts.some((one) => one.name === name) }));
  const part = (name, value) => (value && (!Array.isArray(value) || value.length) ? [el("dt", {}, name), el("dd", {}, value)] : []);
  return el("article", { class: "box fact-whole", "aria-label": `Fact ${fact.name}` },
    el("h3", {}, fact.name, fact.pinned ? el("span", { class: "chip" }, "pinned") : null),
    fact.text ? el("p", { class: "text" }, fact.text) : null,
    fact.chart ? picture(view.id, fact.name, fact.chart, null) : null,
    fact.table ? sheet(fact.table, view.id, fact.name, null) : null,
    el("dl", { class: "parts" },
      part("Kind", `${fact.kind} of this ${fact.scope}${fact.about ? `, about “${fact.about}”` : ""}`),
      part("From", fact.source), part("Confidence", `${(fact.confidence * 100).toFixed(0)} %`), part("Found", when(fact.resolved_at)),
      part("Query", fact.query ? el("pre", {}, fact.query) : null),
      part("Sources", fact.sources.map((source) => el("div", {}, source.name, " ", el("code", { class: "dim" }, source.fingerprint)))),
      part("Assumes", fact.assumptions.map((text) => el("div", {}, text))),
      part("Rests on", names(fact.derived_from)), part("Used by", names(fact.used_by)),
      part("Before", fact.before.map((past) => el("div", {}, `${past.value}, superseded by ${past.superseded_by}`)))),
    el("div", { class: "controls" }, fact.pinned ? button("Unpin", act("unpin")) : button("Pin", act("pin")), button("Forget", act("forget"), { class: "danger" })));
}

function sourceWhole(source, facts) {
  const readers = facts.filter((fact) => fact.sources.some((one) => one.name === source.name && one.fingerprint === source.fingerprint));
  return el("article", { class: "box", "aria-label": `Source ${source.name}` }, el("h3", {}, source.name),
    el("dl", { class: "parts" }, el("dt", {}, "Fingerprint"), el("dd", {}, el("code", {}, source.fingerprint)),
      el("dt", {}, "Read by"), el("dd", {}, readers.map((fact) => fact.name).join(", "))));
}

/** The proof as a file: of one fact, or of everything. */
function proofs(fact) {
  const link = (form, label, ending) => el("a", { class: "button", href: proofAt(view.id, form, fact?.name), download: `${fact?.name ?? "proof"}.${ending}` }, label);
  if (fact && !fact.query && !fact.derived_from.length && !fact.sources.length) return null;
  return el("div", {}, el("h3", {}, "Proof"),
    el("p", { class: "dim" }, "Queries, rows, sources and assumptions, linked by hash. “turnwise verify FILE” checks it."),
    el("div", { class: "controls" }, link("html", "HTML", "html"), link("markdown", "Markdown", "md"), link("json", "JSON", "json")));
}

function size(table) {
  if (!table) return "";
  if (table.rows.length === 1 && table.columns.length === 1) return number(table.rows[0][0]);
  return `${number(table.total_rows)} ${table.total_rows === 1 ? "row" : "rows"} × ${table.columns.length} ${table.columns.length === 1 ? "column" : "columns"}`;
}

/** The chain of a value down to its sources. */
export function tree(node) {
  return el("ul", { class: "tree" }, el("li", {},
    button(node.name, () => showFacts(node.name), { class: "link" }), node.summary ? ` ${node.summary}` : null,
    node.query ? el("details", {}, el("summary", {}, "Query"), el("pre", {}, node.query)) : null,
    node.sources.map((source) => el("div", { class: "dim" }, `${source.name} `, el("code", {}, source.fingerprint))),
    node.inputs.map(tree)));
}
