// The notes of a project: told, searched, saved, changed, grouped, taken back.

import { announce, button, el, fill, refill, when } from "./projects-dom.js";
import { desk } from "./projects-desk.js";

/** What is looked for, and what is marked, of the project at hand. */
const look = { of: null, about: "", group: "", state: "", marked: new Set(), editing: null, pages: [], turn: 0 };

/** Draws the notes into `panel`; `done` is called with a promise after each change. */
export async function notes(panel, { id, whole, done }) {
  if (look.of !== id) Object.assign(look, { of: id, about: "", group: "", state: "", marked: new Set(), editing: null, pages: [] });
  if (look.group && !whole.groups.some((group) => group.label === look.group)) look.group = "";
  const turn = look.turn += 1;
  const found = await desk.notes(id, wanted());
  // Who went to another project, to another part of it, or looks for something else by now is not shown this.
  if (look.of !== id || look.turn !== turn || panel.getAttribute("aria-labelledby") !== "tab-notes") return;
  const again = () => (panel.getAttribute("aria-labelledby") === "tab-notes" ? notes(panel, { id, whole, done }) : undefined);
  const list = el("ul", { class: "notes", "aria-label": "Notes" });
  const draw = (page) => page.notes.map((note) => noteAt(note, { id, whole, done, again }));
  fill(list, draw(found));
  const more = button("Show more", async () => {
    const page = await desk.notes(id, { ...wanted(), before: found.next });
    list.append(...draw(page));
    found.next = page.next;
    more.hidden = !page.next;
  }, { class: "quiet", hidden: !found.next });
  refill(panel,
    telling(id, done),
    finding(whole, again),
    grouping(id, whole, done, again),
    found.is_near && found.notes.length > 0 && el("p", { class: "dim" }, "No note has these words; these are close to what they mean."),
    found.notes.length === 0 && el("p", { class: "dim" }, look.about || look.group || look.state ? "No note fits." : "There are no notes yet. Tell one above, or in the talk."),
    list, more);
}

const wanted = () => ({ about: look.about, group: look.group, state: look.state });

function telling(id, done) {
  const text = el("textarea", { id: "tell", rows: 2, maxlength: 4000, placeholder: "What should be kept?" });
  return el("form", { class: "row", onsubmit: (event) => {
    event.preventDefault();
    const said = text.value.trim();
    if (!said) { text.focus(); return; }
    done(desk.tell(id, said).then((made) => { text.value = ""; announce(`Note ${made.number} is kept and waits.`); }));
  } }, el("label", { class: "hidden-text", for: "tell" }, "New note"), text, el("button", { class: "primary" }, "Keep"));
}

function finding(whole, again) {
  const about = el("input", { id: "about", type: "search", value: look.about, placeholder: "Search the notes", oninput: () => {
    look.about = about.value;
    clearTimeout(look.timer);
    look.timer = setTimeout(again, 250);
  } });
  const group = el("select", { id: "in-group", onchange: () => { look.group = group.value; again(); } },
    el("option", { value: "" }, "All groups"),
    whole.groups.map((one) => el("option", { value: one.label, selected: one.label === look.group }, `${one.label} (${one.notes})`)));
  const state = el("select", { id: "in-state", onchange: () => { look.state = state.value; again(); } },
    [["", "Saved and waiting"], ["waiting", "Waiting"], ["saved", "Saved"], ["taken_back", "Taken back"]].map(([value, label]) =>
      el("option", { value, selected: value === look.state }, label)));
  return el("div", { class: "row finding", role: "search" },
    el("label", { class: "hidden-text", for: "about" }, "Search the notes"), about,
    el("label", { class: "hidden-text", for: "in-group" }, "Group"), group,
    el("label", { class: "hidden-text", for: "in-state" }, "Where they stand"), state);
}

