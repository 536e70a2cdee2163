// The card of a plan: what it would do, what changed since the version before, and everything that can be decided on it.
// What is decided on is never folded away: a diff, tickets, a note are shown whole; how a step works is behind a line.

import { askAbout } from "./acts.js";
import { api } from "./api.js";
import { capital, counted, sentence, spoken } from "./format.js";
import { Graph } from "./graph.js";
import { Chip, Code, Diff, Draft, Fields, Words } from "./parts.js";
import { conversation, decide, guarded, pendingOf, say, seen, state } from "./store.js";
import { announce, html, toBox, useEffect, useRef, useState } from "./ui.js";

/** The card of `plan`; with controls when it is asked about. */
export function PlanCard({ plan, question, isOpen }) {
  const [left, setLeft] = useState(() => new Set());
  const [chosen, setChosen] = useState(null);
  const drafts = plan.steps.filter((step) => step.tool === "create_ticket");
  const steps = plan.steps.filter((step) => !(drafts.length && (drafts.includes(step) || step.tool === "check_tickets")));
  const flip = (number) => setLeft((now) => { const next = new Set(now); if (!next.delete(number)) next.add(number); return next; });
  return html`<div class="inside">
    <${Differences} plan=${plan} />
    ${drafts.length > 0 && html`<div class="drafts">${drafts.map((step, at) => html`<${TicketDraft} key=${step.number} step=${step} number=${drafts.length > 1 ? at + 1 : null} />`)}</div>`}
    ${plan.steps.length > 1 && !drafts.length && html`<${StepGraph} plan=${plan} open=${setChosen} />
      <div class="detail" aria-live="polite">${chosen && html`<${StepDetail} step=${chosen} />`}</div>`}
    <${Folded} isLong=${steps.length > STEPS_SHOWN} summary=${`All ${plan.steps.length} steps`}>
      <ol class="plan-steps">${steps.map((step) => html`<${StepLine} key=${step.number} step=${step} title=${plan.title} isOnly=${plan.steps.length === 1}
        isIn=${!left.has(step.number)} flip=${isOpen && plan.steps.length > 1 ? () => flip(step.number) : null} />`)}</ol>
    </${Folded}>
    ${plan.assumptions.length > 0 && html`<div class="assumed"><h4>Assumes</h4><ul>${plan.assumptions.map((text) => html`<li key=${text}>${text}</li>`)}</ul></div>`}
    ${isOpen && question && html`<${Controls} plan=${plan} question=${question} left=${left} />`}
  </div>`;
}

const Folded = ({ isLong, summary, children }) => (isLong ? html`<details class="fold"><summary>${summary}</summary>${children}</details>` : children);

/** The steps of a plan as a graph. */
export function StepGraph({ plan, open, states = new Map() }) {
  const nodes = plan.steps.map((step) => ({ key: step.number, name: `${step.number} ${step.description}`, short: String(step.number),
    told: toldStep(plan, step, states.get(step.number)), after: step.after, state: states.get(step.number) ?? (step.reused ? "reused" : ""), step }));
  return html`<${Graph} nodes=${nodes} label=${`Steps of the plan, ${plan.steps.length} in all`} open=${(node) => open(node.step)} />`;
}

/** A step in words, with what it waits for and where it stands. */
export function toldStep(plan, step, stands) {
  const after = step.after.length ? `, after ${step.after.join(" and ")}` : "";
  return `Step ${step.number} of ${plan.steps.length}: ${step.description}${after}${stands ? `, ${stands}` : ""}`;
}

/** Everything there is to know of a step before it runs. */
export function StepDetail({ step }) {
  return html`<div class="box"><h4>${step.number}. ${step.description}</h4>
    <${Fields} fields=${[
      ["Tool", spoken(step.tool)], ["Waits for", step.after.length ? step.after.map((number) => `step ${number}`).join(", ") : "nothing"],
      ["Finds", step.produces.map(spoken).join(", ")], ["Effect", capital(EFFECTS[step.effect])],
      ...step.arguments.filter((one) => one.name !== "diff").map((one) => [capital(spoken(one.name)), html`<${Argument} value=${one.value} />`]),
    ]} /></div>`;
}

