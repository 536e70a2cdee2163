// The screen on which a conversation begins: with whom, about what, and what could be asked. Next: composer.js.

import { api } from "./api.js";
import { place } from "./acts.js";
import { send } from "./composing.js";
import { counted, number } from "./format.js";
import { assistantNow, assistants, chosen, conversation, dialog, server } from "./store.js";
import { Icon, html, names, signal, useEffect, useState } from "./ui.js";

/** The tables of each assistant. */
const atHand = signal(new Map());

export function Welcome({ isBegun }) {
  const one = assistantNow();
  const name = one?.name;
  const id = conversation.value;
  const [own, setOwn] = useState(null);
  useEffect(() => {
    setOwn(null);
    if (id) api.data(id).then((data) => conversation.peek() === id && setOwn(data), () => {});
  }, [id]);
  useEffect(() => {
    if (name && !atHand.peek().has(name)) api.atHand(name).then((tables) => { atHand.value = new Map(atHand.peek()).set(name, tables); }, () => {});
  }, [name]);
  if (!one) return html`<section id="greeting" aria-label="What can be asked"></section>`;
  const tables = own?.tables ?? (id ? [] : atHand.value.get(one.name) ?? []);
  const examples = own?.examples ?? (id ? [] : one.examples);
  const ask = (text) => { place(text); send(); };
  return html`<section id="greeting" aria-label="What can be asked">
    <h2>${greetingOf(one)}</h2>
    ${!isBegun && html`<${Assistants} />`}
    ${!isBegun && !tables.length && one.greeting.slice(0, 1).map((text) => html`<p key=${text} class="dim lead">${text}</p>`)}
    ${examples.length > 0 && html`<div class="examples">${examples.slice(0, EXAMPLES).map((text) => html`<button key=${text} type="button" class="example" onClick=${() => ask(text)}>${text}</button>`)}</div>`}
    <${Data} tables=${tables} canBring=${server.value?.uploads?.assistant === one.name} />
  </section>`;
}

function greetingOf(one) {
  const hour = new Date().getHours();
  const part = hour < 5 ? "Good night" : hour < 12 ? "Good morning" : hour < 18 ? "Good afternoon" : "Good evening";
  const person = server.value?.person ?? "";
  const name = person && !person.includes(" ") && person.length < 20 && person !== "root" ? `, ${person[0].toUpperCase()}${person.slice(1)}` : "";
  return `${part}${name}. ${QUESTIONS[one.name] ?? "What shall we do?"}`;
}

/** What each is for, in a few words. */
const ABOUT = { analyst: "Answers questions about your data, with proof", coder: "Explains code and changes it, diff first", copilot: "Does tasks with tools, step by step",
  tickets: "Turns talk into tickets and reviews", companion: "Keeps your projects and notes" };

const QUESTIONS = { analyst: "What would you like to know?", coder: "What shall we change?", copilot: "What is to be done?", tickets: "What needs a ticket?", companion: "What are you working on?" };

/** The assistants this server serves, side by side where there are several; the others in one line. */
function Assistants() {
  const served = assistants.value;
  const away = (server.value?.assistants ?? []).filter((one) => !served.some((here) => here.name === one.name)).map((one) => one.name);
  const now = assistantNow()?.name;
  const several = served.length > 1 && html`<fieldset class="assistants"><legend class="hidden-text">Assistant</legend>
    ${served.map((one) => html`<label key=${one.name} class=${names("with", now === one.name && "is-chosen")}>
      <input type="radio" name="assistant" value=${one.name} checked=${now === one.name} onChange=${() => { chosen.value = one.name; }} />
      <b>${one.title}</b><span>${ABOUT[one.name] ?? one.title}</span></label>`)}</fieldset>`;
  return html`${several}${away.length > 0 && html`<p class="dim away">More assistants: start the server with ${away.map((name, at) => html`${at > 0 && (at === away.length - 1 ? " or " : ", ")}<code key=${name}>--assistant ${name}</code>`)}.</p>`}`;
}

/** The data at hand, and its first rows. */
function Data({ tables, canBring }) {
  const [open, setOpen] = useState(null);
  if (!tables.length && !canBring) return null;
  const shown = tables.find((table) => table.name === open);
  return html`<div class="data"><div class="row between"><h3>Data at hand</h3>
      ${canBring && html`<button type="button" class="quiet bring" onClick=${() => { dialog.value = { kind: "upload" }; }}><${Icon} name="clip" />Bring a file</button>`}</div>
    <ul class="tables">${tables.map((table) => html`<li key=${table.name}><button type="button" aria-expanded=${String(open === table.name)} onClick=${() => setOpen(open === table.name ? null : table.name)}>
      <${Icon} name="table" /><b>${table.name}</b><span class="dim">${[table.rows !== null && counted(table.rows, "row"), counted(table.columns.length, "column")].filter(Boolean).join(" · ")}</span></button></li>`)}</ul>
    ${shown && html`<${Preview} table=${shown} />`}
  </div>`;
}

function Preview({ table }) {
  return html`<div class="preview"><div class="scroll" tabindex="0" role="group" aria-label=${`First rows of ${table.name}`}><table>
    <thead><tr>${table.columns.map((column) => html`<th key=${column.name} scope="col" class=${column.kind === "number" ? "number" : ""}>${column.name}<span class="dim"> ${column.kind}</span></th>`)}</tr></thead>
    <tbody>${table.first.map((row, at) => html`<tr key=${at}>${row.map((cell, place) => html`<td key=${place} class=${typeof cell === "number" ? "number" : cell === null ? "none" : ""}>${number(cell)}</td>`)}</tr>`)}</tbody></table></div></div>`;
}


const EXAMPLES = 6;
