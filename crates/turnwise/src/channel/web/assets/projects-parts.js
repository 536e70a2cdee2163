// The parts of a project besides its notes: its setup, its documents, its people, and what runs.

import { announce, button, el, fill, length, refill, sure, when } from "./projects-dom.js";
import { desk } from "./projects-desk.js";

/** What was said of a project when it began; each answer can be given anew. */
export function setup(panel, { id, whole, done }) {
  refill(panel,
    el("p", { class: "dim" }, whole.project.is_ready ? "The setup is complete; an answer can still be changed." :
      "What is asked about a project when it begins. An answer can be left open on purpose."),
    whole.seed.map((one) => {
      const text = el("textarea", { id: `seed-${one.code}`, rows: 2, maxlength: 4000, placeholder: one.question }, one.said ?? "");
      // There is something to keep once it says something else.
      const keep = el("button", { hidden: true }, "Keep this");
      for (const told of ["input", "restored"]) text.addEventListener(told, () => { keep.hidden = text.value.trim() === (one.said ?? ""); });
      return el("form", { class: "seed", onsubmit: (event) => {
        event.preventDefault();
        const said = text.value.trim();
        done(desk.seed(id, one.code, said || null).then(() => announce(`${one.label}: kept.`)));
      } },
      el("label", { class: "field", for: text.id }, el("span", {}, one.label,
        one.said === undefined ? el("em", {}, " open") : one.said === "" && el("em", {}, " left open on purpose"))), text,
      el("div", { class: "row" }, keep,
        one.said === undefined && one.code !== "work" && button("Leave it open", () => done(desk.seed(id, one.code, null)), { class: "quiet" })));
    }),
    !whole.project.is_ready && button("Complete the setup", () => done(desk.finalize(id)),
      { class: "primary", disabled: !whole.is_setup_complete, title: whole.is_setup_complete ? null : "Answer every question first, or leave it open" }));
}

/** Its specifications and artefacts. */
export function documents(panel, { id, whole, done }) {
  const latest = new Map();
  for (const one of whole.artefacts) latest.set(one.name, [...(latest.get(one.name) ?? []), one]);
  refill(panel,
    el("h3", {}, "Artefacts"),
    latest.size === 0 && el("p", { class: "dim" }, "Nothing has been brought yet."),
    el("ul", { class: "documents" }, [...latest].map(([name, versions]) => artefact(id, name, versions))),
    uploading(id, done),
    el("h3", {}, "Specifications"),
    whole.specifications.length === 0 && el("p", { class: "dim" }, "None has been written yet."),
    whole.specifications.map((one) => specification(id, one, done)),
    writing(id, done));
}

function artefact(id, name, versions) {
  const link = (one, label) => el("a", { href: desk.fileAt(id, name, one.version), download: true }, label);
  const [last, ...before] = versions;
  return el("li", {},
    el("div", { class: "row" }, el("strong", {}, name), el("span", { class: "label" }, last.kind), el("span", { class: "grow" }),
      link(last, `Download version ${last.version}`)),
    el("p", { class: "dim" }, `${length(last.bytes)}, ${last.by ? `by ${last.by}, ` : ""}${when(last.created_at)}`),
    before.length > 0 && el("details", {}, el("summary", {}, "Earlier versions"),
      el("ul", {}, before.map((one) => el("li", {}, link(one, `Version ${one.version}`), ` ${length(one.bytes)}, ${when(one.created_at)}`)))));
}

function uploading(id, done) {
  const file = el("input", { id: "upload-file", type: "file", required: true, onchange: () => {
    if (!name.value && file.files[0]) name.value = file.files[0].name.replace(/\.[^.]+$/, "");
  } });
  const name = el("input", { id: "upload-name", maxlength: 120, required: true });
  const kind = el("input", { id: "upload-kind", maxlength: 40, placeholder: "report" });
  return el("form", { class: "adding", onsubmit: (event) => {
    event.preventDefault();
    done(desk.upload(id, name.value.trim(), kind.value.trim(), file.files[0]).then((made) => { event.target.reset(); announce(`Version ${made.number} is kept.`); }));
  } },
  el("label", { class: "field" }, el("span", {}, "File"), file),
  el("label", { class: "field" }, el("span", {}, "What it is called"), name),
  el("label", { class: "field" }, el("span", {}, "Sort of document"), kind),
  el("button", {}, "Upload"));
}

