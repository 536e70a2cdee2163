// Cards: what can be decided on and what came out. A card whose question is no longer open as it was shown is drawn as
// closed, with who decided, where and when; only the current one can be operated.

import { at, breakable, button, el, when } from "./dom.js";
import { factCard, showFacts, tree } from "./facts.js";
import { planCard, stepDetail, stepGraph } from "./plan.js";
import { decide, pendingOf, say, view } from "./session.js";
import { picture, sheet } from "./sheet.js";
import { isAhead } from "./transcript.js";
import { place } from "./composer.js";
import { begin } from "./list.js";

export const MARKS = { done: "✓", reused: "✓", running: "▸", backoff: "↻", unknown: "?", failed: "✗", skipped: "–", cancelled: "○", waiting: "○" };

/** The card of an entry of the transcript. */
export function card(entry) {
  const { shown, text } = entry;
  switch (shown.card) {
    case "plan": return asking(entry, "plan", [shown.plan.title, el("span", { class: "chip" }, `v${shown.plan.version}`)], planCard(shown), `Plan, version ${shown.plan.version}`);
    case "question": return asking(entry, "question", text, question(shown), "Question");
    case "failure": return asking(entry, "failure", `✗ Step ${shown.step} failed: ${shown.description}`, failure(shown), "A step failed");
    case "result": return result(entry);
    case "steps": return el("ul", { class: "card steps" }, shown.steps.map(stepLine));
    case "facts": return el("div", { class: "card facts" }, shown.facts.map((fact) => factCard(fact)));
    case "provenance": return el("div", { class: "card" }, tree(shown.tree));
    case "help": return el("dl", { class: "card help" }, shown.lines.flatMap(([left, right]) => [el("dt", {}, typed(left)), el("dd", {}, right)]));
    case "why": return el("div", { class: "card" }, shown.readings.map(reading));
    default: return el("p", { class: "note" }, "This page is older than the server; reload it to see this card.");
  }
}

/** Whether the words of a card stand in its head already. */
export const hasHead = (shown) => ["plan", "question", "failure"].includes(shown?.card);

/** What can be typed, ready to be put into the message box. */
function typed(left) {
  const words = /^“(.*)”$/s.exec(left)?.[1] ?? (/^\/\w/.test(left) ? left.split(/[ ,]/)[0] : null);
  return words ? button(left, () => { place(words); at("words").focus(); }, { class: "link" }) : left;
}

/** A card that asks; closed, it says how it ended and keeps the rest folded. */
function asking(entry, kind, head, body, label) {
  const { question } = entry.shown;
  const [first, ...rest] = typeof head === "string" ? head.split("\n") : [head];
  const title = [el("h3", {}, first), rest.length ? el("p", { class: "rest" }, rest.join("\n")) : null];
  // What was said to be closed is so at once: the state that agrees comes a moment later.
  const isOpen = !view.closed.has(question?.id) && ((pendingOf(question) && !entry.isRepeated) || isAhead(entry));
  if (!question || isOpen) {
    return el("section", { class: `card ${kind}`, "aria-label": label, "data-question": question?.id }, title, body);
  }
  body.querySelectorAll("button, input, textarea").forEach((control) => { control.disabled = true; });
  body.querySelectorAll(".decide, .controls, input[type=checkbox]").forEach((control) => control.remove());
  const isEmpty = !body.textContent.trim() && !body.querySelector("svg");
  return el("section", { class: `card ${kind} closed`, "aria-label": `${label}, closed`, "data-question": question.id }, title,
    el("p", { class: "outcome" }, outcome(entry)),
    isEmpty ? null : el("details", {}, el("summary", {}, "What was shown"), body));
}

/** How a question ended: by whom, where and when. */
function outcome({ shown: { question }, isRepeated }) {
  if (isRepeated && pendingOf(question)) return "Shown again below.";
  const ended = view.closed.get(question.id);
  if (!ended) return "Replaced by a newer version.";
  const how = ended.how[0].toUpperCase() + ended.how.slice(1);
  const by = ended.by ? ` by ${ended.by}${ended.surface ? ` (${ended.surface})` : ""}` : "";
  return `${how}${by}${ended.at ? `, ${when(ended.at)}` : ""}.`;
}

