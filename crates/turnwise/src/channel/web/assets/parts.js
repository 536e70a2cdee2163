// The parts that cards are put together from: prose, fields, choices, words as an answer, diffs and drafts. Next:
// cards.js, plan.js, result.js.

import { spoken } from "./format.js";
import { Icon, announce, html, names, useRef, useState } from "./ui.js";

/** What people wrote or an assistant said: paragraphs, lists, code and emphasis. Nothing else is markup. */
export function Prose({ text, class: name = "text" }) {
  return html`<div class=${name}>${blocksOf(text ?? "").map((block, at) => (block.code !== undefined
    ? html`<${Code} key=${at} text=${block.code} />`
    : html`<span key=${at} class="lines">${inline(block.text)}</span>`))}</div>`;
}

/** Text between fences is code. */
function blocksOf(text) {
  const parts = text.split(/^```[^\n]*\n([\s\S]*?)^```[ \t]*$/m);
  return parts.map((part, at) => (at % 2 ? { code: part.replace(/\n$/, "") } : { text: part })).filter((part) => part.code !== undefined || part.text.trim());
}

/** Words between backticks, stars and underscores. */
function inline(text) {
  return text.split(/(`[^`\n]+`|\*\*[^*\n]+\*\*|(?<![\w*])\*[^*\s][^*\n]*\*(?![\w*]))/).map((part, at) => {
    if (at % 2 === 0) return part;
    if (part.startsWith("`")) return html`<code key=${at}>${part.slice(1, -1)}</code>`;
    if (part.startsWith("**")) return html`<strong key=${at}>${part.slice(2, -2)}</strong>`;
    return html`<em key=${at}>${part.slice(1, -1)}</em>`;
  });
}

/** Code that can be taken along. */
export function Code({ text }) {
  return html`<div class="code"><pre tabindex="0">${text}</pre><${Copy} text=${text} label="Copy" isQuiet=${true} /></div>`;
}

/** Puts `text` onto the clipboard; says that it did. */
export function Copy({ text, label = "Copy", told = "Copied", isQuiet = false, title = null, what = "copy" }) {
  const [isDone, setDone] = useState(false);
  const act = async () => {
    if (!(await copied(typeof text === "function" ? text() : text))) { announce("The browser does not allow copying here."); return; }
    setDone(true);
    announce(`${told}.`);
    setTimeout(() => setDone(false), 1_600);
  };
  return html`<button type="button" class=${names("act", isQuiet && "quiet")} title=${title ?? label} onClick=${act}>
    <${Icon} name=${isDone ? "check" : what} /><span>${isDone ? told : label}</span></button>`;
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Not on a secure address: a field that is copied from does as well.
    const field = Object.assign(document.createElement("textarea"), { value: text });
    document.body.append(field);
    field.select();
    const isDone = document.execCommand("copy");
    field.remove();
    return isDone;
  }
}

/** Names and what stands behind them; those without a value are left out. */
export function Fields({ fields }) {
  const there = fields.filter(([, value]) => value !== null && value !== undefined && value !== "" && (!Array.isArray(value) || value.length));
  if (!there.length) return null;
  return html`<dl class="parts">${there.map(([name, value]) => html`<dt key=${`${name} `}>${name}</dt><dd key=${name}>${value}</dd>`)}</dl>`;
}

/** Choices by number; `choose(number)` takes one. */
export function Choices({ choices, choose }) {
  // Asked how many, a number is an answer of its own, so the choices have none.
  const counts = choices.some(({ confirms }) => confirms);
  return html`<div class="choices">${choices.map((choice, index) => html`<button key=${index} type="button" class="choice" onClick=${() => choose(index + 1)}>
    ${!counts && html`<span class="step-number">${index + 1}</span>`}<span>${choice.label}</span></button>`)}</div>`;
}

/** Free text as an answer; `answer(text)` takes it. */
export function Words({ placeholder, label, answer, kind = "" }) {
  const field = useRef(null);
  const send = (event) => {
    event.preventDefault();
    const text = field.current.value.trim();
    if (text) answer(text); else field.current.focus();
  };
  return html`<form class="controls words" onSubmit=${send}>
    <input type="text" ref=${field} placeholder=${placeholder} aria-label=${placeholder} autocomplete="off" />
    <button class=${kind}>${label}</button></form>`;
}

export const Chip = ({ kind = "", children }) => html`<span class=${names("chip", kind)}>${children}</span>`;

// ── what files would become ─────────────────────────────────────────────────────────────────────────────────────────

