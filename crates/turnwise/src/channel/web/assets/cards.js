// Cards: what can be decided on and what was shown. A card whose question is no longer open as it was shown is drawn as
// closed, with who decided, where and when; only the current one can be operated. Next: plan.js, result.js.

import { place, show } from "./acts.js";
import { api } from "./api.js";
import { FactLine, Tree } from "./facts.js";
import { capital, spoken, when } from "./format.js";
import { Choices, Words } from "./parts.js";
import { PlanCard, StepDetail, StepGraph, titleOf } from "./plan.js";
import { Reading } from "./reading.js";
import { conversation, decide, guarded, nameOf, pendingOf, personOf, say, state, view } from "./store.js";
import { doneOf } from "./turns.js";
import { html, names, toBox, useState } from "./ui.js";

/** Whether the words of a card stand in its head already. */
export const hasHead = (card) => ["plan", "question", "failure"].includes(card?.card);

/** Where a card stands: `open`, `closed`, or `shown` where it asks nothing. */
export function standing(item) {
  const question = item.card?.question;
  if (!question) return "shown";
  if (view.turns.closed.has(question.id)) return "closed";
  const isRepeated = view.turns.asked.get(nameOf(question)) > item.sequence;
  // What came before the state that says what can be done with it can be operated in a moment.
  const isAhead = item.sequence > (state.value?.sequence ?? -1);
  return (pendingOf(question) && !isRepeated) || isAhead ? "open" : "closed";
}

/** The card of an item of a turn. */
export function Card({ item, rev }) {
  const { card } = item;
  switch (card.card) {
    case "plan": return html`<${Asking} item=${item} rev=${rev} kind="plan" label=${`Plan, version ${card.plan.version}`} head=${titleOf(card.plan)}
      body=${(isOpen) => html`<${PlanCard} plan=${card.plan} question=${card.question} isOpen=${isOpen} />`} hasBody=${true} />`;
    case "question": return html`<${Asking} item=${item} rev=${rev} kind="question" label="Question" head=${firstLine(item.text)} rest=${restOf(item.text)}
      body=${(isOpen) => isOpen && html`<${Question} question=${card.question} choices=${card.choices} />`} />`;
    case "failure": return html`<${Asking} item=${item} rev=${rev} kind="failure" label="A step failed" head=${`Step ${card.step} failed: ${card.description}`}
      body=${(isOpen) => html`<${Failure} card=${card} isOpen=${isOpen} />`} hasBody=${true} />`;
    case "steps": return html`<ul class="card steps">${card.steps.map((step) => html`<${StepState} key=${step.number} number=${step.number} state=${step.state} text=${step.description} />`)}</ul>
      ${card.ways?.length > 0 && html`<${Ways} ways=${card.ways} />`}`;
    case "facts": return html`<div class="card facts">${card.facts.map((fact) => html`<${FactLine} key=${fact.name} fact=${fact} open=${() => show("facts", fact.name)} />`)}</div>`;
    case "provenance": return html`<div class="card"><${Tree} node=${card.tree} /></div>`;
    case "help": return isOneKind(card.lines) ? html`<${Instead} lines=${card.lines} />` : html`<dl class="card help">${card.lines.map((line, at) => html`<dt key=${`${at} `}><${Typed} text=${line.say} /></dt><dd key=${at}>${line.does}</dd>`)}</dl>`;
    case "why": return html`<div class="card">${card.readings.map((reading, at) => html`<${Reading} key=${at} reading=${reading} />`)}</div>`;
    default: return html`<p class="note">This page is older than the server; reload it to see this card.</p>`;
  }
}

/** Whether all that can be said is said for the same: then that stands once, and not on every line. */
const isOneKind = (lines) => lines.length > 1 && lines.every((line) => line.does === lines[0].does && quoted(line.say));

/** Words that can be said in place of others, each at a press. */
function Instead({ lines }) {
  return html`<div class="card"><h3 class="small">${capital(lines[0].does)}</h3><ul class="instead">${lines.map((line) => html`<li key=${line.say}>
    <button type="button" onClick=${() => say(quoted(line.say))}>${quoted(line.say)}</button></li>`)}</ul></div>`;
}

const quoted = (text) => /^“(.*)”$/s.exec(text)?.[1] ?? null;

