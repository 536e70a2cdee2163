// The keyboard: everything on the page can be done without a mouse. Single keys work only outside of fields and can be
// turned off; the same with Alt works everywhere, also while typing. Next: app.js.

import { changePace, closePanel, fresh, show, stop } from "./acts.js";
import { inBox } from "./composing.js";
import { kept } from "./format.js";
import { dialog, isListOpen, panel } from "./store.js";
import { toQuestion } from "./transcript.js";
import { announce, at, toBox } from "./ui.js";

export const SHORTCUTS = [
  ["o", "Go to the open question", toQuestion],
  ["m", "Go to the message box", () => toBox({ must: true })],
  ["f", "Facts and proof", () => show("facts")],
  ["w", "Why the last message was read so", () => show("why")],
  ["p", "Pause the run, or go on", changePace],
  ["x", "Stop what runs, is planned or waits", stop],
  ["n", "New conversation", fresh],
  ["l", "Find a conversation", () => { isListOpen.value = true; at("find").focus(); setTimeout(() => at("find").focus()); }],
];

export function keys(event) {
  if (event.isComposing) return;
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
    event.preventDefault();
    dialog.value = dialog.peek()?.kind === "palette" ? null : { kind: "palette" };
    return;
  }
  if (document.querySelector("dialog[open]")) return;
  if (event.target === at("words") && inBox(event)) return;
  if (event.key === "Escape") { escape(); return; }
  if (event.ctrlKey || event.metaKey) return;
  const shortcut = SHORTCUTS.find(([key]) => event.code === `Key${key.toUpperCase()}`);
  if (event.altKey) {
    if (shortcut) { event.preventDefault(); shortcut[2](); }
    return;
  }
  if (event.target.closest("input, textarea, select, [contenteditable]") || kept.get("keys") === "off") return;
  if (event.key === "?") { event.preventDefault(); dialog.value = { kind: "keys" }; }
  else if (event.key === "/") { event.preventDefault(); toBox({ must: true }); if (!at("words").value) { at("words").value = "/"; at("words").dispatchEvent(new Event("input", { bubbles: true })); } }
  else if (shortcut && event.key === shortcut[0]) { event.preventDefault(); shortcut[2](); }
}

function escape() {
  const menu = document.querySelector("details.menu[open]");
  if (menu) { menu.open = false; menu.querySelector("summary").focus(); }
  else if (panel.peek()) closePanel();
  else if (isListOpen.peek()) { isListOpen.value = false; at("toggle-list").focus(); }
  else { toBox({ must: true }); announce("Message box."); }
}
