// The bar above a conversation: what it is called, where it stands, and what can be done with all of it. Next: running.js.

import { api } from "./api.js";
import { exported, fork, hashOf, isShared, quit, remove, rename, show } from "./acts.js";
import { clip } from "./format.js";
import { conversation, dialog, guarded, isListOpen, listed, notice, state, titleHere } from "./store.js";
import { Icon, announce, at, effect, html, names, useEffect, useRef, useState } from "./ui.js";

export function Top() {
  const now = state.value;
  const id = conversation.value;
  return html`<header class="top">
    <button id="toggle-list" class="quiet icon-only" type="button" aria-expanded=${String(isListOpen.value)} aria-controls="conversations" aria-label="Conversations"
      onClick=${() => { isListOpen.value = !isListOpen.value; if (isListOpen.value) setTimeout(() => at("find").focus()); }}><${Icon} name="menu" /></button>
    <${Title} key=${id ?? "new"} id=${id} />
    <${Status} />
    <span class="grow"></span>
    ${now && html`<${ModeSwitch} mode=${now.mode} />`}
    ${id && html`<button id="show-facts" class="quiet" type="button" onClick=${() => show("facts")} title="Facts and proof (Alt+F)"><${Icon} name="shield" /><span class="wide">Facts</span></button>
      <${More} id=${id} members=${now?.members ?? []} />`}
  </header>`;
}

/** What the conversation is called; it can be called otherwise. */
function Title({ id }) {
  const [isEdited, setEdited] = useState(false);
  const field = useRef(null);
  const title = titleOf(id);
  useEffect(() => { if (isEdited) field.current.select(); }, [isEdited]);
  if (!id) return html`<h1>New conversation</h1>`;
  if (!isEdited) {
    return html`<h1><button type="button" class="quiet title" title="Rename" onClick=${() => setEdited(true)}>${clip(title, 80)}</button></h1>`;
  }
  const keep = async (event) => {
    event.preventDefault();
    const text = field.current.value.trim();
    setEdited(false);
    if (text && text !== title) await rename(id, text);
  };
  return html`<form class="rename" onSubmit=${keep}><input ref=${field} type="text" aria-label="Title of the conversation" maxlength="120" defaultValue=${title}
    onBlur=${() => setEdited(false)} onKeyDown=${(event) => { if (event.key === "Escape") { event.stopPropagation(); setEdited(false); } }} /></form>`;
}

export const titleOf = (id) => (state.value?.id === id && titleHere()) || listed.value.find((one) => one.id === id)?.title || "New conversation";

/** Where the conversation stands, as a pill. */
function Status() {
  const now = state.value;
  const status = now?.status;
  const text = status ? told(status) : conversation.value ? "Connecting" : "";
  return html`<div id="status" role="group" aria-label="Status" class=${names("pill", status?.word ?? "none")} hidden=${!text}>
    <span class="dot" aria-hidden="true"></span><span id="status-line">${text}</span></div>`;
}

/** Where a conversation stands, in words for people. */
export function told(status) {
  switch (status.word) {
    case "ready": return "Ready";
    case "planning": return "Planning";
    case "asking": return "Waiting for your answer";
    case "waiting": return "Waiting for approval";
    case "running": return status.of > 1 ? `Running step ${status.step} of ${status.of}` : "Running";
    case "paused": return `Paused at step ${status.step} of ${status.of}`;
    case "failed": return `Step ${status.step} failed`;
    default: return status.word;
  }
}

let last = null;
effect(() => {
  const now = state.value;
  document.title = now ? `${now.status.word === "ready" ? "" : `${told(now.status)} · `}${titleOf(now.id)} — Turnwise` : "Turnwise";
  if (now && last && last.id === now.id && last.status.word !== now.status.word) announce(told(now.status));
  last = now;
});

function ModeSwitch({ mode }) {
  return html`<label class="mode" title="In proof mode a plan is complete in itself and can be audited; in exploratory mode it may use what was found before">
    <span class="hidden-text">Mode</span>
    <select id="mode" value=${mode} class=${mode} onChange=${(event) => guarded(() => api.mode(conversation.peek(), event.target.value))}>
      <option value="exploratory">Exploratory</option><option value="proof">Proof</option></select></label>`;
}

function More({ id, members }) {
  const act = (then) => () => { at("menu").open = false; then(); };
  return html`<details id="menu" class="menu"><summary class="quiet icon-only" aria-label="More" title="More"><${Icon} name="more" /></summary>
    <div class="items">
      <button id="show-people" type="button" onClick=${act(() => show("people"))}>People (${members.length})</button>
      <button id="show-files" type="button" onClick=${act(() => show("files"))}>Files</button>
      <button id="show-flow" type="button" onClick=${act(() => { dialog.value = { kind: "flow" }; })}>How work is done here</button>
      <button id="show-why" type="button" onClick=${act(() => show("why"))}>Why the last message was read so</button>
      <button type="button" onClick=${act(() => share(id))}>Share link</button>
      <button id="fork" type="button" onClick=${act(() => fork())}>Fork</button>
      <button id="export" type="button" onClick=${act(exported)}>Export</button>
      ${isShared() && members.length > 1 && html`<button id="quit" class="danger" type="button" onClick=${act(() => quit())}>Leave</button>`}
      <button id="delete" class="danger" type="button" onClick=${act(() => remove())}>Delete</button>
    </div></details>`;
}

async function share(id) {
  const address = `${location.origin}/${hashOf(id)}`;
  const isCopied = await navigator.clipboard?.writeText(address).then(() => true, () => false);
  if (!isCopied) dialog.value = { kind: "link", address };
  else notice(isShared() ? "The link is copied. Whoever shall open it must take part: let them in under People." : "The link is copied. It works for whoever can reach this server.");
}