/** What can be typed, ready to be put into the message box. */
function Typed({ text }) {
  const words = quoted(text) ?? (/^\/\w/.test(text) ? text.split(/[ ,]/)[0] : null);
  if (!words) return text;
  return html`<button type="button" class="link" onClick=${() => { place(words); toBox({ must: true }); }}>${text}</button>`;
}

const firstLine = (text) => text.split("\n")[0];
const restOf = (text) => text.split("\n").slice(1).join("\n").trim();

/** What can be done with the run while it goes on: pressing one says it. */
function Ways({ ways }) {
  if (state.value?.phase !== "executing" || state.value.run?.paused) return null;
  return html`<div class="controls">${ways.map(({ value, label }) => html`<button key=${value} type="button" class=${value === "stop" ? "danger" : ""}
    title=${label} onClick=${() => guarded(() => api.say(conversation.peek(), value))}>${label.split(":")[0]}</button>`)}</div>`;
}

/** A card that asks; closed, it says how it ended and keeps the rest folded. */
function Asking({ item, kind, label, head, rest = "", body, hasBody = false }) {
  const stands = standing(item);
  const { question } = item.card;
  const title = html`<h3>${kind === "failure" && html`<span class="mark" aria-hidden="true">✗</span> `}${head}</h3>${rest && stands !== "closed" && html`<p class="rest">${rest}</p>`}`;
  if (stands !== "closed") {
    return html`<div role="group" class=${`card ${kind}`} aria-label=${label} data-question=${question?.id}>${title}${body(stands === "open")}</div>`;
  }
  return html`<div role="group" class=${`card ${kind} closed`} aria-label=${`${label}, closed`} data-question=${question.id}>${title}
    <p class="outcome">${outcomeOf(item)}</p>
    ${hasBody && html`<details><summary>What was shown</summary>${body(false)}</details>`}</div>`;
}

/** How a question ended: by whom, where and when. */
export function outcomeOf({ card: { question } }) {
  const ended = view.turns.closed.get(question.id);
  if (!ended) return pendingOf(question) ? "Shown again below." : "Replaced by a newer version.";
  const how = ended.how[0].toUpperCase() + ended.how.slice(1);
  const by = ended.by ? ` by ${personOf(ended.by)}${ended.surface && ended.surface !== "web" ? ` (${ended.surface})` : ""}` : "";
  return `${how}${by}${ended.at ? `, ${when(ended.at)}` : ""}.`;
}

/** A form for an open question: its choices, words of one's own, and the ways out. */
function Question({ question, choices }) {
  const asks = pendingOf(question)?.asks;
  const verdict = (is) => () => decide(question, { is });
  const pick = (number) => decide(question, { is: "choose", number });
  if (asks === "paused") {
    return html`<div class="decide"><div class="controls">
      <button type="button" class="primary" onClick=${verdict("resume")}>Resume</button>
      <button type="button" class="danger" onClick=${verdict("reject")}>Abort</button></div>
      <${Words} placeholder="What should be different from here on?" label="Change" answer=${(change) => decide(question, { is: "change", change })} /></div>`;
  }
  if (asks === "confirm_forget" || asks === "confirm_exit") {
    const [yes, no] = choices;
    return html`<div class="controls"><button type="button" class="danger" onClick=${verdict("approve")}>${yes.label}</button>
      <button type="button" onClick=${verdict("reject")}>${no.label}</button></div>`;
  }
  if (asks === "satisfaction") {
    return html`<div class="decide"><div class="controls">${choices.map((choice, at) => html`<button key=${choice.value} type="button"
      class=${choice.value === "satisfied" ? "primary" : ""} onClick=${() => pick(at + 1)}>${choice.label}</button>`)}</div>
      <${Words} placeholder="What should be different?" label="Needs changes" answer=${(text) => decide(question, { is: "say", text })} /></div>`;
  }
  const isTalk = asks === "talked_over";
  // How many there are is confirmed and never assumed; to skip must not be a yes.
  const canSkip = asks === "clarification" && choices.length > 0 && !choices.some(({ confirms }) => confirms);
  const canSay = !["which_reading", "unknown_outcome"].includes(asks);
  return html`<div class="decide">
    ${choices.length > 0 && (isTalk
      ? html`<div class="controls">${choices.map((choice, at) => html`<button key=${at} type="button" class="primary" onClick=${() => pick(at + 1)}>${choice.label}</button>`)}</div>`
      : html`<${Choices} choices=${choices} choose=${pick} />`)}
    ${canSay && html`<${Words} placeholder=${isTalk ? "Add to what was said" : "In your own words"} label="Submit" answer=${(text) => decide(question, { is: "say", text })} />`}
    <div class="controls">
      ${canSkip && html`<button type="button" onClick=${() => pick(1)}>Skip: assume “${choices[0].label}”</button>`}
      ${isTalk && html`<button type="button" onClick=${verdict("reject")}>Not yet</button>`}
      ${/* To stop the run is one of the choices already. */ asks !== "unknown_outcome" && html`<button type="button" class="quiet" onClick=${verdict("cancel")}>Drop it</button>`}
    </div></div>`;
}

