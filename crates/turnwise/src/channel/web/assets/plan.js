// The card of a plan: what it would do as a graph and as a list, what changed since the version before, and everything
// that can be decided on it.

import { api } from "./api.js";
import { diffText } from "./diff.js";
import { announce, at, button, el, fill } from "./dom.js";
import { dag } from "./graph.js";
import { decide, guarded, pendingOf, say, sentence, view } from "./session.js";

/** The card of `plan`; with controls when it is asked about. */
export function planCard({ plan, question }) {
  const boxes = new Map();
  const detail = el("div", { class: "detail", "aria-live": "polite" });
  const list = el("ol", { class: "plan-steps" }, plan.steps.map((step) => line(step, question, boxes, plan.steps.length === 1)));
  const isLong = plan.steps.length > STEPS_SHOWN;
  return el("div", { class: "inside" },
    differences(plan),
    plan.steps.length > 1 ? stepGraph(plan, (step) => fill(detail, stepDetail(step))) : null,
    plan.steps.length > 1 ? detail : null,
    isLong ? el("details", {}, el("summary", {}, `All ${plan.steps.length} steps`), list) : list,
    plan.assumptions.length
      ? el("div", { class: "assumed" }, el("h4", {}, "Assumes"), el("ul", {}, plan.assumptions.map((text) => el("li", {}, text))))
      : null,
    question ? controls(plan, question, boxes) : null);
}

/** The steps of a plan as a graph. */
export function stepGraph(plan, open, states = new Map()) {
  const nodes = plan.steps.map((step) => ({ key: step.number, name: `${step.number} ${step.description}`, short: String(step.number),
    told: toldStep(plan, step, states.get(step.number)), after: step.after, state: states.get(step.number) ?? (step.reused ? "reused" : ""), step }));
  return dag(nodes, { label: `Steps of the plan, ${plan.steps.length} in all`, open: (node) => open(node.step) });
}

/** A step in words, with what it waits for and where it stands. */
export function toldStep(plan, step, state) {
  const after = step.after.length ? `, after ${step.after.join(" and ")}` : "";
  return `Step ${step.number} of ${plan.steps.length}: ${step.description}${after}${state ? `, ${state}` : ""}`;
}

/** Everything there is to know of a step before it runs. */
export function stepDetail(step) {
  const part = (name, value) => value ? [el("dt", {}, name), el("dd", {}, value)] : [];
  return el("div", { class: "box" },
    el("h4", {}, `${step.number}. ${step.description}`),
    el("dl", { class: "parts" },
      part("Tool", step.tool), part("Waits for", step.after.length ? step.after.map((number) => `step ${number}`).join(", ") : "nothing"),
      part("Finds", step.produces.join(", ")), part("Effect", EFFECTS[step.effect]),
      step.arguments.map(([name, value]) => { const told = readable(value); return told ? part(name, el("pre", {}, told)) : []; })));
}

/** An argument as people read it: a list line by line, and nothing where there is nothing. */
function readable(value) {
  try {
    const list = JSON.parse(value);
    if (Array.isArray(list)) return list.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join("\n");
  } catch { /* most arguments are no lists */ }
  return value;
}

function line(step, question, boxes, isOnly) {
  const box = question && !isOnly ? el("input", { type: "checkbox", checked: true, "aria-label": `Include step ${step.number}` }) : null;
  if (box) boxes.set(step.number, box);
  const chips = [step.effect === "pure" ? null : el("span", { class: "chip warn" }, EFFECT_CHIPS[step.effect] ?? "changes something"),
    step.reused ? el("span", { class: "chip good" }, "known already, reused") : null];
  return el("li", { value: step.number },
    el("label", {}, box, el("span", { class: "step-number", "aria-hidden": "true" }, step.number), el("span", {}, step.description), chips),
    diffOf(step) ? diffText(diffOf(step)) : step.arguments.length
      ? el("details", {}, el("summary", {}, `How: ${step.tool}`), step.arguments.map(([name, value]) => readable(value)
          ? el("div", { class: "argument" }, el("span", { class: "dim" }, name), el("pre", {}, readable(value))) : null))
      : null);
}

