// What the message box does: words are sent, brought back and completed. Next: composer.js, which shows it.

import { api } from "./api.js";
import { begin, keepDraft, place, undelivered } from "./acts.js";
import { kept } from "./format.js";
import { toEnd } from "./scroll.js";
import { assistantNow, conversation, editing, guarded, seen, send as show } from "./store.js";
import { announce, at, signal, toBox } from "./ui.js";

/** The commands that fit what is typed, and which of them is chosen. */
export const offered = signal({ list: [], at: 0 });

// ── sending ─────────────────────────────────────────────────────────────────────────────────────────────────────────

const past = { said: [], at: 0 };

/** Sends what is in the box. */
export async function send() {
  const text = at("words").value.trim();
  if (!text) return;
  if (text === "/edit" && editPlan()) { place(""); keepDraft(); return; }
  if (!conversation.peek() && !(await begin())) return;
  const id = conversation.peek();
  place("");
  editing.value = null;
  past.said = [...past.said.filter((one) => one !== text), text].slice(-PAST_MAX);
  past.at = past.said.length;
  // Until it is delivered it is the draft: a page that is closed meanwhile shows it again.
  undelivered.set(id, text);
  kept.set(`draft:${id}`, text);
  const before = seen();
  const unsend = show(text);
  requestAnimationFrame(toEnd);
  const reply = await guarded(() => api.say(id, text, before));
  unsend();
  undelivered.delete(id);
  if (conversation.peek() !== id) { if (reply) kept.set(`draft:${id}`, null); return; }
  if (!reply) place(at("words").value ? `${text}\n${at("words").value}` : text);
  keepDraft();
}

/** Opens the plan that waits as text, where it stands. */
function editPlan() {
  const open = [...document.querySelectorAll(".card.plan:not(.closed) .edit-plan")].at(-1);
  open?.click();
  return Boolean(open);
}

/** Brings back what was said before, in an empty box or one that holds such. */
function recall(event) {
  const box = at("words");
  const isOwn = box.value === "" || box.value === past.said[past.at];
  if (!isOwn || !past.said.length || (event.key === "ArrowDown" && box.value === "")) return;
  event.preventDefault();
  past.at = Math.min(Math.max(past.at + (event.key === "ArrowUp" ? -1 : 1), 0), past.said.length);
  place(past.said[past.at] ?? "");
  box.setSelectionRange(box.value.length, box.value.length);
}

// ── commands ────────────────────────────────────────────────────────────────────────────────────────────────────────

export function offer(text) {
  const all = [...(assistantNow()?.commands ?? []), ...OWN];
  const list = /^\/\S*$/.test(text) ? all.filter((one) => one.name.startsWith(text.toLowerCase()) && one.name !== text) : [];
  offered.value = { list: list.slice(0, OFFERED_MAX), at: 0 };
}

const OWN = [{ name: "/edit", help: "Open the plan that waits as text" }];

export function complete(command) {
  place(`${command.name} `);
  offered.value = { list: [], at: 0 };
  toBox({ must: true });
}

/** Whether a key in the message box was for it. */
export function inBox(event) {
  const { list, at: chosen } = offered.peek();
  if (list.length && !event.altKey && !event.ctrlKey && !event.metaKey) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      const next = (chosen + step + list.length) % list.length;
      offered.value = { list, at: next };
      announce(`${list[next].name}: ${list[next].help}`);
      return true;
    }
    const isWhole = (assistantNow()?.commands ?? []).some((one) => one.name === at("words").value);
    if (event.key === "Tab" || (event.key === "Enter" && !event.shiftKey && !isWhole)) { event.preventDefault(); complete(list[chosen]); return true; }
    if (event.key === "Escape") { offered.value = { list: [], at: 0 }; return true; }
  }
  if (event.key === "Escape" && editing.peek()) { editing.value = null; place(""); return true; }
  if (event.key === "Enter" && !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey) { event.preventDefault(); send(); return true; }
  if (event.key === "ArrowUp" || event.key === "ArrowDown") recall(event);
  return false;
}


const PAST_MAX = 50;
const OFFERED_MAX = 9;