/** An argument as people read it: a list line by line, and nothing where there is nothing. */
function Argument({ value }) {
  try {
    const list = JSON.parse(value);
    if (Array.isArray(list)) return list.length ? html`<${Code} text=${list.map((one) => (typeof one === "string" ? one : JSON.stringify(one, null, 2))).join("\n")} />` : "none";
    if (list && typeof list === "object") return html`<${Code} text=${JSON.stringify(list, null, 2)} />`;
  } catch { /* most arguments are no JSON */ }
  return /\n|^\s*(select|with)\b/i.test(value) ? html`<${Code} text=${value} />` : value;
}

function StepLine({ step, title, isOnly, isIn, flip }) {
  // A plan of one step is often called as the step is.
  const isSaid = isOnly && step.description.toLowerCase() === title.toLowerCase();
  const argument = (name) => step.arguments.find((one) => one.name === name)?.value;
  const [diff, note] = [argument("diff"), NOTED.includes(step.tool) ? argument("text") : null];
  const rest = step.arguments.filter((one) => !["diff", note && "text", "form", diff && "edits"].includes(one.name) && one.value !== "" && one.value !== "[]");
  return html`<li value=${step.number}>
    <label class="step">
      ${flip && html`<input type="checkbox" checked=${isIn} onChange=${flip} aria-label=${`Include step ${step.number}`} />`}
      ${!isOnly && html`<span class="step-number" aria-hidden="true">${step.number}</span>`}
      ${!isSaid && html`<span class="does">${step.description}</span>`}
      ${isOnly && step.effect === "pure" && html`<${Chip}>changes nothing</${Chip}>`}
      ${step.effect !== "pure" && html`<${Chip} kind="warn">${EFFECT_CHIPS[step.effect] ?? "changes something"}</${Chip}>`}
      ${step.reused && html`<${Chip} kind="good">known already</${Chip}>`}
    </label>
    ${diff && html`<${Diff} text=${diff} />`}
    ${note && html`<blockquote class="note-draft">${note}</blockquote>`}
    ${!diff && !note && rest.length > 0 && html`<details class="how"><summary>How it is done</summary>
      <${Fields} fields=${[["Tool", spoken(step.tool)], ...rest.map((one) => [capital(spoken(one.name)), html`<${Argument} value=${one.value} />`])]} /></details>`}
  </li>`;
}

/** A ticket that would be created, as the step that was approved has it. */
function TicketDraft({ step, number }) {
  const given = step.arguments.find((one) => one.name === "ticket")?.value;
  const text = step.arguments.find((one) => one.name === "text")?.value;
  let draft = null;
  try { draft = JSON.parse(given); } catch { /* shown as the text it stands for */ }
  return draft && typeof draft === "object" && !Array.isArray(draft)
    ? html`<${Draft} draft=${{ ...draft, ...draft.lists, ...draft.more, lists: null, more: null }} number=${number} />`
    : html`<article class="draft"><h4>${step.description}</h4><p class="lines">${text}</p></article>`;
}

/** What is otherwise than in the version before, sign and word by word. */
function Differences({ plan }) {
  if (!plan.changes.some((change) => !change.startsWith(" "))) return null;
  const kind = { "+": ["added", "New", "+"], "-": ["removed", "Gone", "−"], "~": ["edited", "Changed", "~"], " ": ["same", "As before", "="] };
  return html`<div class="changes"><h4>What changed: version ${plan.version - 1} → ${plan.version}</h4>
    <ul class="diff" aria-label=${`Changes to version ${plan.version}`}>${plan.changes.map((change, at) => {
      const [name, word, sign] = kind[change[0]] ?? kind[" "];
      return html`<li key=${at} class=${name}><span class="sign" aria-hidden="true">${sign}</span><span class="hidden-text">${word}: </span><span>${change.slice(2)}</span></li>`;
    })}</ul></div>`;
}

