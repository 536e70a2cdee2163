// What stands over the page for a moment: signing in, a question before something is gone for good, the keys there are,
// a file to bring, and going to anything by its name. Next: palette.js.

import { api } from "./api.js";
import { begin } from "./acts.js";
import { bytes, kept, sentence } from "./format.js";
import { Flow } from "./flow.js";
import { Copy } from "./parts.js";
import { Palette } from "./palette.js";
import { chosen, assistants, dialog, notice, server, signingIn } from "./store.js";
import { focusBack, html, useEffect, useRef, useState } from "./ui.js";

export function Dialogs({ shortcuts, comeUp }) {
  const open = dialog.value;
  return html`<${SignIn} comeUp=${comeUp} />
    ${open?.kind === "confirm" && html`<${Confirm} ...${open} />`}
    ${open?.kind === "keys" && html`<${Keys} shortcuts=${shortcuts} />`}
    ${open?.kind === "flow" && html`<${Flow} />`}
    ${open?.kind === "upload" && html`<${Upload} />`}
    ${open?.kind === "link" && html`<${Link} address=${open.address} />`}
    ${open?.kind === "palette" && html`<${Palette} shortcuts=${shortcuts} />`}`;
}

/** A dialog that is closed by Escape, by a press beside it, or by `leave`. */
export function Dialog({ id, label, children, leave = () => { dialog.value = null; }, class: name = "" }) {
  const node = useRef(null);
  useEffect(() => {
    const from = document.activeElement;
    const own = node.current;
    own.showModal();
    return () => focusBack(from, own);
  }, []);
  return html`<dialog id=${id} ref=${node} class=${name} aria-label=${label} onClose=${leave} onCancel=${leave} onClick=${(event) => { if (event.target === node.current) leave(); }}>
    <div class="inner">${children}</div></dialog>`;
}

function SignIn({ comeUp }) {
  const [problem, setProblem] = useState("");
  const field = useRef(null);
  const node = useRef(null);
  const why = signingIn.value;
  useEffect(() => { if (why !== null) { node.current.showModal(); setProblem(why); } else if (node.current.open) node.current.close(); }, [why !== null]);
  const come = async (event) => {
    event.preventDefault();
    setProblem("");
    try {
      await api.signIn(field.current.value.trim());
    } catch (error) {
      setProblem(error.status === 401 ? "This token is not valid." : sentence(error.message));
      field.current.select();
      return;
    }
    field.current.value = "";
    signingIn.value = null;
    comeUp();
  };
  return html`<dialog id="sign-in" ref=${node} aria-labelledby="sign-in-title" onCancel=${(event) => event.preventDefault()}>
    <form id="sign-in-form" class="inner" onSubmit=${come}>
      <h2 id="sign-in-title">Sign in</h2>
      <p class="dim">Whoever runs this server gave you a token.</p>
      <label class="field"><span>Token</span><input id="token" ref=${field} type="password" autocomplete="current-password" required /></label>
      <p id="sign-in-problem" class="problem" role="alert">${problem}</p>
      <div class="row"><button class="primary">Sign in</button></div>
    </form></dialog>`;
}

function Confirm({ title, text, yes, does = "Delete", keeps = "Keep it" }) {
  return html`<${Dialog} id="confirm" label=${title}><h2 id="confirm-title">${title}</h2><p id="confirm-text" class="dim">${text}</p>
    <div class="row"><button type="button" autofocus onClick=${() => { dialog.value = null; }}>${keeps}</button><button id="confirm-yes" type="button" class="danger" onClick=${yes}>${does}</button></div></${Dialog}>`;
}

function Link({ address }) {
  return html`<${Dialog} id="link" label="Share link"><h2>Share link</h2><input type="text" readonly aria-label="Link" value=${address} onFocus=${(event) => event.target.select()} />
    <div class="row"><${Copy} text=${address} /></div></${Dialog}>`;
}

