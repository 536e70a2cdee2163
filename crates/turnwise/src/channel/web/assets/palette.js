// Going to anything by its name: conversations, what can be done, commands, and words that were said. Next: keys.js.

import { api } from "./api.js";
import { exported, fork, open, place, remove, show } from "./acts.js";
import { ago } from "./format.js";
import { assistantNow, assistants, chosen, conversation, dialog, listed, theme } from "./store.js";
import { focusBack, html, names, toBox, useEffect, useRef, useState } from "./ui.js";

export function Palette({ shortcuts }) {
  const node = useRef(null);
  const [words, setWords] = useState("");
  const [at, setAt] = useState(0);
  const [hits, setHits] = useState([]);
  useEffect(() => {
    const from = document.activeElement;
    const own = node.current;
    own.showModal();
    return () => focusBack(from, own);
  }, []);
  useEffect(() => {
    if (words.trim().length < 2) { setHits([]); return undefined; }
    const looking = new AbortController();
    const due = setTimeout(() => api.search(words.trim(), looking.signal).then((found) => setHits(found.hits), () => {}), 150);
    return () => { clearTimeout(due); looking.abort(); };
  }, [words]);
  const leave = () => { dialog.value = null; };
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (one) => wanted.every((word) => `${one.name} ${one.about ?? ""}`.toLowerCase().includes(word));
  const list = [...things(shortcuts).filter(fits).slice(0, SHOWN_MAX),
    ...hits.map((hit) => ({ group: "Messages", name: hit.title ?? "New conversation", about: `${hit.before}${hit.matched}${hit.after}`, act: () => open(hit.conversation, { to: hit.sequence }) }))];
  const chosenAt = Math.min(at, list.length - 1);
  const take = (one) => { leave(); setTimeout(() => one.act()); };
  const keys = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && list.length) { event.preventDefault(); setAt((chosenAt + step + list.length) % list.length); }
    if (event.key === "Enter" && list[chosenAt]) { event.preventDefault(); take(list[chosenAt]); }
  };
  useEffect(() => node.current.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }), [chosenAt]);
  return html`<dialog id="palette" ref=${node} aria-label="Go to anything" onClose=${leave} onClick=${(event) => { if (event.target === node.current) leave(); }}>
    <div class="inner">
      <input type="text" role="combobox" aria-expanded="true" aria-controls="palette-list" aria-activedescendant=${list.length ? `palette-${chosenAt}` : null} aria-label="Go to anything"
        placeholder="A conversation, a command, words that were said …" autocomplete="off" onInput=${(event) => { setWords(event.target.value); setAt(0); }} onKeyDown=${keys} />
      <ul id="palette-list" role="listbox" aria-label="What fits">${list.map((one, place) => html`<li key=${`${one.group} ${place}`} id=${`palette-${place}`} role="option" aria-selected=${String(place === chosenAt)}
        class=${names(one.group !== list[place - 1]?.group && "first")} data-group=${one.group} onPointerMove=${() => setAt(place)} onClick=${() => take(one)}>
        <span class="name">${one.name}</span>${one.about && html`<span class="dim">${one.about}</span>`}${one.key && html`<kbd>${one.key}</kbd>`}</li>`)}</ul>
      ${!list.length && html`<p class="dim">Nothing fits.</p>`}
    </div></dialog>`;
}

/** Everything that can be gone to or done. */
function things(shortcuts) {
  const id = conversation.peek();
  const begun = assistants.value.map((one) => ({ group: "Begin", name: `New conversation with the ${one.title.toLowerCase()}`, act: () => { chosen.value = one.name; shortcuts.find(([key]) => key === "n")[2](); } }));
  const here = id ? [
    { name: "Facts and proof", key: "Alt F", act: () => show("facts") }, { name: "Files", act: () => show("files") }, { name: "People", act: () => show("people") },
    { name: "Why the last message was read so", key: "Alt W", act: () => show("why") }, { name: "Fork this conversation", act: () => fork() }, { name: "Export this conversation", act: exported },
    { name: "Delete this conversation", act: () => remove() },
  ].map((one) => ({ group: "This conversation", ...one })) : [];
  const all = listed.value.map((one) => ({ group: "Conversations", name: one.title ?? "New conversation", about: `${one.assistant} · ${ago(one.active_at)}`, act: () => open(one.id) }));
  const commands = (assistantNow()?.commands ?? []).map((one) => ({ group: "Commands", name: one.name, about: one.help, act: () => { place(`${one.name} `); toBox({ must: true }); } }));
  const looks = ["system", "light", "dark"].map((one) => ({ group: "Theme", name: `Theme: ${one}`, act: () => { theme.value = one; } }));
  return [...begun, ...all.slice(0, 30), ...here, ...commands, ...looks, { group: "Help", name: "Keyboard", key: "?", act: () => { dialog.value = { kind: "keys" }; } },
    { group: "Help", name: "API", act: () => globalThis.open("/docs", "_blank", "noopener") }];
}

const SHOWN_MAX = 60;
