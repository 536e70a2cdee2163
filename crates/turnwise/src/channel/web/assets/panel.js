// The panel beside the conversation: why a message was read as it was, who takes part, which files were written.

import { api, fileAt } from "./api.js";
import { reading } from "./cards.js";
import { at, button, el, fill, number } from "./dom.js";
import { guarded, onState, take, view } from "./session.js";

let cameFrom = null;
let renew = null;

onState(() => { if (!at("panel").hidden) renew?.(); });

/** Calls `again` whenever the conversation has changed, for as long as what the panel shows now is open. */
export function renews(again) { renew = again; }

/** Shows something newer of the same in the open panel: whoever works in it keeps their place. */
export function refill(title, ...content) {
  const { scrollTop } = at("panel");
  const had = at("panel-body").contains(document.activeElement) ? document.activeElement : null;
  const mark = (element) => `${element.tagName} ${element.getAttribute("aria-label") ?? element.dataset.key ?? element.textContent}`;
  const wanted = had && mark(had);
  const caret = had?.selectionStart;
  at("panel-title").textContent = title;
  fill(at("panel-body"), content);
  at("panel").scrollTop = scrollTop;
  if (!wanted) return;
  const same = [...at("panel-body").querySelectorAll("a, button, input, select, [tabindex]")].find((element) => mark(element) === wanted);
  (same ?? at("panel-title")).focus();
  if (same?.setSelectionRange && caret !== null && caret !== undefined) same.setSelectionRange(caret, caret);
}

/** Opens the panel under a title and puts `content` into it. */
export function panel(title, ...content) {
  renew = null;
  if (at("panel").hidden) cameFrom = document.activeElement;
  at("panel-title").textContent = title;
  document.body.classList.add("panel-open");
  at("panel").hidden = false;
  fill(at("panel-body"), content);
  at("panel").scrollTop = 0;
  at("panel-title").focus();
}

/** Closes it; the focus goes back to where it came from. */
export function closePanel({ stays = false } = {}) {
  if (at("panel").hidden) return;
  at("panel").hidden = true;
  document.body.classList.remove("panel-open");
  if (!stays) (cameFrom?.isConnected && cameFrom !== document.body ? cameFrom : at("words")).focus();
  cameFrom = null;
}

export async function showWhy(message) {
  const read = await guarded(() => api.why(view.id, message));
  if (!read) return;
  panel("Why it was read so",
    el("p", { class: "dim" }, { understood: "This is how it was understood.", unsure: "It could mean several things; these were the likely ones.",
      unknown_command: "There is no such command.", bare_command: "That command needs words behind it.", empty: "There were no words in it." }[read.outcome] ?? read.outcome),
    read.readings.map(reading));
}

export function showPeople() {
  if (!view.state) return;
  const field = el("input", { type: "text", required: true, maxlength: 100, placeholder: "Name, as in their token", "aria-label": "Person to let in" });
  const admit = async (event) => {
    event.preventDefault();
    const state = await guarded(() => api.admit(view.id, field.value.trim()));
    if (!state) return;
    field.value = "";
    take(state);
  };
  panel("Who takes part",
    el("ul", { class: "people" }, people(view.state)),
    el("p", { class: "dim" }, "Whoever takes part reads everything in this conversation, and may decide in it."),
    el("form", { class: "controls", onsubmit: admit }, field, el("button", {}, "Let in")));
}

const people = (state) => state.members.map((person) => el("li", {}, person));

// Whoever lets a person in, here or elsewhere: an open list shows it, and what is being typed below it stays.
onState((state, before) => {
  const list = at("panel-body").querySelector(".people");
  if (list && before?.members.join("\n") !== state.members.join("\n")) fill(list, people(state));
});

export async function showFiles() {
  const files = await guarded(() => api.files(view.id));
  if (!files) return;
  panel("Files", files.length
    ? el("ul", { class: "files" }, files.map((file) => el("li", {},
        file.bytes === undefined || file.bytes === null
          ? el("span", {}, `${file.name} (not there any more)`)
          : el("a", { href: fileAt(view.id, file.number), download: file.name }, `${file.name} (${number(file.bytes)} bytes)`),
        el("p", { class: "dim" }, `${file.description} · ${file.run}, step ${file.step}`))))
    : el("p", { class: "dim" }, "No run wrote a file yet. “… and save it as name.csv” has one written."),
    button("Look again", showFiles));
}
