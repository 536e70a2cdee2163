// The page: a list of conversations, the one at hand with its transcript and controls, and what is known in it. Each part
// is a module of its own; this one ties them to the document.

import { api } from "./api.js";
import { draftOf, grow, keepDraft, place, send } from "./composer.js";
import { at, button, el, fill, kept } from "./dom.js";
import { showFacts } from "./facts.js";
import { keys, listKeys, showKeys } from "./keys.js";
import { begin, exported, find, fork, list, leave, open, remove, showMore } from "./list.js";
import { closePanel, showFiles, showPeople, showWhy } from "./panel.js";
import { guarded, notice, sentence, view } from "./session.js";
import { toEnd } from "./transcript.js";

function start() {
  const on = (id, type, then) => at(id).addEventListener(type, then);
  const withOne = (then) => () => { at("menu").open = false; if (view.id) then(); };
  document.addEventListener("keydown", keys);
  document.addEventListener("click", (event) => { if (!event.target.closest("#menu")) at("menu").open = false; });
  on("send", "click", send);
  on("words", "input", () => { grow(); keepDraft(); });
  document.querySelector(".composer").addEventListener("submit", (event) => event.preventDefault());
  on("new", "click", begin);
  on("find", "input", find);
  on("more", "click", showMore);
  on("newer", "click", toEnd);
  on("transcript", "scroll", () => { const box = at("transcript"); if (box.scrollHeight - box.scrollTop - box.clientHeight < 40) at("newer").hidden = true; });
  on("toggle-list", "click", () => {
    const isOpen = document.body.classList.toggle("list-open");
    at("toggle-list").setAttribute("aria-expanded", String(isOpen));
    if (isOpen) at("find").focus();
  });
  on("show-facts", "click", withOne(() => showFacts()));
  on("show-why", "click", withOne(() => showWhy()));
  on("show-people", "click", withOne(showPeople));
  on("show-files", "click", withOne(showFiles));
  on("show-keys", "click", () => { at("menu").open = false; showKeys(); });
  on("fork", "click", withOne(fork));
  on("export", "click", withOne(exported));
  on("delete", "click", withOne(remove));
  on("close-panel", "click", () => closePanel());
  on("mode", "change", () => view.id && guarded(() => api.mode(view.id, at("mode").value)));
  on("assistant", "change", greet);
  on("sign-in-form", "submit", signIn);
  on("sign-out", "click", signOut);
  addEventListener("hashchange", () => { const wanted = wantedHere(); if (wanted && wanted !== view.id) open(wanted); });
  addEventListener("pagehide", keepDraft);
  listKeys();
  // What was typed before the scripts were here is not lost.
  view.early = at("words").value || null;
  if (!view.early) place(draftOf(null));
  comeUp();
}

const wantedHere = () => { try { return decodeURIComponent(location.hash.slice(1)); } catch { return ""; } };

async function signIn(event) {
  event.preventDefault();
  at("sign-in-problem").textContent = "";
  try {
    await api.signIn(at("token").value.trim());
  } catch (error) {
    at("sign-in-problem").textContent = error.status === 401 ? "This token is not valid." : error.message;
    at("token").select();
    return;
  }
  at("token").value = "";
  at("sign-in").close();
  comeUp();
}

/** Ends the session here and on the server; whoever comes next sees nothing of what was open. */
async function signOut() {
  at("menu").open = false;
  try {
    await api.signOut();
  } catch (error) {
    notice(`You are still signed in. ${sentence(error.message)}`);
    return;
  }
  // What is in the box would be kept as a draft when the page is left.
  view.id = null;
  place("");
  kept.clear();
  location.replace("/");
}

/** What is there to begin with; the last conversation is taken up again. */
async function comeUp() {
  const assistants = await guarded(() => api.assistants());
  if (!assistants) return;
  view.assistants = assistants;
  const server = await guarded(() => api.server());
  at("sign-out").hidden = !server?.can_sign_out;
  at("sign-out").textContent = `Sign out ${server?.person ?? ""}`.trim();
  fill(at("assistant"), assistants.map((one) => el("option", { value: one.name }, one.name)));
  greet();
  await list();
  const last = wantedHere() || kept.get("last");
  if (last) open(last); else leave();
}

/** What the chosen assistant can be asked. */
function greet() {
  const one = view.assistants.find((assistant) => assistant.name === at("assistant").value) ?? view.assistants[0];
  if (!one) return;
  fill(at("greeting"), el("h2", {}, "What would you like to know?"), one.greeting.map((text) => el("p", { class: "dim" }, text)),
    el("div", { class: "examples" }, one.examples.slice(0, EXAMPLES).map((text) =>
      button(text, () => { place(text); at("words").focus(); }, { class: "example" }))));
}

const EXAMPLES = 6;

start();