/** What files would become: that is what is decided on, so it is not folded away. */
function diffOf(step) {
  return step.arguments.find(([name]) => name === "diff")?.[1];
}

/** What is otherwise than in the version before, sign and word by word. */
function differences(plan) {
  if (!plan.changes.some((change) => !change.startsWith(" "))) return null;
  const kind = { "+": ["added", "New"], "-": ["removed", "Gone"], "~": ["edited", "Changed"] };
  return el("div", { class: "changes" },
    el("h4", {}, `What changed: version ${plan.version - 1} → ${plan.version}`),
    el("ul", { class: "diff", "aria-label": `Changes to version ${plan.version}` }, plan.changes.map((change) => {
      const [name, word] = kind[change[0]] ?? ["same", "As before"];
      return el("li", { class: name }, el("span", { class: "sign", "aria-hidden": "true" }, change[0] === " " ? "=" : change[0] === "-" ? "−" : change[0]),
        el("span", { class: "hidden-text" }, `${word}: `), change.slice(2));
    })));
}

function controls(plan, question, boxes) {
  const change = el("input", { type: "text", placeholder: "What should be different?", "aria-label": "What should be different" });
  const approve = button("Approve", () => {
    const chosen = [...boxes].filter(([, box]) => box.checked).map(([step]) => step);
    if (chosen.length === boxes.size) return decide(question, { is: "approve" });
    if (chosen.length) return say(`approve ${chosen.length === 1 ? "step" : "steps"} ${chosen.join(", ")} only`, question);
    announce("Choose at least one step.");
    boxes.values().next().value?.focus();
    return null;
  }, { class: "primary" });
  boxes.forEach((box) => box.addEventListener("change", () => {
    const chosen = [...boxes.values()].filter((other) => other.checked).length;
    approve.textContent = chosen === boxes.size ? "Approve" : `Approve ${chosen} of ${boxes.size}`;
  }));
  const suggest = (event) => {
    event.preventDefault();
    if (change.value.trim()) decide(question, { is: "change", change: change.value.trim() }); else change.focus();
  };
  const editor = el("div", {});
  return el("div", { class: "decide" },
    el("div", { class: "controls" }, approve,
      button("Re-plan", () => decide(question, { is: "reject" })),
      button("Edit as text", () => edit(editor, question), { class: "edit-plan" }),
      button("Cancel", () => decide(question, { is: "cancel" }))),
    el("form", { class: "controls", onsubmit: suggest }, change, el("button", {}, "Modify")),
    editor);
}

/** The plan as text, as an editor would show it. What comes of it is the next version, which waits in turn. */
async function edit(holder, question) {
  if (holder.firstChild) { holder.querySelector("textarea").focus(); return; }
  const given = await guarded(() => api.planText(view.id));
  if (!given) return;
  const problem = el("p", { class: "problem", role: "alert", id: "edit-problem" });
  const text = el("textarea", { rows: Math.min(given.text.split("\n").length, 20), spellcheck: "false", "aria-label": "The plan as text", "aria-describedby": "edit-problem" });
  text.value = given.text;
  const use = async () => {
    const open = pendingOf(question);
    if (!open) return;
    try {
      await api.decide(view.id, open.reference, { is: "edit", text: text.value });
    } catch (error) {
      problem.textContent = `${sentence(error.message)} ${sentence(error.hint ?? "")}`;
      text.focus();
    }
  };
  const leave = () => { fill(holder); at("words").focus(); };
  text.addEventListener("keydown", (event) => { if (event.key === "Escape") { event.stopPropagation(); leave(); } });
  fill(holder, el("div", { class: "box" }, text, problem,
    el("div", { class: "controls" }, button("Use this text", use, { class: "primary" }), button("Leave it", leave))));
  text.focus();
}

const EFFECT_CHIPS = { once_only: "changes something, runs once", reversible: "can be taken back" };
const EFFECTS = { pure: "changes nothing", reversible: "changes something that can be taken back", idempotent: "changes something; doing it twice is the same as once", once_only: "changes something; runs once" };
const STEPS_SHOWN = 12;
