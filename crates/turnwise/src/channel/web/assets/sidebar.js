// The list of conversations: found by their titles and by every word in them, opened, renamed and deleted; and who is
// here. Next: acts.js.

import { api } from "./api.js";
import { further, fresh, isShared, open, readOlder, remove, rename, signOut } from "./acts.js";
import { ago, clip } from "./format.js";
import { assistants, conversation, dialog, isListOpen, listed, route, server, state, theme, titleHere } from "./store.js";
import { Icon, html, names, signal, useEffect, useLayoutEffect, useRef, useState } from "./ui.js";
import { views } from "./views.js";

const words = signal("");
const shown = signal(40);
/** What was found in messages, by the server. */
const hits = signal(null);

export function Sidebar() {
  const list = useRef(null);
  const [renamed, setRenamed] = useState(null);
  const [focusAt, setFocusAt] = useState(-1);
  const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
  const text = (one) => `${one.title ?? "new conversation"} ${one.assistant} ${PHASES[one.phase] ?? ""} ${one.members.join(" ")}`.toLowerCase();
  const fitting = listed.value.filter((one) => wanted.every((word) => text(one).includes(word)));
  useEffect(() => search(words.value), [words.value]);
  useLayoutEffect(() => document.body.classList.toggle("list-open", isListOpen.value), [isListOpen.value]);
  useLayoutEffect(() => { if (focusAt >= 0) { list.current.children[focusAt]?.querySelector("button")?.focus(); setFocusAt(-1); } }, [shown.value, listed.value]);
  const more = async () => {
    const first = Math.min(shown.value, fitting.length);
    setFocusAt(first);
    if (fitting.length <= shown.value && further.value) await readOlder();
    shown.value = first + PAGE;
  };
  return html`<nav id="conversations" aria-label="Conversations">
    <div class="brand"><img src="/assets/icon.svg" alt="" width="22" height="22" /><b>Turnwise</b>
      <button type="button" class="quiet icon-only close-list" aria-label="Close the list" onClick=${() => { isListOpen.value = false; }}><${Icon} name="close" /></button></div>
    <button id="new" type="button" class="new" title="New conversation (Alt+N)" onClick=${fresh}><${Icon} name="add" /><span>New conversation</span></button>
    <div class="find"><${Icon} name="search" /><label class="hidden-text" for="find">Find a conversation</label>
      <input id="find" type="search" placeholder="Search everything" autocomplete="off" onInput=${(event) => { words.value = event.target.value; shown.value = PAGE; }} />
      <kbd aria-hidden="true">Ctrl K</kbd></div>
    ${assistants.value.some((one) => one.name === "companion") && html`<ul class="views"><li><a href="/projects"><${Icon} name="file" />Projects</a></li></ul>`}
    ${views.value.length > 0 && html`<ul class="views">${views.value.map((one) => html`<li key=${one.name}><a href=${`#/${one.name}`} aria-current=${route.value === one.name ? "page" : null}>${one.icon && html`<${Icon} name=${one.icon} />`}${one.title}</a></li>`)}</ul>`}
    <div class="scrolled">
      <ul id="list" ref=${list}>${fitting.slice(0, shown.value).map((one) => html`<${Row} key=${one.id} one=${one} isRenamed=${renamed === one.id} setRenamed=${setRenamed} />`)}</ul>
      ${(fitting.length > shown.value || (further.value && !wanted.length)) && html`<button id="more" type="button" class="quiet" onClick=${more}>${fitting.length > shown.value ? `Show ${Math.min(PAGE, fitting.length - shown.value)} more of ${fitting.length}` : "Show older ones"}</button>`}
      <p id="list-note" class="dim" role="status">${wanted.length ? `${fitting.length} of ${listed.value.length} titles fit.` : listed.value.length ? "" : "No conversations yet."}</p>
      ${hits.value && html`<${Found} />`}
    </div>
    <${Me} />
  </nav>`;
}

function Row({ one, isRenamed, setRenamed }) {
  const field = useRef(null);
  useEffect(() => { if (isRenamed) field.current.select(); }, [isRenamed]);
  // The list is read now and then; the one at hand is known as it is.
  const isHere = one.id === conversation.value;
  const title = (isHere && (state.value?.title ?? one.title ?? titleHere())) || one.title || "New conversation";
  if (isRenamed) {
    const keep = async (event) => {
      event.preventDefault();
      const text = field.current.value.trim();
      setRenamed(null);
      if (text && text !== title) await rename(one.id, text);
    };
    return html`<li><form onSubmit=${keep}><input ref=${field} type="text" maxlength="120" aria-label="Title of the conversation" defaultValue=${title}
      onBlur=${() => setRenamed(null)} onKeyDown=${(event) => { if (event.key === "Escape") { event.stopPropagation(); setRenamed(null); } }} /></form></li>`;
  }
  // A run that waits for somebody does not run.
  const phase = isHere && state.value?.status.word === "paused" ? "awaiting_approval" : isHere ? state.value?.phase ?? one.phase : one.phase;
  return html`<li class="row-of">
    <button type="button" class="row-open" aria-current=${isHere ? "true" : null} data-id=${one.id} onClick=${() => open(one.id)}>
      <span class="title">${title}</span>
      <span class="about">${PHASES[phase] && html`<span class=${names("state", phase)}>${PHASES[phase]}</span>`}<span class="dim">${one.assistant}</span><span class="dim">${ago(one.active_at)}</span>
        ${one.members.length > 1 && html`<span class="dim">${one.members.length} people</span>`}</span></button>
    <span class="row-acts"><button type="button" class="quiet icon-only" aria-label=${`Rename ${clip(title, 40)}`} title="Rename" onClick=${() => setRenamed(one.id)}><${Icon} name="edit" /></button>
      <button type="button" class="quiet icon-only" aria-label=${`Delete ${clip(title, 40)}`} title="Delete" onClick=${() => remove(one.id)}><${Icon} name="close" /></button></span>
  </li>`;
}

const PHASES = { planning: "planning", awaiting_approval: "needs you", executing: "running", failed: "failed" };

// ── search in everything ────────────────────────────────────────────────────────────────────────────────────────────

let looking = null;

function search(text) {
  looking?.abort();
  if (text.trim().length < 2) { hits.value = null; return undefined; }
  looking = new AbortController();
  const { signal: given } = looking;
  const due = setTimeout(() => api.search(text.trim(), given).then((found) => { hits.value = found; }, () => {}), 180);
  return () => clearTimeout(due);
}

function Found() {
  const { hits: list, partial } = hits.value;
  return html`<h2 class="label">In messages</h2>
    <ul id="found">${list.map((hit) => html`<li key=${`${hit.conversation} ${hit.sequence}`}><button type="button" class="row-open" onClick=${() => open(hit.conversation, { to: hit.sequence })}>
      <span class="title">${hit.title ?? "New conversation"}</span><span class="hit">${hit.before}<mark>${hit.matched}</mark>${hit.after}</span></button></li>`)}</ul>
    <p class="dim" role="status">${list.length ? "" : "Nothing said fits."}${partial ? "Older conversations were not looked through; a longer word finds more." : ""}</p>`;
}

// ── who is here ─────────────────────────────────────────────────────────────────────────────────────────────────────

function Me() {
  const person = server.value?.person;
  if (!person) return html`<div class="me"></div>`;
  const act = (then) => (event) => { event.currentTarget.closest("details").open = false; then(); };
  return html`<details class="menu me up"><summary><span class="avatar" aria-hidden="true">${Array.from(person)[0].toUpperCase()}</span><span class="name">${person}</span><${Icon} name="more" /></summary>
    <div class="items">
      <div class="themes" role="group" aria-label="Theme">${["system", "light", "dark"].map((one) => html`<button key=${one} type="button" aria-pressed=${String(theme.value === one)} onClick=${() => { theme.value = one; }}>${one}</button>`)}</div>
      <button type="button" onClick=${act(() => { dialog.value = { kind: "palette" }; })}>Go to anything <kbd>Ctrl K</kbd></button>
      <button type="button" onClick=${act(() => { dialog.value = { kind: "keys" }; })}>Keyboard <kbd>?</kbd></button>
      <a href="/docs" target="_blank" rel="noopener">API</a>
      ${isShared() ? html`<button id="sign-out" type="button" onClick=${act(signOut)}>Sign out ${person}</button>` : html`<p class="dim">Turnwise ${server.value.version}, for whoever sits at this machine.</p>`}
    </div></details>`;
}


const PAGE = 40;