function question({ question: asked, choices }) {
  const asks = pendingOf(asked)?.asks;
  const verdict = (is) => () => decide(asked, { is });
  if (asks === "paused") {
    return el("div", { class: "decide" }, el("div", { class: "controls" },
      button("Resume", verdict("resume"), { class: "primary" }), button("Stop", verdict("reject"), { class: "danger" })),
      words(asked, "What should be different from here on?", "Change", (change) => ({ is: "change", change })));
  }
  if (asks === "confirm_forget" || asks === "confirm_exit") {
    const [yes, no] = choices;
    return el("div", { class: "controls" }, button(yes.label, verdict("approve"), { class: "danger" }), button(no.label, verdict("reject")));
  }
  const isTalk = asks === "talked_over";
  const chosen = choices.map((choice, index) => button(isTalk ? choice.label : [el("span", { class: "step-number" }, index + 1), choice.label],
    () => decide(asked, { is: "choose", number: index + 1 }), { class: isTalk ? "primary" : "choice" }));
  const skip = asks === "clarification" && choices.length
    ? button(`Skip: assume “${choices[0].label}”`, () => decide(asked, { is: "choose", number: 1 })) : null;
  const own = ["which_reading", "unknown_outcome"].includes(asks) ? null
    : words(asked, isTalk ? "Add to what was said" : "In your own words", "Submit", (text) => ({ is: "say", text }));
  return el("div", { class: "decide" }, chosen.length ? el("div", { class: isTalk ? "controls" : "choices" }, chosen) : null, own,
    el("div", { class: "controls" }, skip, isTalk ? button("Not yet", verdict("reject")) : null,
      // To stop the run is one of the choices already.
      asks === "unknown_outcome" ? null : button("Drop it", verdict("cancel"))));
}

/** Free text as an answer to `asked`. */
function words(asked, placeholder, label, verdict) {
  const field = el("input", { type: "text", placeholder, "aria-label": placeholder });
  const send = (event) => {
    event.preventDefault();
    if (field.value.trim()) decide(asked, verdict(field.value.trim())); else field.focus();
  };
  return el("form", { class: "controls", onsubmit: send }, field, el("button", {}, label));
}

function failure({ question: asked, error, choices }) {
  const labels = { retry: "Retry", replan: "Re-plan", abandon: "Abandon", fix: "Propose fix" };
  // A fix is the fourth choice; the others are verdicts of their own name.
  const verdict = (value) => (value === "fix" ? { is: "choose", number: 4 } : { is: value });
  return el("div", { class: "decide" }, el("p", { class: "error" }, error),
    el("ul", { class: "ways" }, choices.map(({ value, label }) => el("li", {},
      button(labels[value] ?? value, () => decide(asked, verdict(value)), { class: value === "retry" ? "primary" : value === "abandon" ? "danger" : "" }),
      el("span", { class: "dim" }, label)))));
}

function result(entry) {
  const { answer, fact, chart, provenance } = entry.shown;
  const drawn = chart ? picture(view.id, fact.name, chart, entry.sequence) : null;
  const isAsked = answer.presentation !== "table" && answer.presentation !== "value";
  const table = fact?.table;
  const isRows = table && table.rows.length > 0 && !(table.rows.length === 1 && table.columns.length === 1);
  return el("section", { class: "card result", "aria-label": "Result" },
    isAsked ? drawn : null,
    isRows ? sheet(table, view.id, fact.name, entry.sequence) : null,
    drawn && !isAsked ? el("details", { class: "draw" }, el("summary", {}, "Show as a chart"), drawn) : null,
    provenance ? el("details", {}, el("summary", {}, "How this was found"), tree(provenance)) : null,
    fact ? el("div", { class: "controls foot" }, button("Facts and proof", () => showFacts(fact.name), { class: "quiet" })) : null,
    entry.isLast ? satisfaction() : null);
}

