// Cards: what can be decided on and what came out. A card whose question is no longer open as it was shown is drawn as
// closed; only the current one can be operated.

import { announce, download, el, fill } from "./dom.js";
import { chart, dag, number } from "./graph.js";

const MARKS = { done: "✓", reused: "✓", running: "▸", backoff: "▸", unknown: "?", failed: "✗" };

/** The card of something said. `act` carries decisions out; `isOpen(question)` gives the reference to decide by,
    or nothing once the question is no longer open as it was shown. */
export function card(shown, act, isOpen) {
  switch (shown.card) {
    case "plan": return plan(shown, act, isOpen);
    case "question": return asked(shown, act, isOpen);
    case "result": return result(shown, act);
    case "failure": return failure(shown, act, isOpen);
    case "steps": return steps(shown.steps);
    case "facts": return el("div", { class: "card" }, shown.facts.map((fact) => factLine(fact, act)));
    case "provenance": return el("div", { class: "card" }, tree(shown.tree));
    case "help": return el("dl", { class: "card help" }, shown.lines.flatMap(([left, right]) => [el("dt", {}, left), el("dd", {}, right)]));
    case "why": return el("div", { class: "card" }, shown.readings.map(reading));
    default: return el("p", { class: "note" }, "This page is older than the server; reload it to see this card.");
  }
}

function plan({ plan: drawn, question }, act, isOpen) {
  const reference = isOpen(question);
  const boxes = new Map();
  const lines = drawn.steps.map((step) => {
    const box = question ? el("input", { type: "checkbox", checked: true, "aria-label": `Include step ${step.number}` }) : null;
    if (box) boxes.set(step.number, box);
    const remarks = [step.effect === "pure" ? null : step.effect === "once_only" ? "runs once" : "changes something",
      step.reused ? "resolved, reused" : null].filter(Boolean).join(", ");
    return el("li", { value: step.number },
      el("label", {}, box, " ", step.description, remarks ? el("span", { class: "dim" }, ` (${remarks})`) : null),
      step.arguments.length
        ? el("details", {}, el("summary", {}, step.tool), step.arguments.map(([name, value]) =>
            el("div", {}, el("span", { class: "dim" }, `${name} `), el("code", {}, value))))
        : null);
  });
  const changes = drawn.changes.some((change) => !change.startsWith(" "))
    ? el("pre", { class: "diff", "aria-label": `Changes to version ${drawn.version}` }, drawn.changes.map((change) =>
        el("span", { class: change[0] === "+" ? "added" : change[0] === "-" ? "removed" : "" }, `${change}\n`)))
    : null;
  const change = el("input", { type: "text", placeholder: "What should be different?", "aria-label": "What should be different" });
  const decide = (verdict) => act.decide(reference, verdict);
  const approve = () => {
    const chosen = [...boxes].filter(([, box]) => box.checked).map(([step]) => step);
    if (chosen.length === boxes.size) decide({ is: "approve" });
    else if (chosen.length) act.say(`approve steps ${chosen.join(", ")} only`, reference);
    else announce("Choose at least one step.");
  };
  const suggest = (event) => { event.preventDefault(); if (change.value.trim()) decide({ is: "change", change: change.value.trim() }); };
  const controls = question ? el("form", { class: "controls", onsubmit: suggest },
    el("button", { type: "button", class: "primary", onclick: approve }, "Approve"),
    el("button", { type: "button", onclick: () => decide({ is: "reject" }) }, "Re-plan"),
    el("button", { type: "button", onclick: () => decide({ is: "cancel" }) }, "Cancel"),
    change, el("button", {}, "Modify")) : null;
  const node = el("section", { class: "card plan", "aria-label": `Plan, version ${drawn.version}` },
    el("h3", {}, drawn.title, el("span", { class: "dim" }, ` v${drawn.version}`)),
    changes, dag(drawn.steps), el("ol", {}, lines),
    drawn.assumptions.length ? el("details", { open: true }, el("summary", {}, "Assumptions"), el("ul", {}, drawn.assumptions.map((text) => el("li", {}, text)))) : null,
    controls);
  return operable(node, question, reference);
}

function asked({ question, choices }, act, isOpen) {
  const reference = isOpen(question);
  const words = el("input", { type: "text", placeholder: "In your own words", "aria-label": "Answer in your own words" });
  const say = (event) => { event.preventDefault(); if (words.value.trim()) act.say(words.value.trim(), reference); };
  const node = el("section", { class: "card question", "aria-label": "Question" },
    choices.length ? el("div", { class: "choices" }, choices.map((choice, at) =>
      el("button", { type: "button", onclick: () => act.decide(reference, { is: "choose", number: at + 1 }) }, `${at + 1}. ${choice.label}`))) : null,
    el("form", { class: "controls", onsubmit: say }, words, el("button", {}, "Submit"),
      el("button", { type: "button", onclick: () => act.decide(reference, { is: "cancel" }) }, "Drop it")));
  return operable(node, question, reference);
}

function failure({ question, step, description, error }, act, isOpen) {
  const reference = isOpen(question);
  const button = (is, label) => el("button", { type: "button", onclick: () => act.decide(reference, { is }) }, label);
  const node = el("section", { class: "card failure", "aria-label": "A step failed" },
    el("h3", {}, `✗ Step ${step}: ${description}`), el("p", {}, error),
    el("div", { class: "controls" }, button("retry", "Retry"), button("replan", "Re-plan"), button("abandon", "Abandon")));
  return operable(node, question, reference);
}