function Keys({ shortcuts }) {
  const rows = [...shortcuts.map(([key, does]) => [`${key}  or  Alt + ${key.toUpperCase()}`, does]), ...OTHERS];
  return html`<${Dialog} id="keys" label="Keyboard"><h2 id="keys-title">Keyboard</h2>
    <dl id="keys-list" class="help">${rows.map(([key, does]) => html`<dt key=${`${key} `}><kbd>${key}</kbd></dt><dd key=${key}>${does}</dd>`)}</dl>
    <label><input id="keys-on" type="checkbox" checked=${kept.get("keys") !== "off"} onChange=${(event) => kept.set("keys", event.target.checked ? null : "off")} /> Single keys work outside of text fields</label>
    <div class="row"><button type="button" class="primary" onClick=${() => { dialog.value = null; }}>Close</button></div></${Dialog}>`;
}

const OTHERS = [
  ["Ctrl + K", "Go to anything by its name"], ["Enter", "Send the message"], ["Shift + Enter", "A new line in it"], ["↑ ↓", "In an empty message box: what you said before"],
  ["/", "Go to the message box and list the commands"], ["← → ↑ ↓", "In a graph: along its edges; in a chart: its values"],
  ["Esc", "Close what is open, and back to the message box"], ["?", "This list"],
];

// ── a file to ask about ─────────────────────────────────────────────────────────────────────────────────────────────

/** A conversation of its own over a file that a person brings. */
function Upload() {
  const limits = server.value?.uploads;
  const [told, setTold] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [isOver, setOver] = useState(false);
  const field = useRef(null);
  const take = async (files) => {
    const list = [...files];
    if (!list.length || isBusy) return;
    const large = list.find((file) => file.size > limits.bytes_max);
    if (large) { setTold(`“${large.name}” has ${bytes(large.size)}; at most ${bytes(limits.bytes_max)} can be brought. Start the server with --data for larger ones.`); return; }
    if (list.length > limits.files_max) { setTold(`At most ${limits.files_max} files can be brought at once.`); return; }
    setBusy(true);
    setTold(`Reading ${list.map((file) => file.name).join(", ")} …`);
    try {
      const brought = await api.bring(list);
      chosen.value = assistants.peek().find((one) => one.name === limits.assistant)?.name ?? chosen.peek();
      dialog.value = null;
      await begin(brought.id);
    } catch (error) {
      setTold(`${sentence(error.message)} ${sentence(error.hint ?? "")}`);
      if (!error.status) notice("The server cannot be reached; nothing was brought.");
    }
    setBusy(false);
  };
  if (!limits) {
    return html`<${Dialog} id="upload" label="Bring a file"><h2>Bring a file</h2><p>No assistant here reads files that are brought. A server that serves the analyst does.</p>
      <div class="row"><button type="button" onClick=${() => { dialog.value = null; }}>Close</button></div></${Dialog}>`;
  }
  return html`<${Dialog} id="upload" label="Bring a file"><h2>Bring a file</h2>
    <label class=${`drop ${isOver ? "is-over" : ""}`} onDragOver=${(event) => { event.preventDefault(); setOver(true); }} onDragLeave=${() => setOver(false)}
      onDrop=${(event) => { event.preventDefault(); setOver(false); take(event.dataTransfer.files); }}>
      <input ref=${field} type="file" multiple accept=${limits.endings.map((one) => `.${one}`).join(",")} onChange=${(event) => take(event.target.files)} disabled=${isBusy} />
      <span>Drop files here, or choose them</span>
      <span class="dim">${limits.endings.join(", ")} · at most ${limits.files_max} files of ${bytes(limits.bytes_max)} each</span></label>
    <p class="dim">A new conversation begins over these files. They are kept on the server with that conversation and go when it is deleted.</p>
    <p class="told" role="status">${told}</p>
    <div class="row"><button type="button" onClick=${() => { dialog.value = null; }}>Cancel</button></div></${Dialog}>`;
}