/** A diff by file, with what changed within lines. */
export function Diff({ text }) {
  const files = filesOf(text);
  return html`<div class="diffs">${files.map((file) => html`<details key=${file.name} class="diff-file" open=${files.length <= FILES_OPEN}>
    <summary><span class="path">${file.name}</span><span class="added">+${file.added}</span> <span class="removed">−${file.removed}</span></summary>
    <div class="diff-lines" tabindex="0" role="group" aria-label=${`Changes to ${file.name}`}><table class="diff-text"><tbody>
      ${file.lines.map((line, at) => html`<tr key=${at} class=${line.kind}><td class="sign">${line.sign}</td><td>${line.parts.map((part, place) =>
        (part.isNew ? html`<mark key=${place}>${part.text}</mark>` : part.text))}</td></tr>`)}
    </tbody></table></div>
  </details>`)}</div>`;
}

function filesOf(text) {
  const files = [];
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at];
    if (line.startsWith("--- ") && lines[at + 1]?.startsWith("+++ ")) {
      const name = [lines[at + 1], line].map((one) => one.slice(4).replace(/^[ab]\//, "").split("\t")[0]).find((one) => one !== "/dev/null") ?? line.slice(4);
      files.push({ name, lines: [], added: 0, removed: 0 });
      at += 1;
      continue;
    }
    if (!files.length) files.push({ name: "Changes", lines: [], added: 0, removed: 0 });
    const file = files.at(-1);
    const kind = line.startsWith("@@") ? "hunk" : { "+": "added", "-": "removed" }[line[0]] ?? "same";
    if (kind === "added") file.added += 1;
    if (kind === "removed") file.removed += 1;
    const isCode = kind !== "hunk" && /^[ +-]/.test(line);
    file.lines.push({ kind, sign: isCode ? line[0].replace("-", "−") : "", text: isCode ? line.slice(1) : line });
  }
  files.forEach((file) => {
    while (file.lines.at(-1)?.text === "") file.lines.pop();
    pair(file.lines);
  });
  return files.filter((file) => file.lines.length);
}

/** Blanks that differ, that end a line, or that no other line around begins with, as signs; the terminal does the same in
 *  `blanks.rs`: two lines that look the same would be approved blindly. */
const signs = (text) => text.replace(/\s/g, (blank) => ({ "\t": "→", " ": "·", "\r": "␍" }[blank] ?? "⍽"));
const letters = (text) => text.replace(/\s/g, "");
const runs = (text) => text.split(/(\s+)/).filter(Boolean);
const edges = (text) => { const all = runs(text); return { first: /^\s/.test(text) ? all.shift() : "", last: /\S\s+$/.test(text) ? all.pop() : "", all }; };
const isOdd = (run) => /[^\S \t\r]/.test(run);

function toldApart(own, other, isNew) {
  if (letters(own) === letters(other)) return signs(own);
  const [left, right] = [edges(own), edges(other)];
  const run = (text, across, isEnd = false) => (text !== across || isOdd(text) || (isEnd && isNew && text.replace(/\r+$/, "")) ? signs(text) : text);
  const inner = left.all.map((text, at) => (/^\s/.test(text) ? run(text, left.all.length === right.all.length ? right.all[at] : text) : text));
  return run(left.first, right.first) + inner.join("") + run(left.last, right.last, true);
}

function alone(text, usual) {
  const { first, last, all } = edges(text);
  const unlike = usual.size && [...first].some((blank) => blank !== "\r" && !usual.has(blank));
  const isEmpty = !all.length && !last;
  const begins = unlike || isOdd(first) || (isEmpty && first.replace(/\r+$/, "")) ? signs(first) : first;
  const inner = all.map((run) => (/^\s/.test(run) && (isOdd(run) || run.includes("\t")) ? signs(run) : run));
  return begins + inner.join("") + (last.replace(/\r+$/, "") ? signs(last) : last);
}

/** The blanks that lines begin with which stay or go; where there are none, those of the first line that comes. */
function usualOf(lines) {
  const of = (...kinds) => lines.filter((line) => kinds.includes(line.kind)).map((line) => edges(line.text).first).filter(Boolean);
  const old = of("same", "removed");
  return new Set(old.length ? old.join("") : of("added")[0] ?? "");
}

function showBlanks(lines) {
  for (let from = 0; from < lines.length;) {
    let to = from + 1;
    while (to < lines.length && lines[to].kind !== "hunk") to += 1;
    showBlanksOf(lines.slice(from, to));
    from = to;
  }
}