function result({ answer, fact, provenance }, act) {
  const table = fact?.table;
  const drawn = table && ["bars", "line"].includes(answer.presentation) ? chart(table, answer.presentation) : null;
  return el("section", { class: "card result", "aria-label": "Result" },
    drawn, table && table.rows.length ? sheet(table, fact.name) : null,
    provenance ? el("details", {}, el("summary", {}, "How this was found"), tree(provenance)) : null,
    fact ? el("div", { class: "controls" },
      el("button", { type: "button", onclick: () => act.open(fact.name) }, "Facts and sources")) : null);
}

function steps(list) {
  return el("ul", { class: "card steps" }, list.map((step) => el("li", {}, `${MARKS[step.state] || "○"} ${step.number} ${step.description}`)));
}

/** A table that sorts by its columns and can be taken along as CSV. */
export function sheet(table, name) {
  let rows = table.rows;
  let sorted = null;
  const body = el("tbody");
  const draw = () => fill(body, rows.slice(0, ROWS_MAX).map((row) => el("tr", {}, row.map((cell) =>
    el("td", { class: typeof cell === "number" ? "number" : "" }, number(cell))))));
  const heads = table.columns.map((column, at) => {
    const head = el("th", { scope: "col" }, el("button", { type: "button", onclick: () => sort(at) }, column));
    return head;
  });
  const sort = (at) => {
    const down = sorted === at;
    sorted = down ? null : at;
    rows = [...table.rows].sort((left, right) => compare(left[at], right[at]) * (down ? -1 : 1));
    heads.forEach((head, column) => column === at ? head.setAttribute("aria-sort", down ? "descending" : "ascending") : head.removeAttribute("aria-sort"));
    draw();
  };
  draw();
  const shown = Math.min(rows.length, ROWS_MAX);
  return el("div", { class: "sheet" },
    el("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": `Table ${name}` },
      el("table", {}, el("thead", {}, el("tr", {}, heads)), body)),
    el("div", { class: "controls" },
      shown < table.total_rows ? el("span", { class: "dim" }, `${shown} of ${table.total_rows} rows `) : null,
      el("button", { type: "button", onclick: () => download(`${name}.csv`, "text/csv", csv(table)) }, "Export CSV")));
}

function compare(left, right) {
  if (left === right) return 0;
  if (left === null) return 1;
  if (right === null) return -1;
  if (typeof left === "number" && typeof right === "number") return left - right;
  return String(left).localeCompare(String(right));
}

/** RFC 4180; cells that a spreadsheet would run as formulas are kept from it by a quote. */
function csv(table) {
  const cell = (value) => {
    if (value === null) return "";
    if (typeof value === "number") return String(value);
    const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [table.columns, ...table.rows].map((row) => row.map(cell).join(",")).join("\r\n");
}

/** A fact in one line that opens it. */
export function factLine(fact, act) {
  return el("button", { type: "button", class: "fact", onclick: () => act.open(fact.name) },
    el("strong", {}, fact.name), " ", el("span", { class: "dim" }, fact.text ?? size(fact.table)));
}

/** A fact whole: its value, its query, its sources. */
export function factWhole(fact) {
  return el("article", { class: "card", "aria-label": `Fact ${fact.name}` },
    el("h3", {}, fact.name),
    el("p", { class: "dim" }, `${fact.source}, ${fact.resolved_at}, confidence ${fact.confidence.toFixed(2)}`),
    fact.text ? el("p", {}, fact.text) : null,
    fact.table ? sheet(fact.table, fact.name) : null,
    fact.query ? el("details", { open: true }, el("summary", {}, "Query"), el("pre", {}, fact.query)) : null,
    fact.sources.length ? el("details", { open: true }, el("summary", {}, "Sources"), el("ul", {}, fact.sources.map((source) =>
      el("li", {}, source.name, " ", el("code", {}, source.fingerprint))))) : null,
    fact.assumptions.length ? el("details", {}, el("summary", {}, "Assumptions"), el("ul", {}, fact.assumptions.map((text) => el("li", {}, text)))) : null);
}

function size(table) {
  return table ? `${table.total_rows} rows × ${table.columns.length} columns` : "";
}

/** The chain of a value down to its sources. */
export function tree(node) {
  return el("ul", { class: "tree" }, el("li", {},
    el("strong", {}, node.name), node.summary ? ` ${node.summary}` : null,
    node.query ? el("details", {}, el("summary", {}, "query"), el("pre", {}, node.query)) : null,
    node.sources.map((source) => el("div", { class: "dim" }, `${source.name} ${source.fingerprint}`)),
    node.inputs.map(tree)));
}

/** How a segment was read. */
export function reading(read) {
  const label = read.sub ? `${read.intent} (${read.sub})` : read.intent;
  return el("div", { class: "reading" },
    el("p", {}, el("q", {}, read.segment), " → ", el("strong", {}, label), ` ${(read.confidence * 100).toFixed(0)} %`, el("span", { class: "dim" }, ` by ${read.tier}`)),
    el("p", { class: "dim" }, read.reason),
    read.nearest.length ? el("ul", {}, read.nearest.map((near) => el("li", { class: "dim" }, `${near.text} — ${near.label}, ${near.score.toFixed(2)}`))) : null);
}

/** Controls of a question that is not open as shown are taken away. */
function operable(node, question, reference) {
  if (question && !reference) {
    node.classList.add("closed");
    node.querySelectorAll("button, input").forEach((control) => { control.disabled = true; });
  }
  return node;
}

const ROWS_MAX = 500;