function specification(id, one, done) {
  const body = el("div", {});
  const open = async () => {
    if (body.firstChild) return;
    const found = await desk.specification(id, one.name);
    const text = el("textarea", { rows: 8, "aria-label": `Text of ${one.name}` }, found.content);
    fill(body, el("form", { onsubmit: (event) => { event.preventDefault(); done(desk.specify(id, one.name, text.value)); } }, text,
      el("div", { class: "row" }, el("button", {}, "Keep this"), button("Delete it", async () => {
        if (await sure(`Delete “${one.name}”?`, "“undo” in the talk brings it back.", "Delete")) done(desk.dropSpecification(id, one.name));
      }, { class: "quiet" }))));
  };
  return el("details", { class: "specification", ontoggle: (event) => event.target.open && open() },
    el("summary", {}, `${one.name}, version ${one.version}`), body);
}

function writing(id, done) {
  const name = el("input", { id: "specification-name", maxlength: 120, required: true });
  const text = el("textarea", { id: "specification-text", rows: 4, required: true });
  return el("form", { class: "adding", onsubmit: (event) => { event.preventDefault(); done(desk.specify(id, name.value.trim(), text.value).then(() => event.target.reset())); } },
    el("label", { class: "field" }, el("span", {}, "Name of a new specification"), name),
    el("label", { class: "field" }, el("span", {}, "What it says"), text),
    el("button", {}, "Write it"));
}

/** Who belongs to it, its name, and what ends it. */
export function people(panel, { id, whole, done, left }) {
  const guest = el("input", { id: "guest", maxlength: 100, required: true, placeholder: "ben", autocomplete: "off" });
  const name = el("input", { id: "rename", maxlength: 100, required: true, value: whole.project.name });
  const isLast = whole.members.length === 1;
  refill(panel,
    el("h3", {}, "Who belongs to it"),
    el("ul", { class: "people" }, whole.members.map((person) => el("li", {}, person)),
      whole.invited.map((person) => el("li", { class: "row" }, `${person} (invited)`, el("span", { class: "grow" }),
        button("Take the invitation back", () => done(desk.withdraw(id, person)), { class: "quiet", "aria-label": `Take the invitation back: ${person}` })))),
    el("form", { class: "row", onsubmit: async (event) => {
      event.preventDefault();
      const who = guest.value.trim();
      if (await sure(`Invite ${who}?`, `${who} will see and change all that is in ${whole.project.name} after joining.`, "Invite")) done(desk.invite(id, who).then(() => { guest.value = ""; }));
    } }, el("label", { class: "hidden-text", for: "guest" }, "Whom to invite"), guest, el("button", {}, "Invite")),
    el("h3", {}, "The project"),
    el("form", { class: "row", onsubmit: (event) => { event.preventDefault(); done(desk.rename(id, name.value.trim())); } },
      el("label", { class: "hidden-text", for: "rename" }, "Name of the project"), name, el("button", {}, "Rename")),
    el("div", { class: "row" },
      el("a", { class: "button", href: desk.archiveAt(id), download: true }, "Take it along"),
      button(isLast ? "Delete the project" : "Leave the project", async () => {
        const text = isLast ? "You are the only one who belongs to it: all that is in it is gone then." : "It stays with the others.";
        if (await sure(isLast ? `Delete ${whole.project.name}?` : `Leave ${whole.project.name}?`, text, isLast ? "Delete" : "Leave")) done(desk.leave(id).then(left));
      }, { class: "danger" })));
}

/** What runs, what needs somebody, what was finished lately. */
export function jobs(whole) {
  const shown = [...whole.jobs.filter((job) => job.state !== "finished"), ...whole.jobs.filter((job) => job.state === "finished").slice(0, 2)];
  const words = { active: "running", attention: "needs you", finished: "finished" };
  return shown.length > 0 && el("ul", { class: "jobs", "aria-label": "Jobs" }, shown.map((job) => el("li", { class: job.state },
    el("span", { class: "state" }, words[job.state]), " ", job.title,
    job.whole && job.state !== "finished" && el("progress", { value: job.done, max: job.whole, "aria-label": `${job.done} of ${job.whole}` }),
    job.remark && el("span", { class: "dim" }, ` ${job.remark}`))));
}
