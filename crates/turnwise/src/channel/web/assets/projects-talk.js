// The talk about a project: what was said so far, and the next message with its whole reply.

import { announce, at, button, el, fill, when } from "./projects-dom.js";
import { desk } from "./projects-desk.js";

const talk = { of: null, first: null, busy: false };

/** Shows what was said about `id`; about nothing without one. */
export async function showTalk(id) {
  if (talk.of === id && id) return;
  Object.assign(talk, { of: id, first: null });
  fill(at("turns"));
  fill(at("suggestions"));
  at("earlier").hidden = true;
  if (!id) return;
  const turns = await desk.turns(id);
  if (talk.of !== id) return;
  fill(at("turns"), turns.reverse().map(turn));
  earlierFrom(turns);
  toEnd();
}

function earlierFrom(turns) {
  talk.first = turns[0]?.at ?? talk.first;
  at("earlier").hidden = turns.length < PAGE;
}

/** Wires the form; `heard` is called with each reply. */
export function startTalk(heard, failed) {
  const words = at("words");
  at("earlier").addEventListener("click", async () => {
    const turns = (await desk.turns(talk.of, talk.first)).reverse();
    at("turns").prepend(...turns.map(turn));
    earlierFrom(turns);
  });
  at("say").addEventListener("submit", (event) => { event.preventDefault(); say(words.value.trim(), heard, failed); });
  words.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); say(words.value.trim(), heard, failed); }
  });
}

async function say(message, heard, failed) {
  if (!message || talk.busy) return;
  const words = at("words");
  talk.busy = true;
  words.value = "";
  fill(at("suggestions"));
  const mine = turn({ role: "operator", content: message, created_at: Date.now() });
  at("turns").append(mine);
  toEnd();
  at("talk").setAttribute("aria-busy", "true");
  try {
    const reply = await desk.say(talk.of, message);
    at("turns").append(turn({ role: "companion", content: reply.companion_message, created_at: Date.now() }));
    announce(reply.companion_message);
    fill(at("suggestions"), reply.suggested_actions.map((action) => button(action.label, () => say(action.message, heard, failed))));
    if (reply.project_id) talk.of = reply.project_id;
    heard(reply);
  } catch (error) {
    // What was typed is not lost.
    mine.remove();
    words.value = message;
    failed(error);
  } finally {
    talk.busy = false;
    at("talk").removeAttribute("aria-busy");
    toEnd();
  }
}

function turn({ role, content, created_at }) {
  return el("li", { class: role }, el("span", { class: "hidden-text" }, role === "operator" ? "You: " : "Reply: "),
    el("p", { class: "text" }, content), el("time", { class: "dim", datetime: new Date(created_at).toISOString() }, when(created_at)));
}

const toEnd = () => { const list = at("log"); list.scrollTop = list.scrollHeight; };

const PAGE = 40;
