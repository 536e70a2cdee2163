// The panel beside the conversation: facts, why a message was read as it was, who takes part, which files were written.

import { api, fileAt } from "./api.js";
import { closePanel, isShared, quit } from "./acts.js";
import { Facts } from "./facts.js";
import { bytes } from "./format.js";
import { Reading } from "./reading.js";
import { conversation, guarded, panel, personOf, state, take } from "./store.js";
import { Icon, at, html, useEffect, useLayoutEffect, useRef, useState } from "./ui.js";

const KINDS = {
  facts: { title: (about) => about ?? "Facts", view: ({ about }) => html`<${Facts} name=${about} />` },
  why: { title: () => "Why it was read so", view: Why },
  people: { title: () => "Who takes part", view: People },
  files: { title: () => "Files", view: Files },
};

export function Panel() {
  const open = panel.value;
  const title = useRef(null);
  useLayoutEffect(() => {
    document.body.classList.toggle("panel-open", Boolean(open));
    if (!open) return;
    title.current.focus();
    at("panel").scrollTop = 0;
  }, [open?.kind, open?.about]);
  if (!open) return html`<aside id="panel" hidden aria-labelledby="panel-title"><h2 id="panel-title"></h2></aside>`;
  const { title: titleOf, view: View } = KINDS[open.kind];
  return html`<aside id="panel" aria-labelledby="panel-title">
    <div class="row between"><h2 id="panel-title" tabindex="-1" ref=${title}>${titleOf(open.about)}</h2>
      <button id="close-panel" type="button" class="quiet icon-only" onClick=${closePanel} aria-label="Close" title="Close (Esc)"><${Icon} name="close" /></button></div>
    <div id="panel-body"><${View} key=${`${open.kind} ${open.about}`} about=${open.about} /></div>
  </aside>`;
}

function Why({ about }) {
  const [read, setRead] = useState(null);
  useEffect(() => { guarded(() => api.why(conversation.peek(), about)).then((it) => it && setRead(it)); }, [about]);
  if (!read) return null;
  return html`<p class="dim">${OUTCOMES[read.outcome] ?? read.outcome}</p>${read.readings.map((reading, at) => html`<${Reading} key=${at} reading=${reading} />`)}`;
}

const OUTCOMES = { understood: "This is how it was understood.", unsure: "It could mean several things; these were the likely ones.",
  unknown_command: "There is no such command.", bare_command: "That command needs words behind it.", empty: "There were no words in it." };

function People() {
  const field = useRef(null);
  const admit = async (event) => {
    event.preventDefault();
    const now = await guarded(() => api.admit(conversation.peek(), field.current.value.trim()));
    if (!now) return;
    field.current.value = "";
    take(now);
  };
  return html`<ul class="people">${(state.value?.members ?? []).map((person) => html`<li key=${person}>${person}${personOf(person) === "you" && html`<span class="dim"> (you)</span>
      ${isShared() && state.value.members.length > 1 && html` <button type="button" class="link" onClick=${() => quit()}>Leave</button>`}`}</li>`)}</ul>
    <p class="dim">Whoever takes part reads everything in this conversation, and may decide in it. To share it, let the person in and send them the link.</p>
    <form class="controls" onSubmit=${admit}><input ref=${field} type="text" required maxlength="100" placeholder="Name, as in their token" aria-label="Person to let in" /><button>Let in</button></form>`;
}

function Files() {
  const [files, setFiles] = useState(null);
  const now = state.value?.sequence;
  const look = () => guarded(() => api.files(conversation.peek())).then((read) => read && setFiles(read));
  useEffect(() => { look(); }, [now]);
  if (!files) return null;
  if (!files.length) return html`<p class="dim">No run wrote a file yet. “… and save it as name.csv” has one written.</p>`;
  return html`<button type="button" class="quiet" onClick=${look}>Look again</button><ul class="files">${files.map((file) => html`<li key=${file.number}>
    ${file.state === "kept" ? html`<a href=${fileAt(conversation.value, file.number)} download=${file.name}>${file.name}</a> <span class="dim">${bytes(file.bytes)}</span>`
      : html`<span>${file.name} (${NOT_KEPT[file.state] ?? "cannot be had"})</span>`}
    <p class="dim">${file.description}, step ${file.step}</p></li>`)}</ul>`;
}

/** Why a file cannot be had any more. */
const NOT_KEPT = {
  changed: "holds something else by now",
  gone: "not there any more",
  unrecorded: "nobody recorded what it held; save it anew",
};