function Failure({ card: { question, error, choices }, isOpen }) {
  const labels = { retry: "Retry", replan: "Re-plan", abandon: "Abandon", fix: "Propose fix" };
  // A fix is the fourth choice; the others are verdicts of their own name.
  const verdict = (value) => (value === "fix" ? { is: "choose", number: 4 } : { is: value });
  return html`<div class="decide"><p class="error">${error}</p>
    ${isOpen && html`<ul class="ways">${choices.map(({ value, label }) => html`<li key=${value}>
      <button type="button" class=${value === "retry" ? "primary" : value === "abandon" ? "danger" : ""} onClick=${() => decide(question, verdict(value))}>${labels[value] ?? spoken(value)}</button>
      <span class="dim">${label}</span></li>`)}</ul>`}</div>`;
}

/** The card of a run: its steps as they come to stand, with what each found. */
export function RunCard({ run, rev }) {
  const [chosen, setChosen] = useState(null);
  const total = run.plan.steps.length;
  const steps = html`<ol class="run-steps">${run.plan.steps.map((step) => {
    const stands = run.states.get(step.number) ?? "waiting";
    return html`<${StepState} key=${step.number} number=${step.number} state=${stands} text=${step.description}>
      ${stands !== "failed" && run.errors.has(step.number) && html` <span class="error">${run.errors.get(step.number)}</span>`}
      <${Found} run=${run} step=${step.number} rev=${rev} /></${StepState}>`;
  })}</ol>`;
  return html`<div role="group" class=${`card run ${run.status}`} aria-label=${`Run of ${run.plan.title}`}>
    <p class="run-head"><strong>${headOf(run)}</strong><span class="dim"> approved by ${personOf(run.person)}</span></p>
    ${total > 1 && html`<${StepGraph} plan=${run.plan} open=${setChosen} states=${run.states} rev=${rev} />`}
    <div class="detail" aria-live="polite">${chosen && html`<${StepDetail} step=${chosen} /><${Found} run=${run} step=${chosen.number} rev=${rev} />`}</div>
    ${total > RUN_STEPS_SHOWN ? html`<details><summary>All ${total} steps</summary>${steps}</details>` : steps}
  </div>`;
}

/** How far a run is, in words. */
export function headOf(run) {
  const [done, total] = [doneOf(run), run.plan.steps.length];
  const isPaused = run.status === "active" && state.value?.run?.id === run.id && state.value.run.paused;
  return { active: `${isPaused ? "Paused" : "Running"}, ${done} of ${total}`, completed: `Done, ${total} of ${total}`, failed: `Failed after ${done} of ${total}`, cancelled: `Stopped after ${done} of ${total}` }[run.status];
}

const Found = ({ run, step }) => (run.found.get(step) ?? []).map((fact) => html`<button key=${fact.name} type="button" class="found" onClick=${() => show("facts", fact.name)}>
  <strong>${spoken(fact.name)}</strong> <span class="dim">${fact.value}</span></button>`);

const StepState = ({ number, state: stands, text, children }) => html`<li value=${number} class=${names(stands)}>
  <span class="mark" aria-hidden="true">${MARKS[stands] ?? "○"}</span><span class="hidden-text">${stands}: </span><div><span>${text}</span>${children}</div></li>`;


const MARKS = { done: "✓", reused: "✓", running: "▸", backoff: "↻", unknown: "?", failed: "✗", skipped: "–", cancelled: "○", waiting: "○" };
const RUN_STEPS_SHOWN = 12;
