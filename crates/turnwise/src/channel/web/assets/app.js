// The page: a list of conversations, the one at hand with its turns and controls, and what is known in it. Each part is
// a module of its own; this one ties them to addresses, keys and the document.

import { api } from "./api.js";
import { draftOf, keepDraft, leave, list, open, place } from "./acts.js";
import { Composer } from "./composer.js";
import { Dialogs } from "./dialogs.js";
import { kept } from "./format.js";
import { SHORTCUTS, keys } from "./keys.js";
import { Panel } from "./panel.js";
import { Execution, Queue, Standing, Writing } from "./running.js";
import { Sidebar } from "./sidebar.js";
import { assistants, chosen, conversation, dismiss, guarded, isOffline, listed, notices, reset, route, server, state, theme, view } from "./store.js";
import { Top } from "./top.js";
import { Transcript } from "./transcript.js";
import { Icon, at, effect, html, render, toBox } from "./ui.js";
import { viewOf } from "./views.js";

function Page() {
  const page = route.value && viewOf(route.value);
  return html`<${Sidebar} />
    <main>
      ${page ? html`<${page.View} />` : html`<${Top} />
        <div id="notices" role="alert">${notices.value.map((text) => html`<p key=${text} class="notice"><span>${text}</span>
          <button type="button" class="quiet icon-only" aria-label="Dismiss" onClick=${() => dismiss(text)}><${Icon} name="close" /></button></p>`)}</div>
        <p id="line" role="status" hidden=${!isOffline.value}>${isOffline.value && "Connection lost. Trying again; what happens meanwhile will be shown, and what you type is kept."}</p>
        <${Transcript} />
        <div class="below"><${Writing} /><${Execution} /><${Queue} /><${Standing} /><${Composer} /></div>`}
    </main>
    <${Panel} />
    <${Dialogs} shortcuts=${SHORTCUTS} comeUp=${comeUp} />`;
}

function start() {
  // What was typed before the scripts were here is not lost.
  const early = at("words")?.value || null;
  const root = at("page");
  root.textContent = "";
  render(html`<${Page} />`, root);
  view.early = early;
  place(early ?? draftOf(null));
  toBox();
  document.addEventListener("keydown", keys);
  document.addEventListener("click", (event) => document.querySelectorAll("details.menu[open]").forEach((menu) => { if (!menu.contains(event.target) || event.target.closest(".items > :is(a, button)")) menu.open = false; }));
  addEventListener("popstate", () => go(false));
  addEventListener("hashchange", () => go(false));
  addEventListener("pagehide", keepDraft);
  watchFocus(root);
  comeUp();
}

/** Who had the focus in something that is gone is not left nowhere. */
function watchFocus(root) {
  let last = null;
  root.addEventListener("focusin", (event) => { last = event.target; });
  new MutationObserver(() => {
    const isLost = last && !last.isConnected && document.activeElement === document.body && !document.querySelector("dialog[open]");
    if (isLost) { last = null; toBox(); }
  }).observe(root, { childList: true, subtree: true });
}

// ── addresses: `#<conversation>`, `#<conversation>/<event>`, `#/<page>` ─────────────────────────────────────────────

function wanted() {
  const [first, second] = location.hash.slice(1).split("/");
  try {
    return { id: decodeURIComponent(first), to: second ?? null, page: first === "" && second ? second : null };
  } catch {
    return { id: "", to: null, page: null };
  }
}

/** Goes to where the address says. */
function go(isFirst) {
  const { id, to, page } = wanted();
  if (page && viewOf(page)) { keepDraft(); reset(null); document.body.classList.add("none-open"); route.value = page; return; }
  const last = isFirst ? kept.get("last") : null;
  if (id ? id !== conversation.peek() || route.peek() : last) open(id || last, { address: isFirst && !id ? "replace" : "none", to: id ? to : null });
  else if (!id) leave({ address: isFirst ? "replace" : "none" });
  else if (to) document.querySelector(`[data-sequence="${Number(to)}"]`)?.scrollIntoView({ block: "start" });
}

/** What is there to begin with; the last conversation is taken up again. */
async function comeUp() {
  const [known, here] = await Promise.all([guarded(() => api.assistants()), guarded(() => api.server().catch((error) => { if (error.status === 401) return null; throw error; }))]);
  if (!known) return;
  server.value = here;
  assistants.value = known;
  chosen.value ??= known[0]?.name ?? null;
  await list();
  go(true);
}

// ── what follows the state ──────────────────────────────────────────────────────────────────────────────────────────

effect(() => {
  kept.set("theme", theme.value === "system" ? null : theme.value);
  if (theme.value === "system") document.documentElement.removeAttribute("data-theme"); else document.documentElement.dataset.theme = theme.value;
});

let before = null;
let due = null;

/** The list follows what happens in the conversation, but not every step of it. */
effect(() => {
  const now = state.value;
  if (!now) return;
  const isUntitled = !listed.peek().find((one) => one.id === now.id)?.title;
  const isOther = before?.id !== now.id || before.phase !== now.phase || before.title !== now.title || before.members.length !== now.members.length;
  before = now;
  if (isOther || isUntitled) due ??= setTimeout(() => { due = null; list(); }, 150);
});

start();
