// The keyboard: everything on the page can be done without a mouse. Single keys work only outside of fields and can be
// turned off; the same with Alt works everywhere, also while typing.

import { recall, send } from "./composer.js";
import { announce, at, el, fill, kept } from "./dom.js";
import { changePace, stopRun } from "./execution.js";
import { showFacts } from "./facts.js";
import { begin } from "./list.js";
import { closePanel, showWhy } from "./panel.js";
import { view } from "./session.js";
import { toQuestion } from "./transcript.js";

const SHORTCUTS = [
  ["o", "Go to the open question", toQuestion],
  ["m", "Go to the message box", () => at("words").focus()],
  ["f", "Facts and proof", () => view.id && showFacts()],
  ["w", "Why the last message was read so", () => view.id && showWhy()],
  ["p", "Pause the run, or go on", changePace],
  ["x", "Stop what runs, is planned or waits", () => view.id && stopRun()],
  ["n", "New conversation", begin],
  ["l", "Find a conversation", () => { document.body.classList.add("list-open"); at("find").focus(); }],
];

const OTHERS = [
  ["Enter", "Send the message"], ["Shift + Enter", "A new line in it"], ["↑ ↓", "In an empty message box: what you said before"],
  ["/", "Go to the message box and begin a command"], ["← → ↑ ↓", "In a graph: along its edges; Enter opens a step"],
  ["Esc", "Close what is open, and back to the message box"], ["?", "This list"],
];

/** Makes the list of shortcuts. */
export function listKeys() {
  fill(at("keys-list"), [...SHORTCUTS.map(([key, does]) => [`${key}  or  Alt + ${key.toUpperCase()}`, does]), ...OTHERS]
    .flatMap(([key, does]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, does)]));
  at("keys-on").checked = kept.get("keys") !== "off";
  at("keys-on").addEventListener("change", () => kept.set("keys", at("keys-on").checked ? null : "off"));
}

export const showKeys = () => at("keys").showModal();

export function keys(event) {
  if (document.querySelector("dialog[open]") || event.isComposing) return;
  if (event.target === at("words") && inBox(event)) return;
  if (event.key === "Escape") { escape(); return; }
  if (event.ctrlKey || event.metaKey) return;
  const shortcut = SHORTCUTS.find(([key]) => event.code === `Key${key.toUpperCase()}`);
  if (event.altKey) {
    if (shortcut) { event.preventDefault(); shortcut[2](); }
    return;
  }
  if (event.target.closest("input, textarea, select, [contenteditable]") || !at("keys-on").checked) return;
  if (event.key === "?") { event.preventDefault(); showKeys(); }
  else if (event.key === "/") { event.preventDefault(); at("words").focus(); if (!at("words").value) at("words").value = "/"; }
  else if (shortcut && event.key === shortcut[0]) { event.preventDefault(); shortcut[2](); }
}

/** Whether a key in the message box was for it. */
function inBox(event) {
  if (event.key === "Enter" && !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey) { event.preventDefault(); send(); return true; }
  if (event.key === "ArrowUp" || event.key === "ArrowDown") recall(event);
  return false;
}

function escape() {
  const menu = at("menu");
  if (menu.open) { menu.open = false; menu.querySelector("summary").focus(); }
  else if (!at("panel").hidden) closePanel();
  else if (document.body.classList.contains("list-open")) { document.body.classList.remove("list-open"); at("toggle-list").focus(); }
  else { at("words").focus(); announce("Message box."); }
}