function Controls({ plan, question, left }) {
  const [isEdited, setEdited] = useState(false);
  const total = plan.steps.length;
  const taken = plan.steps.map((step) => step.number).filter((number) => !left.has(number));
  const approve = () => {
    if (taken.length === total) return decide(question, { is: "approve" });
    if (taken.length) return say(`approve ${taken.length === 1 ? "step" : "steps"} ${taken.join(", ")} only`, question);
    announce("Choose at least one step.");
    return null;
  };
  // The standing yes is for plans like this one, whole.
  const canStand = taken.length === total && plan.steps.every((step) => step.effect === "pure") && state.value?.asks_about === "every_plan";
  const always = () => askAbout("effects", seen(pendingOf(question, state.peek())));
  return html`<div class="decide">
    <div class="controls">
      <button type="button" class="primary" onClick=${approve}>${taken.length === total ? "Approve" : `Approve ${taken.length} of ${total}`}</button>
      ${canStand && html`<button type="button" class="always" onClick=${always}
        title="Runs this plan, and every further one of this conversation that changes nothing. What changes something is asked about as ever.">Always run read-only plans</button>`}
      <button type="button" onClick=${() => decide(question, { is: "reject" })} title="Have it planned anew">Re-plan</button>
      <button type="button" class="edit-plan" onClick=${() => setEdited(true)}>Edit as text</button>
      <button type="button" class="quiet" onClick=${() => decide(question, { is: "cancel" })}>Cancel</button>
    </div>
    <${Words} placeholder="What should be different?" label="Modify" answer=${(change) => decide(question, { is: "change", change })} />
    ${isEdited && html`<${Editor} question=${question} leave=${() => { setEdited(false); toBox({ must: true }); }} />`}
  </div>`;
}

/** The plan as text, as an editor would show it. What comes of it is the next version, which waits in turn. */
function Editor({ question, leave }) {
  const [given, setGiven] = useState(null);
  const [problem, setProblem] = useState("");
  const field = useRef(null);
  useEffect(() => { guarded(() => api.planText(conversation.peek())).then((read) => (read ? setGiven(read.text) : leave())); }, []);
  useEffect(() => field.current?.focus(), [given]);
  if (given === null) return null;
  const use = async () => {
    const open = pendingOf(question, state.peek());
    if (!open) return;
    try {
      await api.decide(conversation.peek(), open.reference, { is: "edit", text: field.current.value });
    } catch (error) {
      setProblem(`${sentence(error.message)} ${sentence(error.hint ?? "")}`);
      field.current?.focus();
    }
  };
  return html`<div class="box">
    <textarea ref=${field} rows=${Math.min(given.split("\n").length, 20)} spellcheck="false" aria-label="The plan as text" aria-describedby="edit-problem" defaultValue=${given}
      onKeyDown=${(event) => { if (event.key === "Escape") { event.stopPropagation(); leave(); } }}></textarea>
    <p class="problem" role="alert" id="edit-problem">${problem}</p>
    <div class="controls"><button type="button" class="primary" onClick=${use}>Use this text</button><button type="button" onClick=${leave}>Leave it</button></div>
  </div>`;
}

/** What a plan is about, in one line. */
export const titleOf = (plan) => html`${plan.title}${plan.version > 1 && html` <${Chip}>v${plan.version}</${Chip}>`}`;

/** How many steps, in words. */
export const stepsOf = (plan) => counted(plan.steps.length, "step");

const NOTED = ["add_note", "keep_about_person", "set_up_project", "invite_person", "leave_project", "export_project"];
const EFFECT_CHIPS = { once_only: "changes something, runs once", reversible: "can be taken back" };
const EFFECTS = { pure: "changes nothing", reversible: "changes something that can be taken back", idempotent: "changes something; doing it twice is the same as once", once_only: "changes something; runs once" };
const STEPS_SHOWN = 12;
