// The message box: what is typed is kept until the server has it, whatever happens to the page, the line or the server.

import { at, kept } from "./dom.js";
import { begin } from "./list.js";
import { api } from "./api.js";
import { guarded, seen, view } from "./session.js";
import { sending } from "./transcript.js";

const past = { said: [], at: 0 };

/** Sends what is in the box. */
export async function send() {
  const text = at("words").value.trim();
  if (!text) return;
  if (!view.id && !(await begin())) return;
  if (text === "/edit" && editPlan()) { place(""); keepDraft(); return; }
  const id = view.id;
  place("");
  past.said = [...past.said.filter((one) => one !== text), text].slice(-PAST_MAX);
  past.at = past.said.length;
  // Until it is delivered it is the draft: a page that is closed meanwhile shows it again.
  undelivered.set(id, text);
  kept.set(`draft:${id}`, text);
  const unsend = sending(text);
  const before = seen();
  const reply = await guarded(() => api.say(id, text, before));
  unsend();
  undelivered.delete(id);
  if (view.id !== id) { if (reply) kept.set(`draft:${id}`, null); return; }
  if (!reply) place(at("words").value ? `${text}\n${at("words").value}` : text);
  keepDraft();
}

/** Opens the plan that waits as text, where it stands. */
function editPlan() {
  const open = [...document.querySelectorAll(".card.plan:not(.closed) .edit-plan")].at(-1);
  open?.click();
  return Boolean(open);
}

/** Puts `text` into the box. */
export function place(text) {
  at("words").value = text;
  grow();
}

/** The box is as high as what is in it, up to a third of the page. */
export function grow() {
  const box = at("words");
  const lines = box.value.split("\n").reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / Math.max(20, box.clientWidth / 9))), 0);
  box.rows = Math.min(Math.max(lines, 1), LINES_MAX);
}

export const draftOf = (id) => kept.get(`draft:${id ?? "new"}`) ?? "";

/** Keeps what is in the box for the conversation at hand. */
export const keepDraft = () => kept.set(`draft:${view.id ?? "new"}`, [undelivered.get(view.id), at("words").value].filter(Boolean).join("\n"));

/** What is on its way, by conversation. */
const undelivered = new Map();

/** Brings back what was said before, in an empty box or one that holds such. */
export function recall(event) {
  const box = at("words");
  const isOwn = box.value === "" || box.value === past.said[past.at];
  if (!isOwn || !past.said.length || (event.key === "ArrowDown" && box.value === "")) return;
  event.preventDefault();
  past.at = Math.min(Math.max(past.at + (event.key === "ArrowUp" ? -1 : 1), 0), past.said.length);
  place(past.said[past.at] ?? "");
  box.setSelectionRange(box.value.length, box.value.length);
}

const PAST_MAX = 50;
const LINES_MAX = 9;