/** Whether the last result is what was wanted. Each answer is something said, so that every surface and the log have it. */
function satisfaction() {
  const field = el("input", { type: "text", placeholder: "What should be different?", "aria-label": "What should be different in the result" });
  const change = async (event) => {
    event.preventDefault();
    if (!field.value.trim()) { field.focus(); return; }
    await say(field.value.trim());
    at("words").focus();
  };
  return el("div", { class: "satisfaction", role: "group", "aria-label": "Does this meet your needs?" },
    el("p", {}, "Does this meet your needs?"),
    el("div", { class: "controls" }, button("Yes, done", () => { say("thanks"); at("words").focus(); }),
      button("Run again", () => say("/redo")), button("Start over", begin)),
    el("form", { class: "controls", onsubmit: change }, field, el("button", {}, "Needs changes")));
}

/** The card of a run: its steps as they come to stand, with what each found. */
export function runCard(run) {
  const done = run.plan.steps.filter((step) => ["done", "reused"].includes(run.states.get(step.number))).length;
  const total = run.plan.steps.length;
  const head = run.status === "active" ? `Running, ${done} of ${total}` : { completed: `Done, ${total} of ${total}`, failed: `Failed after ${done} of ${total}`, cancelled: `Stopped after ${done} of ${total}` }[run.status];
  const detail = el("div", { class: "detail", "aria-live": "polite" });
  const open = (step) => detail.replaceChildren(stepDetail(step), ...found(run, step.number));
  const steps = el("ol", { class: "run-steps" }, run.plan.steps.map((step) => {
    const state = run.states.get(step.number) ?? "waiting";
    return el("li", { value: step.number, class: state },
      el("span", { class: "mark", "aria-hidden": "true" }, MARKS[state]), el("span", { class: "hidden-text" }, `${state}: `),
      el("div", {}, el("span", {}, step.description), state !== "failed" && run.errors.get(step.number) ? [" ", el("span", { class: "error" }, run.errors.get(step.number))] : null, found(run, step.number)));
  }));
  const isLong = total > RUN_STEPS_SHOWN;
  return el("section", { class: `card run ${run.status}`, "aria-label": `Run of ${run.plan.title}` },
    el("p", { class: "run-head" }, el("strong", {}, head), el("span", { class: "dim" }, ` approved by ${run.person}`)),
    total > 1 ? stepGraph(run.plan, open, run.states) : null, detail,
    isLong ? el("details", {}, el("summary", {}, `All ${total} steps`), steps) : steps);
}

const found = (run, step) => (run.found.get(step) ?? []).map((fact) =>
  button([el("strong", {}, breakable(fact.name)), " ", el("span", { class: "dim" }, fact.value)], () => showFacts(fact.name), { class: "found" }));

const stepLine = (step) => el("li", { class: step.state }, el("span", { class: "mark", "aria-hidden": "true" }, MARKS[step.state] ?? "○"),
  el("span", { class: "hidden-text" }, `${step.state}: `), `${step.number} ${step.description}`);

/** How a segment was read. */
export function reading(read) {
  const label = read.sub ? `${read.intent} (${read.sub})` : read.intent;
  const percent = `${(read.confidence * 100).toFixed(0)} %`;
  return el("div", { class: "reading" },
    el("p", {}, el("q", {}, read.segment)),
    el("p", {}, el("strong", {}, label), " ", el("meter", { min: 0, max: 1, value: read.confidence, "aria-label": `Confidence ${percent}` }), ` ${percent}`, el("span", { class: "dim" }, ` by ${read.tier}`)),
    el("p", { class: "dim" }, read.reason),
    read.nearest.length ? el("table", {}, el("caption", { class: "dim" }, "Nearest examples"), el("tbody", {}, read.nearest.map((near) => el("tr", {},
      el("td", {}, near.text), el("td", { class: "dim" }, near.label), el("td", { class: "number" }, near.score.toFixed(2)))))) : null);
}

const RUN_STEPS_SHOWN = 12;