function grouping(id, whole, done, again) {
  const marked = [...look.marked].sort((a, b) => a - b);
  const known = whole.groups.find((group) => group.label === look.group);
  if (marked.length === 0 && !known) return null;
  const label = el("input", { id: "group-label", list: "group-labels", placeholder: "Name of a group", maxlength: 60 });
  const clear = () => { look.marked.clear(); };
  return el("div", { class: "grouping" },
    marked.length > 0 && el("form", { class: "row", onsubmit: (event) => {
      event.preventDefault();
      if (!label.value.trim()) { label.focus(); return; }
      done(desk.group(id, label.value.trim(), { notes: marked }).then(clear));
    } },
    el("span", {}, `Marked: ${marked.map((number) => `#${number}`).join(", ")}`),
    el("label", { class: "hidden-text", for: "group-label" }, "Name of a group"), label,
    el("datalist", { id: "group-labels" }, whole.groups.map((group) => el("option", { value: group.label }))),
    el("button", {}, "Put into this group"),
    button("Out of their groups", () => done(desk.ungroup(id, marked).then(clear)), { class: "quiet" }),
    button("Unmark", () => { clear(); again(); }, { class: "quiet" })),
    known && groupAt(id, known, done));
}

function groupAt(id, group, done) {
  const summary = el("textarea", { id: "group-summary", rows: 2, maxlength: 600 }, group.summary);
  return el("form", { class: "group", onsubmit: (event) => {
    event.preventDefault();
    done(desk.group(id, group.label, { summary: summary.value.trim() }));
  } },
  el("label", { class: "field" }, el("span", {}, `What the notes of “${group.label}” say`), summary),
  group.rationale && el("p", { class: "dim" }, group.rationale),
  el("div", { class: "row" }, el("button", {}, "Keep this"),
    button("Give the group up", () => done(desk.dropGroup(id, group.label)), { class: "quiet" })));
}

function noteAt(note, { id, done, again }) {
  const move = (state) => () => done(desk.note(id, note.number, { state }));
  const name = `Note ${note.number}`;
  if (look.editing === note.number) {
    const text = el("textarea", { id: "edit", rows: 3, maxlength: 4000, "aria-label": `Text of note ${note.number}` }, note.text);
    const leave = () => { look.editing = null; again(); };
    queueMicrotask(() => text.focus());
    return el("li", { class: `note ${note.state}` }, el("form", { onsubmit: (event) => {
      event.preventDefault();
      look.editing = null;
      done(desk.note(id, note.number, { text: text.value.trim() || note.text }));
    }, onkeydown: (event) => { if (event.key === "Escape") leave(); } },
    text, el("div", { class: "row" }, el("button", { class: "primary" }, "Keep this"), button("Cancel", leave, { class: "quiet" }))));
  }
  const mark = el("input", { type: "checkbox", "aria-label": `Mark note ${note.number}`, checked: look.marked.has(note.number), onchange: () => {
    if (mark.checked) look.marked.add(note.number); else look.marked.delete(note.number);
    again();
  } });
  const words = { waiting: "waiting", saved: "saved", taken_back: "taken back" };
  return el("li", { class: `note ${note.state}`, "aria-label": name },
    el("div", { class: "row" }, mark, el("span", { class: "number" }, `#${note.number}`),
      el("span", { class: `state ${note.state}` }, words[note.state]),
      note.group && el("span", { class: "label" }, note.group), el("span", { class: "grow" }),
      el("time", { class: "dim", datetime: new Date(note.created_at).toISOString() }, when(note.created_at))),
    el("p", { class: "text" }, note.text),
    note.expires_at && el("p", { class: "dim" }, `Counts until ${when(note.expires_at)}.`),
    note.before.length > 0 && el("details", {}, el("summary", {}, note.before.length === 1 ? "Changed once" : `Changed ${note.before.length} times`),
      el("ol", {}, note.before.map((text) => el("li", { class: "dim text" }, text)))),
    el("div", { class: "row" },
      note.state === "waiting" && button("Save", move("saved"), { "aria-label": `Save note ${note.number}` }),
      note.state !== "taken_back" && button("Edit", () => { look.editing = note.number; again(); }, { class: "quiet", "aria-label": `Edit note ${note.number}` }),
      note.state !== "taken_back" && button("Take back", move("taken_back"), { class: "quiet", "aria-label": `Take back note ${note.number}` }),
      note.state === "taken_back" && button("Bring back", move("waiting"), { class: "quiet", "aria-label": `Bring back note ${note.number}` })));
}
