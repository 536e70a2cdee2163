// The message box: what is typed is kept until the server has it, whatever happens to the page, the line or the server.
// A slash lists the commands there are. Next: composing.js.

import { keepDraft, place, stop } from "./acts.js";
import { complete, offer, offered, send } from "./composing.js";
import { assistantNow, dialog, editing, server, state } from "./store.js";
import { Icon, html, signal, toBox, useEffect, useLayoutEffect, useRef } from "./ui.js";

const isEmpty = signal(true);

export function Composer() {
  const box = useRef(null);
  const { list, at: chosen } = offered.value;
  const assistant = assistantNow();
  useLayoutEffect(() => { grow(box.current); }, []);
  useEffect(() => { const leave = () => { offered.value = { list: [], at: 0 }; }; document.addEventListener("click", leave); return () => document.removeEventListener("click", leave); }, []);
  const typed = () => { grow(box.current); offer(box.current.value); isEmpty.value = !box.current.value.trim(); keepDraft(); };
  const isBusy = state.value?.busy && ["planning", "executing"].includes(state.value.phase);
  return html`<form class="composer" aria-label="Message" onSubmit=${(event) => event.preventDefault()}>
    ${list.length > 0 && html`<ul id="commands" role="listbox" aria-label="Commands">${list.map((one, index) => html`<li key=${one.name} id=${`command-${index}`} role="option"
      aria-selected=${String(index === chosen)} onPointerDown=${(event) => { event.preventDefault(); complete(one); }}><b>${one.name}</b><span>${one.help}</span></li>`)}</ul>`}
    ${editing.value && html`<p class="editing"><span>Editing what you said; sending asks it again here.</span>
      <button type="button" class="link" onClick=${() => { editing.value = null; place(""); toBox(); }}>Leave it</button></p>`}
    <div class="box-around">
      ${server.value?.uploads && html`<button type="button" class="quiet icon-only attach" aria-label="Bring a file" title="Ask about a file of your own" onClick=${() => { dialog.value = { kind: "upload" }; }}><${Icon} name="clip" /></button>`}
      <label class="hidden-text" for="words">Message</label>
      <textarea id="words" ref=${box} rows="1" placeholder=${placeholderOf(assistant)} autocomplete="off" aria-describedby="words-hint" onInput=${typed}
        aria-controls=${list.length ? "commands" : null} aria-autocomplete="list" aria-activedescendant=${list.length ? `command-${chosen}` : null}></textarea>
      <span id="words-hint" class="hidden-text">Enter sends, Shift and Enter begins a new line, a slash lists the commands.</span>
      ${isBusy && isEmpty.value && html`<button type="button" class="round stop" aria-label="Stop" title="Stop (Alt+X)" onClick=${stop}><${Icon} name="stop" /></button>`}
      <button id="send" type="button" class="round primary" aria-label="Send" title="Send (Enter)" onClick=${send}><${Icon} name="send" /></button>
    </div>
  </form>`;
}

const placeholderOf = (assistant) => (state.value?.pending.length ? "Answer, or ask something else" : assistant ? `Message the ${assistant.title.toLowerCase()}, or type /` : "Ask, answer, or type /");

/** The box is as high as what is in it, up to a third of the page. */
function grow(box) {
  box.rows = 1;
  const line = parseFloat(getComputedStyle(box).lineHeight) || 22;
  box.rows = Math.min(Math.max(Math.round((box.scrollHeight - 16) / line), 1), LINES_MAX);
}

const LINES_MAX = 9;