function showBlanksOf(lines) {
  const usual = usualOf(lines);
  const shown = lines.map((line) => (line.kind === "added" ? alone(line.text, usual) : line.text));
  const count = (at, isIt) => { let end = at; while (end < lines.length && isIt(lines[end])) end += 1; return end - at; };
  for (let at = 0; at < lines.length;) {
    const removed = count(at, ({ kind }) => kind === "removed");
    const between = removed ? count(at + removed, ({ text, sign }) => !sign && text.startsWith("\\")) : 0;
    const first = at + removed + between;
    const added = removed ? count(first, ({ kind }) => kind === "added") : 0;
    for (let old = at; old < at + removed; old += 1) {
      const same = lines.findIndex((line, place) => place >= first && place < first + added && letters(line.text) === letters(lines[old].text));
      const across = removed === added ? first + old - at : same;
      if (across < 0) continue;
      [shown[old], shown[across]] = [toldApart(lines[old].text, lines[across].text, false), toldApart(lines[across].text, lines[old].text, true)];
    }
    at += Math.max(1, removed + between + added);
  }
  lines.forEach((line, at) => { if (line.kind !== "hunk") line.text = shown[at]; });
}

/** Lines that took each other's place say which of their words differ. */
function pair(lines) {
  showBlanks(lines);
  lines.forEach((line) => { line.parts = [{ text: line.text, isNew: false }]; });
  for (let at = 0; at < lines.length; at += 1) {
    if (lines[at].kind !== "removed") continue;
    let end = at;
    while (lines[end]?.kind === "removed") end += 1;
    let last = end;
    while (lines[last]?.kind === "added") last += 1;
    for (let step = 0; step < Math.min(end - at, last - end); step += 1) {
      const [before, after] = [lines[at + step], lines[end + step]];
      const [left, right] = worded(before.text, after.text);
      if (left) [before.parts, after.parts] = [left, right];
    }
    at = last - 1;
  }
}

/** Two lines word by word; nothing where too little of them is the same. */
export function worded(left, right) {
  const [a, b] = [left, right].map((line) => line.match(/\w+|\s+|[^\w\s]/g) ?? []);
  if (!a.length || !b.length || a.length * b.length > WORDS_MAX) return [null, null];
  const length = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) length[i][j] = a[i] === b[j] ? length[i + 1][j + 1] + 1 : Math.max(length[i + 1][j], length[i][j + 1]);
  }
  if (length[0][0] * 2 < Math.min(a.length, b.length)) return [null, null];
  const [first, second] = [[], []];
  const put = (list, text, isNew) => { if (list.at(-1)?.isNew === isNew) list.at(-1).text += text; else list.push({ text, isNew }); };
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) { put(first, a[i], false); put(second, b[j], false); i += 1; j += 1; }
    else if (j >= b.length || (i < a.length && length[i + 1][j] >= length[i][j + 1])) { put(first, a[i], true); i += 1; }
    else { put(second, b[j], true); j += 1; }
  }
  return [first, second];
}

// ── what would be written down ──────────────────────────────────────────────────────────────────────────────────────

/** A draft with a title and fields: a ticket as it would be created. */
export function Draft({ draft, number = null }) {
  const { title, summary, kind, ...rest } = draft;
  const fields = Object.entries(rest).filter(([, value]) => !isEmpty(value) && typeof value !== "boolean");
  return html`<article class="draft">
    <h4>${number && html`<span class="step-number">${number}</span>`}<span>${title ?? summary ?? "Untitled"}</span>${kind && html`<${Chip}>${spoken(String(kind))}</${Chip}>`}</h4>
    <${Fields} fields=${fields.map(([name, value]) => [capitalised(spoken(name)), shown(value)])} />
  </article>`;
}

const isEmpty = (value) => value === null || value === undefined || value === "" || (Array.isArray(value) && !value.length)
  || (typeof value === "object" && !Array.isArray(value) && !Object.keys(value).length);

const capitalised = (text) => text[0].toUpperCase() + text.slice(1);

function shown(value) {
  if (Array.isArray(value)) return html`<ul>${value.map((one, at) => html`<li key=${at}>${shown(one)}</li>`)}</ul>`;
  if (typeof value === "object") return Object.entries(value).map(([name, one]) => `${spoken(name)}: ${typeof one === "object" ? JSON.stringify(one) : one}`).join(", ");
  return String(value);
}

const FILES_OPEN = 6;
const WORDS_MAX = 40_000;
